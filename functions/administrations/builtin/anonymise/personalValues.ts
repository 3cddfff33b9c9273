import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { documentsOf } from './relationDocuments.ts';

/** Characters below which a value says too little of somebody to be looked for in other texts. */
const MIN_LENGTH = 4;

/**
 * The values that tell who a relation is: names, e-mail addresses, telephone, VAT, company and bank account numbers, and
 * streets with their numbers; its own, those of its contacts, and those on its documents.
 */
export async function personalValues(db: Database, relation: Row<'relation'>): Promise<Set<string>> {
  const { id } = relation;
  const { invoices, orders } = documentsOf(db, id);
  const ofRelation = <Table extends 'relation_contact' | 'relation_bank_account' | 'relation_address'>(table: Table) =>
    db
      .selectFrom(table as 'relation_contact')
      .where('relation_id', '=', id)
      .selectAll()
      .execute() as unknown as Promise<Row<Table>[]>;
  const contacts = [
    ...(await ofRelation('relation_contact')),
    ...(await db.selectFrom('sales_invoice_contact').where('sales_invoice_id', 'in', invoices).selectAll().execute()),
    ...(await db.selectFrom('sales_order_contact').where('sales_order_id', 'in', orders).selectAll().execute()),
  ];
  const addresses = [
    relation,
    ...(await ofRelation('relation_address')),
    ...(await db.selectFrom('sales_invoice_address').where('sales_invoice_id', 'in', invoices).selectAll().execute()),
    ...(await db.selectFrom('sales_order_address').where('sales_order_id', 'in', orders).selectAll().execute()),
  ];
  const names = [
    ...(await db.selectFrom('sales_invoice').where('relation_id', '=', id).select('customer_name as name').execute()),
    ...(await db.selectFrom('sales_order').where('relation_id', '=', id).select('relation_name as name').execute()),
    ...(await db
      .selectFrom('purchase_invoice')
      .where('relation_id', '=', id)
      .select('relation_name as name')
      .execute()),
  ];
  const fullNames = [relation, ...names].map(({ name }) => name);
  const values = [
    ...fullNames,
    // Of a person, each part of the name tells who it is.
    ...(relation.is_business === 1n ? [] : fullNames.flatMap((name) => name.split(/\s+/))),
    ...[relation.email, relation.phone, relation.vat_number, relation.registration_number],
    ...contacts.flatMap(({ first_name, last_name, email, phone }) => [
      `${first_name} ${last_name}`,
      last_name,
      email,
      phone,
    ]),
    ...(await ofRelation('relation_bank_account')).flatMap(({ iban, name }) => [iban, name]),
    ...addresses.map(({ street, unit }) => (street === '' ? '' : `${street} ${unit}`)),
  ];
  return new Set(values.map((value) => value.trim()).filter((value) => value.length >= MIN_LENGTH));
}

/** Replaces every one of some values in a text, in any case, the longest first. */
export function redactor(values: ReadonlySet<string>, replacement: string): (text: string) => string {
  if (values.size === 0) return (text) => text;
  const longestFirst = [...values].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    longestFirst.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'),
    'giu',
  );
  return (text) => text.replace(pattern, () => replacement);
}
