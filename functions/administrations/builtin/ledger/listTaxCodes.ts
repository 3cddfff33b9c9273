import { DECIMAL_SCALE, decimalText } from '../../../../shared/money.ts';
import type { TaxCode } from '../../../../shared/resources/taxCode.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';

/** The tax codes of an administration: sales first, then by code. */
export async function listTaxCodes({ db, administration }: EndpointContext): Promise<TaxCode[]> {
  const rows = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', administration.id)
    .orderBy('tax_type', 'desc')
    .orderBy('code')
    .selectAll()
    .execute();
  return rows.map((row) => ({
    TaxExempt: row.tax_exempt === 1n,
    TaxPc: decimalText(row.percentage, DECIMAL_SCALE),
    TaxCode: row.code,
    Name: row.name,
    TaxType: row.tax_type,
  }));
}
