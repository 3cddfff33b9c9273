import { gunzipSync, gzipSync, strFromU8, strToU8 } from 'fflate';
import type { RowState } from '../../../shared/resources/push.ts';
import type { Retry } from '../../excel/batch.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import { readNotes, storeNotes } from '../../excel/notes.ts';
import { type Administration, isSameAdministration, type TableHandle } from '../../excel/tables/tableMemory.ts';
import { WorkbookProblem } from '../../excel/workbookProblem.ts';
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
};

/** The state of a row in its sheet: waiting, or one of the four final states. */
export type WrittenState = Exclude<RowState, 'sending'>;

const letters = { waiting: 'w', applied: 'a', refused: 'r', unknown: 'u', cancelled: 'c' } as const;
const stateOfLetter = new Map(Object.entries(letters).map(([state, letter]) => [letter, state as WrittenState]));

/**
 * The latest push of a sheet, stored in the sheet. It is stored before anything is sent: whatever is lost
 * after that, the same key with the same rows finds the push or begins it, and never begins a second one.
 */
export type SheetPush = {
  idempotencyKey: string;
  /** The id of the push at the service; "" until the service has responded. */
  id: string;
  administration: Administration;
  /** The moment the user confirmed it, ISO. */
  confirmedAt: string;
  rows: readonly SentRow[];
  /** The state of each row in the sheet, in the order of `rows`. */
  states: readonly WrittenState[];
  /** The cursor up to which its results were read. */
  cursor: string;
  /** Whether the user cancelled it. */
  cancelled: boolean;
  /** Why rows were not sent, from the service. */
  stopped: string;
  /** Keys of rows that were gone when their result came, or when they were to be sent, the first of them. */
  missing: readonly string[];
  /** The ids of earlier pushes of the sheet. */
  earlier: readonly string[];
  /** The values that earlier pushes to the same administration applied, by the key of the row. */
  before: ReadonlyMap<string, ProductUpdateInput>;
  /** Quantities of this and earlier pushes, to whichever administration, that may be added twice. */
  unconfirmed: readonly UnconfirmedWrite[];
  /** Quantities that earlier pushes added. */
  added: readonly AddedQuantity[];
  /**
   * The stored version that this window last read or wrote; undefined for none. Two windows must not overwrite each
   * other.
   */
  stored: { idempotencyKey: string; version: number } | undefined;
};

const PROGRESS = 'Ledgerline push';
const ROWS = 'Ledgerline pushed rows';

type Progress = Omit<SheetPush, 'rows' | 'before' | 'added' | 'states' | 'unconfirmed' | 'stored'> & {
  /** How often it was written. */
  version: number;
  states: string;
  /** Packed. Missing in data of earlier versions. */
  unconfirmed?: string;
};
type Rows = {
  idempotencyKey: string;
  rows: SentRow[];
  before: [string, ProductUpdateInput][];
  /** Missing in data of earlier versions. */
  added?: AddedQuantity[];
};

/** The latest push of a sheet, if it had one. @throws WorkbookProblem */
export async function readSheetPush({ sheetId }: TableHandle, retry?: Retry): Promise<SheetPush | undefined> {
  const [progress, rows] = await readNotes(sheetId, [PROGRESS, ROWS], retry);
  return decode(progress, rows);
}

/** Parses the stored push of a sheet; undefined when another version or something else wrote it. */
function decode(progress: string | undefined, rows: string | undefined): SheetPush | undefined {
  if (progress === undefined || rows === undefined) return undefined;
  try {
    const { states: written, unconfirmed, version = 0, ...kept } = JSON.parse(progress) as Progress;
    const sent = unpack(rows) as Rows;
    if (sent.idempotencyKey !== kept.idempotencyKey || sent.rows.length !== written.length) return undefined;
    const states = Array.from(written, (letter) => stateOfLetter.get(letter as 'w') ?? 'unknown');
    const { idempotencyKey } = kept;
    const push = {
      ...kept,
      states,
      rows: sent.rows,
      before: new Map(sent.before),
      added: sent.added ?? [],
      stored: { idempotencyKey, version },
    };
    const writes = unconfirmed === undefined ? unconfirmedFrom(push) : (unpack(unconfirmed) as UnconfirmedWrite[]);
    return { ...push, unconfirmed: writes };
  } catch {
    return undefined;
  }
}

