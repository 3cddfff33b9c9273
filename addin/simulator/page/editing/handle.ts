import { areaAddress, cellArea, matrixOf } from '../../workbook/cells/address.ts';
import { enterAsTyped } from '../../workbook/changes/tableShape.ts';
import { resolveReference } from '../../workbook/reference.ts';
import {
  formulaAt,
  isHiddenRow,
  numberFormatAt,
  type Sheet,
  styleAt,
  textAt,
  usedArea,
  valueAt,
} from '../../workbook/sheet.ts';
import { activateSheet, select, sheetNamed } from '../../workbook/sheets.ts';
import { allTables } from '../../workbook/table.ts';
import type { Workbook } from '../../workbook/workbook.ts';

/**
 * `window.workbook`: access to the workbook without the grid, for tests and experiments. An address names its sheet
 * (`Products!A2`) or means the active one; names and tables work too.
 */
export const createHandle = (workbook: Workbook) => {
  const sheetOf = (name: string | undefined): Sheet =>
    name === undefined ? workbook.active : sheetNamed(workbook, name);

  const find = (address: string) => {
    const found = resolveReference(workbook, address, workbook.active);
    if (!found) throw new Error(`There is no ${address} in this workbook.`);
    return found;
  };

  const matrix =
    <Value>(read: (sheet: Sheet, row: number, column: number) => Value) =>
    (address: string): Value[][] => {
      const { sheet, area } = find(address);
      return matrixOf(area, (row, column) => read(sheet, row, column));
    };

  return {
    sheets: () => workbook.sheets.map(({ name }) => name),
    activeSheet: () => workbook.active.name,
    activate: (sheet: string) => activateSheet(workbook, sheetNamed(workbook, sheet)),
    /** The address of the selection, with its sheet. */
    selection: () => `${workbook.active.name}!${areaAddress(workbook.active.selection)}`,
    select: (address: string) => {
      const { sheet, area } = find(address);
      activateSheet(workbook, sheet);
      select(sheet, area);
    },
    /** The address of the cells with values on a sheet; undefined for an empty sheet. */
    usedRange: (sheet?: string) => {
      const area = usedArea(sheetOf(sheet), true);
      return area && areaAddress(area);
    },
    values: matrix(valueAt),
    /** As shown in the grid. */
    texts: matrix(textAt),
    formulas: matrix(formulaAt),
    numberFormats: matrix(numberFormatAt),
    /** The style of the first cell. */
    style: (address: string) => matrix(styleAt)(address)[0]![0]!,
    /** Rows hidden by a filter or by hand, counted from 1. */
    hiddenRows: (name?: string) => {
      const sheet = sheetOf(name);
      return sheet.rows.flatMap((_, row) => (isHiddenRow(sheet, row) ? [row + 1] : []));
    },
    tables: () =>
      allTables(workbook).map(({ name, sheet, area, columns }) => ({
        name,
        sheet: sheet.name,
        address: areaAddress(area),
        columns: columns.map((column) => column.name),
      })),
    customProperties: (sheet?: string) =>
      Object.fromEntries([...sheetOf(sheet).customProperties.values()].map(({ key, value }) => [key, value])),
    /** Enters text into a cell as if it were typed there. */
    type: (address: string, text: string) => {
      const { sheet, area } = find(address);
      enterAsTyped(sheet, cellArea(area), text);
    },
  };
};

declare global {
  interface Window {
    workbook: ReturnType<typeof createHandle>;
  }
}
