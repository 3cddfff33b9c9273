import { MAX_PARTY_NUMBER, numberTaken } from '../documents/numbering.ts';
import {
  type Columns,
  choice,
  country,
  flag,
  long,
  name,
  number,
  requestedNumber,
  required,
  text,
  type ValuesOf,
} from '../files/column.ts';
import { isIban } from '../setup/checkDigits.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import { newRow } from '../sql/rows.ts';
import { flag as asFlag, type NewRow, type Row } from '../sql/schema.ts';
import type { ImportRow } from './bind.ts';
import { customColumns } from './customColumns.ts';
import { differing, type ImportContext, importer, keysOnce } from './importRows.ts';
import { storedValues } from './storedValues.ts';
import { withPlainColumns } from './withPlainColumns.ts';

/** Contacts and bank accounts a row may have: Contact_LastName, Contact2_LastName and so on. */
const MAX_PARTS = 99;

const contactColumns = withPlainColumns('relation_contact', {
  Sex: choice('Man', 'Vrouw'),
  DefaultContact: flag(),
});

const bankAccountColumns = withPlainColumns('relation_bank_account', {
  IBAN: text({ max: 42 }),
  SkipIBANCheck: flag(),
  UseForExcasso: flag(),
});

/** The prefixes there are among a file's headings, in order. */
const prefixes = (name: string, headings: readonly string[]): string[] =>
  Array.from({ length: MAX_PARTS }, (_, index) => `${name}${index === 0 ? '' : index + 1}_`).filter((prefix) =>
    headings.some((heading) => heading.startsWith(prefix)),
  );

const repeated = (name: string, columns: Record<string, unknown>, headings: readonly string[]) =>
  Object.fromEntries(
    prefixes(name, headings).flatMap((prefix) =>
      Object.entries(columns).map(([column, kind]) => [prefix + column, kind]),
    ),
  );

const ownColumns = withPlainColumns('relation', {
  RelationGUID: requestedNumber({ min: 0n }),
  Name: required(name()),
  PrivateOrBusiness: choice('BusinessRelation', 'PrivateRelation'),
  Email: name(),
  Address_CountryCode: country(),
  IsCustomer: flag(),
  IsSupplier: flag(),
  IsOther: flag(),
  CustomerNumber: number({ max: MAX_PARTY_NUMBER }),
  SupplierNumber: number({ max: MAX_PARTY_NUMBER }),
  TaxIdentificationNumber: name(),
  Language: choice('nl', 'fr', 'en'),
  CreatedOn: long({ min: 0n }),
  ChangedOn: long({ min: 0n }),
});

type RelationRow = Omit<NewRow<'relation'>, 'id' | 'administration_id' | 'answer'>;
type Values = ValuesOf<typeof ownColumns>;
type Part<Table extends 'relation_contact' | 'relation_bank_account'> = Omit<NewRow<Table>, 'id' | 'relation_id'>;

/** A row of the file, ready to be stored. */
type Relation = {
  old: Row<'relation'> | undefined;
  row: Partial<RelationRow> & { guid: bigint };
  contacts: Part<'relation_contact'>[] | undefined;
  bankAccounts: Part<'relation_bank_account'>[] | undefined;
  custom: Map<bigint, string>;
};

/**
 * Relations, known by RelationGUID, else by customer number, else by supplier number: one that exists is changed, in the
 * columns the file has.
 */
