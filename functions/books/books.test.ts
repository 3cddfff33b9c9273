import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLedgerClient } from '../../shared/client/ledgerClient.ts';
import { startApp, type TestAdministration, type TestApp } from '../../testing/app.ts';
import { addBooks } from '../../testing/builtin/ledgerBooks.ts';
import { listen } from '../../testing/listen.ts';
import { credential, openRemote } from '../../testing/remote/askRemote.ts';
import { startScriptedService } from '../../testing/remote/scriptedService.ts';
import { functionsOf } from '../app.ts';
import { createHost } from '../host/server.ts';

let app: TestApp;
let shop: TestAdministration;
beforeAll(async () => {
  app = await startApp();
  shop = await newShop();
  const other = await newShop();
  await sellForTwoYears(shop);
  await sell(other, '15-02-2026', [['8000', 999, '']]);
});
afterAll(() => app.close());

/** An administration with a customer, a tax code and some accounts, and without a result account. */
async function newShop(): Promise<TestAdministration> {
  const one = await app.addAdministration();
  await one.addRelation({ name: 'Bakkerij Jansen', customerNumber: 7 });
  await one.addTaxCode({ name: 'Hoog', percentage: '21', code: '21% - Hoog' });
  const accounts = ['1300', '1500', '1530', '1600', '4000', '8000', '8010'].map((number) => ({
    administration_id: one.administrationId,
    number,
    name: `Rekening ${number}`,
    fiscal_year: 2025n,
    ledger_type: number < '4' ? ('BalanceSheet' as const) : ('IncomeStatement' as const),
    debet_or_credit: 'debet' as const,
  }));
  await app.db.deleteFrom('ledger_account').where('administration_id', '=', one.administrationId).execute();
  await app.db.insertInto('ledger_account').values(accounts).execute();
  const columns = {
    debtor_account: '1300',
    creditor_account: '1600',
    vat_payable_account: '1500',
    vat_receivable_account: '1530',
    result_account: '',
  };
  await app.db.updateTable('administration').where('id', '=', one.administrationId).set(columns).execute();
  return one;
}

async function sellForTwoYears(one: TestAdministration): Promise<void> {
  await sell(one, '10-12-2025', [['8000', 100, 'Winkel']]);
  await sell(one, '15-02-2026', [
    ['8000', 200, 'Winkel'],
    ['8010', 50, ''],
    ['8000', 10, 'Markt'],
  ]);
}

/** Books a sales invoice with 21% tax on each line. */
async function sell(one: TestAdministration, date: string, lines: [account: string, euros: number, center: string][]) {
  const { status, text } = await one.post('/rest/addsalestransaction', {
    InvoiceDate: date,
    CustomerNumber: 7,
    Invoice_InvoiceLine: lines.map(([LedgerAccountNumber, euros, CostCenter]) => ({
      Description: 'Brood',
      TaxCode: '21% - Hoog',
      SubTotalInclTax: (euros * 1.21).toFixed(2),
      LedgerAccountNumber,
      CostCenter,
    })),
  });
  expect([status, text]).toEqual([200, expect.any(String)]);
}

const client = () => createLedgerClient({ base: app.url, credential: shop.credential, fetch });

describe('balances', () => {
  it('are the opening of the fiscal year, what was booked, and the closing, of each account', async () => {
    const { from, to, balances } = await client().balances({ from: '2026' });
    expect([from, to]).toEqual(['2026-01-01', '2026-12-31']);
    const rows = balances.map((row) => [
      row.number,
      row.name,
      row.type,
      row.opening,
      row.debit,
      row.credit,
      row.closing,
    ]);
    expect(rows).toEqual([
      ['', '', 'BalanceSheet', '-100', '0', '0', '-100'],
      ['1300', 'Rekening 1300', 'BalanceSheet', '121', '314.6', '0', '435.6'],
      ['1500', 'Rekening 1500', 'BalanceSheet', '-21', '0', '54.6', '-75.6'],
      ['8000', 'Rekening 8000', 'IncomeStatement', '0', '0', '210', '-210'],
      ['8010', 'Rekening 8010', 'IncomeStatement', '0', '0', '50', '-50'],
    ]);
    const { text } = await shop.get('/ledger/balances?from=2026');
    expect(text).toContain('"opening":121.00,');
  });

  it('end where the period ends, and begin with its fiscal year when no beginning is named', async () => {
    const closing = async (query: string) => {
      const { json } = await shop.get(`/ledger/balances?${query}`);
      return json.balances.map((row: { number: string; closing: number }) => [row.number, row.closing]);
    };
    expect(await closing('to=2026-01')).toEqual([
      ['', -100],
      ['1300', 121],
      ['1500', -21],
    ]);
    expect(await closing('TO=2025-12-10')).toEqual([
      ['1300', 121],
      ['1500', -21],
      ['8000', -100],
    ]);
    expect(await closing('from=2026-Q1&to=2026-02-14')).toEqual([
      ['', -100],
      ['1300', 121],
      ['1500', -21],
    ]);
  });

  it('have a version that changes when something is booked, and only then', async () => {
    const version = async () => (await client().balances({ from: '2020' })).version;
    const before = await version();
    expect(await version()).toBe(before);
    const extra = await app.addAdministration();
    expect(
      (await createLedgerClient({ base: app.url, credential: extra.credential, fetch }).balances()).balances,
    ).toEqual([]);
    expect(await version()).toBe(before);
    await sell(shop, '01-01-2019', [['8000', 1, '']]);
    expect(await version()).not.toBe(before);
  });
});

