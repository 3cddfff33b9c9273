import type { TableMetadata } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../../../../testing/database.ts';
import { columnsOf, newRow, withDerived } from '../rows.ts';
import { nameColumns, type TableName, tables } from './tables.ts';

let migrated: TableMetadata[];
beforeAll(async () => {
  const { db } = await emptyDatabase();
  migrated = await db.introspection.getTables();
  await db.destroy();
});

const names = Object.keys(tables) as TableName[];

it('the declared tables are those of a migrated database', () => {
  expect(names.toSorted()).toEqual(migrated.map(({ name }) => name).toSorted());
});

describe.each(names)('the table %s', (table) => {
  it('has the declared columns, with the declared null values', () => {
    const { columns } = migrated.find(({ name }) => name === table)!;
    const declared = columnsOf(table).map(([name, { isOptional }]) => ({ name, isOptional }));
    // SQLite reports a primary key as nullable.
    const isKey = (name: string) => name === 'id';
    expect(declared.toSorted(byName)).toEqual(
      columns.map(({ name, isNullable }) => ({ name, isOptional: isNullable && !isKey(name) })).toSorted(byName),
    );
  });

  it('refers to rows of existing tables', () => {
    for (const [name, { to }] of columnsOf(table)) {
      if (to === null) continue;
      expect(names, name).toContain(to.table);
      if (to.where !== undefined) expect(Object.keys(tables[to.table as TableName]), name).toContain(to.where[0]);
    }
    if (table in nameColumns) {
      expect(Object.keys(tables[table])).toContain(nameColumns[table as keyof typeof nameColumns]);
    }
  });
});

it('a new row has blank and derived values for the columns that are left out', () => {
  const row = newRow('relation', { administration_id: 1n, guid: 2n, name: ' Été ', vat_number: 'NL001234567B01' });
  expect(row).toMatchObject({ name: ' Été ', name_folded: 'été', vat_compared: '001234567', email_folded: '' });
  expect(row).toMatchObject({ city: '', is_customer: 0n, customer_number: null });
});

it('a value that follows from several columns is not derived from some of them', () => {
  const schedule = { starting_date: '2026-01-31', end_date: null, frequency: 1n, frequency_unit: 'Month' } as const;
  expect(withDerived('periodic_invoice', { ...schedule, made: 3n })).toMatchObject({ next_due: '2026-04-30' });
  expect(withDerived('periodic_invoice', { request: '{}' })).toEqual({ request: '{}' });
  expect(() => withDerived('periodic_invoice', { made: 3n })).toThrow(
    'periodic_invoice.next_due follows from starting_date, end_date, frequency, frequency_unit, made together.',
  );
});

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
