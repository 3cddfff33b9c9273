import { type Area, intersection, parseArea, splitAddress } from './address.ts';
import { ExcelError } from './error.ts';
import type { Shift } from './formula.ts';
import { dutch, english, type Locale } from './locale.ts';
import { isDateFormat } from './numberFormat.ts';
import type { Sheet } from './sheet.ts';
import { afterContentChange, type Table } from './table.ts';

export type NamedItem = {
  id: string;
  name: string;
  /** What the name means, with its leading "=": an area, a constant or a formula. */
  formula: string;
  comment: string;
  visible: boolean;
  scope: Sheet | undefined;
};

/** What happened to the workbook; the grid redraws on it, and the API makes its events of it. */
export type Change =
  | { kind: 'content'; sheet: Sheet; area: Area }
  | { kind: 'format'; sheet: Sheet; area: Area }
  | {
      kind: 'structure';
      sheet: Sheet;
      area: Area;
      change: 'RowInserted' | 'RowDeleted' | 'ColumnInserted' | 'ColumnDeleted';
    }
  | { kind: 'sorted'; sheet: Sheet; area: Area }
  | { kind: 'filtered'; sheet: Sheet; area: Area; table: Table | undefined }
  | { kind: 'layout'; sheet: Sheet }
  | { kind: 'selection'; sheet: Sheet }
  | { kind: 'table'; sheet: Sheet; table: Table; change: 'added' | 'changed' | 'deleted' }
  | { kind: 'protection'; sheet: Sheet }
  | { kind: 'sheets'; sheet: Sheet; change: 'added' | 'deleted' | 'renamed' | 'moved' | 'visibility'; before?: string }
  | { kind: 'activated'; sheet: Sheet; left: Sheet }
  | { kind: 'editing' };

export type Workbook = {
  name: string;
  readonly locale: Locale;
  sheets: Sheet[];
  active: Sheet;
  names: NamedItem[];
  settings: Map<string, unknown>;
  properties: Record<string, string | number>;
  customProperties: Map<string, { key: string; value: unknown }>;
  calculationMode: string;
  protected: { password?: string } | undefined;
  /** A user is typing in a cell: Excel takes no requests meanwhile. */
  editing: boolean;
  /** Who changes things just now; events tell their handlers. */
  actor: 'user' | 'add-in';
  /** Grows with every change. */
  version: number;
  /** Grows with every change but selecting and editing: what the cells look like may be different. */
  contentVersion: number;
  nextId(): number;
  subscribe(listener: (change: Change) => void): () => void;
  emit(change: Change): void;
  contentChanged(sheet: Sheet, area: Area): void;
  /** Calls back whenever cells were inserted or deleted, so that held ranges can follow. */
  onShift(listener: (sheet: Sheet, shift: Shift) => void): () => void;
  shifted(sheet: Sheet, shift: Shift): void;
  showsAsDate(format: string): boolean;
};

/** A workbook with one empty sheet. */
export const createWorkbook = (options: { name?: string; language?: 'en' | 'nl' } = {}): Workbook => {
  const listeners = new Set<(change: Change) => void>();
  const shiftListeners = new Set<(sheet: Sheet, shift: Shift) => void>();
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
    calculationMode: 'Automatic',
    protected: undefined,
    editing: false,
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
    onShift: (listener) => {
      shiftListeners.add(listener);
      return () => shiftListeners.delete(listener);
    },
    shifted: (sheet, shift) => {
      for (const listener of shiftListeners) listener(sheet, shift);
    },
    showsAsDate: isDateFormat,
  };
  workbook.active = addSheet(workbook);
  return workbook;
};

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const freeSheetName = (workbook: Workbook): string => {
  const stem = workbook.locale.language === 'nl' ? 'Blad' : 'Sheet';
  for (let number = workbook.sheets.length + 1; ; number += 1) {
    if (!workbook.sheets.some(({ name }) => sameName(name, `${stem}${number}`))) return `${stem}${number}`;
  }
};

