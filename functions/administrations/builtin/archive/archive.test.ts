import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { send, startApp, type TestApp } from '../../../../testing/app.ts';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { deeper } from '../../../../testing/deep.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { checkAdministration } from '../check/check.ts';
import { readCsv } from '../files/readCsv.ts';
import { readXlsx } from '../files/readXlsx.ts';
import { importRows } from '../import/importRows.ts';
import { resources } from '../import/resources.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import { makeDemo } from '../setup/demo/demo.ts';
import { issueKey } from '../setup/keys.ts';
import { comparedVatNumber, folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import { newRow } from '../sql/rows.ts';
import type { Schema } from '../sql/schema.ts';
import { ATTACHMENTS, archiveFiles, settings } from './archive.ts';
import { exportAdministration } from './exportAdministration.ts';
import { importAdministration } from './importAdministration.ts';
import { MANIFEST, manifestText, sha256Of } from './manifest.ts';

const home = mkdtempSync(path.join(tmpdir(), 'ledgerline-export-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => path.join(home, `export-${++folders}`);

async function newDatabase(): Promise<Database> {
  const { db } = await emptyDatabase();
  onTestFinished(() => db.destroy());
  return db;
}

/** Tables of the database itself, keys, and which writes were carried out: no part of an export. */
const NOT_EXPORTED = [
  'kysely_migration',
  'kysely_migration_lock',
  'api_key',
  'applied_write',
  'sales_invoice_pdf',
  'outgoing_mail',
  'log_head',
  'log_change',
];

/** What a column that names a row of another table is called for, where that is not the table. */
const otherNames: Record<string, string> = {
  customer: 'relation',
  supplier: 'relation',
  sales_tax_code: 'tax_code',
  purchase_tax_code: 'tax_code',
  category: 'product_category',
  batch: 'product_batch',
};

/** Every row of every table, in order, with the place of a row among the others of its table instead of its id. */
async function contents(db: Database): Promise<Record<string, Record<string, unknown>[]>> {
  // The log goes on where it is imported: it is compared by itself.
  const tables = (await db.introspection.getTables()).filter(({ name }) => ![...NOT_EXPORTED, 'log'].includes(name));
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const { name } of tables) {
    const all = (await db
      .selectFrom(name as 'product')
      .selectAll()
      .execute()) as unknown as Record<string, bigint>[];
    // What has a position stands by it among the others of its owner; custom fields, by what they are of.
    const key = (row: Record<string, bigint>) => {
      const owner = row.relation_id ?? row.product_id ?? row.sales_invoice_id ?? row.sales_order_id;
      const of = row.owner ?? (row.position === undefined ? row.id : (owner ?? row.purchase_invoice_id));
      return [of ?? owner ?? row.administration_id, row.position ?? row.id ?? row.custom_field_id ?? row.name]
        .map((part) => String(part).padStart(20, '0'))
        .join(' ');
    };
    rows.set(
      name,
      all.sort((a, b) => (key(a) < key(b) ? -1 : 1)),
    );
  }
  const places = new Map(
    [...rows].map(([name, all]) => [name, new Map(all.map(({ id }, index) => [id, `row ${index}`]))]),
  );
  return Object.fromEntries(
    [...rows].map(([name, all]) => [
      name,
      all.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => {
            if (column === 'id') return [column, places.get(name)!.get(value)];
            const target = /^(.*)_id$/.exec(column)?.[1];
            if (target === undefined || value === null) return [column, value];
            return [column, places.get(otherNames[target] ?? target)!.get(value)];
          }),
        ),
      ),
    ]),
  );
}

const administrationsOf = async (db: Database): Promise<bigint[]> =>
  (await db.selectFrom('administration').orderBy('id').select('id').execute()).map(({ id }) => id);

/** Exports all administrations of a database into one that has none. */
async function moved(db: Database): Promise<Database> {
  const other = await newDatabase();
  for (const id of await administrationsOf(db)) {
    const folder = newFolder();
    await exportAdministration(db, id, folder);
    const { problems, administrationId } = await importAdministration(other, folder);
    expect(problems).toEqual([]);
    const again = newFolder();
    await exportAdministration(other, administrationId, again);
    expectSameFiles(again, folder);
  }
  return other;
}