export const relations = importer(async (context) => {
  const { db, administration, now, report, isSound, counts } = context;
  const custom = await customColumns(context, 'relation');
  const columns = {
    ...ownColumns,
    ...repeated('Contact', contactColumns, context.headings),
    ...repeated('BankAccount', bankAccountColumns, context.headings),
    ...custom.columns,
  } as typeof ownColumns;
  const contactParts = partsNamed(context.headings, 'Contact', contactColumns);
  const bankAccountParts = partsNamed(context.headings, 'BankAccount', bankAccountColumns);
  const once = keysOnce(report);
  const blank = newRow('relation', {
    administration_id: administration.id,
    is_business: 1n,
    country_code: administration.country,
    created_on: now,
    changed_on: now,
  });
  const numbering = await startNumbering(context);

  const read = (row: ImportRow<typeof ownColumns>, found: Found, has: (column: string) => boolean) => {
    const { line, values, bad } = row;
    const guid =
      values.RelationGUID === undefined || values.RelationGUID === '0' ? undefined : BigInt(values.RelationGUID);
    const { CustomerNumber: customer, SupplierNumber: supplier } = values;
    const first = [
      guid !== undefined && once(`guid ${guid}`, line, 'RelationGUID', `RelationGUID ${guid}`),
      customer !== undefined && once(`customer ${customer}`, line, 'CustomerNumber', `customer number ${customer}`),
      supplier !== undefined && once(`supplier ${supplier}`, line, 'SupplierNumber', `supplier number ${supplier}`),
    ];
    const given = [guid, customer, supplier];
    if (given.some((value, index) => value !== undefined && !first[index])) return undefined;
    const old =
      guid !== undefined
        ? found.byGuid.get(guid)
        : customer !== undefined
          ? found.byCustomer.get(BigInt(customer))
          : supplier === undefined
            ? undefined
            : found.bySupplier.get(BigInt(supplier));
    const roles = rolesOf(values, has, old);
    for (const [role, value, taken] of [
      ['Customer', customer, found.byCustomer],
      ['Supplier', supplier, found.bySupplier],
    ] as const) {
      if (value === undefined) continue;
      const other = taken.get(BigInt(value));
      if (other !== undefined && other.id !== old?.id) {
        report(line, `${role}Number`, `expected a number no other relation has; ${other.name} has ${value}`);
      }
      if (!roles[role]) report(line, `Is${role}`, `expected true, as the row has a ${role}Number`);
    }
    const contacts = contactParts.length > 0 ? contactsOf(partsIn(values, contactParts)) : undefined;
    const bankAccounts = bankAccountParts.length > 0 ? bankAccountsOf(partsIn(values, bankAccountParts)) : undefined;
    if (bad.size > 0 || !isSound()) return undefined;
    const relation: Relation = {
      old,
      row: {
        ...(old === undefined ? blank : {}),
        ...rowOf(values, has),
        guid: old?.guid ?? guid ?? numbering.guid(),
        is_customer: asFlag(roles.Customer),
        is_supplier: asFlag(roles.Supplier),
        is_other: asFlag(roles.Other),
        customer_number: roles.Customer
          ? customer === undefined
            ? (old?.customer_number ?? numbering.customer())
            : BigInt(customer)
          : null,
        supplier_number: roles.Supplier
          ? supplier === undefined
            ? (old?.supplier_number ?? numbering.supplier())
            : BigInt(supplier)
          : null,
      },
      contacts,
      bankAccounts,
      custom: custom.values(values),
    };
    numbering.seen(relation.row);
    // A number that was handed out here may stand in a later row.
    const { guid: hasGuid, customer_number: hasCustomer, supplier_number: hasSupplier } = relation.row;
    if (guid === undefined) once(`guid ${hasGuid}`, line, 'RelationGUID', `RelationGUID ${hasGuid}`);
    if (customer === undefined && hasCustomer !== null) {
      once(`customer ${hasCustomer}`, line, 'CustomerNumber', `customer number ${hasCustomer}`);
    }
    if (supplier === undefined && hasSupplier !== null) {
      once(`supplier ${hasSupplier}`, line, 'SupplierNumber', `supplier number ${hasSupplier}`);
    }
    return relation;
  };

  return {
    columns,
    rows: async (rows, has) => {
      const found = await findRelations(context, rows);
      const read_ = rows.flatMap((row) => read(row, found, has) ?? []);
      if (!isSound()) return;
      const added = read_.filter(({ old }) => old === undefined);
      const ids = await insertKeyedRows(
        db,
        'relation',
        'guid',
        added.map(({ row }) => ({ administration_id: administration.id, ...row }) as NewRow<'relation'>),
      );
      await storeParts(
        context,
        added.map((relation) => ({ ...relation, id: ids.get(relation.row.guid)! })),
      );
      counts.added += added.length;
      const known = read_.flatMap((relation) => (relation.old === undefined ? [] : { ...relation, old: relation.old }));
      const parts = await partsOf(
        context,
        known.map(({ old }) => old.id),
      );
      for (const relation of known) {
        const { old, row } = relation;
        const change = differing(old as RelationRow, row);
        const empty = Object.fromEntries([...relation.custom.keys()].map((id) => [`custom ${id}`, '']));
        const others = differing({ ...empty, ...parts.get(old.id) }, textOfParts(relation));
        if (change === undefined && others === undefined) {
          counts.unchanged++;
          continue;
        }
        counts.changed++;
        await db
          .updateTable('relation')
          .where('id', '=', old.id)
          .set({ ...change, changed_on: row.changed_on ?? now, answer: '' })
          .execute();
        if (others !== undefined) {
          await removeParts(context, { ...relation, id: old.id });
          await storeParts(context, [{ ...relation, id: old.id }]);
        }
      }
    },
    end: async () => {
      if (isSound() && counts.added > 0) await numberTaken(db, administration.id, 'relation', numbering.lastGuid());
    },
  };
});

