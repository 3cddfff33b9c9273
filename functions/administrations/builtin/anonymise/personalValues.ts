import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { documentsOf } from './relationDocuments.ts';

/** Characters. Shorter values are too common to be looked for in other texts. */
const MIN_LENGTH = 4;

/** The personal values of a relation, of its contacts and on its documents, except those that are too short. */
export async function personalValues(db: Database, relation: Row<'relation'>): Promise<Set<string>> {
  const { id } = relation;
  const { invoices, orders } = documentsOf(db, id);
  const partsOf = async <Part>(kind: 'contact' | 'address'): Promise<Part[]> => {
    const parts: object[][] = [];
    for (const [owner, ids] of [
      ['relation', [id]],
      ['sales_invoice', invoices],
      ['sales_order', orders],
    ] as const) {
      const ofOwner = db.selectFrom(`${owner}_${kind}` as 'relation_contact');
      parts.push(
        await ofOwner
          .where(`${owner}_id` as 'relation_id', 'in', ids as typeof invoices)
          .selectAll()
          .execute(),
      );
    }
    return parts.flat() as Part[];
  };
  type Contact = Omit<Row<'relation_contact'>, 'preposition'> & { preposition?: string };
  const contacts = await partsOf<Contact>('contact');
  const addresses = [relation, ...(await partsOf<Row<'relation_address'>>('address'))];
  const bankAccounts = await db.selectFrom('relation_bank_account').where('relation_id', '=', id).selectAll().execute();
  const fullNames = new Set([relation.name]);
  for (const [table, column] of [
    ['sales_invoice', 'customer_name'],
    ['sales_order', 'relation_name'],
    ['purchase_invoice', 'relation_name'],
  ] as const) {
    const documents = db
      .selectFrom(table as 'sales_order')
      .where('relation_id', '=', id)
      .distinct();
    for (const { name } of await documents.select(`${column as 'relation_name'} as name`).execute())
      fullNames.add(name);
  }
  const values = [
    ...fullNames,
    // Each part of a person's name is personal.
    ...(relation.is_business === 1n ? [] : [...fullNames].flatMap((name) => name.split(/\s+/))),
    ...[relation.email, relation.phone, relation.vat_number, relation.registration_number],
    // Documents have no preposition of their own; some have it in the last name.
    ...contacts.flatMap(({ first_name, preposition = '', last_name, email, phone }) => [
      ...[last_name, `${preposition} ${last_name}`.trim()].flatMap((name) => [name, `${first_name} ${name}`]),
      email,
      phone,
    ]),
    ...bankAccounts.flatMap(({ iban, name }) => [iban, name]),
    ...addresses.map(({ street, unit }) => (street === '' ? '' : `${street} ${unit}`)),
  ];
  return new Set(values.map((value) => value.trim()).filter((value) => value.length >= MIN_LENGTH));
}

/** Returns a function that replaces values in a text, in any case, the longest first. */
export function redactor(values: ReadonlySet<string>, replacement: string): (text: string) => string {
  if (values.size === 0) return (text) => text;
  const longestFirst = [...values].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    longestFirst.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'),
    'giu',
  );
  return (text) => text.replace(pattern, () => replacement);
}
