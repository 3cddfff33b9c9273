import { z } from 'zod';
import type { RowState } from '../../../shared/resources/push.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import { type Administration, administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { type AddedQuantity, MAX_ADDED } from './addedQuantities.ts';
import { productNames } from './productKey.ts';
import type { ProductUpdateInput, SendableRow } from './readProductRow.ts';
import type { UnconfirmedWrite } from './unconfirmedWrites.ts';

/** A sent row. */
export type SentRow = {
  /** Its number in the sheet when it was read, and in the push. */
  row: number;
  key: string;
  update: ProductUpdateInput;
  /** The text of its quantity cell, for a row that adds to the stock: cleared once it was added. */
  clear?: Cell;
  /** The text of its cell that says that it is a new product: cleared once that was made. */
  newProduct?: Cell;
  /** Whether its category is made if it does not exist yet. */
  makesCategory?: boolean;
};

/** The state of a row in its sheet: waiting, or one of the four final states. */
export type WrittenState = Exclude<RowState, 'sending'>;

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
  missing: z.array(z.string()).readonly(),
  /** The ids of earlier pushes of the sheet. */
  earlier: z.array(z.string()).readonly().default([]),
});

/**
 * The latest push of a sheet, stored in the sheet. It is stored before anything is sent: whatever is lost after that,
 * the same key with the same rows finds the push or begins it, and never begins a second one.
 */
export type SheetPush = z.infer<typeof pushProgress> & {
  rows: readonly SentRow[];
  /** The state of each row in the sheet, in the order of `rows`. */
  states: readonly WrittenState[];
  /** The values that earlier pushes to the same administration applied, by the key of the row. */
  before: ReadonlyMap<string, ProductUpdateInput>;
  /** Quantities of this and earlier pushes, to any administration, that may be added twice. */
  unconfirmed: readonly UnconfirmedWrite[];
  /** Quantities that earlier pushes added. */
  added: readonly AddedQuantity[];
  /** The stored version that this window last read or wrote. Two windows must not overwrite each other. */
  stored: { idempotencyKey: string; version: number } | undefined;
};

/** The most earlier pushes that a sheet stores: more than a user begins in the days a service stores them. */
const MAX_EARLIER_PUSHES = 100;

/** A new push. @param previous the latest push of the same sheet */
export function intendedPush(
  rows: readonly (SendableRow & Pick<SentRow, 'makesCategory'>)[],
  administration: Administration,
  previous: SheetPush | undefined,
  idempotencyKey: string,
  confirmedAt: Date,
): SheetPush {
  return {
    idempotencyKey,
    id: '',
    administration,
    confirmedAt: confirmedAt.toISOString(),
    rows: rows.map(({ number, key, update, mode, quantity, newProduct, makesCategory }) => ({
      row: number,
      key,
      update,
      ...(mode === 'Relative' ? { clear: quantity } : {}),
      ...(newProduct === undefined ? {} : { newProduct }),
      ...(makesCategory ? { makesCategory } : {}),
    })),
    states: rows.map(() => 'waiting'),
    cursor: '',
    cancelled: false,
    stopped: '',
    missing: [],
    earlier: [...(previous?.earlier ?? []), previous?.id ?? ''].filter(Boolean).slice(-MAX_EARLIER_PUSHES),
    before: appliedValues(previous, administration),
    unconfirmed: previous?.unconfirmed ?? [],
    added: addedQuantities(previous),
    stored: previous?.stored,
  };
}

/** The first keys of missing rows, for a message. */
export const missingKeys = (keys: Iterable<string>): string[] => Array.from(keys, (key) => key.trim()).slice(0, 20);

/** The result of a row of a push, by its index. */
export type RowEnd = { index: number; state: Exclude<WrittenState, 'waiting'> };

