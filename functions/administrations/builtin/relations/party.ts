import { type Found, fieldError, foundOr, refused } from '../../../../shared/fieldErrors.ts';
import { folded } from '../sql/comparedText.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Row } from '../sql/schema.ts';

export type Role = 'Customer' | 'Supplier';

/** The customer or supplier of a request. */
export type PartyInput<Of extends Role> = Partial<Record<`${Of}Number`, number>> &
  Partial<Record<`${Of}Name` | `${Of}Email`, string>>;

/**
 * Finds the relations of many documents at once. The number has precedence over name and e-mail address;
 * of those, all supplied ones must match. Of several matches the first by RelationGUID is used.
 * @returns the relation of a request, or the refusal
 */
export async function findParties<Of extends Role>(
  { db, administration }: EndpointContext,
  role: Of,
  requests: readonly PartyInput<NoInfer<Of>>[],
): Promise<(request: PartyInput<NoInfer<Of>>) => Found<Row<'relation'>>> {
  const namesOf = (request: object) => {
    const fields = request as Record<string, unknown>;
    const name = fields[`${role}Name`] as string | undefined;
    const email = fields[`${role}Email`] as string | undefined;
    const number = fields[`${role}Number`] as number | undefined;
    // Spaces alone match no relation, since many have no e-mail address.
    return { number, name, email, key: { name: folded(name ?? ''), email: folded(email ?? '') } };
  };
  const all = requests.map(namesOf);
  const unnumbered = all.filter(({ number }) => !number).map(({ key }) => key);
  const select = async <Value extends string | bigint>(
    column: 'customer_number' | 'supplier_number' | 'name_folded' | 'email_folded',
    values: readonly Value[],
  ) =>
    values.length === 0
      ? []
      : await db
          .selectFrom('relation')
          .where('administration_id', '=', administration.id)
          .where(role === 'Customer' ? 'is_customer' : 'is_supplier', '=', 1n)
          .where(column as 'name_folded', 'in', [...new Set(values)] as string[])
          .selectAll()
          .execute();
  const numberColumn = role === 'Customer' ? 'customer_number' : 'supplier_number';
  const numbered = await select(
    numberColumn,
    all.flatMap(({ number }) => (number ? BigInt(number) : [])),
  );
  const named = await select(
    'name_folded',
    unnumbered.flatMap(({ name }) => name || []),
  );
  const mailed = await select(
    'email_folded',
    unnumbered.flatMap(({ name, email }) => (name === '' && email !== '' ? email : [])),
  );
  const byNumber = new Map(numbered.map((relation) => [relation[numberColumn], relation]));
  const inOrder = (relations: Row<'relation'>[]) => relations.sort((a, b) => (a.guid < b.guid ? -1 : 1));
  const byName = Map.groupBy(inOrder(named), ({ name_folded }) => name_folded);
  const byEmail = Map.groupBy(inOrder(mailed), ({ email_folded }) => email_folded);
  return (request) => {
    const { number, name, email, key } = namesOf(request);
    if (number) {
      return foundOr(byNumber.get(BigInt(number)), () =>
        fieldError(`${role}Number`, 'NO_SUCH_PARTY_NUMBER', { role, number }),
      );
    }
    if (name === undefined && email === undefined)
      return refused(fieldError(`${role}Number`, 'REQUIRED_PARTY', { role }));
    const matching = key.name === '' ? byEmail.get(key.email) : byName.get(key.name);
    const relation = matching?.find(({ email_folded }) => key.email === '' || email_folded === key.email);
    const names = [name, email].filter((text) => text !== undefined).join(', ');
    const field = `${role}${name === undefined ? 'Email' : 'Name'}`;
    return foundOr(relation, () => fieldError(field, 'NO_SUCH_PARTY', { role, name: names }));
  };
}

/** The contact that each relation's documents are addressed to: its default contact, else its first. */
export async function mainContacts(
  { db }: EndpointContext,
  relationIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Row<'relation_contact'>>> {
  if (relationIds.length === 0) return new Map();
  const contacts = await db
    .selectFrom('relation_contact')
    .where('relation_id', 'in', [...new Set(relationIds)])
    // The last contact of a relation remains in the map.
    .orderBy('is_default')
    .orderBy('position', 'desc')
    .selectAll()
    .execute();
  return new Map(contacts.map((contact) => [contact.relation_id, contact]));
}

/** A contact as a document has it: the preposition is a part of the last name, since documents have no field for it. */
export const documentContact = (contact: Row<'relation_contact'>) => ({
  email: contact.email,
  phone: contact.phone,
  sex: contact.sex,
  last_name: [contact.preposition, contact.last_name].filter((part) => part !== '').join(' '),
  first_name: contact.first_name,
  notes: contact.notes,
  is_default: contact.is_default,
});
