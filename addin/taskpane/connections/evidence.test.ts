import { beforeEach, describe, expect, it } from 'vitest';
import { type Client, Unreachable } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { type LedgerAccount, ledgerAccount } from '../../../shared/resources/ledgerAccount.ts';
import { MAX_RELATIONS, type Relation, relation } from '../../../shared/resources/relation.ts';
import { type SalesInvoice, salesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { type TableHandle, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { messagesOf } from '../locales/messages.ts';
import { makeProductSheet } from '../productSheet/makeProductSheet.ts';
import { pullInvoices, pullList, pullRelations } from '../pull/pulls.ts';
import { accounts } from '../pulledLists/accounts.ts';
import { compareCredentials, compareSheets, type Evidence, type sourcesOf, verdictOn } from './evidence.ts';

/* What speaks for two being the same administration. */

type Books = { accounts: LedgerAccount[]; relations: Relation[]; invoices: SalesInvoice[]; products?: Listed[] };
type Listed = { ArticleNumber: string; EAN: string; Name: string };

const account = (number: string, name = `Account ${number}`) =>
  ledgerAccount.parse({ Number: number, Name: name, LedgerType: 'BalanceSheet', DebetOrCredit: 'debet' });
const relationOf = (id: number, name = `Relation ${id}`) => relation.parse({ RelationGUID: String(id), Name: name });
const invoiceOf = (number: number, date: string, customer = 'Jansen') =>
  salesInvoice.parse({
    InvoiceNumber: String(number),
    InvoiceType: 'INVOICING',
    InvoiceDate: date,
    CustomerName: customer,
  });

const sortable = (date: string): string => date.split('-').reverse().join('');
const requests: [string, object][] = [];

/** A service of some books, as a client reads it. @param isRemote one that lists no products */
const clientOf = ({ accounts, relations, invoices, products = [] }: Books, isRemote = false) =>
  ({
    async named({ numbers, eans }: { numbers: string[]; eans: string[] }) {
      if (isRemote) throw new Problem('NOT_IMPLEMENTED', 'Lists no products.');
      const found = products.filter(({ ArticleNumber, EAN }) => numbers.includes(ArticleNumber) || eans.includes(EAN));
      return { readOn: '1795300000', products: found, notFound: [] };
    },
    listsProducts: !isRemote,
    async updateproduct(request: { ArticleNumber?: string; EAN?: string }) {
      requests.push(['updateproduct', request]);
      const { ArticleNumber, EAN } = request;
      const found = products.find((one) => (EAN === undefined ? one.ArticleNumber === ArticleNumber : one.EAN === EAN));
      if (found === undefined) throw new Problem('INVALID_REQUEST', 'There is no such product.');
      return found;
    },
    listledgeraccounts: async (request: object) => {
      requests.push(['accounts', request]);
      return accounts;
    },
    listrelations: async ({ Limit = 200, Offset = 0 }: { Limit?: number; Offset?: number }) =>
      relations.slice(Offset, Offset + Limit),
    listsalesinvoices: async (request: { DateFrom?: string; DateTill?: string; Offset?: number }) => {
      requests.push(['invoices', request]);
      const { DateFrom = '01-01-0001', DateTill = '31-12-9999', Offset = 0 } = request;
      const isWithin = ({ InvoiceDate }: SalesInvoice) => {
        const date = (InvoiceDate ?? '').replaceAll('-', '');
        return date >= sortable(DateFrom) && date <= sortable(DateTill);
      };
      return invoices.filter(isWithin).slice(Offset, Offset + 100);
    },
  }) as unknown as ReturnType<typeof sourcesOf> & Client;

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
  requests.length = 0;
});

/** The sheets of some books. */
async function sheetsOf(books: Books): Promise<TableHandle[]> {
  const exported = { state: 'published', date: '2026-11-22', startedOn: 1_795_300_000 } as never;
  const context = {
    client: clientOf(books),
    ledger: noLedger,
    vat: noVat,
    exports: {
      list: async () => [exported],
      async *relations() {
        yield books.relations;
      },
    },
    messages: messagesOf.en,
    administration: { id: 'c1', label: 'Jansen' },
  };
  await pullList(context, accounts, { FiscalYear: '2026' });
  await pullInvoices(context, {});
  await pullRelations(context, {});
  requests.length = 0;
  return tablesInWorkbook();
}

const books: Books = {
  accounts: ['0100', '1300', '8000'].map((number) => account(number)),
  relations: [9, 12, 100].map((id) => relationOf(id)),
  invoices: Array.from({ length: 80 }, (_, index) =>
    invoiceOf(index + 1, `${String(1 + (index % 28)).padStart(2, '0')}-03-2026`),
  ),
};