/** The files of an export, those of attachments too. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .sort();

/** Writes the manifest of a folder anew, as whoever changes files in it can, unless it is signed with a key. */
function signAgain(folder: string): void {
  const { rows } = JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8'));
  const names = filesIn(folder).filter((name) => name !== MANIFEST);
  const files = Object.fromEntries(names.map((name) => [name, sha256Of(readFileSync(path.join(folder, name)))]));
  writeFileSync(path.join(folder, MANIFEST), manifestText({ rows, files }, undefined));
}

/** The same files, but that the log tells in one more row that they were imported in between. */
function expectSameFiles(found: string, expected: string): void {
  expect(filesIn(found)).toEqual(filesIn(expected));
  for (const file of filesIn(expected)) {
    const [one, other] = [found, expected].map((folder) => readFileSync(path.join(folder, file)));
    if (file === 'log.csv') {
      expect(one!.subarray(0, other!.length).equals(other!)).toBe(true);
      expect(String(one!.subarray(other!.length))).toMatch(/^\d+,\d+,command,,import all,[^\n]*\n$/);
    } else if (file === 'archive.json') {
      const [again, before] = [one, other].map((text) => JSON.parse(String(text)) as { rows: Record<string, number> });
      expect(again!.rows).toEqual({ ...before!.rows, 'log.csv': before!.rows['log.csv']! + 1 });
    } else expect(one!.equals(other!), file).toBe(true);
  }
}

test('nothing of the tables is forgotten', async () => {
  const db = await newDatabase();
  // An administration that is imported again is not archived: it is there to be used.
  const derived = /^archived_on$|_folded$|^answer$|^lines_answer$|^vat_compared$|^id$|^administration_id$/;
  const exported = new Map(
    [settings, ...archiveFiles].map(({ table, fields }) => [table as string, fields.map(({ column }) => column)]),
  );
  for (const part of archiveFiles.flatMap(({ parts }) => parts)) {
    const columns =
      part.as === 'custom fields' ? ['custom_field_id', 'value'] : part.fields.map(({ column }) => column);
    exported.set(part.table, [part.owner, ...columns, ...(part.as === 'custom fields' ? [] : ['position'])]);
  }
  // Their headings say it all.
  exported.set('custom_field', ['owner', 'label', 'field_type', 'type_of_relation']);
  // Contents are files of their own.
  exported.get('attachment')!.push('content');
  const tables = (await db.introspection.getTables()).filter(({ name }) => !NOT_EXPORTED.includes(name));
  expect(tables.length).toBeGreaterThan(30);
  for (const { name, columns } of tables) {
    const told = columns.map((column) => column.name).filter((column) => !derived.test(column));
    expect({ name, columns: [...(exported.get(name) ?? [])].sort() }).toEqual({ name, columns: told.sort() });
  }
});

describe('the demo administrations', () => {
  let db: Database;
  beforeAll(async () => {
    ({ db } = await emptyDatabase());
    await makeDemo(db);
    return () => db.destroy();
  });

  test('exported and imported are the same to the last row, their kept answers too, and exported again the same files', async () => {
    const other = await moved(db);
    expect(await contents(other)).toEqual(await contents(db));
    const { guid } = await other
      .selectFrom('relation')
      .orderBy('guid', 'desc')
      .select('guid')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(guid).toBeGreaterThan(2n ** 53n);
    for (const id of await administrationsOf(other)) {
      expect(await Array.fromAsync(checkAdministration(other, id))).toEqual([]);
    }
  }, 180_000);

  // A workbook is read the same for every database.
  test.each(databaseKind() === 'sqlite' ? ['csv', 'xlsx'] : ['csv'])(
    'exported have files that are imported one by one, as %s',
    async (form) => {
      const other = await newDatabase();
      for (const id of await administrationsOf(db)) {
        const folder = newFolder();
        await exportAdministration(db, id, folder);
        const administrationId = await importOneByOne(
          other,
          db,
          id,
          form === 'csv' ? folder : await asWorkbooks(folder),
        );
        expect(await Array.fromAsync(checkAdministration(other, administrationId))).toEqual([]);
      }
      expect(ofForms(await contents(other))).toEqual(ofForms(await contents(db)));
    },
  );
});

