import { AUDITFILE_ID } from '../import/auditfile/customersSuppliers.ts';
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
  const before = await idsOfAuditfiles(db, administrationId);
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

/** By relation. */
async function idsOfAuditfiles(db: Database, administrationId: bigint): Promise<Map<bigint, string>> {
  const rows = await db
    .selectFrom('relation_custom_field')
    .innerJoin('custom_field', 'custom_field.id', 'relation_custom_field.custom_field_id')
    .where('custom_field.administration_id', '=', administrationId)
    .where('custom_field.owner', '=', 'relation')
    .where('custom_field.label', '=', AUDITFILE_ID)
    .select(['relation_id', 'value'])
    .execute();
  return new Map(rows.map(({ relation_id, value }) => [relation_id, value]));
}
