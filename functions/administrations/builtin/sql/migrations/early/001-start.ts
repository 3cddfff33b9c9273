import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** The tables an administration starts with. */
export const start = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const {
      text,
      numbered,
      ofAdministration,
      reference,
      optionalReference,
      texts,
      numbers,
      optionalNumbers,
      create,
      index,
    } = columns(db, dialect);

    await create(
      'administration',
      numbered,
      (table) => texts(table, 'name', 'country', 'default_revenue_account', 'default_cost_account'),
      (table) => numbers(table, 'created_on'),
    );
    await create('counter', ofAdministration, (table) =>
      numbers(texts(table, 'name'), 'value').addPrimaryKeyConstraint('counter_key', ['administration_id', 'name']),
    );
    await create(
      'api_key',
      numbered,
      ofAdministration,
      (table) => texts(table, 'username', 'key_hash', 'label'),
      (table) => optionalNumbers(numbers(table, 'created_on'), 'revoked_on'),
    );
    await index('api_key', false, 'username');
    await create('tax_code', numbered, ofAdministration, (table) =>
      numbers(texts(table, 'code', 'name', 'tax_type'), 'percentage', 'tax_exempt'),
    );
    await index('tax_code', true, 'administration_id', 'tax_type', 'code');
    await create('ledger_account', numbered, ofAdministration, (table) =>
      texts(numbers(table, 'fiscal_year'), 'number', 'name', 'ledger_type', 'debet_or_credit'),
    );
    await index('ledger_account', true, 'administration_id', 'fiscal_year', 'number');

    await create(
      'relation',
      numbered,
      ofAdministration,
      (table) =>
        numbers(table, 'guid', 'is_business', 'is_customer', 'is_supplier', 'is_other', 'created_on', 'changed_on'),
      (table) => texts(table, 'name', 'name_folded', 'email', 'email_folded', 'phone'),
      (table) => texts(table, 'city', 'street', 'postal_code', 'unit', 'unit_appendix', 'country_code'),
      (table) => texts(table, 'group_name', 'registration_number', 'vat_number', 'vat_compared', 'answer'),
      (table) => optionalNumbers(table, 'customer_number', 'supplier_number'),
    );
    await index('relation', true, 'administration_id', 'guid');
    await index('relation', true, 'administration_id', 'customer_number');
    await index('relation', true, 'administration_id', 'supplier_number');
    await index('relation', false, 'administration_id', 'name_folded');
    await index('relation', false, 'administration_id', 'email_folded');
    await index('relation', false, 'administration_id', 'vat_compared');
    await index('relation', false, 'administration_id', 'changed_on', 'guid');
    await index('relation', false, 'administration_id', 'created_on', 'guid');
    await create(
      'relation_contact',
      numbered,
      (table) => table.addColumn('relation_id', 'bigint', reference('relation')),
      (table) => numbers(table, 'position', 'is_default'),
      (table) => texts(table, 'email', 'phone', 'sex', 'last_name', 'first_name', 'preposition', 'notes'),
    );
    await index('relation_contact', false, 'relation_id', 'position');
    await create(
      'relation_bank_account',
      numbered,
      (table) => table.addColumn('relation_id', 'bigint', reference('relation')),
      (table) => numbers(table, 'position', 'skip_iban_check', 'use_for_excasso'),
      (table) => texts(table, 'iban', 'bic', 'place', 'name'),
    );
    await index('relation_bank_account', false, 'relation_id', 'position');

    await create('custom_field', numbered, ofAdministration, (table) =>
      texts(table, 'owner', 'label', 'field_type').addColumn('type_of_relation', text),
    );
    await index('custom_field', true, 'administration_id', 'owner', 'label');
    await create('relation_custom_field', (table) =>
      texts(
        table
          .addColumn('relation_id', 'bigint', reference('relation'))
          .addColumn('custom_field_id', 'bigint', reference('custom_field')),
        'value',
      ).addPrimaryKeyConstraint('relation_custom_field_key', ['relation_id', 'custom_field_id']),
    );

    await create('product_category', numbered, ofAdministration, (table) => texts(table, 'name', 'name_folded'));
    await index('product_category', true, 'administration_id', 'name_folded');
    await create(
      'product',
      numbered,
      ofAdministration,
      (table) => texts(table, 'article_number', 'ean', 'name', 'supplier_article_number', 'description', 'unit'),
      (table) => numbers(table, 'purchase_price', 'price', 'stock', 'minimal_stock', 'units_per_package', 'archived'),
      (table) => numbers(table, 'created_on', 'changed_on'),
      (table) =>
        table
          .addColumn('category_id', 'bigint', optionalReference('product_category'))
          .addColumn('sales_tax_code_id', 'bigint', optionalReference('tax_code'))
          .addColumn('purchase_tax_code_id', 'bigint', optionalReference('tax_code')),
    );
    await index('product', true, 'administration_id', 'article_number');
    await db.schema
      .createIndex('product_ean')
      .unique()
      .on('product')
      .columns(['administration_id', 'ean'])
      .where(sql.ref('ean'), '<>', sql.lit(''))
      .execute();
    await create('product_custom_field', (table) =>
      texts(
        table
          .addColumn('product_id', 'bigint', reference('product'))
          .addColumn('custom_field_id', 'bigint', reference('custom_field')),
        'value',
      ).addPrimaryKeyConstraint('product_custom_field_key', ['product_id', 'custom_field_id']),
    );

    await create(
      'project',
      numbered,
      ofAdministration,
      (table) => texts(numbers(table, 'number'), 'name', 'name_folded', 'description'),
      (table) => table.addColumn('customer_id', 'bigint', optionalReference('relation')),
    );
    await index('project', true, 'administration_id', 'number');
    await create(
      'sales_invoice',
      numbered,
      ofAdministration,
      (table) => numbers(table, 'number', 'is_draft', 'is_sent', 'discount_pc', 'created_on'),
      (table) => numbers(table, 'total_excl', 'total_tax', 'total_incl', 'outstanding'),
      (table) =>
        texts(
          table,
          'module',
          'date',
          'notes',
          'reference',
          'packing_slip_notes',
          'customer_name',
          'ogm',
          'answer',
          'lines_answer',
        ),
      (table) =>
        optionalNumbers(table, 'customer_number')
          .addColumn('due_date', text)
          .addColumn('relation_id', 'bigint', (column) => column.notNull().references('relation.id'))
          .addColumn('project_id', 'bigint', optionalReference('project')),
    );
    await index('sales_invoice', true, 'administration_id', 'number');
    await index('sales_invoice', false, 'administration_id', 'date', 'number');
    await create(
      'sales_invoice_line',
      numbered,
      (table) => table.addColumn('sales_invoice_id', 'bigint', reference('sales_invoice')),
      (table) => numbers(table, 'position', 'is_text', 'quantity', 'unit_price', 'discount_pc', 'tax_pc'),
      (table) => numbers(table, 'subtotal_incl_before_discount', 'subtotal_incl', 'subtotal_excl', 'use_article_price'),
      (table) => texts(table, 'text_category', 'product_number', 'product_ean', 'description', 'ledger_account_number'),
      (table) => texts(table, 'tax_code', 'cost_center', 'warehouse', 'shelf', 'batch'),
      (table) =>
        table
          .addColumn('delivery_date', text)
          .addColumn('product_id', 'bigint', optionalReference('product'))
          .addColumn('tax_code_id', 'bigint', optionalReference('tax_code')),
    );
    await index('sales_invoice_line', true, 'sales_invoice_id', 'position');
    await create(
      'sales_invoice_address',
      numbered,
      (table) => table.addColumn('sales_invoice_id', 'bigint', reference('sales_invoice')),
      (table) => texts(table, 'address_type', 'street', 'unit', 'unit_appendix', 'postal_code', 'city', 'country_code'),
    );
    await index('sales_invoice_address', false, 'sales_invoice_id');
    await create(
      'sales_invoice_contact',
      numbered,
      (table) => table.addColumn('sales_invoice_id', 'bigint', reference('sales_invoice')),
      (table) =>
        texts(
          numbers(table, 'is_default'),
          'contact_type',
          'email',
          'phone',
          'sex',
          'last_name',
          'first_name',
          'notes',
        ),
    );
    await index('sales_invoice_contact', false, 'sales_invoice_id');

    await create(
      'stock_mutation',
      numbered,
      (table) => table.addColumn('product_id', 'bigint', reference('product')),
      (table) => optionalNumbers(numbers(table, 'quantity', 'created_on'), 'purchase_price'),
      (table) => texts(table, 'cause', 'comment'),
      (table) => table.addColumn('sales_invoice_id', 'bigint', optionalReference('sales_invoice')),
    );
    await index('stock_mutation', false, 'product_id');
    await create(
      'material_booking',
      numbered,
      ofAdministration,
      (table) =>
        table
          .addColumn('project_id', 'bigint', reference('project'))
          .addColumn('product_id', 'bigint', reference('product'))
          .addColumn('supplier_id', 'bigint', optionalReference('relation')),
      (table) => texts(numbers(table, 'quantity', 'entry_date'), 'warehouse', 'shelf', 'batch', 'description'),
    );
    await index('material_booking', false, 'administration_id', 'entry_date');
  },
});
