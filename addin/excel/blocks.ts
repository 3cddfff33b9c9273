import { bytesOf, type Cell } from './cell.ts';
import { WorkbookProblem } from './workbookProblem.ts';

/** Excel on the web accepts requests of up to 5 MB; a block is well below that. */
export const BLOCK_BYTES = 1_000_000;

/** Neighbouring rows to write together. A null leaves its cell unchanged. */
export type Block = { start: number; rows: (Cell | null)[][] };

export const bytesOfRow = (row: readonly (Cell | null)[]): number =>
  row.reduce<number>((sum, cell) => sum + bytesOf(cell), 2);

/**
 * Groups rows to write into blocks of neighbours, with at most `bytes` in a block.
 * @param rows by their position; a gap of a few rows is filled with nulls, which cost less than a request
 * @param present bytes of the row at a position, if it is read in the same request
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

/** The approximate bytes of a range that is read and written, without its cells. */
const RANGE_BYTES = 1000;

/**
 * Groups blocks into requests of the largest allowed size.
 * @param present bytes of the row at a position, if it is read in the same request
 */
export function requestsOf(blocks: readonly Block[], present: (place: number) => number = () => 0): Block[][] {
  const requests: Block[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    const bytes = block.rows.reduce(
      (sum, row, index) => sum + Math.max(bytesOfRow(row), present(block.start + index)),
      RANGE_BYTES,
    );
    if (size + bytes > BLOCK_BYTES) {
      requests.push([block]);
      size = bytes;
    } else {
      requests.at(-1)!.push(block);
      size += bytes;
    }
  }
  return requests;
}

/** Processes blocks together, or in halves when Excel refuses the request as too large. */
export async function inParts(
  blocks: readonly Block[],
  work: (blocks: readonly Block[]) => Promise<void>,
): Promise<void> {
  try {
    await work(blocks);
  } catch (error) {
    const middle = Math.ceil(blocks.length / 2);
    const parts =
      blocks.length === 1 ? halves(blocks[0]!)?.map((half) => [half]) : [blocks.slice(0, middle), blocks.slice(middle)];
    if (!(error instanceof WorkbookProblem && error.code === 'TOO_LARGE') || parts === undefined) throw error;
    for (const part of parts) await inParts(part, work);
  }
}
