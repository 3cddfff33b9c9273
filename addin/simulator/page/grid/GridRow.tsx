// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave out the million rows that are not in sight.
// biome-ignore-all lint/a11y/useFocusableInteractive: the field of the active cell has the focus, and names it.
import { memo } from 'react';
import type { Sheet } from '../../workbook/sheet.ts';
import type { TableColumn } from '../../workbook/table.ts';
import type { Draft } from '../editing/draft.ts';
import type { Words } from '../words.ts';
import { cellLook, spillWidth } from './cellLook.ts';
import { ROW_HEADER_WIDTH } from './geometry.ts';

type Props = {
  sheet: Sheet;
  row: number;
  top: number;
  height: number;
  /** Frozen rows stay where they are; the others lie at their place on the canvas. */
  frozen: boolean;
  starts: Float64Array;
  frozenColumns: number;
  firstColumn: number;
  lastColumn: number;
  /** The part of the row that is selected. */
  selectedFrom: number | undefined;
  selectedTo: number | undefined;
  activeColumn: number | undefined;
  draft: Draft | undefined;
  words: Words;
  /** Changes when the cells may look different. */
  contentVersion: number;
};

export const cellId = (row: number, column: number): string => `cell-${row}-${column}`;

const marks = {
  none: 'M3 5.5l4 4 4-4',
  filtered: 'M2 3h10L8.5 7.5V12l-3-1.8V7.5z',
  ascending: 'M7 11.5V3M3.5 6L7 2.5 10.5 6',
  descending: 'M7 2.5V11M3.5 8L7 11.5 10.5 8',
};

const markOf = (filtered: boolean, ascending: boolean | undefined): keyof typeof marks => {
  if (filtered) return 'filtered';
  if (ascending === undefined) return 'none';
  return ascending ? 'ascending' : 'descending';
};

/** One row of cells: the row's number, the frozen columns, and the columns in sight. */
export const GridRow = memo((props: Props) => {
  const { sheet, row, top, height, frozen, starts, frozenColumns, draft } = props;
  const columns: number[] = [];
  for (let column = 0; column < frozenColumns; column += 1) columns.push(column);
  for (let column = Math.max(frozenColumns, props.firstColumn); column <= props.lastColumn; column += 1)
    columns.push(column);
  if (draft && !columns.includes(draft.column)) columns.push(draft.column);

  const selected = (column: number) =>
    props.selectedFrom !== undefined && column >= props.selectedFrom && column <= props.selectedTo!;

  const sortOf = (column: TableColumn): boolean | undefined => {
    const table = sheet.tables.find(({ columns: all }) => all.includes(column));
    const field = table?.sort.find(({ key }) => table.columns[key] === column);
    return field?.ascending;
  };

  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={frozen ? (row === sheet.frozen.rows - 1 ? 'row frozen last' : 'row frozen') : 'row'}
      style={{ top, height, width: starts[starts.length - 1]! + ROW_HEADER_WIDTH }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        data-row-header={row}
        className={props.selectedFrom === undefined ? 'row-header' : 'row-header in-selection'}
        style={{ width: ROW_HEADER_WIDTH, height }}
      >
        {row + 1}
      </div>
      {columns.map((column) => {
        const width = starts[column + 1]! - starts[column]!;
        if (width === 0) return null;
        const { text, style, header } = cellLook(sheet, row, column, width);
        const flowing = spillWidth(sheet, row, column, text, starts);
        const left = ROW_HEADER_WIDTH + starts[column]!;
        const tableColumn = header?.columns[column - header.area.column];
        const active = props.activeColumn === column;
        const sort = tableColumn && sortOf(tableColumn);
        const className = `cell${selected(column) && !active ? ' selected' : ''}${active ? ' active' : ''}${
          column < frozenColumns ? (column === frozenColumns - 1 ? ' frozen last' : ' frozen') : ''
        }${tableColumn && header.showFilterButton ? ' with-button' : ''}${flowing > width ? ' flowing' : ''}`;
        return (
          <div
            key={column}
            id={cellId(row, column)}
            role="gridcell"
            aria-colindex={column + 2}
            aria-selected={selected(column)}
            className={className}
            data-row={row}
            data-column={column}
            style={{ ...style, left, width, height, ...(style.whiteSpace ? {} : { lineHeight: `${height - 1}px` }) }}
          >
            {draft?.column === column ? (
              draft.text
            ) : flowing > width ? (
              <span style={{ width: flowing - 5 }}>{text}</span>
            ) : (
              text
            )}
            {tableColumn && header.showFilterButton && draft?.column !== column && (
              <button
                type="button"
                tabIndex={-1}
                className="filter-button"
                aria-haspopup="dialog"
                aria-label={props.words.columnMenu(tableColumn.name)}
                data-column-menu={column}
              >
                <svg viewBox="0 0 14 14" aria-hidden="true">
                  <path d={marks[markOf(header.filters.has(tableColumn.id), sort)]} />
                </svg>
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
});
