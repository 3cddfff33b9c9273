import type { Columns } from '../../files/column.ts';
import type { Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import type { ImportContext } from '../importRows.ts';
import type { DocumentRows } from './documentRows.ts';

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Makes of documents what their maker takes, each with the relation it names by its RelationGUID, if it names one. A
 * document whose relation is not there is reported, and left out.
 * @param what the relation must be
 */
export async function withRelations<Table extends Columns, Given>(
  { db, administration }: ImportContext,
  documents: readonly DocumentRows<Table>[],
  what: 'relation' | 'customer' | 'supplier',
  make: (document: DocumentRows<Table>, relation: Row<'relation'> | undefined) => Given,
): Promise<{ document: DocumentRows<Table>; given: Given }[]> {
  const guidOf = ({ first }: DocumentRows<Table>) => (first.values as Values).RelationGUID;
  const guids = [...new Set(documents.flatMap((document) => guidOf(document) ?? []))].map(BigInt);
  const rows =
    guids.length === 0
      ? []
      : await db
          .selectFrom('relation')
          .where('administration_id', '=', administration.id)
          .where('guid', 'in', guids)
          .selectAll()
          .execute();
  const found = new Map(
    rows.filter((row) => what === 'relation' || row[`${what}_number`] !== null).map((row) => [String(row.guid), row]),
  );
  return documents.flatMap((document) => {
    const guid = guidOf(document);
    const relation = guid === undefined ? undefined : found.get(guid);
    if (guid === undefined || relation !== undefined) return { document, given: make(document, relation) };
    document.report('RelationGUID', `expected the RelationGUID of a ${what}, got ${guid}`);
    return [];
  });
}

/** The documents there are of the numbers in a column. */
export async function rowsNumbered<Table extends Columns>(
  { db, administration }: ImportContext,
  table: 'sales_invoice' | 'sales_order' | 'purchase_invoice',
  documents: readonly DocumentRows<Table>[],
  column: keyof Table & string,
): Promise<{ id: bigint; number: bigint; relation_id: bigint }[]> {
  const numbers = documents.flatMap(({ first }) => (first.values as Values)[column] ?? []).map(BigInt);
  if (numbers.length === 0) return [];
  return db
    .selectFrom(table as 'sales_order')
    .where('administration_id', '=', administration.id)
    .where('number', 'in', numbers)
    .select(['id', 'number', 'relation_id'])
    .execute();
}

/** How a document named a relation that is known by its RelationGUID. */
export function namedThen({ values }: ImportRow, role: 'Customer' | 'Supplier', relation: Row<'relation'> | undefined) {
  if (relation === undefined) return undefined;
  const { [`${role}Number`]: number, [`${role}Name`]: name } = values as Values;
  return { number: number === undefined ? null : BigInt(number), name: name ?? relation.name };
}
