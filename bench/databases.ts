import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import pg from 'pg';
import { builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import { makeDemo } from '../functions/administrations/builtin/setup/demo/demo.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { postgres } from '../functions/administrations/builtin/sql/dialects/postgres.ts';
import { sqlite } from '../functions/administrations/builtin/sql/dialects/sqlite.ts';
import { openWith } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { type EndpointName, endpointOf } from '../shared/api.ts';
import type { Credential } from '../shared/client/client.ts';
import { readRequest } from '../shared/readRequest.ts';
import { encode } from '../shared/wire/encode.ts';
import { newKey } from './books.ts';
import { alternately, eachOf, inFolder, median, type Ratio } from './measure.ts';
import { fillRelations } from './relations.ts';

/** A statement for a driver. */
type Statement = { sql: string; parameters: readonly unknown[] };

/** A driver without our code. */
type Bare = { run: (statement: Statement) => Promise<readonly object[]>; close: () => Promise<void> };

/** Where databases of one kind are, by name. */
type Place = {
  name: string;
  /** @param statements gets every statement that is sent */
  open: (database: string, statements: Statement[]) => Promise<Database>;
  bare: (database: string) => Promise<Bare>;
  copy: (from: string, to: string) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * The built-in administration, from a request's text to the response's, against the same statements sent to the driver
 * alone: on SQLite, and on the PostgreSQL server at TEST_POSTGRES_URL, where that is set.
 */
export const measureDatabases = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const server = process.env.TEST_POSTGRES_URL;
    const ratios: Ratio[] = [];
    for (const place of [sqliteIn(folder), ...(server ? [postgresAt(server)] : [])]) {
      try {
        ratios.push(...(await measureLists(place)), ...(await measureWrites(place)));
      } finally {
        await place.close();
      }
    }
    return ratios;
  });

async function measureLists(place: Place): Promise<Ratio[]> {
  const ours: number[] = [];
  const ratios: Ratio[] = [];
  for (const count of [1000, 1_000_000]) {
    const database = `relations_${count}`;
    const statements: Statement[] = [];
    const db = await place.open(database, statements);
    const administrationId = await fillRelations(db, count);
    const ask = await asking(db, await newKey(db, administrationId));
    await ask('listrelations', {});
    statements.length = 0;
    await ask('listrelations', {});
    const asked = [...statements];
    const bare = await place.bare(database);
    const work = {
      ours: () => ask('listrelations', {}),
      bare: async () => {
        let stored: { answer: string }[] = [];
        for (const statement of asked) stored = (await bare.run(statement)) as { answer: string }[];
        return `[${stored.map(({ answer }) => answer).join(',')}]`;
      },
    };
    // Warm for long, so that the first database is not measured with code that V8 has not compiled yet.
    const times = eachOf(median, await alternately(300, work, 1500));
    await bare.close();
    await db.destroy();
    ours.push(times.ours);
    const name = `${place.name}: first page of ${count.toLocaleString('en')} relations, against its SQL bare`;
    ratios.push({ name, ...times, unit: 'ms', aim: 1.5 });
  }
  const name = `${place.name}: first page of 1,000,000 relations, against that of 1,000`;
  return [...ratios, { name, ours: ours[1]!, bare: ours[0]!, unit: 'ms', aim: 1.3 }];
}

