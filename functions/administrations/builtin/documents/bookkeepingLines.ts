import type { z } from 'zod';
import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { FINE_SCALE, MONEY_SCALE, units } from '../../../../shared/money.ts';
import type { bookkeepingLineFields } from '../../../../shared/resources/document.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import { costCenters, ledgerAccounts } from '../ledger/ledgerAccounts.ts';
import { chooseTaxCode, taxCodesOf } from '../ledger/taxCodes.ts';
import type { Row } from '../sql/schema.ts';
import type { Scope } from '../sql/scope.ts';
import { throwAll } from './articleLines.ts';
import type { AmountLine } from './documentTotals.ts';

type BookkeepingLineGiven = z.output<z.ZodObject<typeof bookkeepingLineFields>>;

/** A line of a bookkeeping document with what it refers to. */
export type BookkeepingLine<Given> = { given: Given; taxCode: Row<'tax_code'>; account: string; costCenter: string };

/**
 * Finds what lines refer to.
 * @param path the request's name for the list, for the errors
 * @throws Problem INVALID_REQUEST with one error for each thing that is not there
 */
export async function bookkeepingLines<Given extends BookkeepingLineGiven>(
  scope: Scope,
  side: TaxType,
  given: readonly Given[],
  path: string,
): Promise<BookkeepingLine<Given>[]> {
  const codes = await taxCodesOf(scope, side);
  const { accounts, errors } = await ledgerAccounts(scope, side === 'Sales' ? 'revenue' : 'cost', given, path);
  const refusals: FieldError[] = [...errors];
  const taxCodes = given.map((line, index) => {
    const at = `${path}[${index}]`;
    const chosen = chooseTaxCode(
      codes,
      side,
      { code: line.TaxCode, percentage: line.TaxPc },
      { code: `${at}.TaxCode`, percentage: `${at}.TaxPc` },
    );
    if (chosen !== undefined && !('path' in chosen)) return chosen;
    refusals.push(chosen ?? fieldError(`${at}.TaxPc`, 'REQUIRED_TAX'));
    return undefined;
  });
  throwAll(refusals);
  const centers = await costCenters(scope, given);
  return given.map((line, index) => ({
    given: line,
    taxCode: taxCodes[index]!,
    account: accounts[index]!,
    costCenter: centers[index]!,
  }));
}

/** One of a thing, at a total with tax. */
export const bookkeepingAmount = ({ given, taxCode }: BookkeepingLine<BookkeepingLineGiven>): AmountLine => ({
  quantity: units('1', FINE_SCALE),
  price: { totalIncl: units(given.SubTotalInclTax, MONEY_SCALE) },
  discount: { percentage: 0n },
  taxCode: taxCode.code,
  rate: taxCode.percentage,
});