/** The files of a folder as workbooks, in a folder of their own. */
async function asWorkbooks(folder: string): Promise<string> {
  const made = newFolder();
  mkdirSync(made);
  for (const resource of Object.keys(resources)) {
    const { headings, rows } = await readCsv(path.join(folder, `${resource}.csv`));
    const data = [[...headings], ...(await Array.fromAsync(rows, ({ cells }) => [...cells]))];
    await writeExcelFile(data).toFile(path.join(made, `${resource}.xlsx`));
  }
  return made;
}

/** Imports a folder's files one by one, in an order in which each finds what it names, and tells the administration. */
async function importOneByOne(other: Database, db: Database, id: bigint, folder: string): Promise<bigint> {
  const { name, country, ...of } = await db
    .selectFrom('administration')
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
  const administrationId = await createAdministration(other, { name, country, fiscalYears: [], now: 1n, empty: true });
  const { id: _, created_on: __, ...accounts } = of;
  await other.updateTable('administration').where('id', '=', administrationId).set(accounts).execute();
  const imported: string[] = [];
  for (const resource of [
    'tax-codes',
    'accounts',
    'cost-centers',
    'order-statuses',
    'product-categories',
    'relations',
    'products',
    'projects',
    'material-bookings',
    'orders',
    'invoices',
    'purchase-invoices',
  ] as const) {
    const file = path.join(folder, resource);
    const source = existsSync(`${file}.csv`) ? await readCsv(`${file}.csv`) : await readXlsx(`${file}.xlsx`);
    const { problems, warnings } = await importRows(other, resources[resource], source, { administrationId, now: 1n });
    expect({ resource, problems, warnings }).toEqual({ resource, problems: [], warnings: [] });
    imported.push(resource);
  }
  expect(imported.sort()).toEqual(Object.keys(resources).sort());
  return administrationId;
}

/**
 * What the forms of single resources tell: neither how stock came about, nor another address than the relation's own,
 * nor which line ends a text has, and spaces around it.
 */
function ofForms(all: Awaited<ReturnType<typeof contents>>) {
  const told = Object.entries(all).filter(
    ([table]) =>
      /^(tax_code|ledger_account|cost_center|order_status|custom_field|project|material_booking|purchase_invoice)/.test(
        table,
      ) ||
      /^(relation|relation_(contact|bank_account|custom_field)|product|product_c.*|sales_(invoice|order)(_line)?)$/.test(
        table,
      ),
  );
  return Object.fromEntries(
    told.map(([table, rows]) => [
      table,
      rows.map(({ answer: _, lines_answer: __, moves_stock: ___, ...row }) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(value)])),
      ),
    ]),
  );
}

const plain = (value: unknown) => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value);

