import type { ProblemCode } from '../../../shared/problem.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { explainFields } from '../explainFields.ts';
import type { Messages } from '../locales/en.ts';
import { answerCells, type ProductColumn } from '../tables/productTable.ts';
import type { ProductRow } from './readProductRow.ts';
import type { SentRow, WrittenState } from './sheetPush.ts';

type Place = { key: string; number: number };
type Words = { messages: Messages };

/** Colours of a status, beside its word. All have a contrast of at least 4.5 to the sheet. */
const colours = {
  waiting: '#616161',
  applied: '#0B6A0B',
  refused: '#A80000',
  unknown: '#8A5300',
  notSent: '#A80000',
} as const;

const changeFor = (
  { key, number }: Place,
  status: keyof typeof colours,
  message: string,
  { messages }: Words,
  more: Partial<Record<ProductColumn, Cell>> = {},
): RowChange => ({
  key,
  number,
  cells: { Status: messages.status[status], Message: message, ...more },
  colours: { Status: colours[status] },
});

const placeOf = ({ key, row }: SentRow): Place => ({ key, number: row });

/** The status of a row that waits or was sent, before its result. */
export const waitingMark = (row: ProductRow, words: Words): RowChange => changeFor(row, 'waiting', '', words);

/** The status of a row that a push leaves out, if it needs one. */
export function leftOutMark(row: ProductRow, words: Words): RowChange | undefined {
  if (row.kind === 'bad') return changeFor(row, row.isUnconfirmed ? 'unknown' : 'notSent', row.message, words);
  if (row.kind === 'repeated') return changeFor(row, 'notSent', words.messages.rowMessage.repeated, words);
  return row.kind === 'held' ? changeFor(row, 'unknown', words.messages.rowMessage.held, words) : undefined;
}

/** The status of a row that was not sent but may have been applied before. */
export const heldMark = (sent: SentRow, words: Words): RowChange =>
  changeFor(placeOf(sent), 'unknown', words.messages.rowMessage.held, words);

/** The status of a row whose quantity was found to be added. @param quantity what its cell holds */
export const addedMark = (
  place: Place,
  quantity: Cell,
  words: Words,
  more: Partial<Record<ProductColumn, Cell>> = {},
): RowChange => ({
  ...changeFor(place, 'applied', words.messages.rowMessage.appliedCleared(textOfCell(quantity)), words, more),
  clear: { NewStockQty: quantity },
});

/** The status of a refused row. */
export const refusedMark = (place: Place, answer: Refusal, words: Words): RowChange =>
  changeFor(place, 'refused', refusal(answer, words), words);

/** The status of a row that was not sent, with the reason. */
export const notSentMark = (sent: SentRow, message: string, words: Words): RowChange =>
  changeFor(placeOf(sent), 'notSent', message, words);

/**
 * The cells of a row after its push.
 * @param stopped why the push left rows unsent, as the service says it
 */
export function resultMark(
  sent: SentRow,
  state: Exclude<WrittenState, 'waiting'>,
  answer: Refusal & Pick<PushRow, 'product'>,
  stopped: string,
  words: Words,
): RowChange {
  const place = placeOf(sent);
  const { rowMessage } = words.messages;
  const isRelative = sent.clear !== undefined;
  switch (state) {
    case 'applied': {
      const cells = answer.product === undefined ? {} : answerCells(answer.product);
      if (sent.clear === undefined) return changeFor(place, 'applied', rowMessage.applied, words, cells);
      // A quantity that was added must not be added by the next push too.
      return addedMark(place, sent.clear, words, cells);
    }
    case 'refused':
      return refusedMark(place, answer, words);
    case 'unknown':
      return changeFor(place, 'unknown', isRelative ? rowMessage.unknownRelative : rowMessage.unknown, words);
    case 'cancelled': {
      const isRefused = stopped === 'UNAUTHORIZED';
      return changeFor(place, 'notSent', isRefused ? rowMessage.stoppedUnauthorized : rowMessage.cancelled, words);
    }
  }
}

/** Why a row was refused, from the response. */
export type Refusal = Pick<PushRow, 'errorCode' | 'errorMessage' | 'errors'>;

/** Codes with complete texts; for the others the message of the service is added. */
const sayAll: readonly string[] = [
  'NOT_APPLIED',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMIT',
  'INTERNAL',
  'UNAVAILABLE',
] satisfies ProblemCode[];

function refusal({ errorCode, errorMessage, errors }: Refusal, { messages }: Words): string {
  if (errors.length > 0) return explainFields(errors, messages);
  if (sayAll.includes(errorCode)) return messages.problems.service[errorCode as ProblemCode];
  return errorMessage === ''
    ? messages.rowMessage.notApplied
    : messages.fieldErrors.SAID_BY_SERVICE({ words: errorMessage });
}
