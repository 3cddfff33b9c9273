import { areaAddress } from '../../workbook/cells/address.ts';
import type { CellValue } from '../../workbook/cells/entry.ts';
import type { Style } from '../../workbook/cells/style.ts';
import { enterValues } from '../../workbook/changes/enter.ts';
import { growByTyping } from '../../workbook/changes/tableShape.ts';
import { resolveReference } from '../../workbook/reference.ts';
import { cellAt, numberFormatAt, type Sheet, styleAt, textAt, usedArea } from '../../workbook/sheet.ts';
import { activateSheet, select, sheetNamed } from '../../workbook/sheets.ts';
import { allTables } from '../../workbook/table.ts';
import type { Workbook } from '../../workbook/workbook.ts';

/**
 * `window.workbook`: access to the workbook without the grid, for tests and experiments. An
 * address names its sheet (`Products!A2`) or means the active one; names and tables work too.
 */
type WorkbookHandle = {
  sheets(): string[];
  activeSheet(): string;
  activate(sheet: string): void;
  /** The address of the selection, with its sheet. */
  selection(): string;
  select(address: string): void;
  /** The address of what holds values on a sheet; undefined for an empty sheet. */
  usedRange(sheet?: string): string | undefined;
  values(address: string): CellValue[][];
  /** As shown in the grid. */
  texts(address: string): string[][];
  formulas(address: string): CellValue[][];
  numberFormats(address: string): string[][];
  style(address: string): Style;
  /** Rows hidden by a filter or by hand, counted from 1. */
  hiddenRows(sheet?: string): number[];
  tables(): { name: string; sheet: string; address: string; columns: string[] }[];
  customProperties(sheet?: string): Record<string, string>;
  /** Enters text into a cell as if it were typed there. */
  type(address: string, text: string): void;
};

declare global {
  interface Window {
    workbook: WorkbookHandle;
  }
}

export const createHandle = (workbook: Workbook): WorkbookHandle => {
  const sheetOf = (name: string | undefined): Sheet =>
    name === undefined ? workbook.active : sheetNamed(workbook, name);

  const find = (address: string) => {
    const found = resolveReference(workbook, address, workbook.active);
    if (!found) throw new Error(`There is no ${address} in this workbook.`);
    return found;
  };

  const matrix = <Value>(address: string, read: (sheet: Sheet, row: number, column: number) => Value): Value[][] => {
    const { sheet, area } = find(address);
    return Array.from({ length: area.rows }, (_, row) =>
      Array.from({ length: area.columns }, (_unused, column) => read(sheet, area.row + row, area.column + column)),
    );
  };

  return {
    sheets: () => workbook.sheets.map(({ name }) => name),
    activeSheet: () => workbook.active.name,
    activate: (sheet) => activateSheet(workbook, sheetNamed(workbook, sheet)),
    selection: () => `${workbook.active.name}!${areaAddress(workbook.active.selection)}`,
    select: (address) => {
      const { sheet, area } = find(address);
      activateSheet(workbook, sheet);
      select(sheet, area);
    },
    usedRange: (sheet) => {
      const area = usedArea(sheetOf(sheet), true);
      return area && areaAddress(area);
    },
    values: (address) => matrix(address, (sheet, row, column) => cellAt(sheet, row, column)?.value ?? ''),
    texts: (address) => matrix(address, textAt),
    formulas: (address) =>
      matrix(
        address,
        (sheet, row, column) => cellAt(sheet, row, column)?.formula ?? cellAt(sheet, row, column)?.value ?? '',
      ),
    numberFormats: (address) => matrix(address, numberFormatAt),
    style: (address) => {
      const { sheet, area } = find(address);
      return styleAt(sheet, area.row, area.column);
    },
    hiddenRows: (sheet) =>
      sheetOf(sheet).rows.flatMap((row, index) => (row?.hidden || row?.filtered ? [index + 1] : [])),
    tables: () =>
      allTables(workbook).map(({ name, sheet, area, columns }) => ({
        name,
        sheet: sheet.name,
        address: areaAddress(area),
        columns: columns.map((column) => column.name),
      })),
    customProperties: (sheet) =>
      Object.fromEntries([...sheetOf(sheet).customProperties.values()].map(({ key, value }) => [key, value])),
    type: (address, text) => {
      const { sheet, area } = find(address);
      const cell = { ...area, rows: 1, columns: 1 };
      if (text !== '') growByTyping(sheet, cell);
      enterValues(sheet, cell, text, workbook.locale);
    },
  };
};