describe('an administration of documents', () => {
  let app: TestApp;
  let shop: Shop;
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n');
  beforeAll(async () => {
    app = await startApp();
    return () => app.close();
  });
  beforeEach(async () => {
    shop = await openShop(app);
    await shop.accepted('updateproduct', {
      ArticleNumber: '0100',
      Product_Batch: [
        { Description: 'P1', BatchExpiryDate: '31-12-2027', BatchStockQty: '4' },
        { Description: 'P2', BatchStockQty: '-1.5' },
      ],
      StockUpdateMode: 'Relative',
      StockQty: '3',
    });
    await shop.accepted('addorder', {
      CustomerNumber: 7,
      OrderReference: 'Bestelling "1"; spoed',
      OrderDiscountPc: 2.5,
      Order_Address: [
        { Address_Type: 'ShippingAddress', Address_Street: 'Kade', Address_Unit: '3', Address_City: 'Gouda' },
      ],
      Order_Orderline: [
        { ProductNumber: '0100', Quantity: 3, UnitPriceExclTax: '12.345' },
        { IsTextLine: true, Description: 'regel een\r\nregel twee\n' },
      ],
    });
    await shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      InvoiceNumber: '20260007',
      InvoiceForOrderNumber: 1,
      InvoiceNotes: '  =1+1, "aanhaling"\r\n\r\n<b>vet</b> ',
      InvoiceDiscountPc: 10,
      Invoice_InvoiceLine: [
        { ProductNumber: '0100', Quantity: '2.5', SubTotalInclTax: '33.33', CostCenter: 'Winkel' },
        { ProductNumber: '0200', Quantity: -1, UseArticlePrice: true, DiscountPc: 5 },
      ],
      Invoice_Attachment: [{ FileContent: pdf.toString('base64'), FileName: '../Bon 1.pdf', Internal: true }],
    });
    await shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      AddAsDraft: true,
      Invoice_InvoiceLine: [{ ProductNumber: '0200', Quantity: 1, UnitPriceExclTax: 3 }],
    });
    await shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      PeriodicInvoiceTemplate: true,
      Periodic_StartingDate: '31-12-2099',
      Periodic_Frequency: 1,
      Periodic_FrequencyUnit: 'Month',
      Invoice_InvoiceLine: [{ ProductNumber: '0200', Quantity: 1, UnitPriceExclTax: 3 }],
      Invoice_Attachment: [{ FileContent: pdf.toString('base64'), FileName: 'Voorwaarden.pdf' }],
    });
    await shop.accepted('addsalestransaction', {
      CustomerNumber: 7,
      Invoice_InvoiceLine: [{ SubTotalInclTax: '121', TaxPc: 21, CostCenter: 'Markt' }],
    });
    for (const total of ['109', '-10.9']) {
      await shop.accepted('addpurchasetransaction', {
        SupplierNumber: 3,
        PurchaseInvoiceNumber: '88',
        Invoice_InvoiceLine: [{ SubTotalInclTax: total, TaxPc: 9 }],
      });
    }
  });

  const exported = async (): Promise<string> => {
    const folder = newFolder();
    await exportAdministration(app.db, shop.administrationId, folder);
    return folder;
  };

  test('made by the endpoints, exported and imported, is the same to the last row', async () => {
    const folder = await exported();
    const [once, twice] = [await newDatabase(), await newDatabase()];
    expect((await importAdministration(once, folder)).problems).toEqual([]);
    const [id] = (await administrationsOf(once)) as [bigint];
    // The database of the app has other administrations as well; so what is compared is a copy and its copy, and both
    // files.
    const again = newFolder();
    await exportAdministration(once, id, again);
    expect((await importAdministration(twice, again)).problems).toEqual([]);
    expect(await contents(twice)).toEqual(await contents(once));
    // Beside the tables' files, the settings, the manifest and two attachments.
    expect(filesIn(folder)).toHaveLength(archiveFiles.length + 2 + 2);
    expectSameFiles(again, folder);
    expect(await Array.fromAsync(checkAdministration(once, id))).toEqual([]);
    const attachment = await once.selectFrom('attachment').orderBy('id').selectAll().execute();
    expect(attachment.map(({ file_name }) => file_name)).toEqual([
      expect.stringContaining('Bon 1.pdf'),
      'Voorwaarden.pdf',
    ]);
    expect(Buffer.from(attachment[0]!.content!).equals(pdf)).toBe(true);
    const notes = async (db: Database, id: bigint) =>
      await db
        .selectFrom('sales_invoice')
        .where('administration_id', '=', id)
        .orderBy('number')
        .select(['notes', 'answer', 'lines_answer'])
        .execute();
    expect(await notes(once, id)).toEqual(await notes(app.db, shop.administrationId));
  });

  test('goes on at the same numbers when it is imported, and answers the same', async () => {
    const folder = await exported();
    const { administrationId } = await importAdministration(app.db, folder, { name: 'Terug' });
    const username = `terug-${folders}@example.com`;
    const apiKey = await issueKey(app.db, { administrationId, username, label: '', now: 1n });
    const headers = { ApiKey: apiKey, Username: username };
    for (const list of [
      'listrelations',
      'listsalesinvoices?InlcudeInvoiceLinesInResponse=true',
      'listtaxcodes',
      'listledgeraccounts?FiscalYear=2026',
      'listprojectmaterialbooking',
    ]) {
      const [before, after] = [
        await shop.get(`/rest/${list}`),
        await send(app.url, 'GET', `/rest/${list}`, { headers }),
      ];
      expect(after.status).toBe(200);
      expect(after.text).toBe(before.text);
    }
    const body = {
      CustomerNumber: 7,
      Invoice_InvoiceLine: [{ ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1 }],
    };
    const before = await shop.accepted('addsalesinvoice', body);
    const after = await send(app.url, 'POST', '/rest/addsalesinvoice', {
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    });
    expect(after.json[0].InvoiceNumber).toBe(before.InvoiceNumber);
    const { name } = await app.db
      .selectFrom('administration')
      .where('id', '=', administrationId)
      .select('name')
      .executeTakeFirstOrThrow();
    expect(name).toBe('Terug');
  });

  test('is not imported from files with anything wrong in them, and they are told', async () => {
    const good = await exported();
    const db = await newDatabase();
    const damaged = async (damage: (folder: string) => void): Promise<string[]> => {
      const folder = newFolder();
      cpSync(good, folder, { recursive: true });
      damage(folder);
      signAgain(folder);
      const told = await importAdministration(db, folder).then(
        ({ problems }) => problems.map(({ place, column, message }) => `${place} ${column}: ${message}`),
        (error: Error) => [error.message],
      );
      expect(await administrationsOf(db)).toEqual([]);
      expect(await db.selectFrom('relation').select('id').execute()).toEqual([]);
      return told;
    };
    const edit = (name: string, change: (text: string) => string) => (folder: string) => {
      const before = readFileSync(path.join(folder, name), 'utf8');
      const after = change(before);
      expect(after).not.toBe(before);
      writeFileSync(path.join(folder, name), after);
    };
    const withoutLastLine = (text: string) => text.trimEnd().split('\r\n').slice(0, -1).join('\r\n');
    expect(await damaged(edit('journal-lines.csv', withoutLastLine))).toEqual([
      expect.stringMatching(/^journal-lines\.csv:\d+ : expected \d+ rows, as archive\.json says, got \d+$/),
    ]);
    expect(await damaged(edit('orders.csv', (text) => text.replace(',2.5,', ',2.5x,')))).toEqual([
      'orders.csv:2 OrderDiscountPc: expected a decimal number with at most 8 decimals, got "2.5x"',
    ]);
    // Lines of documents: the order has two, of which the second goes on over three lines of the file.
    expect(await damaged(edit('orders.csv', (text) => text.replace('\r\n1,,', '\r\n1,final_quote,')))).toEqual([
      'orders.csv:3 GeneralStatus: expected what the first row has, "order", or nothing, got "final_quote"',
    ]);
    expect(await damaged(edit('orders.csv', (text) => text.replace(',2,true,', ',3,true,')))).toEqual([
      'orders.csv:3 LineNumber: expected 2, as the lines of a document are counted, got "3"',
    ]);
    expect(await damaged(edit('invoices.csv', (text) => text.replace('Brood,0200,', 'Brood,0201,')))).toEqual([
      'invoices.csv:5 CurrentProductNumber: expected one of products.csv, got 0201',
    ]);
    expect(await damaged(edit('invoices.csv', (text) => text.replace(',30.00,', ',30.01,')))).toEqual([
      'invoices.csv:2 TotalInclTax: expected 27.21, what AmountInclTax of the lines adds up to, got 27.20',
    ]);
    expect(await damaged(edit('invoice-addresses.csv', (text) => text.replaceAll('20260007', '20260000')))).toEqual(
      [2, 3].map((line) => `invoice-addresses.csv:${line} InvoiceNumber: expected one of invoices.csv, got 20260000`),
    );
    // Of a person: a contact that says neither yes nor no, and a second heading of one field.
    expect(await damaged(edit('relations.csv', (text) => text.replace(/,false,Anna,/, ',,Anna,')))).toEqual([
      'relations.csv:2 Contact_DefaultContact: expected true or false, got ""',
    ]);
    expect(await damaged(edit('relations.csv', (text) => text.replaceAll('Contact2_Sex', 'Contact2_Gender')))).toEqual([
      'relations.csv:1 Contact2_Sex: is required: the file has no such column',
      'relations.csv:1 Contact2_Gender: is not known here',
    ]);
    const twice = (text: string) =>
      text
        .trimEnd()
        .split('\r\n')
        .map((line, index) => `${line},${index === 0 ? 'Custom: Potmaat,Custom: Potmaat (Integer)' : ','}\r\n`)
        .join('');
    expect(await damaged(edit('products.csv', twice))).toEqual([
      'products.csv:1 Custom: Potmaat (Integer): expected this field once',
    ]);
    expect(await damaged(edit('attachments.csv', (text) => text.replace('000001.pdf', '../orders.csv')))).toEqual([
      `attachments.csv:2 File: expected the name of a file in ${ATTACHMENTS}, got "../orders.csv"`,
    ]);
    expect(await damaged(edit('cost-centers.csv', (text) => text.replace('Name', 'Naam')))).toEqual([
      'cost-centers.csv:1 Name: is required: the file has no such column',
      'cost-centers.csv:1 Naam: is not known here',
    ]);
    expect(await damaged(edit('cost-centers.csv', (text) => text.replace('Winkel', 'Winkel,x')))).toEqual([
      'cost-centers.csv:2 : expected 1 cells, as the heading has, got 2',
    ]);
    expect(
      await damaged((folder) => writeFileSync(path.join(folder, 'orders.csv'), Buffer.from([0x4e, 0x0a, 0xe9, 0x0a]))),
    ).toEqual([expect.stringContaining('expected UTF-8; byte 3 is not')]);
    expect(await damaged(edit('administration.csv', (text) => `${text}"open`))).toEqual([
      expect.stringMatching(/^administration\.csv:3 : expected a " that ends the quoted cell/),
    ]);
    expect(await damaged(edit('administration.csv', (text) => text.replace(',NL,', ',FR,')))).toEqual([
      'administration.csv:2 Countrycode: expected NL or BE, got "FR"',
    ]);
    expect(await damaged(edit('accounts.csv', (text) => `${text}${text.split('\r\n')[1]}\r\n`))).toEqual([
      expect.stringContaining('accounts.csv, lines 2 to'),
    ]);
  });

  test('is not exported over a folder there is', async () => {
    const folder = await exported();
    await expect(exportAdministration(app.db, shop.administrationId, folder)).rejects.toThrow('it is there already');
    expect(readdirSync(home).filter((name) => name.endsWith('.incomplete'))).toEqual([]);
  });
});

