import {
  type Area,
  areaAddress,
  boundingArea,
  contains,
  intersection,
  isEntireColumn,
  isEntireRow,
  MAX_COLUMNS,
  MAX_ROWS,
  onSheet,
  quotedSheetName,
} from '../workbook/cells/address.ts';
import { type CellValue, isErrorValue } from '../workbook/cells/entry.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { copyCells, cutCells } from '../workbook/copy.ts';
import { edgeFrom, surroundingRegion } from '../workbook/edge.ts';
import { type Clearing, clearArea, enterValues } from '../workbook/enter.ts';
import { resolveReference } from '../workbook/reference.ts';
import { setNumberFormats } from '../workbook/restyle.ts';
import {
  type Cell,
  cellAt,
  columnOf,
  isHiddenRow,
  numberFormatAt,
  putCell,
  rowOf,
  type Sheet,
  STANDARD_COLUMN_WIDTH,
  STANDARD_ROW_HEIGHT,
  styleAt,
  textAt,
  usedArea,
} from '../workbook/sheet.ts';
import { activateSheet, select } from '../workbook/sheets.ts';
import { deleteCells, insertCells } from '../workbook/shift.ts';
import { sortRows } from '../workbook/sort.ts';
import { formatKind } from './formatKinds.ts';
import { given, type HostObject, hostObject, isHostObject, type Kind } from './hostObject.ts';
import { conditionalFormatsKind, dataValidationKind } from './ruleKinds.ts';
import { tableKind } from './tableKinds.ts';
import { worksheetKind } from './worksheetKinds.ts';

/** A range the client holds. The area moves along when cells are inserted or deleted before it. */
export type RangeTarget = { sheet: Sheet; area: Area };

export const rangeOf = (sheet: Sheet, area: Area): HostObject => hostObject(rangeKind, { sheet, area: onSheet(area) });

/** A range from an address or name as `getRange` takes it, or from a range object. */
export const rangeArgument = (value: unknown, home: Sheet): RangeTarget => {
  if (isHostObject(value) && value.kind === (rangeKind as unknown)) return value.target as RangeTarget;
  const found = typeof value === 'string' ? resolveReference(home.workbook, value, home) : undefined;
  if (!found) throw new ExcelError('InvalidArgument');
  return found;
};

const isUnbounded = ({ area }: RangeTarget): boolean => area.rows === MAX_ROWS || area.columns === MAX_COLUMNS;

/** One answer for each cell, row by row; null for entire rows and columns, as Excel answers. */
const matrix = (target: RangeTarget, read: (row: number, column: number) => unknown): unknown => {
  if (isUnbounded(target)) return null;
  const { row, column, rows, columns } = target.area;
  return Array.from({ length: rows }, (_, down) =>
    Array.from({ length: columns }, (_unused, across) => read(row + down, column + across)),
  );
};

const valueType = (cell: Cell | undefined): string => {
  if (!cell || cell.value === '') return 'Empty';
  if (typeof cell.value === 'number') return 'Double';
  if (typeof cell.value === 'boolean') return 'Boolean';
  return isErrorValue(cell.value) ? 'Error' : 'String';
};

