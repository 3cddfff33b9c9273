import type { Area } from './cells/address.ts';
import type { Shift } from './cells/formulas/formula.ts';
import { dutch, english, type Locale } from './cells/locale.ts';
import { emptyHistory, type History } from './history.ts';
import type { NamedItem } from './names.ts';
import type { Sheet } from './sheet.ts';
import { addSheet } from './sheets.ts';
import { afterContentChange, type Table } from './table.ts';

export type Change =
  | { kind: 'content'; sheet: Sheet; area: Area }
  | { kind: 'format'; sheet: Sheet; area: Area }
  | { kind: 'structure'; sheet: Sheet; area: Area; shift: Shift }
  | { kind: 'sorted'; sheet: Sheet; area: Area }
  | { kind: 'filtered'; sheet: Sheet; area: Area; table: Table | undefined }
  | { kind: 'layout'; sheet: Sheet }
  | { kind: 'selection'; sheet: Sheet }
  | { kind: 'table'; sheet: Sheet; table: Table; change: 'added' | 'changed' | 'deleted' }
  | { kind: 'protection'; sheet: Sheet }
  | { kind: 'sheets'; sheet: Sheet; change: 'added' | 'deleted' | 'renamed' | 'moved' | 'visibility'; before?: string }
  | { kind: 'activated'; sheet: Sheet; left: Sheet }
  | { kind: 'editing' }
  | { kind: 'opened'; file: Uint8Array };

export type Workbook = {
  name: string;
  readonly locale: Locale;
  sheets: Sheet[];
  active: Sheet;
  names: NamedItem[];
  settings: Map<string, unknown>;
  properties: Record<string, string | number>;
  customProperties: Map<string, { key: string; value: unknown }>;
  /** Files that were opened in other windows. */
  opened: Uint8Array[];
  calculationMode: string;
  /** Custom properties of sheets are cut off at this length; undefined for no limit. */
  maxPropertyLength: number | undefined;
  protected: { password?: string } | undefined;
  /** A user is editing a cell. Excel refuses requests meanwhile. */
  editing: boolean;
  /** A user is pasting a large block. Excel delays requests until the end. */
  busy: boolean;
  /** Whether it has the focus, among the open workbooks. */
  inFront: boolean;
  /** The steps for undo and redo, and the step being recorded; see `undo.ts`. */
  history: History;
  /** Who makes the current change. Events say so. */
  actor: 'user' | 'add-in';
  /** Grows with every change. */
  version: number;
  /** Grows with every change that may alter how cells look: all but selecting and editing. */
  contentVersion: number;
  nextId(): number;
  subscribe(listener: (change: Change) => void): () => void;
  emit(change: Change): void;
  contentChanged(sheet: Sheet, area: Area): void;
};

/** A workbook with one empty sheet. */
export const createWorkbook = (options: { name?: string; language?: 'en' | 'nl' } = {}): Workbook => {
  const listeners = new Set<(change: Change) => void>();
  let lastId = 0;
  const workbook: Workbook = {
    name: options.name ?? 'Ledgerline.xlsx',
    locale: options.language === 'nl' ? dutch : english,
    sheets: [],
    active: undefined as unknown as Sheet,
    names: [],
    settings: new Map(),
    properties: {},
    customProperties: new Map(),
    opened: [],
    calculationMode: 'Automatic',
    maxPropertyLength: undefined,
    protected: undefined,
    editing: false,
    busy: false,
    inFront: true,
    history: emptyHistory(),
    actor: 'user',
    version: 0,
    contentVersion: 0,
    nextId: () => ++lastId,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: (change) => {
      workbook.version += 1;
      if (change.kind !== 'selection' && change.kind !== 'editing') workbook.contentVersion += 1;
      for (const listener of listeners) listener(change);
    },
    contentChanged: (sheet, area) => {
      afterContentChange(sheet, area);
      workbook.emit({ kind: 'content', sheet, area });
    },
  };
  workbook.active = addSheet(workbook);
  workbook.history = emptyHistory();
  return workbook;
};