describe('documents of any lines', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    return () => app.close();
  });

  const cents = (least: number, most: number) =>
    fc.integer({ min: least, max: most }).map((amount) => (amount / 100).toFixed(2));
  const line = fc.oneof(
    fc.record({ IsTextLine: fc.constant(true), Description: fc.string({ unit: 'grapheme', maxLength: 9 }) }),
    fc
      .tuple(
        fc.record({
          ProductNumber: fc.constantFrom('0100', '0200'),
          Quantity: fc.integer({ min: -3000, max: 3000 }).map((thousandths) => (thousandths / 1000).toFixed(3)),
        }),
        fc.oneof(
          fc.record({ UnitPriceExclTax: fc.integer({ min: 0, max: 99_999_999 }).map((n) => (n / 1e5).toFixed(5)) }),
          fc.record({ SubTotalInclTax: cents(-99_999, 99_999) }),
          fc.record({ UseArticlePrice: fc.constant(true), UnitPriceExclTax: fc.constant('1') }),
        ),
        fc.oneof(
          fc.record({ DiscountPc: cents(0, 10_000) }),
          // Of lines that are no less than that.
          fc.record({
            Quantity: fc.constantFrom('-2', '3'),
            UnitPriceExclTax: fc.constant('12.345'),
            DiscountAmountInclTax: cents(0, 500),
          }),
          fc.constant({}),
        ),
      )
      .map((parts) => Object.assign({}, ...parts)),
  );
  const lines = fc.array(line, { minLength: 1, maxLength: 6 });
  const bookkeepingLine = fc.record({ SubTotalInclTax: cents(-99_999, 99_999), TaxPc: fc.constantFrom(21, 9, 0) });
  const document = fc.oneof(
    fc.record({ kind: fc.constant('addorder' as const), lines, discount: cents(0, 10_000) }),
    fc.record({ kind: fc.constant('addsalesinvoice' as const), lines, discount: cents(0, 10_000) }),
    fc.record({
      kind: fc.constantFrom('addsalestransaction' as const, 'addpurchasetransaction' as const),
      lines: fc.array(bookkeepingLine, { minLength: 1, maxLength: 4 }),
      discount: fc.constant(''),
    }),
  );

  test('are the same again, imported as a whole and file by file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 6 }), async (documents) => {
        const shop = await openShop(app);
        for (const { kind, lines, discount } of documents) {
          await shop.accepted(kind, {
            ...(kind === 'addpurchasetransaction'
              ? { SupplierNumber: 3, PurchaseInvoiceNumber: '88' }
              : { CustomerNumber: 7 }),
            ...(kind === 'addorder'
              ? { Order_Orderline: lines, OrderDiscountPc: discount }
              : { Invoice_InvoiceLine: lines, InvoiceDiscountPc: discount }),
          });
        }
        const folder = newFolder();
        await exportAdministration(app.db, shop.administrationId, folder);
        const { db: whole } = await emptyDatabase();
        const { db: byFile } = await emptyDatabase();
        try {
          const { administrationId, problems } = await importAdministration(whole, folder);
          expect(problems).toEqual([]);
          const again = newFolder();
          await exportAdministration(whole, administrationId, again);
          expectSameFiles(again, folder);
          const id = await importOneByOne(byFile, app.db, shop.administrationId, folder);
          expect(ofForms(await contents(byFile))).toEqual(ofForms(await contents(whole)));
          for (const [db, made] of [
            [whole, administrationId],
            [byFile, id],
          ] as const) {
            expect(await Array.fromAsync(checkAdministration(db, made))).toEqual([]);
          }
        } finally {
          await whole.destroy();
          await byFile.destroy();
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: databaseKind() === 'sqlite' ? deeper(6, 20) : 2 },
    );
  }, 120_000);
});

