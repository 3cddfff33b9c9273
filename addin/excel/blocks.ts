import { bytesOf, type Cell } from './cell.ts';

/** Excel on the web takes requests of up to 5 MB; a block of one keeps well below it and answers soon. */
export const BLOCK_BYTES = 1_000_000;

/** Rows next to each other, to be written at once. A null leaves its cell as it is. */
export type Block = { start: number; rows: (Cell | null)[][] };

export const bytesOfRow = (row: readonly (Cell | null)[]): number =>
  row.reduce<number>((sum, cell) => sum + bytesOf(cell), 2);

/**
 * Rows that are to be written, as blocks: neighbours together, at most `bytes` in a block.
 * @param rows by their place; a gap of a few untouched rows is bridged, since a row of nulls costs less than a request
 * @param present bytes of the row that stands at a place, where it is asked for along with the writing
 */
export function blocksOf(
  rows: ReadonlyMap<number, (Cell | null)[]>,
  width: number,
  bytes: number = BLOCK_BYTES,
  present: (place: number) => number = () => 0,
): Block[] {
  const blocks: Block[] = [];
  const untouched: null[] = new Array(width).fill(null);
  let last: Block | undefined;
  let size = 0;
  for (const place of [...rows.keys()].sort((a, b) => a - b)) {
    const row = rows.get(place)!;
    const cost = Math.max(bytesOfRow(row), present(place));
    const gap = last === undefined ? 0 : place - last.start - last.rows.length;
    let bridge = 0;
    for (let between = place - Math.min(gap, 5); between < place; between++)
      bridge += Math.max(width * 8, present(between));
    if (last === undefined || gap > 4 || size + bridge + cost > bytes) {
      last = { start: place, rows: [row] };
      blocks.push(last);
      size = cost;
    } else {
      for (let bridged = 0; bridged < gap; bridged++) last.rows.push(untouched);
      last.rows.push(row);
      size += bridge + cost;
    }
  }
  return blocks;
}

/** The two halves of a block; undefined when it is a single row. */
export function halves({ start, rows }: Block): [Block, Block] | undefined {
  if (rows.length < 2) return undefined;
  const middle = Math.ceil(rows.length / 2);
  return [
    { start, rows: rows.slice(0, middle) },
    { start: start + middle, rows: rows.slice(middle) },
  ];
}
