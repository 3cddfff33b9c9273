import { isColor, languages, vatCategories } from '../../invoiceDocuments/invoiceDocument.ts';
import { wrongIssuerColumns } from '../setup/issuer.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

/** Checks the data of the sender of invoices, the templates, and the exemption reasons of tax codes. */
export async function* checkIssuer(db: Database, administration: Row<'administration'>): AsyncGenerator<string> {
  for (const { column, expected } of wrongIssuerColumns(administration)) {
    yield `The administration's ${column.replaceAll('_', ' ')}: expected ${expected}.`;
  }
  const templates = await db
    .selectFrom('document_template')
    .where('administration_id', '=', administration.id)
    .orderBy('id')
    .select(['name', 'language', 'color', 'is_default'])
    .execute();
  if (templates.filter(({ is_default }) => is_default === 1n).length > 1)
    yield 'More than one template is the default one.';
  for (const { name, language, color } of templates) {
    if (!['', ...languages].includes(language)) yield `Template "${name}": expected the language nl, fr or en.`;
    if (color !== '' && !isColor(color)) yield `Template "${name}": expected a colour such as #1f5c4a.`;
  }
  const codes = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', administration.id)
    .where('vat_category', '<>', '')
    .orderBy('id')
    .select(['code', 'percentage', 'vat_category'])
    .execute();
  for (const { code, percentage, vat_category } of codes) {
    const isKnown = vatCategories.some((category) => category === vat_category);
    if (!isKnown || (vat_category === 'S') !== percentage > 0n) {
      yield `Tax code "${code}": the VAT category "${vat_category}" does not go with its percentage.`;
    }
  }
}
