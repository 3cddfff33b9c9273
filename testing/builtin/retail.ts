import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { RowSource } from '../../functions/administrations/builtin/files/source.ts';
import { type ImportResult, importRows } from '../../functions/administrations/builtin/import/importRows.ts';
import { invoices } from '../../functions/administrations/builtin/import/invoicesAndOrders/invoices.ts';
import { products } from '../../functions/administrations/builtin/import/products.ts';
import { relations } from '../../functions/administrations/builtin/import/relationFiles/relations.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { MAX_LINES } from '../../shared/resources/document.ts';
import { realFile } from './realData.ts';

/** Real invoice lines of a web shop: UCI Online Retail (CC BY 4.0), its customers in the Netherlands and Belgium. */
export const retailFile = realFile('online-retail-nl-be.csv');

/** A line of the file, with its numbers as text. */
export type RetailLine = Record<(typeof invoiceColumns)[keyof typeof invoiceColumns] | 'Country', string>;

export const readRetail = (): RetailLine[] =>
  parse(readFileSync(retailFile.file), { columns: true, bom: true }) as RetailLine[];

/** A table of a file to import. */
export type Table = { headings: string[]; rows: string[][] };
type RetailTables = { customers: Table; products: Table; invoices: Table };

/** The columns of the file by the headings of an import of invoices. */
const invoiceColumns = {
  InvoiceNumber: 'InvoiceNo',
  InvoiceDate: 'InvoiceDate',
  CustomerNumber: 'CustomerID',
  ProductNumber: 'StockCode',
  Description: 'Description',
  Quantity: 'Quantity',
  UnitPriceExclTax: 'UnitPrice',
} as const;

/** The customer of sales without a customer. */
const ANONYMOUS_CUSTOMER = '99999';

/**
 * The lines as three tables to import, one row for each line of the file. Postage, discount and manual entries are not
 * among the products.
 */
export function retailTables(lines: readonly RetailLine[]): RetailTables {
  const customers = new Map<string, string[]>();
  const articles = new Map<string, string[]>();
  for (const { CustomerID, Country, StockCode, Description, UnitPrice } of lines) {
    if (CustomerID !== '' && !customers.has(CustomerID)) {
      customers.set(CustomerID, [CustomerID, `Klant ${CustomerID}`, Country === 'Belgium' ? 'BE' : 'NL']);
    }
    if (/^\d{5}/.test(StockCode) && !articles.has(StockCode)) {
      articles.set(StockCode, [StockCode, Description, UnitPrice, '21', '250', 'Webwinkel']);
    }
  }
  return {
    customers: { headings: ['CustomerNumber', 'Name', 'Address_CountryCode'], rows: [...customers.values()] },
    products: {
      headings: ['ArticleNumber', 'Name', 'Price', 'VATPercentage', 'StockQty', 'Category'],
      rows: [...articles.values()],
    },
    invoices: {
      headings: Object.keys(invoiceColumns),
      rows: lines.map((line) => Object.values(invoiceColumns).map((column) => line[column])),
    },
  };
}

/**
 * The lines with the corrections of a bookkeeper: credits get numbers, invoices over 75 lines are split, sales without
 * a customer get a default customer.
 */
function repairedRetail(lines: readonly RetailLine[]): RetailLine[] {
  const places = new Map<string, number>();
  return lines.map((line) => {
    const place = places.get(line.InvoiceNo) ?? 0;
    places.set(line.InvoiceNo, place + 1);
    const number = line.InvoiceNo.replace(/^C/, '9');
    const part = Math.floor(place / MAX_LINES);
    return {
      ...line,
      InvoiceNo: part === 0 ? number : `${number}0${part}`,
      CustomerID: line.CustomerID === '' ? ANONYMOUS_CUSTOMER : line.CustomerID,
    };
  });
}

/** The tables of repaired lines: postage, discount and manual entries are products too. */
function repairedTables(lines: readonly RetailLine[]): RetailTables {
  const tables = retailTables(repairedRetail(lines));
  const others = [...new Set(lines.map(({ StockCode }) => StockCode).filter((code) => !/^\d{5}/.test(code)))];
  if (!tables.customers.rows.some(([number]) => number === ANONYMOUS_CUSTOMER)) {
    tables.customers.rows.push([ANONYMOUS_CUSTOMER, 'Balieverkoop', 'NL']);
  }
  tables.products.rows.push(...others.map((code) => [code, code, '0', '21', '', 'Overig']));
  return tables;
}

/** A table as the text of a CSV file. */
export const csvOf = ({ headings, rows }: Table): string =>
  [headings, ...rows]
    .map((cells) => cells.map((cell) => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\r\n');

/** A table as the source of an import, with its headings on line 1. */
export const sourceOf = (file: string, { headings, rows }: Table): RowSource => ({
  file,
  headings,
  headingLine: 1,
  rows: (async function* () {
    for (const [index, cells] of rows.entries()) yield { line: index + 2, cells };
  })(),
});

/**
 * Imports the repaired customers, products and invoices into an administration that has a sales tax code of 21 per
 * cent.
 * @throws Error when a row is refused
 */
export async function loadRetail(
  db: Database,
  administrationId: bigint,
): Promise<Record<keyof RetailTables, ImportResult>> {
  const tables = repairedTables(readRetail());
  const load = async (name: keyof RetailTables, resource: typeof relations): Promise<ImportResult> => {
    const result = await importRows(db, resource, sourceOf(`${name}.csv`, tables[name]), {
      administrationId,
      now: 1_760_000_000n,
    });
    const [problem] = result.problems;
    if (problem !== undefined) throw new Error(`${name}, line ${problem.line}: ${problem.column} ${problem.message}`);
    return result;
  };
  return {
    customers: await load('customers', relations),
    products: await load('products', products),
    invoices: await load('invoices', invoices),
  };
}
