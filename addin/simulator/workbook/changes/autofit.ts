import { type Area, contains } from '../cells/address.ts';
import { record } from '../history.ts';
import { columnOf, forEachCell, type Sheet, textAt } from '../sheet.ts';
import { headerArea } from '../table.ts';
import { recordStep } from './undo.ts';

/** The width of a text in digits of the standard font. */
const widthOf = (text: string, isBold: boolean): number => {
  let width = 0;
  for (const character of text)
    width += /[MW@%mw]|\p{Extended_Pictographic}/u.test(character) ? 1.6 : /\p{Lu}/u.test(character) ? 1.25 : 1;
  return isBold ? width * 1.1 : width;
};

/** About 5.5 points for a digit, with the room beside a text, and that of the arrow beside a heading. */
const pointsFor = (width: number, isHeading: boolean): number => width * 5.5 + (isHeading ? 20 : 8);

/** Sets the width of each column for its widest text. */
export const autofitColumns = (sheet: Sheet, area: Area): void => {
  sheet.workbook.settle();
  const headings = sheet.tables.map(headerArea);
  const widest = new Map<number, number>();
  forEachCell(sheet, area, (cell, row, column) => {
    if (cell.value === '') return;
    const isHeading = headings.some((heading) => contains(heading, { row, column, rows: 1, columns: 1 }));
    const points = pointsFor(widthOf(textAt(sheet, row, column), isHeading || cell.style?.bold === true), isHeading);
    if (points > (widest.get(column) ?? 0)) widest.set(column, points);
  });
  for (const [column, points] of widest) {
    columnOf(sheet, column).width = Math.min(1340, Math.max(16, Math.round(points)));
  }
  sheet.workbook.emit({ kind: 'layout', sheet });
};

const setWidth = (sheet: Sheet, column: number, width: number | undefined): void => {
  const target = columnOf(sheet, column);
  const before = target.width;
  target.width = width;
  record(sheet.workbook, { sheet, restore: () => setWidth(sheet, column, before) });
  sheet.workbook.emit({ kind: 'layout', sheet });
};

/** Lets the user undo a new width of a column. @param before its width in points; undefined for the standard one */
export const recordWidth = (sheet: Sheet, column: number, before: number | undefined): void => {
  const width = sheet.columns[column]?.width;
  if (width !== before) {
    columnOf(sheet, column).width = before;
    recordStep(sheet.workbook, () => setWidth(sheet, column, width));
  }
};
