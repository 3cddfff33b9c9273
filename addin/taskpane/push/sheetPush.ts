import * as z from 'zod/mini';
import type { PushedName } from '../../../shared/api.ts';
import type { PushChoices, RowState } from '../../../shared/resources/push.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import { type Administration, administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { type AddedQuantity, MAX_ADDED, type UnconfirmedWrite } from './additions.ts';
import type { SheetKind } from './sheetKind.ts';

/** A request of an endpoint, as a sheet makes it. */
export type PushedRequest = Readonly<Record<string, unknown>>;

/** A value whose members are in one order, whatever the order of the columns. */
export const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, inOrder(member)]),
  );
};

/** A sent row; of a document, its first one. */
export type SentRow = {
  /** Its number in the sheet when it was read, and in the push. */
  row: number;
  key: string;
  endpoint: PushedName;
  request: PushedRequest;
  /** Cells that are cleared once it was applied, if they still have these values. */
  clear?: Readonly<Record<string, Cell>>;
  /** What the sheet computed of the result. */
  expected?: Readonly<Record<string, string>>;
};

/** The state of a row in its sheet: waiting, or one of the four final states. */
export type WrittenState = Exclude<RowState, 'sending'>;

/** What earlier pushes of a sheet to an administration did, as its kind remembers it. */
export type Memory = Map<string, PushedRequest>;

/** The part of a push that is stored again with every block of results. */
export const pushProgress = z.object({
  idempotencyKey: z.string(),
  /** The id of the push at the service; "" until the service has responded. */
  id: z.string(),
  administration,
  /** The moment the user confirmed it, ISO. */
  confirmedAt: z.string(),
  /** The cursor up to which its results were read. */
  cursor: z.string(),
  /** Whether the user cancelled it. */
  cancelled: z.boolean(),
  /** Why rows were not sent, from the service. */
  stopped: z.string(),
  /** The first keys of rows that were missing when they were to be sent, or when their result came. */
  missing: z.readonly(z.array(z.string())),
  /** The ids of earlier pushes of the sheet. */
  earlier: z._default(z.readonly(z.array(z.string())), []),
});

/**
 * The latest push of a sheet, stored in the sheet. It is stored before anything is sent: whatever is lost after that,
 * the same key with the same rows finds the push or begins it, and never begins a second one.
 */
export type SheetPush = z.infer<typeof pushProgress> & {
  rows: readonly SentRow[];
  /** The state of each row in the sheet, in the order of `rows`. */
  states: readonly WrittenState[];
  /** What the user chose for all rows. */
  choices: PushChoices;
  /** What earlier pushes to the same administration did. */
  before: ReadonlyMap<string, PushedRequest>;
  /** Quantities of this and earlier pushes, to any administration, that may be added twice. */
  unconfirmed: readonly UnconfirmedWrite[];
  /** Quantities that earlier pushes added. */
  added: readonly AddedQuantity[];
  /** The stored version that this window last read or wrote. Two windows must not overwrite each other. */
  stored: { idempotencyKey: string; version: number } | undefined;
};

/** The most earlier pushes that a sheet stores: more than a user begins in the days a service stores them. */
const MAX_EARLIER_PUSHES = 100;

/** What is decided for a new push. */
type Intent = {
  rows: readonly SentRow[];
  administration: Administration;
  idempotencyKey: string;
  confirmedAt: Date;
  choices?: PushChoices;
};

/** A new push. @param previous the latest push of the same sheet */
export function intendedPush(
  { rows, administration, idempotencyKey, confirmedAt, choices = {} }: Intent,
  previous: SheetPush | undefined,
  kind: SheetKind,
): SheetPush {
  return {
    idempotencyKey,
    id: '',
    administration,
    confirmedAt: confirmedAt.toISOString(),
    rows,
    choices,
    states: rows.map(() => 'waiting'),
    cursor: '',
    cancelled: false,
    stopped: '',
    missing: [],
    earlier: [...(previous?.earlier ?? []), previous?.id ?? ''].filter(Boolean).slice(-MAX_EARLIER_PUSHES),
    before: rememberedOf(previous, administration, kind),
    unconfirmed: previous?.unconfirmed ?? [],
    added: addedQuantities(previous, kind),
    stored: previous?.stored,
  };
}

