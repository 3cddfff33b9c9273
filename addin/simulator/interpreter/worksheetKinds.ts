import { contains, isEntireColumn, isEntireRow, wholeSheet } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { filterRows, givenCriteria, shownCriteria } from '../workbook/changes/filter.ts';
import { type Sheet, STANDARD_COLUMN_WIDTH, STANDARD_ROW_HEIGHT, usedArea } from '../workbook/sheet.ts';
import {
  activateSheet,
  addSheet,
  assertInFront,
  copySheet,
  deleteSheet,
  findSheet,
  moveSheet,
  renameSheet,
  setVisibility,
  visibleSheets,
} from '../workbook/sheets.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { color } from './formatKinds.ts';
import {
  collection,
  existing,
  given,
  type HostObject,
  hostObject,
  isOfKind,
  type Kind,
  type Kinds,
} from './hostObject.ts';
import { rangeArgument, rangeOf } from './ranges.ts';

const neighbour = (sheet: Sheet, step: 1 | -1, visibleOnly: unknown): Sheet | undefined => {
  const { sheets } = sheet.workbook;
  for (let index = sheets.indexOf(sheet) + step; index >= 0 && index < sheets.length; index += step) {
    const other = sheets[index]!;
    if (!visibleOnly || other.visibility === 'Visible') return other;
  }
  return undefined;
};

const worksheet = (sheet: Sheet): HostObject => hostObject('Worksheet', sheet);

const usedRange = (sheet: Sheet, valuesOnly: unknown): HostObject | undefined => {
  const area = usedArea(sheet, Boolean(valuesOnly));
  return area && rangeOf(sheet, area);
};

const layout = (sheet: Sheet): void => sheet.workbook.emit({ kind: 'layout', sheet });

const addressed = (sheet: Sheet, address: unknown): HostObject => {
  if (address === null || address === undefined || address === '') return rangeOf(sheet, wholeSheet);
  const range = rangeArgument(address, sheet);
  if (range.sheet !== sheet) throw new ExcelError('InvalidArgument');
  return rangeOf(sheet, range.area);
};

