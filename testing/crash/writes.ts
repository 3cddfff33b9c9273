import type { KeyedWrite } from '../../functions/administrations/administration.ts';
import { type Seeded, seeded } from '../../functions/administrations/builtin/setup/demo/seeded.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { type EndpointName, endpointOf } from '../../shared/api.ts';
import type { Credential } from '../../shared/client/client.ts';
import { readRequest } from '../../shared/readRequest.ts';
import { addAdministration, type TestCredential } from '../fixtures/administration.ts';
import { fixturesOf } from '../fixtures/fixtures.ts';

/* Writes of all kinds, with their expected results. */

/** The result of one run of a crash tool. */
export type CrashRun = {
  seed: number;
  /** The errors that were found, a sentence each. */
  findings: string[];
  /** The number of completed actions, by kind. */
  counts: Readonly<Record<string, number>>;
};

/** A write request with its expected result. */
export type Write = {
  /** The unique text in the notes of the written document. */
  key: string;
  endpoint: EndpointName;
  body: object;
  /** Rows of the document's tables, by table. */
  rows: Record<string, number>;
  /** The quantity added to stock, in hundredths, by article. */
  moved: readonly { article: string; hundredths: number }[];
  acknowledged: boolean;
};

const ARTICLES = ['A', 'B', 'C'];

/** Creates an administration that accepts the writes. */
export async function addInitialData(db: Database, seed: number): Promise<TestCredential> {
  const administration = await addAdministration(db, `Crash ${seed}`);
  const { addRelation, addProduct } = fixturesOf(db, administration.administrationId);
  await addRelation({ name: 'Customer', customerNumber: 7 });
  await addRelation({ name: 'Supplier', supplierNumber: 3 });
  for (const articleNumber of ARTICLES) await addProduct({ articleNumber, price: '12.50', taxCode: '21% - Hoog' });
  return administration;
}

