import type { Client } from '../../../shared/client/client.ts';
import type { ExportClient } from '../../../shared/client/exportClient.ts';
import { wholeList } from '../../../shared/client/wholeList.ts';
import { Problem } from '../../../shared/problem.ts';
import { type CalendarDate, writeDate } from '../../../shared/wire/calendarDate.ts';
import type { Retry } from '../../excel/batch.ts';
import type { Written } from '../../excel/tables/table.ts';
import type { Administration, Source } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { ACCOUNTS, type AccountQuestion, accountTable } from '../tables/accountTable.ts';
import { AGEING } from '../tables/ageingTable.ts';
import {
  INVOICE_LINES,
  INVOICES,
  type InvoiceQuestion,
  invoiceLineTable,
  invoiceTable,
  linesOf,
} from '../tables/invoiceTables.ts';
import { RELATIONS, type RelationQuestion, relationTable } from '../tables/relationTable.ts';
import { ageingOverview } from './ageingOverview.ts';
import { filledFrom, pull } from './pull.ts';

export type PullContext = {
  client: Client;
  messages: Messages;
  administration: Administration;
  /** Its signal cancels the pull. */
  retry?: Retry;
  onFetched?: (rows: number) => void;
  /** The day of an ageing overview; by default today in the time zone of the administrations. */
  today?: CalendarDate;
};

/** The context of any kind of pull. */
export type RefreshContext = PullContext & { exports: ExportClient };

/** Pulls ledger accounts. */
export function pullAccounts(context: PullContext, question: AccountQuestion): Promise<Written[]> {
  const { client, messages, administration } = context;
  const pages = wholeList(client, 'listledgeraccounts', question, (account) => account.Number, context.retry?.signal);
  const table = filledFrom((texts) => accountTable(texts, administration, question), messages);
  return pull(pages, [table], context);
}

/**
 * Pulls sales invoices, and their lines to a second sheet if requested. An ageing overview is made on another sheet if
 * requested, and an existing one of the same period is refreshed.
 */
export async function pullInvoices(
  context: PullContext,
  question: InvoiceQuestion,
  withAgeing = false,
): Promise<Written[]> {
  const { client, messages, administration } = context;
  const { WithLines, ...period } = question;
  const overview = ageingOverview(context, period);
  const hasAgeing = withAgeing || (await overview.exists());
  const pages = wholeList(
    client,
    'listsalesinvoices',
    {
      InlcudeInvoiceLinesInResponse: WithLines === 'true',
      DateFrom: wireDate(period.DateFrom),
      DateTill: wireDate(period.DateTill),
    },
    ({ InvoiceType, InvoiceNumber }) => `${InvoiceType} ${InvoiceNumber}`,
    context.retry?.signal,
  );
  const invoices = filledFrom((texts) => invoiceTable(texts, administration, period), messages);
  const lines = filledFrom((texts) => invoiceLineTable(texts, administration, question), messages, linesOf);
  return pull(
    pages,
    [invoices, ...(WithLines === 'true' ? [lines] : []), ...(hasAgeing ? [overview.table] : [])],
    context,
  );
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
  const table = filledFrom((texts) => relationTable(texts, administration, question), messages);
  return pull(exports.relations(found, retry?.signal), [table], context);
}

const wireDate = (date: CalendarDate | undefined): string | undefined =>
  date === undefined ? undefined : writeDate(date);

const pullOfView: Readonly<Record<string, (context: RefreshContext, query: Source['query']) => Promise<Written[]>>> = {
  [ACCOUNTS]: pullAccounts,
  [INVOICES]: (context, query) => pullInvoices(context, query),
  // Lines come with their invoices, so both sheets are refreshed.
  [INVOICE_LINES]: (context, query) => pullInvoices(context, query),
  [AGEING]: (context, query) => pullInvoices(context, query, true),
  [RELATIONS]: pullRelations,
};

/** Whether a table was pulled, and so can be refreshed. */
export const canRefresh = ({ view }: Pick<Source, 'view'>): boolean => Object.hasOwn(pullOfView, view);

/** Repeats the query of a table and refreshes it. */
export const refreshPull = (
  context: RefreshContext,
  { view, query }: Pick<Source, 'view' | 'query'>,
): Promise<Written[]> => pullOfView[view]!(context, query);