describe('entries', () => {
  const lines = async (query: string) => {
    const { json } = await shop.get(`/ledger/entries?${query}`);
    return json.lines.map((line: Record<string, unknown>) => [
      line.date,
      line.account,
      line.debit,
      line.credit,
      line.costCenter,
    ]);
  };

  it('are lines with what their entry, their relation and their document say', async () => {
    const { json } = await shop.get('/ledger/entries?from=2025-12&to=2025-12&account=1500&account=8*');
    expect(json.next).toBeNull();
    expect(json.lines).toHaveLength(2);
    const [relation] = (await shop.get('/rest/listrelations')).json;
    const invoice = (await shop.get('/rest/listsalesinvoices')).json.find(
      (one: { InvoiceDate: string }) => one.InvoiceDate === '10-12-2025',
    );
    const shared = {
      entry: json.lines[0].entry,
      journal: 'sales',
      entryNumber: '',
      date: '2025-12-10',
      description: `${invoice.InvoiceNumber} Bakkerij Jansen`,
      relationGUID: relation.RelationGUID,
      relationName: 'Bakkerij Jansen',
      document: String(invoice.InvoiceNumber),
      debit: 0,
    };
    expect(json.lines).toEqual([
      {
        ...shared,
        account: '8000',
        accountName: 'Rekening 8000',
        credit: 100,
        costCenter: 'Winkel',
        taxCode: '',
        taxBase: 0,
        taxAmount: 0,
      },
      {
        ...shared,
        account: '1500',
        accountName: 'Rekening 1500',
        credit: 21,
        costCenter: '',
        taxCode: '21% - Hoog',
        taxBase: -100,
        taxAmount: -21,
      },
    ]);
  });

  it('are found by account, range, relation, document, entry and period', async () => {
    expect(await lines('account=8000:8009&from=2026')).toEqual([
      ['2026-02-15', '8000', 0, 200, 'Winkel'],
      ['2026-02-15', '8000', 0, 10, 'Markt'],
    ]);
    expect(await lines('account=9*')).toEqual([]);
    const { json } = await shop.get('/ledger/entries?from=2026&account=1300');
    const [{ relationGUID, document, entry }] = json.lines;
    expect(await lines(`relation=${relationGUID}&document=${document}&account=8010`)).toEqual([
      ['2026-02-15', '8010', 0, 50, ''],
    ]);
    expect(await lines('relation=1&account=8010')).toEqual([]);
    const ofDocument = await lines(`document=${document}`);
    expect(ofDocument.length).toBeGreaterThan(2);
    expect(await lines(`entry=${entry}`)).toEqual(ofDocument);
    expect(await lines('entry=1&account=9*')).toEqual([]);
  });

  it('come in pages, each line once, also when something is booked before and after meanwhile', async () => {
    const all = (await shop.get('/ledger/entries?limit=2000&from=2025&to=2026')).json.lines;
    const paged: unknown[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = await shop.get(`/ledger/entries?limit=2&from=2025&to=2026&after=${encodeURIComponent(next)}`);
      paged.push(...page.json.lines);
      next = page.json.next;
      if (paged.length === 2) await sell(shop, '01-01-2025', [['8000', 1, '']]);
    }
    expect(paged).toEqual(all);
    const pages = await Array.fromAsync(client().entries({ accounts: ['8000'], from: '2026', to: '2026' }));
    expect(pages.flat().map(({ credit }) => credit)).toEqual(['200', '10']);
  });
});

