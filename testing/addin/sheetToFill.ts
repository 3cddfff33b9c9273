import { noRetry } from '../../addin/excel/batch.ts';
import type { Cell } from '../../addin/excel/cell.ts';
import { createTable } from '../../addin/excel/tables/createTable.ts';
import { readTable, type TableRow } from '../../addin/excel/tables/readTable.ts';
import { type TableHandle, tablesInWorkbook } from '../../addin/excel/tables/tableMemory.ts';
import { cellArea } from '../../addin/simulator/workbook/cells/address.ts';
import type { Locale } from '../../addin/simulator/workbook/cells/locale.ts';
import { withProperty } from '../../addin/simulator/workbook/cells/style.ts';
import { enterValues } from '../../addin/simulator/workbook/changes/enter.ts';
import { putCell, type Sheet, styleAt } from '../../addin/simulator/workbook/sheet.ts';
import { readRequests } from '../../addin/taskpane/documentSheet/readRequests.ts';
import { messagesOf } from '../../addin/taskpane/locales/messages.ts';
import { makeProductSheet } from '../../addin/taskpane/productSheet/makeProductSheet.ts';
import { PRODUCTS, productInput } from '../../addin/taskpane/sheetColumns/productTable.ts';
import { DOCUMENT, type InputSheet, type SheetView } from '../../addin/taskpane/sheetColumns/requestColumns.ts';
import { requestSheets } from '../../addin/taskpane/sheetColumns/requestSheets.ts';
import { requestTable } from '../../addin/taskpane/sheetColumns/requestTable.ts';
import { columnLetters } from '../../shared/spreadsheet.ts';
import { readProductRows } from './productRows.ts';
import { openTestWorkbook, type TestWorkbook } from './workbook.ts';

/** What the pane makes of a cell: the value that it sends, or why it refuses it; nothing of an empty one. */
export type CellReading = { value: unknown } | { refused: string } | undefined;

/** A sheet to fill in, in a simulated workbook under Microsoft's own client. Rows count from 0, below the headings. */
export type SheetToFill = {
  excel: TestWorkbook;
  sheet: () => Sheet;
  /** The row and the column of a cell in the sheet, counted from 0. */
  placeOf: (row: number, column: string) => { row: number; column: number };
  addressOf: (row: number, column: string) => string;
  /** What a user types, in an Excel with the settings of a country. */
  type: (row: number, column: string, text: string, locale: Locale) => void;
  /** A cell as it is after pasting, or in a file: its value and its format. */
  put: (row: number, column: string, cell: Cell, format: string) => void;
  handle: () => Promise<TableHandle>;
  /** Reads every row, as the pane does before it sends. */
  read: () => Promise<(TableRow & { of: (column: string) => CellReading })[]>;
};

const messages = messagesOf.en;
const administration = { id: 'c1', label: 'Bakkerij Jansen' };

/** The columns that are read of a sheet. */
export const inputOf = (view: string): InputSheet =>
  view === PRODUCTS ? productInput : requestSheets[view as SheetView];

export async function openSheetToFill(view: string, rows: number): Promise<SheetToFill> {
  const excel = openTestWorkbook();
  const isProducts = view === PRODUCTS;
  const requestSheet = requestSheets[view as SheetView];
  if (isProducts) await makeProductSheet(messages, administration, 'Absolute', new Array(rows).fill({}));
  else {
    const writer = await createTable(requestTable(requestSheet, messages, administration));
    await writer.write(new Array<object>(rows).fill({}));
    await writer.finish();
  }
  const handle = async () => (await tablesInWorkbook())[0]!;
  const positions = new Map((await handle()).memory.columns.map(({ key }, index) => [key, index]));
  const sheet = () => excel.workbook.sheets.find(({ tables }) => tables.length > 0)!;
  // What a row needs besides the cell that a test is about.
  const beside: Readonly<Record<string, Cell>> = isProducts
    ? { ArticleNumber: 'A1', EAN: 'E1', NewName: 'Chair', NewStockQty: 1 }
    : requestSheet.key === DOCUMENT
      ? { [DOCUMENT]: 'D1' }
      : {};

  const placeOf = (row: number, column: string) => {
    const [table] = sheet().tables;
    return { row: table!.area.row + 1 + row, column: table!.area.column + positions.get(column)! };
  };
  const self: SheetToFill = {
    excel,
    sheet,
    placeOf,
    addressOf(row, column) {
      const place = placeOf(row, column);
      return `${columnLetters(place.column)}${place.row + 1}`;
    },
    type(row, column, text, locale) {
      enterValues(sheet(), cellArea(placeOf(row, column)), text, locale);
    },
    put(row, column, cell, format) {
      const place = placeOf(row, column);
      const style = withProperty(styleAt(sheet(), place.row, place.column), 'numberFormat', format);
      putCell(sheet(), place.row, place.column, { value: cell, style });
    },
    handle,
    async read() {
      const read = await readTable(await handle(), noRetry);
      return read.map((row) => ({
        ...row,
        of: (column) => {
          const others = Object.entries(beside).filter(([key]) => key !== column && row.cells.get(key) === '');
          const cells = new Map([...row.cells, ...others]);
          return (isProducts ? ofProduct : ofRequest)({ ...row, cells }, column);
        },
      }));
    },
  };
  const ofProduct = (row: TableRow, column: string): CellReading => {
    const [one] = readProductRows([row], 'Absolute', messages);
    if (one!.kind === 'bad') return { refused: one!.message };
    return 'update' in one! && column in one!.update ? { value: one!.update[column as 'EAN'] } : undefined;
  };
  const ofRequest = (row: TableRow, column: string): CellReading => {
    const [one] = readRequests([row], { sheet: requestSheet, messages, taxRates: new Map() });
    const about = one?.issues.filter((issue) => issue.column === column).map(({ message }) => message) ?? [];
    if (about.length > 0) return { refused: about.join('; ') };
    const { line } = requestSheet.columns[column]!;
    const fields = line ? (one?.request[requestSheet.lines!] as object[] | undefined)?.[0] : one?.request;
    return fields !== undefined && column in fields
      ? { value: (fields as Record<string, unknown>)[column] }
      : undefined;
  };
  return self;
}