export async function sendTo(
  app: { url: string },
  { apiKey, username }: Credential,
  { endpoint, body }: Pick<Write, 'endpoint' | 'body'>,
): Promise<{ status: number; text: string }> {
  const { method, path } = endpointOf(endpoint);
  const response = await fetch(app.url + path, {
    method,
    headers: { ApiKey: apiKey, Username: username, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/**
 * Sends a write, and records whether it was acknowledged.
 * @throws when there is no response: then it was applied or not
 */
export async function sendWrite(
  app: { url: string },
  credential: Credential,
  write: Write,
  findings: string[],
): Promise<void> {
  const { status, text } = await sendTo(app, credential, write);
  write.acknowledged = status === 200;
  if (status !== 200) findings.push(`The response to ${write.endpoint} is ${status}: ${text}`);
}

/** The writes of a push: always the same for a seed. */
export function pushedWrites(seed: number): (Write & KeyedWrite)[] {
  const random = seeded(seed);
  return Array.from({ length: 1500 }, (_, index) => {
    const write = stockUpdate(random, `push ${seed}.${index}`);
    const { request } = readRequest('updateproduct', write.body);
    return { ...write, name: 'updateproduct', request };
  });
}

function stockUpdate(random: Seeded, key: string): Write {
  const article = random.pick(ARTICLES);
  const hundredths = random.from(1, 999) * (random.chance(50) ? 1 : -1);
  return {
    key,
    endpoint: 'updateproduct',
    body: { ArticleNumber: article, NewStockQty: decimal(hundredths), NewStockMutationComment: key },
    rows: { stock_mutation: 1 },
    moved: [{ article, hundredths }],
    acknowledged: false,
  };
}

/** A write of any kind. @param key the unique text in its notes */
export function anyWrite(random: Seeded, key: string): Write {
  const write = { key, moved: [], acknowledged: false };
  const quantity = () => random.from(1, 999);
  const count = random.from(1, 6);
  switch (random.below(5)) {
    case 0:
      return stockUpdate(random, key);
    case 1: {
      const sold = Array.from({ length: count }, () => ({ article: random.pick(ARTICLES), hundredths: quantity() }));
      const isDraft = random.chance(20);
      return {
        ...write,
        endpoint: 'addsalesinvoice',
        body: {
          CustomerNumber: 7,
          InvoiceNotes: key,
          AddAsDraft: isDraft,
          Invoice_InvoiceLine: articleLines(sold),
          Invoice_Attachment: [{ FileName: 'note.pdf', FileContent: pdf }],
        },
        rows: {
          sales_invoice: 1,
          sales_invoice_line: count,
          sales_invoice_address: 2,
          attachment: 1,
          stock_mutation: count,
          journal_entry: isDraft ? 0 : 1,
        },
        moved: sold.map(({ article, hundredths }) => ({ article, hundredths: -hundredths })),
      };
    }
    case 2: {
      const ordered = Array.from({ length: count }, () => ({ article: random.pick(ARTICLES), hundredths: quantity() }));
      return {
        ...write,
        endpoint: 'addorder',
        body: { CustomerNumber: 7, OrderNotes: key, Order_Orderline: articleLines(ordered) },
        rows: { sales_order: 1, sales_order_line: count, sales_order_address: 2 },
      };
    }
    case 3:
      return {
        ...write,
        endpoint: 'addsalestransaction',
        body: { CustomerNumber: 7, InvoiceNotes: key, Invoice_InvoiceLine: bookkeepingLines(random, count) },
        rows: {
          sales_invoice: 1,
          sales_invoice_line: count,
          sales_invoice_address: 1,
          attachment: 0,
          stock_mutation: 0,
          journal_entry: 1,
        },
      };
    default:
      return {
        ...write,
        endpoint: 'addpurchasetransaction',
        body: { SupplierNumber: 3, InvoiceNotes: key, Invoice_InvoiceLine: bookkeepingLines(random, count) },
        rows: { purchase_invoice: 1, purchase_invoice_line: count, journal_entry: 1 },
      };
  }
}

const decimal = (hundredths: number): string => (hundredths / 100).toFixed(2);

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');

const articleLines = (lines: readonly { article: string; hundredths: number }[]) =>
  lines.map(({ article, hundredths }) => ({
    ProductNumber: article,
    Quantity: decimal(hundredths),
    UnitPriceExclTax: '9.99',
  }));
const bookkeepingLines = (random: Seeded, count: number) =>
  Array.from({ length: count }, () => ({ SubTotalInclTax: decimal(random.from(-9999, 99_999)), TaxPc: 21 }));

/** The differences between the expected and the stored data. */
export async function compare(db: Database, administrationId: bigint, written: readonly Write[]): Promise<string[]> {
  const findings: string[] = [];
  const stored = await rowsByKey(db, administrationId);
  const stock = new Map(ARTICLES.map((article) => [article, 0]));
  for (const { key, endpoint, rows, moved, acknowledged } of written) {
    const found = stored.get(key);
    stored.delete(key);
    if (found === undefined) {
      if (acknowledged) findings.push(`${endpoint} ${key} was acknowledged, and is not stored.`);
      continue;
    }
    for (const { article, hundredths } of moved) stock.set(article, stock.get(article)! + hundredths);
    for (const [table, count] of Object.entries(rows)) {
      const has = found.get(table) ?? 0;
      if (has !== count) findings.push(`${endpoint} ${key} has ${has} rows in ${table}, not ${count}.`);
    }
  }
  for (const key of stored.keys()) findings.push(`${key} is stored, and was never sent.`);
  const products = await db
    .selectFrom('product')
    .where('administration_id', '=', administrationId)
    .select(['article_number', 'stock'])
    .execute();
  for (const { article_number, stock: has } of products) {
    const expected = BigInt(stock.get(article_number)!) * 10n ** 6n;
    if (has !== expected) findings.push(`Article ${article_number} has a stock of ${has}, not ${expected}.`);
  }
  for (const table of ['sales_invoice', 'sales_order', 'purchase_invoice'] as const) {
    const numbers = await db
      .selectFrom(table)
      .where('administration_id', '=', administrationId)
      .orderBy('number')
      .select('number')
      .execute();
    if (numbers.some(({ number }, index) => number !== BigInt(index + 1))) {
      findings.push(`The numbers of ${table} have gaps.`);
    }
  }
  return findings;
}

/** The number of rows of each key, by table. */
async function rowsByKey(db: Database, administrationId: bigint): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>();
  const count = (key: string, table: string) => {
    const tables = counts.get(key) ?? new Map<string, number>();
    counts.set(key, tables.set(table, (tables.get(table) ?? 0) + 1));
  };
  const parts = {
    sales_invoice: ['sales_invoice_line', 'sales_invoice_address', 'attachment', 'stock_mutation', 'journal_entry'],
    sales_order: ['sales_order_line', 'sales_order_address'],
    purchase_invoice: ['purchase_invoice_line', 'journal_entry'],
  } as const;
  for (const [table, partTables] of Object.entries(parts) as [keyof typeof parts, readonly 'journal_entry'[]][]) {
    const documents = await db
      .selectFrom(table)
      .where('administration_id', '=', administrationId)
      .select(['id', 'notes'])
      .execute();
    const keys = new Map(documents.map(({ id, notes }) => [id, notes]));
    for (const { notes } of documents) count(notes, table);
    for (const part of partTables) {
      const owner = `${table}_id` as 'sales_invoice_id';
      const rows = await db.selectFrom(part).where(owner, 'is not', null).select(owner).execute();
      for (const row of rows) {
        const key = keys.get(row[owner]!);
        if (key !== undefined) count(key, part);
      }
    }
  }
  for (const comment of await stockComments(db, administrationId)) count(comment, 'stock_mutation');
  return counts;
}

/** The comments of the stock mutations that updateproduct made. */
export async function stockComments(db: Database, administrationId: bigint): Promise<string[]> {
  const mutations = await db
    .selectFrom('stock_mutation')
    .innerJoin('product', 'product.id', 'stock_mutation.product_id')
    .where('administration_id', '=', administrationId)
    .where('cause', '=', 'update')
    .select('comment')
    .execute();
  return mutations.map(({ comment }) => comment);
}
