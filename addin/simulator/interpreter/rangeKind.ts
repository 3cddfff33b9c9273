import {
  type Area,
  boundingArea,
  cellArea,
  eachCell,
  indexes,
  intersection,
  isUnbounded,
  MAX_COLUMNS,
  MAX_ROWS,
  matrixOf,
} from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { copyCells, cutCells } from '../workbook/changes/copy.ts';
import { surroundingRegion } from '../workbook/changes/edge.ts';
import { assertSize, clearArea, clearings, enterFromApi } from '../workbook/changes/enter.ts';
import { isFiltered } from '../workbook/changes/filter.ts';
import { setNumberFormats } from '../workbook/changes/restyle.ts';
import { deleteCells, insertStyled } from '../workbook/changes/shift.ts';
import { clearRules } from '../workbook/rules/ruledAreas.ts';
import {
  assertWritable,
  type Cell,
  cellAt,
  columnOf,
  forEachCell,
  formulaAt,
  isBlank,
  numberFormatAt,
  putCell,
  rowOf,
  type Sheet,
  sourceAt,
  styleAt,
  textAt,
  usedArea,
  valueAt,
  valueTypeAt,
  withoutContent,
} from '../workbook/sheet.ts';
import { activateSheet, assertInFront, select } from '../workbook/sheets.ts';
import { argument, type HostObject, hostObject, type Kind, type Scalar, withNullObject } from './hostObject.ts';
import { extent, hidden } from './rangeSizes.ts';
import {
  address,
  adjacent,
  crossing,
  edge,
  find,
  hasSpill,
  part,
  rangeArgument,
  rangeOf,
  resized,
  spillingTo,
  spillParentOf,
} from './ranges.ts';
import type { RangeTarget } from './targets.ts';

type ReadCell = (sheet: Sheet, row: number, column: number) => unknown;
type Setter = Scalar<RangeTarget>['set'];

/** A property with a value for each cell, row by row; null for entire rows and columns, as in Excel. */
const perCell = (read: ReadCell, set?: Setter): Scalar<RangeTarget> => ({
  get: ({ sheet, area }) => (isUnbounded(area) ? null : matrixOf(area, (row, column) => read(sheet, row, column))),
  ...(set ? { set } : {}),
});

const enter: Setter = ({ sheet, area }, value) => enterFromApi(sheet, area, value);
const setFormats: Setter = ({ sheet, area }, value) => setNumberFormats(sheet, area, value);

/** The first cell with content, row by row. */
const firstFilled = (sheet: Sheet, area: Area): Cell | undefined => {
  let found: Cell | undefined;
  forEachCell(sheet, area, (cell) => {
    if (!isBlank(cell)) found ??= cell;
  });
  return found;
};

/** What no option of a protection allows. */
const assertUnprotected = ({ protection }: Sheet): void => {
  if (protection) throw new ExcelError('AccessDenied');
};

const usedRange = ({ sheet, area }: RangeTarget, [valuesOnly]: unknown[]): HostObject | undefined => {
  sheet.workbook.settle();
  const used = usedArea(sheet, Boolean(valuesOnly), area);
  return used && rangeOf(sheet, used);
};

