import { sql } from 'kysely';
import { builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import type { TableName } from '../functions/administrations/builtin/sql/declarations/tables.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { columnsOf } from '../functions/administrations/builtin/sql/rows.ts';
import { inTransaction } from '../functions/administrations/builtin/sql/transaction.ts';
import { relationExports } from '../functions/exports/relationExports.ts';
import { startAzurite } from '../functions/host/azurite.ts';
import { openStorage } from '../functions/storage/storage.ts';
import { type EndpointName, endpointNames, endpointOf } from '../shared/api.ts';
import type { Credential } from '../shared/client/client.ts';
import { readRequest } from '../shared/readRequest.ts';
import { startScript } from '../testing/appProcess.ts';
import { emptyDatabase } from '../testing/database.ts';
import { fixturesOf } from '../testing/fixtures/fixtures.ts';
import { newKey } from './books.ts';
import { alternately, eachOf, inFolder, median, type Ratio } from './measure.ts';
import { fillRelations } from './relations.ts';

const ADMINISTRATIONS = 2000;
/** Of a small administration, each invoice of so many lines. */
const [RELATIONS, INVOICES, LINES] = [200, 100, 4];
/** Of the large one: a million lines. */
const LARGE_INVOICES = 250_000;
/** Administrations of a night that is measured, and of one to compare with. */
const [FEW, MANY] = [25, 100];
const RUNS = 40;

type Books = { administrationId: bigint; credential: Credential };
type Firm = { db: Database; url: string; small: Books; large: Books | undefined };

/**
 * A firm with 2,000 administrations on the PostgreSQL server at TEST_POSTGRES_URL, of which one has a million invoice lines,
 * against one with a single small administration; without a server nothing is measured.
 */
export async function measureFirm(): Promise<Ratio[]> {
  if (!process.env.TEST_POSTGRES_URL) return [];
  const one = await newFirm(1);
  try {
    const firm = await newFirm(ADMINISTRATIONS);
    try {
      return [...(await measurePages(firm, one)), ...(await measureTimers(firm, one)), ...(await measureNight(firm))];
    } finally {
      await firm.db.destroy();
    }
  } finally {
    await one.db.destroy();
  }
}

/** A database of so many administrations. Of several, the last is the large one. */
async function newFirm(count: number): Promise<Firm> {
  const { db: owner, url } = await emptyDatabase(undefined, 'server');
  const db = await openDatabase(url);
  const destroy = owner.destroy.bind(owner);
  await fill(db, count);
  await db.destroy();
  const opened = await openDatabase(url);
  const close = opened.destroy.bind(opened);
  opened.destroy = async () => {
    await close();
    await destroy();
  };
  const ids = (await opened.selectFrom('administration').orderBy('id').select('id').execute()).map(({ id }) => id);
  const books = async (administrationId: bigint) => ({
    administrationId,
    credential: await newKey(opened, administrationId),
  });
  const middle = ids[Math.floor((ids.length - 1) / 2)]!;
  return { db: opened, url, small: await books(middle), large: count === 1 ? undefined : await books(ids.at(-1)!) };
}

/** Makes a small administration, others like it, and gives the last one most invoices. */
async function fill(db: Database, count: number): Promise<void> {
  const pattern = await fillRelations(db, RELATIONS - 1);
  const { addProduct, addProject, addMaterialBooking } = fixturesOf(db, pattern);
  await addProduct({ articleNumber: 'A-1' });
  const projectId = await addProject({ number: 1, name: 'Verbouwing' });
  for (let booking = 0; booking < 50; booking++) await addMaterialBooking({ projectId, articleNumber: 'A-1' });
  await inTransaction(db, async (trx) => {
    // Neither the log nor the references are what is measured.
    await sql`set local session_replication_role = replica`.execute(trx);
    await addInvoices(trx, pattern, INVOICES);
    const copies = sql`select ${pattern} + n as copy from generate_series(1::bigint, ${count - 1}::bigint) as n`;
    await copyRows(trx, 'administration', pattern, { id: sql`copy`, identifier: sql`identifier || copy` }, copies);
    const owned = ['ledger_account', 'tax_code', 'fiscal_year', 'log_head'] as const;
    for (const table of owned) await copyRows(trx, table, pattern, { administration_id: sql`copy` }, copies);
    const ids = { administration_id: sql`copy`, id: sql`id + copy * 10000000` };
    for (const table of ['relation', 'product', 'project'] as const) await copyRows(trx, table, pattern, ids, copies);
    const ofProject = { ...ids, project_id: sql`project_id + copy * 10000000` };
    await copyRows(trx, 'material_booking', pattern, ofProject, copies);
    const ofRelation = { ...ids, relation_id: sql`relation_id + copy * 10000000` };
    await copyRows(trx, 'sales_invoice', pattern, ofRelation, copies);
    await addLines(trx);
    if (count === 1) return;
    const large = pattern + BigInt(count - 1);
    await sql`delete from sales_invoice_line where sales_invoice_id in
      (select id from sales_invoice where administration_id = ${large})`.execute(trx);
    await sql`delete from sales_invoice where administration_id = ${large}`.execute(trx);
    await addInvoices(trx, large, LARGE_INVOICES);
    await addLines(trx);
  });
  await sql`analyze`.execute(db);
}

/** Copies the rows of an administration for others. @param other the values that are not the same */
async function copyRows(
  db: Database,
  table: TableName,
  pattern: bigint,
  other: Readonly<Record<string, ReturnType<typeof sql>>>,
  copies: ReturnType<typeof sql>,
): Promise<void> {
  const names = columnsOf(table)
    .map(([name]) => name)
    .filter((name) => name !== 'id' || 'id' in other);
  const values = names.map((name) => other[name] ?? sql.ref(name));
  const owner = table === 'administration' ? 'id' : 'administration_id';
  await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from ${sql.table(table)}, (${copies}) as copies
    where ${sql.ref(owner)} = ${pattern}`.execute(db);
}

async function addInvoices(db: Database, administrationId: bigint, count: number): Promise<void> {
  const { rows } = await sql<{ name: string; required: boolean }>`
    select column_name as name from information_schema.columns where table_name = 'sales_invoice' and is_nullable = 'NO'
      and column_default is null and is_identity = 'NO'`.execute(db);
  const given: Record<string, ReturnType<typeof sql>> = {
    administration_id: sql`${administrationId}`,
    number: sql`20260000 + n`,
    module: sql`'BOOKKEEPING'`,
    date: sql`to_char(date '2026-01-01' + (n % 330)::int, 'YYYY-MM-DD')`,
    relation_id: sql`(select min(id) from relation where administration_id = ${administrationId}) + n % 100`,
    total_excl: sql`10000`,
    total_tax: sql`2100`,
    total_incl: sql`12100`,
  };
  const texts = new Set(columnsOf('sales_invoice').flatMap(([name, { kind }]) => (isText(kind) ? [name] : [])));
  const names = [...new Set([...Object.keys(given), ...rows.map(({ name }) => name)])];
  const values = names.map((name) => given[name] ?? (texts.has(name) ? sql`''` : sql`0`));
  await sql`insert into sales_invoice (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from generate_series(1, ${count}::int) as n`.execute(db);
}

/** Adds lines to the invoices that have none. */
async function addLines(db: Database): Promise<void> {
  const given: Record<string, ReturnType<typeof sql>> = {
    sales_invoice_id: sql`invoice.id`,
    position: sql`n`,
    description: sql`'Een regel van de factuur'`,
    quantity: sql`100000000`,
    unit_price: sql`2500000000`,
  };
  const all = columnsOf('sales_invoice_line').filter(([name, { isOptional }]) => name !== 'id' && !isOptional);
  const names = all.map(([name]) => name);
  const values = all.map(([name, { kind }]) => given[name] ?? (isText(kind) ? sql`''` : sql`0`));
  await sql`insert into sales_invoice_line (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from sales_invoice as invoice, generate_series(1, ${LINES}::int) as n
    where not exists (select from sales_invoice_line where sales_invoice_id = invoice.id)`.execute(db);
}

const isText = (kind: string): boolean => ['text', 'choice', 'date'].includes(kind);

const lists = endpointNames.filter((name) => endpointOf(name).method === 'GET');

/** The first page of every list, of the small and of the large administration, against that of the only one. */
async function measurePages(firm: Firm, one: Firm): Promise<Ratio[]> {
  const reading = async ({ db }: Firm, { credential }: Books, name: EndpointName) => {
    const administration = await builtinAdministrations(db, { warn: () => {} }).open(credential);
    const read = administration[name] as (query: unknown) => Promise<unknown>;
    return () => read(readRequest(name, name === 'listsalesinvoices' ? WITH_LINES : {}).request);
  };
  const ratios: Ratio[] = [];
  for (const [what, books] of [
    ['a small one', firm.small],
    ['one with a million invoice lines', firm.large!],
  ] as const) {
    for (const name of lists) {
      const work = { ours: await reading(firm, books, name), bare: await reading(one, one.small, name) };
      const both = eachOf(median, await alternately(RUNS, work));
      const title = `the first page of ${name} of ${what} among ${ADMINISTRATIONS}, against that of the only one`;
      ratios.push({ name: title, ...both, unit: 'ms', aim: 1.3 });
    }
  }
  return ratios;
}

const WITH_LINES = { IncludeInvoiceLinesInResponse: 'true' };

/** What timers and health take when nothing is due, against the same with one administration. */
const measureTimers = (firm: Firm, one: Firm): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const ratios: Ratio[] = [];
    const { signal } = new AbortController();
    const mailer = { send: async () => ({ kind: 'sent' as const }), close: () => {} };
    const [ours, bare] = [firm, one].map(({ db }) => builtinAdministrations(db, { warn: () => {}, mailer }));
    for (const [name, run] of [
      ['periodic invoices', (of: typeof ours) => of!.upkeep!.makeDueInvoices(signal)],
      ['mail', (of: typeof ours) => of!.upkeep!.sendDueMail(signal)],
      ['the health of the administrations', (of: typeof ours) => of!.health()],
    ] as const) {
      const both = eachOf(median, await alternately(RUNS, { ours: () => run(ours), bare: () => run(bare) }));
      const title = `a run of ${name} with ${ADMINISTRATIONS} administrations of which none is due, against one`;
      ratios.push({ name: title, ...both, unit: 'ms', aim: 1.3 });
    }
    const azurite = await startAzurite(folder);
    try {
      // Nothing is due before the first night.
      const exports = relationExports(openStorage(azurite.connectionString), ours!, exportSettings);
      await exports.enqueueDue(() => {});
      const times = await alternately(RUNS, { ours: () => exports.enqueueDue(() => {}), bare: () => {} });
      const title = `a look for due exports of ${ADMINISTRATIONS} administrations of which none is due, against 50 ms`;
      ratios.push({ name: title, ours: median(times.ours), bare: 50, unit: 'ms', aim: 1 });
    } finally {
      await azurite.stop();
    }
    return ratios;
  });

const exportSettings = {
  timeZone: 'Europe/Amsterdam',
  exports: { schedule: '0 0 2 * * *', administrations: 'all' as const, days: 90 },
};

type Night = { whole: number; megabytes: number };

/** The exports of a night, by one process, of some administrations and of four times as many. */
async function measureNight({ url }: Firm): Promise<Ratio[]> {
  const few = await night(url, FEW);
  const many = await night(url, MANY);
  const hours = 3_600_000;
  const name = `the exports of ${MANY} administrations of ${RELATIONS} relations in a night`;
  return [
    { name: `${name}, against ${FEW}`, ours: many.whole, bare: few.whole, unit: 'ms', aim: (1.1 * MANY) / FEW },
    { name: `${name}, peak memory, against ${FEW}`, ours: many.megabytes, bare: few.megabytes, unit: 'MB', aim: 1.2 },
    {
      name: `the same of ${ADMINISTRATIONS}, extrapolated, against two hours`,
      ours: (many.whole / MANY) * ADMINISTRATIONS,
      bare: 2 * hours,
      unit: 'ms',
      aim: 1,
    },
  ];
}

const night = (url: string, count: number): Promise<Night> =>
  inFolder(async (folder) => {
    const azurite = await startAzurite(folder);
    try {
      const environment = {
        DATABASE_URL: url,
        AzureWebJobsStorage: azurite.connectionString,
        ADMINISTRATIONS: `${count}`,
      };
      const child = startScript('bench/nightOnce.ts', environment);
      const [, measured] = await child.line(/^measured (.*)$/);
      await child.kill('SIGTERM');
      return JSON.parse(measured!);
    } finally {
      await azurite.stop();
    }
  });
