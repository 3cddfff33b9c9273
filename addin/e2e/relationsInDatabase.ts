import { DatabaseSync } from 'node:sqlite';

type Cells = Record<string, string | number | boolean>;

/** Days since 30 December 1899 of a moment in UNIX seconds, on the clock of UTC. */
const serial = (column: string) => `(${column} * 1000 + 2209161600000) / 86400000.0`;

const columns = {
  'Relation ID': 'cast(guid as text)',
  Name: 'name',
  'Customer number': "coalesce(cast(customer_number as text), '')",
  'Supplier number': "coalesce(cast(supplier_number as text), '')",
  'Business or private': "case is_business when 1 then 'Business' else 'Private' end",
  'VAT number': 'vat_number',
  'Registration number': 'registration_number',
  'E-mail': 'email',
  Phone: 'phone',
  Street: 'street',
  'House number': 'unit',
  Addition: 'unit_appendix',
  'Postal code': 'postal_code',
  City: 'city',
  Country: 'country_code',
  Group: 'group_name',
  Customer: 'is_customer',
  Supplier: 'is_supplier',
  Other: 'is_other',
  'Created on': serial('created_on'),
  'Changed on': serial('changed_on'),
};

const booleans = ['Customer', 'Supplier', 'Other'];

/**
 * The expected cells of the sheet of an export's relations in a browser on UTC, read from the database by SQL alone,
 * without the app's own code.
 */
export function relationsInDatabase(file: string, administrationId: number): Cells[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const list = Object.entries(columns).map(([heading, expression]) => `${expression} as "${heading}"`);
  try {
    const rows = database
      .prepare(`select ${list.join(', ')} from relation where administration_id = ? order by guid`)
      .all(administrationId) as Cells[];
    return rows.map((row) => ({ ...row, ...Object.fromEntries(booleans.map((name) => [name, row[name] === 1])) }));
  } finally {
    database.close();
  }
}

/** How many contacts, bank accounts and values of custom fields the relations of an administration have. */
export function partsInDatabase(file: string, administrationId: number) {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = (table: string): number =>
    Number(
      database
        .prepare(
          `select count(*) as n from ${table} p join relation r on r.id = p.relation_id where r.administration_id = ?`,
        )
        .get(administrationId)!.n,
    );
  try {
    return {
      contacts: count('relation_contact'),
      bankAccounts: count('relation_bank_account'),
      customFields: count('relation_custom_field'),
    };
  } finally {
    database.close();
  }
}
