import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames, endpointOf } from '../../../../shared/api.ts';
import { readRequest } from '../../../../shared/readRequest.ts';
import { booked, changesOf, line, loggedShop, NOW, product } from '../../../../testing/builtin/loggedShop.ts';
import { builtinAdministrations } from '../builtin.ts';
import { issueKey, listKeys, revokeKey } from '../credentials/keys.ts';
import { importRows } from '../import/importRows.ts';
import { resources } from '../import/resources.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import { writingIn } from '../sql/transaction.ts';
import { changesOutside } from './readLog.ts';

const log = loggedShop();

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
        Invoice_InvoiceLine: [{ ...booked, LedgerAccountNumber: '4000', TaxCode: log.shop.tax.purchaseHigh }],
      },
      kind: 'purchase_invoice',
      subject: '1',
    }),
    addsalestransaction: () => ({
      body: { CustomerNumber: 7, Invoice_InvoiceLine: [{ ...booked, TaxCode: log.shop.tax.high }] },
      kind: 'sales_invoice',
      subject: '1',
    }),
  };
  const writes = endpointNames.filter((name) => endpointOf(name).repeat !== 'safe');

  it.each(writes)('%s adds one row: when, which key, which record', async (name) => {
    const { body, kind, subject } = bodies[name]!();
    const added = await log.added(() => log.shop.accepted(name, body));
    expect(added).toMatchObject([{ at: BigInt(NOW), origin: 'rest', key_id: log.key, action: name, kind, subject }]);
    expect(added.map(({ changes }) => changes).join()).not.toContain(log.shop.credential.apiKey);
    expect(await log.problems()).toEqual([]);
  });

  it.each(writes)('%s adds none when it is refused', async (name) => {
    const { body } = bodies[name]!();
    const taken = {
      ...body,
      ArticleNumber: name === 'addproduct' ? '0100' : 'none',
      CustomerNumber: 99,
      SupplierNumber: 99,
    };
    expect(await log.added(() => log.shop.refused(name, taken))).toEqual([]);
  });

  it('records an invoice with its lines, journal, stock and mail', async () => {
    const [row] = await log.added(() => log.shop.accepted('addsalesinvoice', bodies.addsalesinvoice!().body));
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
  it('has old and new values of the changed columns only', async () => {
    await log.shop.accepted('updateproduct', { ArticleNumber: '0100', NewName: 'Kruk' });
    log.app.setTime(NOW + 5);
    const [row] = await log.added(() =>
      log.shop.accepted('updateproduct', { ArticleNumber: '0100', NewName: 'Krukje', NewSalePrice: '12.5' }),
    );
    log.app.setTime(NOW);
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

  it('has any text and amount unchanged', async () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 50 })
      .filter((value) => !value.includes('\0') && value.trim() !== '');
    const decimal = fc.bigInt({ min: 0n, max: 10n ** 17n });
    let now = '';
    await fc.assert(
      fc.asyncProperty(text, decimal, async (name, price) => {
        const written = `${price / 100_000_000n}.${String(price % 100_000_000n).padStart(8, '0')}`;
        const before = await log.app.db
          .selectFrom('product')
          .where('article_number', '=', '0100')
          .where('administration_id', '=', log.shop.administrationId)
          .selectAll()
          .executeTakeFirstOrThrow();
        const added = await log.added(() =>
          log.shop.request('PUT', '/rest/updateproduct', {
            body: { ArticleNumber: '0100', NewName: name, NewSalePrice: written },
          }),
        );
        const after = await log.app.db
          .selectFrom('product')
          .where('id', '=', before.id)
          .selectAll()
          .executeTakeFirstOrThrow();
        const { old = {}, new: now_ = {} } =
          added.flatMap((row) => changesOf(row)).find(({ table }) => table === 'product') ?? {};
        if (before.name !== after.name)
          expect([old, now_]).toMatchObject([{ name: before.name }, { name: after.name }]);
        else expect(now_).not.toHaveProperty('name');
        if (before.price !== after.price) expect(added[0]!.changes).toContain(`"price":${after.price}`);
        now = after.name;
      }),
      { numRuns: 25 },
    );
    expect(now).not.toBe('');
  });
});

