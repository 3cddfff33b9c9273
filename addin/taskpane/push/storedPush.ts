import { gunzipSync, gzipSync, strFromU8, strToU8 } from 'fflate';
import * as z from 'zod/mini';
import type { PushChoices } from '../../../shared/resources/push.ts';
import type { Retry } from '../../excel/batch.ts';
import { readNotes, storeNotes } from '../../excel/notes.ts';
import { parseStored } from '../../excel/storedValues.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { WorkbookProblem } from '../../excel/workbookProblem.ts';
import type { AddedQuantity, UnconfirmedWrite } from './additions.ts';
import type { SheetKind } from './sheetKind.ts';
import {
  type PushedRequest,
  pushProgress,
  type SentRow,
  type SheetPush,
  unconfirmedAfter,
  type WrittenState,
} from './sheetPush.ts';

const PROGRESS = 'Ledgerline push';
const ROWS = 'Ledgerline pushed rows';

/** The character of each state; a push stores one for every row. */
const stateCodes = { waiting: 'w', applied: 'a', refused: 'r', unknown: 'u', cancelled: 'c' } as const;
const stateByCode = new Map(Object.entries(stateCodes).map(([state, code]) => [code as string, state as WrittenState]));

const storedProgress = z.extend(pushProgress, {
  /** How often it was written. */
  version: z._default(z.number(), 0),
  states: z.string(),
  /** Packed. Missing in data of earlier versions. */
  unconfirmed: z.optional(z.string()),
});

type StoredRows = {
  idempotencyKey: string;
  /** Of an earlier version without an endpoint: `SheetKind.readStored` reads them. */
  rows: readonly (SentRow | Readonly<Record<string, unknown>>)[];
  before: [string, PushedRequest][];
  /** Missing in data of earlier versions. */
  added?: readonly AddedQuantity[];
  choices?: PushChoices;
};

/** The latest push of a sheet, if it had one. @throws WorkbookProblem */
export async function readSheetPush(
  { sheetId }: TableHandle,
  kind: SheetKind,
  retry?: Retry,
): Promise<SheetPush | undefined> {
  const [progress, rows] = await readNotes(sheetId, [PROGRESS, ROWS], retry);
  return decode(progress, rows, kind);
}

/** Parses the stored push of a sheet; undefined when another version or something else wrote it. */
function decode(
  progressText: string | undefined,
  rowsText: string | undefined,
  kind: SheetKind,
): SheetPush | undefined {
  const found = storedParts(progressText, rowsText);
  if (found === undefined) return undefined;
  const { states: codes, unconfirmed, version, ...stored } = found.progress;
  const { idempotencyKey, before, added = [], choices = {} } = found.packed;
  try {
    const rows = found.packed.rows.flatMap((row) => (isSentRow(row) ? row : (kind.readStored?.(row) ?? [])));
    const states = Array.from(codes, (code) => stateByCode.get(code) ?? 'unknown');
    const remembered = { before: new Map(before), added };
    const push = { ...stored, ...remembered, states, rows, choices, stored: { idempotencyKey, version } };
    const writes =
      unconfirmed === undefined ? unconfirmedFrom(push, kind) : (unpack(unconfirmed) as UnconfirmedWrite[]);
    return { ...push, unconfirmed: writes };
  } catch {
    return undefined;
  }
}

const isSentRow = (row: SentRow | Readonly<Record<string, unknown>>): row is SentRow => row.endpoint !== undefined;

/** The two parts of a stored push; undefined when one is missing or of another push, or something else wrote it. */
function storedParts(progressText: string | undefined, rowsText: string | undefined) {
  const progress = progressText === undefined ? undefined : parseStored(storedProgress, progressText);
  if (progress === undefined || rowsText === undefined) return undefined;
  try {
    const packed = unpack(rowsText) as StoredRows;
    const isWhole = packed.idempotencyKey === progress.idempotencyKey && packed.rows.length === progress.states.length;
    return isWhole ? { progress, packed } : undefined;
  } catch {
    return undefined;
  }
}

/** The unconfirmed writes of a push of an earlier version, which stored only its results. */
function unconfirmedFrom(
  { id, rows, states, missing }: Omit<SheetPush, 'unconfirmed'>,
  kind: SheetKind,
): UnconfirmedWrite[] {
  const missingRows = new Set(rows.map(({ key }) => key).filter((key) => missing.includes(key.trim())));
  const results = rows.map((sent, index) => ({ sent, state: states[index]! }));
  return unconfirmedAfter({ id, unconfirmed: [] }, results, missingRows, kind);
}

/**
 * Stores a whole push in its sheet.
 * @returns the push with its new stored version
 * @throws WorkbookProblem CHANGED_ELSEWHERE when another window has changed the stored push
 */
export function storeSheetPush(handle: TableHandle, push: SheetPush, retry?: Retry): Promise<SheetPush> {
  const { idempotencyKey, rows, before, added, choices } = push;
  const stored: StoredRows = { idempotencyKey, rows, before: [...before], added, choices };
  const storedNow = (note: (name: string) => string | undefined) => storedParts(note(PROGRESS), note(ROWS))?.progress;
  return store(handle, push, { [ROWS]: pack(stored) }, storedNow, retry);
}

/** Stores the progress of a push, which is small, when its rows are stored already. The same otherwise. */
export const storeProgress = (handle: TableHandle, push: SheetPush, retry?: Retry): Promise<SheetPush> =>
  store(handle, push, {}, (note) => versionIn(note(PROGRESS)), retry);

async function store(
  { sheetId }: TableHandle,
  push: SheetPush,
  notes: Readonly<Record<string, string>>,
  storedNow: (note: (name: string) => string | undefined) => SheetPush['stored'],
  retry: Retry | undefined,
): Promise<SheetPush> {
  const version = (push.stored?.version ?? 0) + 1;
  const states = push.states.map((state) => stateCodes[state]).join('');
  // The schema drops all other members, so none of them gets into a workbook.
  const progress = storedProgress.parse({ ...push, version, states, unconfirmed: pack(push.unconfirmed) });
  await storeNotes(sheetId, { ...notes, [PROGRESS]: JSON.stringify(progress) }, retry, (note) =>
    isSameVersion(storedNow(note), push.stored),
  );
  return { ...push, stored: { idempotencyKey: push.idempotencyKey, version } };
}

/** Checks that no other window changed the stored push. @throws WorkbookProblem CHANGED_ELSEWHERE */
export async function checkStored({ sheetId }: TableHandle, push: SheetPush, retry?: Retry): Promise<void> {
  const [progress] = await readNotes(sheetId, [PROGRESS], retry);
  if (!isSameVersion(versionIn(progress), push.stored)) throw new WorkbookProblem('CHANGED_ELSEWHERE');
}

const versionIn = (progress: string | undefined): SheetPush['stored'] =>
  progress === undefined ? undefined : parseStored(storedProgress, progress);

const isSameVersion = (one: SheetPush['stored'], other: SheetPush['stored']): boolean =>
  one?.idempotencyKey === other?.idempotencyKey && one?.version === other?.version;

/** JSON, compressed and in base64: ten thousand rows are about a hundred thousand characters. */
const pack = (value: unknown): string => btoa(strFromU8(gzipSync(strToU8(JSON.stringify(value))), true));
const unpack = (text: string): unknown => JSON.parse(strFromU8(gunzipSync(strToU8(atob(text), true))));
