import { type FieldError, fieldError, fieldErrorOf } from '../../../../shared/fieldErrors.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import { chooseTaxCode } from '../ledger/taxCodes.ts';
import type { Row } from '../sql/schema.ts';
import { amountOf, type KnownLine } from './articleLines.ts';
import { type AmountLine, refusedDiscount } from './documentTotals.ts';

/** A line of a bookkeeping document, as a request gives it: of one thing at a total, unless it says more. */
type BookkeepingLineInput = Parameters<typeof amountOf>[0] & {
  TaxPc?: string | undefined;
  TaxCode?: string | undefined;
};

/**
 * The tax code of each line, and what it costs; of one that is refused, nothing.
 * @param path the request's name for the list, for the errors
 * @param known of each line of a document from elsewhere
 */
export function bookkeepingLines(
  { side, taxCodes }: { side: TaxType; taxCodes: readonly Row<'tax_code'>[] },
  given: readonly BookkeepingLineInput[],
  path: string,
  known?: readonly KnownLine[],
): { lines: { taxCodeId: bigint | null; amount: AmountLine | null }[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const lines = given.map((line, index) => {
    const at = `${path}[${index}]`;
    const chosen = chooseTaxCode(
      taxCodes,
      side,
      { code: line.TaxCode, percentage: line.TaxPc },
      { code: `${at}.TaxCode`, percentage: `${at}.TaxPc` },
    );
    if (chosen === undefined || 'path' in chosen) {
      errors.push(chosen ?? fieldError(`${at}.TaxPc`, 'REQUIRED_TAX'));
      return { taxCodeId: null, amount: null };
    }
    const amount = amountOf(line, chosen, undefined, known?.[index]);
    const discountRefusal = known === undefined ? refusedDiscount(amount) : undefined;
    if (discountRefusal !== undefined) errors.push(fieldErrorOf(`${at}.DiscountAmountInclTax`, discountRefusal));
    return { taxCodeId: chosen.id, amount };
  });
  return { lines, errors };
}
