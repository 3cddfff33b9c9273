import { setTimeout as passed } from 'node:timers/promises';
import { createClient } from '../../../shared/client/client.ts';
import { createPushClient } from '../../../shared/client/pushClient.ts';
import { type FailingJob, failingJobs } from '../../../testing/addin/failingJobs.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';
import { noRetry } from '../../excel/batch.ts';
import { createTable } from '../../excel/tables/createTable.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { checkRequests, selectRequests, isSendable as sendableRequest } from '../documentSheet/checkRequests.ts';
import { ratesOf } from '../documentSheet/requestTotals.ts';
import { fetchOnce } from '../fetchWithRetry.ts';
import { messagesOf } from '../locales/messages.ts';
import { checkProducts, selectProducts } from '../productSheet/checkProducts.ts';
import { makeProductSheet } from '../productSheet/makeProductSheet.ts';
import { isSendable as sendableProduct } from '../productSheet/readProductRow.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { requestTable } from '../sheetColumns/requestTable.ts';
import { sheetKindOf } from '../sheetKinds.ts';
import { followPush } from './followPush.ts';
import { preparePush, type Selection } from './preparePush.ts';
import { reviewPush } from './reviewPush.ts';
import { isFinished, type SheetPush } from './sheetPush.ts';
import { readSheetPush } from './storedPush.ts';
import type { PushContext } from './writeResults.ts';

/*
 * Checks and pushes that fail in the middle, against a real app and with a real server that fails before it: whoever
 * takes a push up again, in the same pane or in another one, gets the same cells, and nothing is applied twice.
 */

const messages = messagesOf.en;
const administration = { id: 'c1', label: 'Bakkerij Jansen' };
const invoiceSheet = requestSheets.salesInvoiceRows;

const jobs = await failingJobs();
let shop: Shop;

const pushes = () => createPushClient(jobs.serviceOf(shop.credential, fetchOnce));
async function contextNow(): Promise<PushContext> {
  const [handle] = await tablesInWorkbook(noRetry);
  return { handle: handle!, kind: sheetKindOf(handle!), messages, retry: noRetry };
}
const latestPush = async ({ handle, kind }: PushContext) => readSheetPush(handle, kind, noRetry);

/** Types into cells of the only sheet, by the headings of their columns. */
function fill(rows: readonly Readonly<Record<string, string>>[]): void {
  const { name } = jobs.excel.workbook.sheets.find(({ tables }) => tables.length > 0)!;
  const [headings] = jobs.excel.cells(name);
  for (const [index, row] of rows.entries()) {
    for (const [heading, text] of Object.entries(row)) {
      jobs.excel.type(name, index + 1, headings!.indexOf(heading), text);
    }
  }
}

async function makeProducts(): Promise<void> {
  shop = await openShop(jobs.app);
  const rows = ['0100', '0200', 'gone'].map((ArticleNumber) => ({ ArticleNumber }));
  await makeProductSheet(messages, administration, 'Relative', rows, undefined, noRetry);
  fill([{ 'Stock quantity': '4', 'New sale price': '13.5' }, { 'Stock quantity': '5' }, { 'New sale price': '1' }]);
}

async function makeInvoices(): Promise<void> {
  shop = await openShop(jobs.app);
  const writer = await createTable(requestTable(invoiceSheet, messages, administration), noRetry);
  await writer.write(new Array<object>(4).fill({}));
  await writer.finish();
  const { CustomerNumber, ProductNumber, Quantity, UnitPriceExclTax, TaxCode, Document } = messages.headings.documents;
  const line = (document: string, customer: string, product: string) => ({
    [`${Document} *`]: document,
    [`${CustomerNumber} *`]: customer,
    [`${ProductNumber} *`]: product,
    [`${Quantity} *`]: '2',
    [`${UnitPriceExclTax} *`]: '10',
    [TaxCode]: '21% - Hoog',
  });
  // The second one has two lines, the third a customer that there is not.
  fill([line('A', '7', '0100'), line('B', '7', '0100'), line('B', '7', '0200'), line('C', '99', '0100')]);
}

/** Reads and checks the sheet. @returns what is sent of it */
async function check(context: PushContext, previous: SheetPush | undefined): Promise<Selection> {
  if (context.handle.memory.view === 'products') {
    const rows = await checkProducts(context, 'Relative', previous, administration);
    return selectProducts(
      rows,
      rows.filter(sendableProduct).filter(({ kind }) => kind === 'ready'),
      messages,
    );
  }
  const rateOf = ratesOf(await createClient(jobs.app.url, shop.credential, fetch).listtaxcodes({}));
  const rows = await checkRequests(context, { sheet: invoiceSheet, rateOf }, previous, administration);
  return selectRequests(
    rows,
    rows.filter(sendableRequest).filter(({ kind }) => kind === 'ready'),
    invoiceSheet,
    context,
  );
}

/** Follows a push until it fails, as the pane of somebody who closes it then. */
async function follow(context: PushContext, push: SheetPush, isNew: boolean): Promise<void> {
  const closing = new AbortController();
  let failure: unknown;
  await followPush(context, push, pushes(), {
    signal: closing.signal,
    cancel: new AbortController().signal,
    isNew,
    onChange: ({ error }) => {
      if (error === undefined) return;
      failure ??= error;
      closing.abort();
    },
    sleep: () => passed(20),
  }).catch((error: unknown) => {
    throw failure ?? error;
  });
}

/** Begins a push of the sheet, or continues the one that it stores. */
async function pushSheet(): Promise<void> {
  const context = await contextNow();
  const stored = await latestPush(context);
  if (stored !== undefined && !isFinished(stored)) return follow(context, stored, false);
  const previous = stored && (await reviewPush(context, stored, pushes()));
  const selection = await check(context, previous);
  if (selection.chosen.length === 0) return;
  await follow(context, await preparePush(context, selection, administration, previous), true);
}

/** Whether the sheet says of rows that they wait or were not sent. */
const saysSo = async () => {
  const { handle } = await contextNow();
  const [headings, ...rows] = jobs.excel.cells(handle.sheetName);
  return rows.some((cells) => cells[headings!.indexOf('Status')] !== '');
};

const stocks = async () =>
  Promise.all(
    ['0100', '0200'].map(async (ArticleNumber) => (await shop.client.updateproduct({ ArticleNumber })).StockQty),
  );
const invoices = async () => (await shop.client.listsalesinvoices({})).map(({ InvoiceNumber }) => InvoiceNumber);

const pushing: FailingJob[] = [
  { title: 'A push of products', before: makeProducts, run: pushSheet, outcome: stocks },
  { title: 'A push of invoices', before: makeInvoices, run: pushSheet, outcome: invoices },
];
jobs.tryFailures(pushing.map((job) => ({ ...job, isUnderWay: saysSo })));
