import { ExcelError } from '../workbook/cells/error.ts';
import type { Host, HostObject, Kind } from './hostObject.ts';
import { kinds } from './kinds.ts';

/** A query of `load`. Paths use slashes or dots: `name`, `format/font/bold`, `*`. */
export type Query = { Select?: string[]; Expand?: string[]; Top?: number; Skip?: number };

type Wanted = { all: boolean; members: Map<string, Wanted> };

const nothing = (): Wanted => ({ all: false, members: new Map() });

/**
 * Names that Excel ignores: the one that Microsoft's samples load when they need only the number of items ("Work with
 * PivotTables" in the documentation of Office add-ins), and what the client knows anyway, which many add-ins load
 * (OfficeDev/office-js-docs-reference#771). Any other unknown name is an error.
 */
const ignored = /^(?:no-?properties-?needed|isNullObject)$/i;

const add = (wanted: Wanted, path: string[]): void => {
  const [first, ...rest] = path;
  if (first === undefined) return;
  if (first === '*') {
    wanted.all = true;
    return;
  }
  const key = first.toLowerCase();
  // In paths through collections the word "items" may be left out.
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
  for (const path of select) if (!ignored.test(path)) add(wanted, path.split(/[/.]/));
  for (const path of query.Expand ?? []) add(wanted, [...path.split(/[/.]/), '*']);
  if (select.length === 0) wanted.all = true;
  return wanted;
};

const byLowerCase = new WeakMap<object, Map<string, string>>();

/** The name of a member in its kind. The client's names differ in case only. */
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

/** The ids of an object, which every response includes. By them the client names the object later. */
export const identity = (object: HostObject, host: Host): Record<string, unknown> => {
  const kind = kindOf(object);
  const id = kind.id?.(object.target);
  const reference = host.references.idOf(object);
  // The client expects `Id` of classes with that property, and `_Id` of others.
  const idName = kind.scalars?.Id ? 'Id' : '_Id';
  return {
    ...(id === undefined ? {} : { [idName]: id }),
    ...(reference === undefined ? {} : { _ReferenceId: reference }),
  };
};

const propertiesOf = (
  object: HostObject,
  wanted: Wanted,
  host: Host,
  { Top: top, Skip: skip = 0 }: Query = {},
): Record<string, unknown> => {
  const kind = kindOf(object);
  const result = identity(object, host);
  if (kind.items) {
    const items = kind.items(object.target, host);
    const chosen = items.slice(skip, top === undefined ? undefined : skip + top);
    const [own, ofItems] = split(kind, wanted);
    for (const member of own) result[member] = kind.scalars![member]!.get(object.target, host);
    // `rows.load('count')` loads a number, not all the rows.
    if (own.length > 0 && !wanted.all && ofItems.members.size === 0) return result;
    result._Items = chosen.map((item, index) => ({ ...propertiesOf(item, ofItems, host), _Index: skip + index }));
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
    result[child] = related && propertiesOf(related, bare ? { all: true, members: new Map() } : inner, host);
  }
  return result;
};

/** Splits a query into members of a collection and members of its items. */
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

/** The values of a query, with the names that the client expects. */
export const runQuery = (object: HostObject, query: Query, host: Host): Record<string, unknown> =>
  propertiesOf(object, read(query), host, query);
