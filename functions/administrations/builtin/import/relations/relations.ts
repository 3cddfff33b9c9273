import { MAX_PARTY_NUMBER, numberTaken } from '../../documents/numbering.ts';
import {
  choice,
  country,
  flag,
  long,
  name,
  noted,
  number,
  requestedNumber,
  required,
  type ValuesOf,
} from '../../files/column.ts';
import { insertKeyedRows } from '../../sql/insertRows.ts';
import { newRow } from '../../sql/rows.ts';
import { flag as asFlag, type NewRow, type Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import { customColumns } from '../customColumns.ts';
import { differing, importer, keysOnce } from '../importRows.ts';
import { storedValues } from '../storedValues.ts';
import { withPlainColumns } from '../withPlainColumns.ts';
import { type FoundRelations, findRelations, relationNumbering } from './relationNumbers.ts';
import {
  firstPartColumns,
  partsNamed,
  partsOf,
  type RelationParts,
  replaceParts,
  storeParts,
  textOfParts,
} from './relationParts.ts';

const ownColumns = withPlainColumns('relation', {
  RelationGUID: noted('left out: the next', requestedNumber({ min: 0n })),
  Name: required(name()),
  PrivateOrBusiness: noted('left out: BusinessRelation', choice('BusinessRelation', 'PrivateRelation')),
  Email: name(),
  Address_CountryCode: noted('left out: that of the administration', country()),
  IsCustomer: noted('left out: whether it has a customer number', flag()),
  IsSupplier: noted('left out: whether it has a supplier number', flag()),
  IsOther: noted('left out: whether it is neither', flag()),
  CustomerNumber: noted('left out, for a customer: the next', number({ max: MAX_PARTY_NUMBER })),
  SupplierNumber: noted('left out, for a supplier: the next', number({ max: MAX_PARTY_NUMBER })),
  TaxIdentificationNumber: name(),
  Language: noted('of its documents; left out: as its country', choice('nl', 'fr', 'en')),
  CreatedOn: noted('seconds since 1970; left out: now', long({ min: 0n })),
  ChangedOn: noted('seconds since 1970; left out: now', long({ min: 0n })),
});

type RelationRow = Omit<NewRow<'relation'>, 'id' | 'administration_id' | 'answer'>;
type Values = ValuesOf<typeof ownColumns>;

/** A row of the file, ready to be stored. */
type Relation = RelationParts & {
  old: Row<'relation'> | undefined;
  row: Partial<RelationRow> & { guid: bigint; customer_number: bigint | null; supplier_number: bigint | null };
};

/**
 * Relations, known by RelationGUID, else by customer number, else by supplier number: one that exists is changed, in the
 * columns the file has.
 */
export const relations = importer({ ...ownColumns, ...(firstPartColumns as object) }, async (context) => {
  const { db, administration, now, report, isSound, counts } = context;
  const custom = await customColumns(context, 'relation');
  const parts = partsNamed(context.headings);
  const numbering = await relationNumbering(context);
  const once = keysOnce(report);
  const blank = newRow('relation', {
    administration_id: administration.id,
    is_business: 1n,
    country_code: administration.country,
    created_on: now,
    changed_on: now,
  });
  /** Whether the numbers of a row are in the file for the first time. */
  const isFirst = (line: number, numbers: Numbers) =>
    [
      [numbers.guid, 'RelationGUID', 'RelationGUID'],
      [numbers.customer_number, 'CustomerNumber', 'customer number'],
      [numbers.supplier_number, 'SupplierNumber', 'supplier number'],
    ]
      .map(
        ([number, column, what]) =>
          number === undefined ||
          number === null ||
          once(`${what} ${number}`, line, column as string, `${what} ${number}`),
      )
      .every(Boolean);

  const read = (
    row: ImportRow<typeof ownColumns>,
    found: FoundRelations,
    has: (column: string) => boolean,
  ): Relation | undefined => {
    const { line, values, bad } = row;
    const given = numbersOf(values);
    if (!isFirst(line, given)) return undefined;
    const old = knownBy(given, found);
    const roles = rolesOf(values, has, old);
    for (const [role, column] of [
      ['Customer', 'customer_number'],
      ['Supplier', 'supplier_number'],
    ] as const) {
      const number = given[column];
      if (number === undefined) continue;
      const other = found[column].get(number);
      if (other !== undefined && other.id !== old?.id) {
        report(line, `${role}Number`, `expected a number no other relation has; ${other.name} has ${number}`);
      }
      if (!roles[role]) report(line, `Is${role}`, `expected true, as the row has a ${role}Number`);
    }
    const partsOfRow = parts.read(values);
    if (bad.size > 0 || !isSound()) return undefined;
    const numberFor = (is: boolean, column: 'customer_number' | 'supplier_number') =>
      is ? (given[column] ?? old?.[column] ?? numbering.next(column)) : null;
    const numbers = {
      guid: old?.guid ?? given.guid ?? numbering.next('guid'),
      customer_number: numberFor(roles.Customer, 'customer_number'),
      supplier_number: numberFor(roles.Supplier, 'supplier_number'),
    };
    numbering.seen(numbers);
    // A number that was handed out here may stand in a later row.
    isFirst(
      line,
      Object.fromEntries(Object.entries(numbers).filter(([column]) => given[column as keyof Numbers] === undefined)),
    );
    return {
      old,
      row: {
        ...(old === undefined ? blank : {}),
        ...rowOf(values, has),
        ...numbers,
        is_customer: asFlag(roles.Customer),
        is_supplier: asFlag(roles.Supplier),
        is_other: asFlag(roles.Other),
      },
      ...partsOfRow,
      custom: custom.values(values),
    };
  };

  const add = async (added: readonly Relation[]) => {
    const rows = added.map(({ row }) => ({ administration_id: administration.id, ...row }) as NewRow<'relation'>);
    const ids = await insertKeyedRows(db, 'relation', 'guid', rows);
    await storeParts(
      db,
      added.map((relation) => ({ ...relation, id: ids.get(relation.row.guid)! })),
    );
    counts.added += added.length;
  };

  const change = async (old: Row<'relation'>, relation: Relation, partsNow: Record<string, string> | undefined) => {
    const changed = differing(old as RelationRow, relation.row);
    const empty = Object.fromEntries([...relation.custom.keys()].map((id) => [`custom ${id}`, '']));
    const others = differing({ ...empty, ...partsNow }, textOfParts(relation));
    if (changed === undefined && others === undefined) {
      counts.unchanged++;
      return;
    }
    counts.changed++;
    await db
      .updateTable('relation')
      .where('id', '=', old.id)
      .set({ ...changed, changed_on: relation.row.changed_on ?? now, answer: '' })
      .execute();
    if (others !== undefined) await replaceParts(db, { ...relation, id: old.id });
  };

  return {
    columns: { ...parts.columns, ...custom.columns },
    rows: async (rows, has) => {
      const found = await findRelations(context, rows);
      const all = rows.flatMap((row) => read(row, found, has) ?? []);
      if (!isSound()) return;
      await add(all.filter(({ old }) => old === undefined));
      const known = all.flatMap((relation) => (relation.old === undefined ? [] : { old: relation.old, relation }));
      const partsNow = await partsOf(
        db,
        known.map(({ old }) => old.id),
      );
      for (const { old, relation } of known) await change(old, relation, partsNow.get(old.id));
    },
    end: async () => {
      if (isSound() && counts.added > 0) await numberTaken(db, administration.id, 'relation', numbering.lastGuid());
    },
  };
});

type Numbers = Partial<Record<keyof FoundRelations, bigint | null>>;

/** The numbers a row gives. */
function numbersOf({ RelationGUID, CustomerNumber, SupplierNumber }: Values) {
  const given = (number: string | number | undefined) =>
    number === undefined || number === '0' ? undefined : BigInt(number);
  return { guid: given(RelationGUID), customer_number: given(CustomerNumber), supplier_number: given(SupplierNumber) };
}

/** The relation that the first number given is of. */
function knownBy(given: ReturnType<typeof numbersOf>, found: FoundRelations): Row<'relation'> | undefined {
  for (const identity of ['guid', 'customer_number', 'supplier_number'] as const) {
    const number = given[identity];
    if (number !== undefined) return found[identity].get(number);
  }
  return undefined;
}

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
