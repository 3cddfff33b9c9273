import { ledgerTypes } from '../../../../shared/resources/ledgerAccount.ts';
import { taxTypes } from '../../../../shared/resources/taxCode.ts';
import { type Adds, invoiceAdds, orderAdds } from '../import/documentRows.ts';
import { comparedVatNumber, folded } from '../sql/comparedText.ts';
import type { Schema } from '../sql/schema.ts';
import { date, either, fine, type Kind, money, optional, text, type Value, whole, word, yesNo } from './kinds.ts';

/*
 * What a folder with a whole administration consists of: CSV files that import reads. What has a form of its own there,
 * such as relations and invoices, is written in that form, with everything the tables have of it; the rest is a file a
 * table. Rows name each other by what people know them by, a relation by its RelationGUID; those nobody has a name for,
 * such as journal entries, are counted.
 */

type Table = keyof Schema & string;

/** What a row that is referred to is known by. */
export type Target =
  | { table: Table; key: string; kind: Kind; where?: readonly [column: string, value: string] }
  /** Its place among the rows of its file, from 1. */
  | { table: Table; place: true };

export type Field = { heading: string; column: string } & ({ kind: Kind } | { to: Target });

export type ArchiveFile = {
  file: string;
  table: Table;
  /** The columns by which a row belongs to the administration: its own, or of rows that do. One of them has a value. */
  belongsBy: readonly { column: string; to: Table | 'administration' }[];
  /** What orders the rows, and tells them apart. */
  order: readonly string[];
  /** The rows with this in a column, where others are told elsewhere. */
  only?: readonly [column: string, value: string];
  fields: readonly Field[];
  /** Columns that follow from others. */
  derived: (row: Readonly<Record<string, Value>>) => Readonly<Record<string, Value>>;
  /** What stands in a row of the file beside the row of the table. */
  parts: readonly FilePart[];
};

/** Rows of another table that belong to the rows of a file, and stand with them. */
export type FilePart = PositionedPart | CustomFieldsPart;

export type PositionedPart = {
  /**
   * In columns of their own, Contact_LastName, Contact2_LastName and so on; or one in each row, under the first of them,
   * as the lines of documents, whose amounts add up.
   */
  as: { columns: string } | { lines: Adds };
  table: Table;
  /** The column that says which row it belongs to; `position` tells which of them it is. */
  owner: string;
  fields: readonly Field[];
};

/** A column for each custom field, which says its label, type and role. */
export type CustomFieldsPart = { as: 'custom fields'; of: 'relation' | 'product'; table: Table; owner: string };

/** The column that counts the rows of one document, from 1. */
export const LINE_NUMBER = 'LineNumber';

const relation: Target = { table: 'relation', key: 'guid', kind: whole };
const product: Target = { table: 'product', key: 'article_number', kind: text };
const project: Target = { table: 'project', key: 'number', kind: whole };
const salesInvoice: Target = { table: 'sales_invoice', key: 'number', kind: whole };
const order: Target = { table: 'sales_order', key: 'number', kind: whole };
const category: Target = { table: 'product_category', key: 'name', kind: text };
const taxCode = (side: (typeof taxTypes)[number]): Target => ({
  table: 'tax_code',
  key: 'code',
  kind: text,
  where: ['tax_type', side],
});
const customField = (owner: 'relation' | 'product'): Target => ({
  table: 'custom_field',
  key: 'label',
  kind: text,
  where: ['owner', owner],
});
const placed = (table: Table): Target => ({ table, place: true });

const of = (kind: Kind, columns: Readonly<Record<string, string>>): Field[] =>
  Object.entries(columns).map(([heading, column]) => ({ heading, column, kind }));
const to = (heading: string, column: string, target: Target): Field => ({ heading, column, to: target });

const nothing = () => ({});
const foldedFrom =
  (...columns: string[]) =>
  (row: Readonly<Record<string, Value>>) =>
    Object.fromEntries(columns.map((column) => [`${column}_folded`, folded(String(row[column]))]));

/** A file of a table that says itself which administration its rows are of. */
const own = (
  file: string,
  table: Table,
  fields: readonly Field[],
  derived: ArchiveFile['derived'] = nothing,
): ArchiveFile => ({
  file,
  table,
  belongsBy: [{ column: 'administration_id', to: 'administration' }],
  order: ['id'],
  fields,
  derived,
  parts: [],
});

/** The same file with what belongs to its rows. */
const withParts = (file: ArchiveFile, ...parts: readonly FilePart[]): ArchiveFile => ({ ...file, parts });

