import { describe, expect, it } from 'vitest';
import { freeName, sheetNameOf, tableNameOf } from './names.ts';

describe('A name', () => {
  it.each([
    ['Invoices 1/2: [all]?*\\', 'Invoices 1-2- -all----'],
    ["'quoted'", 'quoted'],
    ['x'.repeat(40), 'x'.repeat(31)],
  ])('of a sheet %j becomes %j', (wanted, name) => {
    expect(sheetNameOf(wanted)).toBe(name);
  });

  it('of a sheet keeps its number within 31 characters', () => {
    expect(sheetNameOf('x'.repeat(40), ' (12)')).toBe(`${'x'.repeat(26)} (12)`);
  });

  it.each([
    ['Ledger accounts 2025', 'Ledger_accounts_2025'],
    ['2025 accounts', 'Table_2025_accounts'],
    ['Q1', 'Table_Q1'],
  ])('of a table %j becomes %j', (wanted, name) => {
    expect(tableNameOf(wanted)).toBe(name);
  });

  it('that is taken, compared without case, gets the first free number', () => {
    const numbered = (name: string, number: number) => `${name} (${number})`;
    expect(freeName('Sheet', ['sheet', 'SHEET (2)', 'x'], numbered)).toBe('Sheet (3)');
    expect(freeName('Sheet', ['x'], numbered)).toBe('Sheet');
  });
});
