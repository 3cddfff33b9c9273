import type { Area, Position } from './cells/address.ts';
import type { CellValue } from './cells/entry.ts';
import { type Locale, locales } from './cells/locale.ts';
import type { Shift } from './cells/movedArea.ts';
import { History } from './history.ts';
import type { NamedItem } from './names.ts';
import type { Sheet } from './sheet.ts';
import { addSheet } from './sheets.ts';
import { afterContentChange, type Table } from './table.ts';

export type Change =
  | { kind: 'content'; sheet: Sheet; area: Area }
  | { kind: 'format'; sheet: Sheet; area: Area }
  | { kind: 'structure'; sheet: Sheet; area: Area; shift: Shift }
  /** Formulas refer to what they referred to before, under another name or in another place. */
  | { kind: 'references' }
  /** Without `areas`, everything in the area moved. */
  | { kind: 'sorted'; sheet: Sheet; area: Area; areas?: Area[]; leftToRight?: boolean }
  | { kind: 'filtered'; sheet: Sheet; area: Area; table: Table | undefined }
  | { kind: 'layout'; sheet: Sheet }
  | { kind: 'selection'; sheet: Sheet }
  | { kind: 'table'; sheet: Sheet; table: Table; change: 'added' | 'changed' | 'deleted' }
  /** A name was added or deleted, or has another formula. */
  | { kind: 'names' }
  | { kind: 'protection'; sheet: Sheet }
  | { kind: 'chart'; sheet: Sheet; id: string; change: 'added' | 'deleted' }
  | { kind: 'sheets'; sheet: Sheet; change: 'added' | 'deleted' | 'renamed' | 'moved' | 'visibility' }
  | { kind: 'activated'; sheet: Sheet; left: Sheet }
  | { kind: 'editing' }
  | { kind: 'calculationMode' }
  | { kind: 'opened'; file: Uint8Array }
  /** Formulas have new results, on each sheet in an area around them; or whether some wait for theirs is new. */
  | { kind: 'calculated'; places: ReadonlyMap<Sheet, Area> };

/** When formulas are calculated; in manual mode, when somebody asks. Without data tables the first two are alike. */
export const calculationModes = ['Automatic', 'AutomaticExceptTables', 'Manual'] as const;
export type CalculationMode = (typeof calculationModes)[number];

/** Changes when formulas are calculated: what is due is calculated when none wait any longer. */
export function setCalculationMode(workbook: Workbook, mode: CalculationMode): void {
  workbook.calculationMode = mode;
  workbook.emit({ kind: 'calculationMode' });
  workbook.settle();
}

/** What cells were before changes that no event has reported yet: the first cell, and every formula that changed. */
type Untold = Position & { value: CellValue; formulas: (Position & { formula: string })[] };

export class Workbook {
  name = 'Ledgerline.xlsx';
  readonly locale: Locale;
  sheets: Sheet[] = [];
  active: Sheet;
  names: NamedItem[] = [];
  readonly settings = new Map<string, unknown>();
  readonly properties: Record<string, string | number> = {};
  readonly customProperties = new Map<string, { key: string; value: unknown }>();
  /** Files that were opened in other windows. */
  readonly opened: Uint8Array[] = [];
  calculationMode: CalculationMode = 'Automatic';
  /** Whether formulas wait for a calculation that somebody asks for. */
  isCalculationDue = false;
  /** Custom properties of sheets are cut off at this length; undefined for no limit. */
  maxPropertyLength: number | undefined;
  protected: { password?: string } | undefined;
  /** A user is editing a cell. Excel refuses requests meanwhile. */
  editing = false;
  /** A user is pasting a large block, or sorts or filters many rows. Excel delays requests until the end. */
  busy = false;
  /** Its calculator is being loaded. Requests wait, which would find formulas for results. */
  awaitsCalculator = false;
  /** Whether it has the focus, among the open workbooks. */
  inFront = true;
  /** The steps for undo and redo, and the step being recorded; see `undo.ts`. */
  history = new History();
  /** Who makes the current change. Events say so. */
  actor: 'user' | 'add-in' = 'user';
  readonly untold = new Map<Sheet, Untold>();
  /** Set by an add-in that wants no events. */
  sendsEvents = true;
  /** Whether serial number 0 is the first day of 1904. Files that count so are converted when they are opened. */
  countsFrom1904 = false;
  /** What time it is, for filters such as `ThisMonth`. */
  now = (): Date => new Date();
  /** Grows with every change. */
  version = 0;
  /** Grows with every change that may alter how cells look: all but selecting and editing. */
  contentVersion = 0;
  /**
   * Calculates what changed since the last time; without a calculator formulas stay texts. What reads results calls it
   * first: several changes are then calculated together.
   */
  settle: () => void = () => {};
  /** The values of a formula that is in no cell; undefined without a calculator. */
  evaluate: (formula: string, sheet: Sheet) => CellValue[][] | undefined = () => undefined;
  /** Calculates what is due in manual mode, and formulas that have another result each time. */
  calculateDue: () => void = () => {};
  /** Calculates every formula, or those of some cells, also when nothing changed. */
  recalculate: (place?: { sheet: Sheet; area: Area }) => void = () => {};
  readonly #listeners = new Set<(change: Change) => void>();
  #lastId = 0;

  /** A workbook with one empty sheet. */
  constructor(language: Locale['language'] = 'en') {
    this.locale = locales[language];
    this.active = addSheet(this);
    this.history = new History();
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  readonly subscribe = (listener: (change: Change) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  emit(change: Change): void {
    this.version += 1;
    if (change.kind !== 'selection' && change.kind !== 'editing') this.contentVersion += 1;
    for (const listener of this.#listeners) listener(change);
    if ('sheet' in change) this.untold.delete(change.sheet);
  }

  contentChanged(sheet: Sheet, area: Area): void {
    afterContentChange(sheet, area);
    this.emit({ kind: 'content', sheet, area });
  }
}