/** Excel's rules for the name of a sheet: InvalidArgument for an unfit one, ItemAlreadyExists for a taken one. */
export const assertSheetName = (workbook: Workbook, name: unknown, self?: Sheet): string => {
  const unfit =
    typeof name !== 'string' ||
    name.length === 0 ||
    name.length > 31 ||
    /[\\/?*[\]:]/.test(name) ||
    name.startsWith("'") ||
    name.endsWith("'") ||
    sameName(name, 'History');
  if (unfit) throw new ExcelError('InvalidArgument');
  if (workbook.sheets.some((sheet) => sheet !== self && sameName(sheet.name, name))) {
    throw new ExcelError('ItemAlreadyExists');
  }
  return name;
};

const assertStructureOpen = (workbook: Workbook): void => {
  if (workbook.protected) throw new ExcelError('AccessDenied');
};

/** Adds an empty sheet at the end. */
export const addSheet = (workbook: Workbook, name?: string | null): Sheet => {
  assertStructureOpen(workbook);
  const given = name === undefined || name === null ? freeSheetName(workbook) : assertSheetName(workbook, name);
  const number = workbook.nextId();
  const sheet: Sheet = {
    workbook,
    id: `{00000000-0001-0000-${number.toString(16).toUpperCase().padStart(4, '0')}-000000000000}`,
    name: given,
    visibility: 'Visible',
    rows: [],
    columns: [],
    formulas: 0,
    tables: [],
    names: [],
    customProperties: new Map(),
    frozen: { rows: 0, columns: 0 },
    protection: undefined,
    validations: [],
    conditionalFormats: [],
    filter: undefined,
    merges: [],
    selection: { row: 0, column: 0, rows: 1, columns: 1 },
    activeCell: { row: 0, column: 0 },
    tabColor: '',
    gridlines: true,
    headings: true,
  };
  workbook.sheets.push(sheet);
  workbook.emit({ kind: 'sheets', sheet, change: 'added' });
  return sheet;
};

/** A sheet by its name or id, without regard to case; undefined when there is none. */
export const findSheet = (workbook: Workbook, key: unknown): Sheet | undefined =>
  typeof key === 'string'
    ? workbook.sheets.find(({ name, id }) => sameName(name, key) || sameName(id, key))
    : undefined;

export const sheetNamed = (workbook: Workbook, key: unknown): Sheet => {
  const sheet = findSheet(workbook, key);
  if (!sheet) throw new ExcelError('ItemNotFound');
  return sheet;
};

export const visibleSheets = (workbook: Workbook): Sheet[] =>
  workbook.sheets.filter(({ visibility }) => visibility === 'Visible');

export const activateSheet = (workbook: Workbook, sheet: Sheet): void => {
  if (sheet.visibility !== 'Visible') throw new ExcelError('InvalidOperation');
  const left = workbook.active;
  if (left === sheet) return;
  workbook.active = sheet;
  workbook.emit({ kind: 'activated', sheet, left });
};

const nextVisible = (workbook: Workbook, sheet: Sheet): Sheet | undefined => {
  const index = workbook.sheets.indexOf(sheet);
  const others = [...workbook.sheets.slice(index + 1), ...workbook.sheets.slice(0, index).reverse()];
  return others.find(({ visibility }) => visibility === 'Visible');
};

/** Deletes a sheet; InvalidOperation for the last visible one. */
export const deleteSheet = (workbook: Workbook, sheet: Sheet): void => {
  assertStructureOpen(workbook);
  const next = nextVisible(workbook, sheet);
  if (!next || sheet.visibility === 'VeryHidden') throw new ExcelError('InvalidOperation');
  if (workbook.active === sheet) activateSheet(workbook, next);
  workbook.sheets = workbook.sheets.filter((other) => other !== sheet);
  workbook.emit({ kind: 'sheets', sheet, change: 'deleted' });
};

