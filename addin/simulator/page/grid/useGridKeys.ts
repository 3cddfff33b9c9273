import type { KeyboardEvent } from 'react';
import {
  type Area,
  boundingArea,
  cellArea,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
  wholeSheet,
} from '../../workbook/cells/address.ts';
import type { Sheet } from '../../workbook/sheet.ts';
import { select } from '../../workbook/sheets.ts';
import type { Actions } from '../actions.ts';
import type { Draft } from '../editing/draft.ts';
import { moveSelection } from '../editing/moves.ts';
import type { GridView } from './useGridView.ts';

type Tools = {
  sheet: Sheet;
  grid: GridView;
  actions: Actions;
  draft: Draft | undefined;
  /** Escape was pressed between two entries: the next Tab leaves the cells. */
  leaving: boolean;
  onLeaving: (leaving: boolean) => void;
  onEdit: (changes: Pick<Draft, 'mode' | 'place'> & { text?: string }) => void;
  openColumnMenu: (position: Position) => boolean;
  openCellsMenu: () => void;
};

/** Keys that are held down with others. */
const modifiers = ['Shift', 'Control', 'Alt', 'Meta'];

/** What the keys do between two entries. What is left alone here is typed, and begins the next entry. */
export const useGridKeys = ({
  sheet,
  grid,
  actions,
  draft,
  leaving,
  onLeaving,
  onEdit,
  openColumnMenu,
  openCellsMenu,
}: Tools) => {
  const { selection, activeCell } = sheet;
  const { used, extent, pageRows, reveal } = grid;
  const choose = (area: Area) => select(sheet, area, activeCell);
  const byColumns = selection.rows === MAX_ROWS;

  const shortcuts: Record<string, (shift: boolean) => void> = {
    a: () => choose(used && selection.rows < MAX_ROWS ? boundingArea(used, cellArea(activeCell)) : wholeSheet),
    t: actions.formatAsTable,
    l: actions.formatAsTable,
    y: actions.redo,
    z: (shift) => (shift ? actions.redo() : actions.undo()),
    '+': byColumns ? actions.insertColumns : actions.insertRows,
    '=': byColumns ? actions.insertColumns : actions.insertRows,
    '-': byColumns ? actions.deleteColumns : actions.deleteRows,
    ' ': () => choose({ ...selection, row: 0, rows: MAX_ROWS }),
  };

  const keys: Record<string, (shift: boolean) => void> = {
    F2: () => onEdit({ mode: 'edit', place: 'cell' }),
    Delete: actions.clear,
    Backspace: () => onEdit({ mode: 'enter', place: 'cell', text: '' }),
    ContextMenu: openCellsMenu,
    Escape: () => onLeaving(true),
  };

  const withShift: Record<string, () => void> = {
    F10: openCellsMenu,
    ' ': () => choose({ ...selection, column: 0, columns: MAX_COLUMNS }),
  };

  /** Moves the selection; false for a key that does not. */
  const move = (key: string, ctrl: boolean, shift: boolean): boolean => {
    const moved = moveSelection(sheet, { key, ctrl, shift, page: pageRows });
    if (!moved) return false;
    const limit = ({ row, column }: Position) => ({
      row: ctrl ? Math.min(row, extent.rows - 1) : row,
      column: ctrl ? Math.min(column, extent.columns - 1) : column,
    });
    const first = limit(moved.selection);
    const last = limit({
      row: moved.selection.row + moved.selection.rows - 1,
      column: moved.selection.column + moved.selection.columns - 1,
    });
    select(sheet, boundingArea(cellArea(first), cellArea(last)), limit(moved.activeCell));
    if (shift) {
      reveal({
        row: moved.selection.row === activeCell.row ? last.row : first.row,
        column: moved.selection.column === activeCell.column ? last.column : first.column,
      });
    }
    return true;
  };

  return (event: KeyboardEvent<HTMLDivElement>): void => {
    if (draft?.place === 'cell' || event.nativeEvent.isComposing || modifiers.includes(event.key)) return;
    const { key, shiftKey } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    if (leaving) onLeaving(false);
    if (event.altKey) {
      if (key === 'ArrowDown' && openColumnMenu(activeCell)) event.preventDefault();
      return;
    }
    if (leaving && key === 'Tab') return;
    const action = ctrl ? shortcuts[key.toLowerCase()] : (shiftKey && withShift[key]) || keys[key];
    if (action) action(shiftKey);
    else if (!move(key, ctrl, shiftKey)) return;
    event.preventDefault();
  };
};