/** The first keys of missing rows, for a message. */
export const missingKeys = (keys: Iterable<string>): string[] => Array.from(keys, (key) => key.trim()).slice(0, 20);

/** The result of a row of a push, by its index. */
export type RowEnd = { index: number; state: Exclude<WrittenState, 'waiting'> };

/** A push after results were written to its sheet. @param missingNow the keys of rows that were not found */
export function withResults(
  push: SheetPush,
  ends: readonly RowEnd[],
  missingNow: ReadonlySet<string>,
  kind: SheetKind,
): SheetPush {
  const states = [...push.states];
  for (const { index, state } of ends) states[index] = state;
  const results = ends.map(({ index, state }) => ({ sent: push.rows[index]!, state }));
  const written = new Set(results.map(({ sent }) => sent.key.trim()));
  const missing = missingKeys([...push.missing.filter((key) => !written.has(key)), ...missingNow]);
  return { ...push, states, missing, unconfirmed: unconfirmedAfter(push, results, missingNow, kind) };
}

/** Whether every row has a result in the sheet. */
export const isFinished = ({ states }: SheetPush): boolean => !states.includes('waiting');

export const countOf = ({ states }: SheetPush, ...counted: readonly WrittenState[]): number =>
  states.filter((state) => counted.includes(state)).length;

/** The keys of rows that ended in one of some states. */
export const keysOf = ({ rows, states }: SheetPush, ...wanted: readonly WrittenState[]): Set<string> =>
  new Set(rows.flatMap(({ key }, index) => (wanted.includes(states[index]!) ? [key] : [])));

/** The most that a sheet remembers. */
const MAX_REMEMBERED = 20_000;

/** What a sheet remembers of its pushes to an administration. */
export function rememberedOf(
  push: SheetPush | undefined,
  administration: Administration,
  kind: SheetKind,
): ReadonlyMap<string, PushedRequest> {
  if (push === undefined || !isSameAdministration(push.administration, administration)) return new Map();
  const memory = new Map(push.before);
  push.rows.forEach((sent, index) => {
    kind.remember(memory, sent, push.states[index]!, push);
  });
  return memory.size <= MAX_REMEMBERED ? memory : new Map([...memory].slice(-MAX_REMEMBERED));
}

/** Every quantity that the pushes of a sheet are known to have added, the latest last. */
export function addedQuantities(push: SheetPush | undefined, kind: SheetKind): AddedQuantity[] {
  if (push === undefined) return [];
  const { confirmedAt: at, administration } = push;
  const latest = push.rows.flatMap((sent, index): AddedQuantity[] => {
    const quantity = kind.quantity(sent);
    if (push.states[index] !== 'applied' || quantity === undefined) return [];
    return [{ names: kind.names(sent), quantity: textOfCell(quantity), at, administration }];
  });
  return [...push.added, ...latest].slice(-MAX_ADDED);
}

/** Whether an unconfirmed write is a row of this push. */
export const isOf = ({ id }: Pick<SheetPush, 'id'>, write: UnconfirmedWrite): boolean => id !== '' && write.push === id;

/**
 * The unconfirmed writes of a sheet after results were written. An applied row confirms earlier writes to the same
 * names. A row that was unknown and has a result now is no longer unconfirmed. A row that was refused or not sent says
 * nothing about earlier writes.
 * @param missing the keys of rows that were not found
 */
export function unconfirmedAfter(
  push: Pick<SheetPush, 'id' | 'unconfirmed'>,
  results: readonly { sent: SentRow; state: WrittenState }[],
  missing: ReadonlySet<string>,
  kind: SheetKind,
): UnconfirmedWrite[] {
  const applied = new Set(results.flatMap(({ sent, state }) => (state === 'applied' ? kind.names(sent) : [])));
  const ended = new Set(results.map(({ sent }) => sent.row));
  const before = push.unconfirmed.filter(
    (write) => !write.names.some((name) => applied.has(name)) && !(isOf(push, write) && ended.has(write.row)),
  );
  const added = results.flatMap(({ sent, state }): UnconfirmedWrite[] => {
    const isUnconfirmed = state === 'unknown' || (state === 'applied' && missing.has(sent.key));
    const quantity = kind.quantity(sent);
    if (quantity === undefined || !isUnconfirmed) return [];
    return [{ names: kind.names(sent), quantity, state, push: push.id, row: sent.row }];
  });
  return [...before, ...added];
}
