import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { createPushClient, type PushClient } from '../../../shared/client/pushClient.ts';
import { openTestWorkbook } from '../../../testing/addin/workbook.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { endedPush } from '../../../testing/pushes/endedPush.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';
import { testStorage } from '../../../testing/storage.ts';
import { messagesOf } from '../locales/messages.ts';
import type { Language } from '../locales/words.ts';
import { pullPushedRows } from './pullPushedRows.ts';
import type { PullContext } from './pulls.ts';

/* The rows of an earlier push in a sheet, with what was there before, from a real app. */

const { connectionString } = await testStorage();
let app: TestApp;
let shop: Shop;
let client: PushClient;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
  shop = await openShop(app);
  client = createPushClient({ base: app.url, credential: shop.credential, fetch });
});
afterAll(() => app.close());

/** Pushes rows and brings them into a sheet. @returns its rows, by heading */
async function pushedInto(
  rows: Parameters<PushClient['begin']>[0],
  language: Language = 'en',
  from: PushClient = client,
) {
  const { push } = await endedPush(client, (await client.begin(rows, randomUUID())).id);
  const excel = openTestWorkbook();
  const context = { messages: messagesOf[language], administration: { id: 'c1', label: 'Jansen' } };
  await pullPushedRows(context as PullContext, from, push, language);
  const { name } = excel.workbook.sheets.find(({ tables }) => tables.length > 0)!;
  const [headings, ...cells] = excel.cells(name);
  return cells.map((row) => Object.fromEntries(headings!.map((heading, place) => [heading, row[place]])));
}

const line = { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: 10, TaxCode: '21% - Hoog' };
const booked = { SubTotalInclTax: 121, TaxCode: '21% - Hoog' };

it('Rows of updates have what each value was, and say why one has none', async () => {
  const rows = await pushedInto([
    { row: 2, update: { ArticleNumber: '0100', NewSalePrice: '13', NewUnit: 'doos', NewName: 'Stoel' } },
    { row: 3, update: { ArticleNumber: 'nowhere', NewSalePrice: '1' } },
    { row: 4, update: { ArticleNumber: '0200', Product_Batch: [{ Description: 'L-1' }], Archived: true } },
  ]);
  expect(rows.map(({ Row, Field, Before, Sent }) => [Row, Field, Before, Sent])).toEqual([
    [2, 'Article number', '0100', '0100'],
    [2, 'New name', 'Stoel', 'Stoel'],
    [2, 'New sale price', '12.50', '13.00'],
    [2, 'New unit', 'Empty', 'doos'],
    [3, 'Article number', 'Not changed', 'nowhere'],
    [3, 'New sale price', 'Not changed', '1.00'],
    [4, 'Article number', '0200', '0200'],
    [4, 'Archived', 'No', 'Yes'],
    [4, 'BatchStockUpdateMode', 'Not recorded', 'Relative'],
    [4, 'BatchMatchMode', 'Not recorded', 'Description'],
    [4, 'Description, line 1', 'Not recorded', 'L-1'],
  ]);
});

it('A row whose outcome is unknown says so, and what was sent', async () => {
  const lost: PushClient = {
    ...client,
    async rows(...asked) {
      const part = await client.rows(...asked);
      return { ...part, rows: part.rows.map(({ before: _, ...row }) => ({ ...row, state: 'unknown' })) };
    },
  };
  const rows = await pushedInto([{ row: 2, update: { ArticleNumber: '0100', NewPurchasePrice: '8' } }], 'en', lost);
  expect(rows.map(({ Status, Field, Before, Sent }) => [Status, Field, Before, Sent])).toEqual([
    ['Unknown', 'Article number', '0100', '0100'],
    ['Unknown', 'New purchase price', 'Not recorded', '8.00'],
  ]);
});

it('Rows that made something say of every value that it did not exist, whatever they made', async () => {
  const { bookable, accounts } = await createLedgerClient({
    base: app.url,
    credential: shop.credential,
    fetch,
  }).figures({});
  const [one, other] = accounts;
  const rows = await pushedInto(
    [
      {
        row: 2,
        endpoint: 'addproduct',
        request: { ArticleNumber: 'N-1', NewName: 'Kruk', CategoryName: 'Meubels', CategoryCreateIfMissing: true },
      },
      { row: 3, endpoint: 'addsalesinvoice', request: { CustomerNumber: 7, Invoice_InvoiceLine: [line] } },
      { row: 4, endpoint: 'addorder', request: { CustomerNumber: 7, Order_Orderline: [line] } },
      { row: 5, endpoint: 'addsalestransaction', request: { CustomerNumber: 7, Invoice_InvoiceLine: [booked] } },
      {
        row: 6,
        endpoint: 'addpurchasetransaction',
        request: {
          SupplierNumber: 3,
          Invoice_InvoiceLine: [{ SubTotalInclTax: 121, TaxCode: shop.tax.purchaseHigh }],
        },
      },
      {
        row: 7,
        endpoint: 'addjournalentry',
        request: {
          EntryDate: bookable.first.split('-').reverse().join('-'),
          JournalEntry_Line: [
            { LedgerAccountNumber: one!.number, Debit: 5 },
            { LedgerAccountNumber: other!.number, Credit: 5 },
          ],
        },
      },
    ],
    'nl',
  );
  expect(new Set(rows.map(({ Rij, Status }) => `${Rij} ${Status}`))).toEqual(
    new Set([2, 3, 4, 5, 6, 7].map((row) => `${row} Verwerkt`)),
  );
  expect(new Set(rows.map(({ Eerst }) => Eerst))).toEqual(new Set(['Bestond niet']));
});
