import { defaultRetry, inWorkbook, type Retry } from '../batch.ts';
import { BLOCK_BYTES, bytesOfRow } from '../blocks.ts';
import { type Cell, numberFormatOf } from '../cell.ts';
import { freeName, sheetNameOf, tableNameOf } from '../names.ts';
import { WorkbookProblem, type WorkbookProblemCode } from '../workbookProblem.ts';
import { type Landmark, queueCells, queueLandmarks, setFormat, writeBlock } from '../writeBlock.ts';
import { dateSystemOf } from './dateSystem.ts';
import { formulaWriter } from './formulas.ts';
import { checkRoom, placeOverview, rowsAbove } from './overview.ts';
import { cellsOf, columnPoints, type TableSpec, type TableWriter } from './table.ts';
import { remember } from './tableMemory.ts';
import { markFinished, markUnfinished } from './unfinished.ts';

/** Cells of a request: while Excel formats and writes them, it takes no clicks. */
const MAX_CELLS = 40_000;

/** The fill colour of the columns that the pane fills in. */
const PANE_FILL = '#F3F2F1';

/**
 * Creates a table on a new sheet. Its rows are written as they arrive, in blocks of a megabyte or less; the table
 * itself is created last, because resizing a table costs Excel more with every block.
 */
export async function createTable<Row>(spec: TableSpec<Row>, retry = defaultRetry): Promise<TableWriter<Row>> {
  const { columns } = spec;
  const dataAt = spec.dataAt === undefined ? {} : { dataAt: spec.dataAt };
  const top = rowsAbove(spec.overview);
  const formats = columns.map(({ kind }) => numberFormatOf(kind));
  const { sheetId, sheetName, tableName, headings } = await addSheet(spec, retry);
  // The sheet of a cancelled pull must still be deleted.
  const removeSheet = () =>
    inWorkbook(
      async (context) => {
        context.workbook.worksheets.getItemOrNullObject(sheetId).delete();
        await context.sync();
      },
      { ...retry, signal: undefined },
    );
  try {
    await formatBelow(sheetId, formats, retry);
  } catch (error) {
    // The first error is reported; a sheet that cannot be deleted stays marked as unfinished.
    await removeSheet().catch(() => {});
    throw error;
  }
  const keys = [...columns.keys()].filter((index) => spec.keys.includes(columns[index]!.key));
  let landmarks: readonly Landmark[] = [];
  let waiting: Cell[][] = [];
  let bytes = 0;
  let written = 0;
  let cut = 0;
  const withFormulas = formulaWriter(spec);

  // One block is written while the rows of the next one arrive; with more, a slow Excel would need much memory.
  let pending: Promise<void> = Promise.resolve();
  const flush = async () => {
    await pending;
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    bytes = 0;
    const block = { start: top + 1 + written, rows };
    pending = writeBlock({ sheetId, formats, keys }, block, retry, landmarks).then((latest) => {
      landmarks = latest;
    });
    written += rows.length;
    // The next wait for the block throws its failure; without this it would count as unhandled.
    pending.catch(() => {});
  };

  return {
    async write(rows) {
      checkRoom(written + waiting.length + rows.length, spec.overview);
      for (const row of rows) {
        retry.signal?.throwIfAborted();
        const cells = cellsOf(columns, row, () => cut++);
        const size = bytesOfRow(cells);
        withFormulas.add(row, cells);
        if (bytes + size > BLOCK_BYTES || (waiting.length + 1) * columns.length > MAX_CELLS) await flush();
        waiting.push(cells);
        bytes += size;
      }
    },

    async finish() {
      await flush();
      await pending;
      retry.signal?.throwIfAborted();
      const { tableId, columnIds } = await inWorkbook(async (context) => {
        const sheet = context.workbook.worksheets.getItem(sheetId);
        const checkPlaces = queueLandmarks(sheet, [...headings, ...landmarks]);
        // A table has at least one row.
        const rows = Math.max(written, 1);
        const range = sheet.getRangeByIndexes(top, 0, 1 + rows, columns.length);
        for (const [index, { isFilledByPane, choices, listedAt, prompt, kind }] of columns.entries()) {
          const cells = sheet.getRangeByIndexes(top + 1, index, rows, 1);
          if (written === 0) setFormat(cells, numberFormatOf(kind));
          if (isFilledByPane) cells.format.fill.color = PANE_FILL;
          const source = choices?.join(',') ?? listedAt;
          if (source) cells.dataValidation.rule = { list: { inCellDropDown: true, source } };
          if (listedAt)
            cells.dataValidation.errorAlert = { showAlert: false, style: 'Information', title: '', message: '' };
          if (prompt) cells.dataValidation.prompt = { ...prompt, showPrompt: true };
        }
        const table = sheet.tables.add(range, true);
        table.name = tableName;
        table.load({ id: true });
        table.columns.load({ id: true, name: true });
        const positions = new Map(columns.map(({ key }, index) => [key, index]));
        const place = { sheet, table, top: top + 1, left: 0, rows, columns: positions };
        // On paper each page repeats the headings, and has all columns beside each other.
        sheet.pageLayout.setPrintTitleRows(`$${top + 1}:$${top + 1}`);
        sheet.pageLayout.zoom = { horizontalFitToPages: 1 };
        sheet.pageLayout.orientation = 'Landscape';
        if (spec.overview) placeOverview(place, spec.overview);
        else if (spec.frozen) sheet.freezePanes.freezeAt(sheet.getRangeByIndexes(0, 0, 1, spec.frozen));
        else sheet.freezePanes.freezeRows(1);
        await context.sync();
        checkPlaces();
        return { tableId: table.id, columnIds: table.columns.items.map(({ id }) => id) };
      }, retry);
      const memory = {
        ...spec.source,
        pulledAt: new Date().toISOString(),
        ...dataAt,
        tableId,
        columns: columns.map(({ key, heading }, index) => ({ key, heading, id: columnIds[index]! })),
        keys: spec.keys,
      };
      await withFormulas.finish({ sheetId, sheetName, memory }, retry);
      await inWorkbook(async (context) => {
        const sheet = context.workbook.worksheets.getItem(sheetId);
        markFinished(sheet);
        remember(sheet, memory);
        await context.sync();
      }, retry);
      return {
        work: 'made',
        sheetName,
        sheetId,
        ...dataAt,
        rows: written,
        added: written,
        changed: 0,
        removed: 0,
        retained: [],
        cut,
      };
    },

    async discard() {
      await pending.catch(() => {});
      await removeSheet();
    },
  };
}

