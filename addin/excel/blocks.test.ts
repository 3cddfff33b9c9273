import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf, bytesOfRow, halves } from './blocks.ts';
import type { Cell } from './cell.ts';

describe('Blocks', () => {
  const places = fc.uniqueArray(fc.nat(200), { maxLength: 60 });

  it('contain every row in its place and leave all others unchanged', () => {
    fc.assert(
      fc.property(places, fc.integer({ min: 20, max: 400 }), (rows, bytes) => {
        const wanted = new Map(rows.map((place) => [place, [place, 'x'] as (Cell | null)[]]));
        const written = new Map<number, (Cell | null)[]>();
        for (const { start, rows } of blocksOf(wanted, 2, bytes)) {
          rows.forEach((cells, index) => {
            if (cells.some((cell) => cell !== null)) written.set(start + index, cells);
          });
        }
        expect(written).toEqual(wanted);
      }),
    );
  });

  it('are not larger than allowed, unless they have a single row', () => {
    const rows = new Map(Array.from({ length: 50 }, (_, place) => [place, ['y'.repeat(place)] as (Cell | null)[]]));
    for (const block of blocksOf(rows, 1, 100)) {
      const size = block.rows.reduce((sum, row) => sum + bytesOfRow(row), 0);
      expect(size <= 100 || block.rows.length === 1).toBe(true);
    }
  });

  it('are halved, unless they have a single row', () => {
    expect(halves({ start: 7, rows: [[1], [2], [3]] })).toEqual([
      { start: 7, rows: [[1], [2]] },
      { start: 9, rows: [[3]] },
    ]);
    expect(halves({ start: 7, rows: [[1]] })).toBeUndefined();
  });
});
