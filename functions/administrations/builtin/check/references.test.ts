import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { openDatabase } from '../sql/openDatabase.ts';
import { checkAdministration } from './check.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp();
  // The first rows belong to another administration, the last ones to this one.
  await addInitialData(await openShop(app));
  shop = await openShop(app);
  await addInitialData(shop);
});
afterAll(() => app.close());

/** A row with each reference. */
async function addInitialData(shop: Shop): Promise<void> {
  const line = { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: '12.50' };
  const customer = { CustomerNumber: 7 };
  await shop.addCategory('Meubels');
  await shop.addCustomField({ label: 'Kleur', type: 'TextSmall' });
  await shop.addCustomField({ owner: 'relation', label: 'Regio', type: 'TextSmall', typeOfRelation: 'Customer' });
  await shop.accepted('updateproduct', {
    ArticleNumber: '0100',
    Product_CustomField: [{ Label: 'Kleur', FieldType: 'TextSmall', StringValue: 'rood' }],
    Product_Batch: [{ Description: 'L1', BatchStockQty: 2 }],
  });
  const projectId = await shop.addProject({ number: 5, name: 'Kade', customerId: shop.customer.id });
  await shop.addMaterialBooking({ projectId, articleNumber: '0100', supplierId: shop.supplier.id });
  await shop.accepted('addorder', { ...customer, Order_Orderline: [line] });
  await shop.accepted('addsalesinvoice', {
    ...customer,
    InvoiceForOrderNumber: 1,
    InvoiceProject: '5',
    Invoice_InvoiceLine: [line],
    Invoice_Attachment: [{ FileContent: Buffer.from('%PDF-1.4\n').toString('base64'), FileName: 'bon.pdf' }],
  });
  await shop.accepted('addsalesinvoice', {
    ...customer,
    PeriodicInvoiceTemplate: true,
    Periodic_StartingDate: '01-01-2090',
    Periodic_Frequency: 1,
    Periodic_FrequencyUnit: 'Month',
    Invoice_InvoiceLine: [line],
  });
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    Invoice_InvoiceLine: [{ SubTotalInclTax: 10, TaxPc: 21 }],
  });
  const field = await app.db.selectFrom('custom_field').orderBy('id', 'desc').select('id').executeTakeFirstOrThrow();
  await app.db
    .insertInto('relation_custom_field')
    .values({ relation_id: shop.supplier.id, custom_field_id: field.id, value: 'Noord' })
    .execute();
}

/** Every column with a reference: its table, the table it refers to, and the row that has it. */
const references: [table: string, column: string, to: string, subject: string][] = [
  ['product', 'category_id', 'product_category', 'product 0200'],
  ['product', 'sales_tax_code_id', 'Sales tax_code', 'product 0200'],
  ['product', 'purchase_tax_code_id', 'Purchase tax_code', 'product 0200'],
  ['product_custom_field', 'custom_field_id', 'product custom_field', 'product_custom_field of product 0100'],
  ['relation_custom_field', 'custom_field_id', 'relation custom_field', 'relation_custom_field of relation \\d+'],
  ['project', 'customer_id', 'relation', 'project 5'],
  ['material_booking', 'project_id', 'project', 'material_booking of project \\d+'],
  ['material_booking', 'product_id', 'product', 'material_booking of project 5'],
  ['material_booking', 'supplier_id', 'relation', 'material_booking of project 5'],
  ['sales_order', 'relation_id', 'relation', 'sales_order 1'],
  ['sales_order_line', 'product_id', 'product', 'sales_order_line of sales_order 1'],
  ['sales_invoice', 'relation_id', 'relation', 'sales_invoice 1'],
  ['sales_invoice', 'project_id', 'project', 'sales_invoice 1'],
  ['sales_invoice', 'sales_order_id', 'sales_order', 'sales_invoice 1'],
  ['sales_invoice_line', 'product_id', 'product', 'sales_invoice_line of sales_invoice 1'],
  ['sales_invoice_line', 'tax_code_id', 'Sales tax_code', 'sales_invoice_line of sales_invoice 1'],
  ['stock_mutation', 'sales_invoice_id', 'sales_invoice', 'stock_mutation of product 0100'],
  ['stock_mutation', 'batch_id', 'product_batch', 'stock_mutation of product 0100'],
  ['purchase_invoice', 'relation_id', 'relation', 'purchase_invoice 1'],
  ['purchase_invoice', 'project_id', 'project', 'purchase_invoice 1'],
  ['purchase_invoice_line', 'tax_code_id', 'Purchase tax_code', 'purchase_invoice_line of purchase_invoice 1'],
  ['periodic_invoice', 'relation_id', 'relation', 'periodic_invoice of relation \\d+'],
  ['attachment', 'sales_order_id', 'sales_order', 'attachment of sales_invoice 1'],
  ['attachment', 'purchase_invoice_id', 'purchase_invoice', 'attachment of sales_invoice 1'],
  ['attachment', 'periodic_invoice_id', 'periodic_invoice', 'attachment of sales_invoice 1'],
  ['journal_entry', 'sales_invoice_id', 'sales_invoice', 'journal_entry 1 Molen De Hoop'],
  ['journal_entry', 'purchase_invoice_id', 'purchase_invoice', 'journal_entry 1 Molen De Hoop'],
  ['journal_line', 'relation_id', 'relation', 'journal_line '],
];

