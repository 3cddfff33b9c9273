import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtinAdministrations } from '../../../functions/administrations/builtin/builtin.ts';
import { insertRows } from '../../../functions/administrations/builtin/sql/insertRows.ts';
import { newRow } from '../../../functions/administrations/builtin/sql/rows.ts';
import { createLedgerClient } from '../../../shared/client/ledgerClient.ts';
import { createPushClient } from '../../../shared/client/pushClient.ts';
import { createVatClient } from '../../../shared/client/vatClient.ts';
import { readWrite } from '../../../shared/readRequest.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';
import { noRetry } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { messagesOf } from '../locales/messages.ts';
import type { RequestSheet } from '../sheetColumns/requestColumns.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { counterRows, reverseEntry } from './counterEntry.ts';
import { makeRequestSheet } from './makeRequestSheet.ts';
import { readRequests } from './readRequests.ts';

/* What the VAT return and the accounts have after a document and its counter-entry, by an app over HTTP. */

const messages = messagesOf.en;
let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setTime(Date.UTC(2026, 9, 20, 11) / 1000);
  shop = await openShop(app);
});

const service = () => ({ base: app.url, credential: shop.credential, fetch });
const boxes = async () => {
  const { boxes } = await createVatClient(service()).vatReturn('2026-Q3');
  return boxes.filter(({ exact }) => exact !== '0').map(({ box, part, exact }) => `${box} ${part} ${exact}`);
};

/** The request that the sheet of journal entries reads in some rows. */
function read(rows: readonly Record<string, Cell>[]): object {
  const [entry, ...others] = readRequests(
    rows.map((cells, index) => ({
      number: 2 + index,
      cells: new Map(Object.entries(cells)),
      natures: new Map(
        Object.keys(cells).map((column) => [column, column === 'EntryDate' ? ('date' as const) : undefined]),
      ),
      hidden: false,
      addressOf: (column: string) => `${column}${2 + index}`,
    })) as never,
    { sheet: requestSheets.journalEntryRows, messages, taxRates: new Map() },
  );
  expect([others, entry!.issues]).toEqual([[], []]);
  return entry!.request;
}

/** Books the counter-entry of the only entry. @returns what it could not have */
async function takeBack(): Promise<string[]> {
  const ledger = createLedgerClient(service());
  const [page] = await Array.fromAsync(ledger.entryPages());
  const entry = page!.lines[0]!.entry!;
  const [{ lines, taxedWithoutLine }] = (await Array.fromAsync(ledger.entryPages({ entry }))) as [typeof page & object];
  const relation = { name: 'Relation', customer: 7, supplier: 3 };
  const { rows, leftOut } = counterRows(lines, {
    relations: new Map(lines.flatMap(({ relationGUID }) => (relationGUID === null ? [] : [[relationGUID, relation]]))),
    date: '2026-09-30',
    messages,
    taxedWithoutLine,
  });
  const writer = await builtinAdministrations(app.db).writer(shop.credential);
  const write = {
    key: crypto.randomUUID(),
    name: 'addjournalentry' as const,
    request: readWrite('addjournalentry', read(rows)).request,
  };
  const [outcome] = await writer.write([write], async () => {}, new AbortController().signal);
  expect(outcome).toMatchObject({ kind: 'applied' });
  const { balances } = await ledger.balances({ to: '2026' });
  expect(balances.filter(({ closing }) => Number(closing) !== 0)).toEqual([]);
  return leftOut;
}

it('A counter-entry takes back what a sales invoice taxes at 0 %, also beside other codes on the same account', async () => {
  await shop.accepted('addsalestransaction', {
    CustomerNumber: 7,
    InvoiceDate: '30-09-2026',
    Invoice_InvoiceLine: [
      { SubTotalInclTax: 121, TaxCode: '21% - Hoog' },
      { SubTotalInclTax: 50, TaxCode: '0% - Goederen naar EU-landen' },
      { SubTotalInclTax: 30.01, TaxCode: '0% - Export buiten de EU' },
    ],
  });
  expect(await boxes()).toEqual(expect.arrayContaining(['1a base 100', '1a tax 21', '3a base 30.01', '3b base 50']));
  expect(await takeBack()).toEqual([]);
  expect(await boxes()).toEqual([]);
});

it('A counter-entry takes back a purchase whose VAT may not be deducted, wholly or in part', async () => {
  // Half of the VAT on one code may be deducted, and none on another; the base is in a box to be seen.
  const rule = {
    administration_id: shop.administrationId,
    tax_type: 'Purchase' as const,
    document: 'any' as const,
    base_boxes: '1e',
    deductible_boxes: '5b',
    listing: '' as const,
  };
  await insertRows(app.db, 'vat_rule', [
    newRow('vat_rule', { ...rule, tax_code: '21% - Inkoop hoog', deductible_pc: 50n * 100_000_000n }),
    newRow('vat_rule', { ...rule, tax_code: '9% - Inkoop laag', deductible_pc: 0n }),
  ]);
  await shop.accepted('addpurchasetransaction', {
    SupplierNumber: 3,
    InvoiceDate: '15-08-2026',
    Invoice_InvoiceLine: [
      { SubTotalInclTax: 242, TaxCode: '21% - Inkoop hoog' },
      { SubTotalInclTax: 109, TaxCode: '9% - Inkoop laag' },
    ],
  });
  // 200 and 100 are taxed; half of 42 is deducted.
  expect(await boxes()).toEqual(expect.arrayContaining(['1e base 300', '5b tax 21']));
  expect(await takeBack()).toEqual([]);
  expect(await boxes()).toEqual([]);
});

describe('A counter-entry with what is taxed', () => {
  const administration = { id: 'c1', label: 'Bakery' };
  const sheet = requestSheets.journalEntryRows;
  const heading = messages.headings.documents.TaxAmount;
  const clients = () => ({ client: shop.client, ledger: createLedgerClient(service()), products: undefined });
  let excel: TestWorkbook;
  beforeEach(async () => {
    excel = openTestWorkbook();
    await shop.accepted('addsalestransaction', {
      CustomerNumber: 7,
      InvoiceDate: '30-09-2026',
      Invoice_InvoiceLine: [{ SubTotalInclTax: 50, TaxCode: '0% - Export buiten de EU' }],
    });
  });
  const reverse = async () => {
    const tools = { ...clients(), pushes: createPushClient(service()) };
    const [page] = await Array.fromAsync(tools.ledger.entryPages());
    const entry = page!.lines[0]!.entry!;
    return reverseEntry(entry, { ...tools, messages, administration, retry: noRetry });
  };
  const makeSheet = (made: RequestSheet) =>
    makeRequestSheet(made, messages, administration, { ...clients(), pushes: createPushClient(service()) }, noRetry);

  it('comes into a new sheet when the present one is of a version without the column for it', async () => {
    const { TaxAmount: _later, ...columns } = sheet.columns;
    const earlier = await makeSheet({ ...sheet, columns });
    const { sheetName } = (await reverse()) as { sheetName: string };
    expect(sheetName).not.toBe(earlier);
    const [headings, ...rows] = excel.cells(sheetName);
    expect(rows.map((row) => row[headings!.indexOf(heading)]).filter((cell) => cell !== '')).toEqual([0]);
  });

  it('is refused by the name of the column when somebody deleted it', async () => {
    const name = await makeSheet(sheet);
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem(name).tables.getItemAt(0).columns.getItem(heading).delete();
      await context.sync();
    });
    const before = excel.cells(name);
    await expect(reverse()).rejects.toMatchObject({ code: 'COLUMN_GONE', detail: heading });
    expect(excel.cells(name)).toEqual(before);
  });
});
