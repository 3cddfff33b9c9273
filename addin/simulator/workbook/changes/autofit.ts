import type { Area } from '../cells/address.ts';
import { columnOf, forEachCell, type Sheet, textAt } from '../sheet.ts';

/** Widths that show the longest text of each column, in points; about five and a half a character at eleven points. */
export const autofitColumns = (sheet: Sheet, area: Area): void => {
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
