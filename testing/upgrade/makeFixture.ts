import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { seeded } from '../../functions/administrations/builtin/setup/demo/seeded.ts';
import { startAzurite } from '../../functions/host/azurite.ts';
import { openStorage } from '../../functions/storage/storage.ts';
import type { Credential } from '../../shared/client/client.ts';
import { type AppProcess, startAppProcess, startScript } from '../appProcess.ts';
import { anyWrite, sendTo } from '../crash/writes.ts';
import { createDatabase } from '../database.ts';
import { secretKeyOf } from '../secretKey.ts';
import { type DatabaseKind, type Release, releaseFolder } from './release.ts';
import { readStorage } from './storageContent.ts';

/*
 * `node testing/upgrade/makeFixture.ts 0.2.0 --postgres postgres://...` stores what a release has in its databases and
 * in its storage account in the middle of its work, for the tests of later releases. It uses the command line and the
 * HTTP interface of that release only, so that `--app` may be the checkout of another release.
 */

const program = new Command('makeFixture')
  .description('Stores the data of a release, for the tests of later releases.')
  .argument('<release>', 'its version, with which the folder is named')
  .requiredOption('--postgres <url>', 'a PostgreSQL server, on which a database is made and dropped')
  .option('--app <folder>', 'a checkout of the release, with node_modules', path.resolve(import.meta.dirname, '../..'))
  .parse();
const { postgres, app } = program.opts<{ postgres: string; app: string }>();

const RELATIONS = 400;
const ARTICLES = 300;
const WRITES = 40;
const USERNAME = 'upgrade@example.com';
const SECRET_KEY = secretKeyOf('upgrade');
/** Milliseconds until a message that a killed process had received is visible again. */
const HIDDEN_MS = 35_000;
const NEVER = '0 0 3 1 1 *';

const script = (name: string) => path.join(app, name);
const temporary = await mkdtemp(path.join(tmpdir(), 'ledgerline-release-'));
try {
  await makeOne('sqlite', `sqlite:${path.join(temporary, 'ledgerline.sqlite')}`);
  const { url, drop } = await createDatabase(postgres);
  await makeOne('postgres', url).finally(drop);
} finally {
  await rm(temporary, { recursive: true, force: true });
}

