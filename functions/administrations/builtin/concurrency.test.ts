import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { send, startApp, type TestApp, type TestResponse } from '../../../testing/app.ts';
import { startAppProcess } from '../../../testing/appProcess.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';
import { checkAdministration } from './check/check.ts';

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  shop = await openShop(app);
});

const lines = [
  { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: '10.05' },
  { ProductNumber: '0200', Quantity: '0.5', UnitPriceExclTax: '3' },
  { IsTextLine: true, Description: 'Bezorgd' },
];
const invoice = (more: object = {}) => ({ CustomerNumber: 7, Invoice_InvoiceLine: lines, ...more });
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const consecutive = (first: number, count: number) => times(count, (index) => first + index);

/** All invoices of the shop with their lines, the lowest number first. */
async function invoices(): Promise<{ InvoiceNumber: number; Invoice_InvoiceLine: object[] }[]> {
  const all = [];
  for (let offset = 0; ; offset += 50) {
    const { json } = await shop.get(
      `/rest/listsalesinvoices?InlcudeInvoiceLinesInResponse=true&Limit=50&Offset=${offset}`,
    );
    all.push(...json);
    if (json.length === 0) return all.reverse();
  }
}

async function findings(): Promise<string[]> {
  return Array.fromAsync(checkAdministration(app.db, shop.administrationId));
}

const stockOf = async (article: string): Promise<number> =>
  (await shop.put('/rest/updateproduct', { ArticleNumber: article })).json.StockQty;