it('a command may change more rows than a function takes arguments', async () => {
  const { administrationId } = log.shop;
  const rows = 130_000;
  const by = { administrationId, author: byCommand('set'), now: BigInt(NOW) };
  const [added] = await log.added(() =>
    writingIn(log.app.db, by, async (trx) => {
      await sql`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${rows})
        insert into cost_center (administration_id, name, name_folded)
        select ${administrationId}, 'Center ' || number, 'center ' || number from numbers`.execute(trx);
    }),
  );
  expect(changesOf(added)).toHaveLength(rows);
});

describe('without a request', () => {
  it('a push adds a row for each applied row, with its key', async () => {
    const writer = await builtinAdministrations(log.app.db, { clock: () => NOW * 1000 }).writer(log.shop.credential);
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
    const row = { origin: 'push', key_id: log.key, kind: 'product' };
    expect(await log.added(send)).toMatchObject([
      { ...row, action: 'updateproduct', subject: '0100' },
      { ...row, action: 'updateproduct', subject: '0200' },
      { ...row, action: 'addproduct', subject: '0300' },
    ]);
    // Repeated rows return their stored response, and change nothing.
    expect(await log.added(send)).toEqual([]);
    expect(await log.problems()).toEqual([]);
  });

  it('a periodic invoice adds a row of the app itself', async () => {
    await log.shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      Invoice_InvoiceLine: [line],
      PeriodicInvoiceTemplate: true,
      Periodic_StartingDate: '03-03-2026',
      Periodic_Frequency: 1,
      Periodic_FrequencyUnit: 'Month',
      Periodic_AutomaticMailing: true,
    });
    const clock = () => Date.parse('2026-04-05T09:00:00Z');
    const added = await log.added(() =>
      builtinAdministrations(log.app.db, { clock }).upkeep!.makeDueInvoices(new AbortController().signal),
    );
    const row = { origin: 'timer', key_id: null, action: 'periodic invoices', kind: 'sales_invoice' };
    expect(added).toMatchObject([
      { ...row, subject: '1' },
      { ...row, subject: '2' },
    ]);
  });

  it('an import adds a row for each added or changed record', async () => {
    const source = (cells: string[][]) => ({
      file: 'relations.csv',
      headingLine: 1,
      headings: ['RelationGUID', 'Name', 'Address_City'],
      rows: (async function* () {
        for (const [index, row] of cells.entries()) yield { line: index + 2, cells: row };
      })(),
    });
    const target = { administrationId: log.shop.administrationId, now: BigInt(NOW) };
    const add = () =>
      importRows(
        log.app.db,
        resources.relations,
        source([
          ['900', 'Een', 'Gent'],
          ['901', 'Twee', ''],
        ]) as never,
        target,
      );
    const row = { origin: 'command', key_id: null, action: 'import', kind: 'relation' };
    expect(await log.added(add)).toMatchObject([
      { ...row, subject: '900', relation_guid: 900n },
      { ...row, subject: '901', relation_guid: 901n },
    ]);
    const change = () =>
      importRows(
        log.app.db,
        resources.relations,
        source([
          ['900', 'Een', 'Brugge'],
          ['901', 'Twee', ''],
        ]) as never,
        target,
      );
    expect(await log.added(change)).toMatchObject([{ ...row, subject: '900' }]);
    expect(await log.problems()).toEqual([]);
  });

  it('issuing or revoking a key adds a row without the key and without its hash', async () => {
    const { administrationId } = log.shop;
    let apiKey = '';
    const added = await log.added(async () => {
      apiKey = await issueKey(log.app.db, {
        administrationId,
        username: 'new@example.com',
        label: '',
        now: BigInt(NOW),
      });
      const { id } = (await listKeys(log.app.db, administrationId)).at(-1)!;
      await revokeKey(log.app.db, { administrationId, id, now: BigInt(NOW) });
    });
    expect(added).toMatchObject([{ action: 'key issue' }, { action: 'key revoke' }]);
    expect(JSON.stringify(added.map(({ changes }) => changes))).not.toMatch(new RegExp(`${apiKey}|[0-9a-f]{64}`));
  });
});

