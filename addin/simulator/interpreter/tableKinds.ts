import type { Area } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { enterFromApi } from '../workbook/changes/enter.ts';
import { clearFilters, filterTable, givenCriteria, reapplyFilters, shownCriteria } from '../workbook/changes/filter.ts';
import { sortTable } from '../workbook/changes/sort.ts';
import { addRows, deleteRows } from '../workbook/changes/tableRows.ts';
import {
  addColumn,
  addTable,
  convertToRange,
  deleteColumn,
  deleteTable,
  renameColumn,
  resizeTable,
} from '../workbook/changes/tableShape.ts';
import { cellAt, type FilterCriteria, type Sheet } from '../workbook/sheet.ts';
import {
  allTables,
  bodyArea,
  columnArea,
  findColumn,
  findTable,
  headerArea,
  renameTable,
  rowCount,
  setTableOption,
  type Table,
  type TableColumn,
} from '../workbook/table.ts';
import { collection, existing, given, type HostObject, hostObject, type Kind, type Kinds } from './hostObject.ts';
import { rangeArgument, rangeOf } from './ranges.ts';
import { sortFields } from './rangeViewKinds.ts';
import type { ColumnTarget, RowTarget, TablesTarget } from './targets.ts';

const option = <
  Name extends
    | 'showBandedRows'
    | 'showBandedColumns'
    | 'showFilterButton'
    | 'highlightFirstColumn'
    | 'highlightLastColumn',
>(
  name: Name,
) => ({
  get: (table: Table) => table[name],
  set: (table: Table, value: unknown) => setTableOption(table, name, given.truth(value)),
});

const only = (value: boolean) => ({
  get: () => value,
  set: (_: Table, wanted: unknown) => {
    if (wanted !== value)
      throw new ExcelError(
        'ApiNotFound',
        'The simulated workbook has tables with a header row and without totals only.',
      );
  },
});

const noTotals = (): never => {
  throw new ExcelError('ItemNotFound');
};