export const rangeKind: Kind<RangeTarget> = {
  scalars: {
    Address: { get: address },
    ColumnCount: { get: ({ area }) => area.columns },
    ColumnHidden: {
      get: (target) => hidden(target, 'column'),
      set: ({ sheet, area }, value) => {
        assertWritable(sheet, area, 'allowFormatColumns');
        for (let column = area.column; column < area.column + area.columns; column += 1) {
          columnOf(sheet, column).hidden = argument.boolean(value);
        }
        sheet.workbook.emit({ kind: 'layout', sheet });
      },
    },
    ColumnIndex: { get: ({ area }) => area.column },
    Formulas: perCell(formulaAt, enter),
    FormulasLocal: perCell(
      (sheet, row, column) =>
        cellAt(sheet, row, column)?.formula ? sourceAt(sheet, row, column) : valueAt(sheet, row, column),
      ({ sheet, area }, value) => enterFromApi(sheet, area, value, sheet.workbook.locale),
    ),
    HasSpill: { get: hasSpill },
    Height: { get: ({ sheet, area }) => extent(sheet, 'row', area.row, area.rows) },
    Hidden: {
      get: (target) => {
        const rows = hidden(target, 'row');
        const columns = hidden(target, 'column');
        return rows === true || columns === true ? true : rows === null || columns === null ? null : false;
      },
    },
    Hyperlink: {
      get: ({ sheet, area }) => cellAt(sheet, area.row, area.column)?.hyperlink ?? null,
      set: ({ sheet, area }, value) => {
        if (typeof value !== 'object' || value === null) throw new ExcelError('InvalidArgument');
        assertWritable(sheet, area, 'allowInsertHyperlinks');
        const link = value as Record<string, string>;
        const shown = link.textToDisplay ?? link.address ?? link.documentReference ?? '';
        eachCell(area, (row, column) => {
          const old = cellAt(sheet, row, column);
          const keepsContent = link.textToDisplay === undefined && !isBlank(old);
          putCell(sheet, row, column, {
            ...(keepsContent ? old! : { ...withoutContent(old), value: shown }),
            style: { ...styleAt(sheet, row, column), fontColor: '#0563C1', underline: 'Single' },
            hyperlink: link,
          });
        });
        sheet.workbook.contentChanged(sheet, area);
      },
    },
    Left: { get: ({ sheet, area }) => extent(sheet, 'column', 0, area.column) },
    NumberFormat: perCell(numberFormatAt, setFormats),
    RowCount: { get: ({ area }) => area.rows },
    RowHidden: {
      get: (target) => hidden(target, 'row'),
      set: ({ sheet, area }, value) => {
        assertWritable(sheet, area, 'allowFormatRows');
        for (let row = area.row; row < area.row + area.rows; row += 1)
          rowOf(sheet, row).hidden = argument.boolean(value);
        sheet.workbook.emit({ kind: 'layout', sheet });
      },
    },
    RowIndex: { get: ({ area }) => area.row },
    Style: {
      get: () => 'Normal',
      set: ({ sheet, area }, value) => {
        if (value !== 'Normal') {
          throw new ExcelError('ApiNotFound', 'The simulated workbook has no other styles of cells than Normal.');
        }
        clearArea(sheet, area, 'Formats');
      },
    },
    Text: perCell(textAt),
    Top: { get: ({ sheet, area }) => extent(sheet, 'row', 0, area.row) },
    Values: perCell(valueAt, enter),
    ValueTypes: perCell(valueTypeAt),
    Width: { get: ({ sheet, area }) => extent(sheet, 'column', area.column, area.columns) },
  },
  children: {
    ConditionalFormats: (target) => hostObject('ConditionalFormatCollection', target),
    DataValidation: (target) => hostObject('DataValidation', target),
    Format: (target) => hostObject('RangeFormat', target),
    Sort: (target) => hostObject('RangeSort', target),
    Worksheet: ({ sheet }) => hostObject('Worksheet', sheet),
  },
  methods: {
    Calculate: (place) => {
      place.sheet.workbook.recalculate(place);
      return null;
    },
    Clear: ({ sheet, area }, [what]) => {
      const clearing = argument.oneOf(...clearings)(what ?? 'All');
      clearArea(sheet, area, clearing);
      if (clearing === 'All' || clearing === 'Formats') clearRules(sheet, area, clearing);
    },
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
      // Under a filter Excel deletes nothing, without an error: OfficeDev/office-js#994.
      if (direction === 'Up' && isFiltered(sheet, area)) return;
      deleteCells(sheet, area, direction);
    },
    ...withNullObject<RangeTarget>('Find', (target, [text, criteria]) => find(target, text, criteria)),
    GetBoundingRect: (target, [other]) => {
      const another = rangeArgument(other, target.sheet);
      if (another.sheet !== target.sheet) throw new ExcelError('InvalidArgument');
      return rangeOf(target.sheet, boundingArea(target.area, another.area));
    },
    GetCell: ({ sheet, area }, [row, column]) =>
      rangeOf(
        sheet,
        cellArea({ row: area.row + argument.integer(row), column: area.column + argument.integer(column) }),
      ),
    GetColumn: (target, [column]) => {
      if (argument.integer(column) >= target.area.columns || column < 0) throw new ExcelError('InvalidArgument');
      return part(target, { column: target.area.column + column, columns: 1 });
    },
    GetColumnsAfter: (target, [count]) => adjacent(target, 'column', true, count),
    GetColumnsBefore: (target, [count]) => adjacent(target, 'column', false, count),
    GetEntireColumn: (target) => part(target, { row: 0, rows: MAX_ROWS }),
    GetEntireRow: (target) => part(target, { column: 0, columns: MAX_COLUMNS }),
    GetExtendedRange: (target, [direction, activeCell]) => {
      const end = edge(target, direction, activeCell).target as RangeTarget;
      return rangeOf(target.sheet, boundingArea(target.area, end.area));
    },
    ...withNullObject<RangeTarget>('GetIntersection', (target, [other]) => crossing(target, other)),
    GetLastCell: ({ sheet, area }) =>
      rangeOf(sheet, cellArea({ row: area.row + area.rows - 1, column: area.column + area.columns - 1 })),
    GetLastColumn: (target) => part(target, { column: target.area.column + target.area.columns - 1, columns: 1 }),
    GetLastRow: (target) => part(target, { row: target.area.row + target.area.rows - 1, rows: 1 }),
    GetOffsetRange: (target, [rows, columns]) =>
      part(target, {
        row: target.area.row + argument.integer(rows),
        column: target.area.column + argument.integer(columns),
      }),
    GetRangeEdge: (target, [direction, activeCell]) => edge(target, direction, activeCell),
    GetResizedRange: (target, [rows, columns]) => resized(target, argument.integer(rows), argument.integer(columns)),
    GetRow: (target, [row]) => {
      if (argument.integer(row) >= target.area.rows || row < 0) throw new ExcelError('InvalidArgument');
      return part(target, { row: target.area.row + row, rows: 1 });
    },
    GetRowsAbove: (target, [count]) => adjacent(target, 'row', false, count),
    GetRowsBelow: (target, [count]) => adjacent(target, 'row', true, count),
    ...withNullObject<RangeTarget>('GetSpillParent', spillParentOf),
    ...withNullObject<RangeTarget>('GetSpillingToRange', spillingTo),
    GetSurroundingRegion: (target) => rangeOf(target.sheet, surroundingRegion(target.sheet, target.area)),
    GetTables: (target, [fullyContained]) =>
      hostObject('TableScopedCollection', { range: target, fully: Boolean(fullyContained) }),
    // Of a sheet it is the first cell when there is none.
    ...withNullObject<RangeTarget>('GetUsedRange', usedRange),
    GetVisibleView: (target) => hostObject('RangeView', target),
    Insert: ({ sheet, area }, [direction]) => {
      if (direction !== 'Down' && direction !== 'Right') throw new ExcelError('InvalidArgument');
      insertStyled(sheet, area, direction);
      return rangeOf(sheet, area);
    },
    Merge: ({ sheet, area }, [across]) => {
      assertUnprotected(sheet);
      if (sheet.tables.some((table) => intersection(table.area, area))) throw new ExcelError('InvalidOperation');
      const lines = across ? indexes(area.row, area.rows).map((row) => ({ ...area, row, rows: 1 })) : [area];
      for (const line of lines) {
        sheet.merges = [...sheet.merges.filter((merged) => !intersection(merged, line)), line];
        const first = cellAt(sheet, line.row, line.column);
        // Excel keeps "the upper-left most data", from whichever cell.
        const kept = firstFilled(sheet, line);
        clearArea(sheet, line, 'Contents');
        putCell(sheet, line.row, line.column, isBlank(first) && kept ? { ...kept, ...withoutContent(first) } : first);
      }
      sheet.workbook.emit({ kind: 'layout', sheet });
    },
    MoveTo: (target, [destination]) => {
      const to = rangeArgument(destination, target.sheet);
      cutCells(target.sheet, target.area, to.sheet, to.area);
    },
    Select: ({ sheet, area }) => {
      assertInFront(sheet.workbook);
      activateSheet(sheet.workbook, sheet);
      select(sheet, area);
    },
    Unmerge: ({ sheet, area }) => {
      assertUnprotected(sheet);
      sheet.merges = sheet.merges.filter((merged) => !intersection(merged, area));
      sheet.workbook.emit({ kind: 'layout', sheet });
    },
    _ValidateArraySize: ({ area }, [rows, columns]) => assertSize(area, rows, columns),
  },
};