const category = (format: string, value: CellValue): string => {
  if (format === 'General') return 'General';
  if (format === '@') return 'Text';
  if (format.includes('%')) return 'Percentage';
  if (/\[?\$|€/.test(format)) return 'Currency';
  if (/[ymd]/i.test(format)) return 'Date';
  if (/[hs]/i.test(format)) return 'Time';
  return typeof value === 'number' && /^[#0,.]+$/.test(format) ? 'Number' : 'Custom';
};

/** True or false when all agree, null when they differ. */
const agreed = (answers: Iterable<boolean>): boolean | null => {
  let first: boolean | undefined;
  for (const answer of answers) {
    if (first === undefined) first = answer;
    else if (first !== answer) return null;
  }
  return first ?? false;
};

function* rowsHidden({ sheet, area }: RangeTarget): Generator<boolean> {
  const end = Math.min(area.row + area.rows, Math.max(sheet.rows.length + 1, area.row + 1));
  for (let row = area.row; row < end; row += 1) yield isHiddenRow(sheet, row);
}

function* columnsHidden({ sheet, area }: RangeTarget): Generator<boolean> {
  const end = Math.min(area.column + area.columns, Math.max(sheet.columns.length + 1, area.column + 1));
  for (let column = area.column; column < end; column += 1) yield Boolean(sheet.columns[column]?.hidden);
}

const sum = (
  from: number,
  count: number,
  length: number,
  sizeAt: (index: number) => number,
  standard: number,
): number => {
  let total = 0;
  const stored = Math.min(from + count, length);
  for (let index = from; index < stored; index += 1) total += sizeAt(index);
  return total + Math.max(0, from + count - Math.max(stored, from)) * standard;
};

const widthOf = (sheet: Sheet, column: number, columns: number): number =>
  sum(
    column,
    columns,
    sheet.columns.length,
    (index) => (sheet.columns[index]?.hidden ? 0 : (sheet.columns[index]?.width ?? STANDARD_COLUMN_WIDTH)),
    STANDARD_COLUMN_WIDTH,
  );

const heightOf = (sheet: Sheet, row: number, rows: number): number =>
  sum(
    row,
    rows,
    sheet.rows.length,
    (index) => (isHiddenRow(sheet, index) ? 0 : (sheet.rows[index]?.height ?? STANDARD_ROW_HEIGHT)),
    STANDARD_ROW_HEIGHT,
  );

const address = ({ sheet, area }: RangeTarget): string => `${quotedSheetName(sheet.name)}!${areaAddress(area)}`;

const part = (target: RangeTarget, change: Partial<Area>): HostObject =>
  rangeOf(target.sheet, { ...target.area, ...change });

const adjacent = (target: RangeTarget, axis: 'row' | 'column', after: boolean, count = 1): HostObject => {
  const steps = given.whole(count ?? 1);
  if (steps === 0) throw new ExcelError('InvalidArgument');
  const length = axis === 'row' ? target.area.rows : target.area.columns;
  const start = target.area[axis];
  const size = Math.abs(steps);
  const outward = steps > 0;
  const at = after ? start + length - (outward ? 0 : size) : start - (outward ? size : 0);
  return part(target, { [axis]: at, [axis === 'row' ? 'rows' : 'columns']: size });
};

const edge = ({ sheet, area }: RangeTarget, direction: string): HostObject => {
  const step = { Up: [-1, 0], Down: [1, 0], Left: [0, -1], Right: [0, 1] }[direction];
  if (!step) throw new ExcelError('InvalidArgument');
  return rangeOf(sheet, { ...edgeFrom(sheet, area.row, area.column, step[0]!, step[1]!), rows: 1, columns: 1 });
};

export const rangeKind: Kind<RangeTarget> = {
  name: 'Range',
  scalars: {
    Address: { get: address },
    AddressLocal: { get: address },
    CellCount: {
      get: ({ area }) => (area.rows * area.columns > 2 ** 31 - 1 ? -1 : area.rows * area.columns),
    },
    ColumnCount: { get: ({ area }) => area.columns },
    ColumnHidden: {
      get: (target) => agreed(columnsHidden(target)),
      set: ({ sheet, area }, value) => {
        for (let column = area.column; column < area.column + area.columns; column += 1) {
          columnOf(sheet, column).hidden = given.truth(value);
        }
        sheet.workbook.emit({ kind: 'layout', sheet });
      },
    },
    ColumnIndex: { get: ({ area }) => area.column },
    Formulas: {
      get: (target) =>
        matrix(target, (row, column) => {
          const cell = cellAt(target.sheet, row, column);
          return cell?.formula ?? cell?.value ?? '';
        }),
      set: ({ sheet, area }, value) => enterValues(sheet, area, value),
    },
    FormulasLocal: {
      get: (target) =>
        matrix(target, (row, column) => {
          const cell = cellAt(target.sheet, row, column);
          return cell?.formula ?? cell?.value ?? '';
        }),
      set: ({ sheet, area }, value) => enterValues(sheet, area, value, sheet.workbook.locale),
    },
    HasSpill: { get: () => false },
    Height: { get: ({ sheet, area }) => heightOf(sheet, area.row, area.rows) },
    Hidden: {
      get: (target) => {
        const rows = agreed(rowsHidden(target));
        const columns = agreed(columnsHidden(target));
        return rows === true || columns === true ? true : rows === null || columns === null ? null : false;
      },
    },
    Hyperlink: {
      get: ({ sheet, area }) => cellAt(sheet, area.row, area.column)?.hyperlink ?? null,
      set: ({ sheet, area }, value) => {
        if (typeof value !== 'object' || value === null) throw new ExcelError('InvalidArgument');
        const link = value as Record<string, string>;
        const shown = link.textToDisplay ?? link.address ?? link.documentReference ?? '';
        for (let row = area.row; row < area.row + area.rows; row += 1) {
          for (let column = area.column; column < area.column + area.columns; column += 1) {
            const style = styleAt(sheet, row, column);
            const old = cellAt(sheet, row, column);
            putCell(sheet, row, column, {
              value: link.textToDisplay === undefined && old?.value ? old.value : shown,
              style: { ...style, fontColor: '#0563C1', underline: 'Single' },
              hyperlink: link,
            });
          }
        }
        sheet.workbook.contentChanged(sheet, area);
      },
    },
    IsEntireColumn: { get: ({ area }) => isEntireColumn(area) },
    IsEntireRow: { get: ({ area }) => isEntireRow(area) },
    Left: { get: ({ sheet, area }) => widthOf(sheet, 0, area.column) },
    NumberFormat: {
      get: (target) => matrix(target, (row, column) => numberFormatAt(target.sheet, row, column)),
      set: ({ sheet, area }, value) => setNumberFormats(sheet, area, value),
    },
    NumberFormatCategories: {
      get: (target) =>
        matrix(target, (row, column) =>
          category(numberFormatAt(target.sheet, row, column), cellAt(target.sheet, row, column)?.value ?? ''),
        ),
    },
    NumberFormatLocal: {
      get: (target) => matrix(target, (row, column) => numberFormatAt(target.sheet, row, column)),
      set: ({ sheet, area }, value) => setNumberFormats(sheet, area, value),
    },
    RowCount: { get: ({ area }) => area.rows },
    RowHidden: {
      get: (target) => agreed(rowsHidden(target)),
      set: ({ sheet, area }, value) => {
        for (let row = area.row; row < area.row + area.rows; row += 1) rowOf(sheet, row).hidden = given.truth(value);
        sheet.workbook.emit({ kind: 'layout', sheet });
      },
    },
    RowIndex: { get: ({ area }) => area.row },
    SavedAsArray: { get: () => false },
    Style: {
      get: () => 'Normal',
      set: ({ sheet, area }, value) => {
        if (value !== 'Normal') throw new ExcelError('ItemNotFound');
        clearArea(sheet, area, 'Formats');
      },
    },
    Text: { get: (target) => matrix(target, (row, column) => textAt(target.sheet, row, column)) },
    Top: { get: ({ sheet, area }) => heightOf(sheet, 0, area.row) },
    Values: {
      get: (target) => matrix(target, (row, column) => cellAt(target.sheet, row, column)?.value ?? ''),
      set: ({ sheet, area }, value) => enterValues(sheet, area, value),
    },
    ValueTypes: { get: (target) => matrix(target, (row, column) => valueType(cellAt(target.sheet, row, column))) },
    Width: { get: ({ sheet, area }) => widthOf(sheet, area.column, area.columns) },
  },
  children: {
    ConditionalFormats: (target) => hostObject(conditionalFormatsKind, target),
    DataValidation: (target) => hostObject(dataValidationKind, target),
    Format: (target) => hostObject(formatKind, target),
    Sort: (target) => hostObject(rangeSortKind, target),
    Worksheet: ({ sheet }) => hostObject(worksheetKind, sheet),
  },
  methods: {
    Calculate: () => null,
    Clear: ({ sheet, area }, [what]) => clearArea(sheet, area, (what ?? 'All') as Clearing),
    CopyFrom: (target, [from, what, skipBlanks, transpose]) => {
      const source = rangeArgument(from, target.sheet);
      copyCells(source.sheet, source.area, target.sheet, target.area, {
        what: what ?? 'All',
        skipBlanks: Boolean(skipBlanks),
        transpose: Boolean(transpose),
      });
    },
    Delete: ({ sheet, area }, [direction]) => {
      if (direction !== 'Up' && direction !== 'Left') throw new ExcelError('InvalidArgument');
      deleteCells(sheet, area, direction);
    },
    Find: (target, [text, criteria]) => find(target, text, criteria) ?? missing(),
    FindOrNullObject: (target, [text, criteria]) => find(target, text, criteria) ?? null,
    GetAbsoluteResizedRange: (target, [rows, columns]) => part(target, { rows, columns }),
    GetBoundingRect: (target, [other]) => {
      const another = rangeArgument(other, target.sheet);
      if (another.sheet !== target.sheet) throw new ExcelError('InvalidArgument');
      return rangeOf(target.sheet, boundingArea(target.area, another.area));
    },
    GetCell: (target, [row, column]) =>
      part(target, {
        row: target.area.row + given.whole(row),
        column: target.area.column + given.whole(column),
        rows: 1,
        columns: 1,
      }),
    GetColumn: (target, [column]) => {
      if (given.whole(column) >= target.area.columns || column < 0) throw new ExcelError('InvalidArgument');
      return part(target, { column: target.area.column + column, columns: 1 });
    },
    GetColumnsAfter: (target, [count]) => adjacent(target, 'column', true, count),
    GetColumnsBefore: (target, [count]) => adjacent(target, 'column', false, count),
    GetEntireColumn: (target) => part(target, { row: 0, rows: MAX_ROWS }),
    GetEntireRow: (target) => part(target, { column: 0, columns: MAX_COLUMNS }),
    GetExtendedRange: (target, [direction]) => {
      const end = edge(target, direction).target as RangeTarget;
      return rangeOf(target.sheet, boundingArea(target.area, end.area));
    },
    GetIntersection: (target, [other]) => crossing(target, other) ?? missing(),
    GetIntersectionOrNullObject: (target, [other]) => crossing(target, other) ?? null,
    GetLastCell: (target) =>
      part(target, {
        row: target.area.row + target.area.rows - 1,
        column: target.area.column + target.area.columns - 1,
        rows: 1,
        columns: 1,
      }),
    GetLastColumn: (target) => part(target, { column: target.area.column + target.area.columns - 1, columns: 1 }),
    GetLastRow: (target) => part(target, { row: target.area.row + target.area.rows - 1, rows: 1 }),
    GetOffsetRange: (target, [rows, columns]) =>
      part(target, { row: target.area.row + given.whole(rows), column: target.area.column + given.whole(columns) }),
    GetRangeEdge: (target, [direction]) => edge(target, direction),
    GetResizedRange: (target, [rows, columns]) =>
      part(target, { rows: target.area.rows + given.whole(rows), columns: target.area.columns + given.whole(columns) }),
    GetRow: (target, [row]) => {
      if (given.whole(row) >= target.area.rows || row < 0) throw new ExcelError('InvalidArgument');
      return part(target, { row: target.area.row + row, rows: 1 });
    },
    GetRowsAbove: (target, [count]) => adjacent(target, 'row', false, count),
    GetRowsBelow: (target, [count]) => adjacent(target, 'row', true, count),
    GetSurroundingRegion: (target) => rangeOf(target.sheet, surroundingRegion(target.sheet, target.area)),
    GetTables: (target, [fullyContained]) =>
      hostObject(tablesInRangeKind, { range: target, fully: Boolean(fullyContained) }),
    GetUsedRange: (target, [valuesOnly]) =>
      rangeOf(
        target.sheet,
        usedArea(target.sheet, Boolean(valuesOnly), target.area) ?? { ...target.area, rows: 1, columns: 1 },
      ),
    GetUsedRangeOrNullObject: (target, [valuesOnly]) => {
      const used = usedArea(target.sheet, Boolean(valuesOnly), target.area);
      return used ? rangeOf(target.sheet, used) : null;
    },
    GetVisibleView: (target) => hostObject(rangeViewKind, target),
    Insert: ({ sheet, area }, [direction]) => {
      if (direction !== 'Down' && direction !== 'Right') throw new ExcelError('InvalidArgument');
      insertCells(sheet, area, direction);
      return rangeOf(sheet, area);
    },
    Merge: ({ sheet, area }, [across]) => {
      if (sheet.tables.some((table) => intersection(table.area, area))) throw new ExcelError('InvalidOperation');
      const lines = across
        ? Array.from({ length: area.rows }, (_, row) => ({ ...area, row: area.row + row, rows: 1 }))
        : [area];
      for (const line of lines) {
        sheet.merges.push(line);
        const kept = cellAt(sheet, line.row, line.column);
        clearArea(sheet, line, 'Contents');
        putCell(sheet, line.row, line.column, kept);
      }
      sheet.workbook.emit({ kind: 'layout', sheet });
    },
    MoveTo: (target, [destination]) => {
      const to = rangeArgument(destination, target.sheet);
      cutCells(target.sheet, target.area, to.sheet, to.area);
    },
    Select: ({ sheet, area }) => {
      activateSheet(sheet.workbook, sheet);
      select(sheet, area);
    },
    SetDirty: () => null,
    Unmerge: ({ sheet, area }) => {
      sheet.merges = sheet.merges.filter((merged) => !intersection(merged, area));
      sheet.workbook.emit({ kind: 'layout', sheet });
    },
    _ValidateArraySize: ({ area }, [rows, columns]) => {
      if (rows !== area.rows || columns !== area.columns) {
        throw new ExcelError(
          'InvalidArgument',
          "The number of rows or columns in the input array doesn't match the size or dimensions of the range.",
        );
      }
    },
  },
};

const missing = (): never => {
  throw new ExcelError('ItemNotFound');
};

const crossing = (target: RangeTarget, other: unknown): HostObject | undefined => {
  const another = rangeArgument(other, target.sheet);
  const area = another.sheet === target.sheet ? intersection(target.area, another.area) : undefined;
  return area && rangeOf(target.sheet, area);
};

const find = (
  { sheet, area }: RangeTarget,
  text: unknown,
  criteria: { completeMatch?: boolean; matchCase?: boolean } | undefined,
): HostObject | undefined => {
  const fold = (value: string) => (criteria?.matchCase ? value : value.toLowerCase());
  const wanted = fold(given.text(text));
  const used = usedArea(sheet, true, area);
  if (!used) return undefined;
  for (let row = used.row; row < used.row + used.rows; row += 1) {
    for (let column = used.column; column < used.column + used.columns; column += 1) {
      const shown = fold(textAt(sheet, row, column));
      if (shown !== '' && (criteria?.completeMatch ? shown === wanted : shown.includes(wanted))) {
        return rangeOf(sheet, { row, column, rows: 1, columns: 1 });
      }
    }
  }
  return undefined;
};

const rangeSortKind: Kind<RangeTarget> = {
  name: 'RangeSort',
  methods: {
    Apply: ({ sheet, area }, [fields, matchCase, hasHeaders, orientation]) => {
      if (!Array.isArray(fields) || orientation === 'Columns') throw new ExcelError('InvalidArgument');
      const body = hasHeaders ? { ...area, row: area.row + 1, rows: area.rows - 1 } : area;
      sortRows(sheet, body, sortFields(fields), Boolean(matchCase));
    },
  },
};

/** Sort fields as the API gives them; ascending unless told otherwise. */
export const sortFields = (fields: { key?: unknown; ascending?: unknown }[]) =>
  fields.map(({ key, ascending }) => ({ key: given.whole(key), ascending: ascending !== false }));

const tablesInRangeKind: Kind<{ range: RangeTarget; fully: boolean }> = {
  name: 'TableScopedCollection',
  items: (target) => tablesIn(target).map((table) => hostObject(tableKind, table)),
  item: (target, key) => {
    const table = tablesIn(target).find(({ name, id }) => name === key || id === key);
    return table && hostObject(tableKind, table);
  },
  methods: {
    GetCount: (target) => tablesIn(target).length,
    GetFirst: (target) => hostObject(tableKind, tablesIn(target)[0] ?? missing()),
  },
};

const tablesIn = ({ range, fully }: { range: RangeTarget; fully: boolean }) =>
  range.sheet.tables.filter(({ area }) => (fully ? contains(range.area, area) : intersection(range.area, area)));

const visibleRows = ({ sheet, area }: RangeTarget): number[] =>
  Array.from({ length: area.rows }, (_, index) => area.row + index).filter((row) => !isHiddenRow(sheet, row));

const visible = (target: RangeTarget, read: (row: number, column: number) => unknown): unknown[][] => {
  const columns = Array.from({ length: target.area.columns }, (_, index) => target.area.column + index).filter(
    (column) => !target.sheet.columns[column]?.hidden,
  );
  return visibleRows(target).map((row) => columns.map((column) => read(row, column)));
};

const rangeViewKind: Kind<RangeTarget> = {
  name: 'RangeView',
  scalars: {
    RowCount: { get: (target) => visibleRows(target).length },
    ColumnCount: { get: (target) => visible(target, () => null)[0]?.length ?? 0 },
    Values: { get: (target) => visible(target, (row, column) => cellAt(target.sheet, row, column)?.value ?? '') },
    Text: { get: (target) => visible(target, (row, column) => textAt(target.sheet, row, column)) },
    Formulas: {
      get: (target) =>
        visible(target, (row, column) => {
          const cell = cellAt(target.sheet, row, column);
          return cell?.formula ?? cell?.value ?? '';
        }),
    },
    NumberFormat: { get: (target) => visible(target, (row, column) => numberFormatAt(target.sheet, row, column)) },
    ValueTypes: { get: (target) => visible(target, (row, column) => valueType(cellAt(target.sheet, row, column))) },
    CellAddresses: {
      get: (target) =>
        visible(target, (row, column) => address({ sheet: target.sheet, area: { row, column, rows: 1, columns: 1 } })),
    },
  },
  methods: { GetRange: ({ sheet, area }) => rangeOf(sheet, area) },
};
