import { cellArea, contains, indexes, intersection } from '../workbook/cells/address.ts';
import { valueType } from '../workbook/cells/entry.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { sortRows } from '../workbook/changes/sort.ts';
import { formulaAt, isHiddenRow, numberFormatAt, type Sheet, textAt, valueAt } from '../workbook/sheet.ts';
import { collection, existing, hostObject, type Kinds } from './hostObject.ts';
import { address, rangeOf, sortFields } from './ranges.ts';
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
      Apply: ({ sheet, area }, [fields, matchCase, hasHeaders, orientation]) => {
        if (!Array.isArray(fields) || orientation === 'Columns') throw new ExcelError('InvalidArgument');
        const body = hasHeaders ? { ...area, row: area.row + 1, rows: area.rows - 1 } : area;
        sortRows(sheet, body, sortFields(fields), Boolean(matchCase));
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
      ValueTypes: perVisibleCell((...cell) => valueType(valueAt(...cell))),
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
