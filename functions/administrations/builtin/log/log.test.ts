import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames, endpointOf } from '../../../../shared/api.ts';
import { readRequest } from '../../../../shared/readRequest.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { builtinAdministrations } from '../builtin.ts';
import { checkAdministration } from '../check/check.ts';
import { importRows } from '../import/importRows.ts';
import { resources } from '../import/resources.ts';
import { issueKey, listKeys, revokeKey } from '../setup/keys.ts';
import { byCommand } from '../sql/log/author.ts';
import { installTriggers, removeTriggers } from '../sql/log/installTriggers.ts';
import { writingIn } from '../sql/transaction.ts';
import { blankingPersonal } from './blankPersonal.ts';
import { verifyLog } from './verifyLog.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z') / 1000;

let app: TestApp;
let shop: Shop;
let key: bigint;
beforeAll(async () => {
  app = await startApp();
  app.setTime(NOW);
});
afterAll(() => app.close());
beforeEach(async () => {
  shop = await openShop(app);
  key = (await listKeys(app.db, shop.administrationId))[0]!.id;
  // What the fixtures put in stands outside the log.
  await app.db.deleteFrom('log_change').execute();
});

const rows = () =>
  app.db
    .selectFrom('log')
    .where('administration_id', '=', shop.administrationId)
    .orderBy('sequence')
    .selectAll()
    .execute();
type LogRows = Awaited<ReturnType<typeof rows>>;

/** The rows that some work adds; nothing is to stay behind that no row tells of. */
async function added(work: () => Promise<unknown>): Promise<LogRows> {
  const before = (await rows()).length;
  await work();
  expect(await app.db.selectFrom('log_change').selectAll().execute()).toEqual([]);
  return (await rows()).slice(before);
}

const changesOf = (
  row: LogRows[number] | undefined,
): { table: string; operation: string; old?: object; new?: object }[] => JSON.parse(row!.changes);
const told = () => Array.fromAsync(verifyLog(app.db, shop.administrationId));

const line = { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: '10' };
const product = { ArticleNumber: '0300', NewName: 'Tafel', CategoryName: 'Nieuw', CategoryCreateIfMissing: true };
const booked = { LedgerAccountNumber: '8000', Description: 'Werk', SubTotalInclTax: '121.00' };

describe('each endpoint that writes', () => {
  const bodies: Partial<Record<EndpointName, () => { body: object; kind: string; subject: string }>> = {
    updateproduct: () => ({ body: { ArticleNumber: '0100', NewSalePrice: 9 }, kind: 'product', subject: '0100' }),
    addproduct: () => ({ body: { ...product, NewSalePrice: 9 }, kind: 'product', subject: '0300' }),
    addsalesinvoice: () => ({
      body: { CustomerNumber: 7, EmailToCustomer: true, Invoice_InvoiceLine: [line] },
      kind: 'sales_invoice',
      subject: '1',
    }),
    addorder: () => ({ body: { CustomerNumber: 7, Order_Orderline: [line] }, kind: 'sales_order', subject: '1' }),
    addpurchasetransaction: () => ({
      body: {
        SupplierNumber: 3,
        Invoice_InvoiceLine: [{ ...booked, LedgerAccountNumber: '4000', TaxCode: shop.tax.purchaseHigh }],
      },
      kind: 'purchase_invoice',
      subject: '1',
    }),
    addsalestransaction: () => ({
      body: { CustomerNumber: 7, Invoice_InvoiceLine: [{ ...booked, TaxCode: shop.tax.high }] },
      kind: 'sales_invoice',
      subject: '1',
    }),
  };
  const writes = endpointNames.filter((name) => endpointOf(name).repeat !== 'safe');

  it.each(writes)('%s leaves one row: when, which key, what it concerned', async (name) => {
    const { body, kind, subject } = bodies[name]!();
    const log = await added(() => shop.accepted(name, body));
    expect(log).toMatchObject([{ at: BigInt(NOW), origin: 'rest', key_id: key, action: name, kind, subject }]);
    expect(log.map(({ changes }) => changes).join()).not.toContain(shop.credential.apiKey);
    expect(await told()).toEqual([]);
  });

  it.each(writes)('%s leaves none when it is refused', async (name) => {
    const { body } = bodies[name]!();
    const taken = {
      ...body,
      ArticleNumber: name === 'addproduct' ? '0100' : 'none',
      CustomerNumber: 99,
      SupplierNumber: 99,
    };
    expect(await added(() => shop.refused(name, taken))).toEqual([]);
  });

  it('tells an invoice with all that goes with it: lines, journal, stock and mail', async () => {
    const [row] = await added(() => shop.accepted('addsalesinvoice', bodies.addsalesinvoice!().body));
    const tables = new Set(changesOf(row).map(({ table }) => table));
    expect([...tables].sort()).toEqual([
      'journal_entry',
      'journal_line',
      'outgoing_mail',
      'product',
      'sales_invoice',
      'sales_invoice_address',
      'sales_invoice_contact',
      'sales_invoice_line',
      'stock_mutation',
    ]);
    expect(changesOf(row).find(({ table, operation }) => table === 'product' && operation === 'update')).toMatchObject({
      old: { stock: 1_000_000_000 },
      new: { stock: 800_000_000 },
    });
  });
});