describe('with simultaneous requests, ', () => {
  it('200 invoices get 200 consecutive numbers, and each is complete', async () => {
    const responses = await Promise.all(times(200, () => shop.post('/rest/addsalesinvoice', invoice())));
    expect(responses.map(({ status, text }) => (status === 200 ? '' : text)).filter(Boolean)).toEqual([]);
    const numbers = responses.map(({ json }) => Number(json[0].InvoiceNumber)).sort((a, b) => a - b);
    expect(numbers).toEqual(consecutive(1, 200));
    const listed = await invoices();
    expect(listed.map(({ InvoiceNumber }) => Number(InvoiceNumber))).toEqual(consecutive(1, 200));
    for (const { Invoice_InvoiceLine } of listed) expect(Invoice_InvoiceLine).toHaveLength(3);
    expect(await stockOf('0100')).toBe(10 - 200);
    expect(await stockOf('0200')).toBe(100 - 100);
    expect(await findings()).toEqual([]);
  });

  it('200 relative updates of one product add up to the last decimal', async () => {
    const responses = await Promise.all(
      times(200, (index) =>
        shop.put('/rest/updateproduct', {
          ArticleNumber: '0100',
          NewStockQty: `0.${String(index + 1).padStart(8, '0')}`,
        }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    // (1 + 2 + ... + 200) x 10^-8 more than the initial ten.
    expect(await stockOf('0100')).toBe(10.000201);
    expect(new Set(responses.map(({ json }) => json.StockQty)).size).toBe(200);
    expect(await shop.mutationsOf('0100')).toHaveLength(201);
  });

  it('one of 20 invoices that ask for the same number gets it, and 19 are refused', async () => {
    const asked = invoice({ InvoiceNumber: 77 });
    const responses = await Promise.all(times(20, () => shop.post('/rest/addsalesinvoice', asked)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...times(19, () => 400)]);
    for (const { json } of responses.filter(({ status }) => status === 400)) {
      expect(json).toMatchObject({ errorCode: 'INVALID_REQUEST', errors: [{ path: 'InvoiceNumber' }] });
    }
    expect(await invoices()).toHaveLength(1);
    expect(await stockOf('0100')).toBe(9);
    expect(await findings()).toEqual([]);
  });

  it('one of 20 products with the same article number is made, and 19 are refused', async () => {
    const product = {
      ArticleNumber: 'NEW',
      NewName: 'Kast',
      NewSalePrice: 1,
      CategoryName: 'Kasten',
      CategoryCreateIfMissing: true,
    };
    const responses = await Promise.all(times(20, () => shop.post('/rest/addproduct', product)));
    expect(responses.map(({ status, text }) => (status === 500 ? text : status)).sort()).toEqual([
      200,
      ...times(19, () => 400),
    ]);
  });

  it('one category, cost center and batch is made for each name', async () => {
    const responses = await Promise.all(
      times(20, (index) =>
        index % 2 === 0
          ? shop.put('/rest/updateproduct', {
              ArticleNumber: '0100',
              CategoryName: 'Stoelen',
              CategoryCreateIfMissing: true,
              BatchStockUpdateMode: 'Relative',
              BatchMatchMode: 'Description',
              Product_Batch: [{ Description: 'A1', BatchStockQty: 1 }],
            })
          : shop.post('/rest/addsalesinvoice', {
              CustomerNumber: 7,
              Invoice_InvoiceLine: [{ ...lines[0], CostCenter: 'Noord' }],
            }),
      ),
    );
    expect(responses.map(({ status, text }) => (status === 200 ? '' : text)).filter(Boolean)).toEqual([]);
    expect(await shop.categories()).toEqual(['Stoelen']);
    const ofShop = (await app.db.selectFrom('cost_center').selectAll().execute()).filter(
      (row) => row.administration_id === shop.administrationId,
    );
    expect(ofShop.map(({ name }) => name)).toEqual(['Noord']);
    expect(await findings()).toEqual([]);
  });

  it('invoices of two administrations are numbered separately, while both are read', async () => {
    const other = await openShop(app);
    const responses = await Promise.all([
      ...times(60, () => shop.post('/rest/addsalesinvoice', invoice())),
      ...times(60, () => other.post('/rest/addsalesinvoice', invoice())),
      ...times(60, () => other.get('/rest/listsalesinvoices')),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const numbers = (from: TestResponse[]) =>
      from.map(({ json }) => Number(json[0].InvoiceNumber)).sort((a, b) => a - b);
    expect(numbers(responses.slice(0, 60))).toEqual(consecutive(1, 60));
    expect(numbers(responses.slice(60, 120))).toEqual(consecutive(1, 60));
  });
});

describe('with simultaneous requests to two processes, ', () => {
  it('100 invoices are numbered in order, and 100 stock updates add up', async ({ skip }) => {
    skip(app.databaseUrl === '', 'this database lives inside one process');
    const script = path.resolve(import.meta.dirname, '../../../testing/crash/serve.ts');
    const start = () => startAppProcess(script, { DATABASE_URL: app.databaseUrl });
    const processes = await Promise.all([start(), start()]);
    try {
      const headers = {
        ApiKey: shop.credential.apiKey,
        Username: shop.credential.username,
        'Content-Type': 'application/json',
      };
      const responses = await Promise.all(
        times(200, (index) => {
          const { url } = processes[index % 2]!;
          return index % 4 < 2
            ? send(url, 'POST', '/rest/addsalesinvoice', { headers, body: invoice() })
            : send(url, 'PUT', '/rest/updateproduct', {
                headers,
                body: { ArticleNumber: '0200', NewStockQty: '0.01' },
              });
        }),
      );
      expect(responses.map(({ status, text }) => (status === 200 ? '' : text)).filter(Boolean)).toEqual([]);
      const numbers = responses.filter((_, index) => index % 4 < 2).map(({ json }) => Number(json[0].InvoiceNumber));
      expect(numbers.sort((a, b) => a - b)).toEqual(consecutive(1, 100));
      expect(await stockOf('0200')).toBe(100 - 50 + 1);
      expect(await findings()).toEqual([]);
      expect(processes.map(({ errorOutput }) => errorOutput())).toEqual(['', '']);
    } finally {
      await Promise.all(processes.map((process) => process.kill()));
    }
  });
});
