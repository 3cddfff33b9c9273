import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import type { LedgerAccount } from '../../../shared/resources/ledgerAccount.ts';
import { type SalesInvoice, salesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { defaultRetry, inWorkbook } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { messagesOf } from '../locales/messages.ts';
import { articlesOnInvoices, makeProductSheet } from '../productSheet/makeProductSheet.ts';
import { readPasted, rowsFromPasted } from '../productSheet/pastedRows.ts';
import { accounts } from '../pulledLists/accounts.ts';
import { type PullContext, pullInvoices, pullList, type RefreshContext, refreshPull } from './pulls.ts';

/*
 * The pulls of the views, in a simulated workbook under Microsoft's own client.
 */

const messages = messagesOf.en;
const administration = { id: 'c1', label: 'Bakkerij Jansen' };

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

const clientOf = (functions: Partial<Record<keyof Client, (request: never) => Promise<unknown>>>): Client =>
  functions as unknown as Client;

const contextOf = (client: Client, more: Partial<PullContext> = {}): PullContext => ({
  client,
  ledger: noLedger,
  vat: noVat,
  messages,
  administration,
  ...more,
});

const noExports: RefreshContext['exports'] = { list: async () => [], async *relations() {} };

const account = (number: string, name: string): LedgerAccount => ({
  Number: number,
  Name: name,
  FiscalYear: '2026',
  LedgerType: 'BalanceSheet',
  Countrycode: 'NL',
  DebetOrCredit: 'debet',
});

const invoice = (number: string, more: object = {}): SalesInvoice =>
  salesInvoice.parse({
    InvoiceNumber: number,
    InvoiceDate: '05-01-2026',
    InvoiceDueDate: '',
    CustomerNumber: 12,
    CustomerName: '=Klant',
    InvoiceTotalExclTax: 100,
    InvoiceTotalInclTax: '121.00',
    InvoiceTaxAmount: 21,
    InvoiceType: 'INVOICING',
    InvoiceIsSent: 'True',
    Invoice_Contact: [{ ContactType: 'Invoice', FirstName: 'Jo', LastName: 'Pieters', Email: 'jo@example.com' }],
    Invoice_Address: [
      { AddressType: 'ShippingAddress', Address_City: 'Gent', Address_CountryCode: 'BE' },
      {
        AddressType: 'InvoiceAddress',
        Address_Street: 'Dam',
        Address_Unit: '1',
        Address_UnitAppendix: 'a',
        Address_City: 'Amsterdam',
      },
    ],
    ...more,
  });

const line = (ProductNumber: string, more: object = {}) => ({
  Description: `About ${ProductNumber}`,
  ProductNumber,
  ProductEAN: '8712345678901',
  Quantity: '2.50000000',
  UnitPriceExclTax: 1.2345,
  SubTotalInclTax: 3.73,
  TaxPc: '21.0',
  LedgerAccountNumber: '0800',
  ...more,
});

/** A service with invoices, which pages as the interface does. */
const invoicesOf = (invoices: readonly SalesInvoice[]) => {
  const asked: Record<string, unknown>[] = [];
  const listsalesinvoices = async (request: { Offset?: number; Limit?: number }) => {
    asked.push(request);
    const { Offset = 0, Limit = 100 } = request;
    return invoices.slice(Offset, Offset + Limit);
  };
  return { asked, client: clientOf({ listsalesinvoices }) };
};

/** The cells of a column, without its heading. */
const column = (sheet: string, heading: string): Cell[] => {
  const [headings, ...rows] = excel.cells(sheet);
  const index = headings!.indexOf(heading);
  if (index < 0) throw new Error(`${sheet} has no column ${heading}: ${headings}`);
  return rows.map((cells) => cells[index]!);
};

describe('Ledger accounts', () => {
  it('are brought in again when their table was converted to a range', async () => {
    const context = contextOf(clientOf({ listledgeraccounts: async () => [account('0100', 'Cash')] }));
    await pullList(context, accounts, {});
    await Excel.run(async (context) => {
      context.workbook.tables.getItemAt(0).convertToRange();
      await context.sync();
    });
    expect(await tablesInWorkbook()).toEqual([]);
    expect((await pullList(context, accounts, {}))[0]).toMatchObject({ sheetName: 'Ledger accounts (2)', added: 1 });
    expect((await pullList(context, accounts, {}))[0]).toMatchObject({ sheetName: 'Ledger accounts (2)', added: 0 });
  });

  it('are brought in again, and leave the table that the user has in place of theirs', async () => {
    const context = contextOf(clientOf({ listledgeraccounts: async () => [account('0100', 'Cash')] }));
    await pullList(context, accounts, {});
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getItem('Ledger accounts');
      sheet.tables.getItemAt(0).delete();
      sheet.getRange('B2:C4').values = [
        ['Budget', 'Name'],
        ['4000', 'Salaries'],
        ['4100', 'Rent'],
      ];
      sheet.tables.add('B2:C4', true);
      await context.sync();
    });
    const before = excel.cells('Ledger accounts');
    expect((await pullList(context, accounts, {}))[0]).toMatchObject({ sheetName: 'Ledger accounts (2)', added: 1 });
    expect(excel.cells('Ledger accounts')).toEqual(before);
  });

  it('are written to a sheet with their numbers as text', async () => {
    const listed = [account('0100', '=HYPERLINK("x")'), account('0200', '-Bank'), account('4000', "'t Loon")];
    await pullList(contextOf(clientOf({ listledgeraccounts: async () => listed })), accounts, {});
    expect(column('Ledger accounts', 'Number')).toEqual(['0100', '0200', '4000']);
    expect(column('Ledger accounts', 'Name')).toEqual(['=HYPERLINK("x")', '-Bank', "'t Loon"]);
  });

  it('are requested by year and type, and with the same query by a refresh', async () => {
    const asked: unknown[] = [];
    const client = clientOf({
      listledgeraccounts: async (request: unknown) => {
        asked.push(request);
        return [account('0100', 'Bank')];
      },
    });
    const question = { FiscalYear: '2025', LedgerType: 'BalanceSheet' };
    await pullList(contextOf(client), accounts, question);
    const [table] = await tablesInWorkbook();
    await refreshPull({ ...contextOf(client), exports: noExports }, table!.memory);
    expect(asked).toEqual([question, question]);
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Ledger accounts 2025']);
  });

  it('change nothing in the workbook when the service refuses them', async () => {
    const client = clientOf({
      listledgeraccounts: async () => {
        throw new Problem('UNAUTHORIZED', 'x');
      },
    });
    await expect(pullList(contextOf(client), accounts, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
  });
});

describe('Sales invoices', () => {
  it('are written with the right kind of cell for every field', async () => {
    await pullInvoices(contextOf(invoicesOf([invoice('20260001', { InvoiceOutstandingAmount: '0E-8' })]).client), {});
    const row = Object.fromEntries(
      excel.cells('Sales invoices')[0]!.map((heading) => [heading, column('Sales invoices', String(heading))[0]]),
    );
    expect(row).toMatchObject({
      'Invoice number': '20260001',
      'Invoice date': 46_027,
      'Due date': '',
      'Customer number': '12',
      Customer: '=Klant',
      'Total excl. VAT': 100,
      'Total incl. VAT': 121,
      Outstanding: 0,
      Sent: true,
      Contact: 'Jo Pieters',
      'Billing street': 'Dam 1a',
      'Billing city': 'Amsterdam',
      'Delivery city': 'Gent',
      'Delivery country': 'BE',
    });
  });

  it('keep numbers of more than 15 digits', async () => {
    await pullInvoices(contextOf(invoicesOf([invoice('90071992547409931')]).client), {});
    expect(column('Sales invoices', 'Invoice number')).toEqual(['90071992547409931']);
  });

  it('of several pages are all written, and their lines on a second sheet', async () => {
    const invoices = Array.from({ length: 130 }, (_, index) =>
      invoice(String(1000 - index), {
        Invoice_InvoiceLine: [line('0010'), line('P-2', { Quantity: -1 })].slice(index % 2),
      }),
    );
    const { asked, client } = invoicesOf(invoices);
    const question = { DateFrom: '2026-01-01', DateTill: '2026-12-31', WithLines: 'true' } as const;
    const written = await pullInvoices(contextOf(client), question);
    expect(written.map(({ sheetName, rows }) => [sheetName, rows])).toEqual([
      ['Sales invoices 2026', 130],
      ['Invoice lines 2026', 195],
    ]);
    expect(asked[0]).toMatchObject({
      InlcudeInvoiceLinesInResponse: true,
      DateFrom: '01-01-2026',
      DateTill: '31-12-2026',
    });
    expect(asked.map(({ Offset }) => Offset)).toEqual([0, 49, 98, 129]);
    expect(column('Sales invoices 2026', 'Invoice number')).toEqual(invoices.map(({ InvoiceNumber }) => InvoiceNumber));
    expect(column('Invoice lines 2026', 'Line').slice(0, 4)).toEqual([1, 2, 1, 1]);
    expect(column('Invoice lines 2026', 'Article number').slice(0, 3)).toEqual(['0010', 'P-2', 'P-2']);
    expect(column('Invoice lines 2026', 'Quantity').slice(0, 3)).toEqual([2.5, -1, -1]);
    expect(column('Invoice lines 2026', 'EAN')[0]).toBe('8712345678901');
    expect(excel.workbook.active.name).toBe('Sales invoices 2026');
  });

  it('without a number, or with 0, are all brought in and each stays in its row with the note beside it', async () => {
    const draft = (number: string | null, InvoiceReference: string, InvoiceTotalInclTax: number, more: object = {}) =>
      invoice(number as string, {
        InvoiceReference,
        InvoiceTotalInclTax,
        Invoice_InvoiceLine: [line(`P-${InvoiceReference}`, { SubTotalInclTax: InvoiceTotalInclTax })],
        ...more,
      });
    const drafts = [draft('0', 'A', 10), draft('0', 'B', 20), draft(null, 'C', 30), draft(null, 'D', 40)];
    const list = [draft('7', 'E', 50), ...drafts];
    const context = contextOf(invoicesOf(list).client);
    const question = { WithLines: 'true' };
    const shown = () => {
      const references = column('Sales invoices', 'Reference');
      const totals = column('Sales invoices', 'Total incl. VAT');
      return references.map((reference, row) => `${reference} ${totals[row]}`);
    };
    await pullInvoices(context, question);
    expect(shown()).toEqual(['E 50', 'A 10', 'B 20', 'C 30', 'D 40']);
    expect(column('Invoice lines', 'Article number')).toEqual(['P-E', 'P-A', 'P-B', 'P-C', 'P-D']);

    // One is gone, and one was booked.
    await inWorkbook(async ({ workbook }) => {
      const { columns } = workbook.worksheets.getItem('Sales invoices').tables.getItemAt(0);
      columns.add(undefined, [['Note'], [''], [''], ['of B'], [''], ['']]);
    });
    list.splice(0, 5, draft('8', 'D', 40), list[0]!, drafts[1]!, drafts[2]!);
    await pullInvoices(context, question);
    expect(shown()).toEqual(['E 50', 'B 20', 'C 30', 'D 40']);
    expect(column('Sales invoices', 'Note')).toEqual(['', 'of B', '', '']);
    expect(column('Invoice lines', 'Article number').toSorted()).toEqual(['P-B', 'P-C', 'P-D', 'P-E']);
  });

  it('leave no sheet when their pull is cancelled', async () => {
    const stop = new AbortController();
    const { client } = invoicesOf(Array.from({ length: 300 }, (_, index) => invoice(String(index))));
    const context = contextOf(client, {
      retry: { ...defaultRetry, signal: stop.signal },
      onFetched: ({ rows }) => rows > 100 && stop.abort(),
    });
    await expect(pullInvoices(context, {})).rejects.toMatchObject({ name: 'AbortError' });
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
  });

  it('make no sheet when there are none, and a refresh that empties a sheet says so', async () => {
    const nothing = invoicesOf([]).client;
    const none = { work: 'none', rows: 0 };
    expect(await pullInvoices(contextOf(nothing), { WithLines: 'true' }, {})).toMatchObject([
      { ...none, sheetName: 'Sales invoices' },
      { ...none, sheetName: 'Invoice lines' },
      { ...none, sheetName: 'Ageing' },
    ]);
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);

    // An invoice without lines.
    const [first, lines] = await pullInvoices(contextOf(invoicesOf([invoice('1')]).client), { WithLines: 'true' });
    expect([first, lines]).toMatchObject([{ work: 'made', rows: 1 }, none]);
    expect(await pullInvoices(contextOf(nothing), {})).toMatchObject([{ work: 'refreshed', rows: 0, removed: 1 }]);
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Sales invoices']);
    expect(column('Sales invoices', 'Invoice number').filter(String)).toEqual([]);
  });

  it('stay on their sheet when the lines of the same period are pulled later', async () => {
    const { client } = invoicesOf([invoice('1', { Invoice_InvoiceLine: [line('P1')] })]);
    await pullInvoices(contextOf(client), { DateFrom: '2026-01-01' });
    await pullInvoices(contextOf(client), { DateFrom: '2026-01-01', WithLines: 'true' });
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual([
      'Sheet1',
      'Sales invoices from 1-1-2026',
      'Invoice lines from 1-1-2026',
    ]);
  });

  it('of another administration are written to another sheet', async () => {
    const { client } = invoicesOf([invoice('1')]);
    await pullInvoices(contextOf(client), {});
    await pullInvoices(contextOf(client, { administration: { id: 'c2', label: 'Other' } }), {});
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1', 'Sales invoices', 'Sales invoices (2)']);
  });
});

