import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { databaseKind, emptyDatabase } from '../../../../../testing/database.ts';
import { accountBalances, fiscalYearsOf } from '../../balances/balances.ts';
import { checkAdministration } from '../../check/check.ts';
import { ledgerDifferences } from '../../check/ledger.ts';
import { issueKey } from '../../credentials/keys.ts';
import { signIn } from '../../credentials/signIn.ts';
import type { Database } from '../../sql/database.ts';
import type { Row, Schema } from '../../sql/schema.ts';
import { vatPaper } from '../../vat/vatPaper.ts';
import { readVatPeriod } from '../../vat/vatPeriod.ts';
import { type DemoCredentials, makeDemo } from './demo.ts';
import { demoCredentials } from './demoCredentials.ts';
import { monthsOf } from './demoDays.ts';

let db: Database;
let credentials: DemoCredentials;
beforeAll(async () => {
  ({ db } = await emptyDatabase());
  credentials = await makeDemo(db);
});
afterAll(() => db.destroy());

const tables = [
  'administration',
  'tax_code',
  'ledger_account',
  'relation',
  'relation_contact',
  'relation_bank_account',
  'custom_field',
  'relation_custom_field',
  'product_category',
  'product',
  'product_custom_field',
  'stock_mutation',
  'project',
  'sales_invoice',
  'sales_invoice_line',
  'sales_invoice_address',
  'sales_invoice_contact',
  'material_booking',
  'purchase_invoice',
  'purchase_invoice_line',
  'journal_entry',
  'journal_line',
  'fiscal_year',
  'opening_line',
  'vat_return',
  'cost_center',
  'order_status',
  'counter',
] as const satisfies (keyof Schema)[];

test('the demo is the same each time it is made, but for the identifiers of its administrations', async () => {
  const contents = async (database: Database) => {
    const hash = createHash('sha256');
    for (const table of tables) {
      const rows = await database.selectFrom(table).selectAll().execute();
      const texts = rows.map((row) =>
        JSON.stringify(row, (column, value) =>
          column === 'identifier' ? undefined : typeof value === 'bigint' ? `${value}` : value,
        ),
      );
      hash.update(texts.sort().join('\n'));
    }
    return hash.digest('hex');
  };
  const { db: again } = await emptyDatabase();
  onTestFinished(() => again.destroy());
  await makeDemo(again);
  expect(await contents(again)).toBe(await contents(db));
});

test.skipIf(databaseKind() !== 'sqlite')('the demo in a local file is opened by the public keys', async () => {
  expect(credentials).toEqual(demoCredentials);
});

test.skipIf(databaseKind() === 'sqlite')('the demo on a server has random keys', async () => {
  for (const country of ['NL', 'BE'] as const) {
    expect(credentials[country].apiKey).toMatch(/^[\w-]{43}$/);
    await expect(signIn(db, demoCredentials[country], () => '2026-11-01')).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  }
});

