import {
  type Area,
  areaAddress,
  cellArea,
  contains,
  fixedAddress,
  intersection,
  onSheet,
  type Position,
  quotedSheetName,
} from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { edgeFrom } from '../workbook/changes/edge.ts';
import { resolveReference } from '../workbook/reference.ts';
import { cellAt, forEachCell, type Sheet, textAt, usedArea } from '../workbook/sheet.ts';
import type { SortField } from '../workbook/table.ts';
import { argument, type HostObject, hostObject, isOfKind } from './hostObject.ts';
import type { RangeTarget } from './targets.ts';

/* Ways to find a range: by its address, beside another range, or by its content. */

export const rangeOf = (sheet: Sheet, area: Area): HostObject => hostObject('Range', { sheet, area: onSheet(area) });

/** A range from an address or name as `getRange` takes it, or from a range object. */
export const rangeArgument = (value: unknown, home: Sheet): RangeTarget => {
  if (isOfKind(value, 'Range')) return value.target;
  const found = typeof value === 'string' ? resolveReference(home.workbook, value, home) : undefined;
  if (!found) throw new ExcelError('InvalidArgument');
  return found;
};

export const address = ({ sheet, area }: RangeTarget): string => `${quotedSheetName(sheet.name)}!${areaAddress(area)}`;

/** The range as a formula: `=Sheet1!$A$1:$B$2`. */
export const referenceTo = ({ sheet, area }: RangeTarget): string => `=${fixedAddress(sheet.name, area)}`;

export const part = (target: RangeTarget, change: Partial<Area>): HostObject =>
  rangeOf(target.sheet, { ...target.area, ...change });

export const adjacent = (target: RangeTarget, axis: 'row' | 'column', after: boolean, count = 1): HostObject => {
  const steps = argument.integer(count ?? 1);
  if (steps === 0) throw new ExcelError('InvalidArgument');
  const length = axis === 'row' ? target.area.rows : target.area.columns;
  const start = target.area[axis];
  const size = Math.abs(steps);
  const outward = steps > 0;
  const at = after ? start + length - (outward ? 0 : size) : start - (outward ? size : 0);
  return part(target, { [axis]: at, [axis === 'row' ? 'rows' : 'columns']: size });
};

/** @param activeCell one of the range, from which the way leads; InvalidArgument for another, and by default the first */
export const edge = ({ sheet, area }: RangeTarget, direction: string, activeCell?: unknown): HostObject => {
  const step = { Up: [-1, 0], Down: [1, 0], Left: [0, -1], Right: [0, 1] }[direction];
  const from = activeCell === undefined || activeCell === null ? undefined : rangeArgument(activeCell, sheet);
  if (!step || (from && (from.sheet !== sheet || !contains(area, from.area)))) throw new ExcelError('InvalidArgument');
  return rangeOf(sheet, cellArea(edgeFrom(sheet, from?.area ?? area, step[0]!, step[1]!)));
};

/** Where a range ends when its last row or column moves by so many, also to before the first one. */
const stretched = (start: number, length: number, by: number): { start: number; length: number } => {
  const last = start + length - 1 + by;
  return { start: Math.min(start, last), length: Math.abs(last - start) + 1 };
};

export const resized = ({ sheet, area }: RangeTarget, rows: number, columns: number): HostObject => {
  const down = stretched(area.row, area.rows, rows);
  const across = stretched(area.column, area.columns, columns);
  return rangeOf(sheet, { row: down.start, rows: down.length, column: across.start, columns: across.length });
};

export const crossing = (target: RangeTarget, other: unknown): HostObject | undefined => {
  const another = rangeArgument(other, target.sheet);
  const area = another.sheet === target.sheet ? intersection(target.area, another.area) : undefined;
  return area && rangeOf(target.sheet, area);
};