describe('Two credentials', () => {
  it('read the same lists of the same books', async () => {
    expect(await compareCredentials(clientOf(books), clientOf(books))).toEqual([
      { subject: 'accounts', found: 3, compared: 3 },
      { subject: 'relations', found: 3, compared: 3 },
    ]);
  });

  it('read other names of other books with the same chart', async () => {
    const others = {
      ...books,
      accounts: [account('0100'), account('1300', 'Debiteuren')],
      relations: [relationOf(9, 'X')],
    };
    expect(await compareCredentials(clientOf(books), clientOf(others))).toEqual([
      { subject: 'accounts', found: 1, compared: 3 },
      { subject: 'relations', found: 0, compared: 3 },
    ]);
  });
});

describe('The rows of sheets', () => {
  it('are all in the lists of their own books, whatever was added there since', async () => {
    const tables = await sheetsOf(books);
    const later = {
      accounts: [...books.accounts, account('9000')],
      relations: [...books.relations, relationOf(101)],
      invoices: [...books.invoices, invoiceOf(900, '01-04-2026')],
    };
    expect(await compareSheets(tables, clientOf(later))).toEqual([
      { subject: 'accounts', found: 3, compared: 3 },
      { subject: 'relations', found: 3, compared: 3 },
      { subject: 'invoices', found: 50, compared: 50 },
    ]);
    // The same year, and the days of the invoices that are compared.
    expect(requests[0]).toEqual(['accounts', { FiscalYear: '2026' }]);
    expect(requests[1]![1]).toMatchObject({ DateTill: '28-03-2026' });
    expect(excel.workbook.sheets).toHaveLength(4);
  });

  it('are not in those of others, with the same numbers', async () => {
    const tables = await sheetsOf(books);
    const others: Books = {
      accounts: books.accounts.map(({ Number: number }) => account(number!, 'Andere')),
      relations: books.relations.map(({ RelationGUID }) => relationOf(Number(RelationGUID), 'Andere')),
      invoices: books.invoices.map((one) => ({ ...one, CustomerName: 'Andere' })),
    };
    expect((await compareSheets(tables, clientOf(others))).map(({ found }) => found)).toEqual([0, 0, 0]);
  });

  it('are compared with the first relations only, by their ids', async () => {
    const many = {
      ...books,
      relations: Array.from({ length: MAX_RELATIONS + 50 }, (_, index) => relationOf(index + 1)),
    };
    const tables = await sheetsOf(many);
    const [, relations] = await compareSheets(tables, clientOf(many));
    expect(relations).toEqual({ subject: 'relations', found: MAX_RELATIONS, compared: MAX_RELATIONS });
  });

  it('are all found where the invoices of two modules have the same numbers', async () => {
    const ofModules = {
      ...books,
      invoices: [6, 5, 4, 3, 2].flatMap((number) =>
        ['INVOICING', 'BOOKKEEPING'].map((InvoiceType) => ({
          ...invoiceOf(number, '10-03-2026', `${InvoiceType} ${number}`),
          InvoiceType,
        })),
      ),
    };
    const [, , invoices] = await compareSheets(await sheetsOf(ofModules), clientOf(ofModules));
    expect(invoices).toEqual({ subject: 'invoices', found: 10, compared: 10 });
  });

  it('are compared with the latest invoices only, by their numbers', async () => {
    const day = (number: number) => `${String(1 + Math.floor(number / 20)).padStart(2, '0')}-03-2026`;
    const many = {
      ...books,
      invoices: Array.from({ length: 500 }, (_, index) => invoiceOf(500 - index, day(500 - index))),
    };
    // The sheet has each fortieth: 480, 440 and so on to 40.
    const tables = await sheetsOf({ ...many, invoices: many.invoices.filter((_, index) => index % 40 === 20) });
    const [, , invoices] = await compareSheets(tables, clientOf(many));
    // Of the invoices of these days, 499 and lower, three pages have those from 202: the last row of one is the first
    // of the next.
    expect(invoices).toEqual({ subject: 'invoices', found: 7, compared: 7 });
    const others = {
      ...many,
      invoices: many.invoices.map((one) => ({ ...one, InvoiceNumber: `9${one.InvoiceNumber}000` })),
    };
    expect((await compareSheets(tables, clientOf(others)))[2]).toEqual({ subject: 'invoices', found: 0, compared: 12 });
  });

  describe('of a product sheet', () => {
    const product = (number: number, Name = `Product ${number}`): Listed => ({
      ArticleNumber: `A-${number}`,
      EAN: String(8_700_000_000_000 + number),
      Name,
    });
    const listed = [1, 2, 3, 4, 5, 6, 7].map((number) => product(number));

    /** Rows of article numbers, EANs and names, as somebody typed them or the pane wrote them. */
    async function productSheet(...rows: (readonly [number: string, ean: string, name: string])[]) {
      const start = rows.map(([ArticleNumber, EAN, Name]) => ({ ArticleNumber, EAN, Name }));
      await makeProductSheet(messagesOf.en, { id: 'c1', label: 'Jansen' }, 'Relative', start);
      return tablesInWorkbook();
    }

    it('with a name are looked up by that and by article number or EAN; those without are left out', async () => {
      const tables = await productSheet(
        ['A-1', '', ''],
        ['A-2', '', 'Product 2'],
        ['A-3', '', 'Something else'],
        ['', '8700000000004', 'Product 4'],
        ['A-99', '', 'Product 99'],
        ['', '', ''],
      );
      const evidence = [{ subject: 'products', found: 2, compared: 4 }];
      expect(await compareSheets(tables, clientOf({ ...books, products: listed }))).toEqual(evidence);
      expect(requests).toEqual([]);
    });

    it('that all lack a name are looked up by number, which other books may have too', async () => {
      const tables = await productSheet(['A-1', '', ''], ['', '8700000000004', ''], ['A-99', '', '']);
      const evidence = [{ subject: 'articleNumbers', found: 2, compared: 3 }];
      expect(await compareSheets(tables, clientOf({ ...books, products: listed }))).toEqual(evidence);
      expect(verdictOn([{ subject: 'articleNumbers', found: 3, compared: 3 }])).toBe('shared');
    });

    it('are read one by one where a service lists none: five of them, by updates without changes', async () => {
      const rows = [['', '8700000000001', ''] as const].concat(
        listed.map(({ ArticleNumber, Name }) => [ArticleNumber, '', Name] as never),
        [['A-3', '', 'Something else'] as never],
      );
      const tables = await productSheet(...rows);
      expect(await compareSheets(tables, clientOf({ ...books, products: listed }, true))).toEqual([
        { subject: 'products', found: 5, compared: 5, outOf: 8 },
      ]);
      expect(requests).toHaveLength(5);
      for (const [endpoint, request] of requests) {
        expect([endpoint, Object.keys(request)]).toEqual(['updateproduct', ['ArticleNumber']]);
      }
      requests.length = 0;
      const others = listed.map((one) => ({ ...one, Name: 'Andere' }));
      expect(await compareSheets(tables, clientOf({ ...books, products: others.slice(0, 2) }, true))).toEqual([
        { subject: 'products', found: 0, compared: 5, outOf: 8 },
      ]);
    });

    it('say nothing of the books when the service fails while they are read', async () => {
      const tables = await productSheet(['A-1', '', 'Product 1']);
      const refusing = clientOf({ ...books, products: listed }, true);
      refusing.updateproduct = async () => {
        throw new Problem('RATE_LIMIT', 'Too many requests.');
      };
      await expect(compareSheets(tables, refusing)).rejects.toMatchObject({ code: 'RATE_LIMIT' });
      const closed = clientOf({ ...books, products: listed });
      closed.named = async () => {
        throw new Unreachable();
      };
      await expect(compareSheets(tables, closed)).rejects.toBeInstanceOf(Unreachable);
    });

    it('say nothing where none names a product', async () => {
      expect(await compareSheets(await productSheet(['', '', '']), clientOf(books))).toEqual([]);
    });
  });

  it('say nothing when there are none', async () => {
    expect(await compareSheets([], clientOf(books))).toEqual([]);
  });
});

