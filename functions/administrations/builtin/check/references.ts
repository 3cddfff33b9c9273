import { type Kysely, type SqlBool, sql } from 'kysely';
import { archiveFiles, type Field, type Target } from '../archive/archive.ts';
import { belonging, ownersOf } from '../sql/belonging.ts';
import type { Database } from '../sql/database.ts';
import type { TableName } from '../sql/declarations/tables.ts';

/** A column that refers to another row, which must belong to the same administration. */
type Reference = {
  table: TableName;
  /** The column that names a row for people: its own, or of the row it belongs to. */
  name: { column: string } | { of: string; owner: string; column: string };
  column: string;
  to: Pick<Target, 'table'> & { where?: readonly [column: string, value: string] };
};

/** The columns that name a row for people. */
const nameColumns = ['guid', 'article_number', 'number', 'description'];

/** All references, from the declared tables. */
const references: readonly Reference[] = archiveFiles.flatMap(({ table, fields, parts }) => {
  const [first] = fields as [Field];
  const { column } = fields.find(({ column }) => nameColumns.includes(column)) ?? first;
  const name =
    'to' in first && 'key' in first.to ? { of: first.to.table, owner: first.column, column: first.to.key } : { column };
  return [
    ...referencesOf(table, name, fields),
    ...parts.flatMap((part) => {
      const ofOwner = { of: table, owner: part.owner, column: first.column };
      if (part.as !== 'custom fields') return referencesOf(part.table, ofOwner, part.fields);
      const to = { table: 'custom_field', where: ['owner', part.of] } as const;
      return { table: part.table, name: ofOwner, column: 'custom_field_id', to };
    }),
  ];
});

function referencesOf(table: TableName, name: Reference['name'], fields: readonly Field[]): Reference[] {
  const [owner, ...others] = ownersOf(table);
  return fields.flatMap((field) =>
    // The only owner of a row decides which administration it belongs to.
    'filed' in field || (others.length === 0 && field.column === owner!.column)
      ? []
      : { table, name, column: field.column, to: field.to },
  );
}

/** Checks that rows refer to rows of their administration, on the right side, and that two references of a row agree. */
export async function* checkReferences(db: Database, administrationId: bigint): AsyncGenerator<string> {
  for (const reference of references) yield* checkReference(db, administrationId, reference);
  const otherCustomers = await db
    .selectFrom('sales_invoice')
    .innerJoin('sales_order', 'sales_order.id', 'sales_invoice.sales_order_id')
    .where('sales_invoice.administration_id', '=', administrationId)
    .whereRef('sales_order.relation_id', '<>', 'sales_invoice.relation_id')
    .orderBy('sales_invoice.id')
    .select(['sales_invoice.number', 'sales_order.number as order'])
    .execute();
  for (const { number, order } of otherCustomers)
    yield `Sales invoice ${number} is for order ${order}, which is another relation's.`;
  const otherBatches = await db
    .selectFrom('stock_mutation')
    .innerJoin('product', 'product.id', 'stock_mutation.product_id')
    .innerJoin('product_batch', 'product_batch.id', 'stock_mutation.batch_id')
    .where('administration_id', '=', administrationId)
    .whereRef('product_batch.product_id', '<>', 'stock_mutation.product_id')
    .orderBy('stock_mutation.id')
    .select(['article_number', 'product_batch.description'])
    .execute();
  for (const { article_number, description } of otherBatches)
    yield `A mutation of the stock of article ${article_number} is of batch ${description}, which is another article's.`;
}

async function* checkReference(
  db: Database,
  administrationId: bigint,
  { table, name, column, to }: Reference,
): AsyncGenerator<string> {
  const tables = db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const ref = (column: string) => sql.ref(`${table}.${column}`);
  const side = to.where === undefined ? sql`` : sql`and target.${sql.ref(to.where[0])} = ${to.where[1]}`;
  // A value for each row, by its key. PostgreSQL compares all rows with all others where it expects few, as it does of
  // an administration that was just imported and is not in its statistics.
  const found = sql<SqlBool>`coalesce((select ${belonging(administrationId, to.table, 'target')} ${side}
    from ${sql.table(to.table)} as target where target.id = ${ref(column)}), false)`;
  const nameOf =
    'of' in name
      ? sql`(select owner.${sql.ref(name.column)} from ${sql.table(name.of)} as owner where owner.id = ${ref(name.owner)})`
      : sql`${ref(name.column)}`;
  const wrong = await tables
    .selectFrom(table as string)
    .where(belonging(administrationId, table))
    .where(column, 'is not', null)
    .where((eb) => eb.not(found))
    .select(nameOf.as('name'))
    // Not every row has a name, and databases differ in where those come.
    .orderBy('name', (name) => name.asc().nullsLast())
    .execute();
  const what = to.where === undefined ? to.table : `${to.where[1]} ${to.table}`;
  for (const row of wrong) {
    const subject = 'of' in name ? `of ${name.of} ${row.name}` : row.name;
    yield `${table}${row.name === null ? '' : ` ${subject}`}: its ${column} is no ${what} of this administration.`;
  }
}