const columnsOf = (prefix: string, table: Table, owner: string, fields: readonly Field[]): FilePart => ({
  as: { columns: prefix },
  table,
  owner,
  fields,
});
const linesOf = (table: Table, owner: string, adds: Adds, fields: readonly Field[]): FilePart => ({
  as: { lines: adds },
  table,
  owner,
  fields,
});

/** A file of what belongs to the rows of another table: its first field says to which. */
function part(file: string, table: Table, fields: readonly Field[]): ArchiveFile {
  const [first] = fields as [Field & { to: Target }];
  return {
    file,
    table,
    belongsBy: [{ column: first.column, to: first.to.table }],
    order: ['id'],
    fields,
    derived: nothing,
    parts: [],
  };
}

/** Custom fields that are filled, with nothing: an empty cell would say that they are not. */
const emptyFields = (file: string, owner: 'relation' | 'product', to_: Field): ArchiveFile => ({
  ...part(file, `${owner}_custom_field`, [to_, to('Label', 'custom_field_id', customField(owner))]),
  order: [`${owner}_id`, 'custom_field_id'],
  only: ['value', ''],
  derived: () => ({ value: '' }),
});

const address = of(text, {
  Address_Street: 'street',
  Address_Unit: 'unit',
  Address_UnitAppendix: 'unit_appendix',
  Address_PostalCode: 'postal_code',
  Address_City: 'city',
  Address_CountryCode: 'country_code',
});
const documentContact = [
  ...of(text, {
    ContactType: 'contact_type',
    FirstName: 'first_name',
    LastName: 'last_name',
    Sex: 'sex',
    Email: 'email',
    Phone: 'phone',
    ContactNotes: 'notes',
  }),
  ...of(yesNo, { DefaultContact: 'is_default' }),
];
const totals = of(money, { TotalExclTax: 'total_excl', TaxAmount: 'total_tax', TotalInclTax: 'total_incl' });
const party = (role: string): Field[] => [
  to('RelationGUID', 'relation_id', relation),
  ...of(optional(whole), { [`${role}Number`]: 'relation_number' }),
  ...of(text, { [`${role}Name`]: 'relation_name' }),
];

/** The columns lines of orders and of invoices share; what a product was called then, and which it is. */
const articleLine = [
  ...of(yesNo, { IsTextLine: 'is_text' }),
  ...of(text, {
    TextLineCategory: 'text_category',
    ProductNumber: 'product_number',
    ProductEAN: 'product_ean',
    Description: 'description',
  }),
  to('CurrentProductNumber', 'product_id', product),
  ...of(fine, { Quantity: 'quantity', UnitPriceExclTax: 'unit_price', DiscountPc: 'discount_pc', TaxPc: 'tax_pc' }),
  ...of(yesNo, { UseArticlePrice: 'use_article_price' }),
];

/** What of the administration itself is exported, in a file of one row. */
export const settings: ArchiveFile = {
  file: 'administration.csv',
  table: 'administration',
  belongsBy: [{ column: 'id', to: 'administration' }],
  order: ['id'],
  fields: [
    ...of(text, { Name: 'name' }),
    ...of(word('NL', 'BE'), { Countrycode: 'country' }),
    ...of(whole, { CreatedOn: 'created_on' }),
    ...of(text, {
      DefaultRevenueAccount: 'default_revenue_account',
      DefaultCostAccount: 'default_cost_account',
      DebtorAccount: 'debtor_account',
      CreditorAccount: 'creditor_account',
      VatPayableAccount: 'vat_payable_account',
      VatReceivableAccount: 'vat_receivable_account',
    }),
  ],
  derived: nothing,
  parts: [],
};

/** The folder with the files of attachments, and the column that names each. */
export const ATTACHMENTS = 'attachments';
export const ATTACHMENT_FILE = 'File';

