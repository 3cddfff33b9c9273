import { groupBy } from '../../../shared/groupBy.ts';
import { textOfCell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import type { UnconfirmedWrite } from '../push/additions.ts';
import { chosenWord } from '../sheetColumns/readInput.ts';
import { cellIn, namesIn, type ProductCells } from './productKey.ts';

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
  chosenWord(cellIn(cells, 'StockUpdateMode'), ['Absolute']) === undefined;

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
