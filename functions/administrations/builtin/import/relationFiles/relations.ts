import { languages } from '../../../invoiceDocuments/invoiceDocument.ts';
import { MAX_PARTY_NUMBER, numberTaken } from '../../documentParts/numbering.ts';
import * as column from '../../files/column.ts';
import { insertKeyedRows } from '../../sql/insertRows.ts';
import { newRow, withDerived } from '../../sql/rows.ts';
import { flag as asFlag, type NewRow, type Row } from '../../sql/schema.ts';
import type { ImportRow } from '../bind.ts';
import { customColumns } from '../customColumns.ts';
import { differing, type ImportContext, importer, keysOnce } from '../importRows.ts';
import { storedValues, withPlainColumns } from '../plainColumns.ts';
import { addressCheck } from './emailAddresses.ts';
import {
  type FoundRelations,
  findRelations,
  identities,
  numbersOf,
  type RelationNumbers,
  relationNumbering,
} from './relationNumbers.ts';
import {
  firstPartColumns,
  partsDiffer,
  partsNamed,
  type RelationParts,
  replaceParts,
  storedParts,
  storeParts,
  withStoredParts,
} from './relationParts.ts';
import { storedTexts } from './textsOfAuditfiles.ts';

const columns = withPlainColumns('relation', {
  RelationGUID: column.withNote('left out: the next', column.requestedNumber({ min: 0n })),
  Name: column.required(column.name()),
  PrivateOrBusiness: column.withNote(
    'left out: BusinessRelation',
    column.choice('BusinessRelation', 'PrivateRelation'),
  ),
  Email: column.name(),
  Address_CountryCode: column.withNote('left out: that of the administration', column.country()),
  IsCustomer: column.withNote('left out: whether it has a customer number', column.flag()),
  IsSupplier: column.withNote('left out: whether it has a supplier number', column.flag()),
  IsOther: column.withNote('left out: whether it is neither', column.flag()),
  CustomerNumber: column.withNote('left out, for a customer: the next', column.number({ max: MAX_PARTY_NUMBER })),
  SupplierNumber: column.withNote('left out, for a supplier: the next', column.number({ max: MAX_PARTY_NUMBER })),
  TaxIdentificationNumber: column.name(),
  Language: column.withNote('of its documents; left out: as its country', column.choice(...languages)),
  CreatedOn: column.withNote('seconds since 1970; left out: now', column.long({ min: 0n })),
  ChangedOn: column.withNote('seconds since 1970; left out: now', column.long({ min: 0n })),
});

type RelationRow = Omit<NewRow<'relation'>, 'id' | 'administration_id' | 'answer'>;
type Values = column.ValuesOf<typeof columns>;

/** A row of the file, ready to be stored. */
type Relation = RelationParts & {
  existing: Row<'relation'> | undefined;
  row: Partial<RelationRow> & { guid: bigint };
};

/** Relations, known by RelationGUID, else by customer number, else by supplier number. */
export const relations = relationImporter({ hasLess: false });

/** Relations of an audit file, which has less of them: what a row leaves empty, or has a part of, stays as it is. */
export const relationsOfAuditfiles = relationImporter({ hasLess: true });

/** @param hasLess whether what is stored of a relation may be more than the file has of it */
function relationImporter({ hasLess }: { hasLess: boolean }) {
  return importer({ ...columns, ...(firstPartColumns as object) }, async (context) => {
    const { db, administration, isSound, counts } = context;
    const custom = await customColumns(context, 'relation');
    const parts = partsNamed(context.headings);
    const numbering = await relationNumbering(context);
    const read = relationReader(context, numbering, hasLess);
    const addresses = addressCheck(context);
    return {
      columns: { ...parts.columns, ...custom.columns },
      rows: async (rows, has) => {
        const found = await findRelations(context, rows);
        rows.forEach(addresses.check);
        // Before any is assigned: rows with a number may come after those without.
        for (const { values } of rows) numbering.seen(numbersOf(values));
        const relations = rows.flatMap((row): Relation[] => {
          const hasOwn = (column: string) => has(column) && (!hasLess || row.values[column as 'Name'] !== undefined);
          const relation = read(row, found, hasOwn);
          if (relation === undefined) return [];
          return [{ ...relation, ...parts.read(row.values), custom: custom.values(row.values) }];
        });
        if (!isSound()) return;
        const added = relations.filter(({ existing }) => existing === undefined);
        await addRelations(context, added);
        const storedOf = await storedParts(
          db,
          relations.flatMap(({ existing }) => existing?.id ?? []),
        );
        for (const relation of relations) {
          const { existing } = relation;
          if (existing === undefined) continue;
          const stored = storedOf(existing.id);
          const whole = hasLess ? withStored(relation, existing, stored) : relation;
          await changeRelation(context, existing, whole, stored);
        }
      },
      end: async () => {
        addresses.end();
        if (isSound() && counts.added > 0) await numberTaken(db, administration.id, 'relation', numbering.lastGuid());
      },
    };
  });
}

/** A relation of a file that has less of it, with what is stored. */
const withStored = (relation: Relation, existing: Row<'relation'>, parts: RelationParts): Relation => ({
  ...relation,
  ...withStoredParts(relation, parts),
  row: withDerived('relation', { ...relation.row, ...storedTexts(relation.row, existing) }),
});

