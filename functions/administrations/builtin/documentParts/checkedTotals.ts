import {
  type AmountLine,
  type DocumentTotals,
  documentTotals,
  type LineTotals,
} from '../../../../shared/documentTotals.ts';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import type { Cents, Decimal8 } from '../sql/schema.ts';
import type { Refuse } from './references.ts';

/** Amounts are sent as JSON numbers: up to so many cents, a float, which most clients use, holds every one exactly. */
const MAX_CENTS = 10n ** 15n - 1n;
/** Prices per unit and percentages may have as many digits as a request allows; a database stores 64 bits. */
const MAX_DECIMAL8 = 10n ** 18n - 1n;

/**
 * The totals of a document. Refuses amounts that are too large to be stored exactly.
 * @param lines one for each line of the request; null for text
 * @param path of the lines in the request, for the errors
 * @returns totals of each line, null for text; undefined when they are refused
 */
export function checkedTotals(
  lines: readonly (AmountLine | null)[],
  discount: Decimal8,
  path: string,
  refuse: Refuse,
): DocumentTotals<LineTotals | null> | undefined {
  const amounts = lines.filter((line) => line !== null);
  const totals = documentTotals(amounts, discount);
  const next = totals.lines.values();
  const ofLines = lines.map((line) => (line === null ? null : next.next().value!));
  const errors = ofLines.flatMap((line, index) =>
    line === null || fits(line) ? [] : [fieldError(`${path}[${index}]`, 'AMOUNTS_TOO_LARGE')],
  );
  if (errors.length === 0 && ![totals.excl, totals.tax, totals.incl].every(fitsCents)) {
    errors.push(fieldError(path, 'TOTAL_TOO_LARGE'));
  }
  refuse(errors);
  return errors.length === 0 ? { ...totals, lines: ofLines } : undefined;
}

const fitsCents = (amount: Cents): boolean => amount <= MAX_CENTS && amount >= -MAX_CENTS;
const fitsDecimal8 = (value: Decimal8): boolean => value <= MAX_DECIMAL8 && value >= -MAX_DECIMAL8;

const fits = ({ unitPriceExcl, discountPercentage, ...amounts }: LineTotals): boolean =>
  fitsDecimal8(unitPriceExcl) && fitsDecimal8(discountPercentage) && Object.values(amounts).every(fitsCents);
