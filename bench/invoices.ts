import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import { makeDemo } from '../functions/administrations/builtin/setup/demo/demo.ts';
import { demoCredentials } from '../functions/administrations/builtin/setup/demo/demoCredentials.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { readRequest } from '../shared/readRequest.ts';
import { alternately, eachOf, inFolder, quickest, type Ratio } from './measure.ts';

const INVOICES = 2000;
const LINES = 5;
const ROUNDS = 3;

/**
 * Invoices as rows of a push, which are remembered by their keys, against the statements alone: find the customer and the
 * products, take the next number, insert the rows of the invoice and of its journal entry, move the stock; each invoice
 * in a transaction of its own, on the same kind of disk file, with the triggers of the log.
 */
export const measureInvoices = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'ours.sqlite');
    const db = await openDatabase(`sqlite:${file}`);
    await makeDemo(db);
    const administrations = builtinAdministrations(db);
    const writer = await administrations.writer(demoCredentials.NL);
    const products = await db
      .selectFrom('product')
      .where('administration_id', '=', 1n)
      .select('article_number')
      .execute();
    const customer = await db
      .selectFrom('relation')
      .where('administration_id', '=', 1n)
      .where('customer_number', 'is not', null)
      .select('customer_number')
      .executeTakeFirstOrThrow();
    const article = (index: number) => products[index % products.length]!.article_number;
    const requestOf = (index: number) =>
      readRequest('addsalesinvoice', {
        CustomerNumber: Number(customer.customer_number),
        Invoice_InvoiceLine: Array.from({ length: LINES }, (_, at) => ({
          ProductNumber: article(index * LINES + at),
          Quantity: 2,
          UnitPriceExclTax: '12.50',
          TaxPc: 21,
        })),
      }).request;
    let given = 0;
    const ours = async (count = INVOICES) => {
      for (let start = 0; start < count; start += writer.batchSize) {
        const together = Array.from({ length: Math.min(writer.batchSize, count - start) }, (_, index) => ({
          key: `bench ${given++}`,
          name: 'addsalesinvoice' as const,
          request: requestOf(start + index),
        }));
        for (const { kind } of await writer.write(together, async () => {}, new AbortController().signal)) {
          if (kind !== 'applied') throw new Error(`An invoice is ${kind}.`);
        }
      }
    };
    await ours(50);
    const bare = bareInvoices(file, path.join(folder, 'bare.sqlite'), Number(customer.customer_number));
    const alone = () => {
      for (let index = 0; index < INVOICES; index++) bare.add((at) => article(index * LINES + at));
    };
    const times = await alternately(ROUNDS, { ours: () => ours(), bare: alone }, 0);
    bare.close();
    await administrations.close();
    const name = `${INVOICES.toLocaleString('en')} invoices of ${LINES} lines as rows of a push, against bare SQL`;
    return [{ name, ...eachOf(quickest, times), unit: 'ms', aim: 2 }];
  });

/** The statements of an invoice with nothing around them, on a copy: its rows are those of the latest invoice. */
function bareInvoices(original: string, copy: string, customerNumber: number) {
  const source = new DatabaseSync(original);
  source.exec(`vacuum into '${copy}'`);
  source.close();
  const bare = new DatabaseSync(copy);
  bare.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;');
  const latest = bare.prepare('select max(id) as id from sales_invoice where administration_id = 1').get()!
    .id as number;
  const entry = bare.prepare('select id from journal_entry where sales_invoice_id = ?').get(latest)!.id as number;

  /** Inserts copies of the rows of a table, with other values in some columns. @returns the id of the last one */
  const copier = (table: string, owner: string, of: number, others: readonly string[]) => {
    const rows = bare.prepare(`select * from ${table} where ${owner} = ?`).all(of) as Record<string, SQLInputValue>[];
    const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id');
    const statement = bare.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((column) => `:${column}`).join(', ')})`,
    );
    return (values: Record<string, SQLInputValue>): number => {
      let id = 0;
      for (const { id: _, ...row } of rows) {
        id = Number(
          statement.run({ ...row, ...Object.fromEntries(others.map((name) => [name, values[name]!])) }).lastInsertRowid,
        );
      }
      return id;
    };
  };
  const addInvoice = copier('sales_invoice', 'id', latest, ['number']);
  const parts = ['sales_invoice_line', 'sales_invoice_address', 'sales_invoice_contact'].map((table) =>
    copier(table, 'sales_invoice_id', latest, ['sales_invoice_id']),
  );
  const addEntry = copier('journal_entry', 'id', entry, ['sales_invoice_id']);
  const addLines = copier('journal_line', 'journal_entry_id', entry, ['journal_entry_id']);
  const findCustomer = bare.prepare('select * from relation where administration_id = 1 and customer_number = ?');
  const findProduct = bare.prepare('select * from product where administration_id = 1 and article_number = ?');
  const next = bare.prepare(
    "update counter set value = value + 1 where administration_id = 1 and name = 'sales_invoice' returning value",
  );
  const change = bare.prepare('update product set stock = stock - 200000000 where id = ?');
  const move = bare.prepare(
    "insert into stock_mutation (product_id, quantity, cause, comment, sales_invoice_id, created_on) values (?, -200000000, 'invoice', '', ?, 1790000000)",
  );
  return {
    add(article: (line: number) => string) {
      bare.exec('begin immediate');
      findCustomer.get(customerNumber);
      const products = Array.from({ length: LINES }, (_, at) => findProduct.get(article(at)) as { id: number });
      const sales_invoice_id = addInvoice({ number: next.get()!.value as number });
      for (const addPart of parts) addPart({ sales_invoice_id });
      addLines({ journal_entry_id: addEntry({ sales_invoice_id }) });
      for (const { id } of products) {
        change.run(id);
        move.run(id, sales_invoice_id);
      }
      bare.exec('commit');
    },
    close: () => bare.close(),
  };
}
