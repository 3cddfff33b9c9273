import type { ExportClient } from '../../../shared/client/exportClient.ts';
import { Problem } from '../../../shared/problem.ts';
import { type CalendarDate, dateIn } from '../../../shared/wire/calendarDate.ts';
import type { Retry } from '../../excel/batch.ts';
import type { Column, TableSpec, Written } from '../../excel/tables/table.ts';
import type { Administration, Source } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { RELATIONS, type RelationQuestion, relationTable } from '../pulledLists/exportedRelations.ts';
import { invoices } from '../pulledLists/invoices.ts';
import {
  isAsked,
  type ListClients,
  type ListTable,
  type PulledList,
  type Question,
  TIME_ZONE,
  tablesOf,
} from '../pulledLists/list.ts';
import { listOfTable } from '../pulledLists/lists.ts';
import { sheetNameFor } from '../pulledLists/questionText.ts';
import { AGEING, type AgeingQuestion } from '../sheetColumns/ageingTable.ts';
import { ageingOverview, ageingSheets } from './ageingOverview.ts';
import { type Filled, filledFrom, pull } from './pull.ts';

export type PullContext = ListClients & {
  messages: Messages;
  administration: Administration;
  /** Its signal cancels the pull. */
  retry?: Retry;
  onFetched?: (progress: PullProgress) => void;
  /** Whether the sheet becomes the active one; it does by default. */
  showsSheet?: boolean;
  /** The columns that the user chose for tables, by the names of those, in their order. */
  columns?: Readonly<Record<string, readonly string[] | undefined>>;
  /** Whether a refresh marks the cells that it changes. */
  marksChanges?: boolean;
  now?: () => Date;
};

/** The number of received rows, and what they are while others are read than are written then. */
export type PullProgress = { rows: number; reading?: 'openInvoices' | 'openItems' };

/** The context of any kind of pull. */
export type RefreshContext = PullContext & { exports: Pick<ExportClient, 'list' | 'relations'> };

/** A table with the rows of a question. @param first the first received row */
const specOf =
  (list: PulledList, table: ListTable, query: Question, { administration, columns }: PullContext, first: () => never) =>
  (messages: Messages): TableSpec<unknown> => ({
    source: sourceOf(list, table.name, query, administration),
    sheetName: sheetNameFor(list, table, query, messages),
    keys: table.keys,
    ...(table.unnumbered === undefined ? {} : { unnumbered: table.unnumbered }),
    ...(table.frozen === undefined ? {} : { frozen: table.frozen }),
    ...(table.overviewOf === undefined ? {} : { overview: table.overviewOf(messages, query, first()) }),
    ...(table.formulasOver === undefined
      ? {}
      : { formulasOver: sourceOf(list, table.formulasOver, query, administration) }),
    ...(table.isMadeWithoutRows ? { isMadeWithoutRows: true } : {}),
    ...chosenColumns(table.columnsIn(messages), columns?.[table.name]),
  });

const sourceOf = (list: PulledList, view: string, query: Question, administration: Administration): Source => ({
  view,
  administration,
  endpoint: list.endpoint,
  query,
});

const chosenColumns = (
  all: readonly Column<unknown>[],
  chosen: readonly string[] | undefined,
): Pick<TableSpec<unknown>, 'columns' | 'hasChosenColumns'> =>
  chosen === undefined
    ? { columns: all }
    : { columns: chosen.flatMap((key) => all.find((one) => one.key === key) ?? []), hasChosenColumns: true };

/** Something that is made of the same rows as a list: it sees all of them, whatever the filters. */
type Alongside = { add: (row: never) => void; tables: readonly Filled<never>[] };

/**
 * Pulls a list, with the further tables of its question.
 * @param alongside what else is made of its rows
 */
export async function pullList(
  context: PullContext,
  list: PulledList,
  question: Question,
  alongside?: Alongside,
): Promise<Written[]> {
  const { messages, retry } = context;
  let first: readonly never[] = [];
  const onRead = (rows: number) => context.onFetched?.({ rows, reading: 'openItems' });
  const pages = addedTo(list.pages({ ...context, onRead }, question, todayOf(context), retry?.signal), {
    add: (row) => {
      if (first.length === 0) first = [row];
    },
  });
  const asked = tablesOf(list, question);
  const tables = asked.map(({ table, query }) => {
    const itemsOf = table.itemsOf();
    return filledFrom<unknown, never>(
      specOf(list, table, query, context, () => first[0]!),
      messages,
      {
        itemsOf: (row) => (isAsked(list, question, row) ? itemsOf(row) : []),
      },
    );
  });
  const written = await pull(
    alongside === undefined ? pages : addedTo(pages, alongside),
    [...tables, ...(alongside?.tables ?? [])],
    context,
  );
  // The user did not ask for a table that always comes with the list.
  return written.flatMap((some, place) => some.filter(({ work }) => work !== 'none' || !asked[place]?.isAlways));
}

