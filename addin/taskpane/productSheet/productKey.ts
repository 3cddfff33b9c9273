import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { ByColumn } from '../../excel/tables/readTable.ts';
import { keyText } from '../../excel/tables/table.ts';
import { type ProductColumn, productKeys } from '../sheetColumns/productTable.ts';

/** The cells of a row of a product sheet, by the key of their column. */
export type ProductCells = ByColumn<Cell>;

export const cellIn = (cells: ProductCells, column: ProductColumn): Cell => cells.get(column) ?? '';

/** The key by which a row is found for writing. */
export const rowKey = (cells: ProductCells): string => keyText(productKeys.map((column) => cellIn(cells, column)));

/** The names of a product: two rows that share one are for the same product. */
export function productNames(named: { readonly [Column in (typeof productKeys)[number]]?: unknown }): string[] {
  return productKeys.flatMap((column) => (named[column] ? [`${column} ${named[column]}`] : []));
}

/** The product names in a row. */
export const namesIn = (cells: ProductCells): string[] =>
  productNames(Object.fromEntries(productKeys.map((column) => [column, textOfCell(cellIn(cells, column))])));