describe('a row of the log', () => {
  it('has old and new values of what changed, and of nothing else', async () => {
    await shop.accepted('updateproduct', { ArticleNumber: '0100', NewName: 'Kruk' });
    app.setTime(NOW + 5);
    const [row] = await added(() =>
      shop.accepted('updateproduct', { ArticleNumber: '0100', NewName: 'Krukje', NewSalePrice: '12.5' }),
    );
    app.setTime(NOW);
    expect(changesOf(row)).toEqual([
      {
        table: 'product',
        id: expect.any(Number),
        operation: 'update',
        old: { name: 'Kruk', changed_on: NOW },
        new: { name: 'Krukje', changed_on: NOW + 5 },
      },
    ]);
  });

  it('tells any text and amount as it is', async () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 50 })
      .filter((value) => !value.includes('\0') && value.trim() !== '');
    const decimal = fc.bigInt({ min: 0n, max: 10n ** 17n });
    let now = '';
    await fc.assert(
      fc.asyncProperty(text, decimal, async (name, price) => {
        const written = `${price / 100_000_000n}.${String(price % 100_000_000n).padStart(8, '0')}`;
        const before = await app.db
          .selectFrom('product')
          .where('article_number', '=', '0100')
          .where('administration_id', '=', shop.administrationId)
          .selectAll()
          .executeTakeFirstOrThrow();
        const log = await added(() =>
          shop.request('PUT', '/rest/updateproduct', {
            body: { ArticleNumber: '0100', NewName: name, NewSalePrice: written },
          }),
        );
        const after = await app.db
          .selectFrom('product')
          .where('id', '=', before.id)
          .selectAll()
          .executeTakeFirstOrThrow();
        const { old = {}, new: now_ = {} } =
          log.flatMap((row) => changesOf(row)).find(({ table }) => table === 'product') ?? {};
        if (before.name !== after.name)
          expect([old, now_]).toMatchObject([{ name: before.name }, { name: after.name }]);
        else expect(now_).not.toHaveProperty('name');
        if (before.price !== after.price) expect(log[0]!.changes).toContain(`"price":${after.price}`);
        now = after.name;
      }),
      { numRuns: 25 },
    );
    expect(now).not.toBe('');
  });
});

