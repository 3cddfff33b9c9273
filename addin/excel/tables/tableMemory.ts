import { inWorkbook, type Retry } from '../batch.ts';

/** The administration in a sheet: the id of its connection and its label, never its credential. */
export type Administration = { id: string; label: string };

/** The source of a table's rows. */
export type Source = {
  /** The view of the pane that made it. */
  view: string;
  administration: Administration;
  endpoint: string;
  query: Readonly<Record<string, string>>;
};

/**
 * The data that the sheet of a table stores, so that a reopened workbook can be refreshed and pushed. Headings are in
 * the language of the user who pulled, and may be changed: a column is found by its heading or else by Excel's id of
 * the column.
 */
export type TableMemory = Source & {
  pulledAt: string;
  tableId: string;
  columns: readonly { key: string; heading: string; id: number }[];
  /** The key columns. */
  keys: readonly string[];
};

/** A table of the pane in this workbook. */
export type TableHandle = { sheetId: string; sheetName: string; memory: TableMemory };

const PROPERTY = 'Ledgerline';

/**
 * Stores the data in its sheet: only the members named here, so that no other member of an object gets into a workbook.
 */
export function remember(sheet: Excel.Worksheet, memory: TableMemory): void {
  const { view, administration, endpoint, query, pulledAt, tableId, columns, keys } = memory;
  const { id, label } = administration;
  const kept: TableMemory = { view, administration: { id, label }, endpoint, query, pulledAt, tableId, columns, keys };
  sheet.customProperties.add(PROPERTY, JSON.stringify(kept));
}

/** Every table of the pane in the workbook, in the order of its sheets. */
export function tablesInWorkbook(retry?: Retry): Promise<TableHandle[]> {
  return inWorkbook(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load({ id: true, name: true });
    await context.sync();
    const handles = worksheets.items.map(readHandle);
    await context.sync();
    return handles.flatMap((read) => read() ?? []);
  }, retry);
}

/** Queues reading whether a sheet remembers a table. @returns a function that tells, after the sync */
export function isRemembered(sheet: Excel.Worksheet): () => boolean {
  const read = readHandle(sheet);
  return () => read() !== undefined;
}

/** Queues reading the table a sheet remembers. @returns a function that returns it, after the sync */
export function readHandle(sheet: Excel.Worksheet): () => TableHandle | undefined {
  const property = sheet.customProperties.getItemOrNullObject(PROPERTY);
  property.load({ value: true });
  sheet.load({ id: true, name: true });
  return () => {
    const memory = property.isNullObject ? undefined : readMemory(property.value);
    return memory === undefined ? undefined : { sheetId: sheet.id, sheetName: sheet.name, memory };
  };
}

/** Parses a property; undefined when another version or something else wrote it. */
function readMemory(text: string): TableMemory | undefined {
  try {
    const memory = JSON.parse(text) as Partial<TableMemory>;
    const whole =
      typeof memory.view === 'string' &&
      typeof memory.tableId === 'string' &&
      typeof memory.administration?.label === 'string' &&
      typeof memory.query === 'object' &&
      Array.isArray(memory.columns) &&
      Array.isArray(memory.keys);
    return whole ? (memory as TableMemory) : undefined;
  } catch {
    return undefined;
  }
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