/** Adds the sheet with its headings. Existing names of sheets, tables and defined names are avoided. */
function addSheet<Row>({ sheetName, columns, source, overview }: TableSpec<Row>, retry: Retry) {
  return inWorkbook(async (context) => {
    const { worksheets, tables, names } = context.workbook;
    worksheets.load({ name: true });
    tables.load({ name: true });
    names.load({ name: true });
    const checkDates = dateSystemOf(context);
    await context.sync();
    checkDates();
    const name = freeName(sheetNameOf(sheetName), namesIn(worksheets), (base, number) =>
      sheetNameOf(base, ` (${number})`),
    );
    const taken = [...namesIn(tables), ...namesIn(names)];
    const tableName = freeName(tableNameOf(sheetName), taken, (base, number) => `${base}_${number}`);
    const sheet = worksheets.add(name);
    markUnfinished(sheet, 'new', source);
    for (const [index, { heading, width }] of columns.entries()) {
      sheet.getRangeByIndexes(0, index, 1, 1).format.columnWidth = columnPoints(width, heading);
    }
    const headings = sheet.getRangeByIndexes(rowsAbove(overview), 0, 1, columns.length);
    headings.numberFormat = [columns.map(() => '@')];
    headings.values = [columns.map(({ heading }) => heading)];
    sheet.load({ id: true });
    const written = queueCells(sheet, rowsAbove(overview), [...columns.keys()]);
    await context.sync();
    return { sheetId: sheet.id, sheetName: name, tableName, headings: written() };
  }, retry);
}

/** What Excel may say to a format for a whole column: the code of that error is not documented. */
const refusals: readonly WorkbookProblemCode[] = ['UNEXPECTED', 'EXCEL_FAILED', 'TOO_LARGE'];

/** Rows with the text format below a table, where Excel refuses a format for the whole column. */
const ROWS_BELOW = 2000;

/**
 * Text columns have the text format below the table too: Excel reads typed values before the table grows, and 0123
 * would be a number. A format for a whole column is documented as an error, as a 1 x 1 array it was seen to work
 * (OfficeDev/office-js-docs-pr#5400). So it is a separate request, with fewer rows when it is refused.
 */
async function formatBelow(sheetId: string, formats: readonly string[], retry: Retry): Promise<void> {
  const eachTextColumn = (work: (cells: Excel.Range) => void) =>
    inWorkbook(async (context) => {
      const sheet = context.workbook.worksheets.getItem(sheetId);
      for (const [index, format] of formats.entries()) {
        if (format === '@') work(sheet.getRangeByIndexes(0, index, ROWS_BELOW, 1));
      }
      await context.sync();
    }, retry);
  try {
    await eachTextColumn((cells) => {
      cells.getEntireColumn().numberFormat = [['@']];
    });
  } catch (error) {
    if (!(error instanceof WorkbookProblem && refusals.includes(error.code))) throw error;
    await eachTextColumn((cells) => setFormat(cells, '@'));
  }
}

const namesIn = ({ items }: { items: readonly { name: string }[] }): string[] => items.map(({ name }) => name);
