import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type EndpointName, endpointOf } from '../../../shared/api.ts';
import type { Client } from '../../../shared/client/client.ts';
import { type MaterialBooking, materialBooking } from '../../../shared/resources/materialBooking.ts';
import { type Relation, relation } from '../../../shared/resources/relation.ts';
import { type SalesInvoice, salesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { type TaxCode, taxCode } from '../../../shared/resources/taxCode.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import type { Cell } from '../../excel/cell.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { messagesOf } from '../locales/messages.ts';
import { invoices } from '../pulledLists/invoices.ts';
import { lists } from '../pulledLists/lists.ts';
import { materialBookings } from '../pulledLists/materialBookings.ts';
import { relations } from '../pulledLists/relations.ts';
import { taxCodes } from '../pulledLists/taxCodes.ts';
import { type PullContext, pullList, type RefreshContext, refreshPull } from './pulls.ts';

/*
 * The lists that are pulled from their declarations, in a simulated workbook under Microsoft's own client.
 */

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

/** A service with rows, which pages, and the requests that it got without their paging. */
function service<Row>(endpoint: keyof Client, rows: readonly Row[]) {
  const requests: Record<string, unknown>[] = [];
  const paging = endpointOf(endpoint).paging;
  const list = async (request: Record<string, unknown>) => {
    if (paging === undefined) {
      requests.push(request);
      return rows;
    }
    const { [paging.offset]: offset, [paging.limit]: limit, ...question } = request;
    requests.push(question);
    return rows.slice(Number(offset), Number(offset) + Number(limit));
  };
  return { requests, client: { [endpoint]: list } as unknown as Client };
}

const contextOf = (client: Client, more: Partial<PullContext> = {}): RefreshContext => ({
  client,
  ledger: noLedger,
  vat: noVat,
  exports: { list: async () => [], async *relations() {} },
  messages: messagesOf.en,
  administration: { id: 'c1', label: 'Jansen' },
  ...more,
});

const sheets = () => excel.workbook.sheets.map(({ name }) => name).slice(1);
const refreshSheet = async (context: RefreshContext, sheet: string) => {
  const table = (await tablesInWorkbook()).find(({ sheetName }) => sheetName === sheet);
  return refreshPull(context, table!.memory);
};

/** The rows of a sheet, by their headings. */
const rowsOf = (sheet: string): Record<string, Cell>[] => {
  const [headings, ...rows] = excel.cells(sheet);
  return rows.map((cells) => Object.fromEntries(headings!.map((heading, at) => [String(heading), cells[at]!])));
};

describe('The declarations', () => {
  /** Parameters that are no filters: how a list is paged and sorted, and what comes with its rows. */
  const noFilters: Record<string, readonly string[]> = {
    relations: ['Limit', 'Offset', 'Sorting', 'SortDir'],
    invoices: ['Limit', 'Offset', 'InlcudeInvoiceLinesInResponse', 'IncludeBase64PDF'],
    materialBookings: ['limit', 'offset'],
  };

  const ofInterface = Object.values(lists).filter(({ endpoint }) => !endpoint.startsWith('/'));
  it.each(ofInterface)('have every filter that the interface has for $view', ({ view, endpoint, filters }) => {
    const parameters = Object.keys(endpointOf(endpoint as EndpointName).request.shape).filter(
      (name) => !(noFilters[view] ?? []).includes(name),
    );
    const offered = Object.entries(filters).flatMap(([name, { kind }]) =>
      kind === 'period' ? ['DateFrom', 'DateTill'] : kind === 'flag' ? [] : [name],
    );
    expect(offered.toSorted()).toEqual(parameters.toSorted());
  });

  it.each(Object.values(lists))('have the key columns of $view among its columns', ({ table, further }) => {
    for (const one of [table, ...Object.values(further).map((each) => each.table)]) {
      const keys = one.columnsIn(messagesOf.en).map(({ key }) => key);
      expect(keys).toEqual(expect.arrayContaining([...one.keys]));
      expect(one.keys.length).toBeGreaterThan(0);
    }
  });
});

describe('Tax codes', () => {
  const code = (TaxCode: string, TaxType: TaxCode['TaxType'], more: object = {}): TaxCode =>
    taxCode.parse({ TaxCode, TaxType, TaxPc: '21.0', Name: 'Hoog', TaxExempt: false, ...more });

  it('are pulled with their words, and refreshed by code and type together', async () => {
    const { client } = service('listtaxcodes', [code('Hoog 21', 'Sales'), code('Hoog 21', 'Purchase')]);
    await pullList(contextOf(client), taxCodes, {});
    expect(rowsOf('Tax codes')).toEqual([
      { 'VAT code': 'Hoog 21', 'Purchase or sales': 'Sales', 'VAT %': 21, Name: 'Hoog', Exempt: false },
      { 'VAT code': 'Hoog 21', 'Purchase or sales': 'Purchase', 'VAT %': 21, Name: 'Hoog', Exempt: false },
    ]);
    const next = service('listtaxcodes', [code('Hoog 21', 'Purchase', { Name: 'Voorbelasting' })]);
    expect(await refreshSheet(contextOf(next.client), 'Tax codes')).toMatchObject([
      { rows: 1, changed: 1, removed: 1 },
    ]);
    expect(rowsOf('Tax codes').map((row) => [row['Purchase or sales'], row.Name])).toEqual([
      ['Purchase', 'Voorbelasting'],
    ]);
  });
});

describe('Relations', () => {
  const one = (RelationGUID: string, more: object = {}): Relation =>
    relation.parse({ RelationGUID, Name: `Relation ${RelationGUID}`, ...more });

  it('are asked for by every filter, a date as the moment at which it begins in Amsterdam', async () => {
    const { client, requests } = service('listrelations', [one('1')]);
    const question = {
      RelationType: 'Customer',
      RelationName: 'jans',
      RelationNumber: '12',
      RelationEmail: 'a@example.com',
      RelationVAT: 'NL812345678B01',
      RelationGUID: '1',
      SearchOperand: 'OR',
      ChangedSince: '2026-07-01',
      CreatedSince: '2026-01-01',
    };
    await pullList(contextOf(client), relations, question);
    expect(requests[0]).toEqual({
      ...question,
      ChangedSince: String(Date.UTC(2026, 5, 30, 22) / 1000),
      CreatedSince: String(Date.UTC(2025, 11, 31, 23) / 1000),
    });
    await refreshSheet(contextOf(client), sheets()[0]!);
    expect(requests.at(-1)).toEqual(requests[0]);
  });

  it('come with contacts, bank accounts and custom fields on sheets of their own', async () => {
    const rows = [
      one('1', {
        Relation_Contact: [{ FirstName: 'Jo', DefaultContact: true }, { FirstName: 'An' }],
        Relation_BankAccount: [{ IBAN: 'NL91ABNA0417164300' }],
      }),
      one('2', {
        Relation_CustomField: [
          { Label: 'Code', FieldType: 'TextSmall', StringValue: '=0042' },
          { Label: 'Since', FieldType: 'Date', DateTimeValue: '01-02-2026' },
          { Label: 'Limit', FieldType: 'Decimal', DecimalValue: '12.50' },
        ],
      }),
    ];
    const { client, requests } = service('listrelations', rows);
    await pullList(contextOf(client), relations, {
      WithContacts: 'true',
      WithBankAccounts: 'true',
      WithCustomFields: 'true',
    });
    expect(requests[0]).toEqual({});
    expect(sheets()).toEqual(['Relation list', 'Contacts', 'Bank accounts', 'Custom fields']);
    expect(
      rowsOf('Contacts').map((row) => [row['Relation ID'], row.Line, row['First name'], row['Main contact']]),
    ).toEqual([
      ['1', 1, 'Jo', true],
      ['1', 2, 'An', ''],
    ]);
    expect(rowsOf('Bank accounts').map(({ IBAN }) => IBAN)).toEqual(['NL91ABNA0417164300']);
    expect(rowsOf('Custom fields').map((row) => [row.Field, row.Value, row.Type])).toEqual([
      ['Code', '=0042', 'Text'],
      ['Since', '01-02-2026', 'Date'],
      ['Limit', '12.5', 'Decimal number'],
    ]);
    // A refresh of the contacts brings the relations with it, and leaves the other sheets.
    const written = await refreshSheet(contextOf(client), 'Contacts');
    expect(written.map(({ sheetName, changed, added }) => [sheetName, changed, added])).toEqual([
      ['Relation list', 0, 0],
      ['Contacts', 0, 0],
    ]);
  });
});

describe('Material bookings', () => {
  const booking = (Product_Number: string, more: object = {}): MaterialBooking =>
    materialBooking.parse({
      Product_Number,
      Quantity: '2.50000000',
      EntryDate: String(Date.UTC(2026, 2, 1, 12, 0, 7, 250)),
      MaterialBookings_Project: { Number: '90071992547409931', Name: 'Kas 4', Customer_Name: 'Jansen' },
      ...more,
    });

  it('are asked for by every filter, and written with all digits of a project number', async () => {
    const { client, requests } = service('listprojectmaterialbooking', [booking('0010')]);
    const question = { Project: 'Kas 4', SelectProjectBy: 'NAME', Warehouse: 'W1', Product_Number: '0010' };
    await pullList(contextOf(client), materialBookings, question);
    expect(requests[0]).toEqual(question);
    expect(rowsOf(sheets()[0]!)[0]).toMatchObject({
      'Project number': '90071992547409931',
      Project: 'Kas 4',
      Customer: 'Jansen',
      'Article number': '0010',
      Quantity: 2.5,
      Serial: 1,
    });
  });

  it('that are alike are all written, over several pages, and stay so at a refresh', async () => {
    const alike = Array.from({ length: 450 }, (_, at) => booking(at % 3 === 0 ? 'A' : 'B'));
    const { client } = service('listprojectmaterialbooking', alike);
    expect(await pullList(contextOf(client), materialBookings, {})).toMatchObject([{ rows: 450 }]);
    expect(
      rowsOf('Material bookings')
        .filter((row) => row['Article number'] === 'A')
        .map(({ Serial }) => Serial),
    ).toEqual(Array.from({ length: 150 }, (_, at) => at + 1));
    const more = service('listprojectmaterialbooking', [...alike, booking('A')]);
    expect(await refreshSheet(contextOf(more.client), 'Material bookings')).toMatchObject([
      { rows: 451, added: 1, changed: 0, removed: 0 },
    ]);
  });

  it.each([
    ['west', 300],
    ['east', -540],
  ])('stay the same rows at a refresh far to the %s', async (_, timezoneOffset) => {
    const { client } = service('listprojectmaterialbooking', [booking('A'), booking('B')]);
    await pullList(contextOf(client), materialBookings, {});
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(timezoneOffset);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await refreshSheet(contextOf(client), 'Material bookings')).toMatchObject([
      { rows: 2, added: 0, changed: 0, removed: 0 },
    ]);
  });

  it('have a time in the Netherlands, and a place of their own in the hour that comes twice', async () => {
    const at = (...time: [hour: number, minute: number]) =>
      booking('A', { EntryDate: String(Date.UTC(2026, 9, 25, ...time)) });
    const { client } = service('listprojectmaterialbooking', [at(0, 30), at(1, 30), at(2, 0)]);
    await pullList(contextOf(client), materialBookings, {});
    const rows = rowsOf('Material bookings').map((row) => [row['Booked on'], row.Serial]);
    // 25 October 2026 at half past two, twice, and at three.
    expect(rows).toEqual([
      [expect.closeTo(46_320 + 2.5 / 24, 6), 1],
      [expect.closeTo(46_320 + 2.5 / 24, 6), 2],
      [expect.closeTo(46_320 + 3 / 24, 6), 1],
    ]);
  });
});

