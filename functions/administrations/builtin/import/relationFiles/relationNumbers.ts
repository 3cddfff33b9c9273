import type { Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import { rowsWith } from '../existingRows.ts';
import type { ImportContext } from '../importRows.ts';

/** The columns that identify a relation, and their columns of a file; the first one of a row counts. */
export const identities = [
  ['guid', 'RelationGUID'],
  ['customer_number', 'CustomerNumber'],
  ['supplier_number', 'SupplierNumber'],
] as const;
export type Identity = (typeof identities)[number][0];

/** The numbers of a relation. */
export type RelationNumbers = Partial<Record<Identity, bigint | null>>;

/** The number in a column of a row of a file; 0 is none. */
export function numberIn(values: ImportRow['values'], column: string): bigint | undefined {
  const value = values[column] as string | number | undefined;
  return value === undefined || value === '0' ? undefined : BigInt(value);
}

/** The numbers of the relation in a row of a file. */
export const numbersOf = (values: ImportRow['values']): Partial<Record<Identity, bigint>> =>
  Object.fromEntries(
    identities.flatMap(([identity, column]) => {
      const number = numberIn(values, column);
      return number === undefined ? [] : [[identity, number]];
    }),
  );

export type FoundRelations = Record<Identity, Map<bigint, Row<'relation'>>>;

/** The relations that rows of a file name, by each of their numbers. */
export async function findRelations(context: ImportContext, rows: readonly ImportRow[]): Promise<FoundRelations> {
  const numbers = rows.map(({ values }) => numbersOf(values));
  const find = async (identity: Identity) => {
    const values = numbers.flatMap((row) => row[identity] ?? []);
    const relations = await rowsWith(context, 'relation', identity, values);
    return new Map(relations.map((relation) => [relation[identity]!, relation]));
  };
  return {
    guid: await find('guid'),
    customer_number: await find('customer_number'),
    supplier_number: await find('supplier_number'),
  };
}

/** Assigns the numbers that follow the highest ones, of the administration and of the rows seen so far. */
export async function relationNumbering({ db, administration }: ImportContext) {
  const highest = await db
    .selectFrom('relation')
    .where('administration_id', '=', administration.id)
    .select((eb) => identities.map(([identity]) => eb.fn.max<bigint | null>(identity).as(identity)))
    .executeTakeFirstOrThrow();
  const counter = await db
    .selectFrom('counter')
    .where('administration_id', '=', administration.id)
    .where('name', '=', 'relation')
    .select('value')
    .executeTakeFirst();
  const last: Record<Identity, bigint> = { guid: counter?.value ?? 0n, customer_number: 0n, supplier_number: 0n };
  const seen = (row: RelationNumbers) => {
    for (const [identity] of identities) {
      const number = row[identity] ?? 0n;
      if (number > last[identity]) last[identity] = number;
    }
  };
  seen(highest);
  return { next: (identity: Identity): bigint => ++last[identity], seen, lastGuid: (): bigint => last.guid };
}
