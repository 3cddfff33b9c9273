import { ownIdentifications, relationsById } from '../import/auditfile/customersSuppliers.ts';
import type { Database } from '../sql/database.ts';

/**
 * The identification of each relation, by its id: what it had in an audit file; else its number, if it has one for
 * all that it is, and no other relation has it; else one of our own.
 */
export async function partyIds(db: Database, administrationId: bigint): Promise<Map<bigint, string>> {
  const relations = await db
    .selectFrom('relation')
    .where('administration_id', '=', administrationId)
    .select(['id', 'guid', 'customer_number', 'supplier_number', 'is_customer', 'is_supplier'])
    .execute();
  const before = new Map((await relationsById(db, administrationId)).map(({ id, value }) => [id, value]));
  const uses = new Map<string, number>();
  const choices = relations.map((relation) => {
    const { id, guid, customer_number: customer, supplier_number: supplier } = relation;
    const isOneNumber = customer === supplier || relation.is_customer === 0n || relation.is_supplier === 0n;
    const number = isOneNumber ? (customer ?? supplier) : null;
    const ids = [before.get(id) ?? '', number === null ? '' : String(number), ...ownIdentifications(relation)];
    const possible = ids.filter((one) => one !== '' && one.length <= 35);
    for (const one of possible) uses.set(one, (uses.get(one) ?? 0) + 1);
    return { id, guid, possible };
  });
  return new Map(
    choices.map(({ id, guid, possible }) => [id, possible.find((one) => uses.get(one) === 1) ?? `R${guid}`]),
  );
}
