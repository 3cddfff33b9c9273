import { groupBy } from '../../../shared/groupBy.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { cellIn, namesIn, type ProductCells } from './productKey.ts';
import { readMode } from './translatedWords.ts';

/** A quantity that was sent and may still be in its row: sent again, it may be added twice. */
export type UnconfirmedWrite = {
  /** The product names in its row. */
  names: readonly string[];
  /** The text of its cell. */
  quantity: Cell;
  /**
   * `applied`: it was added, but its row was missing when its cell had to be cleared. `unknown`: it may have been
   * added.
   */
  state: 'applied' | 'unknown';
  /** The id of its push ("" if the service never returned it), and its row in that push. */
  push: string;
  row: number;
};

/** The unconfirmed write of the quantity in a row. */
export function unconfirmedFinder(
  unconfirmed: readonly UnconfirmedWrite[],
): (cells: ProductCells) => UnconfirmedWrite[] {
  const byName = groupBy(
    unconfirmed.flatMap((write) => write.names.map((name) => ({ name, write }))),
    ({ name }) => name,
  );
  return (cells) => {
    const named = namesIn(cells).flatMap((name) => byName.get(name) ?? []);
    return [...new Set(named.map(({ write }) => write))].filter((write) => isInRow(cells, write));
  };
}

/** Not if the row has another quantity or sets it, or if the user cleared its status to send it again. */
const isInRow = (cells: ProductCells, { quantity }: UnconfirmedWrite): boolean =>
  textOfCell(cellIn(cells, 'NewStockQty')) === textOfCell(quantity) &&
  cells.get('Status') !== '' &&
  readMode(cellIn(cells, 'StockUpdateMode')) !== 'Absolute';

/** The writes that are still unconfirmed: their row has the quantity, or is missing and may be found later. */
export function unconfirmedLeft(
  unconfirmed: readonly UnconfirmedWrite[],
  rows: readonly TableRow[],
): UnconfirmedWrite[] {
  const unconfirmedIn = unconfirmedFinder(unconfirmed);
  const held = new Set(rows.flatMap(({ cells }) => unconfirmedIn(cells)));
  const present = new Set(rows.flatMap(({ cells }) => namesIn(cells)));
  return unconfirmed.filter((write) => held.has(write) || !write.names.some((name) => present.has(name)));
}
