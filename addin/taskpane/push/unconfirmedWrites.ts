import { groupBy } from '../../../shared/groupBy.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { cellIn, namesIn, type ProductCells } from './productKey.ts';
import { readMode } from './translatedWords.ts';

/** A quantity that was sent to be added and may stand in its row still: sent again, it may be added twice. */
export type UnconfirmedWrite = {
  /** What its row called the product. */
  names: readonly string[];
  /** What its cell held. */
  quantity: Cell;
  /** `applied`: it was added, and its row was gone when its cell was to be emptied. `unknown`: it may have been added. */
  state: 'applied' | 'unknown';
  /** The push it was sent with, by its number at the service ("" when that was never told), and its row there. */
  push: string;
  row: number;
};

/** What is unconfirmed about the quantity a row holds. */
export function unconfirmedFinder(
  unconfirmed: readonly UnconfirmedWrite[],
): (cells: ProductCells) => UnconfirmedWrite[] {
  const byName = groupBy(
    unconfirmed.flatMap((write) => write.names.map((name) => ({ name, write }))),
    ({ name }) => name,
  );
  return (cells) => {
    const named = namesIn(cells).flatMap((name) => byName.get(name) ?? []);
    return [...new Set(named.map(({ write }) => write))].filter((write) => holds(cells, write));
  };
}

/** Another quantity, or one that is set, is another matter; who empties the status of a row wants it sent all the same. */
const holds = (cells: ProductCells, { quantity }: UnconfirmedWrite): boolean =>
  textOfCell(cellIn(cells, 'NewStockQty')) === textOfCell(quantity) &&
  cells.get('Status') !== '' &&
  readMode(cellIn(cells, 'StockUpdateMode')) !== 'Absolute';

/** The unconfirmed that a sheet leaves: in a row that still holds the quantity, or whose row may come back. */
export function unconfirmedLeft(
  unconfirmed: readonly UnconfirmedWrite[],
  rows: readonly TableRow[],
): UnconfirmedWrite[] {
  const unconfirmedIn = unconfirmedFinder(unconfirmed);
  const held = new Set(rows.flatMap(({ cells }) => unconfirmedIn(cells)));
  const present = new Set(rows.flatMap(({ cells }) => namesIn(cells)));
  return unconfirmed.filter((write) => held.has(write) || !write.names.some((name) => present.has(name)));
}