const tableKind: Kind<Table> = {
  id: ({ id }) => id,
  scalars: {
    Id: { get: ({ id }) => id },
    LegacyId: { get: ({ id }) => id },
    Name: { get: ({ name }) => name, set: renameTable },
    Style: {
      get: ({ style }) => style,
      set: (table, value) => setTableOption(table, 'style', given.text(value)),
    },
    ShowHeaders: only(true),
    ShowTotals: only(false),
    ShowBandedRows: option('showBandedRows'),
    ShowBandedColumns: option('showBandedColumns'),
    ShowFilterButton: option('showFilterButton'),
    HighlightFirstColumn: option('highlightFirstColumn'),
    HighlightLastColumn: option('highlightLastColumn'),
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
};

const tablesOf = ({ workbook, sheet }: TablesTarget): Table[] => sheet?.tables ?? allTables(workbook);

const tables = collection<TablesTarget, 'Table'>('Table', tablesOf, (target, key) => findTable(tablesOf(target), key));

const tablesKind: Kind<TablesTarget> = {
  ...tables,
  methods: {
    ...tables.methods,
    Add: ({ workbook, sheet }, [address, hasHeaders]) => {
      const range = rangeArgument(address, sheet ?? workbook.active);
      if (sheet && range.sheet !== sheet) throw new ExcelError('InvalidArgument');
      return hostObject('Table', addTable(range.sheet, range.area, given.truth(hasHeaders)));
    },
  },
};

const valuesIn = (sheet: Sheet, area: Area): unknown[][] =>
  Array.from({ length: area.rows }, (_, row) =>
    Array.from(
      { length: area.columns },
      (_unused, column) => cellAt(sheet, area.row + row, area.column + column)?.value ?? '',
    ),
  );

const bodyOf = ({ table, column }: ColumnTarget): Area => {
  const { row, rows } = bodyArea(table);
  return { ...columnArea(table, column), row, rows };
};

const columnKind: Kind<ColumnTarget> = {
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
};

const columns = collection<Table, 'TableColumn'>(
  'TableColumn',
  (table) => table.columns.map((column) => ({ table, column })),
  (table, key) => {
    const column = findColumn(table, key);
    return column && { table, column };
  },
);

const columnsKind: Kind<Table> = {
  ...columns,
  methods: {
    ...columns.methods,
    Add: (table, [index, values, name]) =>
      hostObject('TableColumn', { table, column: addColumn(table, index, values, name) }),
  },
};

const lineOf = ({ table, index }: RowTarget): Area => {
  const body = bodyArea(table);
  if (index < 0 || index >= rowCount(table)) throw new ExcelError('InvalidArgument');
  return { ...body, row: body.row + index, rows: 1 };
};

const rowKind: Kind<RowTarget> = {
  scalars: {
    Index: { get: ({ index }) => index },
    Values: {
      get: (target) => valuesIn(target.table.sheet, lineOf(target)),
      set: (target, value) => enterFromApi(target.table.sheet, lineOf(target), value),
    },
  },
  methods: {
    // Under a filter nothing goes, and Excel says nothing of it: OfficeDev/office-js#994.
    Delete: ({ table, index }) => (table.filters.size > 0 ? undefined : deleteRows(table, [index])),
    GetRange: (target) => rangeOf(target.table.sheet, lineOf(target)),
  },
};

const tableRow = (table: Table, index: unknown): HostObject => {
  if (given.whole(index) < 0 || (index as number) >= rowCount(table)) throw new ExcelError('InvalidArgument');
  return hostObject('TableRow', { table, index: index as number });
};

const rowsKind: Kind<Table> = {
  scalars: { Count: { get: rowCount } },
  items: (table) => Array.from({ length: rowCount(table) }, (_, index) => hostObject('TableRow', { table, index })),
  item: tableRow,
  methods: {
    Add: (table, [index, values]) => hostObject('TableRow', { table, index: addRows(table, index, values) }),
    GetCount: rowCount,
    GetItemAt: (table, [index]) => tableRow(table, index),
  },
};

const tableSortKind: Kind<Table> = {
  scalars: {
    Fields: { get: ({ sort }) => sort.map((field) => ({ ...field, sortOn: 'Value' })) },
    MatchCase: { get: () => false },
    Method: { get: () => 'PinYin' },
  },
  methods: {
    Apply: (table, [fields, matchCase]) => {
      if (!Array.isArray(fields)) throw new ExcelError('InvalidArgument');
      sortTable(table, sortFields(fields), Boolean(matchCase));
    },
    Clear: (table) => {
      table.sort = [];
    },
    Reapply: (table) => {
      if (table.sort.length > 0) sortTable(table, table.sort);
    },
  },
};

const custom = (filterOn: string, criterion1: unknown, more: FilterCriteria = {}): FilterCriteria => ({
  filterOn,
  criterion1: String(criterion1),
  ...more,
});

const criteriaOf = (table: Table, { id }: TableColumn): FilterCriteria | null => {
  const criteria = table.filters.get(id);
  return criteria ? shownCriteria(criteria) : null;
};

const filterKind: Kind<ColumnTarget> = {
  scalars: { Criteria: { get: ({ table, column }) => criteriaOf(table, column) } },
  methods: {
    Apply: ({ table, column }, [criteria]) => filterTable(table, column, givenCriteria(criteria)),
    ApplyBottomItemsFilter: ({ table, column }, [count]) => filterTable(table, column, custom('BottomItems', count)),
    ApplyBottomPercentFilter: ({ table, column }, [percent]) =>
      filterTable(table, column, custom('BottomPercent', percent)),
    ApplyCustomFilter: ({ table, column }, [criterion1, criterion2, operator]) =>
      filterTable(table, column, custom('Custom', criterion1, criterion2 ? { criterion2, operator } : {})),
    ApplyTopItemsFilter: ({ table, column }, [count]) => filterTable(table, column, custom('TopItems', count)),
    ApplyTopPercentFilter: ({ table, column }, [percent]) => filterTable(table, column, custom('TopPercent', percent)),
    ApplyValuesFilter: ({ table, column }, [values]) => filterTable(table, column, { filterOn: 'Values', values }),
    Clear: ({ table, column }) => filterTable(table, column, undefined),
  },
};

const columnAtIndex = (table: Table, index: unknown): TableColumn => {
  const column = table.columns[given.whole(index)];
  if (!column) throw new ExcelError('InvalidArgument');
  return column;
};

const tableFilterKind: Kind<Table> = {
  name: 'AutoFilter',
  scalars: {
    Enabled: { get: ({ showFilterButton }) => showFilterButton },
    IsDataFiltered: { get: ({ filters }) => filters.size > 0 },
    Criteria: { get: (table) => table.columns.map((column) => criteriaOf(table, column)) },
  },
  methods: {
    Apply: (table, [, columnIndex, criteria]) =>
      filterTable(table, columnAtIndex(table, columnIndex), givenCriteria(criteria)),
    ClearCriteria: clearFilters,
    GetRange: (table) => rangeOf(table.sheet, table.area),
    GetRangeOrNullObject: (table) => rangeOf(table.sheet, existing(table.area)),
    Reapply: reapplyFilters,
    Remove: (table) => {
      clearFilters(table);
      setTableOption(table, 'showFilterButton', false);
    },
  },
};

export const tableKinds = {
  Filter: filterKind,
  Table: tableKind,
  TableAutoFilter: tableFilterKind,
  TableCollection: tablesKind,
  TableColumn: columnKind,
  TableColumnCollection: columnsKind,
  TableRow: rowKind,
  TableRowCollection: rowsKind,
  TableSort: tableSortKind,
} satisfies Partial<Kinds>;
