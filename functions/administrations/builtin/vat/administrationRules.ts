import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { usualVatRules, type VatRule } from './vatRules.ts';

/** The VAT rules of an administration: its own for the tax codes that it has some for, and else the usual ones. */
export async function vatRulesOf(
  db: Database,
  { id, country }: Pick<Row<'administration'>, 'id' | 'country'>,
): Promise<VatRule[]> {
  const stored = await db
    .selectFrom('vat_rule')
    .where('administration_id', '=', id)
    .orderBy('tax_type')
    .orderBy('tax_code')
    .orderBy('document')
    .selectAll()
    .execute();
  const own = stored.map(
    (row): VatRule => ({
      taxType: row.tax_type,
      taxCode: row.tax_code,
      document: row.document,
      base: row.base_boxes,
      owed: row.owed_boxes,
      deductible: row.deductible_boxes,
      selfAssessed: row.self_assessed_pc,
      share: row.deductible_pc,
      listing: row.listing,
      doubt: row.doubt,
    }),
  );
  const key = ({ taxType, taxCode }: VatRule) => `${taxType} ${taxCode}`;
  const ruled = new Set(own.map(key));
  return [...own, ...usualVatRules(country).filter((rule) => !ruled.has(key(rule)))];
}
