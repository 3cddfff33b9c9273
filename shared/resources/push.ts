import * as z from 'zod/mini';
import { type EndpointWrite, isPushedName, type PushedName, pushRulesOf } from '../api.ts';
import { type FieldError, fieldErrorOf, type Refusal, refusal } from '../fieldErrors.ts';
import { MAX_ERRORS, Problem, refuseField } from '../problem.ts';
import { type Confirmation, confirmations } from '../pushRules.ts';
import { readWrite } from '../readRequest.ts';
import * as response from '../wire/response.ts';
import { documentAmounts, madeDocument } from './madeDocument.ts';
import { product } from './product.ts';

export const MAX_PUSH_ROWS = 10_000;

/**
 * The states of a row: not sent yet; sent, without a response yet; applied; not applied, with a reason; possibly
 * applied, the outcome is unknown; never sent.
 */
export const rowStates = ['waiting', 'sending', 'applied', 'refused', 'unknown', 'cancelled'] as const;
export type RowState = (typeof rowStates)[number];

/** The states of a push. `ended`: no row waits or is being sent. */
const pushStates = ['waiting', 'running', 'cancelling', 'ended'] as const;

const counts = () =>
  Object.fromEntries(rowStates.map((state) => [state, response.integer()])) as Record<
    RowState,
    ReturnType<typeof response.integer>
  >;

/** What the applied rows of an endpoint made. An amount is null when one of them has none. */
const pushSum = response.record(() => ({
  endpoint: response.text(),
  rows: response.integer(),
  ...documentAmounts(),
}));

/** The response of a push. Moments are UNIX seconds. */
export const push = response.record(() => ({
  id: response.text(),
  /**
   * Who began it: the user name in lower case, and the label of the key, "" of a remote administration. Left out of a
   * push of an earlier version.
   */
  by: z.optional(response.record(() => ({ username: response.text(), label: response.text() }))),
  state: response.choice(...pushStates),
  total: response.integer(),
  /** The number of rows that add to a stock and must not be applied twice. */
  relative: response.integer(),
  counts: response.part(response.record(counts)),
  createdOn: response.long(),
  startedOn: response.long(),
  endedOn: response.long(),
  /** The recent number of rows a minute; null while it is unknown. */
  perMinute: response.decimal(),
  /** The estimated end at that pace. */
  expectedEnd: response.long(),
  /** Why rows were not sent: `CANCELLED`, or the code of the refusal that stopped the push; "" otherwise. */
  stopped: response.text(),
  sums: response.list(pushSum),
}));
export type Push = z.output<typeof push>;

/** What became of a row. */
const outcome = () => ({
  state: response.choice(...rowStates),
  errorCode: response.text(),
  errorMessage: response.text(),
  /** The errors in the fields of a refused row. */
  errors: response.fieldErrors(),
});

export const pushRow = response.record(() => ({
  /** The row number of the caller. */
  row: response.integer(),
  ...outcome(),
  /** What an applied row made or changed. */
  product: z.optional(product),
  document: z.optional(madeDocument),
}));
export type PushRow = z.output<typeof pushRow>;

export const pushResponse = response.record(() => ({ push }));
/** A page of pushes, the latest first, with the next cursor. `more`: there are further pages. */
export const pushList = response.record(() => ({
  pushes: response.list(push),
  cursor: response.text(),
  more: response.boolean(),
}));
export type PushPage = z.output<typeof pushList>;
/** A push with the rows that changed since a cursor, and the next cursor. `more`: further changes are available. */
export const pushChanges = response.record(() => ({
  push,
  rows: response.list(pushRow),
  cursor: response.text(),
  more: response.boolean(),
}));
export type PushChanges = z.output<typeof pushChanges>;

/** A row as it was pushed, and what became of it so far. */
export const sentRow = response.record(() => ({
  row: response.integer(),
  /** The endpoint that it was pushed for, and the request of that. */
  endpoint: response.text(),
  request: z.record(z.string(), z.unknown()),
  /**
   * Of an applied update of a product: the values of what it set, changed or not, as they were before, by the names of
   * their fields in the request. Left out where that is not recorded; a row of another endpoint changed nothing that was
   * there.
   */
  before: z.optional(z.record(z.string(), z.string())),
  ...outcome(),
}));
export type SentRow = z.output<typeof sentRow>;

