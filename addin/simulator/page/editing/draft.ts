import type { Position } from '../../workbook/cells/address.ts';
import type { Sheet } from '../../workbook/sheet.ts';
import { select } from '../../workbook/sheets.ts';
import { moveSelection } from './moves.ts';

/**
 * The text being typed into a cell. If begun by typing ("enter"), arrow keys end it; if begun by F2, a double click or
 * in the formula bar ("edit"), they move within the text.
 */
export type Draft = Position & {
  sheet: Sheet;
  text: string;
  mode: 'enter' | 'edit';
  place: 'cell' | 'bar';
};

/** The keys that end typing into a cell, and move on. */
export const endsEntry = (key: string, mode: Draft['mode']): boolean =>
  key === 'Enter' || key === 'Tab' || (mode === 'enter' && /^(Arrow|Page|Home$|End$)/.test(key));

/** Where a row of entries separated by Tab began; Enter goes back to that column, one row down, as in Excel. */
export type EntryRow = { column: number; next: Position };

/** Moves on after an entry that ended by this key, and gives the row of entries it belongs to. */
export const moveAfterEntry = (
  sheet: Sheet,
  key: string,
  shift: boolean,
  entryRow: EntryRow | undefined,
): EntryRow | undefined => {
  const { activeCell } = sheet;
  const continued = entryRow?.next.row === activeCell.row && entryRow.next.column === activeCell.column;
  const moved = moveSelection(sheet, {
    key,
    shift: shift && (key === 'Enter' || key === 'Tab'),
    ctrl: false,
    page: 20,
  });
  if (!moved) return undefined;
  if (key === 'Enter' && !shift && continued) {
    select(sheet, { ...moved.selection, column: entryRow.column });
    return undefined;
  }
  select(sheet, moved.selection, moved.activeCell);
  if (key !== 'Tab' || shift) return undefined;
  return { column: continued ? entryRow.column : activeCell.column, next: moved.activeCell };
};
