import { isDeepStrictEqual } from 'node:util';
import { readIban } from '../../../invoiceDocuments/partyNumbers.ts';
import { type Column, type Columns, choice, flag, text, type ValuesOf } from '../../files/column.ts';
import type { Database } from '../../sql/database.ts';
import { insertRows } from '../../sql/insertRows.ts';
import { flag as asFlag, type NewRow } from '../../sql/schema.ts';
import { addCustomFields, customFieldsOf, replaceCustomFields } from '../customColumns.ts';
import { storedValues, withPlainColumns } from '../plainColumns.ts';

/*
 * Contacts and bank accounts have columns of their own: Contact_LastName, Contact2_LastName and so on. If a file has such
 * columns, its contacts or bank accounts replace those of the relation.
 */

/** Contacts, and bank accounts, of one row. */
const MAX_PARTS = 99;

type Part<Table extends 'relation_contact' | 'relation_bank_account'> = Omit<NewRow<Table>, 'id' | 'relation_id'>;

/** The parts of a relation; undefined where the file has no columns for them. */
export type RelationParts = {
  contacts: Part<'relation_contact'>[] | undefined;
  bankAccounts: Part<'relation_bank_account'>[] | undefined;
  /** Custom field id -> value, "" for none. */
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

/** The columns of a file for contacts and bank accounts. */
export function partsNamed(headings: readonly string[]) {
  const contacts = prefixesIn('Contact', contactColumns, headings);
  const bankAccounts = prefixesIn('BankAccount', bankAccountColumns, headings);
  return {
    columns: Object.assign(
      {},
      ...contacts.map((prefix) => prefixed(prefix, contactColumns)),
      ...bankAccounts.map((prefix) => prefixed(prefix, bankAccountColumns)),
    ) as Columns,
    /** The contacts and bank accounts of a row that are not empty. */
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
    .map((prefix) => Object.keys(columns).map((name) => [name, values[prefix + name]] as const))
    .map((cells) => cells.filter(([, value]) => value !== undefined))
    .filter((cells) => cells.length > 0)
    .map((cells) => Object.fromEntries(cells) as ValuesOf<Table>);

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
      skip_iban_check: asFlag(account.SkipIBANCheck === true || readIban(iban) === undefined),
    };
  });
}

type Stored = RelationParts & { id: bigint };

/** Adds the contacts, bank accounts and custom fields of relations. */
export async function storeParts(db: Database, relations: readonly Stored[]): Promise<void> {
  await storeRows(db, relations);
  await addCustomFields(db, 'relation', relations);
}

async function storeRows(db: Database, relations: readonly Stored[]): Promise<void> {
  const each = <Row>(rowsOf: (relation: Stored) => readonly Row[] | undefined) =>
    relations.flatMap((relation) => (rowsOf(relation) ?? []).map((row) => ({ relation_id: relation.id, ...row })));
  const contacts = each((relation) => relation.contacts);
  await insertRows(db, 'relation_contact', contacts);
  const bankAccounts = each((relation) => relation.bankAccounts);
  await insertRows(db, 'relation_bank_account', bankAccounts);
}

/** Replaces the contacts, bank accounts and custom fields of a relation by those of the file. */
export async function replaceParts(db: Database, relation: Stored): Promise<void> {
  const { id, contacts, bankAccounts } = relation;
  if (contacts !== undefined) await db.deleteFrom('relation_contact').where('relation_id', '=', id).execute();
  if (bankAccounts !== undefined) await db.deleteFrom('relation_bank_account').where('relation_id', '=', id).execute();
  await storeRows(db, [relation]);
  await replaceCustomFields(db, 'relation', relation);
}

/** Whether the parts of a relation in a file differ from the stored ones. */
export const partsDiffer = ({ contacts, bankAccounts, custom }: RelationParts, stored: RelationParts): boolean =>
  (contacts !== undefined && !isDeepStrictEqual(contacts, stored.contacts)) ||
  (bankAccounts !== undefined && !isDeepStrictEqual(bankAccounts, stored.bankAccounts)) ||
  [...custom].some(([field, value]) => (stored.custom.get(field) ?? '') !== value);

/**
 * The parts of a file that has less of them than is stored: without any the stored ones stay, and so does what is stored
 * of a bank account that it has, and of a contact that it has the name of.
 */
export function withStoredParts(
  { contacts = [], bankAccounts = [], custom }: RelationParts,
  stored: RelationParts,
): RelationParts {
  const hasContact = contacts.every(({ last_name }) =>
    stored.contacts?.some((contact) => namesOf(contact).includes(last_name ?? '')),
  );
  return {
    contacts: hasContact ? undefined : contacts,
    bankAccounts:
      bankAccounts.length === 0
        ? undefined
        : bankAccounts.map((account) => {
            const known = stored.bankAccounts?.find(({ iban }) => iban === account.iban);
            return known === undefined
              ? account
              : { ...known, position: account.position, bic: account.bic || known.bic };
          }),
    custom,
  };
}

/** The last name of a contact, and its whole name: programs write either. */
const namesOf = ({ first_name, preposition, last_name }: Part<'relation_contact'>): readonly (string | undefined)[] => [
  last_name,
  [first_name, preposition, last_name].filter(Boolean).join(' '),
];

/** Returns a function for the stored parts of relations, by id. */
export async function storedParts(db: Database, ids: readonly bigint[]): Promise<(id: bigint) => RelationParts> {
  const ofRelations = async (table: 'relation_contact' | 'relation_bank_account') => {
    const rows =
      ids.length === 0
        ? []
        : await db.selectFrom(table).where('relation_id', 'in', ids).orderBy('position').selectAll().execute();
    const groups = Map.groupBy(rows, ({ relation_id }) => relation_id);
    return (id: bigint) => (groups.get(id) ?? []).map(({ id: _id, relation_id: _relation, ...part }) => part) as never;
  };
  const [contacts, bankAccounts] = [await ofRelations('relation_contact'), await ofRelations('relation_bank_account')];
  const custom = await customFieldsOf(db, 'relation', ids);
  return (id) => ({ contacts: contacts(id), bankAccounts: bankAccounts(id), custom: custom.get(id) ?? new Map() });
}
