import type { Columns } from '../../files/column.ts';
import type { Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import { rowsWith } from '../existingRows.ts';
import type { ImportContext } from '../importRows.ts';
import type { DocumentRows } from './documentRows.ts';

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Makes the inputs of documents, each with the relation of its RelationGUID, if it has one. A document with an unknown
 * RelationGUID is reported and left out.
 * @param role the role that the relation must have
 */
export async function withRelations<Table extends Columns, Input>(
  context: ImportContext,
  documents: readonly DocumentRows<Table>[],
  role: 'relation' | 'customer' | 'supplier',
  make: (document: DocumentRows<Table>, relation: Row<'relation'> | undefined) => Input,
): Promise<{ document: DocumentRows<Table>; input: Input }[]> {
  const guidOf = ({ first }: DocumentRows<Table>) => (first.values as Values).RelationGUID;
  const guids = documents.flatMap((document) => guidOf(document) ?? []).map(BigInt);
  const rows = await rowsWith(context, 'relation', 'guid', guids);
  const found = new Map(
    rows.filter((row) => role === 'relation' || row[`${role}_number`] !== null).map((row) => [String(row.guid), row]),
  );
  return documents.flatMap((document) => {
    const guid = guidOf(document);
    const relation = guid === undefined ? undefined : found.get(guid);
    if (guid === undefined || relation !== undefined) return { document, input: make(document, relation) };
    document.report('RelationGUID', `expected the RelationGUID of a ${role}, got ${guid}`);
    return [];
  });
}

/** The existing documents with the numbers in a column. */
export const rowsNumbered = <
  Table extends Columns,
  Document extends 'sales_invoice' | 'sales_order' | 'purchase_invoice',
>(
  context: ImportContext,
  table: Document,
  documents: readonly DocumentRows<Table>[],
  column: keyof Table & string,
): Promise<Row<Document>[]> => {
  const numbers = documents.flatMap(({ first }) => (first.values as Values)[column] ?? []).map(BigInt);
  return rowsWith(context, table as 'sales_order', 'number', numbers) as unknown as Promise<Row<Document>[]>;
};

/** The party's data on a document whose relation is known by its RelationGUID. */
export function partyData({ values }: ImportRow, role: 'Customer' | 'Supplier', relation: Row<'relation'> | undefined) {
  if (relation === undefined) return undefined;
  const { [`${role}Number`]: number, [`${role}Name`]: name } = values as Values;
  return { number: number === undefined ? null : BigInt(number), name: name ?? relation.name };
}