/** A push after results were written to its sheet. @param missingNow the keys of rows that were not found */
export function withResults(push: SheetPush, ends: readonly RowEnd[], missingNow: ReadonlySet<string>): SheetPush {
  const states = [...push.states];
  for (const { index, state } of ends) states[index] = state;
  const results = ends.map(({ index, state }) => ({ sent: push.rows[index]!, state }));
  const written = new Set(results.map(({ sent }) => sent.key.trim()));
  const missing = missingKeys([...push.missing.filter((key) => !written.has(key)), ...missingNow]);
  return { ...push, states, missing, unconfirmed: unconfirmedAfter(push, results, missingNow) };
}

/** Whether every row has a result in the sheet. */
export const isFinished = ({ states }: SheetPush): boolean => !states.includes('waiting');

export const countOf = ({ states }: SheetPush, ...counted: readonly WrittenState[]): number =>
  states.filter((state) => counted.includes(state)).length;

/** The keys of rows that ended in one of some states. */
export const keysOf = ({ rows, states }: SheetPush, ...wanted: readonly WrittenState[]): Set<string> =>
  new Set(rows.flatMap(({ key }, index) => (wanted.includes(states[index]!) ? [key] : [])));

/**
 * The values that an administration last applied, by the key of the row, without added quantities, whose cells were
 * cleared. A row that still has these values need not be sent.
 */
export function appliedValues(
  push: SheetPush | undefined,
  administration: Administration,
): ReadonlyMap<string, ProductUpdateInput> {
  if (push === undefined || !isSameAdministration(push.administration, administration)) return new Map();
  const values = new Map(push.before);
  push.rows.forEach(({ key, update, clear }, index) => {
    const state = push.states[index];
    if (state === 'applied') values.set(key, clear === undefined ? update : withoutStock(update));
    // The present state is unknown.
    else if (state === 'unknown') values.delete(key);
  });
  return values;
}

/** Every quantity that the pushes of a sheet are known to have added, the latest last. */
export function addedQuantities(push: SheetPush | undefined): AddedQuantity[] {
  if (push === undefined) return [];
  const { confirmedAt: at, administration } = push;
  const latest = push.rows.flatMap(({ update, clear }, index): AddedQuantity[] => {
    if (push.states[index] !== 'applied' || clear === undefined) return [];
    return [{ names: productNames(update), quantity: textOfCell(clear), at, administration }];
  });
  return [...push.added, ...latest].slice(-MAX_ADDED);
}

const withoutStock = ({ NewStockQty, StockUpdateMode, ...rest }: ProductUpdateInput): ProductUpdateInput => rest;

/** Whether an unconfirmed write is a row of this push. */
export const isOf = ({ id }: Pick<SheetPush, 'id'>, write: UnconfirmedWrite): boolean => id !== '' && write.push === id;

/**
 * The unconfirmed writes of a sheet after results were written. An applied row confirms earlier writes of its product. A
 * row that was unknown and has a result now is no longer unconfirmed. A row that was refused or not sent says nothing
 * about earlier writes.
 * @param missing the keys of rows that were not found
 */
export function unconfirmedAfter(
  push: Pick<SheetPush, 'id' | 'unconfirmed'>,
  results: readonly { sent: SentRow; state: WrittenState }[],
  missing: ReadonlySet<string>,
): UnconfirmedWrite[] {
  const applied = new Set(results.flatMap(({ sent, state }) => (state === 'applied' ? productNames(sent.update) : [])));
  const ended = new Set(results.map(({ sent }) => sent.row));
  const before = push.unconfirmed.filter(
    (write) => !write.names.some((name) => applied.has(name)) && !(isOf(push, write) && ended.has(write.row)),
  );
  const added = results.flatMap(({ sent: { row, key, update, clear }, state }): UnconfirmedWrite[] => {
    const isUnconfirmed = state === 'unknown' || (state === 'applied' && missing.has(key));
    if (clear === undefined || !isUnconfirmed) return [];
    return [{ names: productNames(update), quantity: clear, state, push: push.id, row }];
  });
  return [...before, ...added];
}
