import type { Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import type { ImportContext } from '../importRows.ts';

/** The columns a relation is known by, and where a row of a file has them. */
const identities = {
  guid: 'RelationGUID',
  customer_number: 'CustomerNumber',
  supplier_number: 'SupplierNumber',
} as const;
type Identity = keyof typeof identities;

export type FoundRelations = Record<Identity, Map<bigint, Row<'relation'>>>;

/** The relations that rows name, one way or another. */
export async function findRelations(
  { db, administration }: ImportContext,
  rows: readonly ImportRow[],
): Promise<FoundRelations> {
  const find = async (identity: Identity) => {
    const numbers = rows.flatMap(({ values }) => {
      const value = values[identities[identity]] as string | number | undefined;
      return value === undefined ? [] : BigInt(value);
    });
    if (numbers.length === 0) return new Map<bigint, Row<'relation'>>();
    const relations = await db
      .selectFrom('relation')
      .where('administration_id', '=', administration.id)
      .where(identity, 'in', numbers)
      .selectAll()
      .execute();
    return new Map(relations.map((relation) => [relation[identity]!, relation]));
  };
  return {
    guid: await find('guid'),
    customer_number: await find('customer_number'),
    supplier_number: await find('supplier_number'),
  };
}

/** Hands out numbers past all that were ever given, the file's own among them as they are seen. */
export async function relationNumbering({ db, administration }: ImportContext) {
  const highest = await db
    .selectFrom('relation')
    .where('administration_id', '=', administration.id)
    .select((eb) => [
      eb.fn.max<bigint | null>('guid').as('guid'),
      eb.fn.max<bigint | null>('customer_number').as('customer_number'),
      eb.fn.max<bigint | null>('supplier_number').as('supplier_number'),
    ])
    .executeTakeFirstOrThrow();
  const counter = await db
    .selectFrom('counter')
    .where('administration_id', '=', administration.id)
    .where('name', '=', 'relation')
    .select('value')
    .executeTakeFirst();
  const last: Record<Identity, bigint> = { guid: counter?.value ?? 0n, customer_number: 0n, supplier_number: 0n };
  const seen = (row: Partial<Record<Identity, bigint | null>>) => {
    for (const identity of Object.keys(last) as Identity[]) {
      const number = row[identity] ?? 0n;
      if (number > last[identity]) last[identity] = number;
    }
  };
  seen(highest);
  return { next: (identity: Identity): bigint => ++last[identity], seen, lastGuid: (): bigint => last.guid };
}