describe('Sales invoices', () => {
  const one = (InvoiceNumber: string, more: object = {}): SalesInvoice =>
    salesInvoice.parse({ InvoiceNumber, InvoiceType: 'INVOICING', CustomerName: 'Jansen', ...more });
  const at = (moment: string) => ({ now: () => new Date(moment) });

  it('of a period by name are those of that period at each refresh', async () => {
    const { client, requests } = service('listsalesinvoices', [one('1')]);
    // In Amsterdam the year began an hour before.
    await pullList(contextOf(client, at('2025-12-31T23:30:00Z')), invoices, { Period: 'lastQuarter' });
    expect(requests[0]).toMatchObject({ DateFrom: '01-10-2025', DateTill: '31-12-2025' });
    expect(sheets()).toEqual(['Sales invoices last quarter']);
    await refreshSheet(contextOf(client, at('2026-05-01T12:00:00Z')), 'Sales invoices last quarter');
    expect(requests.at(-1)).toMatchObject({ DateFrom: '01-01-2026', DateTill: '31-03-2026' });
  });

  it.each([
    ['thisMonth', '2024-02-10', '01-02-2024', '29-02-2024'],
    ['lastMonth', '2026-01-31', '01-12-2025', '31-12-2025'],
    ['thisQuarter', '2026-11-24', '01-10-2026', '31-12-2026'],
    ['thisYear', '2026-11-24', '01-01-2026', '31-12-2026'],
    ['lastYear', '2026-01-01', '01-01-2025', '31-12-2025'],
  ])('of %s on %s are from %s till %s', async (Period, today, DateFrom, DateTill) => {
    const { client, requests } = service('listsalesinvoices', [one('1')]);
    await pullList(contextOf(client, at(`${today}T12:00:00Z`)), invoices, { Period });
    expect(requests[0]).toMatchObject({ DateFrom, DateTill });
  });

  it('that are open only leave out those without an outstanding amount, with their lines', async () => {
    const lines = { Invoice_InvoiceLine: [{ ProductNumber: 'A', Quantity: 1 }] };
    const rows = [
      one('1', { InvoiceOutstandingAmount: '0.00', ...lines }),
      one('2', { InvoiceOutstandingAmount: '-0.01', ...lines }),
      one('3', { ...lines }),
    ];
    const { client } = service('listsalesinvoices', rows);
    await pullList(contextOf(client), invoices, { OpenOnly: 'true', WithLines: 'true' });
    expect(sheets()).toEqual(['Sales invoices open only', 'Invoice lines open only']);
    expect(sheets().map((sheet) => rowsOf(sheet).map((row) => row['Invoice number']))).toEqual([
      ['2', '3'],
      ['2', '3'],
    ]);
    const paid = service('listsalesinvoices', [one('2', { InvoiceOutstandingAmount: '0', ...lines })]);
    expect(await refreshSheet(contextOf(paid.client), 'Sales invoices open only')).toMatchObject([
      { rows: 0, removed: 2 },
    ]);
  });

  it('of one number are asked for by it, and named after it', async () => {
    const { client, requests } = service('listsalesinvoices', [one('20260001')]);
    await pullList(contextOf(client), invoices, { InvoiceNumber: '20260001' });
    expect(requests[0]).toEqual({ InvoiceNumber: '20260001' });
    expect(sheets()).toEqual(['Sales invoices 20260001']);
  });
});
