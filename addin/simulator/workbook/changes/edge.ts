import { type Area, areaAddress, boundingArea, MAX_COLUMNS, MAX_ROWS, type Position } from '../cells/address.ts';
import { cellAt, isBlank, isHiddenRow, type Sheet, usedArea } from '../sheet.ts';

const isFilled = (sheet: Sheet, row: number, column: number): boolean => !isBlank(cellAt(sheet, row, column));

/** The cell that Ctrl and an arrow key lead to: the end of a block of cells, the next block, or the sheet's edge. Hidden ones do not count. */
export const edgeFrom = (sheet: Sheet, { row, column }: Position, down: number, across: number): Position => {
  sheet.workbook.settle();
  const used = usedArea(sheet, true);
  const inside = (at: Position) => at.row >= 0 && at.column >= 0 && at.row < MAX_ROWS && at.column < MAX_COLUMNS;
  const last = {
    row: down === 0 ? row : down < 0 ? 0 : MAX_ROWS - 1,
    column: across === 0 ? column : across < 0 ? 0 : MAX_COLUMNS - 1,
  };
  if (!used) return last;
  // Past hidden rows and columns: what is typed there next would not be seen.
  const next = (from: Position): Position => {
    let at = from;
    do at = { row: at.row + down, column: at.column + across };
    while (across === 0 ? isHiddenRow(sheet, at.row) : sheet.columns[at.column]?.hidden);
    return at;
  };
  const beyond = (at: Position) => at.row >= used.row + used.rows || at.column >= used.column + used.columns;
  let at = next({ row, column });
  if (!inside(at)) return { row, column };
  if (isFilled(sheet, row, column) && isFilled(sheet, at.row, at.column)) {
    while (inside(next(at)) && isFilled(sheet, next(at).row, next(at).column)) at = next(at);
    return at;
  }
  while (inside(at) && !isFilled(sheet, at.row, at.column)) {
    if (beyond(at) && (down > 0 || across > 0)) return last;
    at = next(at);
  }
  return inside(at) ? at : last;
};

/** The block of filled cells around a range, bounded by blank rows and columns. */
export const surroundingRegion = (sheet: Sheet, area: Area): Area => {
  sheet.workbook.settle();
  let region = area;
  for (;;) {
    const around = {
      row: Math.max(0, region.row - 1),
      column: Math.max(0, region.column - 1),
      rows: Math.min(MAX_ROWS, region.row + region.rows + 1) - Math.max(0, region.row - 1),
      columns: Math.min(MAX_COLUMNS, region.column + region.columns + 1) - Math.max(0, region.column - 1),
    };
    const used = usedArea(sheet, true, around);
    const grown = used ? boundingArea(region, used) : region;
    if (areaAddress(grown) === areaAddress(region)) return region;
    region = grown;
  }
};
