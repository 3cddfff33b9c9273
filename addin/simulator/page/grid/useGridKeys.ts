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
import { select } from '../../workbook/sheets.ts';
import { moveSelection } from '../editing/moves.ts';
import { usePage } from '../pageContext.ts';
import type { GridTools } from './useGridPointer.ts';

const modifiers = ['Shift', 'Control', 'Alt', 'Meta'];

/** The keys between two entries. Any other key is typed into the active cell, and begins the next entry. */
export const useGridKeys = ({ grid, editor, openColumnMenu, openChoices, openCellsMenu }: GridTools) => {
  const { workbook, actions } = usePage();
  const { draft, begin, tabLeaves, setTabLeaves } = editor;
  const sheet = workbook.active;
  const { selection, activeCell } = sheet;
  const { used, extent, pageRows, reveal } = grid;
  const choose = (area: Area) => select(sheet, area, activeCell);
  const byColumns = selection.rows === MAX_ROWS;

  const shortcuts: Record<string, (shift: boolean) => void> = {
    a: () => choose(used && selection.rows < MAX_ROWS ? boundingArea(used, cellArea(activeCell)) : wholeSheet),
    d: actions.fillDown,
    r: actions.fillRight,
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
    F2: () => begin('edit', 'cell'),
    Delete: actions.clear,
    Backspace: () => begin('enter', 'cell', ''),
    ContextMenu: () => openCellsMenu(),
    Escape: () => setTabLeaves(true),
  };

  const withShift: Record<string, () => void> = {
    F10: () => openCellsMenu(),
    ' ': () => choose({ ...selection, column: 0, columns: MAX_COLUMNS }),
  };

  /** Moves the selection. @returns false for a key that does not move it */
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
    if (shift && moved.selection !== selection) {
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
    if (tabLeaves) setTabLeaves(false);
    if (event.altKey) {
      if (key === 'ArrowDown' && (openColumnMenu(activeCell) || openChoices(activeCell))) event.preventDefault();
      return;
    }
    if (tabLeaves && key === 'Tab') return;
    const action = ctrl ? shortcuts[key.toLowerCase()] : (shiftKey && withShift[key]) || keys[key];
    if (action) action(shiftKey);
    else if (!move(key, ctrl, shiftKey)) return;
    event.preventDefault();
  };
};