const todayOf = ({ now = () => new Date() }: PullContext): CalendarDate => dateIn(TIME_ZONE, now());

/** The sales invoices of all dates, page by page. */
const allInvoices = (context: PullContext): AsyncGenerator<never[], void> =>
  invoices.pages(context, {}, todayOf(context), context.retry?.signal);

/** The pages, after each of their rows was added to something else. */
async function* addedTo(pages: AsyncIterable<never[]>, { add }: Pick<Alongside, 'add'>): AsyncGenerator<never[], void> {
  for await (const page of pages) {
    page.forEach(add);
    yield page;
  }
}

/** Whether a question is about the invoices of all dates. */
const isOfAllDates = (question: Question): boolean =>
  ['Period', 'DateFrom', 'DateTill', 'InvoiceNumber'].every((name) => question[name] === undefined);

/**
 * Pulls sales invoices. An ageing overview of the invoices of all dates is made or refreshed if requested; an existing
 * one also when this pull reads all dates anyway.
 */
export async function pullInvoices(
  context: PullContext,
  question: Question,
  ageing?: AgeingQuestion,
): Promise<Written[]> {
  const isOfAll = isOfAllDates(question);
  const sheets = await ageingSheets(context, ageing ?? {});
  if (ageing === undefined && !(isOfAll && sheets.length > 0)) return pullList(context, invoices, question);
  const overview = ageingOverview(context, ageing ?? {}, sheets);
  if (isOfAll) return pullList(context, invoices, question, overview);
  let rows = 0;
  for await (const page of addedTo(allInvoices(context), overview)) {
    rows += page.length;
    context.onFetched?.({ rows, reading: 'openInvoices' });
  }
  return pullList(context, invoices, question, { ...overview, add: () => {} });
}

/** Pulls an ageing overview of the invoices of all dates, as they are now. */
export async function pullAgeing(context: PullContext, { CountedTo }: AgeingQuestion): Promise<Written[]> {
  const question = CountedTo === undefined ? {} : { CountedTo };
  const overview = ageingOverview(context, question, await ageingSheets(context, question));
  const onFetched = ({ rows }: PullProgress) => context.onFetched?.({ rows, reading: 'openInvoices' });
  return (await pull(addedTo(allInvoices(context), overview), overview.tables, { ...context, onFetched })).flat();
}

/**
 * Pulls the relations of a published export: the latest, or the one of a date.
 * @throws Problem NOT_FOUND when there is none
 */
export async function pullRelations(context: RefreshContext, question: RelationQuestion): Promise<Written[]> {
  const { exports, messages, administration, retry } = context;
  const found = (await exports.list(retry?.signal)).find(
    ({ state, date }) => state === 'published' && (question.date ?? date) === date,
  );
  if (found === undefined) throw new Problem('NOT_FOUND', 'There is no such export.');
  const exportedAt = found.startedOn === null ? undefined : momentOfSeconds(found.startedOn);
  const table = filledFrom((texts) => relationTable(texts, administration, question, exportedAt), messages);
  return (await pull(exports.relations(found, retry?.signal), [table], context)).flat();
}

const momentOfSeconds = (seconds: string): Date => new Date(Number(seconds) * 1000);

/** What else than a list can be pulled. */
const otherPulls: Readonly<Record<string, (context: RefreshContext, query: Question) => Promise<Written[]>>> = {
  // Also one that an earlier version made of a period.
  [AGEING]: pullAgeing,
  [RELATIONS]: pullRelations,
};

/** Whether a table was pulled, and so can be refreshed. */
export const canRefresh = ({ view }: Pick<Source, 'view'>): boolean =>
  listOfTable(view) !== undefined || Object.hasOwn(otherPulls, view);

/** Repeats the query of a table and refreshes it; a further table comes with the table of its list. */
export function refreshPull(context: RefreshContext, { view, query }: Pick<Source, 'view' | 'query'>) {
  const list = listOfTable(view);
  if (list === undefined) return otherPulls[view]!(context, query);
  return list === invoices ? pullInvoices(context, query) : pullList(context, list, query);
}
