import { sql } from 'kysely';
import { refuseField } from '../../../../shared/problem.ts';
import { folded } from '../sql/comparedText.ts';
import { prepared } from '../sql/prepared.ts';
import type { Row } from '../sql/schema.ts';
import type { Scope } from '../sql/scope.ts';

type Role = 'Customer' | 'Supplier';

/** How a request names its customer or supplier. */
export type PartyGiven<Of extends Role> = Partial<Record<`${Of}Number`, number>> &
  Partial<Record<`${Of}Name` | `${Of}Email`, string>>;

/**
 * The relation a document is for. The number goes before name and e-mail address; of these, all that are given must match.
 * Of several that match it is the first by RelationGUID.
 * @throws Problem INVALID_REQUEST when there is none
 */
export async function findParty<Of extends Role>(
  { db, administration }: Scope,
  role: Of,
  request: PartyGiven<NoInfer<Of>>,
): Promise<Row<'relation'>> {
  const fields = request as Record<string, unknown>;
  const given = {
    number: fields[`${role}Number`] as number | undefined,
    name: fields[`${role}Name`] as string | undefined,
    email: fields[`${role}Email`] as string | undefined,
  };
  const name = folded(given.name ?? '');
  const email = folded(given.email ?? '');
  let found = db
    .selectFrom('relation')
    .where('administration_id', '=', administration.id)
    .where(role === 'Customer' ? 'is_customer' : 'is_supplier', '=', 1n)
    // Found by its name or number and then sorted; without the plus SQLite goes through them all in this order.
    .orderBy(sql`+guid`)
    .selectAll();
  if (given.number) {
    found = found.where(role === 'Customer' ? 'customer_number' : 'supplier_number', '=', BigInt(given.number));
    const party = await found.executeTakeFirst();
    if (party !== undefined) return party;
    throw refuseField(`${role}Number`, 'NO_SUCH_PARTY_NUMBER', { role, number: given.number });
  }
  if (name !== '') found = found.where('name_folded', '=', name);
  if (email !== '') found = found.where('email_folded', '=', email);
  // Spaces alone name nobody: many relations have no e-mail address.
  const party = name === '' && email === '' ? undefined : await found.executeTakeFirst();
  if (party !== undefined) return party;
  const named = [given.name, given.email].filter((text) => text !== undefined).join(', ');
  throw refuseField(given.name === undefined ? `${role}Email` : `${role}Name`, 'NO_SUCH_PARTY', { role, name: named });
}

/** The person a document is addressed to: the relation's default contact, else its first. */
export async function mainContact({ db }: Scope, relationId: bigint): Promise<Row<'relation_contact'> | undefined> {
  const [contact] = await firstContact(db, { relationId });
  return contact;
}

const firstContact = prepared((db, { relationId }: { relationId: bigint }) =>
  db
    .selectFrom('relation_contact')
    .where('relation_id', '=', relationId)
    .orderBy('is_default', 'desc')
    .orderBy('position')
    .limit(1)
    .selectAll(),
);

/** A contact as documents keep it. */
export const documentContact = (contact: Row<'relation_contact'>) => ({
  email: contact.email,
  phone: contact.phone,
  sex: contact.sex,
  last_name: contact.last_name,
  first_name: contact.first_name,
  notes: contact.notes,
  is_default: contact.is_default,
});
