import { CompiledQuery, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestAdministration, type TestApp } from '../../../../testing/app.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { checkAdministration } from '../check/check.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import { deleteAdministration } from '../setup/deleteAdministration.ts';
import type { Database } from './database.ts';
import { postgres } from './dialects/postgres.ts';
import { byCommand } from './logWriting/author.ts';
import { installTriggers } from './logWriting/installTriggers.ts';
import { migrations } from './migrations/migrations.ts';
import { openDatabase, openWith } from './openDatabase.ts';
import { writingIn } from './transaction.ts';
import { migrate } from './upgrade.ts';

const WRITERS = 6;
const ROUNDS = 8;

/* Other databases have one writer at a time. */
describe.runIf(databaseKind() === 'server')('while others write', () => {
  let app: TestApp;
  let writers: TestAdministration[];
  let other: Database;
  beforeAll(async () => {
    app = await startApp();
    writers = await Promise.all(Array.from({ length: WRITERS }, () => app.addAdministration({ furnished: true })));
    for (const { addRelation, addProduct } of writers) {
      await addRelation({ name: 'Customer', customerNumber: 7 });
      await addProduct({ articleNumber: 'A', price: '12.50', taxCode: '21% - Hoog' });
    }
    other = await openDatabase(app.databaseUrl);
  });
  afterAll(async () => {
    await other?.destroy();
    await app?.close();
  });

  /** Does work while invoices are written. @returns the different responses to them */
  async function statusesDuring(work: () => Promise<unknown>): Promise<Set<string>> {
    const responses = new Set<string>();
    let isOver = false;
    const writing = writers.map(async ({ post }) => {
      while (!isOver) {
        const line = { ProductNumber: 'A', Quantity: '1', UnitPriceExclTax: '9.99' };
        const { status, text } = await post('/rest/addsalesinvoice', {
          CustomerNumber: 7,
          Invoice_InvoiceLine: [line, line],
        });
        responses.add(status === 200 ? '200' : text);
      }
    });
    try {
      await work();
    } finally {
      isOver = true;
      await Promise.all(writing);
    }
    return responses;
  }

  it('a writer finds its changes without reading those of a long transaction beside it', async () => {
    const asked: CompiledQuery[] = [];
    const logged = await openWith(postgres.connect(app.databaseUrl), ({ query }) => void asked.push(query));
    const { administrationId } = writers[0]!;
    const author = byCommand('test');
    await writingIn(logged, { administrationId, author, now: 1n }, (trx) =>
      trx.updateTable('product').where('administration_id', '=', administrationId).set({ price: 1n }).execute(),
    );
    const ofChanges = asked.filter(({ sql: text }) => text.includes('log_change'));
    expect(ofChanges).not.toEqual([]);
    await other.transaction().execute(async (long) => {
      await sql`insert into log_change (transaction_id, table_name, operation, record)
        select txid_current(), 'product', 'delete', 'product' from generate_series(1, 100000)`.execute(long);
      for (const { sql: text, parameters } of ofChanges) {
        const { rows } = await logged.executeQuery(CompiledQuery.raw(`explain ${text}`, [...parameters]));
        expect(JSON.stringify(rows)).not.toMatch(/Seq Scan on log_change/);
      }
    });
    await logged.destroy();
  });

  it('a new version migrates the tables and replaces the triggers, and every write succeeds', async () => {
    let all: Record<string, Migration> = migrations(postgres);
    const tables = ['journal_entry', 'product', 'sales_invoice_line', 'stock_mutation', 'sales_invoice'];
    const responses = await statusesDuring(async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const column = `later_${round}`;
        all = {
          ...all,
          [`9${round}-later`]: {
            up: async (db) => {
              for (const table of tables) await db.schema.alterTable(table).addColumn(column, 'bigint').execute();
            },
          },
        };
        // Triggers of an older version. Each statement is a transaction of its own, which waits for one table only.
        for (const table of tables) {
          const statements = postgres.triggers.create(`log_older_${table}`, {
            table,
            operation: 'truncate',
            refuse: 'older',
          });
          for (const statement of statements) await other.executeQuery(CompiledQuery.raw(statement));
        }
        await migrate(other, all);
        await installTriggers(other);
      }
    });
    expect([...responses]).toEqual(['200']);
    for (const { administrationId } of writers) {
      expect(await Array.fromAsync(checkAdministration(other, administrationId))).toEqual([]);
    }
  });

  it('an administration is deleted, and every write to another one succeeds', async () => {
    const responses = await statusesDuring(async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const id = await createAdministration(other, {
          name: `Old ${round}`,
          country: 'NL',
          fiscalYears: [2026],
          now: 1n,
        });
        await deleteAdministration(other, id, 1n);
      }
    });
    expect([...responses]).toEqual(['200']);
  });
});
