import type { Sheet } from '../../addin/simulator/workbook/sheet.ts';

/** Moves a column of the first table of a sheet to another place in it, as a user drags it, with its heading and its id. */
export function dragColumn(sheet: Sheet, from: number, to: number): void {
  const { area, columns } = sheet.tables[0]!;
  columns.splice(to, 0, ...columns.splice(from, 1));
  for (const row of sheet.rows.slice(area.row, area.row + area.rows)) {
    if (row === undefined) continue;
    while (row.cells.length < area.column + area.columns) row.cells.push(undefined);
    row.cells.splice(area.column + to, 0, ...row.cells.splice(area.column + from, 1));
  }
}