test('any text and any number comes back as it was', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom(
      '',
      ' ',
      ' a ',
      '"',
      '""',
      ',;',
      '\r',
      '\n',
      '\r\n',
      'a\r\nb\rc\nd',
      'a\ufeffb',
      '=1+1',
      '0100',
      '#',
      "'",
      '\t',
    ),
  );
  // PostgreSQL keeps no character of code 0, and the embedded one loses a byte order mark at the beginning.
  const any = text.map((value) => value.replaceAll('\0', '').replace(/^\ufeff+/, ''));
  const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const relation = fc.record({
    guid: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
    texts: fc.array(any, { minLength: 8, maxLength: 8 }),
    number: fc.option(fc.bigInt({ min: 1n, max: 2n ** 62n })),
    flags: fc.array(fc.constantFrom(0n, 1n), { minLength: 4, maxLength: 4 }),
    created: long,
    contacts: fc.array(any, { maxLength: 3 }),
    custom: any,
  });
  const product = fc.record({
    texts: fc.array(any, { minLength: 4, maxLength: 4 }),
    amounts: fc.array(long, { minLength: 5, maxLength: 5 }),
  });
  const date = fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(relation, { selector: ({ guid }) => guid, maxLength: 6 }),
      fc.uniqueArray(product, { selector: ({ texts }) => texts[0], maxLength: 6 }),
      fc.array(fc.tuple(date, any, long), { maxLength: 6 }),
      async (relations, products, entries) => {
        const { db } = await emptyDatabase();
        const { db: other } = await emptyDatabase();
        try {
          await fill(db, relations, products, entries);
          const [id] = (await administrationsOf(db)) as [bigint];
          const folder = newFolder();
          await exportAdministration(db, id, folder);
          expect((await importAdministration(other, folder)).problems).toEqual([]);
          expect(withoutAnswers(await contents(other))).toEqual(withoutAnswers(await contents(db)));
        } finally {
          await db.destroy();
          await other.destroy();
        }
      },
    ),
    // Embedded databases take their time to begin.
    { numRuns: databaseKind() === 'sqlite' ? deeper(6, 20) : 3 },
  );
}, 120_000);