async function measureWrites(place: Place): Promise<Ratio[]> {
  const seed = await place.open('seed', []);
  const { NL: credential } = await makeDemo(seed);
  const products = await seed
    .selectFrom('product')
    .where('administration_id', '=', 1n)
    .orderBy('id')
    .select('article_number')
    .execute();
  const { customer_number } = await seed
    .selectFrom('relation')
    .where('administration_id', '=', 1n)
    .where('customer_number', 'is not', null)
    .select('customer_number')
    .executeTakeFirstOrThrow();
  await seed.destroy();
  const article = (index: number) => products[index % products.length]!.article_number;
  const writes = {
    updateproduct: (index: number) => ({ ArticleNumber: article(index), NewSalePrice: '12.34', NewStockQty: 1 }),
    addsalesinvoice: (index: number) => ({
      CustomerNumber: String(customer_number),
      Invoice_InvoiceLine: Array.from({ length: 75 }, (_, line) => ({
        ProductNumber: article(index + line),
        Quantity: '1.5',
        UnitPriceExclTax: '9.99',
      })),
    }),
  };
  const ratios: Ratio[] = [];
  for (const [endpoint, body] of Object.entries(writes) as [keyof typeof writes, (index: number) => object][]) {
    const [runs, warmUp] = endpoint === 'updateproduct' ? [500, 100] : [60, 15];
    for (const copy of ['recorded', 'ours', 'bare']) await place.copy('seed', `${endpoint}_${copy}`);
    // What one copy is sent for each request, another is sent bare: all three stay the same, and so do the ids given
    // out.
    const statements: Statement[] = [];
    const recorded: Statement[][] = [];
    const recording = await place.open(`${endpoint}_recorded`, statements);
    const record = await asking(recording, credential);
    for (let index = 0; index < runs + warmUp; index++) {
      statements.length = 0;
      await record(endpoint, body(index));
      recorded.push([...statements]);
    }
    await recording.destroy();

    const db = await place.open(`${endpoint}_ours`, []);
    const ask = await asking(db, credential);
    const bare = await place.bare(`${endpoint}_bare`);
    let [ours, alone] = [0, 0];
    const times = await alternately(
      runs,
      {
        ours: () => ask(endpoint, body(ours++)),
        bare: async () => {
          for (const statement of recorded[alone++]!) await bare.run(statement);
        },
      },
      warmUp,
    );
    await bare.close();
    await db.destroy();
    const what = endpoint === 'updateproduct' ? 'an update of a product' : 'an invoice of 75 lines';
    const name = `${place.name}: ${what}, against its SQL bare`;
    ratios.push({ name, ...eachOf(median, times), unit: 'ms', aim: 3 });
  }
  return ratios;
}

/** Handles requests in an administration that stays open. */
async function asking(db: Database, credential: Credential) {
  const administration = await builtinAdministrations(db).open(credential);
  return async (endpoint: EndpointName, input: object): Promise<string> => {
    const { request } = readRequest(endpoint, input);
    const made = await (administration[endpoint] as (request: unknown) => Promise<unknown>)(request);
    return encode(endpointOf(endpoint).response, made);
  };
}

const logTo = (statements: Statement[]) => (event: { query: Statement }) => {
  statements.push({ sql: event.query.sql, parameters: event.query.parameters });
};

function sqliteIn(folder: string): Place {
  const file = (database: string) => path.join(folder, `${database}.sqlite`);
  return {
    name: 'SQLite',
    open: (database, statements) => openWith(sqlite.connect(file(database)), logTo(statements)),
    async bare(database) {
      const driver = new DatabaseSync(file(database));
      driver.exec('pragma busy_timeout = 10000; pragma synchronous = full; pragma foreign_keys = on;');
      const prepared = new Map<string, StatementSync>();
      return {
        async run({ sql, parameters }) {
          let statement = prepared.get(sql);
          if (statement === undefined) {
            statement = driver.prepare(sql);
            statement.setReadBigInts(true);
            prepared.set(sql, statement);
          }
          return statement.all(...(parameters as SQLInputValue[]));
        },
        close: async () => driver.close(),
      };
    },
    copy: (from, to) => copyFile(file(from), file(to)),
    close: async () => {},
  };
}

function postgresAt(server: string): Place {
  const prefix = `ledgerline_bench_${randomBytes(4).toString('hex')}_`;
  const made: string[] = [];
  const urlOf = (database: string) => Object.assign(new URL(server), { pathname: `/${prefix}${database}` }).href;
  const administer = async (statement: string) => {
    const client = new pg.Client(server);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const create = async (database: string, template = '') => {
    if (made.includes(database)) return;
    await administer(`create database ${prefix}${database} ${template}`);
    made.push(database);
  };
  return {
    name: 'PostgreSQL',
    async open(database, statements) {
      await create(database);
      return openWith(postgres.connect(urlOf(database)), logTo(statements));
    },
    async bare(database) {
      const client = new pg.Client(urlOf(database));
      await client.connect();
      return {
        run: async ({ sql, parameters }) => (await client.query(sql, [...parameters])).rows,
        close: () => client.end(),
      };
    },
    copy: (from, to) => create(to, `template ${prefix}${from}`),
    async close() {
      for (const database of made) await administer(`drop database ${prefix}${database} with (force)`);
    },
  };
}
