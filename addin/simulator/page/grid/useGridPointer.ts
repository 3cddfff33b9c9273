import { type MouseEvent, type PointerEvent, useRef } from 'react';
import {
  type Area,
  boundingArea,
  cellArea,
  contains,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
  wholeSheet,
} from '../../workbook/cells/address.ts';
import { autofitColumns, recordWidth } from '../../workbook/changes/autofit.ts';
import { columnOf } from '../../workbook/sheet.ts';
import { select } from '../../workbook/sheets.ts';
import type { CellEditor } from '../editing/useCellEditor.ts';
import type { Point } from '../Menu.tsx';
import { usePage } from '../pageContext.ts';
import { pointsOf } from './geometry.ts';
import type { GridView } from './useGridView.ts';

/** What the keys and the pointer of the grid work on. */
export type GridTools = {
  grid: GridView;
  editor: CellEditor;
  focus: () => void;
  /** @returns false for a cell that is no header of a table */
  openColumnMenu: (position: Position) => boolean;
  /** @returns false for a cell whose validation has no list */
  openChoices: (position: Position) => boolean;
  /** @param at by default below the active cell */
  openCellsMenu: (at?: Point) => void;
};

const closest = (event: MouseEvent, selector: string): HTMLElement | null =>
  (event.target as HTMLElement).closest<HTMLElement>(selector);

const cellOf = (cell: HTMLElement): Position => ({
  row: Number(cell.parentElement!.dataset.row),
  column: Number(cell.dataset.column),
});

/** The pointer in the grid: selecting, dragging, widening columns, opening cells and menus. */
export const useGridPointer = ({ grid, editor, focus, openColumnMenu, openCellsMenu }: GridTools) => {
  const dragging = useRef(false);
  const sheet = usePage().workbook.active;
  const { selection, activeCell } = sheet;
  const { geometry, cellUnder } = grid;

  const extendTo = (position: Position) =>
    select(sheet, boundingArea(cellArea(activeCell), cellArea(position)), activeCell);

  const selectHeader = ({ dataset }: HTMLElement, extends_: boolean) => {
    if (dataset.corner !== undefined) return select(sheet, wholeSheet);
    const isColumn = dataset.columnHeader !== undefined;
    const lineOf = (at: number): Area =>
      isColumn
        ? { row: 0, column: at, rows: MAX_ROWS, columns: 1 }
        : { row: at, column: 0, rows: 1, columns: MAX_COLUMNS };
    const line = lineOf(Number(isColumn ? dataset.columnHeader : dataset.rowHeader));
    if (!extends_) return select(sheet, line);
    select(sheet, boundingArea(lineOf(isColumn ? activeCell.column : activeCell.row), line), activeCell);
  };

  const resize = (event: PointerEvent<HTMLDivElement>, column: number) => {
    event.preventDefault();
    const element = event.currentTarget;
    const start = event.clientX;
    const width = geometry.columns[column + 1]! - geometry.columns[column]!;
    const before = sheet.columns[column]?.width;
    const drag = (move: globalThis.PointerEvent) => {
      // Not before it moves: a captured pointer hides the edge of a double click.
      if (move.clientX === start && !element.hasPointerCapture(move.pointerId)) return;
      element.setPointerCapture(move.pointerId);
      columnOf(sheet, column).width = pointsOf(Math.max(8, width + move.clientX - start));
      sheet.workbook.emit({ kind: 'layout', sheet });
    };
    element.addEventListener('pointermove', drag);
    const stop = () => {
      element.removeEventListener('pointermove', drag);
      recordWidth(sheet, column, before);
    };
    element.addEventListener('pointerup', stop, { once: true });
  };

  const stopDragging = () => {
    dragging.current = false;
  };

  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0 || closest(event, 'textarea')) return;
      const resizer = closest(event, '[data-resize]');
      if (resizer) return resize(event, Number(resizer.dataset.resize));
      const header = closest(event, '[data-column-header],[data-row-header],[data-corner]');
      const cell = closest(event, '[data-column]');
      if (!header && !cell) return;
      event.preventDefault();
      if (!editor.commit()) return;
      focus();
      if (header) return selectHeader(header, event.shiftKey);
      if (closest(event, '[data-column-menu]')) return void openColumnMenu(cellOf(cell!));
      if (event.shiftKey) extendTo(cellOf(cell!));
      else select(sheet, cellArea(cellOf(cell!)));
      dragging.current = true;
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!dragging.current) return;
      const under = cellUnder(event);
      // Only when the pointer has left the cell: a captured pointer hides the cell of a double click.
      if (under.row !== activeCell.row || under.column !== activeCell.column) {
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      extendTo(under);
    },
    onPointerUp: stopDragging,
    onPointerCancel: stopDragging,
    onDoubleClick: (event: MouseEvent) => {
      const resizer = closest(event, '[data-resize]');
      if (resizer) {
        const column = Number(resizer.dataset.resize);
        const before = sheet.columns[column]?.width;
        autofitColumns(sheet, { row: 0, column, rows: MAX_ROWS, columns: 1 });
        recordWidth(sheet, column, before);
      } else if (closest(event, '[data-column]') && !closest(event, 'textarea,button')) {
        editor.begin('edit', 'cell');
      }
    },
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      const cell = closest(event, '[data-column]');
      if (cell && !contains(selection, cellArea(cellOf(cell)))) select(sheet, cellArea(cellOf(cell)));
      openCellsMenu({ x: event.clientX, y: event.clientY });
    },
  };
};
