import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Lines of an invoice. */
const LINES = 18;
const PRODUCTS = 3000;
const CUSTOMERS = 4000;

/**
 * Writes the relations, products and invoices of a shop, which `npm run administration` imports.
 * @param name of the files, before what they hold
 * @param lines of all invoices together
 */
export async function writeShop(name: string, lines: number) {
  const contents = { relations: customers(), products: products(), invoices: invoices(lines) };
  const files = { relations: '', products: '', invoices: '' };
  for (const what of ['relations', 'products', 'invoices'] as const) {
    files[what] = `${name}.${what}.csv`;
    await pipeline(Readable.from(contents[what]), createWriteStream(files[what]));
  }
  return files;
}

function* customers(): Generator<string> {
  yield 'CustomerNumber,Name,Address_City,Address_CountryCode\n';
  for (let number = 1; number <= CUSTOMERS; number++) yield `${number},Customer ${number},Gouda,NL\n`;
}

function* products(): Generator<string> {
  yield 'ArticleNumber,Name,Price,VATPercentage\n';
  for (let number = 0; number < PRODUCTS; number++) {
    yield `A${number},Article number ${number},${cents(100 + number)},${number % 4 === 0 ? 9 : 21}\n`;
  }
}

function* invoices(lines: number): Generator<string> {
  yield 'InvoiceNumber,InvoiceDate,CustomerNumber,LineNumber,ProductNumber,Description,Quantity,UnitPriceExclTax,TaxPc\n';
  for (let line = 0; line < lines; line++) {
    const invoice = Math.floor(line / LINES);
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor((invoice * LINES * 365) / lines))).toISOString().slice(0, 10);
    const product = (line * 7919) % PRODUCTS;
    const cells = [
      invoice + 1,
      day,
      1 + ((invoice * 31) % CUSTOMERS),
      1 + (line % LINES),
      `A${product}`,
      `Article number ${product}`,
      1 + (line % 12),
      cents(100 + product),
      product % 4 === 0 ? 9 : 21,
    ];
    yield `${cells.join(',')}\n`;
  }
}

const cents = (amount: number): string => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
