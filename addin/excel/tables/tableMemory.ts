import { z } from 'zod';
import { inWorkbook, type Retry } from '../batch.ts';
import { queueStored } from '../storedValues.ts';

/*
 * The data that the sheet of a table stores, so that a reopened workbook can be refreshed and pushed. A schema drops all
 * other members of an object, so none of them gets into a workbook.
 */

/** The administration in a sheet: the id of its connection and its label, never its credential. */
export const administration = z.object({ id: z.string(), label: z.string() });
export type Administration = z.infer<typeof administration>;

/** The source of a table's rows: the view of the pane that made it, and its query. */
export const source = z.object({
  view: z.string(),
  administration,
  endpoint: z.string(),
  query: z.record(z.string(), z.string()).readonly(),
});
export type Source = z.infer<typeof source>;

/**
 * Headings are in the language of the user who pulled, and may be changed: a column is found by its heading or else by
 * Excel's id of the column. `keys` are the key columns.
 */
const tableMemory = source.extend({
  pulledAt: z.string(),
  tableId: z.string(),
  columns: z.array(z.object({ key: z.string(), heading: z.string(), id: z.number() })).readonly(),
  keys: z.array(z.string()).readonly(),
});
export type TableMemory = z.infer<typeof tableMemory>;

/** A table of the pane in this workbook. */
export type TableHandle = { sheetId: string; sheetName: string; memory: TableMemory };

const PROPERTY = 'Ledgerline';

/** Queues storing the data of a table in its sheet. */
export function remember({ customProperties }: Excel.Worksheet, memory: TableMemory): void {
  customProperties.add(PROPERTY, JSON.stringify(tableMemory.parse(memory)));
}

/**
 * The id of the table that a sheet stores data of, among its tables: a copied sheet has the data and a table with another
 * id. Undefined when the user deleted it or converted it to a range.
 */
export function presentTable({ tableId }: TableMemory, { items }: Excel.TableCollection): string | undefined {
  const ids = items.map(({ id }) => id);
  return ids.find((id) => id === tableId) ?? (ids.length === 1 ? ids[0] : undefined);
}

/** Every table of the pane that is still in the workbook, in the order of its sheets. */
export const tablesInWorkbook = (retry?: Retry): Promise<TableHandle[]> =>
  inWorkbook(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load({ id: true, tables: { id: true } });
    await context.sync();
    const handles = worksheets.items.map(queueHandle);
    await context.sync();
    return handles.flatMap((read, index) => {
      const handle = read();
      const isPresent = handle && presentTable(handle.memory, worksheets.items[index]!.tables) !== undefined;
      return isPresent ? handle : [];
    });
  }, retry);

/** Queues reading the table of a sheet. @returns a function that returns it after the sync */
export function queueHandle(sheet: Excel.Worksheet): () => TableHandle | undefined {
  const read = queueStored(sheet, PROPERTY, tableMemory);
  return () => {
    const stored = read();
    return stored && { sheetId: stored.sheetId, sheetName: stored.sheetName, memory: stored.value };
  };
}

/** Whether a table was made by the same query to the same administration. */
export const isSameSource = (memory: Source, source: Source): boolean =>
  memory.view === source.view &&
  isSameAdministration(memory.administration, source.administration) &&
  JSON.stringify(sorted(memory.query)) === JSON.stringify(sorted(source.query));

/** A colleague's connection to the same administration has another id but the same label. */
export const isSameAdministration = (one: Administration, other: Administration): boolean =>
  one.id === other.id || one.label === other.label;

const sorted = (query: Source['query']) => Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
