import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/readTable.ts';
import type { SentRow, SheetPush, WrittenState } from './sheetPush.ts';
import { cellIn, namesIn, type ProductCells, productNames } from './whichProduct.ts';
import { readMode } from './words.ts';

/** A quantity that was sent to be added and may stand in its row still: sent again, it may be added twice. */
export type Doubt = {
  /** What its row called the product. */
  names: readonly string[];
  /** What its cell held. */
  quantity: Cell;
  /** `applied`: it was added, and its row was gone when its cell was to be emptied. `unknown`: it may have been added. */
  state: Extract<WrittenState, 'applied' | 'unknown'>;
  /** The push it was sent with, by its number at the service ("" when that was never told), and its row there. */
  push: string;
  row: number;
};

/** What is doubtful about the quantity a row holds. */
export function doubtFinder(doubts: readonly Doubt[]): (cells: ProductCells) => Doubt[] {
  const byName = Map.groupBy(
    doubts.flatMap((doubt) => doubt.names.map((name) => ({ name, doubt }))),
    ({ name }) => name,
  );
  return (cells) => {
    const named = namesIn(cells).flatMap((name) => byName.get(name) ?? []);
    return [...new Set(named.map(({ doubt }) => doubt))].filter((doubt) => holds(cells, doubt));
  };
}

/** Another quantity, or one that is set, is another matter; who empties the status of a row wants it sent all the same. */
const holds = (cells: ProductCells, { quantity }: Doubt): boolean =>
  textOfCell(cellIn(cells, 'NewStockQty')) === textOfCell(quantity) &&
  cells.get('Status') !== '' &&
  readMode(cellIn(cells, 'StockUpdateMode')) !== 'Absolute';

/** The doubts that a sheet leaves: in a row that still holds the quantity, or whose row may come back. */
export function doubtsLeft(doubts: readonly Doubt[], rows: readonly TableRow[]): Doubt[] {
  const doubtsIn = doubtFinder(doubts);
  const held = new Set(rows.flatMap(({ cells }) => doubtsIn(cells)));
  const present = new Set(rows.flatMap(({ cells }) => namesIn(cells)));
  return doubts.filter((doubt) => held.has(doubt) || !doubt.names.some((name) => present.has(name)));
}

/** Whether a doubt is about a row of this very push. */
export const isOf = ({ id }: Pick<SheetPush, 'id'>, doubt: Doubt): boolean => id !== '' && doubt.push === id;

/**
 * The doubts about a sheet once results stand in it. What is applied ends those of before; the end of a row that was
 * unknown ends its own. A refusal, or not being sent, says nothing of what was sent before.
 * @param gone the keys of rows that were not there any more
 */
export function doubtsAfter(
  push: Pick<SheetPush, 'id' | 'doubts'>,
  results: readonly { sent: SentRow; state: WrittenState }[],
  gone: ReadonlySet<string>,
): Doubt[] {
  const applied = new Set(results.flatMap(({ sent, state }) => (state === 'applied' ? productNames(sent.update) : [])));
  const ended = new Set(results.map(({ sent }) => sent.row));
  const before = push.doubts.filter(
    (doubt) => !doubt.names.some((name) => applied.has(name)) && !(isOf(push, doubt) && ended.has(doubt.row)),
  );
  const added = results.flatMap(({ sent: { row, key, update, clear }, state }): Doubt[] => {
    const isDoubtful = state === 'unknown' || (state === 'applied' && gone.has(key));
    if (clear === undefined || !isDoubtful) return [];
    return [{ names: productNames(update), quantity: clear, state, push: push.id, row }];
  });
  return [...before, ...added];
}
