import { calculateFormulas } from '@cj-tech-master/excelts/formula';
import { MAX_COLUMNS, MAX_ROWS } from '../workbook/cells/address.ts';
import type { CellValue } from '../workbook/cells/entry.ts';
import type { Cell, Sheet } from '../workbook/sheet.ts';
import { engineWorkbook } from './engineWorkbook.ts';
import { referencesOf } from './formulaReferences.ts';
import { Spent } from './limits/costs.ts';

/** The values of a formula that is in no cell. @returns an error when it cannot be calculated */
export function evaluate(formula: string, sheet: Sheet): CellValue[][] {
  // It is calculated in a cell below all others and far beside them, in none of the columns that it may refer to as a
  // whole. The cell is gone afterwards.
  const row = sheet.rows.length;
  const column = sheet.rows.reduce((most, line) => Math.max(most, line?.cells.length ?? 0), 0) + 1000;
  if (row >= MAX_ROWS || column >= MAX_COLUMNS) return [['#CALC!']];
  const cells: (Cell | undefined)[] = new Array(column).fill(undefined);
  sheet.rows.push({ cells: [...cells, { value: formula, formula }] });
  try {
    const references = referencesOf(formula, sheet, { row, column });
    const portion = {
      formulas: [{ sheet, row, column, formula, references }],
      circular: new Set<never>(),
      isLast: true,
    };
    const { like, results } = engineWorkbook(sheet.workbook, portion, references.isOpen, undefined, new Spent());
    calculateFormulas(like);
    return results[0]?.values ?? [['#CALC!']];
  } catch {
    return [['#CALC!']];
  } finally {
    sheet.rows.length = row;
  }
}
