import { type Area, type Position, sameName } from './cells/address.ts';
import { ExcelError } from './cells/error.ts';
import { loseSheetIn, renameSheetIn } from './cells/formulas/sheetsIn.ts';
import { endHistory, record } from './history.ts';
import { firstFree } from './names.ts';
import { rewriteFormulas } from './rewrite.ts';
import { Sheet } from './sheet.ts';
import { loseTable } from './tableReferences.ts';
import type { Workbook } from './workbook.ts';

const MAX_NAME_LENGTH = 31;

const isTaken = (workbook: Workbook, name: string, self?: Sheet): boolean =>
  workbook.sheets.some((sheet) => sheet !== self && sameName(sheet.name, name));

const freeSheetName = (workbook: Workbook): string => {
  const stem = workbook.locale.names.sheet;
  return firstFree(
    workbook.sheets.length + 1,
    (number) => `${stem}${number}`,
    (name) => isTaken(workbook, name),
  );
};

/** The name of a sheet by Excel's rules: InvalidArgument for an invalid name, ItemAlreadyExists for a taken one. */
const assertSheetName = (workbook: Workbook, name: unknown, self?: Sheet): string => {
  const problem =
    typeof name !== 'string' ||
    name.length === 0 ||
    name.length > MAX_NAME_LENGTH ||
    /[\\/?*[\]:]/.test(name) ||
    name.startsWith("'") ||
    name.endsWith("'") ||
    sameName(name, 'History');
  if (problem) throw new ExcelError('InvalidArgument');
  if (isTaken(workbook, name, self)) throw new ExcelError('ItemAlreadyExists');
  return name;
};

const assertStructureOpen = (workbook: Workbook): void => {
  if (workbook.protected) throw new ExcelError('AccessDenied');
};

/** Adds an empty sheet at the end. */
export const addSheet = (workbook: Workbook, name?: string | null): Sheet => {
  assertStructureOpen(workbook);
  const ownName = assertSheetName(workbook, name ?? freeSheetName(workbook));
  const number = workbook.nextId().toString(16).toUpperCase().padStart(4, '0');
  const sheet = new Sheet(workbook, `{00000000-0001-0000-${number}-000000000000}`, ownName);
  workbook.sheets = [...workbook.sheets, sheet];
  endHistory(workbook);
  workbook.emit({ kind: 'sheets', sheet, change: 'added' });
  return sheet;
};

/** The name of a copy: `Products (2)`. */
export const copyName = (workbook: Workbook, name: string): string => {
  const withNumber = (number: number) => `${name.slice(0, MAX_NAME_LENGTH - ` (${number})`.length)} (${number})`;
  return firstFree(2, withNumber, (copy) => isTaken(workbook, copy));
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

/**
 * InvalidSelection unless the workbook has the focus. Excel requires it for the selection (OfficeDev/office-js#561,
 * #5319), for activating a sheet, and for the names of a sheet (#6365).
 */
export const assertInFront = (workbook: Workbook): void => {
  if (!workbook.inFront) throw new ExcelError('InvalidSelection');
};

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
  const order = workbook.sheets.map(({ name }) => name);
  workbook.sheets = workbook.sheets.filter((other) => other !== sheet);
  endHistory(workbook);
  for (const table of sheet.tables) loseTable(table);
  rewriteFormulas(workbook, (formula) => loseSheetIn(formula, sheet.name, order));
  workbook.emit({ kind: 'sheets', sheet, change: 'deleted' });
};

const setName = (sheet: Sheet, name: string): void => {
  const { workbook, name: before } = sheet;
  sheet.name = name;
  record(workbook, { sheet, restore: () => setName(sheet, before) });
  workbook.emit({ kind: 'sheets', sheet, change: 'renamed' });
};

/** Renames a sheet. Formulas refer to it by its new name. */
export const renameSheet = (workbook: Workbook, sheet: Sheet, name: unknown): void => {
  assertStructureOpen(workbook);
  const before = sheet.name;
  const after = assertSheetName(workbook, name, sheet);
  if (before === after) return;
  rewriteFormulas(workbook, (formula) => renameSheetIn(formula, before, after));
  setName(sheet, after);
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

/** Selects an area. @param activeCell by default the first cell of the area */
export const select = (
  sheet: Sheet,
  area: Area,
  activeCell: Position = { row: area.row, column: area.column },
): void => {
  sheet.selection = area;
  sheet.activeCell = activeCell;
  sheet.workbook.emit({ kind: 'selection', sheet });
};
