import type { Retry } from '../../excel/batch.ts';
import { showSheet } from '../../excel/showSheet.ts';
import { createTable } from '../../excel/tables/createTable.ts';
import { refreshTable } from '../../excel/tables/refresh/refreshTable.ts';
import type { TableSpec, TableWriter, Written } from '../../excel/tables/table.ts';
import { isSameSource, type TableHandle, type TableMemory, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { loadAllMessages } from '../locales/loadMessages.ts';
import { loadRichText } from '../sheetColumns/richText.ts';

/** The tables that are filled with the same rows of a list: one, or all that the workbook has of one query. */
export type Filled<Row> = { open: (retry?: Retry, marksChanges?: boolean) => Promise<TableWriter<Row>[]> };

type FillOptions<Item, Row> = {
  /** The rows of the table for a row of the list; by default the row itself. */
  itemsOf?: (row: Row) => readonly Item[];
  /** The table to refresh; by default those of the same query. */
  existing?: TableHandle | undefined;
};

/**
 * A table that is refreshed if the workbook has it; otherwise it is created once it has rows. A workbook may have it more
 * than once: two windows made it at the same time, or two administrations turned out to be the same.
 */
export const filledFrom = <Item, Row = Item>(
  specIn: (messages: Messages) => TableSpec<Item>,
  messages: Messages,
  { itemsOf = (row) => [row as unknown as Item], existing: known }: FillOptions<Item, Row> = {},
): Filled<Row> => ({
  async open(retry, marksChanges) {
    const spec = specIn(messages);
    const all = known === undefined ? await tablesInWorkbook(retry) : [known];
    const existing = all.filter((one) => one === known || isSameSource(one.memory, spec.source));
    const refreshed = existing.map(async (one) =>
      refreshTable(one, await specOfSheet(one.memory, specIn, spec), retry, marksChanges),
    );
    const writers = existing.length === 0 ? [createdWithRows(spec, retry)] : await Promise.all(refreshed);
    return writers.map((writer) => ({ ...writer, write: (rows) => writer.write(rows.flatMap(itemsOf)) }));
  },
});

/** A new table, whose sheet is made with its first rows: without rows there is no sheet, unless it is wanted. */
function createdWithRows<Item>(spec: TableSpec<Item>, retry: Retry | undefined): TableWriter<Item> {
  let writer: TableWriter<Item> | undefined;
  return {
    async write(rows) {
      if (rows.length === 0) return;
      writer ??= await createTable(spec, retry);
      await writer.write(rows);
    },
    async finish() {
      if (spec.isMadeWithoutRows) writer ??= await createTable(spec, retry);
      const written = await writer?.finish();
      return (
        written ?? {
          work: 'none',
          sheetName: spec.sheetName,
          rows: 0,
          added: 0,
          changed: 0,
          removed: 0,
          retained: [],
          cut: 0,
        }
      );
    },
    discard: async () => writer?.discard(),
  };
}

/**
 * The table in the language that it was made in, by its headings: a refresh uses that, since some words are part of the
 * keys of rows. Other languages are loaded if it is not that of the pane.
 */
async function specOfSheet<Item>(
  memory: TableMemory,
  specIn: (messages: Messages) => TableSpec<Item>,
  preferred: TableSpec<Item>,
): Promise<TableSpec<Item>> {
  const headingOf = new Map(preferred.columns.map(({ key, heading }) => [key, heading]));
  if (memory.columns.every(({ key, heading }) => headingOf.get(key) === heading)) return preferred;
  const headings = new Map(memory.columns.map(({ key, heading }) => [key, heading]));
  const known = ({ columns }: TableSpec<Item>) =>
    columns.filter(({ key, heading }) => headings.get(key) === heading).length;
  const others = (await loadAllMessages()).map(specIn);
  return [preferred, ...others].reduce((best, one) => (known(one) > known(best) ? one : best));
}

type PullOptions = {
  retry?: Retry;
  onFetched?: (progress: { rows: number }) => void;
  /** Whether the first of the sheets becomes the active one; it does by default. */
  showsSheet?: boolean;
  /** Whether a refresh marks the cells that it changes. */
  marksChanges?: boolean;
};

/**
 * Writes a list to the workbook, page by page: while one page is written the next is requested. A table of the
 * same query to the same administration is refreshed; otherwise a new sheet is made, if there are rows for it. When the
 * pull fails or is cancelled, new sheets are deleted, since an incomplete list looks like a complete one.
 * @returns the results of each of `tables`, in their order
 * @throws Problem, WorkbookProblem, or the signal's reason
 */
export async function pull<Row>(
  pages: AsyncIterable<readonly Row[]>,
  tables: readonly Filled<Row>[],
  { retry, onFetched, showsSheet = true, marksChanges }: PullOptions,
): Promise<Written[][]> {
  const opened: TableWriter<Row>[][] = [];
  // Only after the first page, so that a refused query does not change the workbook.
  const openAll = async () => {
    for (const { open } of tables.slice(opened.length)) opened.push(await open(retry, marksChanges));
  };
  try {
    let fetched = 0;
    await loadRichText();
    for await (const page of pages) {
      fetched += page.length;
      onFetched?.({ rows: fetched });
      await openAll();
      for (const writer of opened.flat()) await writer.write(page);
    }
    await openAll();
    const written = opened.map((): Written[] => []);
    for (const [place, writers] of [...opened.entries()].reverse()) {
      for (const writer of writers) written[place]!.push(await writer.finish());
    }
    const first = written.flat().find(({ sheetId }) => sheetId !== undefined);
    if (showsSheet && first !== undefined) await showSheet(first.sheetId!);
    return written;
  } catch (error) {
    // The first error is reported; a failure to delete a sheet is ignored.
    for (const writer of opened.flat()) await writer.discard().catch(() => {});
    throw error;
  }
}
