import path from 'node:path';
import { messagesOf } from '../addin/taskpane/locales/messages.ts';
import { pullInvoices } from '../addin/taskpane/pull/pulls.ts';
import { builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { inTransaction } from '../functions/administrations/builtin/sql/transaction.ts';
import { type Credential, createClient } from '../shared/client/client.ts';
import { createLedgerClient } from '../shared/client/ledgerClient.ts';
import { createVatClient } from '../shared/client/vatClient.ts';
import { readRequest } from '../shared/readRequest.ts';
import { openTestWorkbook } from '../testing/addin/workbook.ts';
import { fixturesOf } from '../testing/fixtures/fixtures.ts';
import { newBooks } from './books.ts';
import { eachOf, inFolder, median, type Ratio, startApp } from './measure.ts';

const INVOICES = 400;
const LINES = 50;
const ROUNDS = 5;
/** Excel on the web takes 5 MB at a time: what a raw write of so many cells is cut into. */
const RAW_ROWS = 5000;

/**
 * A pull of 20,000 invoice lines, from the service into the sheets, against writing the cells of both sheets without
 * anything else: no service, no formats, no table.
 */
export const measurePull = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const credential = await fill(`sqlite:${path.join(folder, 'ledgerline.sqlite')}`);
    const app = await startApp(folder);
    const client = createClient(app.url, credential, fetch);
    const ledger = createLedgerClient({ base: app.url, credential, fetch });
    const vat = createVatClient({ base: app.url, credential, fetch });
    const times = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const excel = openTestWorkbook();
      const administration = { id: 'bench', label: 'Bench' };
      const start = performance.now();
      const written = await pullInvoices(
        { client, ledger, vat, messages: messagesOf.en, administration },
        { WithLines: 'true' },
      );
      times.ours.push(performance.now() - start);
      const blocks = written.map(({ sheetName }) => excel.cells(sheetName));

      openTestWorkbook();
      const middle = performance.now();
      for (const [index, rows] of blocks.entries()) await writeRaw(`Raw ${index}`, rows);
      times.bare.push(performance.now() - middle);
    }
    await app.stop();
    const name = 'a pull of 20,000 invoice lines, against a raw write of the cells';
    return [{ name, ...eachOf(median, times), unit: 'ms', aim: 1.5 }];
  });

async function writeRaw(sheetName: string, rows: unknown[][]): Promise<void> {
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.add(sheetName);
    for (let start = 0; start < rows.length; start += RAW_ROWS) {
      const block = rows.slice(start, start + RAW_ROWS);
      sheet.getRangeByIndexes(start, 0, block.length, block[0]!.length).values = block;
      await context.sync();
    }
  });
}

/** An administration with 400 invoices of 50 lines. @returns its key */
async function fill(databaseUrl: string): Promise<Credential> {
  const db = await openDatabase(databaseUrl);
  const { administrationId, credential } = await newBooks(db);
  await inTransaction(db, async (trx) => {
    const { addProduct, addRelation } = fixturesOf(trx, administrationId);
    await addRelation({ name: 'Klant', customerNumber: 1 });
    await addProduct({ articleNumber: 'A', taxCode: '21% - Hoog' });
  });
  const administrations = builtinAdministrations(db);
  const administration = await administrations.open(credential);
  for (let invoice = 0; invoice < INVOICES; invoice++) {
    const lines = Array.from({ length: LINES }, (_, line) => ({
      ProductNumber: 'A',
      Quantity: line + 1,
      UnitPriceExclTax: 10 + line / 100,
      Description: `Line ${line} of invoice ${invoice}`,
    }));
    const input = {
      CustomerNumber: 1,
      InvoiceDate: '01-03-2026',
      Reference: `Reference ${invoice}`,
      Invoice_InvoiceLine: lines,
    };
    await administration.addsalesinvoice(readRequest('addsalesinvoice', input).request);
  }
  await administrations.close();
  return credential;
}
