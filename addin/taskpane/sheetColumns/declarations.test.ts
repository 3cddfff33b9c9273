import { describe, expect, expectTypeOf, it } from 'vitest';
import { operationOf } from '../../../shared/api.ts';
import type { Product } from '../../../shared/resources/product.ts';
import { inputOf } from '../../../testing/addin/sheetToFill.ts';
import { messagesOf } from '../locales/messages.ts';
import { languages } from '../locales/words.ts';
import { pushedKinds } from '../sheetKinds.ts';
import type { Fields } from './columns.ts';
import { type ProductColumn, type ProductColumns, productTable } from './productTable.ts';
import {
  DOCUMENT,
  lineSchemaOf,
  type RequestColumns,
  type RequestSheet,
  type RequestSheets,
} from './requestColumns.ts';
import { requestSheets } from './requestSheets.ts';
import { requestTable } from './requestTable.ts';

/** The fields that the sheets leave out on purpose: addresses, files, batches and custom fields are no cells. */
const batches = ['BatchStockUpdateMode', 'BatchMatchMode', 'Product_Batch'];
const withoutColumn: Readonly<Record<string, readonly string[]>> = {
  products: [
    // Asked when a new product is sent.
    'CategoryCreateIfMissing',
    // On the sheet of new products.
    'NewSupplierArticleNumber',
    'NewStockMutationPurchasePrice',
    'TaxCode',
    'NewPurchasePriceVATPercentage',
    'TaxCodePurchase',
    'Product_CustomField',
    ...batches,
  ],
  salesInvoiceRows: [
    'Periodic_ChangeDateTokensValue',
    'Periodic_ChangeDateTokensBeforeAfter',
    'Invoice_Address',
    'Invoice_Attachment',
  ],
  orderRows: ['CreatedOn', 'ChangedOn', 'Order_Address', 'Order_Attachment'],
  salesTransactionRows: [],
  purchaseTransactionRows: [],
  // The stock of a new product begins at 0.
  newProductRows: ['StockUpdateMode', 'Product_CustomField', ...batches],
  journalEntryRows: [],
};

/*
 * What CONTRIBUTING.md promises about columns. The compiler tells what a declaration forgets, and this file fails to
 * compile when it no longer does.
 */

describe('A declaration of the product sheet does not compile', () => {
  it('without a column for a heading', () => {
    expectTypeOf<Omit<ProductColumns, 'NewUnit'>>().not.toExtend<ProductColumns>();
    expectTypeOf<Omit<ProductColumns, 'Status'>>().not.toExtend<ProductColumns>();
    expectTypeOf<keyof ProductColumns>().toEqualTypeOf<ProductColumn>();
  });

  it('with a column that is no field of the request or the response', () => {
    expectTypeOf<ProductColumns<'NewColour'>['NewColour']>().toBeNever();
  });

  it('with a field of the request that is shown and not sent', () => {
    expectTypeOf<{ shown: 'text'; width: 9 }>().not.toExtend<ProductColumns['NewUnit']>();
    expectTypeOf<{ kind: 'text'; width: 9 }>().toExtend<ProductColumns['NewUnit']>();
  });

  it('with a value of the response that would be sent', () => {
    expectTypeOf<{ kind: 'text'; width: 9 }>().not.toExtend<ProductColumns['Unit']>();
  });

  it('with a kind that does not fit the field', () => {
    expectTypeOf<{ kind: 'yesNo'; width: 9 }>().not.toExtend<ProductColumns['NewSalePrice']>();
    expectTypeOf<{ kind: 'text'; width: 9 }>().not.toExtend<ProductColumns['Archived']>();
  });
});

describe('A declaration of a sheet of requests does not compile', () => {
  type Columns = RequestColumns<'addproduct'>;
  type Lines = RequestColumns<'addsalesinvoice'>;

  it('without a column for a required field', () => {
    expectTypeOf<Omit<Columns, 'NewName'>>().not.toExtend<Columns>();
    expectTypeOf<Omit<Columns, 'NewUnit'>>().toExtend<Columns>();
  });

  it('with a column that is no field of the request, or has no heading', () => {
    expectTypeOf<'NewColour'>().not.toExtend<keyof Columns>();
    expectTypeOf<'BatchMatchMode'>().not.toExtend<keyof Columns>();
  });

  it('with a kind that does not fit the field, or a line without its lines', () => {
    expectTypeOf<{ kind: 'date'; width: 9; line: true }>().toExtend<Lines['Quantity']>();
    expectTypeOf<{ kind: 'yesNo'; width: 9; line: true }>().not.toExtend<Lines['Quantity']>();
    expectTypeOf<{ kind: 'decimal'; width: 9 }>().not.toExtend<NonNullable<Lines['Quantity']>>();
  });
});

it('The sheets of requests do not compile with texts and no declaration, or with that of another sheet', () => {
  expectTypeOf<Omit<RequestSheets, 'orderRows'>>().not.toExtend<RequestSheets>();
  expectTypeOf<RequestSheet<'salesInvoiceRows'>>().not.toExtend<RequestSheets['orderRows']>();
  expectTypeOf<RequestSheet<'orderRows'>>().toExtend<RequestSheets['orderRows']>();
  expectTypeOf<typeof requestSheets>().toEqualTypeOf<RequestSheets>();
});

it('A column of a pulled list without a field of its name does not compile without a value', () => {
  expectTypeOf<{ Name: ['text', 9] }>().toExtend<Fields<Product, 'Name'>>();
  expectTypeOf<{ Nmae: ['text', 9] }>().not.toExtend<Fields<Product, 'Nmae'>>();
  expectTypeOf<{ Nmae: ['text', 9, () => string] }>().toExtend<Fields<Product, 'Nmae'>>();
});

describe.each(Object.keys(pushedKinds))('The sheet %s', (view) => {
  const input = inputOf(view);
  const administration = { id: 'a1', label: 'Demo' };

  it.each(languages)('has a heading for each column that is sent, in %s', (language) => {
    const messages = messagesOf[language];
    const { columns } =
      view === 'products'
        ? productTable(messages, administration, 'Absolute')
        : requestTable(requestSheets[view as keyof typeof requestSheets], messages, administration);
    const headings = new Map(columns.map(({ key, heading }) => [key, heading]));
    for (const column of Object.keys(input.columns)) expect(headings.get(column)).toMatch(/^\S/);
    expect(new Set(headings.values()).size).toBe(columns.length);
    expect([...headings.values()].filter((heading) => heading.includes('undefined'))).toEqual([]);
  });

  it('has a column for each field of its request, but for those that are left to other ways', () => {
    const { shape } = operationOf(input.endpoint).request;
    const lines = lineSchemaOf(input)?.shape ?? {};
    const fields = [...Object.keys(shape), ...Object.keys(lines)].filter((field) => field !== input.lines);
    expect(fields.filter((field) => !Object.hasOwn(input.columns, field))).toEqual(withoutColumn[view]);
  });
});

it('Every heading of the sheets of requests is of a column', () => {
  const used = new Set(
    Object.values(requestSheets).flatMap((sheet) =>
      requestTable(sheet, messagesOf.en, { id: 'a1', label: 'Demo' }).columns.map(({ key }) => key),
    ),
  );
  expect(Object.keys(messagesOf.en.headings.documents).filter((key) => !used.has(key))).toEqual([]);
  expect(used).toContain(DOCUMENT);
});
