import type { Database } from '../../sql/database.ts';
import { flag, type Row } from '../../sql/schema.ts';

/** A relation of the demo, and its first contact. */
export type Party = { row: Row<'relation'>; contact: Row<'relation_contact'> | undefined };

/** Countries whose sales and purchases have VAT of their own; the demo has one relation in each. */
const foreignCountries = { germany: 'DE', ireland: 'IE', switzerland: 'CH', kenya: 'KE', america: 'US' } as const;
export type ForeignParties = Record<keyof typeof foreignCountries, Party>;

/** The relations of a demo administration: those in the Netherlands and Belgium, and those elsewhere. */
export async function partiesOf(
  db: Database,
  administrationId: bigint,
): Promise<{ parties: Party[]; foreign: ForeignParties }> {
  const relations = await db
    .selectFrom('relation')
    .where('administration_id', '=', administrationId)
    .orderBy('id')
    .selectAll()
    .execute();
  const contacts = await db
    .selectFrom('relation_contact')
    .innerJoin('relation', 'relation.id', 'relation_id')
    .where('administration_id', '=', administrationId)
    .where('position', '=', 0n)
    .selectAll('relation_contact')
    .execute();
  const contactOf = new Map(contacts.map((contact) => [contact.relation_id, contact]));
  const all = relations.map((row): Party => ({ row, contact: contactOf.get(row.id) }));
  const foreign = Object.entries(foreignCountries).map(([name, code]) => [
    name,
    all.find(({ row }) => row.country_code === code),
  ]);
  return {
    parties: all.filter(({ row }) => row.country_code === 'NL' || row.country_code === 'BE'),
    foreign: Object.fromEntries(foreign),
  };
}

/** Whether a relation can receive invoices. */
export const isCustomer = ({ row }: Party): boolean => row.is_customer === flag(true);
export const isSupplier = ({ row }: Party): boolean => row.is_supplier === flag(true);
