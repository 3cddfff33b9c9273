import type { Area } from '../cells/address.ts';
import { columnOf, forEachCell, type Sheet, textAt } from '../sheet.ts';

/** Sets the width of each column for its longest text: about 5.5 points for a character. */
export const autofitColumns = (sheet: Sheet, area: Area): void => {
  sheet.workbook.settle();
  const longest = new Map<number, number>();
  forEachCell(sheet, area, (cell, row, column) => {
    if (cell.value === '') return;
    const length = textAt(sheet, row, column).length * (cell.style?.bold ? 1.1 : 1);
    if (length > (longest.get(column) ?? 0)) longest.set(column, length);
  });
  for (const [column, length] of longest) {
    const header = sheet.tables.some(
      (table) => column >= table.area.column && column < table.area.column + table.area.columns,
    );
    columnOf(sheet, column).width = Math.min(1340, Math.max(16, Math.round(length * 5.5 + (header ? 20 : 8))));
  }
  sheet.workbook.emit({ kind: 'layout', sheet });
};
