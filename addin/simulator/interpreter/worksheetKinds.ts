import {
  cellArea,
  contains,
  fixedAddress,
  indexes,
  isEntireColumn,
  isEntireRow,
  sameName,
  wholeSheet,
} from '../workbook/cells/address.ts';
import { color } from '../workbook/cells/color.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { applySheetFilter } from '../workbook/changes/filter.ts';
import { copySheet } from '../workbook/copySheet.ts';
import { checkedCriteria, withNulls } from '../workbook/filters/filterCriteria.ts';
import { resolveReference } from '../workbook/reference.ts';
import { PRINT_TITLES, type PrintLayout, type Sheet, usedArea } from '../workbook/sheet.ts';
import {
  activateSheet,
  addSheet,
  assertInFront,
  deleteSheet,
  findSheet,
  moveSheet,
  renameSheet,
  setVisibility,
  visibleSheets,
} from '../workbook/sheets.ts';
import type { Workbook } from '../workbook/workbook.ts';
import {
  argument,
  collection,
  existing,
  type HostObject,
  hostObject,
  isOfKind,
  type Kinds,
  stored,
  withNullObject,
} from './hostObject.ts';
import { rangeArgument, rangeOf } from './ranges.ts';

const worksheet = (sheet: Sheet): HostObject => hostObject('Worksheet', sheet);

const neighbour =
  (step: 1 | -1) =>
  (sheet: Sheet, [visibleOnly]: unknown[]): HostObject | undefined => {
    const { sheets } = sheet.workbook;
    const at = sheets.indexOf(sheet);
    const others = step === 1 ? sheets.slice(at + 1) : sheets.slice(0, at).reverse();
    const found = others.find(({ visibility }) => !visibleOnly || visibility === 'Visible');
    return found && worksheet(found);
  };

const copyPlaces = ['None', 'Before', 'After', 'Beginning', 'End'] as const;

/** The position of a copy; without one it is the first sheet (documentation of `copy`). */
const placeOfCopy = ({ workbook }: Sheet, wanted: (typeof copyPlaces)[number], other: Sheet | undefined): number => {
  if (wanted === 'End') return workbook.sheets.length;
  if (wanted === 'None' || wanted === 'Beginning') return 0;
  // Before and after which sheet has to be said: OfficeDev/office-js#775.
  if (!other) throw new ExcelError('InvalidArgument');
  return workbook.sheets.indexOf(other) + (wanted === 'After' ? 1 : 0);
};

const usedRange = (sheet: Sheet, valuesOnly: unknown): HostObject | undefined => {
  sheet.workbook.settle();
  const area = usedArea(sheet, Boolean(valuesOnly));
  return area && rangeOf(sheet, area);
};

const layoutChanged = (sheet: Sheet): void => sheet.workbook.emit({ kind: 'layout', sheet });

/** A property of a sheet that changes how it looks. */
const shown = <Name extends 'gridlines' | 'headings' | 'tabColor'>(
  name: Name,
  check: (value: unknown) => Sheet[Name],
) => stored((sheet: Sheet) => sheet, name, check, layoutChanged);

/** How a sheet is printed, which has Excel's layout until then. */
const printOf = (sheet: Sheet): PrintLayout => {
  sheet.print ??= { orientation: 'Portrait', zoom: { scale: 100 } };
  return sheet.print;
};

const checkedZoom = (value: unknown): PrintLayout['zoom'] => {
  const zoom = Object.entries((value ?? {}) as object).filter(([, one]) => one !== null && one !== undefined);
  const names = ['scale', 'horizontalFitToPages', 'verticalFitToPages'];
  const isZoom = zoom.every(([name, one]) => names.includes(name) && Number.isInteger(one) && one > 0);
  if (!isZoom || zoom.length === 0) throw new ExcelError('InvalidArgument');
  return Object.fromEntries(zoom);
};

const sheetsOf = (workbook: Workbook, visibleOnly: unknown): Sheet[] =>
  visibleOnly ? visibleSheets(workbook) : workbook.sheets;

