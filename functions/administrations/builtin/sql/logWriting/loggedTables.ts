import type { Column } from '../declarations/column.ts';
import { nameColumns, type TableName, tables } from '../declarations/tables.ts';
import { columnsOf } from '../rows.ts';

/** The tables that are not logged, and why. */
const unloggedTables = {
  counter: 'follows from the numbers of the documents',
  applied_write: 'the responses of pushes, for repeated requests',
  ledger_total: 'follows from the lines of the journal',
  sales_invoice_pdf: 'made of the invoice',
  log: 'the log itself',
  log_head: 'the log itself',
  log_change: 'the log itself',
  staged_work: 'its changes bring their rows of the log',
} satisfies Partial<Record<TableName, string>>;

export const loggedTables: readonly TableName[] = (Object.keys(tables) as TableName[]).filter(
  (table) => !Object.hasOwn(unloggedTables, table),
);

/** The columns that name the record of a row: the first one with a value. Without any, the row itself is the record. */
export function recordColumns(table: TableName): readonly { column: string; record: TableName }[] {
  const columns = columnsOf(table).filter(([name, { isOwner, to }]) =>
    table === 'journal_entry' ? /_invoice_id$/.test(name) : isOwner && to!.table !== 'administration',
  );
  return columns.map(([column, { to }]) => ({ column, record: to!.table as TableName }));
}

/** Relations and records about them. */
const ofRelations: ReadonlySet<TableName> = new Set<TableName>([
  'relation',
  'sales_invoice',
  'sales_order',
  'purchase_invoice',
  'periodic_invoice',
  'journal_entry',
  'project',
  'material_booking',
]);

/** Tables in which a document about a relation makes rows, named by its texts. */
export const namedByDocuments: ReadonlySet<TableName> = new Set<TableName>(['cost_center']);

/** Whether rows of a table are about a relation. */
export const isOfRelation = (table: TableName): boolean =>
  ofRelations.has(table) || recordColumns(table).some(({ record }) => ofRelations.has(record));

/**
 * SQL for the RelationGUID of the relation that a row is about; null when the row does not name one.
 * @param row the name of the row in the statement
 */
export function relationGuidOf(table: TableName, row: string): string {
  if (table === 'relation') return `${row}.guid`;
  if (!isOfRelation(table)) return 'null';
  const column = columnsOf(table).find(([, { to, isOwner }]) => to?.table === 'relation' && !isOwner)?.[0];
  const guid = column === undefined ? 'null' : `(select guid from relation where id = ${row}.${column})`;
  if (table !== 'material_booking') return guid;
  // A material booking is about the customer of its project rather than about the supplier.
  return `coalesce((select relation.guid from project join relation on relation.id = project.customer_id
    where project.id = ${row}.project_id), ${guid})`;
}

/** The logged columns of a table, and whether their values are personal: every text that a document may bring. */
export function loggedColumns(table: TableName): { name: string; column: Column; isPersonal: boolean }[] {
  const records = recordColumns(table).map(({ column }) => column);
  return columnsOf(table).flatMap(([name, column]) =>
    !column.isLogged || name === 'id' || name === 'administration_id' || records.includes(name)
      ? []
      : { name, column, isPersonal: column.kind === 'text' && (isOfRelation(table) || namedByDocuments.has(table)) },
  );
}

/** The column that identifies the rows of a table for people. */
export function subjectColumn(table: TableName): string {
  if (Object.hasOwn(nameColumns, table)) return nameColumns[table as keyof typeof nameColumns];
  return ['number', 'name', 'id'].find((column) => Object.hasOwn(tables[table], column))!;
}