/** Some rows of a push in the order in which they were pushed, and the next cursor. `more`: there are further rows. */
export const pushRows = response.record(() => ({
  push,
  rows: response.list(sentRow),
  cursor: response.text(),
  more: response.boolean(),
}));
export type PushRows = z.output<typeof pushRows>;

/** A pushed row: the write of an endpoint. */
export type PushedWrite = { row: number } & EndpointWrite;

/** A row in a request: `update` is a body of updateproduct, `addition` of addproduct, `request` of any endpoint. */
export type PushedRowInput =
  | { row: number; update: object }
  | { row: number; addition: object }
  | { row: number; endpoint: PushedName; request: object };

/** What the sender of a push chooses for all its rows. */
export type PushChoices = {
  /** false: documents need not go one after the other. */
  inOrder?: boolean;
  /** Whether documents without a reference get one of ours, by which a lost one is found. */
  references?: boolean;
  /** How many rows do what cannot be taken back. */
  confirmed?: { [One in Confirmation]?: number };
};

/** A push as it is read. */
export type ReadPush = {
  writes: PushedWrite[];
  /** Whether documents go one after the other where they are numbered elsewhere; speed is chosen with `false`. */
  inOrder: boolean;
  /** Whether documents without a reference get one. */
  references: boolean;
};

/** Earlier names of a row's request, and the endpoints that they stand for. */
export const earlierForms: Readonly<Record<string, PushedName>> = { update: 'updateproduct', addition: 'addproduct' };

/** The most errors that are shown for one row. */
const MAX_ROW_ERRORS = 5;

/**
 * Reads all rows of a push in steps of a row, so that a server can handle other requests between them.
 * @param body `{ rows: [{ row, endpoint, request }, { row, update }, { row, addition }] }` as `parseJson` gives it
 * @param taken the writes that the administration knows
 * @throws Problem INVALID_REQUEST with one error per row: its number, the field and what was expected
 */
export function* readPushInSteps(body: unknown, taken: readonly PushedName[]): Generator<void, ReadPush> {
  const { rows, inOrder = true, references = false, confirmed } = Object(body) as Record<string, unknown>;
  if (!Array.isArray(rows)) throw refuseField('rows', 'NOT_ROWS');
  if (rows.length === 0) throw refuseField('rows', 'NO_ROWS');
  if (rows.length > MAX_PUSH_ROWS) {
    throw refuseField('rows', 'TOO_MANY_ROWS', { max: MAX_PUSH_ROWS, count: rows.length });
  }
  if (typeof inOrder !== 'boolean') throw refuseField('inOrder', 'REQUIRED_BOOLEAN');
  if (typeof references !== 'boolean') throw refuseField('references', 'REQUIRED_BOOLEAN');
  const errors = new Map<number, FieldError>();
  const wrong = (index: number, field: string, reason: Refusal) => {
    if (!errors.has(index)) errors.set(index, fieldErrorOf(`rows[${index}]${field}`, reason));
  };

  const numbers = new Map<number, number>();
  const readRow = (input: unknown, index: number): PushedWrite | undefined => {
    const { row } = Object(input) as Record<string, unknown>;
    if (!Number.isSafeInteger(row) || Number(row) < 0) {
      wrong(index, '.row', refusal('NO_ROW_NUMBER'));
      return undefined;
    }
    const number = Number(row);
    const twice = numbers.get(number);
    if (twice !== undefined) wrong(index, '.row', refusal('ROW_NUMBER_TWICE', { row: number, index: twice }));
    numbers.set(number, index);
    const form = formOf(input as Record<string, unknown>);
    if (form === undefined) {
      wrong(index, '', refusal('NOT_ONE_REQUEST', { row: number }));
      return undefined;
    }
    const { endpoint, member, request } = form;
    if (typeof endpoint !== 'string' || !isPushedName(endpoint) || !taken.includes(endpoint)) {
      wrong(index, '.endpoint', refusal('NOT_PUSHED', { row: number, endpoints: taken }));
      return undefined;
    }
    try {
      return { row: number, name: endpoint, request: readWrite(endpoint, request).request } as PushedWrite;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      const [first] = problem.errors;
      const field = first === undefined || first.path === '' ? `.${member}` : `.${member}.${first.path}`;
      const errors = problem.errors.slice(0, MAX_ROW_ERRORS).map((error) => ({ ...error, path: error.path || member }));
      wrong(index, field, refusal('ROW_REFUSED', { row: number, errors }));
      return undefined;
    }
  };

  const writes: (PushedWrite | undefined)[] = [];
  for (const [index, row] of rows.entries()) {
    writes.push(readRow(row, index));
    if (errors.size === MAX_ERRORS) break;
    yield;
  }

  for (const [index, reason] of yield* duplicatesInSteps(writes)) {
    if (errors.size < MAX_ERRORS) wrong(index, '', reason);
  }
  if (errors.size > 0) throw refuseRows([...errors].sort(([a], [b]) => a - b).map(([, error]) => error));
  requireConfirmed(writes as PushedWrite[], Object(confirmed));
  return { writes: writes as PushedWrite[], inOrder, references };
}