describe('a change by SQL', () => {
  const change = () =>
    log.app.db
      .updateTable('administration')
      .set({ iban: 'NL91ABNA0417164300' })
      .where('id', '=', log.shop.administrationId)
      .execute();
  const outside = () => Array.fromAsync(changesOutside(log.app.db, log.shop.administrationId));

  it('leaves a trace that no statement removes', async () => {
    await change();
    const found = await outside();
    expect(found).toEqual([expect.stringMatching(/^Not made by the app: update of administration /)]);
    for (const statement of [
      sql`delete from log_change`,
      sql`update log_change set operation = 'insert'`,
      sql`update log_change set administration_id = null`,
      sql`update log_change set new_values = ''`,
    ]) {
      await expect(statement.execute(log.app.db)).rejects.toThrow('The log can only be added to.');
    }
    // The app goes on, and takes its own changes only.
    await log.shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: 3 });
    expect(await outside()).toEqual(found);
    expect(await log.problems()).toEqual([]);
  });

  it('cannot be made to look taken without a row in the log', async () => {
    await change();
    await log.app.db
      .updateTable('log_head')
      .set((eb) => ({ sequence: eb('sequence', '+', 1n) }))
      .where('administration_id', '=', log.shop.administrationId)
      .execute();
    await sql`delete from log_change`.execute(log.app.db);
    const { sequence } = (await log.rows()).at(-1)!;
    const finding = `Row ${sequence + 1n} of the log was removed.`;
    expect(await log.problems()).toEqual([finding]);
    await log.shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: 4 });
    expect(await log.problems()).toEqual([finding]);
  });

  it('is found for a row without an administration, such as the line of an invoice', async () => {
    await log.shop.accepted('addsalesinvoice', { CustomerNumber: 7, Invoice_InvoiceLine: [line] });
    await sql`update sales_invoice_line set description = 'x'`.execute(log.app.db);
    expect((await outside()).join()).toContain('update of sales_invoice_line');
  });

  it('of a part cannot leave with a row in the log of another administration', async () => {
    await log.shop.accepted('addsalesinvoice', { CustomerNumber: 7, Invoice_InvoiceLine: [line] });
    const other = { name: 'Other', country: 'NL', fiscalYears: [], now: 1n } as const;
    const otherId = await createAdministration(log.app.db, other);
    await sql`update sales_invoice_line set description = 'x'`.execute(log.app.db);
    const found = await outside();
    await sql`update log_head set sequence = sequence + 1 where administration_id = ${otherId}`.execute(log.app.db);
    await expect(sql`delete from log_change`.execute(log.app.db)).rejects.toThrow('The log can only be added to.');
    expect(await outside()).toEqual(found);
    expect(found.join()).toContain('update of sales_invoice_line');
  });

  it('of a key is found, without the key', async () => {
    await log.app.db
      .updateTable('api_key')
      .set({ key_hash: 'f'.repeat(64) })
      .where('id', '=', log.key)
      .execute();
    expect(await outside()).toEqual([`Not made by the app: update of api_key ${log.key}.`]);
    const [staged] = await log.app.db.selectFrom('log_change').selectAll().execute();
    expect(staged).toMatchObject({ old_values: ',"key_hash":"(secret)"', new_values: ',"key_hash":"(secret)"' });
  });
});

it('changes outside the app are recorded apart, and attributed to nobody', async () => {
  const { administrationId } = log.shop;
  await log.app.db
    .updateTable('product')
    .where('administration_id', '=', administrationId)
    .where('article_number', '=', '0200')
    .set({ name: 'Anders' })
    .execute();
  await writingIn(log.app.db, { administrationId, author: byCommand('set'), now: BigInt(NOW) }, (trx) =>
    trx.updateTable('administration').where('id', '=', administrationId).set({ city: 'Gent' }).execute(),
  );
  expect(changesOf((await log.rows()).at(-1)).map(({ table }) => table)).toEqual(['administration']);
  const waiting = await log.app.db.selectFrom('log_change').selectAll().execute();
  expect(waiting).toMatchObject([{ table_name: 'product', subject: '0200', old_values: ',"name":"Brood"' }]);
});
