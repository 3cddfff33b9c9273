import { inWorkbook, type Retry } from '../batch.ts';

/** The administration as a sheet may know it: by the number of its connection and its label, never its credential. */
export type Administration = { id: string; label: string };

/** Where a table's rows came from. */
export type Source = {
  /** Which view of the pane made it. */
  view: string;
  administration: Administration;
  endpoint: string;
  query: Readonly<Record<string, string>>;
};

/**
 * What the sheet of a table remembers, so that a reopened workbook can be refreshed and pushed from. Headings are in the
 * language of whoever pulled, and may be changed: a column is known by its key, through the heading it was given or
 * else through Excel's own number for the column.
 */
export type TableMemory = Source & {
  pulledAt: string;
  tableId: string;
  columns: readonly { key: string; heading: string; id: number }[];
  /** The columns that together tell one row from another. */
  keys: readonly string[];
};

/** A table of ours in this workbook. */
export type TableHandle = { sheetId: string; sheetName: string; memory: TableMemory };

const PROPERTY = 'Ledgerline';

/** Writes a memory into its sheet: only what is named here, so that nothing else an object carries gets into a workbook. */
export function remember(sheet: Excel.Worksheet, memory: TableMemory): void {
  const { view, administration, endpoint, query, pulledAt, tableId, columns, keys } = memory;
  const { id, label } = administration;
  const kept: TableMemory = { view, administration: { id, label }, endpoint, query, pulledAt, tableId, columns, keys };
  sheet.customProperties.add(PROPERTY, JSON.stringify(kept));
}

/** Every table of ours in the workbook, in the order of its sheets. */
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

/** Asks whether a sheet remembers a table. @returns tells, after the sync */
export function isRemembered(sheet: Excel.Worksheet): () => boolean {
  const read = readHandle(sheet);
  return () => read() !== undefined;
}

/** Asks for the table a sheet remembers. @returns tells, after the sync */
export function readHandle(sheet: Excel.Worksheet): () => TableHandle | undefined {
  const property = sheet.customProperties.getItemOrNullObject(PROPERTY);
  property.load({ value: true });
  sheet.load({ id: true, name: true });
  return () => {
    const memory = property.isNullObject ? undefined : readMemory(property.value);
    return memory === undefined ? undefined : { sheetId: sheet.id, sheetName: sheet.name, memory };
  };
}

/** What a property says; undefined when another version or another hand wrote it. */
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

/** Whether a table was made by the same question to the same administration. */
export const isSameSource = (memory: Source, source: Source): boolean =>
  memory.view === source.view &&
  isSameAdministration(memory.administration, source.administration) &&
  JSON.stringify(sorted(memory.query)) === JSON.stringify(sorted(source.query));

/** A colleague's connection to the same administration has another id; the label is what they share. */
export const isSameAdministration = (one: Administration, other: Administration): boolean =>
  one.id === other.id || one.label === other.label;

const sorted = (query: Source['query']) => Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
