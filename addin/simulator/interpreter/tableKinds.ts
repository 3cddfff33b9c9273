import { type Area, matrixOf } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { enterFromApi } from '../workbook/changes/enter.ts';
import { clearFilters, filterTable, reapplyFilters } from '../workbook/changes/filter.ts';
import { sortTable } from '../workbook/changes/sort.ts';
import { addRows, deleteRow } from '../workbook/changes/tableRows.ts';
import {
  addColumn,
  addTable,
  convertToRange,
  deleteColumn,
  deleteTable,
  renameColumn,
  resizeTable,
} from '../workbook/changes/tableShape.ts';
import { checkedCriteria, withNulls } from '../workbook/filters/filterCriteria.ts';
import { type FilterCriteria, type Sheet, valueAt } from '../workbook/sheet.ts';
import {
  allTables,
  bodyArea,
  changed,
  columnArea,
  findColumn,
  findTable,
  headerArea,
  renameTable,
  rowCount,
  type Table,
  type TableColumn,
} from '../workbook/table.ts';
import {
  argument,
  collection,
  everyMember,
  type HostObject,
  hostObject,
  type Kinds,
  stored,
  withNullObject,
} from './hostObject.ts';
import { assertSortMethod, rangeArgument, rangeOf, sortFields } from './ranges.ts';
import type { ColumnTarget, RowTarget, TablesTarget } from './targets.ts';

/** A property of how a table looks. */
const shown = <Name extends keyof Table>(name: Name, check: (value: unknown) => Table[Name]) =>
  stored((table: Table) => table, name, check, changed);

const only = (value: boolean, get: (table: Table) => boolean = () => value) => ({
  get,
  set: (_: Table, wanted: unknown) => {
    if (wanted === value) return;
    throw new ExcelError('ApiNotFound', 'The simulated workbook has tables with a header row and without totals only.');
  },
});

const noTotals = (): never => {
  throw new ExcelError('ItemNotFound');
};

const tablesOf = ({ workbook, sheet }: TablesTarget): Table[] => sheet?.tables ?? allTables(workbook);

const valuesIn = (sheet: Sheet, area: Area) => matrixOf(area, (row, column) => valueAt(sheet, row, column));

const bodyOf = ({ table, column }: ColumnTarget): Area => {
  const { row, rows } = bodyArea(table);
  return { ...columnArea(table, column), row, rows };
};

const lineOf = ({ table, index }: RowTarget): Area => {
  const body = bodyArea(table);
  if (index < 0 || index >= rowCount(table)) throw new ExcelError('InvalidArgument');
  return { ...body, row: body.row + index, rows: 1 };
};

const tableRow = (table: Table, index: unknown): HostObject => {
  if (argument.integer(index) < 0 || (index as number) >= rowCount(table)) throw new ExcelError('InvalidArgument');
  return hostObject('TableRow', { table, index: index as number });
};

const columnAtIndex = (table: Table, index: unknown): TableColumn => {
  const column = table.columns[argument.integer(index)];
  if (!column) throw new ExcelError('InvalidArgument');
  return column;
};

const criteriaOf = (table: Table, { id }: TableColumn): FilterCriteria | null => {
  const criteria = table.filters.get(id);
  return criteria ? withNulls(criteria) : null;
};

const applyFilter = ({ table, column }: ColumnTarget, criteria: unknown): void =>
  filterTable(table, column, checkedCriteria(criteria));

/** The filters with one number as their argument. */
const numericFilters = ['BottomItems', 'BottomPercent', 'TopItems', 'TopPercent'].map((filterOn) => [
  `Apply${filterOn}Filter`,
  (target: ColumnTarget, [number]: unknown[]) => applyFilter(target, { filterOn, criterion1: String(number) }),
]);

