import { contains, intersection } from '../workbook/cells/address.ts';
import { valueType } from '../workbook/cells/entry.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { sortRows } from '../workbook/changes/sort.ts';
import { cellAt, isHiddenRow, numberFormatAt, textAt } from '../workbook/sheet.ts';
import { existing, given, hostObject, type Kind, type Kinds } from './hostObject.ts';
import { address, rangeOf } from './ranges.ts';
import type { RangeTarget, Targets } from './targets.ts';

const rangeSortKind: Kind<RangeTarget> = {
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

const tablesInRangeKind: Kind<Targets['TableScopedCollection']> = {
  items: (target) => tablesIn(target).map((table) => hostObject('Table', table)),
  item: (target, key) => {
    const table = tablesIn(target).find(({ name, id }) => name === key || id === key);
    return table && hostObject('Table', table);
  },
  methods: {
    GetCount: (target) => tablesIn(target).length,
    GetFirst: (target) => hostObject('Table', existing(tablesIn(target)[0])),
  },
};

const tablesIn = ({ range, fully }: Targets['TableScopedCollection']) =>
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
    ValueTypes: {
      get: (target) => visible(target, (row, column) => valueType(cellAt(target.sheet, row, column)?.value)),
    },
    CellAddresses: {
      get: (target) =>
        visible(target, (row, column) => address({ sheet: target.sheet, area: { row, column, rows: 1, columns: 1 } })),
    },
  },
  methods: { GetRange: ({ sheet, area }) => rangeOf(sheet, area) },
};

export const rangeViewKinds = {
  RangeSort: rangeSortKind,
  RangeView: rangeViewKind,
  TableScopedCollection: tablesInRangeKind,
} satisfies Partial<Kinds>;
