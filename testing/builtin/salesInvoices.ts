import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { downloadFile } from '../../functions/administrations/builtin/attachments/download.ts';
import { startApp, type TestApp } from '../app.ts';
import { pdf } from '../attachments/files.ts';
import { listen } from '../listen.ts';
import { openShop, type Shop } from '../shop.ts';

/*
 * The app, the shop and the file server of all tests of sales invoices.
 */

/** Friday 20 November 2026, noon in Amsterdam. */
export const FRIDAY = Date.UTC(2026, 10, 20, 11) / 1000;
export const DAY = 86_400;

export const chair = { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: '12.50' };
export const chairs = { CustomerNumber: 7, Invoice_InvoiceLine: [chair] };
export const amountsOf = (invoice: Record<string, number>) => [
  invoice.InvoiceTotalExclTax,
  invoice.InvoiceTaxAmount,
  invoice.InvoiceTotalInclTax,
];

/** Starts the app before the tests of a file; each test gets a new shop. */
export function salesInvoices() {
  let app: TestApp;
  let shop: Shop;
  let fileAddress: string;
  const requestedFiles: string[] = [];
  let closeFiles: () => void;
  beforeAll(async () => {
    const files = createServer((request, response) => {
      requestedFiles.push(request.url ?? '');
      if (request.url?.startsWith('/factuur.pdf')) response.end(pdf);
      else if (request.url?.startsWith('/page.pdf')) response.end('<html>Sign in first</html>');
      else if (request.url?.startsWith('/inside.pdf'))
        response.writeHead(302, { Location: 'http://10.0.0.1/a.pdf' }).end();
      else response.writeHead(404).end();
    });
    ({ url: fileAddress, close: closeFiles } = await listen(files));
    app = await startApp({ builtin: { download } });
  });
  beforeEach(async () => {
    app.setTime(FRIDAY);
    shop = await openShop(app);
  });
  afterAll(async () => {
    closeFiles();
    await app.close();
  });

  const download: typeof downloadFile = (address, options) =>
    downloadFile(address, {
      ...options,
      // The only address that may be downloaded from, in place of the internet.
      ports: [Number(URL.parse(address)?.port || 80)],
      allowAddress: (ip) => ip === '127.0.0.1' && address.startsWith(fileAddress),
    });
  const make = (change: object = {}) => shop.accepted('addsalesinvoice', { ...chairs, ...change });
  const refused = (change: object = {}) => shop.refused('addsalesinvoice', { ...chairs, ...change });
  const made = async (change: object = {}) => shop.listed((await make(change)).InvoiceNumber);
  return {
    get app() {
      return app;
    },
    get shop() {
      return shop;
    },
    /** Downloads from the file server only. */
    download,
    /** The address of the file server. */
    get fileAddress() {
      return fileAddress;
    },
    /** The paths of the requested files. */
    requestedFiles,
    /** Changes to a new shop in a country. */
    async changeShop(country: 'NL' | 'BE'): Promise<void> {
      shop = await openShop(app, country);
    },
    make,
    refused,
    /** The invoice with its lines, from the list of invoices. */
    made,
    line: async (change: object) =>
      (await made({ Invoice_InvoiceLine: [{ ...chair, ...change }] })).Invoice_InvoiceLine[0],
    refusedLine: (change: object) => refused({ Invoice_InvoiceLine: [{ ...chair, ...change }] }),
  };
}