/** Rows that were put into the tables directly have no kept answers. */
const withoutAnswers = (all: Record<string, unknown[]>) => ({
  ...all,
  relation: all.relation!.map((row) => ({ ...(row as object), answer: '' })),
});

type Given<T extends keyof Schema> = Parameters<typeof insertRows<T>>[2];

async function fill(
  db: Database,
  relations: {
    guid: bigint;
    texts: string[];
    number: bigint | null;
    flags: bigint[];
    created: bigint;
    contacts: string[];
    custom: string;
  }[],
  products: { texts: string[]; amounts: bigint[] }[],
  entries: [string, string, bigint][],
): Promise<void> {
  const id = await createAdministration(db, { name: 'Alles', country: 'BE', fiscalYears: [2026], now: 5n });
  const numbers = new Set<bigint>();
  const rows = relations.map(({ guid, texts: t, number, flags, created }) => {
    const own = number === null || numbers.has(number) ? null : number;
    if (own !== null) numbers.add(own);
    return {
      administration_id: id,
      guid,
      name: t[0]!,
      name_folded: folded(t[0]!),
      is_business: flags[0]!,
      email: t[1]!,
      email_folded: folded(t[1]!),
      phone: t[2]!,
      city: t[3]!,
      street: t[4]!,
      postal_code: t[5]!,
      unit: t[6]!,
      unit_appendix: '',
      country_code: 'BE',
      group_name: t[7]!,
      is_customer: flags[1]!,
      is_supplier: flags[2]!,
      is_other: flags[3]!,
      customer_number: own,
      supplier_number: null,
      registration_number: t[1]!,
      vat_number: t[2]!,
      vat_compared: comparedVatNumber(t[2]!),
      created_on: created,
      changed_on: -created - 1n,
    };
  });
  const ids = await insertKeyedRows(db, 'relation', 'guid', rows as Given<'relation'>);
  const { id: field } = await db
    .insertInto('custom_field')
    .values({
      administration_id: id,
      owner: 'relation',
      label: 'Code (oud) (List)',
      field_type: 'TextSmall',
      type_of_relation: 'Other',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const { guid, contacts, custom } of relations) {
    const relation_id = ids.get(guid)!;
    await insertRows(
      db,
      'relation_contact',
      contacts.map((name, index) => ({
        relation_id,
        position: BigInt(index),
        email: '',
        phone: name,
        sex: '',
        last_name: name,
        first_name: '',
        preposition: '',
        notes: name,
        is_default: 0n,
      })),
    );
    await insertRows(db, 'relation_custom_field', [{ relation_id, custom_field_id: field, value: custom }]);
  }
  await insertRows(
    db,
    'product',
    products.map(({ texts: t, amounts: a }) =>
      newRow('product', {
        administration_id: id,
        article_number: t[0]!,
        name: t[1]!,
        supplier_article_number: t[2]!,
        description: t[3]!,
        purchase_price: a[0]!,
        price: a[1]!,
        stock: a[2]!,
        minimal_stock: a[3]!,
        units_per_package: a[4]!,
        unit: t[3]!,
        archived: 1n,
      }),
    ),
  );
  for (const [date, description, amount] of entries) {
    const { id: entry } = await db
      .insertInto('journal_entry')
      .values({
        administration_id: id,
        journal: 'sales',
        date,
        description,
        sales_invoice_id: null,
        purchase_invoice_id: null,
        created_on: 1n,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await insertRows(db, 'journal_line', [
      {
        journal_entry_id: entry,
        ledger_account_number: description,
        debit: amount,
        credit: 0n,
        tax_code: '',
        description,
      },
    ] as Given<'journal_line'>);
  }
}
