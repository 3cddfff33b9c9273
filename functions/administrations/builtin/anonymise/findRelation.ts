import { CommandError } from '../files/commandError.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

/** The numbers of a relation, by their names on the command line. */
export const relationNumbers = { guid: 'guid', customer: 'customer_number', supplier: 'supplier_number' } as const;
export type RelationNumber = keyof typeof relationNumbers;

/** The relation with a number, of one kind or of any. @throws CommandError when no relation has it, or several do */
export async function findRelation(
  db: Database,
  { administrationId, number, by }: { administrationId: bigint; number: bigint; by?: RelationNumber | undefined },
): Promise<Row<'relation'>> {
  const kinds = by === undefined ? (Object.keys(relationNumbers) as RelationNumber[]) : [by];
  const found = await db
    .selectFrom('relation')
    .where('administration_id', '=', administrationId)
    .where((eb) => eb.or(kinds.map((kind) => eb(relationNumbers[kind], '=', number))))
    .orderBy('guid')
    .selectAll()
    .execute();
  const [relation, ...others] = found;
  if (relation === undefined) throw new CommandError(`Administration ${administrationId} has no relation ${number}.`);
  if (others.length === 0) return relation;
  const guids = found.map(({ guid }) => guid).join(', ');
  throw new CommandError(
    `Several relations have the number ${number}, with the RelationGUIDs ${guids}: say by --by which number is meant.`,
  );
}