/** What a row says, in the columns the file has; an empty cell empties. */
function rowOf(values: Values, has: (column: string) => boolean): Partial<RelationRow> {
  const { PrivateOrBusiness: kind, Address_CountryCode: country } = values;
  return {
    ...storedValues('relation', values, has, [
      'is_business',
      ...(country === undefined ? ['country_code' as const] : []),
    ]),
    ...(has('PrivateOrBusiness') ? { is_business: asFlag(kind !== 'PrivateRelation') } : {}),
  };
}

/** A number makes a customer or supplier; who is neither, and is not said to be, is another. */
function rolesOf(values: Values, has: (column: string) => boolean, old: Row<'relation'> | undefined) {
  const role = (is: boolean | undefined, hasIs: boolean, number: unknown, was: bigint | undefined): boolean =>
    is ?? (number !== undefined || (!hasIs && was === 1n));
  const Customer = role(values.IsCustomer, has('IsCustomer'), values.CustomerNumber, old?.is_customer);
  const Supplier = role(values.IsSupplier, has('IsSupplier'), values.SupplierNumber, old?.is_supplier);
  return { Customer, Supplier, Other: values.IsOther ?? (!Customer && !Supplier) };
}

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

type Parts<Table extends Columns> = readonly (readonly { heading: string; column: keyof Table & string }[])[];

/** The headings of a file for its first contact (or bank account), its second and so on. */
const partsNamed = <Table extends Columns>(headings: readonly string[], name: string, columns: Table): Parts<Table> =>
  prefixes(name, headings)
    .map((prefix) =>
      Object.keys(columns)
        .map((column) => ({ heading: prefix + column, column }))
        .filter(({ heading }) => headings.includes(heading)),
    )
    .filter((part) => part.length > 0);

/** The contacts or bank accounts of a row that have anything in them. */
function partsIn<Table extends Columns>(values: Values, parts: Parts<Table>): ValuesOf<Table>[] {
  const all = values as Readonly<Record<string, unknown>>;
  return parts
    .map((part) => {
      const given: Record<string, unknown> = {};
      for (const { heading, column } of part) if (all[heading] !== undefined) given[column] = all[heading];
      return given as ValuesOf<Table>;
    })
    .filter((part) => Object.keys(part).length > 0);
}

type Found = Record<'byGuid' | 'byCustomer' | 'bySupplier', Map<bigint, Row<'relation'>>>;

/** The relations that rows name, one way or another. */
async function findRelations(
  { db, administration }: ImportContext,
  rows: readonly ImportRow<typeof ownColumns>[],
): Promise<Found> {
  const named = (column: 'RelationGUID' | 'CustomerNumber' | 'SupplierNumber') =>
    rows.flatMap(({ values }) => (values[column] === undefined ? [] : BigInt(values[column])));
  const find = async (column: 'guid' | 'customer_number' | 'supplier_number', numbers: bigint[]) => {
    const relations =
      numbers.length === 0
        ? []
        : await db
            .selectFrom('relation')
            .where('administration_id', '=', administration.id)
            .where(column, 'in', numbers)
            .selectAll()
            .execute();
    return new Map(relations.map((relation) => [relation[column]!, relation]));
  };
  return {
    byGuid: await find('guid', named('RelationGUID')),
    byCustomer: await find('customer_number', named('CustomerNumber')),
    bySupplier: await find('supplier_number', named('SupplierNumber')),
  };
}