test.skipIf(databaseKind() === 'sqlite')(
  'the demo on a server is not opened by the public keys, even if they are stored',
  async () => {
    const { administration } = await signIn(db, credentials.NL, () => '2026-11-01');
    const { username, apiKey } = demoCredentials.NL;
    await issueKey(db, { administrationId: administration.id, username, label: '', now: 1n, apiKey });
    await expect(signIn(db, demoCredentials.NL, () => '2026-11-01')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  },
);

/** The remainder by 97 of an IBAN, computed digit by digit. */
const remainder97 = (text: string): bigint =>
  BigInt([...text].map((character) => Number.parseInt(character, 36)).join('')) % 97n;

describe.each(['NL', 'BE'] as const)('the demo administration of %s', (country) => {
  let id: bigint;
  let relations: Row<'relation'>[];
  let products: Row<'product'>[];
  let invoices: Row<'sales_invoice'>[];
  let lines: Row<'sales_invoice_line'>[];
  const of = <
    Table extends
      | 'tax_code'
      | 'ledger_account'
      | 'relation'
      | 'product'
      | 'sales_invoice'
      | 'project'
      | 'material_booking',
  >(
    table: Table,
  ) =>
    db
      .selectFrom(table as 'relation')
      .where('administration_id', '=', id)
      .orderBy('id')
      .selectAll()
      .execute() as unknown as Promise<Row<Table>[]>;

  beforeAll(async () => {
    const { administration } = await signIn(db, credentials[country], () => '2026-11-01');
    expect(administration.country).toBe(country);
    id = administration.id;
    relations = await of('relation');
    products = await of('product');
    invoices = await of('sales_invoice');
    lines = await db
      .selectFrom('sales_invoice_line')
      .innerJoin('sales_invoice', 'sales_invoice.id', 'sales_invoice_id')
      .where('administration_id', '=', id)
      .selectAll('sales_invoice_line')
      .execute();
  });

  test('has enough records of every kind to try everything', async () => {
    const accounts = await of('ledger_account');
    expect(accounts.length).toBeGreaterThanOrEqual(300);
    expect(new Set(accounts.map(({ fiscal_year }) => fiscal_year))).toEqual(new Set([2025n, 2026n]));
    expect(await of('tax_code')).toHaveLength({ NL: 21, BE: 19 }[country]);
    // Two hundred in the Netherlands and Belgium, and five elsewhere.
    expect(relations).toHaveLength(205);
    expect(products.length).toBeGreaterThanOrEqual(300);
    expect(invoices).toHaveLength(1000);
    expect((await of('project')).length).toBeGreaterThanOrEqual(10);
    expect(await of('material_booking')).toHaveLength(100);
  });

  test('has relations of every kind, with contacts, bank accounts and custom fields', async () => {
    const roles = { customers: 0, suppliers: 0, both: 0, others: 0, persons: 0 };
    for (const relation of relations) {
      if (relation.is_customer === 1n) roles.customers++;
      if (relation.is_supplier === 1n) roles.suppliers++;
      if (relation.is_customer === 1n && relation.is_supplier === 1n) roles.both++;
      if (relation.is_other === 1n) roles.others++;
      if (relation.is_business === 0n) roles.persons++;
      expect(relation.customer_number !== null).toBe(relation.is_customer === 1n);
      expect(relation.supplier_number !== null).toBe(relation.is_supplier === 1n);
      expect(relation.vat_number !== '').toBe(relation.is_business === 1n);
    }
    for (const count of Object.values(roles)) expect(count).toBeGreaterThanOrEqual(8);
    const ids = relations.map((relation) => relation.id);
    const contacts = await db.selectFrom('relation_contact').where('relation_id', 'in', ids).selectAll().execute();
    const defaults = contacts.filter(({ is_default }) => is_default === 1n);
    expect(new Set(defaults.map(({ relation_id }) => relation_id)).size).toBe(200);
    const fields = await db.selectFrom('relation_custom_field').where('relation_id', 'in', ids).selectAll().execute();
    expect(fields.length).toBeGreaterThan(200);
  });

  test('has IBANs and VAT numbers with valid check digits', async () => {
    const accounts = await db
      .selectFrom('relation_bank_account')
      .innerJoin('relation', 'relation.id', 'relation_id')
      .where('administration_id', '=', id)
      .select('iban')
      .execute();
    expect(accounts.length).toBeGreaterThan(150);
    for (const { iban } of accounts) {
      expect(iban).toMatch(/^(NL\d{2}[A-Z]{4}\d{10}|BE\d{14})$/);
      expect(remainder97(iban.slice(4) + iban.slice(0, 4))).toBe(1n);
      if (iban.startsWith('BE')) expect(Number(iban.slice(4, 14)) % 97 || 97).toBe(Number(iban.slice(14)));
    }
    const near = relations.filter(({ country_code }) => country_code === 'NL' || country_code === 'BE');
    for (const { vat_number } of near.filter((relation) => relation.is_business === 1n)) {
      const digits = vat_number.replace(/\D/g, '');
      if (vat_number.startsWith('BE')) expect(97 - (Number(digits.slice(0, 8)) % 97)).toBe(Number(digits.slice(8)));
      else {
        expect(vat_number).toMatch(/^NL\d{9}B01$/);
        const sum = [9, 8, 7, 6, 5, 4, 3, 2, -1].reduce(
          (all, weight, place) => all + weight * Number(digits[place]),
          0,
        );
        expect(sum % 11).toBe(0);
      }
    }
  });

  test('has products whose stock is the sum of its mutations, and valid EANs', async () => {
    const mutations = await db
      .selectFrom('stock_mutation')
      .innerJoin('product', 'product.id', 'product_id')
      .where('administration_id', '=', id)
      .selectAll('stock_mutation')
      .execute();
    const sums = Map.groupBy(mutations, ({ product_id }) => product_id);
    for (const { id: productId, stock, ean } of products) {
      expect(stock).toBe((sums.get(productId) ?? []).reduce((sum, { quantity }) => sum + quantity, 0n));
      if (ean === '') continue;
      expect(ean).toMatch(/^\d{13}$/);
      expect([...ean].reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0) % 10).toBe(0);
    }
    const sold = mutations.filter(({ cause }) => cause === 'invoice');
    const invoicing = new Set(invoices.filter(({ module }) => module === 'INVOICING').map((invoice) => invoice.id));
    const taken = lines.filter((line) => line.product_id !== null && invoicing.has(line.sales_invoice_id));
    expect(sold.reduce((sum, { quantity }) => sum - quantity, 0n)).toBe(
      taken.reduce((sum, { quantity }) => sum + quantity, 0n),
    );
    expect(new Set(mutations.map(({ cause }) => cause))).toEqual(new Set(['import', 'invoice', 'update']));
  });

  test('has invoices of both modules that add up, with drafts, credits and outstanding amounts', async () => {
    const linesOf = Map.groupBy(lines, ({ sales_invoice_id }) => sales_invoice_id);
    const count = { bookkeeping: 0, drafts: 0, credits: 0, paid: 0, unpaid: 0, partly: 0, discounts: 0 };
    for (const invoice of invoices) {
      const own = linesOf.get(invoice.id)!;
      expect(own.reduce((sum, line) => sum + line.subtotal_incl, 0n)).toBe(invoice.total_incl);
      expect(own.reduce((sum, line) => sum + line.subtotal_excl, 0n)).toBe(invoice.total_excl);
      expect(invoice.total_excl + invoice.total_tax).toBe(invoice.total_incl);
      if (invoice.module === 'BOOKKEEPING') count.bookkeeping++;
      if (invoice.is_draft === 1n) count.drafts++;
      if (invoice.total_incl < 0n) {
        count.credits++;
        expect(
          own.every(({ is_text, quantity, subtotal_incl }) => is_text === 1n || quantity < 0n || subtotal_incl < 0n),
        ).toBe(true);
      }
      if (invoice.outstanding === 0n) count.paid++;
      else if (invoice.outstanding === invoice.total_incl) count.unpaid++;
      else count.partly++;
      if (invoice.discount_pc > 0n) count.discounts++;
    }
    expect(count.bookkeeping).toBe(250);
    for (const many of Object.values(count)) expect(many).toBeGreaterThanOrEqual(15);
    expect(count.paid).toBeGreaterThan(count.unpaid);
    expect(lines.some(({ is_text }) => is_text === 1n)).toBe(true);
    expect(new Set(lines.map(({ tax_code }) => tax_code)).size).toBeGreaterThanOrEqual(5);
    expect(invoices.some(({ project_id }) => project_id !== null)).toBe(true);
  });

  test('has no problem that the check finds, and the accounts of customers and suppliers equal what is open', async () => {
    expect(await Array.fromAsync(checkAdministration(db, id))).toEqual([]);
    expect(await Array.fromAsync(ledgerDifferences(db, id))).toEqual([]);
  });

  test('has a year and a half of books: an opening, purchases, bank statements and memorials in every month', async () => {
    const months = await db
      .selectFrom('journal_entry')
      .where('administration_id', '=', id)
      .select((eb) => [
        sql<string>`substr(${eb.ref('date')}, 1, 7)`.as('month'),
        'journal',
        eb.fn.countAll<bigint>().as('count'),
      ])
      .groupBy(['month', 'journal'])
      .execute();
    for (const journal of ['sales', 'purchases', 'bank', 'memorial']) {
      const filled = months.filter((row) => row.journal === journal && row.count >= 2n);
      expect(filled.length, journal).toBeGreaterThanOrEqual(18);
    }
    const [administration] = await db.selectFrom('administration').where('id', '=', id).selectAll().execute();
    const years = await fiscalYearsOf(db, administration!);
    // No month ends with less than nothing on the bank account, or an asset that is worth less than nothing.
    const bank = country === 'NL' ? '1100' : '550000';
    for (const { to } of monthsOf({ first: '2025-01-02', last: '2026-10-31' })) {
      const balances = await accountBalances(db, administration!, { first: to, last: to }, years);
      expect(Number(balances.find(({ number }) => number === bank)?.closing), to).toBeGreaterThan(10_000);
    }
    const opening = await db.selectFrom('opening_line').selectAll().execute();
    expect(opening.length).toBeGreaterThan(20);
  });

  const boxesOfCases = {
    NL: '1a 1b 1d 1e 2a 3a 3b 3c 4a 4b 5a 5b 5g',
    BE: '00 01 02 03 44 45 46 47 48 49 54 55 56 57 59 62 63 64 71 81 82 83 84 85 86 87 88',
  };

  test('has a quarter with every case of VAT, after quarters whose returns were filed', async () => {
    const [administration] = await db.selectFrom('administration').where('id', '=', id).selectAll().execute();
    const paperOf = (name: string) => vatPaper(db, administration!, readVatPeriod(name)!);
    const { paper, filed } = await paperOf('2026-Q3');
    expect(filed).toBeUndefined();
    const filled = [...paper.found.boxes].filter(([, amounts]) =>
      Object.values(amounts).every(({ exact }) => exact !== 0n),
    );
    expect(
      filled
        .map(([box]) => box)
        .filter((box) => !['XX', 'YY'].includes(box))
        .toSorted(),
    ).toEqual(boxesOfCases[country].split(' '));
    expect(paper.found.unmapped).toEqual([]);
    expect(paper.found.entries.some(({ line }) => line.taxType === 'Sales' && line.isCredit)).toBe(true);
    expect(new Set(paper.listing.map(({ nature }) => nature))).toEqual(new Set(['goods', 'services']));
    // An invoice of June that was entered in August, when June's return had been filed, is in this one alone.
    const late = paper.found.entries.filter(({ line }) => line.date < '2026-07-01');
    expect(new Set(late.map(({ line }) => line.number)).size).toBe(1);
    expect(paper.remarks.filter(({ code }) => code === 'LATE')).toHaveLength(1);
    for (const name of ['2025-Q1', '2025-Q2', '2025-Q3', '2025-Q4', '2026-Q1', '2026-Q2']) {
      const earlier = await paperOf(name);
      expect(earlier.filed?.period).toBe(name);
      expect(earlier.paper.remarks.filter(({ code }) => code === 'CHANGED')).toEqual([]);
    }
  });

  test('has invoices of two years, numbered by date, to 31 October 2026', () => {
    expect([invoices[0]!.date, invoices.at(-1)!.date]).toEqual(['2025-01-02', '2026-10-31']);
    for (const [index, invoice] of invoices.entries()) {
      if (index === 0) continue;
      expect(invoice.number > invoices[index - 1]!.number).toBe(true);
      expect(invoice.date >= invoices[index - 1]!.date).toBe(true);
    }
  });

  test('has valid structured references for Belgian customers only', async () => {
    const belgian = new Set(
      relations.filter(({ country_code }) => country_code === 'BE').map((relation) => relation.id),
    );
    const remittances = invoices.filter(({ ogm }) => ogm !== '');
    expect(remittances.length).toBeGreaterThan(20);
    for (const { ogm, relation_id } of remittances) {
      expect(ogm).toMatch(/^\+{3}\d{3}\/\d{4}\/\d{5}\+{3}$/);
      const digits = ogm.replace(/\D/g, '');
      expect(Number(digits.slice(0, 10)) % 97 || 97).toBe(Number(digits.slice(10)));
      expect(belgian.has(relation_id)).toBe(true);
    }
  });

  test('has names and numbers that a spreadsheet would change', async () => {
    expect(relations.filter(({ name }) => /^[=@+-]/.test(name)).length).toBeGreaterThanOrEqual(3);
    expect(relations.some(({ name }) => name.includes('"'))).toBe(true);
    expect(products.some(({ name }) => name.startsWith('='))).toBe(true);
    expect(products.some(({ article_number }) => article_number.startsWith('0'))).toBe(true);
    expect(products.some(({ article_number }) => /^\d{1,2}-12$/.test(article_number))).toBe(true);
    expect(products.some(({ article_number }) => /^\d+E\d$/.test(article_number))).toBe(true);
    if (country === 'NL') {
      expect((await of('ledger_account')).some(({ number }) => number.startsWith('0'))).toBe(true);
    }
    if (country === 'BE') expect(relations[0]!.guid > 2n ** 53n).toBe(true);
  });
});