async function makeOne(kind: DatabaseKind, databaseUrl: string): Promise<void> {
  const folder = releaseFolder(program.args[0]!, kind);
  await mkdir(folder, { recursive: true });
  const azurite = await startAzurite();
  const settings = { DATABASE_URL: databaseUrl, AzureWebJobsStorage: azurite.connectionString, SECRET_KEY };
  const start = (schedule: string): Promise<AppProcess> =>
    startAppProcess(script('testing/crash/serve.ts'), { ...settings, RELATION_EXPORT_SCHEDULE: schedule });
  try {
    const credential = await fillAdministration(databaseUrl);
    await interruptExport(azurite.connectionString, start);
    await sleep(HIDDEN_MS);
    // Removed while a push is interrupted.
    const exportQueue = openStorage(azurite.connectionString).queue('relation-exports');
    const messages = await exportQueue.receive(32, 600);
    for (const message of messages) await message.remove();
    const { push, added } = await interruptPush(credential, start);
    for (const { text } of messages) await exportQueue.sendText(text);
    await sleep(HIDDEN_MS);
    const release: Release = {
      madeOn: Math.floor(Date.now() / 1000),
      credential,
      secretKey: SECRET_KEY,
      push,
      added,
      articles: ARTICLES,
      relations: RELATIONS,
    };
    await writeFile(path.join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
    const content = await readStorage(azurite.connectionString);
    await writeFile(path.join(folder, 'storage.json.gz'), gzipSync(JSON.stringify(content), { level: 9 }));
    await storeDatabase(kind, databaseUrl, folder);
  } finally {
    await azurite.stop();
  }
}

/** Runs a command line of the release. @returns what it printed */
async function run(databaseUrl: string, words: readonly string[]): Promise<string> {
  const command = startScript(
    script('functions/administrations/builtin/cli/command.ts'),
    { DATABASE_URL: databaseUrl },
    { args: words },
  );
  const [code] = await command.ended;
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}: ${command.errorOutput()}`);
  return command.lines().join('\n');
}

/** Creates an administration with documents of all kinds. @returns a credential for it */
async function fillAdministration(databaseUrl: string): Promise<Credential> {
  const id = await run(databaseUrl, ['create', '--name', 'Kwekerij De Linde', '--country', 'NL', '--years', '2026']);
  const administration = ['--administration', /\d+/.exec(id)![0]];
  const printed = await run(databaseUrl, ['key', 'issue', ...administration, '--username', USERNAME]);
  const apiKey = printed.trim().split(/\s+/).at(-1)!;
  const importRows = async (resource: string, lines: readonly string[]) => {
    const file = path.join(temporary, `${resource}.csv`);
    await writeFile(file, lines.join('\n'));
    await run(databaseUrl, ['import', resource, file, ...administration]);
  };
  await importRows('relations', [
    'RelationGUID,Name,Email,CustomerNumber,SupplierNumber',
    '1,Klant,klant@example.com,7,',
    '2,Leverancier,leverancier@example.com,,3',
    ...Array.from({ length: RELATIONS - 2 }, (_, index) => `${100 + index},Relatie ${index},,,`),
  ]);
  const products = ['A', 'B', 'C', ...Array.from({ length: ARTICLES }, (_, index) => `P-${index}`)];
  await importRows('products', [
    'ArticleNumber,Name,Price,VATPercentage',
    ...products.map((number) => `${number},Artikel ${number},12.50,21`),
  ]);

  const server = await startAppProcess(script('testing/crash/serve.ts'), { DATABASE_URL: databaseUrl });
  const credential = { apiKey, username: USERNAME };
  const random = seeded(1);
  const template = {
    endpoint: 'addsalesinvoice' as const,
    body: {
      CustomerNumber: 7,
      PeriodicInvoiceTemplate: true,
      Periodic_StartingDate: '31-01-2026',
      Periodic_Frequency: 1,
      Periodic_FrequencyUnit: 'Month',
      Periodic_AutomaticMailing: true,
      Invoice_InvoiceLine: [{ ProductNumber: 'A', Quantity: 1, UnitPriceExclTax: '100' }],
    },
  };
  const writes = Array.from({ length: WRITES }, (_, index) => anyWrite(random, `write ${index}`));
  for (const write of [...writes, template]) {
    const { status, text } = await sendTo(server, credential, write);
    if (status !== 200) throw new Error(`The response to ${write.endpoint} is ${status}: ${text}`);
  }
  await server.kill();
  return credential;
}

/** Waits until an export is published, and kills the app in the middle of the next one. */
async function interruptExport(
  connectionString: string,
  start: (schedule: string) => Promise<AppProcess>,
): Promise<void> {
  const server = await start('* * * * * *');
  const table = openStorage(connectionString).table('relationexports');
  for (let hasPublished = false; ; await sleep(2)) {
    const rows = await Array.fromAsync(table.list({}));
    const states = rows.flatMap(({ values }) => (values.run === undefined ? [] : JSON.parse(values.run).state));
    hasPublished ||= states.includes('published');
    if (hasPublished && states.includes('running')) break;
  }
  await server.kill();
}

/**
 * Begins a push, and kills the app when some of its rows are done. When it ended before, begins another one.
 * @returns the id of the last push, and the number of pushes
 */
async function interruptPush(
  { apiKey, username }: Credential,
  start: (schedule: string) => Promise<AppProcess>,
): Promise<{ push: string; added: number }> {
  const headers = { ApiKey: apiKey, Username: username, 'Content-Type': 'application/json' };
  const rows = Array.from({ length: ARTICLES }, (_, index) => ({
    row: index + 2,
    update: { ArticleNumber: `P-${index}`, NewStockQty: 1 },
  }));
  const server = await start(NEVER);
  for (let added = 1; ; added++) {
    const begun = await fetch(`${server.url}/pushes`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': `upgrade ${added}` },
      body: JSON.stringify({ rows }),
    });
    const { id } = ((await begun.json()) as { push: { id: string } }).push;
    for (;;) {
      const response = await fetch(`${server.url}/pushes/${id}`, { headers });
      const { counts } = ((await response.json()) as { push: { counts: Record<string, number> } }).push;
      if (counts.waiting === 0 && counts.sending === 0) break;
      if (counts.applied === 0) continue;
      await server.kill();
      return { push: id, added };
    }
  }
}

async function storeDatabase(kind: DatabaseKind, databaseUrl: string, folder: string): Promise<void> {
  if (kind === 'postgres') {
    const options = ['--inserts', '--rows-per-insert=200', '--no-owner', '--no-privileges', databaseUrl];
    const dump = execFileSync('pg_dump', options, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    // Lines that begin with a backslash are commands of psql.
    const lines = dump.split('\n').filter((line) => !line.startsWith('\\') && line !== '' && !line.startsWith('--'));
    return writeFile(path.join(folder, 'ledgerline.sql.gz'), gzipSync(lines.join('\n'), { level: 9 }));
  }
  const file = databaseUrl.slice('sqlite:'.length);
  const db = new DatabaseSync(file);
  db.exec('pragma wal_checkpoint(truncate); vacuum;');
  db.close();
  await writeFile(path.join(folder, 'ledgerline.sqlite.gz'), gzipSync(await readFile(file), { level: 9 }));
}