const worksheetKind: Kind<Sheet> = {
  id: ({ id }) => id,
  scalars: {
    Id: { get: ({ id }) => id },
    Name: { get: ({ name }) => name, set: (sheet, value) => renameSheet(sheet.workbook, sheet, value) },
    Position: {
      get: (sheet) => sheet.workbook.sheets.indexOf(sheet),
      set: (sheet, value) => moveSheet(sheet.workbook, sheet, value),
    },
    Visibility: {
      get: ({ visibility }) => visibility,
      set: (sheet, value) => setVisibility(sheet.workbook, sheet, value),
    },
    TabColor: {
      get: ({ tabColor }) => tabColor,
      set: (sheet, value) => {
        sheet.tabColor = value === '' ? '' : color(value);
        layout(sheet);
      },
    },
    StandardWidth: { get: () => STANDARD_COLUMN_WIDTH },
    StandardHeight: { get: () => STANDARD_ROW_HEIGHT },
    ShowGridlines: { get: ({ gridlines }) => gridlines },
    ShowHeadings: { get: ({ headings }) => headings },
    // The client sends `showGridlines = false` as a property named Gridlines, and headings likewise.
    Gridlines: {
      get: ({ gridlines }) => gridlines,
      set: (sheet, value) => {
        sheet.gridlines = given.truth(value);
        layout(sheet);
      },
    },
    Headings: {
      get: ({ headings }) => headings,
      set: (sheet, value) => {
        sheet.headings = given.truth(value);
        layout(sheet);
      },
    },
    EnableCalculation: { get: () => true, set: (_, value) => void given.truth(value) },
  },
  children: {
    AutoFilter: (sheet) => hostObject('WorksheetAutoFilter', sheet),
    Charts: (sheet) => hostObject('ChartCollection', sheet),
    CustomProperties: (sheet) => hostObject('WorksheetCustomPropertyCollection', sheet),
    FreezePanes: (sheet) => hostObject('WorksheetFreezePanes', sheet),
    Names: (sheet) => {
      assertInFront(sheet.workbook);
      return hostObject('NamedItemCollection', { workbook: sheet.workbook, scope: sheet });
    },
    Protection: (sheet) => hostObject('WorksheetProtection', sheet),
    Tables: (sheet) => hostObject('TableCollection', { workbook: sheet.workbook, sheet }),
  },
  methods: {
    Activate: (sheet) => {
      assertInFront(sheet.workbook);
      activateSheet(sheet.workbook, sheet);
    },
    Calculate: () => null,
    Copy: (sheet, [position, relativeTo]) => {
      const copy = copySheet(sheet);
      const { sheets } = sheet.workbook;
      const beside = isOfKind(relativeTo, 'Worksheet') ? sheets.indexOf(relativeTo.target) : undefined;
      const places = { Beginning: 0, Before: beside, After: beside === undefined ? undefined : beside + 1 };
      const place = places[position as keyof typeof places];
      if (place !== undefined) moveSheet(sheet.workbook, copy, Math.min(place, sheets.length - 1));
      return worksheet(copy);
    },
    Delete: (sheet) => deleteSheet(sheet.workbook, sheet),
    GetCell: (sheet, [row, column]) =>
      rangeOf(sheet, { row: given.whole(row), column: given.whole(column), rows: 1, columns: 1 }),
    GetNext: (sheet, [visibleOnly]) => worksheet(existing(neighbour(sheet, 1, visibleOnly))),
    GetNextOrNullObject: (sheet, [visibleOnly]) => {
      const next = neighbour(sheet, 1, visibleOnly);
      return next ? worksheet(next) : null;
    },
    GetPrevious: (sheet, [visibleOnly]) => worksheet(existing(neighbour(sheet, -1, visibleOnly))),
    GetPreviousOrNullObject: (sheet, [visibleOnly]) => {
      const previous = neighbour(sheet, -1, visibleOnly);
      return previous ? worksheet(previous) : null;
    },
    GetRange: (sheet, [address]) => addressed(sheet, address),
    GetRangeByIndexes: (sheet, [row, column, rows, columns]) => rangeOf(sheet, { row, column, rows, columns }),
    GetUsedRange: (sheet, [valuesOnly]) =>
      usedRange(sheet, valuesOnly) ?? rangeOf(sheet, { row: 0, column: 0, rows: 1, columns: 1 }),
    GetUsedRangeOrNullObject: (sheet, [valuesOnly]) => usedRange(sheet, valuesOnly) ?? null,
    _GetSheetById: (sheet, [id]) => worksheet(existing(findSheet(sheet.workbook, id))),
  },
};

const sheets = collection<Workbook, 'Worksheet'>('Worksheet', (workbook) => workbook.sheets, findSheet);

const worksheetsKind: Kind<Workbook> = {
  items: sheets.items!,
  item: sheets.item!,
  methods: {
    Add: (workbook, [name]) => worksheet(addSheet(workbook, name)),
    GetActiveWorksheet: (workbook) => worksheet(workbook.active),
    GetCount: (workbook, [visibleOnly]) => (visibleOnly ? visibleSheets(workbook) : workbook.sheets).length,
    GetFirst: (workbook, [visibleOnly]) =>
      worksheet(existing((visibleOnly ? visibleSheets(workbook) : workbook.sheets)[0])),
    GetItemOrNullObject: sheets.methods.GetItemOrNullObject,
    GetLast: (workbook, [visibleOnly]) =>
      worksheet(existing((visibleOnly ? visibleSheets(workbook) : workbook.sheets).at(-1))),
  },
};

const freeze = (sheet: Sheet, rows: number, columns: number): void => {
  if (rows < 0 || columns < 0) throw new ExcelError('InvalidArgument');
  sheet.frozen = { rows, columns };
  layout(sheet);
};

const frozenRange = (sheet: Sheet): HostObject | undefined => {
  const { rows, columns } = sheet.frozen;
  if (rows === 0 && columns === 0) return undefined;
  return rangeOf(sheet, {
    row: 0,
    column: 0,
    rows: rows || wholeSheet.rows,
    columns: columns || wholeSheet.columns,
  });
};

const freezePanesKind: Kind<Sheet> = {
  methods: {
    FreezeAt: (sheet, [frozen]) => {
      const { area } = rangeArgument(frozen, sheet);
      freeze(
        sheet,
        isEntireColumn(area) ? 0 : area.row + area.rows,
        isEntireRow(area) ? 0 : area.column + area.columns,
      );
    },
    FreezeColumns: (sheet, [count]) => freeze(sheet, 0, given.whole(count ?? 1)),
    FreezeRows: (sheet, [count]) => freeze(sheet, given.whole(count ?? 1), 0),
    GetLocation: (sheet) => existing(frozenRange(sheet)),
    GetLocationOrNullObject: (sheet) => frozenRange(sheet) ?? null,
    Unfreeze: (sheet) => freeze(sheet, 0, 0),
  },
};

