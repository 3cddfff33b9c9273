import { randomUUID } from 'node:crypto';
import { beforeAll } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { createExportClient } from '../../../shared/client/exportClient.ts';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { createProductClient } from '../../../shared/client/productClient.ts';
import { createPushClient } from '../../../shared/client/pushClient.ts';
import { createVatClient } from '../../../shared/client/vatClient.ts';
import type { Push } from '../../../shared/resources/push.ts';
import { type FailingJob, failingJobs } from '../../../testing/addin/failingJobs.ts';
import { endedPush } from '../../../testing/pushes/endedPush.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';
import { noRetry } from '../../excel/batch.ts';
import { keyText } from '../../excel/tables/table.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { removeUnfinished } from '../../excel/tables/unfinished.ts';
import { reverseEntry } from '../documentSheet/counterEntry.ts';
import { makeRequestSheet } from '../documentSheet/makeRequestSheet.ts';
import { messagesOf } from '../locales/messages.ts';
import { type MadeSheet, makeProductSheet } from '../productSheet/makeProductSheet.ts';
import { readPresentProducts, refreshPresent } from '../productSheet/presentProducts.ts';
import { readOneByOne } from '../productSheet/readOneByOne.ts';
import type { SendableRow } from '../productSheet/readProductRow.ts';
import { accounts } from '../pulledLists/accounts.ts';
import { invoices } from '../pulledLists/invoices.ts';
import type { PulledList, Question } from '../pulledLists/list.ts';
import { lists } from '../pulledLists/lists.ts';
import { openItems } from '../pulledLists/openItems.ts';
import { taxCodes } from '../pulledLists/taxCodes.ts';
import { trialBalance } from '../pulledLists/trialBalance.ts';
import { vatReturn } from '../pulledLists/vatReturn.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { canFinish, finishPull } from './finishPull.ts';
import { makeExport } from './makeExport.ts';
import { pullPushedRows } from './pullPushedRows.ts';
import { pullInvoices, pullList, pullRelations, type RefreshContext, refreshPull } from './pulls.ts';
import { refreshAll } from './refreshAll.ts';

/*
 * Jobs that fill sheets and fail in the middle, against a real app and with a real server that fails before it: nothing
 * is lost or half written without saying so, the pane tells why, and the same job can be done again. Pushes are in
 * `push/failures.test.ts`, jobs without a sheet in `failures.test.ts`.
 */

const messages = messagesOf.en;
const administration = { id: 'c1', label: 'Bakkerij Jansen' };
/** More than a page. */
const INVOICES = 101;
const MOMENT = new Date('2026-10-20T10:00:00Z');

const jobs = await failingJobs();
let shop: Shop;
let pushed: Push;
let entry: string;
beforeAll(async () => {
  jobs.app.setTime(MOMENT.getTime() / 1000);
  shop = await openShop(jobs.app);
  for (let number = 1; number <= INVOICES; number++)
    await shop.addInvoice({ number: BigInt(number), date: '2026-01-05', lines: [{}] });
  const sale = { CustomerNumber: 7, InvoiceDate: '05-08-2026' };
  await shop.accepted('addsalestransaction', {
    ...sale,
    Invoice_InvoiceLine: [{ SubTotalInclTax: 121, TaxCode: '21% - Hoog' }],
  });
  const projectId = await shop.addProject({ number: 1, name: 'Verbouwing' });
  await shop.addMaterialBooking({ projectId, articleNumber: '0100' });
  const direct = { base: jobs.app.url, credential: shop.credential, fetch };
  for await (const page of createLedgerClient(direct).entries({})) entry ||= page.at(-1)!.entry!;
  await makeExport(createExportClient(direct), { signal: new AbortController().signal, onProgress: () => {} });
  const pushes = createPushClient(direct);
  const update = { ArticleNumber: '0100', NewSalePrice: '13' };
  const { id } = await pushes.begin([{ row: 2, endpoint: 'updateproduct', request: update }], randomUUID());
  pushed = (await endedPush(pushes, id)).push;
});

const serviceNow = () => jobs.serviceOf(shop.credential);
const clientNow = () => {
  const { base, credential, fetch } = serviceNow();
  return createClient(base, credential, fetch);
};
const contextNow = (): RefreshContext => ({
  client: clientNow(),
  ledger: createLedgerClient(serviceNow()),
  vat: createVatClient(serviceNow()),
  exports: createExportClient(serviceNow()),
  messages,
  administration,
  retry: noRetry,
  now: () => MOMENT,
});
const products = () => createProductClient(serviceNow());
const sheetOf = async (view: string) => (await tablesInWorkbook()).find(({ memory }) => memory.view === view)!;