describe('what is written without a request', () => {
  it('a push leaves a row for each row that was applied, under its key', async () => {
    const writer = await builtinAdministrations(app.db, { clock: () => NOW * 1000 }).writer(shop.credential);
    const write = (name: 'updateproduct' | 'addproduct', body: object) =>
      ({ key: randomUUID(), name, request: readRequest(name, body).request }) as Parameters<
        typeof writer.write
      >[0][number];
    const writes = [
      write('updateproduct', { ArticleNumber: '0100', NewSalePrice: 1 }),
      write('updateproduct', { ArticleNumber: 'none', NewSalePrice: 1 }),
      write('updateproduct', { ArticleNumber: '0200', NewStockQty: 4, StockUpdateMode: 'Relative' }),
      write('addproduct', { ...product, NewSalePrice: 1 }),
    ];
    const send = () => writer.write(writes, async () => {}, new AbortController().signal);
    const row = { origin: 'push', key_id: key, kind: 'product' };
    expect(await added(send)).toMatchObject([
      { ...row, action: 'updateproduct', subject: '0100' },
      { ...row, action: 'updateproduct', subject: '0200' },
      { ...row, action: 'addproduct', subject: '0300' },
    ]);
    // The same rows again are answered, and change nothing.
    expect(await added(send)).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it('a periodic invoice leaves one, of the app itself', async () => {
    await shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      Invoice_InvoiceLine: [line],
      PeriodicInvoiceTemplate: true,
      Periodic_StartingDate: '03-03-2026',
      Periodic_Frequency: 1,
      Periodic_FrequencyUnit: 'Month',
      Periodic_AutomaticMailing: true,
    });
    const clock = () => Date.parse('2026-04-05T09:00:00Z');
    const log = await added(() => builtinAdministrations(app.db, { clock }).upkeep!.makeDueInvoices());
    const row = { origin: 'timer', key_id: null, action: 'periodic invoices', kind: 'sales_invoice' };
    expect(log).toMatchObject([
      { ...row, subject: '1' },
      { ...row, subject: '2' },
    ]);
  });

  it('an import leaves one for each record it adds or changes', async () => {
    const source = (cells: string[][]) => ({
      file: 'relations.csv',
      headingLine: 1,
      headings: ['RelationGUID', 'Name', 'Address_City'],
      rows: (async function* () {
        for (const [index, row] of cells.entries()) yield { line: index + 2, cells: row };
      })(),
    });
    const given = { administrationId: shop.administrationId, now: BigInt(NOW) };
    const add = () =>
      importRows(
        app.db,
        resources.relations,
        source([
          ['900', 'Een', 'Gent'],
          ['901', 'Twee', ''],
        ]) as never,
        given,
      );
    const row = { origin: 'command', key_id: null, action: 'import', kind: 'relation' };
    expect(await added(add)).toMatchObject([
      { ...row, subject: '900', relation_guid: 900n },
      { ...row, subject: '901', relation_guid: 901n },
    ]);
    const change = () =>
      importRows(
        app.db,
        resources.relations,
        source([
          ['900', 'Een', 'Brugge'],
          ['901', 'Twee', ''],
        ]) as never,
        given,
      );
    expect(await added(change)).toMatchObject([{ ...row, subject: '900' }]);
    expect(await told()).toEqual([]);
  });

  it('a key that is issued or revoked leaves one, which has neither the key nor its hash', async () => {
    const { administrationId } = shop;
    let apiKey = '';
    const log = await added(async () => {
      apiKey = await issueKey(app.db, { administrationId, username: 'new@example.com', label: '', now: BigInt(NOW) });
      const { id } = (await listKeys(app.db, administrationId)).at(-1)!;
      await revokeKey(app.db, { administrationId, id, now: BigInt(NOW) });
    });
    expect(log).toMatchObject([{ action: 'key issue' }, { action: 'key revoke' }]);
    expect(JSON.stringify(log.map(({ changes }) => changes))).not.toMatch(new RegExp(`${apiKey}|[0-9a-f]{64}`));
  });
});

describe('the chain', () => {
  /** Does what only the owner of the database can: the triggers are taken away, and made again. */
  async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
    await removeTriggers(app.db, ({ table }) => table.startsWith('log'));
    await statement.execute(app.db);
    await installTriggers(app.db);
  }
  const write = async (times: number) => {
    for (let price = 1; price <= times; price++) {
      await shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: price });
    }
    return (await rows()).at(-1)!.sequence;
  };

  it('is whole after any writes, and is looked at by the check', async () => {
    await write(3);
    expect(await told()).toEqual([]);
    const last = (await rows()).at(-1)!;
    await tamper(
      sql`update log set key_id = 99 where administration_id = ${shop.administrationId} and sequence = ${last.sequence}`,
    );
    const found = await Array.fromAsync(checkAdministration(app.db, shop.administrationId));
    expect(found).toContain(`Row ${last.sequence} of the log is not what was written, or follows one that is not.`);
  });

  it.each([
    'at',
    'origin',
    'key_id',
    'action',
    'kind',
    'subject',
    'relation_guid',
    'changes',
    'personal_digest',
    'hash',
  ])('tells a row of which %s was altered', async (column) => {
    const last = await write(4);
    const altered = last - 2n;
    const value = ['at', 'key_id', 'relation_guid'].includes(column) ? sql`12345` : sql`'[]'`;
    await tamper(
      sql`update log set ${sql.ref(column)} = ${value} where administration_id = ${shop.administrationId} and sequence = ${altered}`,
    );
    const found = await told();
    expect(found[0]).toBe(`Row ${altered} of the log is not what was written, or follows one that is not.`);
  });

  it('tells rows that were removed, in the middle and at the end', async () => {
    const last = await write(5);
    const gone = (sequences: bigint[]) =>
      tamper(
        sql`delete from log where administration_id = ${shop.administrationId} and sequence in (${sql.join(sequences)})`,
      );
    await gone([last - 2n]);
    expect(await told()).toEqual([`Row ${last - 2n} of the log was removed.`]);
    await gone([last, last - 1n]);
    expect(await told()).toEqual([`Rows ${last - 2n} to ${last} of the log were removed.`]);
  });

  it('tells a row that was put in', async () => {
    const last = await write(2);
    await tamper(sql`insert into log (administration_id, sequence, at, origin, action, kind, subject, changes, hash)
      values (${shop.administrationId}, ${last + 1n}, 1, 'rest', 'x', 'product', '0100', '[]', 'abc')`);
    expect(await told()).toEqual([
      `Row ${last + 1n} of the log is not what was written, or follows one that is not.`,
      `The log was ${last} rows long, and has rows to ${last + 1n}: somebody put them in.`,
    ]);
  });

  it('lets no statement change or remove a row', async () => {
    await write(1);
    const own = sql`where administration_id = ${shop.administrationId}`;
    for (const statement of [
      sql`update log set subject = 'x' ${own}`,
      sql`update log set personal = 'x' ${own}`,
      sql`delete from log ${own}`,
      sql`delete from log_head ${own}`,
    ]) {
      await expect(statement.execute(app.db)).rejects.toThrow('The log can only be added to.');
    }
    expect(await told()).toEqual([]);
  });

  it('stays whole when writers of two instances come together', async () => {
    const other = builtinAdministrations(app.db, { clock: () => NOW * 1000 });
    const theirs = await other.open(shop.credential);
    const before = (await rows()).length;
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: index + 1 })
          : theirs.updateproduct(
              readRequest('updateproduct', { ArticleNumber: '0200', NewSalePrice: index + 1 }).request as never,
            ),
      ),
    );
    expect((await rows()).length - before).toBe(20);
    expect(await told()).toEqual([]);
  });
});

