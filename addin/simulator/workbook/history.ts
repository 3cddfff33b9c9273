import type { Area } from './cells/address.ts';
import type { NamedItem } from './names.ts';
import type { Cell, Sheet } from './sheet.ts';
import type { Table } from './table.ts';
import type { Workbook } from './workbook.ts';

/** The most changes that all steps together may hold. Each takes some fifty bytes. */
export const MAX_CHANGES = 2_000_000;
export const MAX_STEPS = 100;

/** Why undo goes no further back: a sheet was added or deleted, a step was too large, or there were too many steps. */
export type HistoryEnd = 'sheets' | 'size' | 'steps';

/**
 * A change, and how to take it back: the cell as it was, or a function, with the cells that it changes. `size`: as how
 * many changes of cells it counts, by the memory that it takes.
 */
export type Change =
  | { sheet: Sheet; row: number; column: number; cell: Cell | undefined }
  | { sheet: Sheet; area?: Area; size?: number; restore: () => void };

/** The parts of a sheet other than its cells, as they were before a step. */
export type SheetState = {
  sheet: Sheet;
  tables: { table: Table; before: Table }[];
  charts: Sheet['charts'];
  names: { item: NamedItem; formula: string }[];
} & Pick<Sheet, 'validations' | 'conditionalFormats' | 'merges' | 'filter'>;

export type Step = {
  /** In the order in which they changed. */
  changes: Change[];
  /** The sizes of all changes together. */
  size: number;
  sheets: SheetState[];
  names: SheetState['names'];
  /** Neither this step nor any before it can be undone, for this reason. */
  end: HistoryEnd | undefined;
  /** It is recorded without a limit until it ends, since it may be cancelled. */
  isLong: boolean;
};

export class History {
  done: Step[] = [];
  undone: Step[] = [];
  /** The step being recorded. */
  current: Step | undefined;
  /** Why steps before the first one cannot be undone. */
  end: HistoryEnd | undefined;
}

/** Records a change in the current step, if there is one. */
export const record = ({ history: { current } }: Workbook, change: Change): void => {
  if (!current || current.end) return;
  current.changes.push(change);
  current.size += 'restore' in change ? (change.size ?? 1) : 1;
  if (current.isLong || current.size <= MAX_CHANGES) return;
  current.end = 'size';
  current.changes = [];
};

/** Ends the history: neither an added or deleted sheet nor anything before it can be undone. */
export const endHistory = ({ history }: Workbook): void => {
  if (history.current) history.current.end = 'sheets';
  else Object.assign(history, { done: [], undone: [], end: 'sheets' });
};
