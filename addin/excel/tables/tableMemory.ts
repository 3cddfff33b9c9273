import * as z from 'zod/mini';
import { inWorkbook, type Retry } from '../batch.ts';
import { queueStored } from '../storedValues.ts';

/*
 * The data that the sheet of a table stores, so that a reopened workbook can be refreshed and pushed. A schema drops all
 * other members of an object, so none of them gets into a workbook.
 */

/** The administration in a sheet: never its credential. */
export const administration = z.object({
  /** Of the administration itself. In sheets of earlier versions, which lack `kind`, of a connection. */
  id: z.string(),
  /** Other ids of the same administration: under earlier keys, or of a connection of an earlier version. */
  alsoKnownAs: z.optional(z.readonly(z.array(z.string()))),
  kind: z.optional(z.enum(['builtin', 'remote'])),
  /** Its real name; missing where the service does not tell it. */
  name: z.optional(z.string()),
  country: z.optional(z.string()),
  /** The name that the user gave its connection. */
  label: z.string(),
});
export type Administration = z.infer<typeof administration>;

/** The source of a table's rows: the view of the pane that made it, and its query. */
export const source = z.object({
  view: z.string(),
  administration,
  endpoint: z.string(),
  query: z.readonly(z.record(z.string(), z.string())),
});
export type Source = z.infer<typeof source>;

/** The id of no column: Excel counts them from 1. */
export const NO_ID = 0;

const rememberedColumns = z.readonly(z.array(z.object({ key: z.string(), heading: z.string(), id: z.number() })));

/**
 * Headings are in the language of the user who pulled, and may be changed: a column is found by its heading or else by
 * Excel's id of the column. `keys` are the key columns.
 */
const tableMemory = z.extend(source, {
  pulledAt: z.string(),
  /** The moment of its data, if that is earlier: they come from an export. */
  dataAt: z.optional(z.string()),
  tableId: z.string(),
  columns: rememberedColumns,
  /** Those that the user had removed: undo brings one back with its heading and its id. */
  removed: z.optional(rememberedColumns),
  keys: z.readonly(z.array(z.string())),
  /** Whether the latest refresh marked what it changed. */
  hasMarks: z.optional(z.boolean()),
});
export type TableMemory = z.infer<typeof tableMemory>;

/** A table of the pane in this workbook. */
export type TableHandle = { sheetId: string; sheetName: string; memory: TableMemory };

const PROPERTY = 'Ledgerline';

/** Queues storing the data of a table in its sheet. */
export function remember({ customProperties }: Excel.Worksheet, memory: TableMemory): void {
  customProperties.add(PROPERTY, JSON.stringify(tableMemory.parse(memory)));
}

/** What `presentTable` reads of the tables of a sheet. */
export const presentTables = { id: true, columns: { id: true, name: true } } as const;

/**
 * The id of the table that a sheet stores data of, among its tables: a copied sheet has the data and a table with another
 * id. Undefined when the user deleted it or converted it to a range.
 */
export function presentTable(memory: TableMemory, { items }: Excel.TableCollection): string | undefined {
  const [only, ...others] = items;
  const known = items.find(({ id }) => id === memory.tableId);
  return (known ?? (only !== undefined && others.length === 0 && isCopy(memory, only) ? only : undefined))?.id;
}

/**
 * Whether a table with another id is the one that a sheet stores data of, and no table of the user in its place: it has
 * most of the headings, or some of them and no remembered column under another heading. The ids of columns alone say
 * nothing, since every table counts its columns from 1.
 */
function isCopy({ columns }: TableMemory, { columns: { items } }: Excel.Table): boolean {
  const ids = new Map(items.map(({ id, name }) => [name, id]));
  const headings = new Map(items.map(({ id, name }) => [id, name]));
  const same = columns.filter(({ heading }) => ids.has(heading)).length;
  const isRenamed = columns.some(({ id, heading }) => headings.has(id) && !ids.has(heading));
  return same * 2 > columns.length || (same > 0 && !isRenamed);
}

/** Every table of the pane that is still in the workbook, in the order of its sheets. */
export const tablesInWorkbook = (retry?: Retry): Promise<TableHandle[]> =>
  inWorkbook(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load({ id: true, tables: presentTables });
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

/**
 * A table with the data that its sheet stores now: another window may have stored other data since it was found. Takes one
 * sync.
 */
export async function storedNow(context: Excel.RequestContext, found: TableHandle): Promise<TableHandle> {
  const read = queueHandle(context.workbook.worksheets.getItemOrNullObject(found.sheetId));
  await context.sync();
  return read() ?? found;
}

/** Whether a table was made by the same query to the same administration. */
export const isSameSource = (memory: Source, source: Source): boolean =>
  memory.view === source.view &&
  isSameAdministration(memory.administration, source.administration) &&
  JSON.stringify(sorted(memory.query)) === JSON.stringify(sorted(source.query));

/** Every id that an administration is known by. */
export const idsOf = ({ id, alsoKnownAs = [] }: Administration): string[] => [id, ...alsoKnownAs];

/** Whether two are the same administration, whatever their labels and names. */
export const isSameAdministration = (one: Administration, other: Administration): boolean => {
  const ids = new Set(idsOf(other));
  return idsOf(one).some((id) => ids.has(id));
};

/** Each administration once, the first of the same. */
export const distinctAdministrations = (all: readonly Administration[]): Administration[] =>
  all.filter((one, index) => all.findIndex((other) => isSameAdministration(one, other)) === index);

/** An administration with the ids of another one too, if that is the same. */
export const withIdsOf = (one: Administration, other: Administration): Administration =>
  isSameAdministration(one, other)
    ? { ...one, alsoKnownAs: [...new Set([...idsOf(one), ...idsOf(other)])].slice(1) }
    : one;

/** Stores in the sheets of some tables that they are of an administration, as the user confirmed. @throws WorkbookProblem */
export const storeAdministration = (
  tables: readonly TableHandle[],
  confirmed: Administration,
  retry?: Retry,
): Promise<void> =>
  inWorkbook(async (context) => {
    const sheets = tables.map(({ sheetId }) => context.workbook.worksheets.getItem(sheetId));
    const handles = sheets.map(queueHandle);
    await context.sync();
    for (const [index, sheet] of sheets.entries()) {
      const { memory } = handles[index]!() ?? tables[index]!;
      remember(sheet, { ...memory, administration: confirmed });
    }
    await context.sync();
  }, retry);

/** Whether an administration was stored by an earlier version, which knew only its connection. */
export const isOfEarlierVersion = ({ kind }: Administration): boolean => kind === undefined;

const sorted = (query: Source['query']) => Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
