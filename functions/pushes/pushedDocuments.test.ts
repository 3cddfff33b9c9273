import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPushClient, type PushClient } from '../../shared/client/pushClient.ts';
import { MAX_PUSH_ROWS } from '../../shared/resources/push.ts';
import { startApp, type TestApp } from '../../testing/app.ts';
import { endedPush } from '../../testing/pushes/endedPush.ts';
import { openShop, type Shop, snapshot } from '../../testing/shop.ts';
import { testStorage } from '../../testing/storage.ts';

/* Pushes of documents: invoices, orders and purchases, mixed with products. */

const isRemote = process.env.TEST_ADMINISTRATION === 'remote';

const { connectionString, storage } = await testStorage();
let app: TestApp;
let shop: Shop;
let pushes: PushClient;

beforeAll(async () => {
  app = await startApp({ storage: connectionString });
  shop = await openShop(app);
  pushes = createPushClient({ base: app.url, credential: shop.credential, fetch });
});
afterAll(() => app.close());

type Rows = Parameters<PushClient['begin']>[0];

const push = async (rows: Rows, key: string = randomUUID()) => endedPush(pushes, (await pushes.begin(rows, key)).id);

/** The response to a request of a push. */
const posted = (body: object) => shop.post('/pushes', body);

const line = { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: 10, TaxPc: 21 };
const invoice = (row: number, more: object = {}) =>
  ({ row, endpoint: 'addsalesinvoice', request: { CustomerNumber: 7, Invoice_InvoiceLine: [line], ...more } }) as const;
const bookkeepingLine = { SubTotalInclTax: 121, TaxPc: 21, Description: 'Huur' };
const addition = (row: number, ArticleNumber: string, more: object = {}) =>
  ({
    row,
    endpoint: 'addproduct',
    request: {
      ArticleNumber,
      NewName: 'Kruk',
      CategoryName: 'Meubels',
      CategoryCreateIfMissing: true,
      NewSalePrice: 5,
      ...more,
    },
  }) as const;

const listed = async (number: string): Promise<Record<string, unknown>[]> =>
  (await shop.get(`/rest/listsalesinvoices?InvoiceNumber=${number}`)).json;

