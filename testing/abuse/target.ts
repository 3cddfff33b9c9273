import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { issueKey } from '../../functions/administrations/builtin/credentials/keys.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import type { Credential } from '../../shared/client/client.ts';
import { startScript } from '../appProcess.ts';
import { pdf } from '../attachments/files.ts';
import { startNameServer } from '../attachments/nameServer.ts';
import { emptyDatabase } from '../database.ts';
import { addAdministration } from '../fixtures/administration.ts';
import { type Fixtures, fixturesOf } from '../fixtures/fixtures.ts';
import { CREATED_ON } from '../fixtures/place.ts';
import { listen } from '../listen.ts';
import { secretKeyOf } from '../secretKey.ts';
import { type Prober, startProbe } from './probe.ts';
import { type Received, type Sent, send } from './request.ts';

type Send = (sent: Sent) => Promise<Received>;

/** An app in a process of its own, and small reads and writes of it. */
type StartedApp = { url: string; probe: Prober; stop(): Promise<void> };

/** An app that is attacked by the keys of one administration, while the key of another one reads and writes. */
export type Target = StartedApp & {
  writer: Credential;
  /** May only read. */
  reader: Credential;
  write: Send;
  read: Send;
  asOther: Send;
  /** Runs a timer to its end. */
  runTimer(name: string): Promise<void>;
  db: Database;
  databaseUrl: string;
  /** Of the attacker. */
  administrationId: bigint;
  books: Fixtures;
  otherBooks: Fixtures;
  linesOf: LinesOf;
  /** The address of a file at a host whose name server never answers, and of one that can be downloaded. */
  silentUrl(index: number): string;
  fileUrl: string;
};

/** How many lines the ledger of the attacker gets. */
export type LinesOf = {
  /** On each day of seven years: of customers, and of as many accounts. */
  day: number;
  /** In its busiest year: with VAT, and as many of one relation. */
  busyYear: number;
};

/** What both administrations have: a customer and supplier, a product, a custom field, a tax. */
export const known = { party: 7, product: 'A-1', label: 'Label', tax: 21 } as const;

/** Starts an app over a new database. @param storage the connection string of its storage account */
export async function startTarget(database: 'sqlite' | 'server', storage: string, linesOf: LinesOf): Promise<Target> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-abuse-'));
  const { db, url: databaseUrl } = await emptyDatabase(path.join(folder, 'ledgerline.sqlite'), database);
  const attacker = await addAdministration(db, 'Attacker', { username: 'attacker@example.com', scope: 'import' });
  const other = await addAdministration(db, 'Other', { username: 'other@example.com' });
  const [books, otherBooks] = [attacker, other].map((one) => fixturesOf(db, one.administrationId)) as [
    Fixtures,
    Fixtures,
  ];
  for (const each of [books, otherBooks]) {
    await each.addRelation({ name: 'Customer', customerNumber: known.party, supplierNumber: known.party });
    await each.addProduct({ articleNumber: known.product, taxCode: '21% - Hoog' });
    await each.addCustomField({ label: known.label, type: 'TextLarge' });
  }
  const { administrationId, credential: writer } = attacker;
  const username = 'reader@example.com';
  const key = { administrationId, username, label: 'reader', scope: 'read', now: CREATED_ON } as const;
  const reader = { username, apiKey: await issueKey(db, key) };

  const silent = Array.from({ length: 10 }, (_, index) => `silent${index}.example`);
  const names = await startNameServer({
    ...Object.fromEntries(silent.map((name) => [name, 'silent' as const])),
    'files.example': ['127.0.0.1'],
  });
  const files = await listen(createServer((_request, response) => response.end(pdf)));
  const { port } = new URL(files.url);
  const settings = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    AzureWebJobsStorage: storage,
    SECRET_KEY: secretKeyOf('abuse'),
    NAME_SERVER: names.address,
    ATTACHMENT_PORTS: port,
  };
  const app = await startApp(settings, other.credential, known.product);
  const as = (credential: Credential) => (sent: Sent) => send(app.url, credential, sent);
  return {
    ...app,
    writer,
    reader,
    write: as(writer),
    read: as(reader),
    asOther: as(other.credential),
    async runTimer(name) {
      const { status, body } = await send(app.url, writer, { method: 'POST', path: `/timers/${name}` });
      if (status !== 200) throw new Error(`The timer ${name} was answered ${status}: ${body}`);
    },
    db,
    databaseUrl,
    administrationId,
    books,
    otherBooks,
    linesOf,
    silentUrl: (index) => `http://${silent[index]}:${port}/a.pdf`,
    fileUrl: `http://files.example:${port}/a.pdf`,
    async stop() {
      await app.stop();
      files.close();
      names.close();
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * @param other the credential of the small reads
 * @param product what it writes; left out: it only reads
 */
export async function startApp(
  settings: Readonly<Record<string, string>>,
  other: Credential,
  product?: string,
): Promise<StartedApp> {
  const nodeOptions = ['--max-semi-space-size=16'];
  const app = startScript('testing/abuse/abusedApp.ts', settings, { nodeOptions });
  const [url] = await app.line(/http:\S+/);
  const probe = startProbe(url, other, app.process.pid!, product);
  return {
    url,
    probe,
    async stop() {
      await probe.stop();
      await app.kill();
    },
  };
}
