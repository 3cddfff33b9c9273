import type { Position } from '../../workbook/cells/address.ts';
import type { Sheet } from '../../workbook/sheet.ts';
import { select } from '../../workbook/sheets.ts';
import { moveSelection } from './moves.ts';

/**
 * The text being typed into a cell. In the mode `enter`, which typing begins, arrow keys end it. In the mode `edit`,
 * which F2, a double click and the formula bar begin, they move within the text; F2 changes between the two.
 */
export type Draft = Position & {
  sheet: Sheet;
  text: string;
  mode: 'enter' | 'edit';
  place: 'cell' | 'bar';
};

/** Whether a key ends the entry and moves the active cell. */
export const endsEntry = (key: string, mode: Draft['mode']): boolean =>
  key === 'Enter' || key === 'Tab' || (mode === 'enter' && /^(Arrow|Page|Home$|End$)/.test(key));

/** A row of entries that Tab separates: its first column, to which Enter returns one row down, and its next cell. */
export type EntryRow = { column: number; next: Position };

/** Moves the active cell after an entry that this key ended. @returns the row of entries that goes on */
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
  const isWithin = moved.selection === sheet.selection;
  if (key === 'Enter' && !shift && continued && !isWithin) {
    select(sheet, { ...moved.selection, column: entryRow.column });
    return undefined;
  }
  select(sheet, moved.selection, moved.activeCell);
  if (key !== 'Tab' || shift || isWithin) return undefined;
  return { column: continued ? entryRow.column : activeCell.column, next: moved.activeCell };
};
