import { type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type ArchiveFile, archiveFiles, type Field, type Target } from '../archive/archive.ts';
import { belonging } from '../archive/belonging.ts';
import type { Database } from '../sql/database.ts';

/** A column that refers to another row, which must belong to the same administration. */
type Reference = {
  /** The rows, and the condition that they belong to an administration. */
  rows: { table: string; belongsBy: ArchiveFile['belongsBy'] };
  /** The column that identifies a row for people: its own, or of the row it belongs to. */
  name: { column: string } | { of: string; owner: string; column: string };
  column: string;
  to: Pick<Target, 'table'> & { where?: readonly [column: string, value: string] };
};

/** The columns that name a row for people. */
const names = ['guid', 'article_number', 'number', 'description'];

/** All references, from the declared tables. */
const references: readonly Reference[] = archiveFiles.flatMap((file) => {
  const [first] = file.fields as [Field];
  const own = file.fields.find(({ column }) => names.includes(column)) ?? first;
  const name =
    'to' in first && 'key' in first.to
      ? { of: first.to.table, owner: first.column, column: first.to.key }
      : { column: own.column };
  return [
    ...referencesOf(file, name, file.fields),
    ...file.parts.flatMap((part) => {
      const rows = { table: part.table, belongsBy: [{ column: part.owner, to: file.table }] };
      const ofOwner = { of: file.table, owner: part.owner, column: first.column };
      if (part.as !== 'custom fields') return referencesOf(rows, ofOwner, part.fields);
      const to = { table: 'custom_field', where: ['owner', part.of] } as const;
      return { rows, name: ofOwner, column: 'custom_field_id', to };
    }),
  ];
});

function referencesOf(rows: Reference['rows'], name: Reference['name'], fields: readonly Field[]): Reference[] {
  const [only, ...others] = rows.belongsBy;
  return fields.flatMap((field) =>
    // The only owner of a row decides which administration it belongs to.
    'kind' in field || (others.length === 0 && field.column === only!.column)
      ? []
      : { rows, name, column: field.column, to: field.to },
  );
}

/**
 * Checks that a row refers to rows of its own administration, on the right side; and that two references of a row
 * agree.
 */
export async function* checkReferences(db: Database, administrationId: bigint): AsyncGenerator<string> {
  for (const reference of references) yield* checkReference(db, administrationId, reference);
  const ofOthers = await db
    .selectFrom('sales_invoice')
    .innerJoin('sales_order', 'sales_order.id', 'sales_invoice.sales_order_id')
    .where('sales_invoice.administration_id', '=', administrationId)
    .whereRef('sales_order.relation_id', '<>', 'sales_invoice.relation_id')
    .select(['sales_invoice.number', 'sales_order.number as order'])
    .execute();
  for (const { number, order } of ofOthers)
    yield `Sales invoice ${number} is for order ${order}, which is another relation's.`;
  const misplaced = await db
    .selectFrom('stock_mutation')
    .innerJoin('product', 'product.id', 'stock_mutation.product_id')
    .innerJoin('product_batch', 'product_batch.id', 'stock_mutation.batch_id')
    .where('administration_id', '=', administrationId)
    .whereRef('product_batch.product_id', '<>', 'stock_mutation.product_id')
    .select(['article_number', 'product_batch.description'])
    .execute();
  for (const { article_number, description } of misplaced)
    yield `A mutation of the stock of article ${article_number} is of batch ${description}, which is another article's.`;
}

async function* checkReference(
  db: Database,
  administrationId: bigint,
  { rows, name, column, to }: Reference,
): AsyncGenerator<string> {
  const tables = db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const own = (of: string) => sql.ref(`${rows.table}.${of}`);
  const side = to.where === undefined ? sql`` : sql`and target.${sql.ref(to.where[0])} = ${to.where[1]}`;
  const found = sql<SqlBool>`exists (select 1 from ${sql.table(to.table)} as target
    where target.id = ${own(column)} ${side} and ${belonging(administrationId, { table: 'target', belongsBy: belongsByOf(to.table) })})`;
  const wrong = await tables
    .selectFrom(rows.table)
    .where(belonging(administrationId, rows))
    .where(column, 'is not', null)
    .where((eb) => eb.not(found))
    .select(nameOf(name, own).as('name'))
    .execute();
  const what = to.where === undefined ? to.table : `${to.where[1]} ${to.table}`;
  for (const row of wrong) {
    const subject = 'of' in name ? `of ${name.of} ${row.name}` : row.name;
    yield `${rows.table}${row.name === null ? '' : ` ${subject}`}: its ${column} is no ${what} of this administration.`;
  }
}

/** The condition that rows of a table belong to an administration; custom fields have no file of their own. */
const belongsByOf = (table: string): ArchiveFile['belongsBy'] =>
  archiveFiles.find((file) => file.table === table)?.belongsBy ?? [
    { column: 'administration_id', to: 'administration' },
  ];

const nameOf = (name: Reference['name'], own: (column: string) => Expression<unknown>): RawBuilder<unknown> => {
  if (!('of' in name)) return sql`${own(name.column)}`;
  return sql`(select owner.${sql.ref(name.column)} from ${sql.table(name.of)} as owner where owner.id = ${own(name.owner)})`;
};
