import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { NewTable, SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** Orders, purchase invoices, batches, attachments, periodic invoices and the journal. */
export const documents = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const part = columns(db, dialect);
    const { text, bytes, numbered, ofAdministration, reference, optionalReference, texts, numbers, create, index } =
      part;
    const address = (table: NewTable): NewTable =>
      texts(table, 'street', 'unit', 'unit_appendix', 'postal_code', 'city', 'country_code');
    const contact = (table: NewTable): NewTable =>
      texts(numbers(table, 'is_default'), 'contact_type', 'email', 'phone', 'sex', 'last_name', 'first_name', 'notes');
    const ofRelation = (table: NewTable): NewTable =>
      part
        .optionalNumbers(texts(table, 'relation_name'), 'relation_number')
        .addColumn('relation_id', 'bigint', (column) => column.notNull().references('relation.id'));
    const project = (table: NewTable): NewTable =>
      table.addColumn('project_id', 'bigint', optionalReference('project'));

    await part.addTexts(
      'administration',
      'debtor_account',
      'creditor_account',
      'vat_payable_account',
      'vat_receivable_account',
    );
    await create(
      'relation_address',
      numbered,
      (table) => table.addColumn('relation_id', 'bigint', reference('relation')),
      address,
    );
    await index('relation_address', false, 'relation_id');
    await create('cost_center', numbered, ofAdministration, (table) => texts(table, 'name', 'name_folded'));
    await index('cost_center', true, 'administration_id', 'name_folded');
    await create('order_status', numbered, ofAdministration, (table) => texts(table, 'label', 'label_folded'));
    await index('order_status', true, 'administration_id', 'label_folded');

    await create(
      'product_batch',
      numbered,
      (table) => table.addColumn('product_id', 'bigint', reference('product')),
      (table) => numbers(texts(table, 'description'), 'stock').addColumn('expiry_date', text),
    );
    await index('product_batch', false, 'product_id', 'description');
    await db.schema
      .alterTable('stock_mutation')
      .addColumn('batch_id', 'bigint', optionalReference('product_batch'))
      .execute();

    await part.addNumbers('sales_invoice', 'email_to_customer');
    await part.addTexts('sales_invoice', 'template_invoice', 'template_email');
    await create(
      'sales_order',
      numbered,
      ofAdministration,
      ofRelation,
      (table) => numbers(table, 'number', 'discount_pc', 'is_invoiced', 'created_on', 'changed_on'),
      (table) => numbers(table, 'total_excl', 'total_tax', 'total_incl'),
      (table) => texts(table, 'general_status', 'status', 'date', 'notes', 'reference', 'packing_slip_notes'),
      (table) => part.optionalNumbers(table, 'delivery_period'),
    );
    await index('sales_order', true, 'administration_id', 'number');
    await create(
      'sales_order_line',
      numbered,
      (table) => table.addColumn('sales_order_id', 'bigint', reference('sales_order')),
      (table) => numbers(table, 'position', 'is_text', 'quantity', 'unit_price', 'tax_pc', 'use_article_price'),
      (table) => numbers(table, 'discount_pc', 'discount_amount'),
      (table) => numbers(table, 'subtotal_excl_before_discount', 'subtotal_incl_before_discount'),
      (table) => numbers(table, 'subtotal_excl', 'subtotal_incl'),
      (table) => texts(table, 'text_category', 'product_number', 'product_ean', 'description', 'tax_code'),
      (table) => table.addColumn('product_id', 'bigint', optionalReference('product')),
    );
    await index('sales_order_line', true, 'sales_order_id', 'position');
    await create(
      'sales_order_address',
      numbered,
      (table) => table.addColumn('sales_order_id', 'bigint', reference('sales_order')),
      (table) => address(texts(table, 'address_type')),
    );
    await index('sales_order_address', false, 'sales_order_id');
    await create(
      'sales_order_contact',
      numbered,
      (table) => table.addColumn('sales_order_id', 'bigint', reference('sales_order')),
      contact,
    );
    await index('sales_order_contact', false, 'sales_order_id');
    await db.schema
      .alterTable('sales_invoice')
      .addColumn('sales_order_id', 'bigint', optionalReference('sales_order'))
      .execute();

    await create(
      'purchase_invoice',
      numbered,
      ofAdministration,
      ofRelation,
      project,
      (table) => numbers(table, 'number', 'total_excl', 'total_tax', 'total_incl', 'outstanding', 'created_on'),
      (table) => texts(table, 'date', 'due_date', 'notes'),
    );
    await index('purchase_invoice', false, 'administration_id', 'number');
    await create(
      'purchase_invoice_line',
      numbered,
      (table) => table.addColumn('purchase_invoice_id', 'bigint', reference('purchase_invoice')),
      (table) => numbers(table, 'position', 'tax_pc', 'subtotal_excl', 'subtotal_incl'),
      (table) => texts(table, 'description', 'ledger_account_number', 'tax_code', 'cost_center', 'classification'),
      (table) => table.addColumn('tax_code_id', 'bigint', optionalReference('tax_code')),
    );
    await index('purchase_invoice_line', true, 'purchase_invoice_id', 'position');

    await create(
      'periodic_invoice',
      numbered,
      ofAdministration,
      ofRelation,
      (table) => texts(table, 'request', 'starting_date', 'frequency_unit', 'change_date_tokens_direction'),
      (table) =>
        numbers(table, 'frequency', 'automatic_mailing', 'skip_weekends', 'change_date_tokens', 'made', 'created_on'),
      (table) => table.addColumn('end_date', text),
    );
    await index('periodic_invoice', false, 'administration_id');

    await create(
      'attachment',
      numbered,
      (table) =>
        table
          .addColumn('sales_invoice_id', 'bigint', (column) =>
            column.references('sales_invoice.id').onDelete('cascade'),
          )
          .addColumn('sales_order_id', 'bigint', (column) => column.references('sales_order.id').onDelete('cascade'))
          .addColumn('purchase_invoice_id', 'bigint', (column) =>
            column.references('purchase_invoice.id').onDelete('cascade'),
          )
          .addColumn('periodic_invoice_id', 'bigint', (column) =>
            column.references('periodic_invoice.id').onDelete('cascade'),
          )
          .addColumn('content', bytes),
      (table) => texts(numbers(table, 'is_internal', 'created_on'), 'file_name', 'content_type', 'url', 'failure'),
    );
    for (const owner of ['sales_invoice_id', 'sales_order_id', 'purchase_invoice_id', 'periodic_invoice_id']) {
      await index('attachment', false, owner);
    }

    await create(
      'journal_entry',
      numbered,
      ofAdministration,
      (table) => texts(numbers(table, 'created_on'), 'journal', 'date', 'description'),
      (table) =>
        table
          .addColumn('sales_invoice_id', 'bigint', optionalReference('sales_invoice'))
          .addColumn('purchase_invoice_id', 'bigint', optionalReference('purchase_invoice')),
    );
    await index('journal_entry', false, 'administration_id', 'date');
    await index('journal_entry', true, 'sales_invoice_id');
    await index('journal_entry', true, 'purchase_invoice_id');
    await create(
      'journal_line',
      numbered,
      (table) => table.addColumn('journal_entry_id', 'bigint', reference('journal_entry')),
      (table) => texts(numbers(table, 'debit', 'credit'), 'ledger_account_number', 'tax_code', 'description'),
    );
    await index('journal_line', false, 'journal_entry_id');
    await index('stock_mutation', false, 'sales_invoice_id');
  },
});
