import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { messagesOf } from '../taskpane/locales/messages.ts';
import type { SheetView } from '../taskpane/sheetColumns/requestColumns.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';

/*
 * What is made from rows beside sales invoices (documentRows.test.ts) and journal entries: in a Dutch Excel, typed as
 * people there type it, and compared with the database.
 */

const appPage = withAppPage();
let { app, page, pane } = appPage;
const messages = messagesOf.nl;
const { documentSheets, documentPush, push } = messages;
const headings = messages.headings.documents;
type Column = keyof typeof headings;

beforeEach(async () => {
  ({ app, page, pane } = appPage);
  await connect(pane, demo, 'Demo');
  pane = await appPage.open('nl');
});

const press = (name: string | RegExp) => pane.getByRole('button', { name, exact: true }).click();

/** Makes a sheet, fills in rows, pushes them, and returns what the sheet says of each afterwards. */
async function make(view: SheetView, rows: readonly Partial<Record<Column, string>>[], requests: number) {
  const { name, sheet } = documentSheets.kinds[view];
  await press(documentSheets.title);
  await pane.getByLabel(name, { exact: true }).check();
  await press(documentSheets.submit);
  await seen(pane.getByText(documentSheets.made(sheet)));
  const shown = await page.evaluate((of) => window.workbook.values(`'${of}'!A1:Z1`)[0]!.map(String), sheet);
  for (const [index, row] of rows.entries()) {
    for (const [column, text] of Object.entries(row) as [Column, string][]) {
      const heading = shown.find((one) => one.replace(/ \*$/, '') === headings[column])!;
      await typeBelow(page, sheet, heading, index + 2, text);
    }
  }
  await press(documentSheets.next);
  await press(new RegExp(`^${documentPush.submit(requests, '').trim()}`));
  const question = await seen(pane.getByRole('alertdialog'));
  expect(await accessibilityErrors(pane)).toEqual([]);
  await question.getByRole('button', { name: push.confirm, exact: true }).click();
  await seen(pane.getByText(push.seeRows));
  const results = (await rowsOf(page, sheet)).slice(0, rows.length);
  expect(results.map((row) => row[headings.Status])).toEqual(rows.map(() => messages.status.applied));
  return results;
}

/** The only row that a query of the database returns. */
function stored(query: string, ...values: (string | number)[]) {
  const database = new DatabaseSync(app.databaseFile, { readOnly: true });
  try {
    const rows = database.prepare(query).all(...values);
    expect(rows).toHaveLength(1);
    return { ...rows[0]! };
  } finally {
    database.close();
  }
}

const year = new Date().getFullYear();
const totals = (row: Record<string, unknown>) => [row[headings.MadeTotalExclTax], row[headings.MadeTotalInclTax]];

/** A customer and a supplier as their lists have them, and the usual tax codes. */
async function choices() {
  const client = app.clientOf(demo);
  const relations = await client.listrelations({ Limit: 200 });
  const customer = relations.find(({ CustomerNumber }) => CustomerNumber)!;
  const supplier = relations.find(({ SupplierNumber }) => SupplierNumber)!;
  const codes = await client.listtaxcodes({});
  const codeOf = (type: string) =>
    codes.find(({ TaxType, TaxPc }) => TaxType === type && Number(TaxPc) === 21)!.TaxCode;
  return {
    customer: { number: Number(customer.CustomerNumber), chosen: `${customer.CustomerNumber} ${customer.Name}` },
    supplier: { number: Number(supplier.SupplierNumber), chosen: `${supplier.SupplierNumber} ${supplier.Name}` },
    sales: codeOf('Sales'),
    purchases: codeOf('Purchase'),
  };
}

it('A quote with two lines is made, with its number and total, from decimal commas, a percentage and a formula', async () => {
  const { customer, sales } = await choices();
  const line = { Document: 'O-1', ProductNumber: '01008', TaxCode: sales };
  const [first, second] = await make(
    'orderRows',
    [
      {
        ...line,
        CustomerNumber: customer.chosen,
        GeneralStatus: messages.codes.final_quote,
        OrderDate: `3-1-${year}`,
        OrderReference: '0100',
        Quantity: '2,5',
        UnitPriceExclTax: '12,50',
      },
      // 90% of 20: without VAT 49.25 together.
      { ...line, Quantity: '=1+1', UnitPriceExclTax: '10', DiscountPc: '10%' },
    ],
    1,
  );
  expect(first![headings.MadeTotalInclTax]).toBe(59.59);
  const number = Number(first![headings.MadeNumber]);
  expect(Number(second![headings.MadeNumber])).toBe(number);
  expect(
    stored(
      `select r.customer_number, o.date, o.reference, o.general_status, o.total_excl, o.total_incl
       from sales_order o join relation r on r.id = o.relation_id where o.administration_id = 1 and o.number = ?`,
      number,
    ),
  ).toEqual({
    customer_number: customer.number,
    date: `${year}-01-03`,
    reference: '0100',
    general_status: 'final_quote',
    total_excl: 4925,
    total_incl: 5959,
  });
});

