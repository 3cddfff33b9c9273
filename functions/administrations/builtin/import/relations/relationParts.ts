import { type Column, type Columns, choice, flag, text, type ValuesOf } from '../../files/column.ts';
import { isIban } from '../../setup/checkDigits.ts';
import type { Database } from '../../sql/database.ts';
import { insertRows } from '../../sql/insertRows.ts';
import { flag as asFlag, type NewRow } from '../../sql/schema.ts';
import { storedValues } from '../storedValues.ts';
import { withPlainColumns } from '../withPlainColumns.ts';

/*
 * What a relation has several of, in columns of their own: Contact_LastName, Contact2_LastName and so on. Those of a
 * relation become those of the file, of each kind the file has columns for.
 */

/** Contacts and bank accounts a row may have. */
const MAX_PARTS = 99;

type Part<Table extends 'relation_contact' | 'relation_bank_account'> = Omit<NewRow<Table>, 'id' | 'relation_id'>;

/** What belongs to a relation; undefined where the file has no columns for it, and so leaves what there is. */
export type RelationParts = {
  contacts: Part<'relation_contact'>[] | undefined;
  bankAccounts: Part<'relation_bank_account'>[] | undefined;
  /** Custom field -> value, "" for none. */
  custom: ReadonlyMap<bigint, string>;
};

const contactColumns = withPlainColumns('relation_contact', {
  Sex: choice('Man', 'Vrouw'),
  DefaultContact: flag(),
});

const bankAccountColumns = withPlainColumns('relation_bank_account', {
  IBAN: text({ max: 42 }),
  SkipIBANCheck: flag(),
  UseForExcasso: flag(),
});

const prefixed = (prefix: string, columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, column]): [string, Column] => [prefix + name, column]));

/** The columns of the first contact and bank account. */
export const firstPartColumns: Columns = {
  ...prefixed('Contact_', contactColumns),
  ...prefixed('BankAccount_', bankAccountColumns),
};

/** The contacts and bank accounts a file has columns for. */
export function partsNamed(headings: readonly string[]) {
  const contacts = prefixesIn('Contact', contactColumns, headings);
  const bankAccounts = prefixesIn('BankAccount', bankAccountColumns, headings);
  return {
    columns: Object.assign(
      {},
      ...contacts.map((prefix) => prefixed(prefix, contactColumns)),
      ...bankAccounts.map((prefix) => prefixed(prefix, bankAccountColumns)),
    ) as Columns,
    /** Those of a row that have anything in them. */
    read: (values: Readonly<Record<string, unknown>>): Pick<RelationParts, 'contacts' | 'bankAccounts'> => ({
      contacts: contacts.length > 0 ? contactsOf(partsIn(values, contacts, contactColumns)) : undefined,
      bankAccounts:
        bankAccounts.length > 0 ? bankAccountsOf(partsIn(values, bankAccounts, bankAccountColumns)) : undefined,
    }),
  };
}

/** The prefixes that a file has columns with, in order. */
const prefixesIn = (name: string, columns: Columns, headings: readonly string[]): string[] =>
  Array.from({ length: MAX_PARTS }, (_, index) => `${name}${index === 0 ? '' : index + 1}_`).filter((prefix) =>
    Object.keys(columns).some((column) => headings.includes(prefix + column)),
  );

const partsIn = <Table extends Columns>(
  values: Readonly<Record<string, unknown>>,
  prefixes: readonly string[],
  columns: Table,
): ValuesOf<Table>[] =>
  prefixes
    .map((prefix) =>
      Object.keys(columns).flatMap((name) => {
        const value = values[prefix + name];
        return value === undefined ? [] : [[name, value] as const];
      }),
    )
    .filter((given) => given.length > 0)
    .map((given) => Object.fromEntries(given) as ValuesOf<Table>);

function contactsOf(found: readonly ValuesOf<typeof contactColumns>[]): Part<'relation_contact'>[] {
  const hasDefault = found.some(({ DefaultContact }) => DefaultContact === true);
  return found.map((contact, position) => ({
    ...(storedValues('relation_contact', contact, () => true) as Part<'relation_contact'>),
    position: BigInt(position),
    is_default: asFlag(hasDefault ? contact.DefaultContact === true : position === 0),
  }));
}