describe('figures', () => {
  let one: TestAdministration;
  const ledger = () => createLedgerClient({ base: app.url, credential: one.credential, fetch });
  beforeAll(async () => {
    one = await newShop();
    await sellForTwoYears(one);
  });

  it('of several periods and days come together, in the order of the query', async () => {
    const figures = await ledger().figures({
      periods: [{ to: '2026' }, { from: '2026-Q1', to: '2026-02-14' }, { from: '2026', to: '2025' }, { to: '2025-12' }],
      open: ['2026-02-14', '2024', '2026'],
    });
    expect(figures.accounts.map(({ number, name }) => `${number} ${name}`)).toEqual(
      ['1300', '1500', '1530', '1600', '4000', '8000', '8010'].map((number) => `${number} Rekening ${number}`),
    );
    const rows = figures.periods.map(({ isBackwards, figures: list }) => [
      isBackwards,
      list.map(({ number, debit, credit, closing }) => [number, debit, credit, closing].join(' ')),
    ]);
    expect(rows).toEqual([
      [false, [' 0 0 -100', '1300 314.6 0 435.6', '1500 0 54.6 -75.6', '8000 0 210 -210', '8010 0 50 -50']],
      [false, [' 0 0 -100', '1300 0 0 121', '1500 0 0 -21']],
      [true, []],
      [false, ['1300 121 0 121', '1500 0 21 -21', '8000 0 100 -100']],
    ]);
    const [relation] = (await one.get('/rest/listrelations')).json;
    const { RelationGUID: relationGUID, CustomerNumber: customerNumber } = relation;
    expect(figures.open.map(({ relations }) => relations)).toEqual(
      ['121', '0', '435.6'].map((amount) => [
        { relationGUID: String(relationGUID), customerNumber, supplierNumber: null, name: 'Bakkerij Jansen', amount },
      ]),
    );
    expect(figures.version).toBe((await ledger().balances()).version);
  });

  it('of nothing are the accounts and the version', async () => {
    const { periods, open, accounts, version, bookable } = await ledger().figures({});
    expect([periods, open, accounts.length, version]).toEqual([[], [], 7, expect.stringMatching(/^\d+$/)]);
    expect(bookable).toEqual({ first: '1970-01-01', last: '2199-12-31' });
  });

  it('say on which days entries can be booked', async () => {
    const shop = await newShop();
    const books = app.db.updateTable('administration').where('id', '=', shop.administrationId);
    await books.set({ first_booking_date: '2024-01-01', closed_until: '2025-12-31' }).execute();
    const { bookable } = await createLedgerClient({ base: app.url, credential: shop.credential, fetch }).figures({});
    expect(bookable).toEqual({ first: '2026-01-01', last: '2199-12-31' });
  });

  it('say that there is no such day in books that are closed for good', async () => {
    const shop = await newShop();
    const books = app.db.updateTable('administration').where('id', '=', shop.administrationId);
    await books.set({ closed_until: '9999-12-31' }).execute();
    const { bookable } = await createLedgerClient({ base: app.url, credential: shop.credential, fetch }).figures({});
    expect(bookable).toEqual({ first: '9999-12-31', last: '2199-12-31' });
  });
});