describe('personal values of a relation', () => {
  const secrets = [
    'Bakkerij Jansen',
    'info@jansen.example',
    'Coolsingel',
    'Rotterdam',
    'anna@jansen.example',
    'Verbouwing bij Anna',
  ];

  it('stand apart from the rest of the log, and are blanked without breaking the chain', async () => {
    const { administrationId, customer } = shop;
    await shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      InvoiceNotes: 'Verbouwing bij Anna',
      EmailToCustomer: true,
      Invoice_InvoiceLine: [line],
    });
    await shop.accepted('addorder', { CustomerNumber: 7, OrderNotes: 'Verbouwing bij Anna', Order_Orderline: [line] });
    await shop.accepted('addpurchasetransaction', {
      SupplierNumber: 3,
      Invoice_InvoiceLine: [{ ...booked, LedgerAccountNumber: '4000', TaxCode: shop.tax.purchaseHigh }],
    });
    const rest = JSON.stringify((await rows()).map(({ changes, subject }) => [changes, subject]));
    for (const secret of secrets) expect(rest).not.toContain(secret);
    const all = (await rows()).map(({ personal }) => personal).join();
    for (const secret of ['Bakkerij Jansen', 'Coolsingel', 'Verbouwing bij Anna']) expect(all).toContain(secret);

    const forgotten = await added(() =>
      blankingPersonal(app.db, { administrationId, guid: customer.guid, now: BigInt(NOW) }, (trx) =>
        trx
          .updateTable('relation')
          .where('id', '=', customer.id)
          .set({ name: 'Anoniem', email: '', street: '', city: '' })
          .execute(),
      ),
    );
    expect(forgotten).toMatchObject([{ action: 'anonymise', kind: 'relation', subject: String(customer.guid) }]);
    const left = (await rows()).map(({ personal, salt }) => personal + salt);
    for (const secret of secrets) expect(left.join()).not.toContain(secret);
    // Of others nothing is lost.
    expect(left.join()).toContain('Molen De Hoop');
    expect(await told()).toEqual([]);
  });

  it('cannot be altered, nor taken away without the command that does so', async () => {
    const { administrationId, customer } = shop;
    await shop.accepted('addsalesinvoice', { CustomerNumber: 7, Invoice_InvoiceLine: [line] });
    const { sequence } = (await rows()).at(-1)!;
    await app.db
      .updateTable('log')
      .where('administration_id', '=', administrationId)
      .where('sequence', '=', sequence)
      .set({ personal: '', salt: '' })
      .execute();
    expect(await told()).toEqual([
      `Row ${sequence} of the log lost its personal values, and relation ${customer.guid} was not anonymised.`,
    ]);
  });
});

it('what somebody changes beside the app waits apart, and is laid at nobody’s door', async () => {
  const { administrationId } = shop;
  await app.db
    .updateTable('product')
    .where('administration_id', '=', administrationId)
    .where('article_number', '=', '0200')
    .set({ name: 'Anders' })
    .execute();
  await writingIn(app.db, { administrationId, author: byCommand('set'), now: BigInt(NOW) }, (trx) =>
    trx.updateTable('administration').where('id', '=', administrationId).set({ city: 'Gent' }).execute(),
  );
  expect(changesOf((await rows()).at(-1)).map(({ table }) => table)).toEqual(['administration']);
  const waiting = await app.db.selectFrom('log_change').selectAll().execute();
  expect(waiting).toMatchObject([{ table_name: 'product', subject: '0200', old_values: ',"name":"Brood"' }]);
});