function bankAccountsOf(found: readonly ValuesOf<typeof bankAccountColumns>[]): Part<'relation_bank_account'>[] {
  return found.map((account, position) => {
    const iban = (account.IBAN ?? '').replace(/\s/g, '').toUpperCase();
    return {
      ...(storedValues('relation_bank_account', account, () => true) as Part<'relation_bank_account'>),
      position: BigInt(position),
      iban,
      skip_iban_check: asFlag(account.SkipIBANCheck === true || !isIban(iban)),
    };
  });
}

type Stored = RelationParts & { id: bigint };

/** Adds what belongs to relations. */
export async function storeParts(db: Database, relations: readonly Stored[]): Promise<void> {
  const each = <Row>(rowsOf: (relation: Stored) => readonly Row[]) =>
    relations.flatMap((relation) => rowsOf(relation).map((row) => ({ relation_id: relation.id, ...row })));
  await insertRows(
    db,
    'relation_contact',
    each(({ contacts = [] }) => contacts),
  );
  await insertRows(
    db,
    'relation_bank_account',
    each(({ bankAccounts = [] }) => bankAccounts),
  );
  await insertRows(
    db,
    'relation_custom_field',
    each(({ custom }) =>
      [...custom].flatMap(([custom_field_id, value]) => (value === '' ? [] : { custom_field_id, value })),
    ),
  );
}

/** Puts in the place of what belongs to a relation what the file says. */
export async function replaceParts(db: Database, relation: Stored): Promise<void> {
  const { id, contacts, bankAccounts, custom } = relation;
  if (contacts !== undefined) await db.deleteFrom('relation_contact').where('relation_id', '=', id).execute();
  if (bankAccounts !== undefined) await db.deleteFrom('relation_bank_account').where('relation_id', '=', id).execute();
  if (custom.size > 0) {
    await db
      .deleteFrom('relation_custom_field')
      .where('relation_id', '=', id)
      .where('custom_field_id', 'in', [...custom.keys()])
      .execute();
  }
  await storeParts(db, [relation]);
}

/** Contacts, bank accounts and each custom field as one text each, to see whether any differs. */
export const textOfParts = ({ contacts, bankAccounts, custom }: RelationParts): Record<string, string> => ({
  ...(contacts === undefined ? {} : { contacts: comparable(contacts) }),
  ...(bankAccounts === undefined ? {} : { bankAccounts: comparable(bankAccounts) }),
  ...Object.fromEntries([...custom].map(([id, value]) => [`custom ${id}`, value])),
});

const comparable = (rows: readonly object[]): string =>
  JSON.stringify(
    rows.map((row) => Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))),
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  );

/** The parts that relations have now, by relation, as `textOfParts` writes them. */
export async function partsOf(db: Database, ids: readonly bigint[]): Promise<Map<bigint, Record<string, string>>> {
  if (ids.length === 0) return new Map();
  const inOrder = async (table: 'relation_contact' | 'relation_bank_account') => {
    const rows = await db.selectFrom(table).where('relation_id', 'in', ids).orderBy('position').selectAll().execute();
    const alone = rows.map(({ id: _id, ...part }) => part);
    return Map.groupBy(alone, ({ relation_id }) => relation_id);
  };
  const [contacts, bankAccounts] = [await inOrder('relation_contact'), await inOrder('relation_bank_account')];
  const fields = await db.selectFrom('relation_custom_field').where('relation_id', 'in', ids).selectAll().execute();
  const custom = Map.groupBy(fields, ({ relation_id }) => relation_id);
  const withoutOwner = (parts: readonly { relation_id: bigint }[] = []) =>
    parts.map(({ relation_id: _, ...part }) => part);
  return new Map(
    ids.map((id) => [
      id,
      {
        contacts: comparable(withoutOwner(contacts.get(id))),
        bankAccounts: comparable(withoutOwner(bankAccounts.get(id))),
        ...Object.fromEntries((custom.get(id) ?? []).map((field) => [`custom ${field.custom_field_id}`, field.value])),
      },
    ]),
  );
}
