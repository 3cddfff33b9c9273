import { ExcelError } from '../workbook/cells/error.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { KindName, Targets } from './targets.ts';

/** The context of members: the workbook, and the ranges that the client retains. */
export type Host = {
  readonly workbook: Workbook;
  readonly references: References;
};

/** The objects that a client retains (`_KeepReference`), so that it finds the same range in a later batch. */
export type References = {
  keep(object: HostObject): void;
  idOf(object: HostObject): string | undefined;
  find(id: string): HostObject | undefined;
  remove(id: string): void;
  removeAll(): void;
  all(): Iterable<HostObject>;
};

export const createReferences = (): References => {
  const objects = new Map<string, HostObject>();
  const ids = new Map<unknown, string>();
  let last = 0;
  return {
    keep: (object) => {
      if (ids.has(object.target)) return;
      last += 1;
      const id = `{reference-${last}}`;
      objects.set(id, object);
      ids.set(object.target, id);
    },
    idOf: (object) => ids.get(object.target),
    find: (id) => objects.get(id),
    remove: (id) => {
      ids.delete(objects.get(id)?.target);
      objects.delete(id);
    },
    removeAll: () => {
      ids.clear();
      objects.clear();
    },
    all: () => objects.values(),
  };
};

/**
 * An object of Excel's API: the name of its class, and its part of the workbook. The classes refer to each
 * other (a range to its worksheet, a worksheet to its ranges), so they say each other's names; `kinds.ts` has them all.
 */
export type HostObject<Name extends KindName = KindName> = { readonly kind: Name; readonly target: Targets[Name] };

type Scalar<Target> = {
  get(target: Target, host: Host): unknown;
  set?(target: Target, value: unknown, host: Host): void;
};

/**
 * One class of Excel's API. Members carry the names the client sends (`getRange` travels as `GetRange`). A method
 * gives a host object, null for a null object, or a plain value.
 */
export type Kind<Target> = {
  /** In errors, where it is not the name it is known by here. */
  readonly name?: string;
  /** The id by which the collection finds the object again. */
  id?(target: Target): string | number;
  scalars?: Readonly<Record<string, Scalar<Target>>>;
  children?: Readonly<Record<string, (target: Target, host: Host) => HostObject | null>>;
  // biome-ignore lint/suspicious/noExplicitAny: each method knows what it expects and checks it.
  methods?: Readonly<Record<string, (target: Target, args: any[], host: Host) => unknown>>;
  /** Collections only. */
  items?(target: Target, host: Host): HostObject[];
  /** Collections only: what `getItem(key)` finds; undefined answers ItemNotFound. */
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

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new ExcelError('InvalidArgument');
  return value;
};
const truth = (value: unknown): boolean => {
  if (typeof value !== 'boolean') throw new ExcelError('InvalidArgument');
  return value;
};
const whole = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new ExcelError('InvalidArgument');
  return value;
};

/** Converts arguments and properties to their type; InvalidArgument otherwise. */
export const given = { text, truth, whole };

/** The members every collection has, from the way to its items. */
export const collection = <Target, Name extends KindName>(
  kind: Name,
  list: (target: Target, host: Host) => Targets[Name][],
  find: (target: Target, key: unknown, host: Host) => Targets[Name] | undefined,
): Pick<Kind<Target>, 'items' | 'item'> & {
  scalars: { Count: Scalar<Target> };
  methods: Record<
    'GetCount' | 'GetItem' | 'GetItemAt' | 'GetItemOrNullObject',
    (target: Target, args: unknown[], host: Host) => unknown
  >;
} => ({
  items: (target, host) => list(target, host).map((item) => hostObject(kind, item)),
  item: (target, key, host) => {
    const found = find(target, key, host);
    return found === undefined ? undefined : hostObject(kind, found);
  },
  scalars: { Count: { get: (target, host) => list(target, host).length } },
  methods: {
    GetCount: (target, _, host) => list(target, host).length,
    GetItem: (target, [key], host) => hostObject(kind, existing(find(target, key, host))),
    GetItemAt: (target, [index], host) => {
      const item = list(target, host)[whole(index)];
      if (item === undefined) throw new ExcelError('InvalidArgument');
      return hostObject(kind, item);
    },
    GetItemOrNullObject: (target, [key], host) => {
      const found = find(target, key, host);
      return found === undefined ? null : hostObject(kind, found);
    },
  },
});