/** Hands out numbers past all that were ever given, the file's own among them as they are seen. */
async function startNumbering({ db, administration }: ImportContext) {
  const { guid, customer, supplier } = await db
    .selectFrom('relation')
    .where('administration_id', '=', administration.id)
    .select((eb) => [
      eb.fn.max<bigint | null>('guid').as('guid'),
      eb.fn.max<bigint | null>('customer_number').as('customer'),
      eb.fn.max<bigint | null>('supplier_number').as('supplier'),
    ])
    .executeTakeFirstOrThrow();
  const counter = await db
    .selectFrom('counter')
    .where('administration_id', '=', administration.id)
    .where('name', '=', 'relation')
    .select('value')
    .executeTakeFirst();
  const higher = (a: bigint, b: bigint | null | undefined) => (b !== null && b !== undefined && b > a ? b : a);
  const last = { guid: higher(guid ?? 0n, counter?.value), customer: customer ?? 0n, supplier: supplier ?? 0n };
  return {
    guid: () => ++last.guid,
    customer: () => ++last.customer,
    supplier: () => ++last.supplier,
    seen: (row: Relation['row']) => {
      last.guid = higher(last.guid, row.guid);
      last.customer = higher(last.customer, row.customer_number);
      last.supplier = higher(last.supplier, row.supplier_number);
    },
    lastGuid: () => last.guid,
  };
}

type Stored = Pick<Relation, 'contacts' | 'bankAccounts' | 'custom'> & { id: bigint };

async function storeParts({ db }: ImportContext, relations: readonly Stored[]): Promise<void> {
  await insertRows(
    db,
    'relation_contact',
    relations.flatMap(({ id, contacts }) => (contacts ?? []).map((contact) => ({ relation_id: id, ...contact }))),
  );
  await insertRows(
    db,
    'relation_bank_account',
    relations.flatMap(({ id, bankAccounts }) =>
      (bankAccounts ?? []).map((account) => ({ relation_id: id, ...account })),
    ),
  );
  await insertRows(
    db,
    'relation_custom_field',
    relations.flatMap(({ id, custom }) =>
      [...custom]
        .filter(([, value]) => value !== '')
        .map(([custom_field_id, value]) => ({ relation_id: id, custom_field_id, value })),
    ),
  );
}

async function removeParts({ db }: ImportContext, { id, contacts, bankAccounts, custom }: Stored): Promise<void> {
  if (contacts !== undefined) await db.deleteFrom('relation_contact').where('relation_id', '=', id).execute();
  if (bankAccounts !== undefined) await db.deleteFrom('relation_bank_account').where('relation_id', '=', id).execute();
  if (custom.size > 0) {
    await db
      .deleteFrom('relation_custom_field')
      .where('relation_id', '=', id)
      .where('custom_field_id', 'in', [...custom.keys()])
      .execute();
  }
}

/** Contacts, bank accounts and each custom field as one text each, to see whether any differs. */
const textOfParts = ({ contacts, bankAccounts, custom }: Omit<Stored, 'id'>): Record<string, string> => ({
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
async function partsOf({ db }: ImportContext, ids: readonly bigint[]): Promise<Map<bigint, Record<string, string>>> {
  if (ids.length === 0) return new Map();
  const contacts = await db
    .selectFrom('relation_contact')
    .where('relation_id', 'in', ids)
    .orderBy('position')
    .selectAll()
    .execute();
  const bankAccounts = await db
    .selectFrom('relation_bank_account')
    .where('relation_id', 'in', ids)
    .orderBy('position')
    .selectAll()
    .execute();
  const custom = await db.selectFrom('relation_custom_field').where('relation_id', 'in', ids).selectAll().execute();
  const of = <Part extends { relation_id: bigint }>(parts: readonly Part[]) =>
    Map.groupBy(parts, ({ relation_id }) => relation_id);
  const [contactsOf, bankAccountsOf, customOf] = [of(contacts), of(bankAccounts), of(custom)];
  const alone = ({ id: _id, relation_id: _relation, ...part }: { id: bigint; relation_id: bigint }) => part;
  return new Map(
    ids.map((id) => [
      id,
      {
        contacts: comparable((contactsOf.get(id) ?? []).map(alone)),
        bankAccounts: comparable((bankAccountsOf.get(id) ?? []).map(alone)),
        ...Object.fromEntries(
          (customOf.get(id) ?? []).map((field) => [`custom ${field.custom_field_id}`, field.value]),
        ),
      },
    ]),
  );
}