describe('Codes and tags of the interface', () => {
  it('are written in the language of the user, and as plain text', async () => {
    const notes = { InvoiceNotes: '<p>Dank &amp; groet</p><ul><li>een</li></ul>', InvoiceType: 'BOOKKEEPING' };
    const { client } = invoicesOf([invoice('1', notes), invoice('2', { InvoiceType: 'NEW' })]);
    await pullInvoices(contextOf(client), {});
    expect(column('Sales invoices', 'Module')).toEqual(['Bookkeeping', 'NEW']);
    expect(column('Sales invoices', 'Notes')[0]).toBe('Dank & groet\n- een');
    const bank = clientOf({ listledgeraccounts: async () => [account('1', 'Bank')] });
    await pullList(contextOf(bank, { messages: messagesOf.nl }), accounts, {});
    expect(excel.cells('Grootboekrekeningen')[1]).toEqual(['1', 'Bank', '2026', 'Balans', 'Debet', 'NL']);
  });

  it('are read back in any language, so that a row keeps its note', async () => {
    const { client } = invoicesOf([invoice('1')]);
    await pullInvoices(contextOf(client), {});
    excel.type('Sales invoices', 1, 40, 'my own note');
    const module = excel.cells('Sales invoices')[0]!.indexOf('Module');
    excel.type('Sales invoices', 1, module, messagesOf.nl.codes.INVOICING);
    expect(await pullInvoices(contextOf(client), {})).toMatchObject([{ rows: 1, added: 0, changed: 1, removed: 0 }]);
    expect(column('Sales invoices', 'Module')).toEqual(['Invoicing']);
  });

  it('stay in the language of the sheet when another user refreshes it', async () => {
    const { client } = invoicesOf([invoice('1')]);
    await pullInvoices(contextOf(client, { messages: messagesOf.nl }), {});
    excel.type('Verkoopfacturen', 1, 40, 'my own note');
    const [written] = await pullInvoices(contextOf(client), {});
    expect(written).toMatchObject({ rows: 1, added: 0, changed: 0, removed: 0, retained: [] });
    expect(column('Verkoopfacturen', 'Module')).toEqual(['Facturatie']);
  });
});