it('A sale is booked, with its number and totals, from an amount in thousands', async () => {
  const { customer, sales } = await choices();
  const [row] = await make(
    'salesTransactionRows',
    [
      {
        Document: 'V-1',
        CustomerNumber: customer.chosen,
        InvoiceDate: `3-1-${year}`,
        Description: 'Advies',
        LedgerAccountNumber: '8000',
        SubTotalInclTax: '1.210,00',
        TaxCode: sales,
      },
    ],
    1,
  );
  expect(totals(row!)).toEqual([1000, 1210]);
  expect(
    stored(
      `select module, customer_number, date, total_excl, total_incl from sales_invoice
       where module = 'BOOKKEEPING' and number = ?`,
      Number(row![headings.MadeNumber]),
    ),
  ).toEqual({
    module: 'BOOKKEEPING',
    customer_number: customer.number,
    date: `${year}-01-03`,
    total_excl: 100_000,
    total_incl: 121_000,
  });
});

it('A document whose total is another one than that of its sheet says so in its row', async () => {
  const { customer, sales } = await choices();
  await page.route(/\/pushes\/[^/]+(\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { rows?: { document?: { totalInclTax: string } }[] };
    for (const { document } of body.rows ?? []) if (document !== undefined) document.totalInclTax = '121.01';
    await route.fulfill({ response, json: body });
  });
  const [row] = await make(
    'salesTransactionRows',
    [{ Document: 'V-2', CustomerNumber: customer.chosen, SubTotalInclTax: '121', TaxCode: sales }],
    1,
  );
  expect(row![headings.MadeTotalInclTax]).toBe(121.01);
  expect(row![headings.Message]).toContain('Het totaal verschilt van dat van het blad, 121,00: kijk het na.');
});

it('A purchase invoice with two lines is booked, with its totals, under the number of the supplier', async () => {
  const { supplier, purchases } = await choices();
  const line = { Document: 'I-1', TaxCode: purchases, LedgerAccountNumber: '4300' };
  const [row] = await make(
    'purchaseTransactionRows',
    [
      {
        ...line,
        SupplierNumber: supplier.chosen,
        PurchaseInvoiceNumber: '20260042',
        InvoiceDate: `3-1-${year}`,
        SubTotalInclTax: '121,00',
      },
      { ...line, SubTotalInclTax: '60,5' },
    ],
    1,
  );
  expect(totals(row!)).toEqual([150, 181.5]);
  expect(String(row![headings.MadeNumber])).toBe('20260042');
  expect(
    stored(
      `select r.supplier_number, p.date, p.total_excl, p.total_incl from purchase_invoice p
       join relation r on r.id = p.relation_id where p.number = ?`,
      '20260042',
    ),
  ).toEqual({ supplier_number: supplier.number, date: `${year}-01-03`, total_excl: 15_000, total_incl: 18_150 });
});

it('The cells of a purchase offer its VAT codes and the suppliers, out of a hidden sheet', async () => {
  const { name, sheet } = documentSheets.kinds.purchaseTransactionRows;
  const codes = await app.clientOf(demo).listtaxcodes({});
  const relations = await app.clientOf(demo).listrelations({ RelationType: 'Supplier', Limit: 200 });
  await press(documentSheets.title);
  await pane.getByLabel(name, { exact: true }).check();
  await press(documentSheets.submit);
  await seen(pane.getByText(documentSheets.made(sheet)));
  const shown = await page.evaluate((of) => window.workbook.values(`'${of}'!A1:Z1`)[0]!.map(String), sheet);
  const offered = async (column: Column) => {
    const letter = String.fromCharCode(65 + shown.indexOf(`${headings[column]} *`));
    await page.evaluate((cell) => window.workbook.select(cell), `'${sheet}'!${letter}2`);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Alt+ArrowDown');
    const choices = page.getByRole('menu').getByRole('menuitem');
    await choices.first().waitFor();
    const texts = await choices.allTextContents();
    await page.keyboard.press('Escape');
    return texts.sort();
  };
  expect(await offered('TaxCode')).toEqual(
    codes
      .filter(({ TaxType }) => TaxType === 'Purchase')
      .map(({ TaxCode }) => TaxCode)
      .sort(),
  );
  expect(await offered('SupplierNumber')).toEqual(
    relations.map(({ SupplierNumber, Name }) => `${SupplierNumber} ${Name}`).sort(),
  );
  expect(await page.getByRole('tab', { name: documentSheets.listsSheet }).count()).toBe(0);
});

it('New products are made, with leading zeros, an EAN of 13 digits and a new category', async () => {
  await make(
    'newProductRows',
    [
      {
        ArticleNumber: '0042',
        EAN: '8710400000013',
        NewName: 'Speculaas',
        CategoryName: 'Koek',
        CategoryCreateIfMissing: messages.yes,
        NewSalePrice: '2,75',
        NewVATPercentage: '9%',
        NewStockQty: '1,5',
      },
    ],
    1,
  );
  const product = await app.clientOf(demo).updateproduct({ ArticleNumber: '0042' });
  expect(product).toMatchObject({ EAN: '8710400000013', Name: 'Speculaas', Category: 'Koek' });
  expect([product.Price, product.VATPercentage, product.StockQty].map(Number)).toEqual([2.75, 9, 1.5]);
});