/** The endpoint of a row, its request and the member that has it; undefined when it has none, or several. */
function formOf(row: Record<string, unknown>): { endpoint: unknown; member: string; request: unknown } | undefined {
  const members = ['request', ...Object.keys(earlierForms)].filter((member) => row[member] !== undefined);
  const [member] = members;
  if (member === undefined || members.length > 1) return undefined;
  return { endpoint: earlierForms[member] ?? row.endpoint, member, request: row[member] };
}

/**
 * Refuses a push that will do what cannot be taken back, unless its sender says how often.
 * @throws Problem INVALID_REQUEST with the numbers of such rows
 */
function requireConfirmed(writes: readonly PushedWrite[], confirmed: Readonly<Record<string, unknown>>): void {
  const counts = Object.fromEntries(confirmations.map((one) => [one, 0])) as Record<Confirmation, number>;
  for (const { name, request } of writes) {
    for (const one of pushRulesOf(name).confirmations?.(request) ?? []) counts[one]++;
  }
  if (confirmations.some((one) => counts[one] > 0 && confirmed[one] !== counts[one])) {
    throw refuseField('confirmed', 'NOT_CONFIRMED', counts);
  }
}

/** The most other rows that an error names. */
const MAX_NAMED = 5;

/** What some rows have in common: a value of a field that no two rows may share. */
type Shared = { code: SharedCode; field: string; value: string; rows: { index: number; row: number }[] };
type SharedCode = 'PRODUCT_TWICE' | 'INVOICE_NUMBER_TWICE';

/** Refusals of rows that share what they may not: the order of two such rows is undefined, or the second one fails. */
function* duplicatesInSteps(writes: readonly (PushedWrite | undefined)[]): Generator<void, Map<number, Refusal>> {
  const named = new Map<string, Shared>();
  for (const [index, write] of writes.entries()) {
    if (write === undefined) continue;
    const request: Readonly<Record<string, unknown>> = write.request;
    for (const [field, code] of Object.entries(pushRulesOf(write.name).sole)) {
      if (request[field] === undefined) continue;
      const value = String(request[field]);
      const key = `${code} ${field} ${value}`;
      const shared = named.get(key);
      if (shared === undefined) named.set(key, { code: code!, field, value, rows: [{ index, row: write.row }] });
      else shared.rows.push({ index, row: write.row });
    }
    yield;
  }
  const found = new Map<number, Refusal>();
  for (const { code, field, value, rows } of named.values()) {
    if (rows.length < 2) continue;
    const firstRows = rows.slice(0, MAX_NAMED + 1);
    for (const { index, row } of rows) {
      if (found.has(index)) continue;
      const others = firstRows.filter((one) => one.index !== index).map((one) => String(one.row));
      found.set(index, refusal(code, { row, field, value, rows: others.slice(0, MAX_NAMED) }));
      yield;
    }
  }
  return found;
}

/** A push refused for its rows. @param errors at least one */
const refuseRows = (errors: readonly FieldError[]): Problem => {
  const [first] = errors as [FieldError];
  const atLeast = errors.length === MAX_ERRORS ? 'at least ' : '';
  const more = errors.length > 1 ? ` And ${atLeast}${errors.length - 1} more.` : '';
  return new Problem('INVALID_REQUEST', `${first.path}: ${first.message}.${more}`, { errors });
};