export const renameSheet = (workbook: Workbook, sheet: Sheet, name: unknown): void => {
  assertStructureOpen(workbook);
  const before = sheet.name;
  sheet.name = assertSheetName(workbook, name, sheet);
  if (before !== sheet.name) workbook.emit({ kind: 'sheets', sheet, change: 'renamed', before });
};

export const moveSheet = (workbook: Workbook, sheet: Sheet, position: unknown): void => {
  assertStructureOpen(workbook);
  const fits =
    typeof position === 'number' && Number.isInteger(position) && position >= 0 && position < workbook.sheets.length;
  if (!fits) throw new ExcelError('InvalidArgument');
  const others = workbook.sheets.filter((other) => other !== sheet);
  others.splice(position, 0, sheet);
  workbook.sheets = others;
  workbook.emit({ kind: 'sheets', sheet, change: 'moved' });
};

export const setVisibility = (workbook: Workbook, sheet: Sheet, visibility: unknown): void => {
  assertStructureOpen(workbook);
  if (visibility !== 'Visible' && visibility !== 'Hidden' && visibility !== 'VeryHidden') {
    throw new ExcelError('InvalidArgument');
  }
  if (visibility !== 'Visible' && sheet.visibility === 'Visible') {
    const next = nextVisible(workbook, sheet);
    if (!next) throw new ExcelError('InvalidOperation');
    if (workbook.active === sheet) activateSheet(workbook, next);
  }
  sheet.visibility = visibility;
  workbook.emit({ kind: 'sheets', sheet, change: 'visibility' });
};

export const allTables = (workbook: Workbook): Table[] => workbook.sheets.flatMap(({ tables }) => tables);

export const tableAt = (sheet: Sheet, row: number, column: number): Table | undefined =>
  sheet.tables.find(({ area }) => intersection(area, { row, column, rows: 1, columns: 1 }));

/** Selects an area and makes its first cell (or the given one) the active cell. */
export const select = (sheet: Sheet, area: Area, activeCell = { row: area.row, column: area.column }): void => {
  sheet.selection = area;
  sheet.activeCell = activeCell;
  sheet.workbook.emit({ kind: 'selection', sheet });
};

export const findName = (names: NamedItem[], name: unknown): NamedItem | undefined =>
  typeof name === 'string' ? names.find((item) => sameName(item.name, name)) : undefined;

/** What an address, a name or a structured reference such as `Table1[Amount]` points at; undefined when nothing. */
export const resolveReference = (
  workbook: Workbook,
  reference: string,
  home: Sheet,
): { sheet: Sheet; area: Area } | undefined => {
  const { sheet: sheetName, local } = splitAddress(reference.replace(/^=/, ''));
  const sheet = sheetName === undefined ? home : findSheet(workbook, sheetName);
  if (!sheet) return undefined;
  const area = parseArea(local);
  if (area) return { sheet, area };
  const item = findName(sheet.names, local) ?? findName(workbook.names, local);
  if (item) return resolveReference(workbook, item.formula, item.scope ?? home);
  return tableReference(workbook, local);
};

const tableReference = (workbook: Workbook, reference: string): { sheet: Sheet; area: Area } | undefined => {
  const match = /^([\p{L}_\\][\p{L}\p{N}_.]*)(?:\[(#All|#Data|#Headers|[^#[\]]+)?\])?$/iu.exec(reference);
  const table = match && allTables(workbook).find(({ name }) => sameName(name, match[1]!));
  if (!table) return undefined;
  const { area, sheet } = table;
  const headers = table.showHeaders ? 1 : 0;
  const body = { ...area, row: area.row + headers, rows: area.rows - headers };
  const part = match[2]?.toLowerCase();
  if (part === '#all') return { sheet, area };
  if (part === '#headers') return headers ? { sheet, area: { ...area, rows: 1 } } : undefined;
  if (!part || part === '#data') return { sheet, area: body };
  const index = table.columns.findIndex(({ name }) => sameName(name, part));
  return index < 0 ? undefined : { sheet, area: { ...body, column: area.column + index, columns: 1 } };
};
