import type { FieldError } from '../../../shared/fieldErrors.ts';
import type { ProblemCode } from '../../../shared/problem.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import type { Cell } from '../../excel/cell.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { explainFields } from '../explainFields.ts';
import type { Messages } from '../locales/en.ts';
import type { RowResult } from './sheetKind.ts';
import type { RowEnd, SentRow } from './sheetPush.ts';
import type { PushContext } from './writeResults.ts';

export type RowPlace = Pick<RowChange, 'key' | 'number'>;

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
  { key, number }: RowPlace,
  status: keyof typeof colours,
  message: string,
  messages: Messages,
  more: Readonly<Record<string, Cell>> = {},
): RowChange => ({
  key,
  ...(number === undefined ? {} : { number }),
  cells: { Status: messages.status[status], Message: message, ...more },
  colours: { Status: colours[status] },
});

export const placeOf = ({ key, row }: SentRow): RowPlace => ({ key, number: row });

/**
 * The status of a row after its push.
 * @param stopped why the push did not send further rows, from the service
 */
export function resultStatus(
  sent: SentRow,
  state: RowEnd['state'],
  result: RowResult,
  stopped: string,
  { kind, messages }: Pick<PushContext, 'kind' | 'messages'>,
): RowChange {
  const place = placeOf(sent);
  const { rowMessage } = messages;
  switch (state) {
    case 'applied': {
      const { message, cells, clear } = kind.applied(sent, result, messages);
      return { ...rowStatus(place, 'applied', message, messages, cells), ...(clear === undefined ? {} : { clear }) };
    }
    case 'refused':
      return rowStatus(place, 'refused', refusalText(result, messages), messages);
    case 'unknown':
      return rowStatus(place, 'unknown', kind.unknown(sent, result, messages), messages);
    case 'cancelled': {
      const text = credentialRefusal(stopped, messages) ?? rowMessage.cancelled;
      return rowStatus(place, 'notSent', text, messages);
    }
  }
}

/** Why a credential sends no rows, by the code of its refusal; undefined for other codes. */
export const credentialRefusal = (code: string, { rowMessage }: Messages): string | undefined =>
  new Map([
    ['UNAUTHORIZED', rowMessage.stoppedUnauthorized],
    ['FORBIDDEN', rowMessage.stoppedForbidden],
  ]).get(code);

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
