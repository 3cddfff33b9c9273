import { setTimeout as passed } from 'node:timers/promises';
import { createClient } from '../../../shared/client/client.ts';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { createProductClient } from '../../../shared/client/productClient.ts';
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
import type { RequestSheet, SheetView } from '../sheetColumns/requestColumns.ts';
import { requestSheetOf, requestSheets } from '../sheetColumns/requestSheets.ts';
import { headingIn, requestTable } from '../sheetColumns/requestTable.ts';
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

/** What is typed into a row, by its columns. */
type Typed = Partial<Record<keyof typeof messages.headings.documents, string>>;

/** Opens a shop, and fills a sheet of its requests. */
async function makeRequests(sheet: RequestSheet, rows: readonly Typed[]): Promise<void> {
  shop = await openShop(jobs.app);
  const writer = await createTable(requestTable(sheet, messages, administration), noRetry);
  await writer.write(new Array<object>(rows.length).fill({}));
  await writer.finish();
  fill(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, text]) => [headingIn(sheet, column, messages), text])),
    ),
  );
}

const sold = { Quantity: '2', UnitPriceExclTax: '10', TaxCode: '21% - Hoog' };
const line = (Document: string, CustomerNumber: string, ProductNumber: string) => ({
  ...{ Document, CustomerNumber, ProductNumber },
  ...sold,
});
/** The second document has two lines, the third a customer that there is not. */
const documents = [line('A', '7', '0100'), line('B', '7', '0100'), line('B', '7', '0200'), line('C', '99', '0100')];

/** Reads and checks the sheet. @returns what is sent of it */
async function check(context: PushContext, previous: SheetPush | undefined): Promise<Selection> {
  const sheet = requestSheetOf(context.handle);
  if (sheet === undefined) {
    const rows = await checkProducts(context, 'Relative', previous, administration);
    return selectProducts(
      rows,
      rows.filter(sendableProduct).filter(({ kind }) => kind === 'ready'),
      messages,
    );
  }
  const codes = await createClient(jobs.app.url, shop.credential, fetch).listtaxcodes({});
  const taxRates = ratesOf(codes, sheet.endpoint);
  const rows = await checkRequests(context, { sheet, taxRates }, previous, administration);
  return selectRequests(
    rows,
    rows.filter(sendableRequest).filter(({ kind }) => kind === 'ready'),
    sheet,
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
  {
    title: 'A push of invoices',
    before: () => makeRequests(requestSheets.salesInvoiceRows, documents),
    run: pushSheet,
    outcome: invoices,
  },
];
jobs.tryFailures(pushing.map((job) => ({ ...job, isUnderWay: saysSo })));

/** The other sheets: what each is filled with, and where what it makes is found. */
const balances = async () =>
  (await createLedgerClient({ base: jobs.app.url, credential: shop.credential, fetch }).balances()).balances;
const others: Readonly<Record<Exclude<SheetView, 'salesInvoiceRows'>, [Typed[], () => Promise<unknown>]>> = {
  orderRows: [
    documents,
    () =>
      jobs.app.db
        .selectFrom('sales_order')
        .where('administration_id', '=', shop.administrationId)
        .select('number')
        .orderBy('number')
        .execute(),
  ],
  salesTransactionRows: [
    [
      { Document: 'A', CustomerNumber: '7', SubTotalInclTax: '121', TaxCode: '21% - Hoog' },
      { Document: 'B', CustomerNumber: '99', SubTotalInclTax: '121', TaxCode: '21% - Hoog' },
    ],
    balances,
  ],
  purchaseTransactionRows: [
    [
      { Document: 'A', SupplierNumber: '3', SubTotalInclTax: '121', TaxCode: '21% - Inkoop hoog' },
      { Document: 'B', SupplierNumber: '99', SubTotalInclTax: '121', TaxCode: '21% - Inkoop hoog' },
    ],
    balances,
  ],
  newProductRows: [
    [
      { ArticleNumber: '0300', NewName: 'Tafel', CategoryName: 'Meubels', CategoryCreateIfMissing: 'Yes' },
      { ArticleNumber: '0100', NewName: 'Taken', CategoryName: 'Meubels', CategoryCreateIfMissing: 'Yes' },
    ],
    async () => {
      const service = { base: jobs.app.url, credential: shop.credential, fetch };
      return (await createProductClient(service).first(9)).products.map(({ Name }) => Name);
    },
  ],
  journalEntryRows: [
    [
      { Document: 'A', LedgerAccountNumber: '4000', Debit: '100.10' },
      { Document: 'A', LedgerAccountNumber: '1000', Credit: '100.10' },
      { Document: 'B', LedgerAccountNumber: '4711', Debit: '1' },
      { Document: 'B', LedgerAccountNumber: '1000', Credit: '1' },
    ],
    balances,
  ],
};
jobs.tryFailures(
  Object.entries(others).map(([view, [rows, outcome]]) => ({
    title: `A push of the sheet ${view}`,
    before: () => makeRequests(requestSheets[view as SheetView], rows),
    run: pushSheet,
    outcome,
    isUnderWay: saysSo,
  })),
  { isSampled: true },
);
