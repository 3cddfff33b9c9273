import type { Cell } from '../../addin/excel/cell.ts';
import { connectClient, loadClient } from '../../addin/simulator/node.ts';
import { cellArea } from '../../addin/simulator/workbook/cells/address.ts';
import type { ExcelErrorCode } from '../../addin/simulator/workbook/cells/error.ts';
import { enterValues } from '../../addin/simulator/workbook/changes/enter.ts';
import { recordStep, undo } from '../../addin/simulator/workbook/changes/undo.ts';
import { numberFormatAt, type Sheet } from '../../addin/simulator/workbook/sheet.ts';
import { Workbook } from '../../addin/simulator/workbook/workbook.ts';

/** A simulated workbook with Microsoft's own client in the global scope, as a page in Excel has it. For tests only. */
export type TestWorkbook = {
  workbook: Workbook;
  sheet: (name: string) => Sheet;
  /** The values of a sheet's used range, from A1 on. */
  cells: (name: string) => Cell[][];
  formats: (name: string, row: number) => string[];
  /** Types into a cell as a user does; row and column count from 0. */
  type: (name: string, row: number, column: number, text: string) => void;
  /** Ctrl+Z: undoes the latest step, of the user or of the add-in. */
  undo: () => void;
  /**
   * Called before each request reaches Excel, with its number since `watch`; Excel refuses it with the returned code.
   */
  watch: (before: (request: number, body: string) => ExcelErrorCode | undefined) => void;
};

/** The client of this process. */
let client: ReturnType<typeof loadClient> | undefined;

/** @param workbook one that was read from a file; left out: a new one */
export function openTestWorkbook(language: 'en' | 'nl' = 'en', workbook = new Workbook(language)): TestWorkbook {
  client ??= loadClient();
  const { Excel, OfficeExtension, Office, host } = connectClient(client, workbook);
  Object.assign(globalThis, { Excel, OfficeExtension, Office });
  const sheet = (name: string): Sheet => {
    const found = workbook.sheets.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`There is no sheet ${name}: ${workbook.sheets.map((one) => one.name)}`);
    return found;
  };
  return {
    workbook,
    sheet,
    cells: (name) => {
      const { rows } = sheet(name);
      const width = rows.reduce((widest, row) => Math.max(widest, row?.cells.length ?? 0), 0);
      const grid = Array.from({ length: rows.length }, (_, row) =>
        Array.from({ length: width }, (_, column) => rows[row]?.cells[column]?.value ?? ''),
      );
      while (grid.at(-1)?.every((cell) => cell === '')) grid.pop();
      return grid;
    },
    formats: (name, row) => {
      const width = sheet(name).tables[0]?.columns.length ?? 0;
      return Array.from({ length: width }, (_, column) => numberFormatAt(sheet(name), row, column));
    },
    type: (name, row, column, text) => {
      recordStep(workbook, () => enterValues(sheet(name), cellArea({ row, column }), text, workbook.locale));
    },
    undo: () => undo(workbook),
    watch: (before) => {
      const { execute } = host;
      let request = 0;
      host.execute = async (body, flags) => {
        const errorCode = before(++request, body);
        return errorCode === undefined ? execute(body, flags) : { errorCode, errorMessage: errorCode };
      };
    },
  };
}
