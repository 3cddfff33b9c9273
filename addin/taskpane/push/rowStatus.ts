import type { FieldError } from '../../../shared/fieldErrors.ts';
import type { ProblemCode } from '../../../shared/problem.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { explainFields } from '../explainFields.ts';
import type { Messages } from '../locales/en.ts';
import { explainUnusual } from '../productSheet/unusualPrice.ts';
import { type ProductColumn, presentCells } from '../sheetColumns/productTable.ts';
import type { ProductRow } from './readProductRow.ts';
import type { RowEnd, SentRow } from './sheetPush.ts';

type Place = Pick<RowChange, 'key' | 'number'>;

/** The colour of each status. All have a contrast of at least 4.5 to the sheet. */
const colours = {
  waiting: '#616161',
  applied: '#0B6A0B',
  refused: '#A80000',
  unknown: '#8A5300',
  notSent: '#A80000',
} as const;

/** The status cells of a row. @param more further cells to write */
export const rowStatus = (
  { key, number }: Place,
  status: keyof typeof colours,
  message: string,
  messages: Messages,
  more: Partial<Record<ProductColumn, Cell>> = {},
): RowChange => ({
  key,
  ...(number === undefined ? {} : { number }),
  cells: { Status: messages.status[status], Message: message, ...more },
  colours: { Status: colours[status] },
});

export const placeOf = ({ key, row }: SentRow): Place => ({ key, number: row });

/** The status of a row that a push leaves out, if it needs one. */
export function leftOutStatus(row: ProductRow, messages: Messages): RowChange | undefined {
  const { held, repeated } = messages.rowMessage;
  if (row.kind === 'bad') return rowStatus(row, row.isUnconfirmed ? 'unknown' : 'notSent', row.message, messages);
  if (row.kind === 'repeated') return rowStatus(row, 'notSent', repeated, messages);
  if (row.kind === 'held') return rowStatus(row, 'unknown', held, messages);
  if (row.kind !== 'ready' || row.unusual.length === 0) return undefined;
  return rowStatus(row, 'notSent', messages.rowMessage.unusual(explainUnusual(row.unusual, messages)), messages);
}

/** The status of a row whose quantity was added; its cell is cleared, so that the next push does not add it again. */
export const addedStatus = (
  place: Place,
  quantity: Cell,
  messages: Messages,
  more: Partial<Record<ProductColumn, Cell>> = {},
): RowChange => ({
  ...rowStatus(place, 'applied', messages.rowMessage.appliedCleared(textOfCell(quantity)), messages, more),
  clear: { NewStockQty: quantity },
});

/**
 * The status of a row after its push.
 * @param stopped why the push did not send further rows, from the service
 */
export function resultStatus(
  sent: SentRow,
  state: RowEnd['state'],
  result: Refusal & Pick<PushRow, 'product'>,
  stopped: string,
  messages: Messages,
): RowChange {
  const place = placeOf(sent);
  const { rowMessage } = messages;
  switch (state) {
    case 'applied': {
      const { product } = result;
      // The response is of the moment of the change, however late it is read.
      const cells = product === undefined ? {} : presentCells(product, product.ChangedOn);
      const { clear, newProduct } = sent;
      const done = newProduct === undefined ? rowMessage.applied : rowMessage.made;
      const status =
        clear === undefined || newProduct !== undefined
          ? rowStatus(place, 'applied', done, messages, cells)
          : addedStatus(place, clear, messages, cells);
      if (newProduct === undefined) return status;
      // The next push of the row changes the product that is there now.
      return { ...status, clear: { NewProduct: newProduct, ...(clear === undefined ? {} : { NewStockQty: clear }) } };
    }
    case 'refused':
      return rowStatus(place, 'refused', refusalText(result, messages), messages);
    case 'unknown': {
      const text = sent.clear === undefined ? rowMessage.unknown : rowMessage.unknownRelative;
      return rowStatus(place, 'unknown', text, messages);
    }
    case 'cancelled': {
      const text = stopped === 'UNAUTHORIZED' ? rowMessage.stoppedUnauthorized : rowMessage.cancelled;
      return rowStatus(place, 'notSent', text, messages);
    }
  }
}

/** Why a row was refused, from the response. */
type Refusal = Pick<PushRow, 'errorCode' | 'errorMessage'> & { errors: readonly FieldError[] };

/** Codes with complete texts; for the others the message of the service is shown. */
const completeCodes: readonly string[] = [
  'NOT_APPLIED',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMIT',
  'INTERNAL',
  'UNAVAILABLE',
] satisfies ProblemCode[];

export function refusalText({ errorCode, errorMessage, errors }: Refusal, messages: Messages): string {
  if (errors.length > 0) return explainFields(errors, messages);
  if (completeCodes.includes(errorCode)) return messages.problems.service[errorCode as ProblemCode];
  return errorMessage === ''
    ? messages.rowMessage.notApplied
    : messages.fieldErrors.SAID_BY_SERVICE({ words: errorMessage });
}
