import { type Adds, invoiceAdds, orderAdds } from '../files/documentAmounts.ts';
import { ownersOf } from '../sql/belonging.ts';
import { nameColumns, type TableName } from '../sql/declarations/tables.ts';
import { columnsOf } from '../sql/rows.ts';
import { type FiledColumn, filedColumn } from './filedColumn.ts';

/*
 * The CSV files of an archive of an administration. Relations, invoices and other resources have the format of their
 * import, with all columns; every other table has a file. The columns are those that the tables declare with a heading.
 * Rows refer to each other by public identifiers, such as the RelationGUID; journal entries and others by position.
 */

/** How files refer to a row. */
export type Target =
  | { table: TableName; key: string; filed: FiledColumn; where?: readonly [column: string, value: string] }
  /** Its position among the rows of its file, from 1. */
  | { table: TableName; place: true };

export type Field = { heading: string; column: string } & ({ filed: FiledColumn } | { to: Target });

export type ArchiveFile = {
  file: string;
  table: TableName;
  /** The columns that order the rows; together they are unique. */
  order: readonly string[];
  /** Only rows with this value in a column; the others are in another file. */
  only?: readonly [column: string, value: string];
  fields: readonly Field[];
  /** Further columns of the file, beside those of the table. */
  parts: readonly FilePart[];
};

/** Rows of another table that are written with the rows they belong to. */
export type FilePart = PositionedPart | CustomFieldsPart;

export type PositionedPart = {
  /** In columns such as Contact_LastName and Contact2_LastName; or, as lines of documents, each in a row. */
  as: { columns: string } | { lines: Adds };
  table: TableName;
  /** The column that refers to the row it belongs to; `position` orders them. */
  owner: string;
  fields: readonly Field[];
};

/** A column for each custom field, with label, type and role in its heading. */
export type CustomFieldsPart = { as: 'custom fields'; of: 'relation' | 'product'; table: TableName; owner: string };

/** The column that counts the rows of one document, from 1. */
export const LINE_NUMBER = 'LineNumber';

function targetOf({ table, where }: { table: string; where?: readonly [string, string] }): Target {
  const name = table as TableName;
  if (!Object.hasOwn(nameColumns, name)) return { table: name, place: true };
  const key = nameColumns[name as keyof typeof nameColumns];
  const [, column] = columnsOf(name).find(([one]) => one === key)!;
  return { table: name, key, filed: filedColumn(column), ...(where === undefined ? {} : { where }) };
}

/** The columns of a table in files. */
const fieldsOf = (table: TableName): Field[] =>
  columnsOf(table).flatMap(([name, column]): Field[] => {
    const { heading, to } = column;
    if (heading === null) return [];
    const field = { heading, column: name };
    return [to === null ? { ...field, filed: filedColumn(column) } : { ...field, to: targetOf(to) }];
  });

/** A file of the rows of a table. */
const fileOf = (file: string, table: TableName, more: Partial<ArchiveFile> = {}): ArchiveFile => ({
  file,
  table,
  order: ['id'],
  fields: fieldsOf(table),
  parts: [],
  ...more,
});

const partOf = (table: TableName, as: PositionedPart['as']): FilePart => ({
  as,
  table,
  owner: ownersOf(table)[0]!.column,
  fields: fieldsOf(table),
});

const customFields = (of: 'relation' | 'product'): FilePart => {
  const table = `${of}_custom_field` as const;
  return { as: 'custom fields', of, table, owner: `${of}_id` };
};

/** Custom fields with an empty value: an empty cell means that there is no value at all. */
const emptyFields = (of: 'relation' | 'product'): ArchiveFile =>
  fileOf(`${of}-empty-fields.csv`, `${of}_custom_field`, {
    order: [`${of}_id`, 'custom_field_id'],
    only: ['value', ''],
  });

/** The exported columns of the administration itself, in a file of one row. */
export const settings = fileOf('administration.csv', 'administration');

/** The folder of attachment files, and the column with their names. */
export const ATTACHMENTS = 'attachments';
export const ATTACHMENT_FILE = 'File';

/** All files but `settings`, ordered so that every row comes after the rows it refers to. */
export const archiveFiles: readonly ArchiveFile[] = [
  fileOf('numbering.csv', 'counter', { order: ['name'] }),
  fileOf('tax-codes.csv', 'tax_code'),
  fileOf('accounts.csv', 'ledger_account'),
  fileOf('fiscal-years.csv', 'fiscal_year'),
  fileOf('opening-balances.csv', 'opening_line'),
  fileOf('cost-centers.csv', 'cost_center'),
  fileOf('document-templates.csv', 'document_template'),
  fileOf('order-statuses.csv', 'order_status'),
  fileOf('product-categories.csv', 'product_category'),
  fileOf('relations.csv', 'relation', {
    parts: [
      partOf('relation_contact', { columns: 'Contact' }),
      partOf('relation_bank_account', { columns: 'BankAccount' }),
      customFields('relation'),
    ],
  }),
  fileOf('relation-addresses.csv', 'relation_address'),
  emptyFields('relation'),
  fileOf('products.csv', 'product', { parts: [customFields('product')] }),
  emptyFields('product'),
  fileOf('product-batches.csv', 'product_batch'),
  fileOf('projects.csv', 'project'),
  fileOf('material-bookings.csv', 'material_booking'),
  fileOf('orders.csv', 'sales_order', { parts: [partOf('sales_order_line', { lines: orderAdds })] }),
  fileOf('order-addresses.csv', 'sales_order_address'),
  fileOf('order-contacts.csv', 'sales_order_contact'),
  fileOf('invoices.csv', 'sales_invoice', { parts: [partOf('sales_invoice_line', { lines: invoiceAdds })] }),
  fileOf('invoice-addresses.csv', 'sales_invoice_address'),
  fileOf('invoice-contacts.csv', 'sales_invoice_contact'),
  fileOf('stock-mutations.csv', 'stock_mutation'),
  fileOf('purchase-invoices.csv', 'purchase_invoice', {
    parts: [partOf('purchase_invoice_line', { lines: invoiceAdds })],
  }),
  fileOf('periodic-invoices.csv', 'periodic_invoice'),
  fileOf('attachments.csv', 'attachment'),
  fileOf('journal-entries.csv', 'journal_entry'),
  fileOf('journal-lines.csv', 'journal_line'),
  fileOf('vat-rules.csv', 'vat_rule'),
  fileOf('vat-returns.csv', 'vat_return'),
  fileOf('log.csv', 'log', { order: ['sequence'] }),
];

/** The tables whose rows are referred to by their position in their file. */
export const placedTables: ReadonlySet<string> = new Set(
  archiveFiles.flatMap(({ fields }) =>
    fields.flatMap((field) => ('to' in field && 'place' in field.to ? field.to.table : [])),
  ),
);
