import { inWorkbook, noRetry, type Retry } from '../batch.ts';
import type { Cell } from '../cell.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { locateTable, stayAt, TableMoved, untilItStays } from './locateTable.ts';
import { readVisibleRows } from './readTable.ts';
import { queueHandle, type TableHandle } from './tableMemory.ts';

/** The most rows of a selection that are read whenever it moves. */
const MAX_ROWS = 500;

/** The cells of a row by the keys of their columns, and its table. */
export type SelectedRow = { cells: ReadonlyMap<string, Cell>; table: TableHandle };

/**
 * The selected rows of the table on the active sheet, in any of its columns, the row of the active cell first.
 * @param isWanted whether the rows of a table are wanted
 * @param keys the columns to read; the cells of deleted ones are empty
 * @param maxRows of the first ones
 * @param whileEdited how to wait for the end of a cell that is being edited
 * @returns none when no row of such a table is selected, or Excel cannot return the selection now
 */
export async function readSelectedRows(
  isWanted: (handle: TableHandle) => boolean,
  keys: readonly string[],
  maxRows = MAX_ROWS,
  whileEdited = noRetry,
): Promise<SelectedRow[]> {
  const read = (isWhole: boolean, retry: Retry) =>
    untilItStays(() => readOnce(isWanted, keys, maxRows, isWhole, retry));
  try {
    return await read(true, noRetry);
  } catch (error) {
    const code = error instanceof WorkbookProblem ? error.code : undefined;
    // For a selection of several areas Excel returns `InvalidSelection`, but it returns the active cell.
    if (code === 'OTHER_WORKBOOK') return read(false, noRetry).catch(() => []);
    return code === 'CELL_BEING_EDITED' ? read(true, whileEdited).catch(() => []) : [];
  }
}

/** @param isWhole whether to read the whole selection, or only the active cell */
const readOnce = (
  isWanted: (handle: TableHandle) => boolean,
  keys: readonly string[],
  maxRows: number,
  isWhole: boolean,
  retry: Retry,
): Promise<SelectedRow[]> =>
  inWorkbook(async (context) => {
    const { workbook } = context;
    const readSheet = queueHandle(workbook.worksheets.getActiveWorksheet());
    const selection = () => {
      const active = workbook.getActiveCell();
      const selected = isWhole ? workbook.getSelectedRange() : active;
      active.load({ address: true, rowIndex: true });
      selected.load({ address: true, rowIndex: true, rowCount: true });
      return { active, selected };
    };
    const { active, selected } = selection();
    await context.sync();
    const handle = readSheet();
    if (handle === undefined || !isWanted(handle)) return [];

    const place = await locateTable(context, handle);
    const first = Math.max(selected.rowIndex, place.top);
    const count = Math.min(selected.rowIndex + selected.rowCount, place.top + place.rows, first + maxRows) - first;
    const columns = keys.map((key) => place.columns.get(key));
    if (count <= 0) return [];
    const ranges = columns.map((column) =>
      column === undefined ? undefined : place.sheet.getRangeByIndexes(first, place.left + column, count, 1),
    );
    // Rows that were inserted since move the table, the selection, or both.
    const request = stayAt(context, place);
    for (const range of ranges) range?.load({ values: true });
    const now = selection();
    await request.sync();
    const isSame = now.active.address === active.address && now.selected.address === selected.address;
    if (!isSame) throw new TableMoved();
    const visible = place.hasHidden ? await readVisibleRows(context, { ...place, top: first, rows: count }) : undefined;
    const rows = [...Array(count).keys()].filter((index) => visible?.has(first + index + 1) !== false);
    const start = Math.max(0, rows.indexOf(active.rowIndex - first));
    return [...rows.slice(start), ...rows.slice(0, start)].map((index) => ({
      cells: new Map(keys.map((key, column) => [key, (ranges[column]?.values[index]?.[0] ?? '') as Cell])),
      table: handle,
    }));
  }, retry);
