import type { Block } from './blocks.ts';
import type { Cell } from './cell.ts';
import type { Place } from './locateTable.ts';

/** Where blocks of rows go: the first row and column of a table's body, and its width. */
export type Body = Pick<Place, 'sheet' | 'top' | 'left' | 'width'>;

/** A block being written, and what stood in its place. */
export type Overwritten = Block & { before: Excel.Range };

/** How often rows may move under our hands before we give up on a change. */
export const ATTEMPTS = 5;

export const rowsOfBody = ({ sheet, top, left, width }: Body, start: number, count: number): Excel.Range =>
  sheet.getRangeByIndexes(top + start, left, count, width);

/**
 * Asks for a block to be written, and to be told what stood there before it was: the person may sort between the request
 * that finds a row and the one that writes into it. Nothing comes between the two halves of one request.
 * @param block its start counted from the first row of the body
 */
export function overwrite(body: Body, block: Block, load: Excel.Interfaces.RangeLoadOptions): Overwritten {
  // Two proxies, because one that is both read and written would show what was written.
  const before = rowsOfBody(body, block.start, block.rows.length);
  before.load(load);
  rowsOfBody(body, block.start, block.rows.length).values = block.rows;
  return { ...block, before };
}

/** The rows of a block, by their place in it, that turned out to be others than those meant. */
export const othersIn = (
  { rows, start, before }: Overwritten,
  isMeant: (row: number, before: Cell[], index: number) => boolean,
): number[] => [...rows.keys()].filter((index) => !isMeant(start + index, before.formulas[index] as Cell[], index));

/** Asks for what stood in rows of a block before it was written. */
export function putBack(body: Body, { start, rows, before }: Overwritten, others: readonly number[]): void {
  for (const index of others) {
    const was = before.formulas[index] as Cell[];
    const cells = rows[index]!.map((cell, column) => (cell === null ? null : was[column]!));
    rowsOfBody(body, start + index, 1).formulas = [cells];
  }
}
