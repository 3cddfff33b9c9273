import type { Area } from './cells/address.ts';
import type { NamedItem } from './names.ts';
import type { Cell, Sheet } from './sheet.ts';
import type { Table } from './table.ts';
import type { Workbook } from './workbook.ts';

/** Changes of all steps that can be undone together: each takes some fifty bytes. */
export const MAX_CHANGES = 2_000_000;
export const MAX_STEPS = 100;

/** Why undo goes no further back: sheets came or went, one step changed too much, or too much came after it. */
export type HistoryEnd = 'sheets' | 'size' | 'steps';

/** One thing that changed, and how it was. What is not a cell knows itself how it comes back. */
export type Change =
  | { sheet: Sheet; row: number; column: number; cell: Cell | undefined }
  | { sheet: Sheet; area: Area; restore: () => void };

/** What a sheet has beside its cells, as it was before a step. */
export type SheetState = {
  sheet: Sheet;
  tables: { table: Table; before: Table }[];
  charts: Sheet['charts'];
  names: { item: NamedItem; formula: string }[];
} & Pick<Sheet, 'validations' | 'conditionalFormats' | 'merges' | 'filter'>;

export type Step = {
  /** In the order in which they changed. */
  changes: Change[];
  sheets: SheetState[];
  names: SheetState['names'];
  /** It cannot be undone, nor what came before it. */
  end: HistoryEnd | undefined;
  /** It is kept whole while it goes on, however large, for it may be taken back. */
  isLong: boolean;
};

export type History = {
  done: Step[];
  undone: Step[];
  /** The step being recorded. */
  current: Step | undefined;
  /** What is in the way of undoing more. */
  end: HistoryEnd | undefined;
};

export const emptyHistory = (): History => ({ done: [], undone: [], current: undefined, end: undefined });

/** Remembers how something was, in the step under way, if there is one. */
export const record = ({ history: { current } }: Workbook, change: Change): void => {
  if (!current || current.end) return;
  current.changes.push(change);
  if (current.isLong || current.changes.length <= MAX_CHANGES) return;
  current.end = 'size';
  current.changes = [];
};

/** What adds sheets or takes them away cannot be undone, nor what came before it. */
export const endHistory = ({ history }: Workbook): void => {
  if (history.current) history.current.end = 'sheets';
  else Object.assign(history, { done: [], undone: [], end: 'sheets' });
};