/** All files but `settings`, in an order in which every row comes after those it names. */
export const archiveFiles: readonly ArchiveFile[] = [
  {
    ...own('numbering.csv', 'counter', [...of(text, { Name: 'name' }), ...of(whole, { Last: 'value' })]),
    order: ['name'],
  },
  own('tax-codes.csv', 'tax_code', [
    ...of(fine, { TaxPc: 'percentage' }),
    ...of(text, { Name: 'name', TaxCode: 'code' }),
    ...of(word(...taxTypes), { TaxType: 'tax_type' }),
    ...of(yesNo, { TaxExempt: 'tax_exempt' }),
  ]),
  own('accounts.csv', 'ledger_account', [
    ...of(text, { Number: 'number', Name: 'name' }),
    ...of(whole, { FiscalYear: 'fiscal_year' }),
    ...of(word(...ledgerTypes), { LedgerType: 'ledger_type' }),
    ...of(word('debet', 'credit'), { DebetOrCredit: 'debet_or_credit' }),
  ]),
  own('cost-centers.csv', 'cost_center', of(text, { Name: 'name' }), foldedFrom('name')),
  own('order-statuses.csv', 'order_status', of(text, { Label: 'label' }), foldedFrom('label')),
  own('product-categories.csv', 'product_category', of(text, { Name: 'name' }), foldedFrom('name')),
  withParts(
    own(
      'relations.csv',
      'relation',
      [
        ...of(whole, { RelationGUID: 'guid' }),
        ...of(text, { Name: 'name' }),
        ...of(either('BusinessRelation', 'PrivateRelation'), { PrivateOrBusiness: 'is_business' }),
        ...of(text, { Email: 'email', Phone: 'phone' }),
        ...address,
        ...of(text, { GroupName: 'group_name' }),
        ...of(yesNo, { IsCustomer: 'is_customer', IsSupplier: 'is_supplier', IsOther: 'is_other' }),
        ...of(optional(whole), { CustomerNumber: 'customer_number', SupplierNumber: 'supplier_number' }),
        ...of(text, { RegistrationNumber: 'registration_number', TaxIdentificationNumber: 'vat_number' }),
        ...of(whole, { CreatedOn: 'created_on', ChangedOn: 'changed_on' }),
      ],
      (row) => ({
        ...foldedFrom('name', 'email')(row),
        vat_compared: comparedVatNumber(String(row.vat_number)),
      }),
    ),
    columnsOf('Contact', 'relation_contact', 'relation_id', [
      ...of(text, {
        FirstName: 'first_name',
        Preposition: 'preposition',
        LastName: 'last_name',
        Sex: 'sex',
        Email: 'email',
        Phone: 'phone',
        ContactNotes: 'notes',
      }),
      ...of(yesNo, { DefaultContact: 'is_default' }),
    ]),
    columnsOf('BankAccount', 'relation_bank_account', 'relation_id', [
      ...of(text, { IBAN: 'iban', BIC: 'bic', Name: 'name', Place: 'place' }),
      ...of(yesNo, { SkipIBANCheck: 'skip_iban_check', UseForExcasso: 'use_for_excasso' }),
    ]),
    { as: 'custom fields', of: 'relation', table: 'relation_custom_field', owner: 'relation_id' },
  ),
  part('relation-addresses.csv', 'relation_address', [to('RelationGUID', 'relation_id', relation), ...address]),
  emptyFields('relation-empty-fields.csv', 'relation', to('RelationGUID', 'relation_id', relation)),
  withParts(
    own('products.csv', 'product', [
      ...of(text, {
        ArticleNumber: 'article_number',
        Name: 'name',
        EAN: 'ean',
        SupplierArticleNumber: 'supplier_article_number',
        Description: 'description',
        Unit: 'unit',
      }),
      to('Category', 'category_id', category),
      ...of(fine, {
        StockQty: 'stock',
        PurchasePrice: 'purchase_price',
        Price: 'price',
        MinimalStockQty: 'minimal_stock',
        UnitsPerPackage: 'units_per_package',
      }),
      to('TaxCode', 'sales_tax_code_id', taxCode('Sales')),
      to('TaxCodePurchase', 'purchase_tax_code_id', taxCode('Purchase')),
      ...of(yesNo, { Archived: 'archived' }),
      ...of(whole, { CreatedOn: 'created_on', ChangedOn: 'changed_on' }),
    ]),
    { as: 'custom fields', of: 'product', table: 'product_custom_field', owner: 'product_id' },
  ),
  emptyFields('product-empty-fields.csv', 'product', to('ArticleNumber', 'product_id', product)),
  part('product-batches.csv', 'product_batch', [
    to('ArticleNumber', 'product_id', product),
    ...of(text, { Description: 'description' }),
    ...of(optional(date), { ExpiryDate: 'expiry_date' }),
    ...of(fine, { StockQty: 'stock' }),
  ]),
  own(
    'projects.csv',
    'project',
    [
      ...of(whole, { Number: 'number' }),
      ...of(text, { Name: 'name', Description: 'description' }),
      to('RelationGUID', 'customer_id', relation),
    ],
    foldedFrom('name'),
  ),
  own('material-bookings.csv', 'material_booking', [
    to('ProjectNumber', 'project_id', project),
    to('ProductNumber', 'product_id', product),
    to('SupplierRelationGUID', 'supplier_id', relation),
    ...of(fine, { Quantity: 'quantity' }),
    ...of(whole, { EntryDate: 'entry_date' }),
    ...of(text, { Description: 'description', Warehouse: 'warehouse', Shelf: 'shelf', Batch: 'batch' }),
  ]),
  withParts(
    own('orders.csv', 'sales_order', [
      ...of(whole, { OrderNumber: 'number' }),
      ...of(text, { GeneralStatus: 'general_status', OrderStatus: 'status' }),
      ...of(yesNo, { IsInvoiced: 'is_invoiced' }),
      ...of(date, { OrderDate: 'date' }),
      ...party('Customer'),
      ...of(text, { OrderReference: 'reference', OrderNotes: 'notes', PackingSlipNotes: 'packing_slip_notes' }),
      ...of(optional(whole), { DeliveryPeriod: 'delivery_period' }),
      ...of(fine, { OrderDiscountPc: 'discount_pc' }),
      ...totals,
      ...of(whole, { CreatedOn: 'created_on', ChangedOn: 'changed_on' }),
    ]),
    linesOf('sales_order_line', 'sales_order_id', orderAdds, [
      ...articleLine,
      ...of(text, { TaxCode: 'tax_code' }),
      ...of(money, {
        DiscountAmountInclTax: 'discount_amount',
        AmountExclTaxExclDiscount: 'subtotal_excl_before_discount',
        AmountInclTaxExclDiscount: 'subtotal_incl_before_discount',
        AmountExclTax: 'subtotal_excl',
        AmountInclTax: 'subtotal_incl',
      }),
    ]),
  ),
  part('order-addresses.csv', 'sales_order_address', [
    to('OrderNumber', 'sales_order_id', order),
    ...of(text, { Address_Type: 'address_type' }),
    ...address,
  ]),
  part('order-contacts.csv', 'sales_order_contact', [to('OrderNumber', 'sales_order_id', order), ...documentContact]),
  withParts(
    own('invoices.csv', 'sales_invoice', [
      ...of(whole, { InvoiceNumber: 'number' }),
      ...of(text, { InvoiceType: 'module' }),
      ...of(yesNo, { AddAsDraft: 'is_draft' }),
      ...of(date, { InvoiceDate: 'date' }),
      ...of(optional(date), { InvoiceDueDate: 'due_date' }),
      to('RelationGUID', 'relation_id', relation),
      ...of(optional(whole), { CustomerNumber: 'customer_number' }),
      ...of(text, {
        CustomerName: 'customer_name',
        InvoiceReference: 'reference',
        InvoiceNotes: 'notes',
        PackingSlipNotes: 'packing_slip_notes',
        OGM_Belgium: 'ogm',
        TemplateName_Invoice: 'template_invoice',
        TemplateName_Email: 'template_email',
      }),
      to('ProjectNumber', 'project_id', project),
      to('InvoiceForOrderNumber', 'sales_order_id', order),
      ...of(fine, { InvoiceDiscountPc: 'discount_pc' }),
      ...of(yesNo, { InvoiceIsSent: 'is_sent', EmailToCustomer: 'email_to_customer', MovesStock: 'moves_stock' }),
      ...totals,
      ...of(money, { InvoiceOutstandingAmount: 'outstanding' }),
      ...of(whole, { CreatedOn: 'created_on' }),
    ]),
    linesOf('sales_invoice_line', 'sales_invoice_id', invoiceAdds, [
      ...articleLine,
      ...of(text, { TaxCode: 'tax_code' }),
      to('CurrentTaxCode', 'tax_code_id', taxCode('Sales')),
      ...of(money, {
        AmountInclTaxExclDiscount: 'subtotal_incl_before_discount',
        AmountExclTax: 'subtotal_excl',
        AmountInclTax: 'subtotal_incl',
      }),
      ...of(text, { LedgerAccountNumber: 'ledger_account_number', CostCenter: 'cost_center' }),
      ...of(optional(date), { DeliveryDate: 'delivery_date' }),
      ...of(text, { Warehouse: 'warehouse', Shelf: 'shelf', Batch: 'batch' }),
    ]),
  ),
  part('invoice-addresses.csv', 'sales_invoice_address', [
    to('InvoiceNumber', 'sales_invoice_id', salesInvoice),
    ...of(text, { Address_Type: 'address_type' }),
    ...address,
  ]),
  part('invoice-contacts.csv', 'sales_invoice_contact', [
    to('InvoiceNumber', 'sales_invoice_id', salesInvoice),
    ...documentContact,
  ]),
  part('stock-mutations.csv', 'stock_mutation', [
    to('ArticleNumber', 'product_id', product),
    ...of(fine, { Quantity: 'quantity' }),
    ...of(text, { Cause: 'cause', Comment: 'comment' }),
    ...of(optional(fine), { PurchasePrice: 'purchase_price' }),
    to('InvoiceNumber', 'sales_invoice_id', salesInvoice),
    to('ProductBatch', 'batch_id', placed('product_batch')),
    ...of(whole, { CreatedOn: 'created_on' }),
  ]),
  withParts(
    own('purchase-invoices.csv', 'purchase_invoice', [
      ...of(whole, { PurchaseInvoiceNumber: 'number' }),
      ...of(date, { InvoiceDate: 'date', InvoiceDueDate: 'due_date' }),
      ...party('Supplier'),
      ...of(text, { InvoiceNotes: 'notes' }),
      to('ProjectNumber', 'project_id', project),
      ...totals,
      ...of(money, { InvoiceOutstandingAmount: 'outstanding' }),
      ...of(whole, { CreatedOn: 'created_on' }),
    ]),
    linesOf('purchase_invoice_line', 'purchase_invoice_id', invoiceAdds, [
      ...of(text, {
        Description: 'description',
        LedgerAccountNumber: 'ledger_account_number',
        CostCenter: 'cost_center',
        PurchaseClassification: 'classification',
        TaxCode: 'tax_code',
      }),
      to('CurrentTaxCode', 'tax_code_id', taxCode('Purchase')),
      ...of(fine, { TaxPc: 'tax_pc' }),
      ...of(money, { AmountExclTax: 'subtotal_excl', AmountInclTax: 'subtotal_incl' }),
    ]),
  ),
  own('periodic-invoices.csv', 'periodic_invoice', [
    ...party('Customer'),
    ...of(date, { Periodic_StartingDate: 'starting_date' }),
    ...of(optional(date), { Periodic_EndDate: 'end_date' }),
    ...of(whole, {
      Periodic_Frequency: 'frequency',
      Periodic_ChangeDateTokensValue: 'change_date_tokens',
      Made: 'made',
    }),
    ...of(text, {
      Periodic_FrequencyUnit: 'frequency_unit',
      Periodic_ChangeDateTokensBeforeAfter: 'change_date_tokens_direction',
      Request: 'request',
    }),
    ...of(yesNo, { Periodic_AutomaticMailing: 'automatic_mailing', Periodic_SkipWeekends: 'skip_weekends' }),
    ...of(whole, { CreatedOn: 'created_on' }),
  ]),
  {
    file: 'attachments.csv',
    table: 'attachment',
    belongsBy: [
      { column: 'sales_invoice_id', to: 'sales_invoice' },
      { column: 'sales_order_id', to: 'sales_order' },
      { column: 'purchase_invoice_id', to: 'purchase_invoice' },
      { column: 'periodic_invoice_id', to: 'periodic_invoice' },
    ],
    order: ['id'],
    fields: [
      to('InvoiceNumber', 'sales_invoice_id', salesInvoice),
      to('OrderNumber', 'sales_order_id', order),
      to('PurchaseInvoice', 'purchase_invoice_id', placed('purchase_invoice')),
      to('PeriodicInvoice', 'periodic_invoice_id', placed('periodic_invoice')),
      ...of(text, { FileName: 'file_name', ContentType: 'content_type', FileUrl: 'url', Failure: 'failure' }),
      ...of(yesNo, { Internal: 'is_internal' }),
      ...of(whole, { CreatedOn: 'created_on' }),
    ],
    derived: nothing,
    parts: [],
  },
  own('journal-entries.csv', 'journal_entry', [
    ...of(text, { Journal: 'journal', Description: 'description' }),
    ...of(date, { Date: 'date' }),
    to('InvoiceNumber', 'sales_invoice_id', salesInvoice),
    to('PurchaseInvoice', 'purchase_invoice_id', placed('purchase_invoice')),
    ...of(whole, { CreatedOn: 'created_on' }),
  ]),
  part('journal-lines.csv', 'journal_line', [
    to('JournalEntry', 'journal_entry_id', placed('journal_entry')),
    ...of(text, { LedgerAccountNumber: 'ledger_account_number', TaxCode: 'tax_code', Description: 'description' }),
    ...of(money, { Debit: 'debit', Credit: 'credit' }),
  ]),
];

/** The tables whose rows are named by their place in their file. */
export const placedTables: ReadonlySet<string> = new Set(
  archiveFiles.flatMap(({ fields }) =>
    fields.flatMap((field) => ('to' in field && 'place' in field.to ? field.to.table : [])),
  ),
);

/** What a folder with an exported administration says of itself, in archive.json. */
export type Manifest = { format: string; version: number; rows: Record<string, number> };
export const FORMAT = 'ledgerline administration';
export const VERSION = 3;
export const MANIFEST = 'archive.json';
