import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** The names of the usual codes at zero percent, by the VAT category they are for. */
const usualNames = {
  Z: ['Binnenland nultarief'],
  E: ['Vrijgesteld'],
  AE: [
    'Verlegd binnenland',
    'Diensten naar EU-landen',
    'Installatie en afstandsverkoop in de EU',
    'Medecontractant',
    'Intracommunautaire diensten',
  ],
  K: ['Goederen naar EU-landen', 'Intracommunautaire goederen'],
  G: ['Export buiten de EU', 'Uitvoer'],
};

/** What PDFs and e-invoices of sales invoices need: who sends them, how they look, in which language; and the PDFs. */
export const madeDocuments = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { ofAdministration, numbered, texts, numbers, reference, bytes, create, index, addTexts, addNumbers } =
      columns(db, dialect);
    await addTexts('administration', 'street', 'unit', 'unit_appendix', 'postal_code', 'city');
    await addTexts('administration', 'vat_number', 'company_number', 'iban', 'bic', 'email', 'phone');
    await addNumbers('administration', 'payment_days');
    await addTexts('relation', 'language', 'template_invoice');
    await addTexts('tax_code', 'vat_category');
    for (const [category, names] of Object.entries(usualNames)) {
      await sql`update tax_code set vat_category = ${category} where tax_type = 'Sales' and percentage = 0
        and name in (${sql.join(names)})`.execute(db);
    }
    await create('document_template', numbered, ofAdministration, (table) =>
      numbers(
        texts(
          table,
          'name',
          'name_folded',
          'language',
          'color',
          'logo',
          'text_before',
          'text_after',
          'payment_text',
          'mail_subject',
          'mail_text',
        ),
        'is_default',
      ),
    );
    await index('document_template', true, 'administration_id', 'name_folded');
    await create('outgoing_mail', numbered, ofAdministration, (table) =>
      numbers(
        texts(table.addColumn('sales_invoice_id', 'bigint', reference('sales_invoice')), 'state', 'reason'),
        'due_on',
        'attempts',
        'created_on',
        'changed_on',
      ),
    );
    await index('outgoing_mail', true, 'sales_invoice_id');
    await index('outgoing_mail', false, 'administration_id', 'state', 'due_on');
    await create('sales_invoice_pdf', (table) =>
      numbers(
        texts(
          table.addColumn('sales_invoice_id', 'bigint', reference('sales_invoice')).addColumn('content', bytes),
          'fingerprint',
        ),
        'created_on',
      ).addPrimaryKeyConstraint('sales_invoice_pdf_key', ['sales_invoice_id']),
    );
  },
});
