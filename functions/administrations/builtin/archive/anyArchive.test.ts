import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import {
  administrationsOf,
  contents,
  expectSameFiles,
  importOneByOne,
  onlyResources,
  temporaryFolders,
} from '../../../../testing/builtin/archives.ts';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { deeper } from '../../../../testing/deep.ts';
import { openShop } from '../../../../testing/shop.ts';
import { checkAdministration } from '../check/check.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import { comparedVatNumber, folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import { newRow } from '../sql/rows.ts';
import type { Schema } from '../sql/schema.ts';
import { exportAdministration } from './exportAdministration.ts';
import { importAdministration } from './importAdministration.ts';

const newFolder = temporaryFolders();

describe('an archive of documents with any lines', () => {
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
          // The discount is at most the amount of the line.
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

  test('imported whole equals the same archive imported file by file', async () => {
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
          expect(onlyResources(await contents(byFile))).toEqual(onlyResources(await contents(whole)));
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
      { numRuns: databaseKind() === 'sqlite' ? deeper(2, 20) : 2 },
    );
  });
});

test('an archive returns any text and any number unchanged', async () => {
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
  // PostgreSQL stores no character of code 0, and the embedded one loses a byte order mark at the beginning.
  const any = text.map((value) => value.replaceAll('\0', '').replace(/^\ufeff+/, ''));
  const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  // The totals of a day are stored too: six amounts together have room.
  const amount = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n });
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
      fc.array(fc.tuple(date, any, amount), { maxLength: 6 }),
      async (relations, products, entries) => {
        const { db } = await emptyDatabase();
        const { db: other } = await emptyDatabase();
        try {
          await fill(db, relations, products, entries);
          const [id] = (await administrationsOf(db)) as [bigint];
          const folder = newFolder();
          await exportAdministration(db, id, folder);
          expect((await importAdministration(other, folder)).problems).toEqual([]);
          expect(withoutResponses(await contents(other))).toEqual(withoutResponses(await contents(db)));
        } finally {
          await db.destroy();
          await other.destroy();
        }
      },
    ),
    // An embedded database takes long to start.
    { numRuns: databaseKind() === 'sqlite' ? deeper(2, 20) : 3 },
  );
});

/** Rows that were inserted directly have no stored responses. */
const withoutResponses = (all: Record<string, unknown[]>) => ({
  ...all,
  relation: all.relation!.map((row) => ({ ...(row as object), answer: '' })),
});

type Rows<T extends keyof Schema> = Parameters<typeof insertRows<T>>[2];

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
    const unique = number === null || numbers.has(number) ? null : number;
    if (unique !== null) numbers.add(unique);
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
      customer_number: unique,
      supplier_number: null,
      registration_number: t[1]!,
      vat_number: t[2]!,
      vat_compared: comparedVatNumber(t[2]!),
      created_on: created,
      changed_on: -created - 1n,
    };
  });
  const ids = await insertKeyedRows(db, 'relation', 'guid', rows as Rows<'relation'>);
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
    const line = {
      administration_id: id,
      journal_entry_id: entry,
      date,
      document: description,
      cost_center: description,
    };
    await insertRows(db, 'journal_line', [
      newRow('journal_line', {
        ...line,
        ledger_account_number: description,
        debit: amount,
        tax_base: amount,
        description,
      }),
    ]);
  }
}
