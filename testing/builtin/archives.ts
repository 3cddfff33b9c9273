import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { MANIFEST, manifestText, sha256Of } from '../../functions/administrations/builtin/archive/manifest.ts';
import { readCsv } from '../../functions/administrations/builtin/files/readCsv.ts';
import { readXlsx } from '../../functions/administrations/builtin/files/readXlsx.ts';
import { importRows } from '../../functions/administrations/builtin/import/importRows.ts';
import { resources } from '../../functions/administrations/builtin/import/resources.ts';
import { createAdministration } from '../../functions/administrations/builtin/setup/createAdministration.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import type { TestApp } from '../app.ts';
import { emptyDatabase } from '../database.ts';
import { openShop, type Shop } from '../shop.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

/** Returns a function that names new folders; they are removed after the tests of the file. */
export function temporaryFolders(): () => string {
  const home = temporaryFolder();
  let folders = 0;
  return () => path.join(home, `archive-${++folders}`);
}

export async function newDatabase(): Promise<Database> {
  const { db } = await emptyDatabase();
  onTestFinished(() => db.destroy());
  return db;
}

/** Tables that are no part of an archive. */
export const NOT_EXPORTED = [
  'kysely_migration',
  'kysely_migration_lock',
  'api_key',
  'applied_write',
  'sales_invoice_pdf',
  'outgoing_mail',
  'ledger_total',
  'log_head',
  'log_change',
  'staged_work',
];

/** The tables of columns that refer to a table with another name. */
const otherNames: Record<string, string> = {
  customer: 'relation',
  supplier: 'relation',
  sales_tax_code: 'tax_code',
  purchase_tax_code: 'tax_code',
  category: 'product_category',
  batch: 'product_batch',
};

/**
 * Every row of every table, in order. Instead of its id, a row has its place among the rows of its table. The identifier
 * of an administration, which each one has for itself, is left out.
 */
export async function contents(db: Database): Promise<Record<string, Record<string, unknown>[]>> {
  // The log continues after an import: it is compared separately.
  const tables = (await db.introspection.getTables()).filter(({ name }) => ![...NOT_EXPORTED, 'log'].includes(name));
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const { name } of tables) {
    const all = (await db
      .selectFrom(name as 'product')
      .selectAll()
      .execute()) as unknown as Record<string, bigint>[];
    // Rows with a position are ordered by it within their owner, custom fields within the record they are of.
    const key = (row: Record<string, bigint>) => {
      const owner = row.sales_invoice_id ?? row.sales_order_id ?? row.relation_id ?? row.product_id;
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
      all.map(({ identifier: _, ...row }) =>
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

export const administrationsOf = async (db: Database): Promise<bigint[]> =>
  (await db.selectFrom('administration').orderBy('id').select('id').execute()).map(({ id }) => id);

/** The files of an archive, with those of attachments. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .sort();

/** Writes a new manifest, as anyone can who changes files of an archive without a key. */
export function signAgain(folder: string): void {
  const { rows } = JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8'));
  const names = filesIn(folder).filter((name) => name !== MANIFEST);
  const files = Object.fromEntries(names.map((name) => [name, sha256Of(readFileSync(path.join(folder, name)))]));
  writeFileSync(path.join(folder, MANIFEST), manifestText({ rows, files }, undefined));
}

/** Compares two archives. The log of the first has one more row: that it was imported. */
export function expectSameFiles(found: string, expected: string): void {
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

/** Imports the files of an archive one by one, each after those it refers to. @returns the id of the administration */
export async function importOneByOne(other: Database, db: Database, id: bigint, folder: string): Promise<bigint> {
  const { name, country, ...of } = await db
    .selectFrom('administration')
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
  const administrationId = await createAdministration(other, { name, country, fiscalYears: [], now: 1n, empty: true });
  const { id: _, identifier: __, created_on: ___, ...accounts } = of;
  await other.updateTable('administration').where('id', '=', administrationId).set(accounts).execute();
  const imported: string[] = [];
  for (const resource of [
    'tax-codes',
    'vat-rules',
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

/** The rows and values that files of single resources have: no stock mutations, other addresses, line ends or spaces. */
export function onlyResources(all: Awaited<ReturnType<typeof contents>>) {
  const shown = Object.entries(all).filter(
    ([table]) =>
      /^(tax_code|ledger_account|cost_center|order_status|custom_field|project|material_booking|purchase_invoice)/.test(
        table,
      ) ||
      /^(relation|relation_(contact|bank_account|custom_field)|product|product_c.*|sales_(invoice|order)(_line)?)$/.test(
        table,
      ),
  );
  return Object.fromEntries(
    shown.map(([table, rows]) => [
      table,
      rows.map(({ answer: _, lines_answer: __, moves_stock: ___, ...row }) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(value)])),
      ),
    ]),
  );
}

const plain = (value: unknown) => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n').trim() : value);

export const PDF = Buffer.from('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n');

/** A shop with documents of every kind. */
export async function shopWithDocuments(app: TestApp): Promise<Shop> {
  const shop = await openShop(app);
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
    Invoice_Attachment: [{ FileContent: PDF.toString('base64'), FileName: '../Bon 1.pdf', Internal: true }],
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
    Invoice_Attachment: [{ FileContent: PDF.toString('base64'), FileName: 'Voorwaarden.pdf' }],
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
  return shop;
}
