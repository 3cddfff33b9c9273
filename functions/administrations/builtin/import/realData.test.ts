import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { importInto, NOW } from '../../../../testing/builtin/imports.ts';
import { loadReferenceChart, referenceChart } from '../../../../testing/builtin/realData.ts';
import {
  csvOf,
  loadRetail,
  type RetailLine,
  readRetail,
  retailFile,
  retailTables,
} from '../../../../testing/builtin/retail.ts';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { checkAdministration } from '../check/check.ts';
import { readCsv } from '../files/readCsv.ts';
import { importRows } from './importRows.ts';
import { invoices } from './invoicesAndOrders/invoices.ts';
import { products } from './products.ts';
import { relations } from './relationFiles/relations.ts';

const folder = temporaryFolder();

test.skipIf(!referenceChart.isThere)(
  referenceChart.title('the posting accounts of the Dutch reference chart are imported, every number with its zeros'),
  async () => {
    const { db, administrationId } = await importInto();
    await db.deleteFrom('ledger_account').execute();
    const file = parse(readFileSync(referenceChart.file), { columns: true, bom: true }) as Record<string, string>[];
    const posting = file.filter((row) => row.rgs_nivo === '4');
    expect(posting.length).toBeGreaterThan(1000);

    const result = await loadReferenceChart(db, administrationId);
    expect(result.problems).toEqual([]);
    expect(result.counts.added).toBe(posting.length);
    expect(result.leftOut).toBe(file.length - posting.length);

    const rows = await db.selectFrom('ledger_account').selectAll().execute();
    const stored = rows.map((row) => [row.number, row.name, row.ledger_type, row.debet_or_credit, row.fiscal_year]);
    const expected = posting.map((row) => [
      row.rgs_reknr,
      row.rgs_omskort!.trim(),
      row.report_type === 'Balance Sheet' ? 'BalanceSheet' : 'IncomeStatement',
      row.rgs_dc === 'D' ? 'debet' : 'credit',
      2026n,
    ]);
    expect(stored.sort()).toEqual(expected.sort());
    expect(stored.filter(([number]) => String(number).startsWith('0')).length).toBeGreaterThan(100);
  },
);

describe.skipIf(!retailFile.isThere)(retailFile.title('real invoice lines of a web shop'), () => {
  /** A quarter of the lines of the data set have no customer. Here, lines of customers with one invoice lose theirs. */
  const withoutSomeCustomers = (lines: readonly RetailLine[]): RetailLine[] => {
    const visits = new Map<string, Set<string>>();
    for (const { CustomerID, InvoiceNo } of lines) {
      visits.set(CustomerID, (visits.get(CustomerID) ?? new Set()).add(InvoiceNo));
    }
    return lines.map((line) => (visits.get(line.CustomerID)!.size === 1 ? { ...line, CustomerID: '' } : line));
  };

  test('are refused unchanged: every problem is reported by line, and nothing is stored', async () => {
    const { db, administrationId } = await importInto();
    const lines = withoutSomeCustomers(readRetail());
    const tables = retailTables(lines);
    const load = async (name: keyof typeof tables, resource: typeof relations) => {
      const file = path.join(folder, `${name}.csv`);
      writeFileSync(file, csvOf(tables[name]));
      return importRows(db, resource, await readCsv(file), { administrationId, now: NOW });
    };
    expect((await load('customers', relations)).problems).toEqual([]);
    expect((await load('products', products)).problems).toEqual([]);
    const { problems, counts } = await load('invoices', invoices);

    const expected: string[] = [];
    const places = new Map<string, number>();
    lines.forEach(({ InvoiceNo, StockCode, CustomerID }, index) => {
      const line = index + 2;
      const place = (places.get(InvoiceNo) ?? 0) + 1;
      places.set(InvoiceNo, place);
      if (InvoiceNo.startsWith('C')) expected.push(`${line} InvoiceNumber`);
      if (['POST', 'D', 'M'].includes(StockCode)) expected.push(`${line} ProductNumber`);
      if (CustomerID === '' && place === 1) expected.push(`${line} CustomerNumber`);
      if (place === 76) expected.push(`${line} `);
    });
    expect(problems.map(({ line, column }) => `${line} ${column}`).sort()).toEqual(expected.sort());
    for (const column of ['InvoiceNumber', 'ProductNumber', 'CustomerNumber', '']) {
      expect(expected.filter((problem) => problem.endsWith(` ${column}`)).length).toBeGreaterThan(2);
    }
    expect(counts.added).toBe(0);
    expect(await db.selectFrom('sales_invoice').select('id').execute()).toEqual([]);
  });

  test('are imported after repair, with the totals of the file', async () => {
    const { db, administrationId } = await importInto();
    const lines = readRetail();
    const results = await loadRetail(db, administrationId);
    expect(results.products.counts.added).toBe(new Set(lines.map(({ StockCode }) => StockCode)).size);

    // Prices are whole cents and quantities whole, so each line is exact; tax is 21 per cent of each invoice of 75 lines.
    const nets = new Map<string, number[]>();
    for (const { InvoiceNo, Quantity, UnitPrice } of lines) {
      nets.set(InvoiceNo, [...(nets.get(InvoiceNo) ?? []), Number(Quantity) * Math.round(Number(UnitPrice) * 100)]);
    }
    let invoicesExpected = 0;
    let net = 0;
    let tax = 0;
    for (const amounts of nets.values()) {
      for (let start = 0; start < amounts.length; start += 75) {
        const part = amounts.slice(start, start + 75).reduce((sum, amount) => sum + amount, 0);
        invoicesExpected++;
        net += part;
        tax += Math.sign(part) * Math.floor((Math.abs(part) * 21 + 50) / 100);
      }
    }
    const totals = await db
      .selectFrom('sales_invoice')
      .select((eb) => [
        eb.fn.countAll<bigint>().as('invoices'),
        eb.fn.sum<bigint>('total_excl').as('net'),
        eb.fn.sum<bigint>('total_tax').as('tax'),
        eb.fn.sum<bigint>('outstanding').as('outstanding'),
      ])
      .executeTakeFirstOrThrow();
    expect(totals).toEqual({
      invoices: BigInt(invoicesExpected),
      net: BigInt(net),
      tax: BigInt(tax),
      outstanding: BigInt(net + tax),
    });
    expect(results.invoices.counts.added).toBe(invoicesExpected);

    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
    const stored = await db
      .selectFrom('sales_invoice_line')
      .select((eb) => [
        eb.fn.countAll<bigint>().as('lines'),
        eb.fn.sum<bigint>('quantity').as('quantity'),
        eb.fn.sum<bigint>('subtotal_excl').as('net'),
      ])
      .executeTakeFirstOrThrow();
    const quantity = lines.reduce((sum, line) => sum + Number(line.Quantity), 0);
    expect(stored).toEqual({ lines: BigInt(lines.length), quantity: BigInt(quantity) * 10n ** 8n, net: BigInt(net) });

    const credits = await db
      .selectFrom('sales_invoice')
      .where('total_excl', '<', 0n)
      .select((eb) => eb.fn.countAll<bigint>().as('credits'))
      .executeTakeFirstOrThrow();
    expect(credits.credits).toBe(BigInt([...nets.keys()].filter((number) => number.startsWith('C')).length));
  });
});
