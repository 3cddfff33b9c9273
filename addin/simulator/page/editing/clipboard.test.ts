import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromClipboard, toClipboard } from './clipboard.ts';

describe('Cells on the clipboard', () => {
  test('are read as they were written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '0', '"', '\t', '\n', ' ', '=', 'é') });
    const matrix = fc
      .integer({ min: 1, max: 4 })
      .chain((columns) =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 5 }),
      );
    fc.assert(
      fc.property(
        // A last row of one empty cell is a trailing line end, which Excel puts there itself.
        matrix.filter((rows) => rows.length === 1 || rows.at(-1)!.join('') !== '' || rows[0]!.length > 1),
        (rows) => {
          expect(fromClipboard(toClipboard(rows))).toEqual(rows);
        },
      ),
    );
  });

  test('end with a line end in Excel, which is not another row', () => {
    expect(fromClipboard('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  test('may contain a quote that encloses nothing', () => {
    expect(fromClipboard('5" pipe\t"x')).toEqual([['5" pipe', '"x']]);
  });
});