/** The unconfirmed writes of a push of which only the results were kept. */
function unconfirmedFrom({ id, rows, states, missing }: Omit<SheetPush, 'unconfirmed'>): UnconfirmedWrite[] {
  const gone = new Set(rows.map(({ key }) => key).filter((key) => missing.includes(key.trim())));
  const results = rows.map((sent, index) => ({ sent, state: states[index]! }));
  return unconfirmedAfter({ id, unconfirmed: [] }, results, gone);
}

/**
 * Stores a whole push in its sheet.
 * @returns it, as it is stored now
 * @throws WorkbookProblem CHANGED_ELSEWHERE when another window has changed the stored push
 */
export function storeSheetPush(handle: TableHandle, push: SheetPush, retry?: Retry): Promise<SheetPush> {
  const { idempotencyKey, rows, before, added } = push;
  const kept: Rows = { idempotencyKey, rows: [...rows], before: [...before], added: [...added] };
  return store(handle, push, { [ROWS]: pack(kept) }, (note) => decode(note(PROGRESS), note(ROWS))?.stored, retry);
}

/** Stores the progress of a push, which is small; its rows are stored already. The same otherwise. */
export const storeProgress = (handle: TableHandle, push: SheetPush, retry?: Retry): Promise<SheetPush> =>
  store(handle, push, {}, (note) => storedIn(note(PROGRESS)), retry);

async function store(
  { sheetId }: TableHandle,
  push: SheetPush,
  notes: Readonly<Record<string, string>>,
  storedNow: (note: (name: string) => string | undefined) => SheetPush['stored'],
  retry: Retry | undefined,
): Promise<SheetPush> {
  const stored = { idempotencyKey: push.idempotencyKey, version: (push.stored?.version ?? 0) + 1 };
  const after = { ...push, stored };
  await storeNotes(sheetId, { ...notes, [PROGRESS]: progressText(after) }, retry, (note) =>
    isSameStored(storedNow(note), push.stored),
  );
  return after;
}

/** Checks that no other window changed the stored push. @throws WorkbookProblem CHANGED_ELSEWHERE */
export async function checkStored({ sheetId }: TableHandle, push: SheetPush, retry?: Retry): Promise<void> {
  const [progress] = await readNotes(sheetId, [PROGRESS], retry);
  if (!isSameStored(storedIn(progress), push.stored)) throw new WorkbookProblem('CHANGED_ELSEWHERE');
}

function storedIn(progress: string | undefined): SheetPush['stored'] {
  if (progress === undefined) return undefined;
  const { idempotencyKey, version = 0 } = JSON.parse(progress) as Progress;
  return { idempotencyKey, version };
}

const isSameStored = (one: SheetPush['stored'], other: SheetPush['stored']): boolean =>
  one?.idempotencyKey === other?.idempotencyKey && one?.version === other?.version;

/** Only the members named here, so that no other member of an object gets into a workbook. */
function progressText(push: SheetPush): string {
  const { idempotencyKey, id, confirmedAt, cursor, cancelled, stopped, missing, earlier } = push;
  const administration = { id: push.administration.id, label: push.administration.label };
  const states = push.states.map((state) => letters[state]).join('');
  const progress: Progress = {
    idempotencyKey,
    id,
    administration,
    confirmedAt,
    cursor,
    cancelled,
    stopped,
    missing,
    earlier,
    version: push.stored?.version ?? 0,
    states,
    unconfirmed: pack(push.unconfirmed),
  };
  return JSON.stringify(progress);
}

/** JSON, compressed and in base64: ten thousand rows are about a hundred thousand characters. */
const pack = (value: unknown): string => btoa(strFromU8(gzipSync(strToU8(JSON.stringify(value))), true));
const unpack = (text: string): unknown => JSON.parse(strFromU8(gunzipSync(strToU8(atob(text), true))));

