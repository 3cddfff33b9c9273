import { MOST_ROWS } from '../../shared/spreadsheet.ts';
import { inWorkbook } from './batch.ts';
import { BLOCK_BYTES, bytesOfRow } from './blocks.ts';
import { type Cell, numberFormatOf } from './cell.ts';
import { freeName, sheetNameOf, tableNameOf } from './names.ts';
import { type Column, cellsOf, pixels, type TableSpec, type TableWriter, type WriteOptions } from './table.ts';
import { remember } from './tableMemory.ts';
import { writeBlock } from './writeBlock.ts';

/** How the columns we fill in beside a person's own look. */
const ANSWER_FILL = '#F3F2F1';

/**
 * A table on a sheet of its own. Its rows are written as they come in, in blocks of about a megabyte; the table itself is
 * made last, because a table that grows costs Excel more at every block.
 * @param blank how many empty rows the table gets when no rows are written
 */
export async function createTable<Row>(
  spec: TableSpec<Row>,
  options: WriteOptions = {},
  blank = 1,
): Promise<TableWriter<Row>> {
  const { columns } = spec;
  const { retry, signal } = options;
  const { sheetId, sheetName, tableName } = await addSheet(spec, options);
  let waiting: Cell[][] = [];
  let bytes = 0;
  let written = 0;
  let cut = 0;

  // One block is on its way while the rows of the next one come in; not more, or a slow Excel would pile them up.
  let onItsWay: Promise<void> = Promise.resolve();
  const flush = async () => {
    await onItsWay;
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    bytes = 0;
    onItsWay = writeBlock({ sheetId, left: 0 }, { start: 1 + written, rows }, retry).then(() =>
      options.onProgress?.(written),
    );
    written += rows.length;
    // A failure is told by whoever waits for the block next; until then it is not nobody's.
    onItsWay.catch(() => {});
  };

  return {
    async write(rows) {
      for (const row of rows) {
        signal?.throwIfAborted();
        const cells = cellsOf(columns, row, () => cut++);
        const size = bytesOfRow(cells);
        if (bytes + size > BLOCK_BYTES) await flush();
        waiting.push(cells);
        bytes += size;
      }
    },

    async finish() {
      await flush();
      await onItsWay;
      signal?.throwIfAborted();
      const { tableId, columnIds } = await inWorkbook(async (context) => {
        const sheet = context.workbook.worksheets.getItem(sheetId);
        const rows = Math.max(written, blank);
        const range = sheet.getRangeByIndexes(0, 0, 1 + rows, columns.length);
        columns.forEach(({ answer }, index) => {
          if (answer) sheet.getRangeByIndexes(1, index, rows, 1).format.fill.color = ANSWER_FILL;
        });
        const table = sheet.tables.add(range, true);
        table.name = tableName;
        table.load({ id: true });
        table.columns.load({ id: true, name: true });
        if (spec.frozen) sheet.freezePanes.freezeAt(sheet.getRangeByIndexes(0, 0, 1, spec.frozen));
        else sheet.freezePanes.freezeRows(1);
        sheet.activate();
        await context.sync();
        return { tableId: table.id, columnIds: table.columns.items.map(({ id }) => id) };
      }, retry);
      await inWorkbook(async (context) => {
        remember(context.workbook.worksheets.getItem(sheetId), {
          ...spec.source,
          pulledAt: new Date().toISOString(),
          tableId,
          columns: columns.map(({ key, heading }, index) => ({ key, heading, id: columnIds[index]! })),
          keys: spec.keys,
        });
        await context.sync();
      }, retry);
      return { sheetName, rows: written, added: written, changed: 0, removed: 0, kept: [], cut };
    },

    async discard() {
      await onItsWay.catch(() => {});
      await inWorkbook(async (context) => {
        context.workbook.worksheets.getItemOrNullObject(sheetId).delete();
        await context.sync();
      }, retry);
    },
  };
}

/** The new sheet, with its headings, and every column formatted to the bottom before any value goes in. */
function addSheet<Row>({ sheetName, columns }: TableSpec<Row>, { retry }: WriteOptions) {
  return inWorkbook(async (context) => {
    const { worksheets, tables } = context.workbook;
    worksheets.load({ name: true });
    tables.load({ name: true });
    await context.sync();
    const name = freeName(
      sheetNameOf(sheetName),
      worksheets.items.map((sheet) => sheet.name),
      (base, number) => sheetNameOf(base, ` (${number})`),
    );
    const tableName = freeName(
      tableNameOf(sheetName),
      tables.items.map((table) => table.name),
      (base, number) => `${base}_${number}`,
    );
    const sheet = worksheets.add(name);
    columns.forEach((column, index) => {
      formatColumn(sheet, column, index);
    });
    const headings = sheet.getRangeByIndexes(0, 0, 1, columns.length);
    headings.numberFormat = [columns.map(() => '@')];
    headings.values = [columns.map(({ heading }) => heading)];
    sheet.load({ id: true });
    await context.sync();
    return { sheetId: sheet.id, sheetName: name, tableName };
  }, retry);
}

function formatColumn<Row>(sheet: Excel.Worksheet, column: Column<Row>, index: number): void {
  const range = sheet.getRangeByIndexes(0, index, 1, 1).getEntireColumn();
  // One value for the whole range is documented and far smaller than a grid of them; the types only know the grid.
  range.numberFormat = numberFormatOf(column.kind) as unknown as string[][];
  range.format.columnWidth = pixels(column.width);
  if (column.choices !== undefined) {
    const below = sheet.getRangeByIndexes(1, index, MOST_ROWS - 1, 1);
    below.dataValidation.rule = { list: { inCellDropDown: true, source: column.choices.join(',') } };
  }
}
