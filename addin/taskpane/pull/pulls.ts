import type { Client } from '../../../shared/client/client.ts';
import type { ExportClient } from '../../../shared/client/exportClient.ts';
import { wholeList } from '../../../shared/client/wholeList.ts';
import { Problem } from '../../../shared/problem.ts';
import type { SalesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { type CalendarDate, writeDate } from '../../../shared/wire/calendarDate.ts';
import type { Retry } from '../../excel/batch.ts';
import type { Written } from '../../excel/tables/table.ts';
import type { Administration, Source } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { ACCOUNTS, type AccountQuestion, accountTable } from '../sheetColumns/accountTable.ts';
import { AGEING, type AgeingQuestion } from '../sheetColumns/ageingTable.ts';
import {
  INVOICE_LINES,
  INVOICES,
  type InvoiceQuestion,
  invoiceLineTable,
  invoiceTable,
  linesOf,
} from '../sheetColumns/invoiceTables.ts';
import { RELATIONS, type RelationQuestion, relationTable } from '../sheetColumns/relationTable.ts';
import { ageingOverview, ageingSheets } from './ageingOverview.ts';
import { filledFrom, pull } from './pull.ts';

export type PullContext = {
  client: Client;
  messages: Messages;
  administration: Administration;
  /** Its signal cancels the pull. */
  retry?: Retry;
  onFetched?: (progress: PullProgress) => void;
  now?: () => Date;
};

/** The number of received rows; `openInvoices` while an ageing overview reads the invoices of all dates. */
export type PullProgress = { rows: number; openInvoices?: boolean };

/** The context of any kind of pull. */
export type RefreshContext = PullContext & { exports: Pick<ExportClient, 'list' | 'relations'> };

/** Pulls ledger accounts. */
export function pullAccounts(context: PullContext, question: AccountQuestion): Promise<Written[]> {
  const { client, messages, administration } = context;
  const pages = wholeList(client, 'listledgeraccounts', question, (account) => account.Number, context.retry?.signal);
  const table = filledFrom((texts) => accountTable(texts, administration, question), messages);
  return pull(pages, [table], context);
}

/** The sales invoices of a period, page by page. */
const invoicePages = (
  { client, retry }: PullContext,
  { DateFrom, DateTill, WithLines }: InvoiceQuestion,
): AsyncGenerator<SalesInvoice[], void> =>
  wholeList(
    client,
    'listsalesinvoices',
    {
      InlcudeInvoiceLinesInResponse: WithLines === 'true',
      DateFrom: wireDate(DateFrom),
      DateTill: wireDate(DateTill),
    },
    ({ InvoiceType, InvoiceNumber }) => `${InvoiceType} ${InvoiceNumber}`,
    retry?.signal,
  );

/** The pages, after each of their invoices was added to an overview. */
async function* addedTo(
  pages: AsyncIterable<SalesInvoice[]>,
  { add }: { add: (invoice: SalesInvoice) => void },
): AsyncGenerator<SalesInvoice[], void> {
  for await (const page of pages) {
    page.forEach(add);
    yield page;
  }
}

/**
 * Pulls sales invoices, and their lines to a second sheet if requested. An ageing overview of the invoices of all dates
 * is made or refreshed if requested; an existing one also when this pull reads all dates anyway.
 */
export async function pullInvoices(
  context: PullContext,
  question: InvoiceQuestion,
  ageing?: AgeingQuestion,
): Promise<Written[]> {
  const { messages, administration, onFetched } = context;
  const { WithLines, ...period } = question;
  const isOfAllDates = period.DateFrom === undefined && period.DateTill === undefined;
  const sheets = await ageingSheets(context, ageing ?? {});
  const overview =
    ageing !== undefined || (isOfAllDates && sheets.length > 0)
      ? ageingOverview(context, ageing ?? {}, sheets)
      : undefined;
  if (overview !== undefined && !isOfAllDates) {
    let rows = 0;
    for await (const page of addedTo(invoicePages(context, {}), overview)) {
      rows += page.length;
      onFetched?.({ rows, openInvoices: true });
    }
  }
  const pages = invoicePages(context, question);
  const invoices = filledFrom((texts) => invoiceTable(texts, administration, period), messages);
  const lines = filledFrom((texts) => invoiceLineTable(texts, administration, question), messages, {
    itemsOf: linesOf,
  });
  return pull(
    overview !== undefined && isOfAllDates ? addedTo(pages, overview) : pages,
    [invoices, ...(WithLines === 'true' ? [lines] : []), ...(overview?.tables ?? [])],
    context,
  );
}

/** Pulls an ageing overview of the invoices of all dates, as they are now. */
export async function pullAgeing(context: PullContext, { CountedTo }: AgeingQuestion): Promise<Written[]> {
  const question = CountedTo === undefined ? {} : { CountedTo };
  const overview = ageingOverview(context, question, await ageingSheets(context, question));
  const onFetched = ({ rows }: PullProgress) => context.onFetched?.({ rows, openInvoices: true });
  return pull(addedTo(invoicePages(context, {}), overview), overview.tables, { ...context, onFetched });
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
  return pull(exports.relations(found, retry?.signal), [table], context);
}

const momentOfSeconds = (seconds: string): Date => new Date(Number(seconds) * 1000);

const wireDate = (date: CalendarDate | undefined): string | undefined =>
  date === undefined ? undefined : writeDate(date);

const pullOfView: Readonly<Record<string, (context: RefreshContext, query: Source['query']) => Promise<Written[]>>> = {
  [ACCOUNTS]: pullAccounts,
  [INVOICES]: (context, query) => pullInvoices(context, query),
  // Lines come with their invoices, so both sheets are refreshed.
  [INVOICE_LINES]: (context, query) => pullInvoices(context, query),
  // Also one that an earlier version made of a period.
  [AGEING]: pullAgeing,
  [RELATIONS]: pullRelations,
};

/** Whether a table was pulled, and so can be refreshed. */
export const canRefresh = ({ view }: Pick<Source, 'view'>): boolean => Object.hasOwn(pullOfView, view);

/** Repeats the query of a table and refreshes it. */
export const refreshPull = (
  context: RefreshContext,
  { view, query }: Pick<Source, 'view' | 'query'>,
): Promise<Written[]> => pullOfView[view]!(context, query);
