// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the million rows that are not in sight.
// biome-ignore-all lint/a11y/useFocusableInteractive: the field of the active cell has the focus, and names it.
import { memo } from 'react';
import type { Area } from '../../workbook/cells/address.ts';
import { cellAt, type Sheet } from '../../workbook/sheet.ts';
import type { Table, TableColumn } from '../../workbook/table.ts';
import type { Draft } from '../editing/draft.ts';
import { usePage } from '../pageContext.ts';
import { cellLook, spillWidth } from './cellLook.ts';
import { type Geometry, ROW_HEADER_WIDTH } from './geometry.ts';

type Props = {
  sheet: Sheet;
  row: number;
  /** Where it is, from the first one in sight, or from the top when it is frozen. */
  top: number;
  geometry: Geometry;
  /** The columns that are drawn. */
  columns: readonly number[];
  /** The selection, when it goes through this row. */
  selection: Area | undefined;
  activeColumn: number | undefined;
  draft: Draft | undefined;
  /** Changes when the cells may look different. */
  contentVersion: number;
};

export const cellId = (row: number, column: number): string => `cell-${row}-${column}`;

const symbols = {
  none: 'M3 5.5l4 4 4-4',
  filtered: 'M2 3h10L8.5 7.5V12l-3-1.8V7.5z',
  ascending: 'M7 11.5V3M3.5 6L7 2.5 10.5 6',
  descending: 'M7 2.5V11M3.5 8L7 11.5 10.5 8',
};

/** The symbol on the button of a table's column: whether the table is filtered or sorted by it. */
const symbolOf = ({ columns, filters, sort }: Table, column: TableColumn): keyof typeof symbols => {
  if (filters.has(column.id)) return 'filtered';
  const field = sort.find(({ key }) => columns[key] === column);
  if (!field) return 'none';
  return field.ascending ? 'ascending' : 'descending';
};

/** The names whose conditions are true, as a list of classes. */
const classes = (names: Record<string, boolean>): string =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(' ');

/** One row: its number, its cells in frozen columns, and its cells in sight. Nothing for a hidden row. */
export const GridRow = memo((props: Props) => {
  const { sheet, row, top, geometry, columns, selection, draft } = props;
  const { frozen } = sheet;
  const height = geometry.rows[row + 1]! - geometry.rows[row]!;
  if (height === 0) return null;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={classes({ row: true, frozen: row < frozen.rows, last: row === frozen.rows - 1 })}
      data-row={row}
      style={{ top, height, lineHeight: `${height - 1}px`, width: geometry.columns.at(-1)! + ROW_HEADER_WIDTH }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        data-row-header={row}
        className={classes({ 'row-header': true, 'in-selection': selection !== undefined })}
        style={{ width: ROW_HEADER_WIDTH }}
      >
        {row + 1}
      </div>
      {(draft && !columns.includes(draft.column) ? [...columns, draft.column] : columns).map((column) => (
        <Cell key={column} {...props} column={column} />
      ))}
    </div>
  );
});

type CellProps = Props & { column: number };

const Cell = ({ sheet, row, column, geometry, selection, activeColumn, draft }: CellProps) => {
  const starts = geometry.columns;
  const width = starts[column + 1]! - starts[column]!;
  if (width === 0) return null;
  const { text, style, header } = cellLook(sheet, row, column, width);
  const spilled = spillWidth(sheet, row, column, text, starts);
  const { frozen } = sheet;
  const tableColumn = header?.columns[column - header.area.column];
  const isActive = activeColumn === column;
  const isEdited = draft?.column === column;
  const isSelected =
    selection !== undefined && column >= selection.column && column < selection.column + selection.columns;
  const note = cellAt(sheet, row, column)?.note?.text;
  const content = spilled > width ? <span style={{ width: spilled - 5 }}>{text}</span> : text;
  return (
    <div
      id={cellId(row, column)}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected}
      className={classes({
        cell: true,
        selected: isSelected && !isActive,
        active: isActive,
        frozen: column < frozen.columns,
        last: column === frozen.columns - 1,
        'with-button': header?.showFilterButton === true,
        flowing: spilled > width,
        noted: note !== undefined,
      })}
      title={note}
      data-column={column}
      style={{ ...style, left: ROW_HEADER_WIDTH + starts[column]!, width }}
    >
      {isEdited ? draft.text : content}
      {tableColumn && header.showFilterButton && !isEdited && (
        <FilterButton table={header} column={tableColumn} at={column} />
      )}
    </div>
  );
};

const FilterButton = ({ table, column, at }: { table: Table; column: TableColumn; at: number }) => (
  <button
    type="button"
    tabIndex={-1}
    className="filter-button"
    aria-haspopup="dialog"
    aria-label={usePage().messages.columnMenu(column.name)}
    data-column-menu={at}
  >
    <svg viewBox="0 0 14 14" aria-hidden="true">
      <path d={symbols[symbolOf(table, column)]} />
    </svg>
  </button>
);