describe('open items', () => {
  it('are the documents of relations that are open at the end of a day, with their due dates', async () => {
    const one = await newShop();
    await sellForTwoYears(one);
    const invoices = app.db.updateTable('sales_invoice').where('administration_id', '=', one.administrationId);
    await invoices.where('date', '=', '2025-12-10').set({ due_date: '2026-01-09' }).execute();
    const { json } = await one.get('/ledger/openitems?at=2026-02-14');
    const listed = (await one.get('/rest/listsalesinvoices')).json as { InvoiceDate: string; InvoiceNumber: number }[];
    const [first, second] = ['10-12-2025', '15-02-2026'].map((date) =>
      String(listed.find(({ InvoiceDate }) => InvoiceDate === date)!.InvoiceNumber),
    );
    const [relation] = (await one.get('/rest/listrelations')).json;
    const item = {
      relationGUID: relation.RelationGUID,
      customerNumber: 7,
      supplierNumber: null,
      relationName: 'Bakkerij Jansen',
      account: '1300',
      document: first,
      date: '2025-12-10',
      dueDate: '2026-01-09',
      salesInvoice: first,
      debit: 121,
      credit: 0,
      open: 121,
    };
    expect(json).toEqual({
      at: '2026-02-14',
      items: [item],
      controls: [{ account: '1300', name: 'Rekening 1300', balance: 121 }],
      next: null,
    });
    const ledger = createLedgerClient({ base: app.url, credential: one.credential, fetch });
    const [later] = await Array.fromAsync(ledger.openItems({ at: '2026', relation: String(relation.RelationGUID) }));
    expect(later!.items.map(({ document, dueDate, open }) => [document, dueDate, open])).toEqual([
      [first, '2026-01-09', '121'],
      [second, null, '314.6'],
    ]);
    const nobody = await Array.fromAsync(ledger.openItems({ at: '2026', relation: '1' }));
    expect(nobody.map(({ items, controls }) => [items, controls.map(({ balance }) => balance)])).toEqual([
      [[], ['435.6']],
    ]);
  });

  it('of several entries are due on the latest day of their invoices, whichever they are', async () => {
    const one = await newShop();
    await sellForTwoYears(one);
    const invoices = await app.db
      .selectFrom('sales_invoice')
      .where('administration_id', '=', one.administrationId)
      .orderBy('date')
      .select(['id', 'number', 'date'])
      .execute();
    const [first, second] = invoices.map(({ number }) => String(number)) as [string, string];
    for (const { id, date } of invoices) {
      const due_date = date === '2025-12-10' ? '2026-03-31' : '2026-03-01';
      await app.db.updateTable('sales_invoice').where('id', '=', id).set({ due_date }).execute();
    }
    const { relation_id } = await app.db
      .selectFrom('sales_invoice')
      .where('id', '=', invoices[0]!.id)
      .select('relation_id')
      .executeTakeFirstOrThrow();
    await addBooks(app.db, one.administrationId, {
      startMonth: 1,
      openings: [],
      entries: ['2026-01-02', '2026-01-03'].map((date) => ({
        date,
        lines: [
          { ledger_account_number: '1300', amount: -10_00n, relation_id, document: first },
          { ledger_account_number: '8000', amount: 10_00n },
        ],
      })),
    });
    const lines = app.db.updateTable('journal_line').where('administration_id', '=', one.administrationId);
    await lines.where('document', '=', second).set({ document: first }).execute();
    const { json } = await one.get('/ledger/openitems?at=2026');
    expect(json.items).toEqual([
      expect.objectContaining({
        ...{ document: first, date: '2025-12-10', dueDate: '2026-03-31', salesInvoice: second },
        ...{ debit: 435.6, credit: 20, open: 415.6 },
      }),
    ]);
    const before = await one.get('/ledger/openitems?at=2026-01-02');
    expect(before.json.items).toEqual([
      expect.objectContaining({ dueDate: '2026-03-31', salesInvoice: first, open: 111 }),
    ]);
  });

  it('of a relation with many come in pages, in which each is once', async () => {
    const one = await newShop();
    await sellForTwoYears(one);
    const all = await one.get('/ledger/openitems?at=2026');
    expect(all.json.items.length).toBeGreaterThan(1);
    const found = [];
    let after: string | null = '';
    while (after !== null) {
      const mark: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const { json } = await one.get(`/ledger/openitems?at=2026&limit=1${mark}`);
      expect(json.items).toHaveLength(1);
      found.push(...json.items);
      after = json.next;
    }
    expect(found).toEqual(all.json.items);
  });

  it.each([
    'x',
    '["1"]',
    '["1","2026-01-01","1300"]',
    '["1","2026-01-01","1300",5]',
    '["1","a","b","c","d"]',
    String.raw`["1","2026-01-01","1300","a\u0000"]`,
    String.raw`["1","2026-01-01","1300","a\ud800"]`,
  ])('after %s, which is no end of a page, are refused', async (after) => {
    const one = await newShop();
    const { status, json } = await one.get(`/ledger/openitems?after=${encodeURIComponent(after)}`);
    expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining('after: expected')]);
  });

  it('come in pages of relations', async () => {
    const one = await newShop();
    for (let number = 100; number < 360; number++)
      await one.addRelation({ name: `Klant ${number}`, customerNumber: number });
    for (const number of [100, 359]) {
      const { status } = await one.post('/rest/addsalestransaction', {
        InvoiceDate: '15-02-2026',
        CustomerNumber: number,
        Invoice_InvoiceLine: [
          { Description: 'Brood', TaxCode: '21% - Hoog', SubTotalInclTax: '12.10', LedgerAccountNumber: '8000' },
        ],
      });
      expect(status).toBe(200);
    }
    const ledger = createLedgerClient({ base: app.url, credential: one.credential, fetch });
    const pages = await Array.fromAsync(ledger.openItems({ at: '2026' }));
    expect(pages.map(({ items }) => items.map(({ customerNumber }) => customerNumber))).toEqual([[100], [359]]);
  });
});