describe('a push of documents', () => {
  it('makes each kind of document, and tells what was made', async () => {
    const article = `N-${randomUUID().slice(0, 8)}`;
    const { push: reported, rows } = await push([
      addition(1, article),
      invoice(2, {
        InvoiceDate: '15-03-2026',
        InvoiceDueDays: 14,
        Invoice_InvoiceLine: [{ ...line, ProductNumber: article }],
      }),
      {
        row: 3,
        endpoint: 'addorder',
        request: {
          CustomerNumber: 7,
          OrderDate: '16-03-2026',
          OrderStatus: 'Nieuw',
          Order_Orderline: [{ ...line, Quantity: 3 }],
        },
      },
      {
        row: 4,
        endpoint: 'addsalestransaction',
        request: { CustomerNumber: 7, InvoiceDate: '17-03-2026', Invoice_InvoiceLine: [bookkeepingLine] },
      },
      {
        row: 5,
        endpoint: 'addpurchasetransaction',
        request: { SupplierNumber: 3, PurchaseInvoiceNumber: 880, Invoice_InvoiceLine: [bookkeepingLine] },
      },
      { row: 6, endpoint: 'updateproduct', request: { ArticleNumber: '0200', NewSalePrice: '3.10' } },
    ]);
    expect(reported).toMatchObject({ state: 'ended', total: 6, counts: { applied: 6 } });
    expect(rows.get(1)!.product).toMatchObject({ ArticleNumber: article, Price: '5' });
    const made = rows.get(2)!.document!;
    expect(made).toMatchObject({
      date: '2026-03-15',
      dueDate: '2026-03-29',
      totalExclTax: '20',
      taxAmount: '4.2',
      totalInclTax: '24.2',
      pdf: `/documents/invoices/${made.number}.pdf`,
    });
    expect(await listed(made.number!)).toMatchObject([{ InvoiceTotalInclTax: 24.2, CustomerNumber: 7 }]);
    expect(rows.get(3)!.document).toMatchObject({
      date: '2026-03-16',
      totalInclTax: '36.3',
      status: 'Nieuw',
      pdf: '',
    });
    expect(rows.get(4)!.document).toMatchObject({ totalExclTax: '100', taxAmount: '21', totalInclTax: '121' });
    expect(rows.get(5)!.document).toMatchObject({ number: '880', totalInclTax: '121' });
    expect(rows.get(6)!.product).toMatchObject({ ArticleNumber: '0200', Price: '3.1' });
    // An order's response has no total without tax.
    expect(reported.sums).toMatchObject([
      { endpoint: 'addsalesinvoice', rows: 1, totalExclTax: '20', taxAmount: '4.2', totalInclTax: '24.2' },
      { endpoint: 'addorder', rows: 1, totalExclTax: null, taxAmount: null, totalInclTax: '36.3' },
      { endpoint: 'addsalestransaction', rows: 1, totalInclTax: '121' },
      { endpoint: 'addpurchasetransaction', rows: 1, totalInclTax: '121' },
    ]);
  });

  it('books journal entries where there is a ledger, and refuses them as rows where there is none', async () => {
    const entry = (row: number, Credit: string) =>
      ({
        row,
        endpoint: 'addjournalentry',
        request: {
          EntryDate: '15-03-2026',
          JournalEntry_Line: [
            { LedgerAccountNumber: '4000', Debit: '12.34' },
            { LedgerAccountNumber: '1000', Credit },
          ],
        },
      }) as const;
    if (isRemote) {
      const { status, json } = await posted({ rows: [entry(1, '12.34')] });
      expect([status, json.errors[0].path, json.errors[0].code]).toEqual([400, 'rows[0].endpoint', 'NOT_PUSHED']);
      return;
    }
    const { status, json } = await posted({ rows: [entry(1, '12.34'), entry(2, '12.35')] });
    expect([status, json.errorMessage]).toEqual([
      400,
      'rows[1].request.JournalEntry_Line: row 2: JournalEntry_Line expected as much debit as credit: 0.01 debit is missing.',
    ]);
    const { push: reported, rows } = await push([entry(1, '12.34'), invoice(2), entry(3, '12.34')]);
    expect(reported).toMatchObject({ state: 'ended', counts: { applied: 3 } });
    const [first, second] = [rows.get(1)!.document!, rows.get(3)!.document!];
    expect(first).toMatchObject({ date: '2026-03-15', totalInclTax: null, pdf: '' });
    expect(Number(second.number)).toBe(Number(first.number) + 1);
    const { lines } = (await shop.get('/ledger/entries?account=1000&from=2026-03-15&to=2026-03-15')).json;
    expect(lines.map((one: Record<string, unknown>) => [one.entryNumber, one.credit])).toEqual([
      [first.number, 12.34],
      [second.number, 12.34],
    ]);
  });

  it('numbers invoices in the order of their rows, and sums them', async () => {
    const { push: reported, rows } = await push(
      Array.from({ length: 130 }, (_, index) => invoice(index + 2, { InvoiceReference: `Row ${index + 2}` })),
    );
    const numbers = [...rows.values()].sort((a, b) => a.row! - b.row!).map(({ document }) => Number(document!.number));
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    expect(await listed(String(numbers[70]))).toMatchObject([{ InvoiceReference: 'Row 72' }]);
    expect(reported.sums).toMatchObject([{ rows: 130, totalExclTax: '2600', totalInclTax: '3146' }]);
  });

  it('makes each document once when it is begun again with the same key', async () => {
    const key = randomUUID();
    const rows = [invoice(2, { InvoiceReference: key })];
    const [first, second] = await Promise.all([push(rows, key), push(rows, key)]);
    expect(second).toEqual(first);
    const { json } = await shop.get('/rest/listsalesinvoices');
    expect(json.filter((one: { InvoiceReference: string }) => one.InvoiceReference === key)).toHaveLength(1);
  });

  it('refuses a document by itself, and names the field', async () => {
    const { rows } = await push([invoice(2, { CustomerNumber: 999 }), invoice(3)]);
    expect(rows.get(2)).toMatchObject({ state: 'refused', errors: [{ path: 'CustomerNumber' }] });
    expect(rows.get(3)).toMatchObject({ state: 'applied' });
  });

  it('does not send what needs a row that was refused, and says so', async () => {
    const { rows } = await push([
      // Its category does not exist.
      addition(2, 'X-1', { CategoryCreateIfMissing: false, CategoryName: 'Nergens' }),
      invoice(3, { Invoice_InvoiceLine: [{ ...line, ProductNumber: 'X-1' }] }),
      invoice(4),
    ]);
    expect(rows.get(2)).toMatchObject({ state: 'refused' });
    expect(rows.get(3)).toMatchObject({
      state: 'cancelled',
      errorCode: 'NEEDED_ROW_NOT_APPLIED',
      errorMessage: 'Nothing was sent: it needs row 2, which is refused.',
    });
    expect(rows.get(4)).toMatchObject({ state: 'applied' });
  });

  it('carries files that no row of a table holds', async () => {
    const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(700_000, 'abcdefgh'), Buffer.from('\n%%EOF\n')]);
    const file = { FileContent: pdf.toString('base64'), FileName: 'bijlage.pdf' };
    const { rows, push: reported } = await push([invoice(2, { Invoice_Attachment: [file] }), invoice(3)]);
    expect([...rows.values()].map(({ state }) => state)).toEqual(['applied', 'applied']);
    const stored = await app.db
      .selectFrom('attachment')
      .innerJoin('sales_invoice', 'sales_invoice.id', 'attachment.sales_invoice_id')
      .where('sales_invoice.number', '=', BigInt(rows.get(2)!.document!.number!))
      .where('sales_invoice.administration_id', '=', shop.administrationId)
      .select('content')
      .executeTakeFirstOrThrow();
    expect(Buffer.compare(Buffer.from(stored.content!), pdf)).toBe(0);
    // Its files are not needed any more.
    const { rows: sent } = await pushes.rows(reported.id, '');
    expect(sent.map(({ row, request }) => [row, Object.keys(request).length > 0])).toEqual([
      [2, false],
      [3, true],
    ]);
  });

  it('leaves nothing readable in the storage account', async () => {
    const secret = 'Zwartkoning';
    await push([
      invoice(2, { InvoiceNotes: secret }),
      invoice(3, { CustomerNumber: 0, CustomerName: secret }),
      invoice(4, { InvoiceNotes: secret.repeat(3000), PackingSlipNotes: `${secret} `.repeat(3000) }),
    ]);
    const texts: string[] = [];
    for await (const row of storage.table('pushes').list({})) texts.push(Object.values(row.values).join(''));
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});

