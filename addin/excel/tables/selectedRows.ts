import { inWorkbook } from '../batch.ts';
import type { Cell } from '../cell.ts';
import { noWaiting } from '../selection.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { locateTable } from './locateTable.ts';
import { readRowsInSight } from './readTable.ts';
import { readHandle, type TableMemory } from './tableMemory.ts';

/** Rows that are looked at of a selection. */
const MAX_ROWS = 500;

/** The selected rows of a table of ours: their cells by the keys of columns, the row of the active cell first. */
export type SelectedRows = { memory: TableMemory; rows: ReadonlyMap<string, Cell>[] };

/**
 * What is selected of the table on the sheet in front, whatever columns the selection is in.
 * @param isWanted whether a table is one to look at
 * @param keys the columns to read; a table that lost one of them has nothing to say
 * @returns undefined when nothing of such a table is selected, or Excel cannot tell just now
 */
export async function readSelectedRows(
  isWanted: (memory: TableMemory) => boolean,
  keys: readonly string[],
): Promise<SelectedRows | undefined> {
  try {
    return await readOnce(isWanted, keys, true);
  } catch (error) {
    // Of cells here and there Excel gives no one range (`InvalidSelection`), but the active cell it does.
    const isScattered = error instanceof WorkbookProblem && error.code === 'OTHER_WORKBOOK';
    return isScattered ? readOnce(isWanted, keys, false).catch(() => undefined) : undefined;
  }
}

const readOnce = (
  isWanted: (memory: TableMemory) => boolean,
  keys: readonly string[],
  isWhole: boolean,
): Promise<SelectedRows | undefined> =>
  inWorkbook(async (context) => {
    const { workbook } = context;
    const readSheet = readHandle(workbook.worksheets.getActiveWorksheet());
    const active = workbook.getActiveCell();
    const selected = isWhole ? workbook.getSelectedRange() : active;
    active.load({ rowIndex: true });
    selected.load({ rowIndex: true, rowCount: true });
    await context.sync();
    const handle = readSheet();
    if (handle === undefined || !isWanted(handle.memory)) return undefined;

    const place = await locateTable(context, handle);
    const first = Math.max(selected.rowIndex, place.top);
    const count = Math.min(selected.rowIndex + selected.rowCount, place.top + place.rows, first + MAX_ROWS) - first;
    const columns = keys.map((key) => place.columns.get(key));
    if (count <= 0 || columns.includes(undefined)) return undefined;
    const ranges = columns.map((column) => place.sheet.getRangeByIndexes(first, place.left + column!, count, 1));
    for (const range of ranges) range.load({ values: true });
    await context.sync();
    const inSight = place.hasHidden ? await readRowsInSight(context, { ...place, top: first, rows: count }) : undefined;

    const rows = Array.from({ length: count }, (_, index) => index).filter(
      (index) => inSight?.has(first + index + 1) !== false,
    );
    // Beginning at the active cell, and round.
    const start = Math.max(0, rows.indexOf(active.rowIndex - first));
    return {
      memory: handle.memory,
      rows: [...rows.slice(start), ...rows.slice(0, start)].map(
        (index) => new Map(keys.map((key, column) => [key, ranges[column]!.values[index]![0] as Cell])),
      ),
    };
  }, noWaiting);