describe('a period that ends on the last day of all', () => {
  it.each([
    'balances?from=2026-01-01&to=9999-12-31',
    'balances?from=9999',
    'balances?to=9999-Q4',
    'entries?from=2026&to=9999-12',
    'figures?period=..9999-12-31&open=9999-12-31',
    'openitems?at=9999-12-31',
  ])('%s is answered', async (target) => {
    expect((await shop.get(`/ledger/${target}`)).status).toBe(200);
  });
});

describe('a refused query', () => {
  it.each([
    [
      'balances?from=2026-13',
      'from: expected a fiscal year as 2026, a quarter as 2026-Q1, a month as 2026-03 or a day',
    ],
    [
      'balances?from=2026&to=2025',
      'to: expected a period that ends on 2026-01-01 or later, got one that ends on 2025-12-31',
    ],
    ['entries?from=2026&to=2025', 'to: expected a period that ends on 2026-01-01 or later'],
    ['entries?after=7', 'after: expected what the page before has as next'],
    ['entries?relation=x', 'relation: expected'],
    [
      'figures?period=..2026&period=2026',
      'period[1]: expected two periods as 2026-01..2026-Q1, or one as ..2026, got "2026"',
    ],
    ['figures?period=2026..2026-13', 'period[0]: expected a fiscal year as 2026'],
    ['figures?period=2026..', 'period[0]: expected a fiscal year as 2026'],
    ['figures?period=1..2..3', 'period[0]: expected two periods'],
    ['figures?open=2026&open=x', 'open[1]: expected a fiscal year as 2026'],
    [`figures?${'period=..2026&'.repeat(26)}`, 'period: expected a list of at most 25, got 26'],
    [`figures?open=${'2'.repeat(31)}`, 'open[0]: expected'],
    ['openitems?at=2026-13', 'at: expected a fiscal year as 2026'],
    ['openitems?after=x', 'after: expected'],
    ['openitems?relation=x', 'relation: expected'],
  ])('%s names the parameter and what was expected', async (target, message) => {
    const { json, status } = await shop.get(`/ledger/${target}`);
    expect([status, json.errorMessage]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each([
    ['balances', []],
    ['entries', []],
    ['figures', []],
    ['openitems', []],
    ['auditfile', ['year']],
  ])('for %s is described with the parameters that it cannot do without', async (name, needed) => {
    const { parameters } = (await shop.get('/rest/openapi.json')).json.paths[`/ledger/${name}`].get;
    expect(parameters.flatMap((one: { name: string; required?: boolean }) => (one.required ? one.name : []))).toEqual(
      needed,
    );
    const { status, json } = await shop.get(`/ledger/${name}`);
    const refused = status === 400 ? json.errors.map(({ path }: { path: string }) => path) : [];
    expect([status, refused]).toEqual([needed.length === 0 ? 200 : 400, needed]);
  });

  it.each([
    ['entries', 'account', ['4000', '8000']],
    ['figures', 'period', ['..2025', '..2026']],
    ['figures', 'open', ['2025', '2026']],
  ])('for %s is described as one of any number of values of %s, and takes two', async (name, parameter, values) => {
    const { parameters } = (await shop.get('/rest/openapi.json')).json.paths[`/ledger/${name}`].get;
    const {
      schema,
      style = 'form',
      explode = style === 'form',
    } = parameters.find((one: { name: string }) => one.name === parameter);
    expect([schema, explode]).toEqual([{ type: 'array', items: { type: 'string' } }, true]);
    const query = values.map((value) => `${parameter}=${value}`).join('&');
    expect((await shop.get(`/ledger/${name}?${query}`)).status).toBe(200);
  });

  it('of a wrong credential is unauthorized', async () => {
    const wrong = createLedgerClient({ base: app.url, credential: { ...shop.credential, apiKey: 'x' }, fetch });
    await expect(wrong.balances()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

it('a remote administration has no ledger, and says so', async () => {
  const service = await startScriptedService();
  const remote = openRemote(service.url);
  const { http } = functionsOf(async () => ({ administrations: remote }), { pages: '' });
  const { url, close } = await listen(createHost(http, () => {}));
  onTestFinished(async () => {
    close();
    await remote.close();
    await service.close();
  });
  service.play({ body: '[]' });
  const ledger = createLedgerClient({ base: url, credential, fetch });
  const refusal = { code: 'NOT_IMPLEMENTED', message: 'The service behind this one has no ledger that can be read.' };
  await expect(ledger.balances()).rejects.toMatchObject(refusal);
  await expect(ledger.entries().next()).rejects.toMatchObject(refusal);
  await expect(ledger.figures({})).rejects.toMatchObject(refusal);
  await expect(ledger.openItems().next()).rejects.toMatchObject(refusal);
});