const question = { DateFrom: '2026-01-01', WithLines: 'true' } as const;
/** Every sheet has values that a refresh replaces, a row that it removes, and lacks one that it adds. */
const makeOld = () => {
  for (const sheet of jobs.excel.workbook.sheets) {
    const [table] = sheet.tables;
    if (table === undefined) continue;
    const { row, rows } = table.area;
    const key = sheet.rows[row + 1]!.cells[0]!;
    sheet.rows[row + 1]!.cells[0] = { ...key, value: 'gone' };
    for (let at = row + 1; at < row + rows; at += 7) {
      const cell = sheet.rows[at]!.cells[1]!;
      sheet.rows[at]!.cells[1] = { ...cell, value: 'old' };
    }
  }
};
const pullOld = async () => {
  await pullList(contextNow(), accounts, {});
  await pullInvoices(contextNow(), question);
  await pullList(contextNow(), taxCodes, {});
  makeOld();
};
const refreshEverything = async () => {
  const result = await refreshAll(contextNow(), await tablesInWorkbook(noRetry));
  if (result.failed.length > 0) throw result.failed[0]!.error;
};

const named = [{ ArticleNumber: '0100' }, { ArticleNumber: '0200' }];
/** A sheet without present values is made all the same, and says so. */
const makeProducts = async (isRead = true) => {
  const present = isRead ? await readPresentProducts(products(), named) : undefined;
  return makeProductSheet(messages, administration, 'Absolute', named, present, noRetry);
};
/** What the pane does before it asks about a push, of a sheet that was made without values too. */
const readAgain = async () => {
  const table = await sheetOf('products');
  if (table === undefined) return makeProducts();
  const rows = named.map((update, index) => ({ key: keyText([update.ArticleNumber, '']), number: index + 2, update }));
  await refreshPresent(table, rows as unknown as SendableRow[], products(), noRetry);
};
const oneByOne = async () => {
  const rows = named.map((row) => ({ ...row, EAN: '' }));
  const options = { messages, retry: noRetry, now: () => MOMENT.getTime(), onRead: () => {} };
  await readOneByOne(await sheetOf('products'), clientNow(), rows, options);
};
const finish: FailingJob['finish'] = (one, all) =>
  canFinish(one, contextNow()) ? finishPull(contextNow(), one, all) : removeUnfinished(one, noRetry);

jobs.tryFailures(
  (
    [
      { title: 'A pull', run: () => pullInvoices(contextNow(), question) },
      {
        title: 'A refresh',
        before: async () => {
          await pullInvoices(contextNow(), question);
          makeOld();
        },
        run: () => refreshPull(contextNow(), { view: 'invoices', query: question }),
        // Invoices and their lines have a sheet each.
        hasSteps: true,
      },
      { title: 'Refreshing all sheets', before: pullOld, run: refreshEverything, hasSteps: true },
      { title: 'Bringing in an export', run: () => pullRelations(contextNow(), {}) },
      { title: 'The trial balance', run: () => pullList(contextNow(), trialBalance, { Period: '2026' }) },
      { title: 'The open items', run: () => pullList(contextNow(), openItems, {}) },
      { title: 'A VAT return', run: () => pullList(contextNow(), vatReturn, { Period: '2026-Q3' }) },
      {
        title: 'The rows of an earlier push',
        run: () => pullPushedRows(contextNow(), createPushClient(serviceNow()), pushed, 'en'),
      },
      {
        title: 'Making a sheet with lists to choose from',
        run: () =>
          makeRequestSheet(
            requestSheets.salesInvoiceRows,
            messages,
            administration,
            { client: clientNow(), products: undefined, pushes: createPushClient(serviceNow()) },
            noRetry,
          ),
      },
      {
        title: 'Taking back an entry',
        // A sheet to fill in is made first, where there is none.
        hasSteps: true,
        run: () =>
          reverseEntry(entry, {
            client: clientNow(),
            ledger: createLedgerClient(serviceNow()),
            products: undefined,
            pushes: createPushClient(serviceNow()),
            messages,
            administration,
            retry: noRetry,
            now: () => MOMENT,
          }),
      },
      {
        title: 'Making a sheet of products with their present values',
        run: () => makeProducts(),
        tolerates: (made) => (made as MadeSheet).isPresentRead === false,
        again: readAgain,
      },
      {
        title: 'Present values, read one by one',
        before: () => makeProducts(false),
        run: oneByOne,
        // What was read is in its rows, and the pane counts what was not.
        isUnderWay: async () => true,
      },
    ] satisfies FailingJob[]
  ).map((job: FailingJob) => ({ finish, ...job })),
);

/** Those of every other list that there is, by their declarations. */
const questionOf = (list: PulledList): Question => {
  const further = Object.keys(list.further).map((name) => [name, 'true']);
  return { ...list.initial?.('2026-10-20'), ...Object.fromEntries(further) };
};
const tried = [invoices, trialBalance, openItems, vatReturn].map(({ view }) => view);
jobs.tryFailures(
  Object.values(lists)
    .filter(({ view }) => !tried.includes(view))
    .map((list) => ({
      title: `The list of the view “${list.view}”`,
      run: () => pullList(contextNow(), list, questionOf(list)),
      finish,
    })),
  { isSampled: true },
);
