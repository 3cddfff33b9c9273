import { raisedEvents } from '../events.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { Sheet } from '../workbook/sheet.ts';
import { type Host, type HostObject, hostObject, isHostObject } from './hostObject.ts';
import { identity, kindOf, memberName, type Query, runQuery } from './query.ts';

type ArgumentInfo = { Arguments?: unknown[]; ReferencedObjectPathIds?: unknown[] };

type ObjectPath = {
  Id: number;
  ObjectPathType: number;
  Name: string;
  ParentObjectPathId?: number;
  ArgumentInfo?: ArgumentInfo;
};

type Action = {
  Id: number;
  ActionType: number;
  Name: string;
  ObjectPathId: number;
  ArgumentInfo?: ArgumentInfo;
  QueryInfo?: Query;
  ObjectState?: Record<string, unknown>;
};

/** The request of Microsoft's client at each `sync`. */
export type BatchRequest = { Actions: Action[]; ObjectPaths: Record<string, ObjectPath> };

/** The expected response. After an error the results of earlier actions still count. */
export type BatchResponse = {
  Results: { ActionId: number; Value: unknown }[];
  TraceIds?: number[];
  Error?: { Code: string; Message: string; Location: string; ActionIndex: number; HttpStatusCode: number };
};

const pathTypes = { root: 1, method: 3, property: 4, indexer: 5, reference: 6, nullObject: 7 } as const;
const actionTypes = {
  instantiate: 1,
  query: 2,
  method: 3,
  setProperty: 4,
  trace: 5,
  queryAsJson: 7,
  ensureUnchanged: 8,
  update: 9,
} as const;

/** The name of a member in errors: `getRange` for `GetRange`. */
const publicName = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

/** `Worksheet.getRange`: a member of an object's class. */
const pathTo = (object: HostObject, name: string): string =>
  `${kindOf(object).name ?? object.kind}.${publicName(name)}`;

const unknownMember = (object: HostObject, name: string): ExcelError =>
  new ExcelError('ApiNotFound', `${pathTo(object, name)} is not part of this simulated workbook.`);

/** An error with the class and the member in which it happened. */
class LocatedError extends Error {
  readonly location: string;

  constructor(location: string, cause: unknown) {
    super(location, { cause });
    this.location = location;
  }
}

const located = <Value>(object: HostObject, member: string, work: () => Value): Value => {
  try {
    return work();
  } catch (error) {
    if (error instanceof LocatedError) throw error;
    throw new LocatedError(pathTo(object, member), error);
  }
};

const statusOf = (code: string): number => {
  if (code === 'ItemNotFound' || code === 'ApiNotFound') return 404;
  if (code === 'AccessDenied') return 403;
  if (code === 'ItemAlreadyExists') return 409;
  return 400;
};

const callMethod = (object: HostObject, name: string, args: unknown[], host: Host): unknown => {
  const { target } = object;
  const { methods } = kindOf(object);
  return located(object, name, () => {
    const event = /^_(?:Unr|R)egister(\w+?)Event$/.exec(name)?.[1];
    // The host sends every event that it has, so there is nothing to register.
    if (event !== undefined && raisedEvents[object.kind]?.includes(event)) return null;
    if (name === '_KeepReference') {
      host.references.add(object);
      return null;
    }
    const member = memberName(methods, name);
    if (!member) throw unknownMember(object, name);
    return methods![member]!(target, args, host);
  });
};

const setProperty = (object: HostObject, name: string, value: unknown, host: Host): void => {
  const { scalars } = kindOf(object);
  located(object, name, () => {
    const member = memberName(scalars, name);
    const setter = member === undefined ? undefined : scalars![member]!.set;
    if (!setter) throw unknownMember(object, name);
    setter(object.target, value, host);
  });
};

const childOf = (object: HostObject, name: string, host: Host): HostObject | null => {
  const { children } = kindOf(object);
  const member = memberName(children, name);
  if (!member) throw new LocatedError(pathTo(object, name), unknownMember(object, name));
  return located(object, name, () => children![member]!(object.target, host));
};

/** ItemNotFound for an object on a sheet that was deleted, also when that was earlier in the same batch. */
const assertThere = ({ target }: HostObject, { workbook }: Host): void => {
  const sheet = target instanceof Sheet ? target : (target as { sheet?: Sheet | undefined }).sheet;
  if (sheet !== undefined && !workbook.sheets.includes(sheet)) throw new ExcelError('ItemNotFound');
};

