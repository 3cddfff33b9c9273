import type { Cell } from '../../excel/cell.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';

/*
 * What rows add to, which must not be added twice. A sheet stores it independently of its cells: undo restores a cleared
 * cell, and the status beside it.
 */

/** A quantity that was added. */
export type AddedQuantity = {
  /** The names of what it was added to, in its row. */
  names: readonly string[];
  /** The text of its cell. */
  quantity: string;
  /** When the push of it was confirmed, ISO. */
  at: string;
  administration: Administration;
};

/** The most additions that a sheet stores. */
export const MAX_ADDED = 20_000;

/** A quantity that was sent and may still be in its row: sent again, it may be added twice. */
export type UnconfirmedWrite = {
  /** The names of what it is added to, in its row. */
  names: readonly string[];
  /** The text of its cell. */
  quantity: Cell;
  /**
   * `applied`: it was added, but its row was missing when its cell had to be cleared. `unknown`: it may have been
   * added.
   */
  state: 'applied' | 'unknown';
  /** The id of its push ("" if the service never returned it), and its row in that push. */
  push: string;
  row: number;
};
