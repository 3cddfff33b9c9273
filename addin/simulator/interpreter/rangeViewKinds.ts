import { cellArea, contains, indexes, intersection } from '../workbook/cells/address.ts';
import { sortColumns, sortRows } from '../workbook/changes/sort.ts';
import { formulaAt, isHiddenRow, numberFormatAt, type Sheet, textAt, valueAt, valueTypeAt } from '../workbook/sheet.ts';
import { argument, collection, existing, hostObject, type Kinds } from './hostObject.ts';
import { address, assertSortMethod, rangeOf, sortFields } from './ranges.ts';
import type { RangeTarget, Targets } from './targets.ts';

const tablesIn = ({ range, fully }: Targets['TableScopedCollection']) =>
  range.sheet.tables.filter(({ area }) => (fully ? contains(range.area, area) : intersection(range.area, area)));

const visibleRows = ({ sheet, area }: RangeTarget): number[] =>
  indexes(area.row, area.rows).filter((row) => !isHiddenRow(sheet, row));

const visibleColumns = ({ sheet, area }: RangeTarget): number[] =>
  indexes(area.column, area.columns).filter((column) => !sheet.columns[column]?.hidden);

/** A property with a value for each cell that is shown. */
const perVisibleCell = (read: (sheet: Sheet, row: number, column: number) => unknown) => ({
  get: (target: RangeTarget) => {
    const columns = visibleColumns(target);
    return visibleRows(target).map((row) => columns.map((column) => read(target.sheet, row, column)));
  },
});

export const rangeViewKinds = {
  RangeSort: {
    methods: {
      Apply: ({ sheet, area }, [fields, matchCase, hasHeaders, orientation, method]) => {
        assertSortMethod(method);
        const isOfColumns = argument.oneOf('Rows', 'Columns')(orientation ?? 'Rows') === 'Columns';
        const [at, count] = isOfColumns ? (['column', 'columns'] as const) : (['row', 'rows'] as const);
        const body = hasHeaders ? { ...area, [at]: area[at] + 1, [count]: area[count] - 1 } : area;
        const sort = isOfColumns ? sortColumns : sortRows;
        sort(sheet, body, sortFields(fields), Boolean(matchCase));
      },
    },
  },

  RangeView: {
    scalars: {
      RowCount: { get: (target) => visibleRows(target).length },
      ColumnCount: { get: (target) => visibleColumns(target).length },
      Values: perVisibleCell(valueAt),
      Text: perVisibleCell(textAt),
      Formulas: perVisibleCell(formulaAt),
      NumberFormat: perVisibleCell(numberFormatAt),
      ValueTypes: perVisibleCell(valueTypeAt),
      CellAddresses: perVisibleCell((sheet, row, column) => address({ sheet, area: cellArea({ row, column }) })),
    },
    methods: { GetRange: ({ sheet, area }) => rangeOf(sheet, area) },
  },

  TableScopedCollection: collection(
    'Table',
    tablesIn,
    (target, key) => tablesIn(target).find(({ name, id }) => name === key || id === key),
    ['GetCount'],
    { GetFirst: (target) => hostObject('Table', existing(tablesIn(target)[0])) },
  ),
} satisfies Partial<Kinds>;
