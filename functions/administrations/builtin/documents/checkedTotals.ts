import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { refuseField } from '../../../../shared/problem.ts';
import type { Cents, Fine } from '../sql/schema.ts';
import { throwAll } from './articleLines.ts';
import { type AmountLine, type DocumentTotals, documentTotals, type LineTotals } from './documentTotals.ts';

/** Amounts go out as JSON numbers: up to so many cents a float, which is what most clients read them as, holds each one. */
const MOST_CENTS = 10n ** 15n - 1n;
/** Prices per unit and percentages have as many digits as a request may give; past 64 bits a database has no place for them. */
const MOST_FINE = 10n ** 18n - 1n;

/**
 * What a document adds up to.
 * @param lines one for each line of the request; null for text
 * @param path the request's name for the lines, for the errors
 * @throws Problem INVALID_REQUEST when an amount is larger than can be kept exactly
 */
export function checkedTotals(lines: readonly (AmountLine | null)[], discount: Fine, path: string): DocumentTotals {
  const places = lines.flatMap((line, index) => (line === null ? [] : [index]));
  const totals = documentTotals(
    lines.filter((line) => line !== null),
    discount,
  );
  throwAll(
    totals.lines.flatMap((line, index): FieldError[] =>
      fits(line) ? [] : [fieldError(`${path}[${places[index]}]`, 'AMOUNTS_TOO_LARGE')],
    ),
  );
  if ([totals.excl, totals.tax, totals.incl].every(fitsCents)) return totals;
  throw refuseField(path, 'TOTAL_TOO_LARGE');
}

const fitsCents = (amount: Cents): boolean => amount <= MOST_CENTS && amount >= -MOST_CENTS;
const fitsFine = (value: Fine): boolean => value <= MOST_FINE && value >= -MOST_FINE;

const fits = ({ unitPriceExcl, discountPercentage, ...amounts }: LineTotals): boolean =>
  fitsFine(unitPriceExcl) && fitsFine(discountPercentage) && Object.values(amounts).every(fitsCents);