export const tableKinds = {
  Filter: {
    scalars: { Criteria: { get: ({ table, column }) => criteriaOf(table, column) } },
    methods: {
      ...Object.fromEntries(numericFilters),
      Apply: (target, [criteria]) => applyFilter(target, criteria),
      ApplyCustomFilter: (target, [criterion1, criterion2, operator]) => {
        const second = criterion2 ? { criterion2, ...(operator ? { operator } : {}) } : {};
        applyFilter(target, { filterOn: 'Custom', criterion1, ...second });
      },
      ApplyDynamicFilter: (target, [dynamicCriteria]) => applyFilter(target, { filterOn: 'Dynamic', dynamicCriteria }),
      ApplyValuesFilter: (target, [values]) => applyFilter(target, { filterOn: 'Values', values }),
      Clear: ({ table, column }) => filterTable(table, column, undefined),
    },
  },

  Table: {
    id: ({ id }) => id,
    scalars: {
      Id: { get: ({ id }) => id },
      Name: { get: ({ name }) => name, set: renameTable },
      Style: shown('style', argument.text),
      ShowHeaders: only(true, ({ showHeaders }) => showHeaders),
      ShowTotals: only(false),
      ShowBandedRows: shown('showBandedRows', argument.boolean),
      ShowBandedColumns: shown('showBandedColumns', argument.boolean),
      ShowFilterButton: shown('showFilterButton', argument.boolean),
      HighlightFirstColumn: shown('highlightFirstColumn', argument.boolean),
      HighlightLastColumn: shown('highlightLastColumn', argument.boolean),
    },
    children: {
      AutoFilter: (table) => hostObject('TableAutoFilter', table),
      Columns: (table) => hostObject('TableColumnCollection', table),
      Rows: (table) => hostObject('TableRowCollection', table),
      Sort: (table) => hostObject('TableSort', table),
      Worksheet: ({ sheet }) => hostObject('Worksheet', sheet),
    },
    methods: {
      ClearFilters: clearFilters,
      ConvertToRange: (table) => rangeOf(table.sheet, convertToRange(table)),
      Delete: deleteTable,
      GetDataBodyRange: (table) => rangeOf(table.sheet, bodyArea(table)),
      GetHeaderRowRange: (table) => rangeOf(table.sheet, headerArea(table)),
      GetRange: (table) => rangeOf(table.sheet, table.area),
      GetTotalRowRange: noTotals,
      ReapplyFilters: reapplyFilters,
      Resize: (table, [range]) => {
        const { sheet, area } = rangeArgument(range, table.sheet);
        if (sheet !== table.sheet) throw new ExcelError('InvalidArgument');
        resizeTable(table, area);
      },
    },
  },

  TableAutoFilter: {
    name: 'AutoFilter',
    scalars: {
      IsDataFiltered: { get: ({ filters }) => filters.size > 0 },
      Criteria: { get: (table) => table.columns.map((column) => criteriaOf(table, column)) },
    },
    methods: {
      Apply: (table, [, columnIndex, criteria]) =>
        applyFilter({ table, column: columnAtIndex(table, columnIndex) }, criteria),
      ClearCriteria: clearFilters,
      ...withNullObject<Table>('GetRange', ({ sheet, area }) => rangeOf(sheet, area)),
      Reapply: reapplyFilters,
      Remove: (table) => {
        clearFilters(table);
        table.showFilterButton = false;
        changed(table);
      },
    },
  },

  TableCollection: collection('Table', tablesOf, (target, key) => findTable(tablesOf(target), key), everyMember, {
    Add: ({ workbook, sheet }, [address, hasHeaders]) => {
      const range = rangeArgument(address, sheet ?? workbook.active);
      if (sheet && range.sheet !== sheet) throw new ExcelError('InvalidArgument');
      return hostObject('Table', addTable(range.sheet, range.area, argument.boolean(hasHeaders)));
    },
  }),

  TableColumn: {
    id: ({ column }) => column.id,
    scalars: {
      Id: { get: ({ column }) => column.id },
      Index: { get: ({ table, column }) => table.columns.indexOf(column) },
      Name: { get: ({ column }) => column.name, set: ({ table, column }, value) => renameColumn(table, column, value) },
      Values: {
        get: ({ table, column }) => valuesIn(table.sheet, columnArea(table, column)),
        set: ({ table, column }, value) => enterFromApi(table.sheet, columnArea(table, column), value),
      },
    },
    children: { Filter: (target) => hostObject('Filter', target) },
    methods: {
      Delete: ({ table, column }) => deleteColumn(table, column),
      GetDataBodyRange: (target) => rangeOf(target.table.sheet, bodyOf(target)),
      GetHeaderRowRange: ({ table, column }) => rangeOf(table.sheet, { ...columnArea(table, column), rows: 1 }),
      GetRange: ({ table, column }) => rangeOf(table.sheet, columnArea(table, column)),
      GetTotalRowRange: noTotals,
    },
  },

  TableColumnCollection: collection(
    'TableColumn',
    (table) => table.columns.map((column) => ({ table, column })),
    (table, key) => {
      const column = findColumn(table, key);
      return column && { table, column };
    },
    everyMember,
    {
      Add: (table, [index, values, name]) =>
        hostObject('TableColumn', { table, column: addColumn(table, index, values, name) }),
    },
  ),

  TableRow: {
    scalars: {
      Index: { get: ({ index }) => index },
      Values: {
        get: (target) => valuesIn(target.table.sheet, lineOf(target)),
        set: (target, value) => enterFromApi(target.table.sheet, lineOf(target), value),
      },
    },
    methods: {
      // Under a filter Excel deletes nothing, without an error: OfficeDev/office-js#994.
      Delete: ({ table, index }) => (table.filters.size > 0 ? undefined : deleteRow(table, index)),
      GetRange: (target) => rangeOf(target.table.sheet, lineOf(target)),
    },
  },

  TableRowCollection: {
    scalars: { Count: { get: rowCount } },
    items: (table) => Array.from({ length: rowCount(table) }, (_, index) => hostObject('TableRow', { table, index })),
    item: tableRow,
    methods: {
      Add: (table, [index, values]) => hostObject('TableRow', { table, index: addRows(table, index, values) }),
      GetCount: rowCount,
      GetItemAt: (table, [index]) => tableRow(table, index),
    },
  },

  TableSort: {
    scalars: {
      Fields: { get: ({ sort }) => sort.map((field) => ({ ...field, sortOn: 'Value' })) },
      MatchCase: { get: ({ sortMatchesCase }) => sortMatchesCase },
      Method: { get: () => 'PinYin' },
    },
    methods: {
      Apply: (table, [fields, matchCase, method]) => {
        assertSortMethod(method);
        sortTable(table, sortFields(fields), Boolean(matchCase));
      },
      Clear: (table) => {
        table.sort = [];
      },
      Reapply: (table) => {
        if (table.sort.length > 0) sortTable(table, table.sort, table.sortMatchesCase);
      },
    },
  },
} satisfies Partial<Kinds>;