const allowances = [
  'allowAutoFilter',
  'allowDeleteColumns',
  'allowDeleteRows',
  'allowEditObjects',
  'allowEditScenarios',
  'allowFormatCells',
  'allowFormatColumns',
  'allowFormatRows',
  'allowInsertColumns',
  'allowInsertHyperlinks',
  'allowInsertRows',
  'allowPivotTables',
  'allowSort',
];

const worksheetProtectionKind: Kind<Sheet> = {
  scalars: {
    Protected: { get: ({ protection }) => protection !== undefined },
    Options: {
      get: ({ protection }) =>
        Object.fromEntries([
          ...allowances.map((name) => [name, protection?.options[name] === true] as const),
          ['selectionMode', protection?.options.selectionMode ?? 'Normal'],
        ]),
    },
  },
  methods: {
    Protect: (sheet, [options, password]) => {
      if (sheet.protection) throw new ExcelError('InvalidOperation');
      sheet.protection = { options: options ?? {}, ...(password ? { password: given.text(password) } : {}) };
      sheet.workbook.emit({ kind: 'protection', sheet });
    },
    Unprotect: (sheet, [password]) => {
      if (sheet.protection?.password !== undefined && sheet.protection.password !== password) {
        throw new ExcelError('InvalidArgument');
      }
      sheet.protection = undefined;
      sheet.workbook.emit({ kind: 'protection', sheet });
    },
  },
};

const refilter = (sheet: Sheet): void => {
  const { filter } = sheet;
  if (!filter) return;
  const body = { ...filter.area, row: filter.area.row + 1, rows: filter.area.rows - 1 };
  if (body.rows > 0) {
    filterRows(
      sheet,
      body,
      [...filter.criteria].map(([index, criteria]) => ({ criteria, at: body.column + index })),
    );
  }
  sheet.workbook.emit({ kind: 'filtered', sheet, area: filter.area, table: undefined });
};

const sheetFilterKind: Kind<Sheet> = {
  name: 'AutoFilter',
  scalars: {
    Enabled: { get: ({ filter }) => filter !== undefined },
    IsDataFiltered: { get: ({ filter }) => Boolean(filter && filter.criteria.size > 0) },
    Criteria: {
      get: ({ filter }) =>
        Array.from({ length: filter?.area.columns ?? 0 }, (_, index) =>
          shownCriteria(filter!.criteria.get(index) ?? {}),
        ),
    },
  },
  methods: {
    Apply: (sheet, [range, columnIndex, criteria]) => {
      const { area } = rangeArgument(range, sheet);
      if (sheet.tables.some((table) => contains(table.area, area))) throw new ExcelError('InvalidOperation');
      const same = sheet.filter && contains(sheet.filter.area, area) && contains(area, sheet.filter.area);
      if (!same) sheet.filter = { area, criteria: new Map() };
      if (criteria) {
        if (given.whole(columnIndex) < 0 || columnIndex >= area.columns) throw new ExcelError('InvalidArgument');
        sheet.filter!.criteria.set(columnIndex, givenCriteria(criteria));
      }
      refilter(sheet);
    },
    ClearCriteria: (sheet) => {
      sheet.filter?.criteria.clear();
      refilter(sheet);
    },
    GetRange: (sheet) => rangeOf(sheet, existing(sheet.filter).area),
    GetRangeOrNullObject: (sheet) => (sheet.filter ? rangeOf(sheet, sheet.filter.area) : null),
    Reapply: refilter,
    Remove: (sheet) => {
      sheet.filter?.criteria.clear();
      refilter(sheet);
      sheet.filter = undefined;
    },
  },
};

export const worksheetKinds = {
  Worksheet: worksheetKind,
  WorksheetAutoFilter: sheetFilterKind,
  WorksheetCollection: worksheetsKind,
  WorksheetFreezePanes: freezePanesKind,
  WorksheetProtection: worksheetProtectionKind,
} satisfies Partial<Kinds>;
