import { relationsById } from '../import/auditfile/customersSuppliers.ts';
import type { Database } from '../sql/database.ts';

/**
 * The identification of each relation, by its id: what it had in an audit file; else its number, if it has one number
 * that no other relation has; else C7, S7 or C7-S8 for its numbers as customer and supplier; else R with its GUID.
 */
export async function partyIds(db: Database, administrationId: bigint): Promise<Map<bigint, string>> {
  const relations = await db
    .selectFrom('relation')
    .where('administration_id', '=', administrationId)
    .select(['id', 'guid', 'customer_number as customer', 'supplier_number as supplier'])
    .execute();
  const before = new Map((await relationsById(db, administrationId)).map(({ id, value }) => [id, value]));
  const uses = new Map<string, number>();
  const choices = relations.map(({ id, guid, customer, supplier }) => {
    const numbers = [...(customer === null ? [] : [`C${customer}`]), ...(supplier === null ? [] : [`S${supplier}`])];
    const number = customer === null || supplier === null || customer === supplier ? (customer ?? supplier) : null;
    const ids = [before.get(id) ?? '', number === null ? '' : String(number), numbers.join('-'), `R${guid}`];
    const possible = ids.filter((one) => one !== '' && one.length <= 35);
    for (const one of possible) uses.set(one, (uses.get(one) ?? 0) + 1);
    return { id, guid, possible };
  });
  return new Map(
    choices.map(({ id, guid, possible }) => [id, possible.find((one) => uses.get(one) === 1) ?? `R${guid}`]),
  );
}
