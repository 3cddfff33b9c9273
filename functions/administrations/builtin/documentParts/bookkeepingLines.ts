import { refusedDiscount } from '../../../../shared/documentTotals.ts';
import { type FieldError, fieldError, fieldErrorOf } from '../../../../shared/fieldErrors.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import { chooseTaxCode, lineTax } from '../ledger/taxCodes.ts';
import type { Row } from '../sql/schema.ts';
import { type ArticleLine, amountOf, type KnownLine, noArticle } from './articleLines.ts';

/** A line of a bookkeeping document, from a request: the default quantity is one. */
type BookkeepingLineInput = Parameters<typeof amountOf>[0] & {
  TaxPc?: string | undefined;
  TaxCode?: string | undefined;
  Description?: string | undefined;
};

/**
 * Lines with their tax codes and amounts; a refused line has neither.
 * @param path of the list in the request, for the errors
 * @param known values of each imported line
 */
export function bookkeepingLines(
  { side, taxCodes }: { side: TaxType; taxCodes: readonly Row<'tax_code'>[] },
  inputs: readonly BookkeepingLineInput[],
  path: string,
  known?: readonly KnownLine[],
): { lines: ArticleLine[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const lines = inputs.map((line, index): ArticleLine => {
    const nothing = { ...noArticle, description: line.Description ?? '' };
    const at = `${path}[${index}]`;
    const chosen = chooseTaxCode(taxCodes, side, line, lineTax, `${at}.`);
    const taxCode = chosen.kind === 'found' ? chosen.value : undefined;
    if (taxCode === undefined) {
      errors.push(chosen.kind === 'refused' ? chosen.reason : fieldError(`${at}.TaxPc`, 'REQUIRED_TAX'));
      return nothing;
    }
    const amount = amountOf(line, taxCode, undefined, known?.[index]);
    const discountRefusal = known === undefined ? refusedDiscount(amount) : undefined;
    if (discountRefusal !== undefined) errors.push(fieldErrorOf(`${at}.DiscountAmountInclTax`, discountRefusal));
    return { ...nothing, taxCodeId: taxCode.id, amount };
  });
  return { lines, errors };
}
