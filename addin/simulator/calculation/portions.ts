import type { Sheet } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { FormulaCell } from './dependencies.ts';

/**
 * Formulas that the engine calculates at a time. It forgets what it parsed from the 10,001st formula on, and leaves the
 * first ones without a result.
 */
export const MAX_AT_ONCE = 5000;

/**
 * Formulas in portions, in the order of their cells, and those of them that refer to a formula of a later portion: they
 * are calculated once more.
 */
export function portionsOf(
  workbook: Workbook,
  formulas: Iterable<FormulaCell>,
): { portions: FormulaCell[][]; late: FormulaCell[] } {
  const order = new Map(workbook.sheets.map((sheet, index) => [sheet, index]));
  const sorted = [...formulas].sort(
    (a, b) => order.get(a.sheet)! - order.get(b.sheet)! || a.row - b.row || a.column - b.column,
  );
  const portions: FormulaCell[][] = [];
  for (let start = 0; start < sorted.length; start += MAX_AT_ONCE) {
    portions.push(sorted.slice(start, start + MAX_AT_ONCE));
  }
  if (portions.length < 2) return { portions, late: [] };
  const columns = columnsOf(sorted);
  const late = sorted.filter((cell, index) => {
    const portion = Math.floor(index / MAX_AT_ONCE);
    return cell.references.areas.some(({ sheet, area }) => {
      for (const [column, { rows, indexes }] of columns.get(sheet) ?? []) {
        if (column < area.column || column >= area.column + area.columns) continue;
        const at = lastUpTo(rows, area.row + area.rows - 1);
        if (at >= 0 && rows[at]! >= area.row && Math.floor(indexes[at]! / MAX_AT_ONCE) > portion) return true;
      }
      return false;
    });
  });
  return { portions, late };
}

/** The rows with formulas of each column, ascending, and their places in the order. */
type Columns = Map<number, { rows: number[]; indexes: number[] }>;

function columnsOf(sorted: readonly FormulaCell[]): Map<Sheet, Columns> {
  const found = new Map<Sheet, Columns>();
  for (const [index, { sheet, row, column }] of sorted.entries()) {
    const columns = found.get(sheet) ?? new Map<number, { rows: number[]; indexes: number[] }>();
    found.set(sheet, columns);
    const one = columns.get(column) ?? { rows: [], indexes: [] };
    columns.set(column, one);
    one.rows.push(row);
    one.indexes.push(index);
  }
  return found;
}

/** The index of the last number that is not above a limit; -1 when there is none. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
