import { ExcelError } from '../workbook/cells/error.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { KindName, Targets } from './targets.ts';

/** The context of members: the workbook, and the ranges that the client retains. */
export type Host = { readonly workbook: Workbook; readonly references: References };

/** The objects that a client retains (`_KeepReference`), so that it finds the same range in a later batch. */
export class References {
  readonly #objects = new Map<string, HostObject>();
  readonly #ids = new Map<unknown, string>();
  #last = 0;

  add(object: HostObject): void {
    if (this.#ids.has(object.target)) return;
    this.#last += 1;
    const id = `{reference-${this.#last}}`;
    this.#objects.set(id, object);
    this.#ids.set(object.target, id);
  }

  /** The format of a range, for example, has the target of the range, and is not what the client retains. */
  idOf({ kind, target }: HostObject): string | undefined {
    const id = this.#ids.get(target);
    return id !== undefined && this.#objects.get(id)!.kind === kind ? id : undefined;
  }

  find(id: string): HostObject | undefined {
    return this.#objects.get(id);
  }

  remove(id: string): void {
    this.#ids.delete(this.#objects.get(id)?.target);
    this.#objects.delete(id);
  }

  removeAll(): void {
    this.#ids.clear();
    this.#objects.clear();
  }

  all(): HostObject[] {
    return [...this.#objects.values()];
  }
}

/**
 * An object of Excel's API: the name of its class, and its part of the workbook. The classes refer to each other (a
 * range to its worksheet, a worksheet to its ranges) by name; `kinds.ts` has them all.
 */
export type HostObject<Name extends KindName = KindName> = { readonly kind: Name; readonly target: Targets[Name] };

export type Scalar<Target> = {
  get(target: Target, host: Host): unknown;
  set?(target: Target, value: unknown, host: Host): void;
};

// biome-ignore lint/suspicious/noExplicitAny: each method checks its arguments.
type Method<Target, Result = unknown> = (target: Target, args: any[], host: Host) => Result;

/**
 * One class of Excel's API. Members have the names that the client sends (`getRange` is sent as `GetRange`). A method
 * returns a host object, null for a null object, or a plain value.
 */
export type Kind<Target> = {
  /** The name in errors, where it differs from the one in `kinds.ts`. */
  readonly name?: string;
  /** The id by which the collection finds the object again. */
  id?(target: Target): string | number;
  scalars?: Readonly<Record<string, Scalar<Target>>>;
  children?: Readonly<Record<string, (target: Target, host: Host) => HostObject | null>>;
  methods?: Readonly<Record<string, Method<Target>>>;
  /** Collections only. */
  items?(target: Target, host: Host): HostObject[];
  /** Collections only: the object that `getItem(key)` returns; undefined is answered with ItemNotFound. */
  item?(target: Target, key: unknown, host: Host): HostObject | undefined;
};

export type Kinds = { readonly [Name in KindName]: Kind<Targets[Name]> };

const hostObjects = new WeakSet<object>();

export const hostObject = <Name extends KindName>(kind: Name, target: Targets[Name]): HostObject => {
  const object = { kind, target };
  hostObjects.add(object);
  return object;
};

export const isHostObject = (value: unknown): value is HostObject =>
  typeof value === 'object' && value !== null && hostObjects.has(value);

export const isOfKind = <Name extends KindName>(value: unknown, kind: Name): value is HostObject<Name> =>
  isHostObject(value) && value.kind === kind;

/** A required value: ItemNotFound for undefined. */
export const existing = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new ExcelError('ItemNotFound');
  return value;
};

const checked =
  <Value>(isValid: (value: unknown) => value is Value) =>
  (value: unknown): Value => {
    if (!isValid(value)) throw new ExcelError('InvalidArgument');
    return value;
  };

/** Checks of arguments and properties: the value in its type, or InvalidArgument. */
export const argument = {
  text: checked((value) => typeof value === 'string'),
  boolean: checked((value) => typeof value === 'boolean'),
  integer: checked((value): value is number => Number.isInteger(value)),
  /** A number of points: not negative. */
  size: checked((value): value is number => typeof value === 'number' && value >= 0),
  oneOf: <Name extends string>(...allowed: readonly Name[]) =>
    checked((value): value is Name => allowed.some((name) => name === value)),
};

/** A property whose value is stored in the workbook as it is. @param changed is called after a change */
export const stored = <Target, Part extends object, Name extends keyof Part>(
  partOf: (target: Target) => Part,
  name: Name,
  check: (value: unknown) => Part[Name],
  changed?: (target: Target) => void,
): Scalar<Target> => ({
  get: (target) => partOf(target)[name],
  set: (target, value) => {
    partOf(target)[name] = check(value);
    changed?.(target);
  },
});

/** Two methods such as `getRange` and `getRangeOrNullObject`: ItemNotFound or a null object when there is none. */
export const withNullObject = <Target>(
  name: string,
  find: Method<Target, HostObject | undefined>,
): Record<string, Method<Target>> => ({
  [name]: (...call) => existing(find(...call)),
  [`${name}OrNullObject`]: (...call) => find(...call) ?? null,
});

/** The members that most collections have. */
export const everyMember = ['Count', 'GetCount', 'GetItem', 'GetItemAt', 'GetItemOrNullObject'] as const;

/** A class of collections. @param members those of Excel's common members that this class has */
export const collection = <Target, Name extends KindName>(
  kind: Name,
  list: (target: Target, host: Host) => Targets[Name][],
  find: (target: Target, key: unknown, host: Host) => Targets[Name] | undefined,
  members: readonly (typeof everyMember)[number][],
  methods: Record<string, Method<Target>> = {},
): Kind<Target> => {
  const item: Kind<Target>['item'] = (target, key, host) => {
    const found = find(target, key, host);
    return found === undefined ? undefined : hostObject(kind, found);
  };
  const common: Record<string, Method<Target>> = {
    GetCount: (target, _, host) => list(target, host).length,
    GetItemAt: (target, [index], host) => {
      const found = list(target, host)[argument.integer(index)];
      if (found === undefined) throw new ExcelError('InvalidArgument');
      return hostObject(kind, found);
    },
    ...withNullObject<Target>('GetItem', (target, [key], host) => item(target, key, host)),
  };
  return {
    items: (target, host) => list(target, host).map((one) => hostObject(kind, one)),
    item,
    ...(members.includes('Count') ? { scalars: { Count: { get: (target, host) => list(target, host).length } } } : {}),
    methods: {
      ...Object.fromEntries(members.flatMap((name) => (common[name] ? [[name, common[name]]] : []))),
      ...methods,
    },
  };
};