describe('What agrees', () => {
  const judged = (...all: [Evidence['subject'], number, number][]) =>
    verdictOn(all.map(([subject, found, compared]) => ({ subject, found, compared })));

  it('shows nothing when there is none', () => {
    expect(judged()).toBe('none');
  });

  it('does not show the same books by accounts alone: many have the same chart', () => {
    expect(judged(['accounts', 218, 218])).toBe('shared');
    expect(judged(['accounts', 0, 218])).toBe('contradicted');
  });

  it('shows other books when none of the relations, invoices or products agrees, whatever the chart', () => {
    expect(judged(['accounts', 218, 218], ['relations', 0, 40])).toBe('contradicted');
    expect(judged(['accounts', 218, 218], ['products', 0, 1], ['invoices', 0, 50])).toBe('contradicted');
  });

  it('shows the same books when most of the relations, invoices and products agree, and is doubtful below', () => {
    expect(judged(['accounts', 200, 218], ['relations', 38, 40])).toBe('same');
    expect(judged(['accounts', 0, 218], ['invoices', 26, 50])).toBe('same');
    expect(judged(['accounts', 218, 218], ['relations', 1, 40])).toBe('doubtful');
    expect(judged(['relations', 1, 40], ['invoices', 9, 10])).toBe('doubtful');
  });
});
