import path from 'node:path';
import { messagesOf } from '../addin/taskpane/locales/messages.ts';
import { pullInvoices } from '../addin/taskpane/pull/pulls.ts';
import { noArticle } from '../functions/administrations/builtin/documents/articleLines.ts';
import { documentTotals } from '../functions/administrations/builtin/documents/documentTotals.ts';
import { invoiceLineRow } from '../functions/administrations/builtin/sales/readSalesInvoice.ts';
import { storeSalesInvoices } from '../functions/administrations/builtin/sales/storeSalesInvoices.ts';
import { createAdministration } from '../functions/administrations/builtin/setup/createAdministration.ts';
import { issueKey } from '../functions/administrations/builtin/setup/keys.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { blankRow } from '../functions/administrations/builtin/sql/rows.ts';
import { createClient } from '../shared/client/client.ts';
import { openTestWorkbook } from '../testing/addin/workbook.ts';
import { inFolder, median, type Ratio, started, stopped } from './measure.ts';

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
    const databaseUrl = `sqlite:${path.join(folder, 'ledgerline.sqlite')}`;
    const db = await openDatabase(databaseUrl);
    const credential = await fill(db);
    await db.destroy();
    const app = await started('functions/host/start.ts', /http:\/\/localhost:\d+/, { PORT: '0', DATA_DIR: folder });
    const times = { ours: [] as number[], bare: [] as number[] };
    try {
      const client = createClient(app.match[0], credential, fetch);
      for (let round = 0; round < ROUNDS; round++) {
        const excel = openTestWorkbook();
        const administration = { id: 'bench', label: 'Bench' };
        const start = performance.now();
        const written = await pullInvoices({ client, messages: messagesOf.en, administration }, { WithLines: 'true' });
        times.ours.push(performance.now() - start);
        const blocks = written.map(({ sheetName }) => excel.cells(sheetName));

        openTestWorkbook();
        const middle = performance.now();
        for (const [index, rows] of blocks.entries()) await writeRaw(`Raw ${index}`, rows);
        times.bare.push(performance.now() - middle);
      }
    } finally {
      await stopped(app.process);
    }
    const medians = { ours: median(times.ours), bare: median(times.bare) };
    return [
      { name: 'a pull of 20,000 invoice lines, against a raw write of the cells', ...medians, unit: 'ms', aim: 1.5 },
    ];
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

/** An administration with 400 invoices of 50 lines. */
async function fill(db: Database) {
  const id = await createAdministration(db, { name: 'Bench', country: 'NL', fiscalYears: [2026], now: 1_790_000_000n });
  const customer = await db
    .insertInto('relation')
    .values({
      administration_id: id,
      guid: 1n,
      name: 'Klant',
      name_folded: 'klant',
      is_business: 1n,
      email: '',
      email_folded: '',
      phone: '',
      street: '',
      unit: '',
      unit_appendix: '',
      postal_code: '',
      city: '',
      country_code: 'NL',
      group_name: '',
      is_customer: 1n,
      is_supplier: 0n,
      is_other: 0n,
      customer_number: 1n,
      supplier_number: null,
      registration_number: '',
      vat_number: '',
      vat_compared: '',
      created_on: 1_790_000_000n,
      changed_on: 1_790_000_000n,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const lines = Array.from({ length: LINES }, (_, line) => ({
    ...noArticle,
    amount: {
      quantity: BigInt(line + 1) * 10n ** 8n,
      price: { unitExcl: BigInt(1000 + line) * 10n ** 6n },
      discount: { percentage: 0n },
      taxCode: '21% - Hoog',
      rate: 21n * 10n ** 8n,
    },
  }));
  const totals = documentTotals(
    lines.map(({ amount }) => amount),
    0n,
  );
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
  await db.transaction().execute((trx) =>
    storeSalesInvoices(
      { db: trx, administration },
      Array.from({ length: INVOICES }, (_, invoice) => ({
        row: {
          number: BigInt(invoice + 1),
          module: 'INVOICING' as const,
          is_draft: 0n,
          date: '2026-03-01',
          due_date: '2026-03-31',
          notes: '',
          reference: `Reference ${invoice}`,
          packing_slip_notes: '',
          relation_id: customer.id,
          customer_number: 1n,
          customer_name: 'Klant',
          project_id: null,
          discount_pc: 0n,
          total_excl: totals.excl,
          total_tax: totals.tax,
          total_incl: totals.incl,
          outstanding: 0n,
          is_sent: 1n,
          ogm: '',
          email_to_customer: 0n,
          template_invoice: '',
          template_email: '',
          sales_order_id: null,
          moves_stock: 0n,
          created_on: 1_790_000_000n,
        },
        lines: lines.map((line, index) => ({
          ...blankRow('sales_invoice_line'),
          ...invoiceLineRow({ ...line, description: `Line ${index} of invoice ${invoice}` }, totals.lines[index]),
          ledger_account_number: '8000',
        })),
        project: null,
        addresses: [],
        contacts: [],
      })),
    ),
  );
  const username = 'bench@example.com';
  const apiKey = await issueKey(db, { administrationId: id, username, label: 'bench', now: 1_790_000_000n });
  return { apiKey, username };
}
