import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf, bytesOfRow, halves } from './blocks.ts';
import { bytesOf, type Cell, cellOf, dateSerial, isCellError, textOfCell } from './cell.ts';
import { freeName, sheetNameOf, tableNameOf } from './names.ts';

describe('a date', () => {
  // As Excel itself counts, with the 29 February 1900 that never was.
  it.each([
    ['1900-01-01', 1],
    ['1900-02-28', 59],
    ['1900-03-01', 61],
    ['2000-02-29', 36_585],
    ['2026-12-31', 46_387],
    ['9999-12-31', 2_958_465],
  ])('%s is serial %d', (date, serial) => {
    expect(dateSerial(date)).toBe(serial);
  });

  it('before Excel’s calendar stays text', () => {
    expect(dateSerial('1899-12-31')).toBe('1899-12-31');
  });
});

describe('a cell', () => {
  it('is empty for nothing, whatever its column', () => {
    for (const kind of ['text', 'integer', 'amount', 'price', 'decimal', 'date', 'moment', 'boolean'] as const) {
      expect([cellOf(kind, null), cellOf(kind, undefined), cellOf(kind, '')]).toEqual(['', '', '']);
    }
  });

  it('holds zero and false, which are something', () => {
    expect([cellOf('amount', '0'), cellOf('boolean', false)]).toEqual([0, false]);
  });

  it('gives back the decimal text it was made of, to 15 digits', () => {
    const amounts = fc.tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.nat(999_999));
    fc.assert(
      fc.property(amounts, ([whole, fraction]) => {
        const text = String(Number(`${whole}.${String(fraction).padStart(6, '0')}`));
        expect(textOfCell(cellOf('price', text))).toBe(text);
      }),
    );
  });

  it('with an error of Excel is known as one, and a text with a hash is not', () => {
    expect(['#N/A', '#DIV/0!', '#NAME?'].every(isCellError)).toBe(true);
    expect(['#1', 'N/A', '# x', 0, true].some((cell) => isCellError(cell as Cell))).toBe(false);
  });

  it('takes no more bytes than it is thought to, but for control characters', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true }), fc.boolean()), (cell) => {
        const bytes = new TextEncoder().encode(JSON.stringify(cell)).length;
        expect(bytesOf(cell)).toBeGreaterThanOrEqual(typeof cell === 'number' ? 8 : bytes - 1);
      }),
    );
  });
});

describe('blocks', () => {
  const places = fc.uniqueArray(fc.nat(200), { maxLength: 60 });

  it('hold every row in its place and touch no other', () => {
    fc.assert(
      fc.property(places, fc.integer({ min: 20, max: 400 }), (rows, bytes) => {
        const wanted = new Map(rows.map((place) => [place, [place, 'x'] as (Cell | null)[]]));
        const held = new Map<number, (Cell | null)[]>();
        for (const { start, rows } of blocksOf(wanted, 2, bytes)) {
          rows.forEach((cells, index) => {
            if (cells.some((cell) => cell !== null)) held.set(start + index, cells);
          });
        }
        expect(held).toEqual(wanted);
      }),
    );
  });

  it('are no larger than asked, but for a single row', () => {
    const rows = new Map(Array.from({ length: 50 }, (_, place) => [place, ['y'.repeat(place)] as (Cell | null)[]]));
    for (const block of blocksOf(rows, 1, 100)) {
      const size = block.rows.reduce((sum, row) => sum + bytesOfRow(row), 0);
      expect(size <= 100 || block.rows.length === 1).toBe(true);
    }
  });

  it('fall into two halves, and a single row does not', () => {
    expect(halves({ start: 7, rows: [[1], [2], [3]] })).toEqual([
      { start: 7, rows: [[1], [2]] },
      { start: 9, rows: [[3]] },
    ]);
    expect(halves({ start: 7, rows: [[1]] })).toBeUndefined();
  });
});

describe('a name', () => {
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

  it('that is taken, in any case, gets the first free number', () => {
    const numbered = (name: string, number: number) => `${name} (${number})`;
    expect(freeName('Sheet', ['sheet', 'SHEET (2)', 'x'], numbered)).toBe('Sheet (3)');
    expect(freeName('Sheet', ['x'], numbered)).toBe('Sheet');
  });
});
