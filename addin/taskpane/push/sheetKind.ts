import type { PushRow } from '../../../shared/resources/push.ts';
import type { Cell } from '../../excel/cell.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import type { Messages } from '../locales/en.ts';
import type { Memory, SentRow, SheetPush, WrittenState } from './sheetPush.ts';
import type { PushContext } from './writeResults.ts';

/** What the service returned for a row. */
export type RowResult = Pick<PushRow, 'errorCode' | 'errorMessage' | 'errors' | 'product' | 'document'>;

/** What a row gets beside its status once it was applied. */
type AppliedRow = Pick<RowChange, 'cells' | 'clear'> & { message: string };

/**
 * What pushes know about the rows of a kind of sheet. Each kind declares it beside its columns, so that the code that
 * sends, follows and resumes a push knows no kind by name.
 */
export type SheetKind = {
  /** The names of what a sent row changes: what was added to one of them may be in doubt. */
  names: (sent: SentRow) => readonly string[];
  /** The text of the cell with what a row adds; undefined for a row that adds nothing. */
  quantity: (sent: SentRow) => Cell | undefined;
  applied: (sent: SentRow, result: RowResult, messages: Messages) => AppliedRow;
  /** The message of a row whose outcome is unknown. */
  unknown: (sent: SentRow, result: RowResult, messages: Messages) => string;
  /** Messages of rows whose result is known by its state only; `held`: held back, since an earlier outcome is unknown. */
  texts: (messages: Messages) => Readonly<Record<'applied' | 'unknown' | 'held', string>>;
  /** Remembers an outcome, so that the row is not sent again unasked. */
  remember: (memory: Memory, sent: SentRow, state: WrittenState, push: SheetPush) => void;
  /** The result columns that every row with the key of a result shows, not only the first. */
  repeated: readonly string[];
  /** The beginnings and ends of messages about other rows, in every language: they may outlast those rows. */
  messagesOfOthers: readonly (readonly [start: string, end: string])[];
  /**
   * Updates the sheet for outcomes that are known now. @param outcomes of unconfirmed writes of earlier pushes, by the
   * id of their push and their row
   */
  settle: (
    context: PushContext,
    push: SheetPush,
    outcomes: (push: string, row: number) => PushRow | undefined,
  ) => Promise<SheetPush>;
  /** A row as an earlier version stored it; left out by kinds that it did not have. */
  readStored?: (stored: Readonly<Record<string, unknown>>) => SentRow;
};