describe('a push that cannot begin', () => {
  it.each<[string, object[], string, object?]>([
    [
      'a wrong line',
      [invoice(2), invoice(3, { Invoice_InvoiceLine: [line, { ...line, Quantity: 'twee' }] })],
      'rows[1].request.Invoice_InvoiceLine[1].Quantity',
    ],
    [
      'too many lines',
      [invoice(2, { Invoice_InvoiceLine: Array.from({ length: 76 }, () => line) })],
      'rows[0].request.Invoice_InvoiceLine',
    ],
    ['an endpoint that reads', [{ row: 2, endpoint: 'listrelations', request: {} }], 'rows[0].endpoint'],
    ['an unknown endpoint', [{ row: 2, endpoint: 'constructor', request: {} }], 'rows[0].endpoint'],
    ['no endpoint', [{ row: 2, request: {} }], 'rows[0].endpoint'],
    ['two requests in a row', [{ ...invoice(2), update: { ArticleNumber: '0100' } }], 'rows[0]'],
    ['no request', [{ row: 2, endpoint: 'addorder' }], 'rows[0]'],
    ['a number twice', [invoice(2, { InvoiceNumber: 5 }), invoice(3, { InvoiceNumber: '5' })], 'rows[0]'],
    [
      'a product in two rows of different forms',
      [
        { row: 2, update: { ArticleNumber: '0100', NewSalePrice: 1 } },
        { row: 3, endpoint: 'updateproduct', request: { ArticleNumber: '0100', NewSalePrice: 2 } },
      ],
      'rows[0]',
    ],
    ['mail that nobody confirmed', [invoice(2, { EmailToCustomer: true })], 'confirmed'],
    [
      'mail that was counted otherwise',
      [invoice(2, { EmailToCustomer: true }), invoice(3, { EmailToCustomer: true })],
      'confirmed',
      { confirmed: { mails: 1 } },
    ],
    ['an order that is no yes or no', [invoice(2)], 'inOrder', { inOrder: 'fast' }],
  ])('for %s is refused whole, with the field', async (_, rows, path, more = {}) => {
    const before = await snapshot(app.db, shop.administrationId);
    const { status, json } = await posted({ rows, ...more });
    expect([status, json.errors[0].path]).toEqual([400, path]);
    expect(await snapshot(app.db, shop.administrationId)).toEqual(before);
  });

  it('tells how many rows send mail and begin periodic invoices, and begins when that is confirmed', async () => {
    const rows = [
      invoice(2, { EmailToCustomer: true }),
      invoice(3, { EmailToCustomer: true, AddAsDraft: true }),
      invoice(4, {
        PeriodicInvoiceTemplate: true,
        Periodic_StartingDate: '31-12-2099',
        Periodic_Frequency: 1,
        Periodic_FrequencyUnit: 'Month',
      }),
    ];
    const { json } = await posted({ rows });
    expect(json.errors).toMatchObject([{ path: 'confirmed', params: { mails: 1, periodicInvoices: 1 } }]);
    const { status, json: begun } = await posted({ rows, confirmed: { mails: 1, periodicInvoices: 1 } });
    expect(status).toBe(202);
    const { push: reported } = await endedPush(pushes, begun.push.id);
    expect(reported.counts).toMatchObject({ applied: 3 });
  });
});

it.skipIf(isRemote)('A push of the most invoices is accepted and cancelled', async () => {
  const { id } = await pushes.begin(
    Array.from({ length: MAX_PUSH_ROWS }, (_, row) => invoice(row)),
    randomUUID(),
  );
  await pushes.cancel(id);
  const { push: reported } = await endedPush(pushes, id);
  const { applied, cancelled } = reported.counts as { applied: number; cancelled: number };
  expect([applied + cancelled, reported.stopped]).toEqual([MAX_PUSH_ROWS, 'CANCELLED']);
});