export const find = (
  { sheet, area }: RangeTarget,
  text: unknown,
  criteria: { completeMatch?: boolean; matchCase?: boolean; searchDirection?: string } | undefined,
): HostObject | undefined => {
  const fold = (value: string) => (criteria?.matchCase ? value : value.toLowerCase());
  const wanted = fold(argument.text(text));
  sheet.workbook.settle();
  const used = usedArea(sheet, true, area);
  if (!used) return undefined;
  const cells = used.rows * used.columns;
  const searchesBackwards = criteria?.searchDirection === 'Backwards';
  for (let step = 0; step < cells; step += 1) {
    const place = searchesBackwards ? cells - 1 - step : step;
    const row = used.row + Math.floor(place / used.columns);
    const column = used.column + (place % used.columns);
    const shown = fold(textAt(sheet, row, column));
    if (shown !== '' && (criteria?.completeMatch ? shown === wanted : shown.includes(wanted))) {
      return rangeOf(sheet, cellArea({ row, column }));
    }
  }
  return undefined;
};

const notSimulated = (what: string): ExcelError =>
  new ExcelError('ApiNotFound', `The simulated workbook has no sorting by ${what}.`);

/** Excel sorts by at most so many conditions. */
const MAX_SORT_FIELDS = 64;

/** Sort fields as the API gives them: of values, ascending by default. */
export const sortFields = (fields: unknown): SortField[] => {
  if (!Array.isArray(fields) || fields.length > MAX_SORT_FIELDS) throw new ExcelError('InvalidArgument');
  return fields.map((given: unknown) => {
    if (typeof given !== 'object' || given === null) throw new ExcelError('InvalidArgument');
    const { key, ascending, sortOn = 'Value', dataOption = 'Normal', subField } = given as Record<string, unknown>;
    if (argument.oneOf('Value', 'CellColor', 'FontColor', 'Icon')(sortOn) !== 'Value') throw notSimulated(`${sortOn}`);
    if (subField !== undefined) throw notSimulated('fields of rich values');
    const textAsNumber = argument.oneOf('Normal', 'TextAsNumber')(dataOption) === 'TextAsNumber';
    const field = { key: argument.integer(key), ascending: argument.boolean(ascending ?? true) };
    return textAsNumber ? { ...field, dataOption: 'TextAsNumber' } : field;
  });
};

/** By sounds; the other method orders Chinese characters by their strokes. */
export const assertSortMethod = (method: unknown): void => {
  if (argument.oneOf('PinYin', 'StrokeCount')(method ?? 'PinYin') !== 'PinYin') throw notSimulated('strokes');
};

const isSeveral = (area: Area | undefined): area is Area => area !== undefined && area.rows * area.columns > 1;

/** The cell whose formula fills a cell, itself or another; undefined for several cells. */
const spillParent = ({ sheet, area }: RangeTarget): { anchor: Position; spills: Area } | undefined => {
  if (area.rows * area.columns !== 1) return undefined;
  let found: { anchor: Position; spills: Area } | undefined;
  const before = { row: 0, column: 0, rows: area.row + 1, columns: area.column + 1 };
  forEachCell(sheet, before, ({ spills }, row, column) => {
    if (isSeveral(spills) && contains(spills, area)) found = { anchor: { row, column }, spills };
  });
  return found;
};

export const spillParentOf = (target: RangeTarget): HostObject | undefined => {
  target.sheet.workbook.settle();
  const found = spillParent(target);
  return found && rangeOf(target.sheet, cellArea(found.anchor));
};

/** The cells that the formula of a cell fills. */
export const spillingTo = ({ sheet, area }: RangeTarget): HostObject | undefined => {
  sheet.workbook.settle();
  const spills = area.rows * area.columns === 1 ? cellAt(sheet, area.row, area.column)?.spills : undefined;
  return isSeveral(spills) ? rangeOf(sheet, spills) : undefined;
};

/** Whether formulas that fill several cells fill all cells of a range; null when some. */
export const hasSpill = ({ sheet, area }: RangeTarget): boolean | null => {
  let filled = 0;
  forEachCell(sheet, area, ({ spills, spilled }) => {
    if (isSeveral(spills) || spilled) filled += 1;
  });
  return filled === 0 ? false : filled === area.rows * area.columns ? true : null;
};