describe('A workbook', () => {
  it('never contains a credential', async () => {
    const connection = { ...administration, username: 'jo@example.com', apiKey: 'SECRET-KEY', pushedBefore: false };
    const bank = clientOf({ listledgeraccounts: async () => [account('1', 'Bank')] });
    await pullList(contextOf(bank, { administration: connection }), accounts, {});
    const kept = excel.workbook.sheets.flatMap((sheet) => JSON.stringify([...sheet.customProperties.values()]));
    expect(kept.join()).toContain('Bakkerij Jansen');
    expect(kept.join()).not.toMatch(/SECRET-KEY|jo@example.com/);
  });
});

const SHEET = 'Products to change';
const type = (row: number, heading: string, text: string) =>
  excel.type(SHEET, row, excel.cells(SHEET)[0]!.indexOf(heading), text);

const named = (...articles: string[]) => articles.map((ArticleNumber) => ({ ArticleNumber }));

describe('A product sheet', () => {
  it('has pasted prices and quantities in their columns, as numbers, and blank lines in their place', async () => {
    const pasted = readPasted('0010\t12,50\t5\n\nP-2\t1.250,00\t-3\n');
    const { values } = rowsFromPasted(pasted, ['ArticleNumber', 'NewSalePrice', 'NewStockQty']);
    const made = await makeProductSheet(messages, administration, 'Relative', values);
    expect(made).toEqual({ sheetName: SHEET, products: 2, blank: 1, empty: 22, isPresentRead: false });
    expect(column(SHEET, 'Article number').slice(0, 4)).toEqual(['0010', '', 'P-2', '']);
    expect(column(SHEET, 'New sale price').slice(0, 4)).toEqual([12.5, '', 1250, '']);
    expect(column(SHEET, 'Stock quantity').slice(0, 4)).toEqual([5, '', -3, '']);
    expect(column(SHEET, 'Message').filter(Boolean)).toEqual([]);
  });

  it('has a row for each article number, as text, with the selected stock mode on every row', async () => {
    await makeProductSheet(messages, administration, 'Absolute', named('0010', 'P-2'));
    expect(column(SHEET, 'Article number').slice(0, 3)).toEqual(['0010', 'P-2', '']);
    expect(new Set(column(SHEET, 'Stock change'))).toEqual(new Set(['Absolute']));
    expect(column(SHEET, 'Stock change')).toHaveLength(25);
  });

  it('keeps the zeros of numbers typed below its rows', async () => {
    await makeProductSheet(messages, administration, 'Relative', []);
    type(200, 'Article number', '0123');
    type(200, 'EAN', '08712345678901');
    expect(column(SHEET, 'Article number')[199]).toBe('0123');
    expect(column(SHEET, 'EAN')[199]).toBe('08712345678901');
  });

  it('offers its words as a list', async () => {
    await makeProductSheet(messages, administration, 'Relative', []);
    const rules = excel.sheet(SHEET).validations.map(({ rule }) => rule);
    expect(rules).toEqual([
      { list: { inCellDropDown: true, source: 'Relative,Absolute' } },
      { list: { inCellDropDown: true, source: 'Yes,No' } },
      { list: { inCellDropDown: true, source: 'Yes,No' } },
    ]);
  });

  it('keeps a repeated article number in both rows, with a message', async () => {
    await makeProductSheet(messages, administration, 'Relative', named('A', 'B', 'A', 'C'));
    expect(column(SHEET, 'Article number').slice(0, 4)).toEqual(['A', 'B', 'A', 'C']);
    const twice = 'Rows 2 and 4 are for the same product. Keep one of them.';
    expect(column(SHEET, 'Message').slice(0, 5)).toEqual([twice, '', twice, '', '']);
  });

  it('can contain the articles of the pulled invoice lines', async () => {
    const invoices = [
      invoice('1', { Invoice_InvoiceLine: [line('P10'), line('P9'), line('')] }),
      invoice('2', { Invoice_InvoiceLine: [line('P9')] }),
    ];
    await pullInvoices(contextOf(invoicesOf(invoices).client), { WithLines: 'true' });
    expect(await articlesOnInvoices(administration)).toEqual(['P9', 'P10']);
    expect(await articlesOnInvoices({ id: 'x', label: 'Other' })).toEqual([]);
  });
});

describe('Two sheets with one question', () => {
  it('are both refreshed, as when their administrations turned out to be the same', async () => {
    let name = 'Cash';
    const client = clientOf({ listledgeraccounts: async () => [account('0100', name)] });
    const earlier = { id: 'c0', label: 'Jansen' };
    await pullList(contextOf(client, { administration: earlier }), accounts, {});
    await pullList(contextOf(client), accounts, {});
    name = 'Petty cash';
    const same = { ...administration, alsoKnownAs: ['c0'] };
    const [, second] = await tablesInWorkbook();
    const context = { ...contextOf(client, { administration: same }), exports: noExports };
    const written = await refreshPull(context, second!.memory);
    expect(written).toMatchObject([
      { work: 'refreshed', sheetName: 'Ledger accounts', changed: 1 },
      { work: 'refreshed', sheetName: 'Ledger accounts (2)', changed: 1 },
    ]);
    for (const sheetName of ['Ledger accounts', 'Ledger accounts (2)']) {
      expect(excel.cells(sheetName)[1]).toContain('Petty cash');
    }
  });
});
