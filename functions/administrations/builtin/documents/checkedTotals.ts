import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import type { Cents, Decimal8 } from '../sql/schema.ts';
import { type AmountLine, type DocumentTotals, documentTotals, type LineTotals } from './documentTotals.ts';

/** Amounts are sent as JSON numbers: up to so many cents, a float, which most clients use, holds every one exactly. */
const MAX_CENTS = 10n ** 15n - 1n;
/** Prices per unit and percentages may have as many digits as a request allows; a database stores 64 bits. */
const MAX_DECIMAL8 = 10n ** 18n - 1n;

/**
 * The totals of a document. Refuses amounts that are too large to be stored exactly.
 * @param lines one for each line of the request; null for text
 * @param path the request's name for the lines, for the errors
 */
export function checkedTotals(
  lines: readonly (AmountLine | null)[],
  discount: Decimal8,
  path: string,
): { totals: DocumentTotals; errors: FieldError[] } {
  const places = lines.flatMap((line, index) => (line === null ? [] : [index]));
  const totals = documentTotals(
    lines.filter((line) => line !== null),
    discount,
  );
  const errors = totals.lines.flatMap((line, index) =>
    fits(line) ? [] : [fieldError(`${path}[${places[index]}]`, 'AMOUNTS_TOO_LARGE')],
  );
  const isTooLarge = errors.length === 0 && ![totals.excl, totals.tax, totals.incl].every(fitsCents);
  return { totals, errors: isTooLarge ? [fieldError(path, 'TOTAL_TOO_LARGE')] : errors };
}

const fitsCents = (amount: Cents): boolean => amount <= MAX_CENTS && amount >= -MAX_CENTS;
const fitsDecimal8 = (value: Decimal8): boolean => value <= MAX_DECIMAL8 && value >= -MAX_DECIMAL8;

const fits = ({ unitPriceExcl, discountPercentage, ...amounts }: LineTotals): boolean =>
  fitsDecimal8(unitPriceExcl) && fitsDecimal8(discountPercentage) && Object.values(amounts).every(fitsCents);
