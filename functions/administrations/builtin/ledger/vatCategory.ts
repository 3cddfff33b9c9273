import { type VatCategory, vatCategories } from '../../invoiceDocuments/invoiceDocument.ts';
import type { Row } from '../sql/schema.ts';

type TaxCode = Pick<Row<'tax_code'>, 'percentage' | 'tax_exempt' | 'vat_category'>;

/** The VAT category of a tax code: its own, or the one that follows from its percentage and its exemption. */
export function vatCategoryOf({ percentage, tax_exempt, vat_category }: TaxCode): VatCategory {
  if (percentage > 0n) return 'S';
  if (tax_exempt === 1n) return 'E';
  return vatCategories.find((category) => category === vat_category && category !== 'S') ?? 'Z';
}