/** Reads and checks rows. Numbers that they lack are assigned, but none to a relation that had none if a file has less. */
function relationReader(
  { administration, now, report, isSound }: ImportContext,
  numbering: Awaited<ReturnType<typeof relationNumbering>>,
  hasLess: boolean,
) {
  const once = keysOnce(report);
  const blank = newRow('relation', {
    administration_id: administration.id,
    is_business: 1n,
    country_code: administration.country,
    created_on: now,
    changed_on: now,
  });
  const names = { guid: 'RelationGUID', customer_number: 'customer number', supplier_number: 'supplier number' };
  /** The lines of rows that were given a number, by that number. */
  const given = new Map<string, number>();
  /** Whether the numbers of a row are in the file for the first time, and no other row was given one of them. */
  const isFirst = (line: number, numbers: RelationNumbers) =>
    identities
      .map(([identity, column]) => {
        const number = numbers[identity] ?? null;
        if (number === null) return true;
        const named = `${names[identity]} ${number}`;
        const other = given.get(named);
        if (other === undefined) return once(named, line, column, named);
        const reason = `line ${other}, which has none, was given it: put the rows without numbers last`;
        report(line, column, `expected ${named} once, but ${reason}`);
        return false;
      })
      .every(Boolean);

  return (row: ImportRow<typeof columns>, found: FoundRelations, has: (column: string) => boolean) => {
    const { line, values, bad } = row;
    const rowNumbers = numbersOf(values);
    if (!isFirst(line, rowNumbers)) return undefined;
    const [identity] = identities.find(([identity]) => rowNumbers[identity] !== undefined) ?? [];
    const existing = identity === undefined ? undefined : found[identity].get(rowNumbers[identity]!);
    const roles = rolesOf(values, has, existing);
    for (const [role, column] of partyNumbers) {
      const number = rowNumbers[column];
      if (number === undefined) continue;
      const other = found[column].get(number);
      if (other !== undefined && other.id !== existing?.id) {
        report(line, `${role}Number`, `expected a number no other relation has; ${other.name} has ${number}`);
      }
      if (!roles[role]) report(line, `Is${role}`, `expected true, as the row has a ${role}Number`);
    }
    if (bad.size > 0 || !isSound()) return undefined;
    const numbers: RelationNumbers & { guid: bigint } = {
      guid: existing?.guid ?? rowNumbers.guid ?? numbering.next('guid'),
    };
    for (const [role, column, is] of partyNumbers) {
      const staysEmpty = hasLess && existing?.[is] === 1n && existing[column] === null;
      const next = () => (staysEmpty ? null : numbering.next(column));
      numbers[column] = roles[role] ? (rowNumbers[column] ?? existing?.[column] ?? next()) : null;
    }
    numbering.seen(numbers);
    const unnamed = identities.flatMap(([name]) => (rowNumbers[name] === undefined ? name : []));
    const stored = unnamed.filter((name) => existing?.[name] === numbers[name]);
    isFirst(line, Object.fromEntries(stored.map((name) => [name, numbers[name]])));
    // A later part of the file may have a number that was assigned here.
    for (const name of unnamed) if (!stored.includes(name)) given.set(`${names[name]} ${numbers[name]}`, line);
    return {
      existing,
      row: {
        ...(existing === undefined ? blank : {}),
        ...rowOf(values, has),
        ...numbers,
        is_customer: asFlag(roles.Customer),
        is_supplier: asFlag(roles.Supplier),
        is_other: asFlag(roles.Other),
      },
    };
  };
}

const partyNumbers = [
  ['Customer', 'customer_number', 'is_customer'],
  ['Supplier', 'supplier_number', 'is_supplier'],
] as const;

async function addRelations({ db, administration, counts }: ImportContext, added: readonly Relation[]): Promise<void> {
  const rows = added.map(({ row }) => ({ administration_id: administration.id, ...row }) as NewRow<'relation'>);
  const ids = await insertKeyedRows(db, 'relation', 'guid', rows);
  const stored = added.map((relation) => ({ ...relation, id: ids.get(relation.row.guid)! }));
  await storeParts(db, stored);
  counts.added += added.length;
}

async function changeRelation(
  { db, now, counts }: ImportContext,
  existing: Row<'relation'>,
  relation: Relation,
  parts: RelationParts,
): Promise<void> {
  const changed = differing(existing as RelationRow, relation.row);
  const hasOtherParts = partsDiffer(relation, parts);
  if (changed === undefined && !hasOtherParts) {
    counts.unchanged++;
    return;
  }
  counts.changed++;
  await db
    .updateTable('relation')
    .where('id', '=', existing.id)
    .set({ ...changed, changed_on: relation.row.changed_on ?? now, answer: '' })
    .execute();
  if (hasOtherParts) await replaceParts(db, { ...relation, id: existing.id });
}

/** The stored values of a row, in the columns of the file. */
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

/** The roles of a relation. A number makes a customer or supplier; without either role it is another relation. */
function rolesOf(values: Values, has: (column: string) => boolean, existing: Row<'relation'> | undefined) {
  const role = (is: boolean | undefined, hasIs: boolean, number: unknown, was: bigint | undefined): boolean =>
    is ?? (number !== undefined || (!hasIs && was === 1n));
  const Customer = role(values.IsCustomer, has('IsCustomer'), values.CustomerNumber, existing?.is_customer);
  const Supplier = role(values.IsSupplier, has('IsSupplier'), values.SupplierNumber, existing?.is_supplier);
  return { Customer, Supplier, Other: values.IsOther ?? (!Customer && !Supplier) };
}