/** The columns that refer to the owner of a row. */
const parts = [
  ...['relation_contact', 'relation_bank_account', 'relation_custom_field', 'relation_address'].map(
    (table) => `${table}.relation_id`,
  ),
  ...['product_custom_field', 'product_batch', 'stock_mutation'].map((table) => `${table}.product_id`),
  ...['line', 'address', 'contact'].flatMap((part) =>
    ['sales_order', 'sales_invoice'].map((document) => `${document}_${part}.${document}_id`),
  ),
  'sales_invoice_pdf.sales_invoice_id',
  'outgoing_mail.sales_invoice_id',
  'purchase_invoice_line.purchase_invoice_id',
  'journal_line.journal_entry_id',
  'opening_line.fiscal_year_id',
  // An attachment has one of four documents.
  'attachment.sales_invoice_id',
];

it('the check finds no problem in sound references', async () => {
  expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
});

it('the list of references has every column that refers to a row of another table', async () => {
  const db = await openDatabase('sqlite::memory:');
  const { rows } = await sql<{ column: string }>`
    select tables.name || '.' || keys."from" as "column"
    from sqlite_master as tables join pragma_foreign_key_list(tables.name) as keys
    where tables.type = 'table' and keys."table" <> 'administration'`.execute(db);
  await db.destroy();
  const named = references.map(([table, column]) => `${table}.${column}`);
  expect(rows.map(({ column }) => column).sort()).toEqual([...named, ...parts].sort());
});

it.each(references)('the check names a %s with a %s of another administration', async (table, column, to, subject) => {
  const undone = new Error('undone');
  const target = to.split(' ').at(-1)!;
  const check = app.db.transaction().execute(async (trx) => {
    const theirs = sql`(select min(id) from ${sql.table(target)})`;
    if (table === 'journal_entry')
      await sql`update journal_entry set ${sql.ref(column)} = null where ${sql.ref(column)} = ${theirs}`.execute(trx);
    const own = table.endsWith('_custom_field') ? table.replace('_custom_field', '_id') : 'id';
    const last = sql`(select max(${sql.ref(own)}) from ${sql.table(table)})`;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${theirs} where ${sql.ref(own)} = ${last}`.execute(
      trx,
    );
    const found = await Array.fromAsync(checkAdministration(trx, shop.administrationId));
    expect(found).toContainEqual(
      expect.stringMatching(new RegExp(`^${subject}: its ${column} is no ${to} of this administration\\.$`)),
    );
    throw undone;
  });
  await expect(check).rejects.toBe(undone);
});
