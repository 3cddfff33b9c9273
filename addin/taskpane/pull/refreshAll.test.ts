import { beforeEach, describe, expect, it } from 'vitest';
import { type Client, Unreachable } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { salesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { defaultRetry } from '../../excel/batch.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { messagesOf } from '../locales/messages.ts';
import { accounts } from '../pulledLists/accounts.ts';
import { askedText } from '../pulledLists/askedText.ts';
import { taxCodes } from '../pulledLists/taxCodes.ts';
import { isStale } from './isStale.ts';
import { pullInvoices, pullList, type RefreshContext } from './pulls.ts';
import { type AllProgress, refreshAll } from './refreshAll.ts';

/* All sheets of a simulated workbook, refreshed from one service. */

let excel: TestWorkbook;
/** The requests since the sheets were made, and what the service answers. */
let asked: string[];
let accountNames: string[];
let failing: Partial<Record<string, Error>>;

const account = (name: string, place: number) => ({
  Number: `0${place}00`,
  Name: name,
  FiscalYear: '2026',
  LedgerType: 'BalanceSheet',
  Countrycode: 'NL',
  DebetOrCredit: 'debet',
});
const taxCode = { TaxCode: 'H', TaxName: 'High', TaxPc: '21.0', TaxType: 'Sales', VatInclusive: 'False' };
const invoice = salesInvoice.parse({
  InvoiceNumber: '1',
  InvoiceDate: '05-01-2026',
  InvoiceType: 'INVOICING',
  Invoice_InvoiceLine: [
    {
      Description: 'A line',
      ProductNumber: 'A1',
      Quantity: '1.00000000',
      SubTotalInclTax: 3.73,
      UnitPriceExclTax: 1,
      ProductEAN: '',
      LedgerAccountNumber: '0800',
      TaxPc: '21.0',
    },
  ],
});

const answers: Record<string, () => unknown[]> = {
  listledgeraccounts: () => accountNames.map(account),
  listtaxcodes: () => [taxCode],
  listsalesinvoices: () => [invoice],
};
const client = Object.fromEntries(
  Object.entries(answers).map(([name, rows]) => [
    name,
    async ({ Offset = 0 }: { Offset?: number } = {}) => {
      asked.push(name);
      if (failing[name] !== undefined) throw failing[name];
      return Offset > 0 ? [] : rows();
    },
  ]),
) as unknown as Client;

const context: RefreshContext = {
  client,
  ledger: noLedger,
  vat: noVat,
  exports: { list: async () => [], async *relations() {} },
  messages: messagesOf.en,
  administration: { id: 'c1', label: 'Bakkerij Jansen' },
};

beforeEach(async () => {
  excel = openTestWorkbook();
  [asked, failing, accountNames] = [[], {}, ['Cash', 'Bank']];
  await pullList(context, accounts, {});
  await pullList(context, taxCodes, {});
  await pullInvoices(context, { WithLines: 'true' });
  await Excel.run(async (request) => {
    request.workbook.worksheets.getItem('Sheet1').activate();
    await request.sync();
  });
  asked = [];
});

describe('Refreshing all sheets', () => {
  it('asks every question once, and leaves the active sheet', async () => {
    accountNames = ['Cash', 'Post', 'Savings'];
    const progress: AllProgress[] = [];
    const result = await refreshAll({ ...context, onFetched: (one) => progress.push(one) }, await tablesInWorkbook());
    expect(result).toMatchObject({
      refreshed: [
        { sheetName: 'Ledger accounts', added: 1, changed: 1, removed: 0 },
        { sheetName: 'Tax codes', added: 0 },
        { sheetName: 'Sales invoices', added: 0 },
        { sheetName: 'Invoice lines', added: 0 },
      ],
      failed: [],
      left: [],
    });
    expect(asked.filter((name) => name === 'listsalesinvoices').length).toBeLessThanOrEqual(2);
    expect(
      new Set(progress.map(({ question }) => `${question.place} of ${question.all}: ${question.sheetName}`)),
    ).toEqual(new Set(['1 of 3: Ledger accounts', '2 of 3: Tax codes', '3 of 3: Sales invoices']));
    expect(excel.workbook.active.name).toBe('Sheet1');
  });

  it('goes on after a sheet that fails, and leaves that one as it was', async () => {
    const before = excel.cells('Tax codes');
    failing = { listtaxcodes: new Problem('REMOTE_FAILED', 'The service is down.') };
    accountNames = ['Cash'];
    const result = await refreshAll(context, await tablesInWorkbook());
    expect(result.refreshed.map(({ sheetName }) => sheetName)).toEqual([
      'Ledger accounts',
      'Sales invoices',
      'Invoice lines',
    ]);
    expect(result.failed).toEqual([{ sheetName: 'Tax codes', error: failing.listtaxcodes }]);
    expect(excel.cells('Tax codes')).toEqual(before);
  });

  it('stops when nothing is reached, and names the sheets that are left', async () => {
    failing = { listtaxcodes: new Unreachable('no network') };
    const result = await refreshAll(context, await tablesInWorkbook());
    expect(result.refreshed).toHaveLength(1);
    expect(result.failed).toMatchObject([{ sheetName: 'Tax codes' }]);
    expect(result.left).toEqual(['Sales invoices', 'Invoice lines']);
    expect(asked).not.toContain('listsalesinvoices');
  });

  it('says what was refreshed before it was cancelled', async () => {
    const stop = new AbortController();
    const result = await refreshAll(
      {
        ...context,
        retry: { ...defaultRetry, signal: stop.signal },
        onFetched: ({ question }) => question.place === 2 && stop.abort(),
      },
      await tablesInWorkbook(),
    );
    expect(result.refreshed.map(({ sheetName }) => sheetName)).toEqual(['Ledger accounts']);
    expect([result.failed, result.left]).toEqual([[], ['Tax codes', 'Sales invoices', 'Invoice lines']]);
  });
});

describe('A sheet in the list of the start page', () => {
  it.each([
    ['2026-03-01T08:00:00Z', undefined, {}, false],
    // Half past twelve at night in Amsterdam is still the day before in UTC.
    ['2026-02-28T23:30:00Z', undefined, {}, false],
    ['2026-02-28T22:30:00Z', undefined, {}, true],
    ['2026-03-01T08:00:00Z', '2026-02-27T02:00:00Z', {}, true],
    ['2026-01-01T08:00:00Z', '2026-01-01T02:00:00Z', { date: '2026-01-01' }, false],
  ])('pulled %s with data of %s for %j is stale: %s', (pulledAt, dataAt, query, expected) => {
    const memory = { view: 'relations', endpoint: 'exports', administration: context.administration, query, pulledAt };
    const now = new Date('2026-03-01T12:00:00Z');
    const rest = { tableId: '1', columns: [], keys: [], ...(dataAt === undefined ? {} : { dataAt }) };
    expect(isStale({ ...memory, ...rest }, now)).toBe(expected);
  });

  it('says what it asks for in the words of its filters', () => {
    const inWords = (view: string, query: Record<string, string>, language: 'en' | 'nl' = 'en') =>
      askedText({ view, query }, messagesOf[language]);
    expect(inWords('invoices', { Period: 'lastQuarter', OpenOnly: 'true' })).toBe('Period: last quarter · Open only');
    expect(inWords('accounts', { FiscalYear: '2025', LedgerType: 'BalanceSheet' }, 'nl')).toBe(
      'Boekjaar: 2025 · Rekeningen: Balans',
    );
    expect(inWords('ageing', { CountedTo: '2026-02-28' })).toBe('Days overdue are counted to 28-02-2026.');
    expect(inWords('taxCodes', {})).toBe('');
  });
});