/** Resolves the object paths of a batch. Each path is resolved only once, since it may add a sheet. */
const resolver = (paths: Record<string, ObjectPath>, host: Host) => {
  const known = new Map<number, HostObject | null>();

  const argumentsOf = (info: ArgumentInfo | undefined): unknown[] => {
    const merge = (value: unknown, ids: unknown): unknown => {
      if (Array.isArray(ids)) return ids.map((id, index) => merge(Array.isArray(value) ? value[index] : undefined, id));
      return typeof ids === 'number' && ids > 0 ? resolve(ids) : value;
    };
    const { Arguments = [], ReferencedObjectPathIds } = info ?? {};
    return ReferencedObjectPathIds
      ? Arguments.map((value, index) => merge(value, ReferencedObjectPathIds[index]))
      : Arguments;
  };

  /** Objects inside of a value, such as the source of a list, are sent by the ids of their paths. */
  const withObjects = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { _ObjectPathId: id } = value as { _ObjectPathId?: unknown };
    if (typeof id === 'number') return resolve(id);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withObjects(inner)]));
  };

  const walk = (path: ObjectPath): HostObject | null => {
    if (path.ObjectPathType === pathTypes.root) return hostObject('Workbook', host.workbook);
    if (path.ObjectPathType === pathTypes.nullObject) return null;
    if (path.ObjectPathType === pathTypes.reference) {
      const retained = host.references.find(path.Name);
      if (!retained) throw new LocatedError('', new ExcelError('InvalidReference'));
      return retained;
    }
    const parent = resolve(path.ParentObjectPathId ?? 0);
    // Members of a null object are null objects, too.
    if (!parent) return null;
    if (path.ObjectPathType === pathTypes.property) return childOf(parent, path.Name, host);
    if (path.ObjectPathType === pathTypes.indexer) {
      return located(parent, 'GetItem', () => {
        const item = kindOf(parent).item?.(parent.target, argumentsOf(path.ArgumentInfo)[0], host);
        if (!item) throw new ExcelError('ItemNotFound');
        return item;
      });
    }
    if (path.ObjectPathType === pathTypes.method) {
      const result = callMethod(parent, path.Name, argumentsOf(path.ArgumentInfo), host);
      if (result === null) return null;
      if (isHostObject(result)) return result;
    }
    throw new LocatedError('', new ExcelError('ApiNotFound'));
  };

  const resolve = (id: number): HostObject | null => {
    if (!known.has(id)) {
      const path = paths[id];
      if (!path) throw new ExcelError('InvalidArgument');
      known.set(id, walk(path));
    }
    return known.get(id) ?? null;
  };

  return { resolve, argumentsOf, withObjects };
};

const update = (object: HostObject, state: Record<string, unknown>, host: Host): void => {
  for (const [name, value] of Object.entries(state)) {
    if (memberName(kindOf(object).children, name) && typeof value === 'object' && value !== null) {
      const child = childOf(object, name, host);
      if (child) update(child, value as Record<string, unknown>, host);
    } else setProperty(object, name, value, host);
  }
};

/** Executes one batch. The first error ends it; the actions before it are not taken back. */
export const executeBatch = (request: BatchRequest, host: Host): BatchResponse => {
  const response: BatchResponse = { Results: [], TraceIds: [] };
  const { resolve, argumentsOf, withObjects } = resolver(request.ObjectPaths, host);

  const perform = (action: Action): unknown => {
    if (action.ActionType === actionTypes.trace) {
      response.TraceIds!.push(action.Id);
      return null;
    }
    const object = resolve(action.ObjectPathId);
    // Actions on a null object do nothing: `getItemOrNullObject("Old").delete()` when there is no such sheet.
    if (!object) return null;
    located(object, action.Name, () => assertThere(object, host));
    switch (action.ActionType) {
      case actionTypes.instantiate:
        return identity(object, host);
      case actionTypes.query:
      case actionTypes.queryAsJson:
        host.workbook.settle();
        return located(object, 'Load', () => runQuery(object, action.QueryInfo ?? {}, host));
      case actionTypes.method: {
        const result = callMethod(object, action.Name, argumentsOf(action.ArgumentInfo), host);
        return isHostObject(result) ? identity(result, host) : result;
      }
      case actionTypes.setProperty:
        setProperty(object, action.Name, withObjects(argumentsOf(action.ArgumentInfo)[0]), host);
        return null;
      case actionTypes.update:
        update(object, action.ObjectState ?? {}, host);
        return null;
      default:
        throw new ExcelError('ApiNotFound');
    }
  };

  for (const [index, action] of request.Actions.entries()) {
    try {
      response.Results.push({ ActionId: action.Id, Value: perform(action) ?? null });
    } catch (error) {
      const cause = error instanceof LocatedError ? error.cause : error;
      // Any other error is a bug of the simulator.
      if (!(cause instanceof ExcelError)) throw cause;
      response.Error = {
        Code: cause.code,
        Message: cause.message,
        Location: error instanceof LocatedError ? error.location : '',
        ActionIndex: index,
        HttpStatusCode: statusOf(cause.code),
      };
      return response;
    }
  }
  return response;
};
