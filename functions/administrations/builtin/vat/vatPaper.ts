import { centsText, sum } from '../../../../shared/money.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { vatRulesOf } from './administrationRules.ts';
import { filedReturns } from './filedReturns.ts';
import { type VatWarning, vatWarnings } from './vatControls.ts';
import { type BookedVatLine, vatLines } from './vatLines.ts';
import { clientListing, euListing } from './vatListings.ts';
import type { VatPeriod } from './vatPeriod.ts';
import { type VatRounding, vatReturn } from './vatReturn.ts';
import type { VatPaper } from './vatWorkbook.ts';

/**
 * The return of a period of an administration, with its listings and what is remarkable about it.
 * @param supplementAbove the difference, in cents, from which a supplement is due
 * @returns with the stored return when it was filed
 */
export async function vatPaper(
  db: Database,
  administration: Row<'administration'>,
  period: VatPeriod,
  { rounding, supplementAbove }: { rounding?: VatRounding; supplementAbove: bigint },
): Promise<{ paper: VatPaper; filed: Row<'vat_return'> | undefined }> {
  const { id, name, country, vat_rounding } = administration;
  const rules = await vatRulesOf(db, administration);
  const filed = await filedReturns(db, id);
  const lines = await vatLines(db, administration, period, filed);
  const how = rounding ?? (vat_rounding === '' ? 'nearest' : vat_rounding);
  const found = vatReturn(country, rules, lines, how);
  const listing = euListing(found);
  return {
    filed: filed.find((one) => one.period === period.name),
    paper: {
      title: `${name}: VAT return of ${period.name}`,
      found,
      rounding: how,
      listing,
      ...(country === 'BE' && period.kind === 'year' ? { clients: clientListing(found) } : {}),
      warnings: [...vatWarnings(found, listing), ...lineWarnings(lines, supplementAbove)],
    },
  };
}

/** What is remarkable about how lines were read. */
function* lineWarnings(lines: readonly BookedVatLine[], supplementAbove: bigint): Generator<VatWarning> {
  const derived = new Set(lines.filter(({ isKindDerived }) => isKindDerived).map(({ number }) => number));
  if (derived.size > 0) {
    const message = `${derived.size} purchases have no kind (81 to 83): it was derived from their accounts.`;
    yield { code: 'KIND_DERIVED', message };
  }
  const late = lines.filter(({ isLate }) => isLate);
  if (late.length === 0) return;
  const tax = sum(late.map((line) => (line.taxType === 'Sales' ? line.tax : -line.tax)));
  const advice =
    tax > supplementAbove || -tax > supplementAbove
      ? 'that is above the limit for the next return: file a supplement'
      : 'they count in this one';
  yield {
    code: 'LATE',
    message: `${new Set(late.map(({ document }) => document)).size} documents are dated in a period that had been filed, with ${centsText(tax)} of VAT to pay: ${advice}.`,
  };
}
