import { ExcelError } from '../workbook/cells/error.ts';
import type { Host, HostObject, Kind } from './hostObject.ts';
import { kinds } from './kinds.ts';

/** A query of `load`. Paths use slashes or dots: `name`, `format/font/bold`, `*`. */
export type Query = { Select?: string[]; Expand?: string[]; Top?: number; Skip?: number };

type Wanted = { all: boolean; members: Map<string, Wanted> };

const nothing = (): Wanted => ({ all: false, members: new Map() });

/**
 * What Microsoft's samples load when only the number of items or `isNullObject` matters: Excel ignores it ("Work with
 * PivotTables" in the documentation of Office add-ins). Any other unknown name is refused here, since it is a mistake.
 */
const placeholder = /^no-?properties-?needed$/i;

const add = (wanted: Wanted, path: string[]): void => {
  const [first, ...rest] = path;
  if (first === undefined) return;
  if (first === '*') {
    wanted.all = true;
    return;
  }
  const key = first.toLowerCase();
  // In paths through collections the word "items" only says what is understood.
  if (key === 'items') {
    if (rest.length === 0) wanted.all = true;
    add(wanted, rest);
    return;
  }
  let child = wanted.members.get(key);
  if (!child) {
    child = nothing();
    wanted.members.set(key, child);
  }
  add(child, rest);
};

const read = (query: Query): Wanted => {
  const wanted = nothing();
  const select = query.Select ?? [];
  for (const path of select) if (!placeholder.test(path)) add(wanted, path.split(/[/.]/));
  for (const path of query.Expand ?? []) add(wanted, [...path.split(/[/.]/), '*']);
  if (select.length === 0) wanted.all = true;
  return wanted;
};

const byLowerCase = new WeakMap<object, Map<string, string>>();

/** The name of a member as the kind spells it; the client's spelling differs in case only. */
export const memberName = (members: object | undefined, name: string): string | undefined => {
  if (!members) return undefined;
  let names = byLowerCase.get(members);
  if (!names) {
    names = new Map(Object.keys(members).map((member) => [member.toLowerCase(), member]));
    byLowerCase.set(members, names);
  }
  return names.get(name.toLowerCase());
};

/** The class of an object. */
export const kindOf = ({ kind }: HostObject): Kind<unknown> => kinds[kind] as Kind<unknown>;

/** The id that an object includes in every response, by which it is found again. */
export const identity = (object: HostObject, host: Host): Record<string, unknown> => {
  const kind = kindOf(object);
  const id = kind.id?.(object.target);
  const reference = host.references.idOf(object);
  // Classes which show their id know it from the first answer on; others keep it to themselves.
  const idName = kind.scalars?.Id ? 'Id' : '_Id';
  return {
    ...(id === undefined ? {} : { [idName]: id }),
    ...(reference === undefined ? {} : { _ReferenceId: reference }),
  };
};

const answer = (
  object: HostObject,
  wanted: Wanted,
  host: Host,
  range?: { top?: number; skip?: number },
): Record<string, unknown> => {
  const kind = kindOf(object);
  const result = identity(object, host);
  if (kind.items) {
    const items = kind.items(object.target, host);
    const skip = range?.skip ?? 0;
    const chosen = items.slice(skip, range?.top === undefined ? undefined : skip + range.top);
    const [own, ofItems] = split(kind, wanted);
    for (const member of own) result[member] = kind.scalars![member]!.get(object.target, host);
    // `rows.load('count')` asks for a number, not for all the rows.
    if (own.length > 0 && !wanted.all && ofItems.members.size === 0) return result;
    result._Items = chosen.map((item, index) => ({ ...answer(item, ofItems, host), _Index: skip + index }));
    return result;
  }
  if (wanted.all) {
    for (const [name, scalar] of Object.entries(kind.scalars ?? {})) result[name] = scalar.get(object.target, host);
  }
  for (const [key, inner] of wanted.members) {
    const scalar = memberName(kind.scalars, key);
    if (scalar) {
      result[scalar] = kind.scalars![scalar]!.get(object.target, host);
      continue;
    }
    const child = memberName(kind.children, key);
    if (!child) throw new ExcelError('ApiNotFound', `${kind.name ?? object.kind}.${key} is not available.`);
    const related = kind.children![child]!(object.target, host);
    const bare = !inner.all && inner.members.size === 0;
    result[child] = related && answer(related, bare ? { all: true, members: new Map() } : inner, host);
  }
  return result;
};

/** Splits a query into members of the collection and members of its items. */
const split = (kind: Kind<unknown>, wanted: Wanted): [string[], Wanted] => {
  const own: string[] = [];
  const members = new Map<string, Wanted>();
  for (const [key, inner] of wanted.members) {
    const name = memberName(kind.scalars, key);
    if (name) own.push(name);
    else members.set(key, inner);
  }
  if (wanted.all) own.push(...Object.keys(kind.scalars ?? {}));
  return [own, { all: wanted.all, members }];
};

/** Answers a query about an object with the values asked for, named as the client expects. */
export const answerQuery = (object: HostObject, query: Query, host: Host): Record<string, unknown> =>
  answer(object, read(query), host, {
    ...(query.Top === undefined ? {} : { top: query.Top }),
    ...(query.Skip === undefined ? {} : { skip: query.Skip }),
  });
