import { type Cell, textOfCell } from '../../excel/cell.ts';
import { type Administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import type { AddedQuantity } from '../push/additions.ts';
import { namesIn, type ProductCells } from './productKey.ts';

/** Finds when an administration last added a quantity to the product of a row; undefined when it never did. */
export function addedFinder(
  added: readonly AddedQuantity[],
  administration: Administration,
): (cells: ProductCells, quantity: Cell) => string | undefined {
  const latest = new Map<string, string>();
  for (const one of added) {
    if (!isSameAdministration(one.administration, administration)) continue;
    for (const name of one.names) latest.set(nameAndQuantity(name, one.quantity), one.at);
  }
  return (cells, quantity) =>
    namesIn(cells)
      .map((name) => latest.get(nameAndQuantity(name, textOfCell(quantity))))
      .filter((at) => at !== undefined)
      .sort()
      .at(-1);
}

const nameAndQuantity = (name: string, quantity: string): string => JSON.stringify([name, quantity]);
