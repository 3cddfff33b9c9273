import { beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { noRetry } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { messagesOf } from '../locales/messages.ts';
import type { SheetView } from '../sheetColumns/requestColumns.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { makeRequestSheet } from './makeRequestSheet.ts';
import type { ListClients } from './offeredLists.ts';

/* The sheets to fill in as they are made: what is marked as needed, offered and explained. */

const messages = messagesOf.en;

/** An administration with two customers, one of whom is a supplier too. */
const clients = {
  client: {
    listrelations: async ({ Offset = 0 }: { Offset?: number }) =>
      Offset > 0
        ? []
        : [
            { RelationGUID: '1', Name: 'Molen', CustomerNumber: '10', SupplierNumber: '3' },
            { RelationGUID: '2', Name: 'Bakkerij', CustomerNumber: '9', SupplierNumber: null },
          ],
    listledgeraccounts: async () => [
      { Number: '0100', Name: 'Grond' },
      { Number: '8000', Name: 'Omzet, hoog' },
    ],
    listtaxcodes: async () => [
      { TaxCode: 'Hoog', TaxType: 'Sales' },
      { TaxCode: 'Inkoop hoog', TaxType: 'Purchase' },
    ],
  },
  products: { first: async () => ({ products: [{ Unit: 'doos' }, { Unit: '' }, { Unit: 'doos' }] }) },
  pushes: {
    page: async () => ({ pushes: [{ id: 'p1' }] }),
    changes: async () => ({ rows: [{ document: { status: 'In behandeling' } }, { product: { Unit: 'bos' } }] }),
  },
} as unknown as ListClients;

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

/** Makes a sheet, and says of each heading what its first cell offers and explains. */
async function made(view: SheetView, from = clients) {
  const name = await makeRequestSheet(requestSheets[view], messages, { id: 'a1', label: 'Demo' }, from, noRetry);
  const [headings] = excel.cells(name) as [string[]];
  const { validations } = excel.sheet(name);
  const ofCell = (column: number) =>
    validations.filter(({ areas }) =>
      areas.some((area) => area.row === 1 && column >= area.column && column < area.column + area.columns),
    );
  return headings.map((heading, column) => {
    const rules = ofCell(column);
    const source = rules.map(({ rule }) => (rule.list as { source?: string } | undefined)?.source).find(Boolean);
    const prompt = rules.map(({ settings }) => settings.prompt as { message: string } | undefined).find(Boolean);
    return { heading, offers: offered(source), explains: prompt?.message };
  });
}

/** The values of a list: written out, or on the sheet of lists. */
function offered(source: string | undefined): Cell[] | undefined {
  const [, letter, from, to] = /^='Ledgerline lists'!\$([A-Z])\$(\d+):\$[A-Z]\$(\d+)$/.exec(source ?? '') ?? [];
  if (letter === undefined) return source?.split(',');
  const rows = excel.cells('Ledgerline lists').slice(Number(from) - 1, Number(to));
  return rows.map((row) => row[letter.charCodeAt(0) - 65]!);
}

const customers = ['9 Bakkerij', '10 Molen'];
const suppliers = ['3 Molen'];
const accounts = ['0100 Grond', '8000 Omzet, hoog'];
const yesNo = ['Yes', 'No'];
const documents = /Rows with the same one are lines of one document/;

/** What is needed of each sheet, and what some of its columns explain and offer. */
const sheets: Readonly<
  Record<SheetView, { needed: string[]; explains: Record<string, RegExp>; offers: Record<string, string[]> }>
> = {
  salesInvoiceRows: {
    needed: ['Document', 'Customer number', 'Article number', 'Quantity', 'Price excl. VAT'],
    explains: { 'Document *': documents },
    offers: {
      'Customer number *': customers,
      'VAT code': ['Hoog'],
      'Ledger account': accounts,
      'Text line': yesNo,
      'As draft': yesNo,
    },
  },
  orderRows: {
    needed: ['Document', 'Customer number', 'Article number', 'Quantity', 'Price excl. VAT'],
    explains: { 'Document *': documents },
    offers: { 'Customer number *': customers, 'VAT code': ['Hoog'], 'Order status': ['In behandeling'] },
  },
  salesTransactionRows: {
    needed: ['Document', 'Customer number', 'Amount incl. VAT', 'VAT code'],
    explains: { 'Document *': documents, 'VAT code *': /a code of sales.*only where “VAT %” is filled in/ },
    offers: { 'Customer number *': customers, 'VAT code *': ['Hoog'], 'Ledger account': accounts },
  },
  purchaseTransactionRows: {
    needed: ['Document', 'Supplier number', 'Amount incl. VAT', 'VAT code'],
    explains: { 'Document *': documents, 'VAT code *': /a code of purchases.*only where “VAT %” is filled in/ },
    offers: { 'Supplier number *': suppliers, 'VAT code *': ['Inkoop hoog'], 'Ledger account': accounts },
  },
  newProductRows: {
    needed: ['Article number of product', 'Name', 'Category'],
    explains: {
      'Category *': /An existing category, or a new one/,
      'VAT code': /where “VAT % of product” is filled in/,
    },
    offers: { Unit: ['doos'], 'VAT code': ['Hoog'], 'VAT code purchases': ['Inkoop hoog'], Archived: yesNo },
  },
  journalEntryRows: {
    needed: ['Document', 'Ledger account', 'Debit', 'Credit'],
    explains: {
      'Document *': /lines of one entry, which has as much debit as credit/,
      'VAT code': /that is VAT itself/,
    },
    offers: {
      'Ledger account *': accounts,
      'Customer number': customers,
      'Supplier number': suppliers,
      'VAT code': ['Hoog', 'Inkoop hoog'],
    },
  },
};

describe.each(Object.entries(sheets))('The sheet %s', (view, { needed, explains, offers }) => {
  it('marks what is needed, offers lists of the right kind, and explains what is not obvious', async () => {
    const columns = await made(view as SheetView);
    const marked = columns.filter(({ heading }) => heading.endsWith(' *')).map(({ heading }) => heading.slice(0, -2));
    expect(marked.toSorted()).toEqual(needed.toSorted());
    const found = Object.fromEntries(columns.map((column) => [column.heading, column.offers]));
    expect(found).toMatchObject(offers);
    for (const [heading, text] of Object.entries(explains))
      expect(columns.find((column) => column.heading === heading)?.explains).toMatch(text);
    expect(excel.sheet('Ledgerline lists').visibility).toBe('Hidden');
  });
});

it('The units of a service that lists no products are those that it returned', async () => {
  const columns = await made('newProductRows', { ...clients, products: undefined });
  expect(columns.find(({ heading }) => heading === 'Unit')?.offers).toEqual(['bos']);
});