/** The most earlier pushes that a sheet stores: more than a user begins in the days a service stores them. */
const MAX_EARLIER_PUSHES = 100;

/** A new push. @param previous the latest push of the same sheet */
export function intendedPush(
  rows: readonly SendableRow[],
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
    rows: rows.map(({ number, key, update, mode, quantity }) => ({
      row: number,
      key,
      update,
      ...(mode === 'Relative' ? { clear: quantity } : {}),
    })),
    states: rows.map(() => 'waiting'),
    cursor: '',
    cancelled: false,
    stopped: '',
    missing: [],
    earlier:
      previous === undefined ? [] : [...previous.earlier, previous.id].filter(Boolean).slice(-MAX_EARLIER_PUSHES),
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

/** A push after results were written to its sheet. @param gone the keys of missing rows */
export function withResults(push: SheetPush, ends: readonly RowEnd[], gone: ReadonlySet<string>): SheetPush {
  const states = [...push.states];
  for (const { index, state } of ends) states[index] = state;
  const results = ends.map(({ index, state }) => ({ sent: push.rows[index]!, state }));
  const told = new Set(results.map(({ sent }) => sent.key.trim()));
  const missing = missingKeys([...push.missing.filter((key) => !told.has(key)), ...gone]);
  return { ...push, states, missing, unconfirmed: unconfirmedAfter(push, results, gone) };
}

/** Whether every row has a result in the sheet. */
export const isFinished = ({ states }: SheetPush): boolean => !states.includes('waiting');

export const countOf = ({ states }: SheetPush, ...counted: readonly WrittenState[]): number =>
  states.filter((state) => counted.includes(state)).length;

/** The keys of rows that ended in one of some states. */
export const keysOf = ({ rows, states }: SheetPush, ...wanted: readonly WrittenState[]): Set<string> =>
  new Set(rows.flatMap(({ key }, index) => (wanted.includes(states[index]!) ? [key] : [])));

/**
 * What the rows of a sheet were when an administration last applied them: the key of a row -> its values, without a
 * quantity that was added, since that was emptied. A row that still says so need not be sent.
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
  const own = push.rows.flatMap(({ update, clear }, index): AddedQuantity[] => {
    if (push.states[index] !== 'applied' || clear === undefined) return [];
    return [{ names: productNames(update), quantity: textOfCell(clear), at, administration }];
  });
  return [...push.added, ...own].slice(-MAX_ADDED);
}

const withoutStock = ({ NewStockQty, StockUpdateMode, ...rest }: ProductUpdateInput): ProductUpdateInput => rest;

/** Whether an unconfirmed write is a row of this very push. */
export const isOf = ({ id }: Pick<SheetPush, 'id'>, write: UnconfirmedWrite): boolean => id !== '' && write.push === id;

/**
 * The unconfirmed writes of a sheet once results stand in it. What is applied ends those of before; the end of a row
 * that was unknown ends its own. A refusal, or not being sent, says nothing of what was sent before.
 * @param gone the keys of rows that were not there any more
 */
function unconfirmedAfter(
  push: Pick<SheetPush, 'id' | 'unconfirmed'>,
  results: readonly { sent: SentRow; state: WrittenState }[],
  gone: ReadonlySet<string>,
): UnconfirmedWrite[] {
  const applied = new Set(results.flatMap(({ sent, state }) => (state === 'applied' ? productNames(sent.update) : [])));
  const ended = new Set(results.map(({ sent }) => sent.row));
  const before = push.unconfirmed.filter(
    (write) => !write.names.some((name) => applied.has(name)) && !(isOf(push, write) && ended.has(write.row)),
  );
  const added = results.flatMap(({ sent: { row, key, update, clear }, state }): UnconfirmedWrite[] => {
    const isUnconfirmed = state === 'unknown' || (state === 'applied' && gone.has(key));
    if (clear === undefined || !isUnconfirmed) return [];
    return [{ names: productNames(update), quantity: clear, state, push: push.id, row }];
  });
  return [...before, ...added];
}