const freeze = (sheet: Sheet, rows: number, columns: number): void => {
  if (rows < 0 || columns < 0) throw new ExcelError('InvalidArgument');
  sheet.frozen = { rows, columns };
  layoutChanged(sheet);
};

const frozenRange = (sheet: Sheet): HostObject | undefined => {
  const { rows, columns } = sheet.frozen;
  if (rows === 0 && columns === 0) return undefined;
  return rangeOf(sheet, { ...wholeSheet, rows: rows || wholeSheet.rows, columns: columns || wholeSheet.columns });
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

const clearFilter = (sheet: Sheet): void => {
  sheet.filter?.criteria.clear();
  applySheetFilter(sheet);
};

export const worksheetKinds = {
  Worksheet: {
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
      TabColor: shown('tabColor', (value) => (value === '' ? '' : color(value))),
      ShowGridlines: { get: ({ gridlines }) => gridlines },
      ShowHeadings: { get: ({ headings }) => headings },
      // The client sends `showGridlines = false` as a property named Gridlines, and headings likewise.
      Gridlines: shown('gridlines', argument.boolean),
      Headings: shown('headings', argument.boolean),
    },
    children: {
      AutoFilter: (sheet) => hostObject('WorksheetAutoFilter', sheet),
      Charts: (sheet) => hostObject('ChartCollection', sheet),
      CustomProperties: (sheet) => hostObject('WorksheetCustomPropertyCollection', sheet),
      PageLayout: (sheet) => hostObject('PageLayout', sheet),
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
      Calculate: (sheet) => {
        sheet.workbook.recalculate({ sheet, area: usedArea(sheet, true) ?? cellArea({ row: 0, column: 0 }) });
        return null;
      },
      Copy: (sheet, [position, relativeTo]) => {
        const wanted = argument.oneOf(...copyPlaces)(position ?? 'None');
        const place = placeOfCopy(sheet, wanted, isOfKind(relativeTo, 'Worksheet') ? relativeTo.target : undefined);
        const copy = copySheet(sheet);
        moveSheet(sheet.workbook, copy, place);
        return worksheet(copy);
      },
      Delete: (sheet) => deleteSheet(sheet.workbook, sheet),
      GetCell: (sheet, [row, column]) =>
        rangeOf(sheet, cellArea({ row: argument.integer(row), column: argument.integer(column) })),
      ...withNullObject('GetNext', neighbour(1)),
      ...withNullObject('GetPrevious', neighbour(-1)),
      GetRange: (sheet, [address]) => {
        if (address === null || address === undefined || address === '') return rangeOf(sheet, wholeSheet);
        const range = rangeArgument(address, sheet);
        if (range.sheet !== sheet) throw new ExcelError('InvalidArgument');
        return rangeOf(sheet, range.area);
      },
      GetRangeByIndexes: (sheet, [row, column, rows, columns]) => rangeOf(sheet, { row, column, rows, columns }),
      GetUsedRange: (sheet, [valuesOnly]) =>
        usedRange(sheet, valuesOnly) ?? rangeOf(sheet, cellArea({ row: 0, column: 0 })),
      GetUsedRangeOrNullObject: (sheet, [valuesOnly]) => usedRange(sheet, valuesOnly) ?? null,
      _GetSheetById: (sheet, [id]) => worksheet(existing(findSheet(sheet.workbook, id))),
    },
  },

  WorksheetAutoFilter: {
    name: 'AutoFilter',
    scalars: {
      IsDataFiltered: { get: ({ filter }) => Boolean(filter && filter.criteria.size > 0) },
      Criteria: {
        get: ({ filter }) =>
          indexes(0, filter?.area.columns ?? 0).map((index) => withNulls(filter!.criteria.get(index) ?? {})),
      },
    },
    methods: {
      Apply: (sheet, [range, columnIndex, criteria]) => {
        const { area } = rangeArgument(range, sheet);
        if (sheet.tables.some((table) => contains(table.area, area))) throw new ExcelError('InvalidOperation');
        if (criteria && (argument.integer(columnIndex) < 0 || columnIndex >= area.columns)) {
          throw new ExcelError('InvalidArgument');
        }
        const checked = criteria && checkedCriteria(criteria);
        const same = sheet.filter && contains(sheet.filter.area, area) && contains(area, sheet.filter.area);
        if (!same) {
          // There is one filter: rows that another one hid are shown again.
          clearFilter(sheet);
          sheet.filter = { area, criteria: new Map() };
        }
        if (checked) sheet.filter!.criteria.set(columnIndex, checked);
        applySheetFilter(sheet);
      },
      ClearCriteria: clearFilter,
      ...withNullObject<Sheet>('GetRange', (sheet) => sheet.filter && rangeOf(sheet, sheet.filter.area)),
      Reapply: applySheetFilter,
      Remove: (sheet) => {
        clearFilter(sheet);
        sheet.filter = undefined;
      },
    },
  },

  WorksheetCollection: collection('Worksheet', (workbook) => workbook.sheets, findSheet, ['GetItemOrNullObject'], {
    Add: (workbook, [name]) => worksheet(addSheet(workbook, name)),
    GetActiveWorksheet: (workbook) => worksheet(workbook.active),
    GetCount: (workbook, [visibleOnly]) => sheetsOf(workbook, visibleOnly).length,
    GetFirst: (workbook, [visibleOnly]) => worksheet(existing(sheetsOf(workbook, visibleOnly)[0])),
    GetLast: (workbook, [visibleOnly]) => worksheet(existing(sheetsOf(workbook, visibleOnly).at(-1))),
  }),

  PageLayout: {
    scalars: {
      Orientation: stored(printOf, 'orientation', argument.oneOf('Portrait', 'Landscape'), layoutChanged),
      Zoom: stored(printOf, 'zoom', checkedZoom, layoutChanged),
    },
    methods: {
      SetPrintTitleRows: (sheet, [rows]) => {
        const { area } = rangeArgument(rows, sheet);
        if (!isEntireRow(area)) throw new ExcelError('InvalidArgument');
        const others = sheet.names.filter(({ name }) => !sameName(name, PRINT_TITLES));
        const id = String(sheet.workbook.nextId());
        const formula = `=${fixedAddress(sheet.name, area)}`;
        sheet.names = [...others, { id, name: PRINT_TITLES, formula, comment: '', visible: true, scope: sheet }];
        sheet.workbook.emit({ kind: 'names' });
      },
      ...withNullObject('GetPrintTitleRows', (sheet: Sheet) => {
        const found = resolveReference(sheet.workbook, PRINT_TITLES, sheet);
        return found && rangeOf(found.sheet, found.area);
      }),
    },
  },

  WorksheetFreezePanes: {
    methods: {
      FreezeAt: (sheet, [frozen]) => {
        const { area } = rangeArgument(frozen, sheet);
        const rows = isEntireColumn(area) ? 0 : area.row + area.rows;
        freeze(sheet, rows, isEntireRow(area) ? 0 : area.column + area.columns);
      },
      FreezeColumns: (sheet, [count]) => freeze(sheet, 0, argument.integer(count ?? 1)),
      FreezeRows: (sheet, [count]) => freeze(sheet, argument.integer(count ?? 1), 0),
      ...withNullObject('GetLocation', frozenRange),
      Unfreeze: (sheet) => freeze(sheet, 0, 0),
    },
  },

  WorksheetProtection: {
    scalars: {
      Protected: { get: ({ protection }) => protection !== undefined },
      Options: {
        get: ({ protection }) => ({
          ...Object.fromEntries(allowances.map((name) => [name, protection?.options[name] === true])),
          selectionMode: protection?.options.selectionMode ?? 'Normal',
        }),
      },
    },
    methods: {
      Protect: (sheet, [options, password]) => {
        if (sheet.protection) throw new ExcelError('InvalidOperation');
        sheet.protection = { options: options ?? {}, password: password ? argument.text(password) : undefined };
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
  },
} satisfies Partial<Kinds>;
