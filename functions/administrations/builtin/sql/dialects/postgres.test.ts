import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PostgresServer, postgresPrograms, startPostgres } from '../../../../../testing/postgresServer.ts';
import { temporaryFolder } from '../../../../../testing/temporaryFolder.ts';
import { testCertificate } from '../../../../../testing/testCertificate.ts';
import { createAdministration } from '../../setup/createAdministration.ts';
import { deleteAdministration } from '../../setup/deleteAdministration.ts';
import type { Database } from '../database.ts';
import { openDatabase, openWith } from '../openDatabase.ts';
import { entraPassword, signsInByIdentity } from './entraPassword.ts';
import { connectPostgres } from './postgres.ts';

/** The properties of this connection, by the server. */
const connectionOf = async (db: Database) =>
  (
    await sql<{ user: string; ssl: boolean }>`
      select current_user as "user", ssl from pg_stat_ssl where pid = pg_backend_pid()
    `.execute(db)
  ).rows[0];

const opened: Database[] = [];
async function open(database: Promise<Database>): Promise<Database> {
  const db = await database;
  opened.push(db);
  return db;
}

describe.runIf(postgresPrograms.isThere)(postgresPrograms.title('a PostgreSQL server that demands TLS'), () => {
  const folder = temporaryFolder();
  let authority: string;
  let server: PostgresServer;
  beforeAll(async () => {
    authority = path.join(folder, 'authority.pem');
    await writeFile(authority, testCertificate.cert);
    server = await startPostgres(
      { certificate: testCertificate.cert, key: testCertificate.key },
      'hostssl all all all password',
      "create role app login superuser password 'first token'",
    );
  });
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.destroy()));
    await server?.stop();
  });

  const urlOf = (query: string, { password = ':first%20token', host = 'localhost' } = {}) =>
    `postgres://app${password}@${host}:${server.port}/postgres?${query}`;

  it('is reached with sslmode=verify-full and the certificate of its authority', async () => {
    const db = await open(openDatabase(urlOf(`sslmode=verify-full&sslrootcert=${authority}`)));
    expect(await connectionOf(db)).toEqual({ user: 'app', ssl: true });
  });

  it('is not trusted without the certificate of its authority', async () => {
    const refused = openDatabase(urlOf('sslmode=verify-full'));
    await expect(refused).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: { code: /SELF_SIGNED|UNABLE_TO_VERIFY/ },
    });
  });

  it('is not trusted under a name that its certificate does not have', async () => {
    const url = urlOf(`sslmode=verify-full&sslrootcert=${authority}`, { host: '127.0.0.2' });
    await expect(openDatabase(url)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('refuses a connection without TLS, which is a database that cannot be reached', async () => {
    await expect(openDatabase(urlOf('sslmode=disable'))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: { message: expect.stringContaining('no encryption') },
    });
  });

  it('gets a token as password, and a new one before it ends', async () => {
    let now = 1_800_000_000_000;
    const contexts: string[] = [];
    const tokens = ['first token', 'second token'];
    const source = {
      async getToken(scope: string) {
        contexts.push(scope);
        return { token: tokens[contexts.length - 1]!, expiresOnTimestamp: now + 3_600_000 };
      },
    };
    const password = entraPassword(
      async () => source,
      () => now,
    );
    const url = urlOf(`sslmode=verify-full&sslrootcert=${authority}`, { password: '' });
    const connect = () => open(openWith(connectPostgres(url, password)));
    const [first] = await Promise.all([connect(), connect()]);
    expect(await connectionOf(first)).toEqual({ user: 'app', ssl: true });
    now += 54 * 60_000;
    await connect();
    expect(contexts).toHaveLength(1);

    // In the last five minutes of the token, the server accepts only the next one.
    await sql`alter role app password 'second token'`.execute(first);
    now += 60_000;
    expect(await connectionOf(await connect())).toEqual({ user: 'app', ssl: true });
    expect(contexts).toEqual(Array(2).fill('https://ossrdbms-aad.database.windows.net/.default'));
    await sql`alter role app password 'first token'`.execute(first);
  });

  it('lets its administrators read and write all tables, also after later migrations', async () => {
    const owner = await open(openDatabase(urlOf(`sslmode=verify-full&sslrootcert=${authority}`)));
    await sql`create role azure_pg_admin`.execute(owner);
    await sql`create role anna login password 'hers' in role azure_pg_admin`.execute(owner);
    await sql`create role app_in_azure login password 'its own' in role azure_pg_admin`.execute(owner);
    await sql`create database books owner app_in_azure`.execute(owner);
    const books = (user: string) =>
      `postgres://${user}@localhost:${server.port}/books?sslmode=verify-full&sslrootcert=${authority}`;
    const app = await open(openDatabase(books('app_in_azure:its%20own')));
    await sql`create table of_a_later_migration (name text)`.execute(app);
    const anna = await open(openDatabase(books('anna:hers')));
    const id = await createAdministration(anna, { name: 'Hers', country: 'NL', fiscalYears: [2026], now: 1n });
    await sql`insert into of_a_later_migration values ('a')`.execute(anna);
    expect(await app.selectFrom('administration').select('name').execute()).toEqual([{ name: 'Hers' }]);
    // She owns no table, so she cannot change triggers.
    await deleteAdministration(anna, id, 1n);
    expect(await app.selectFrom('log').selectAll().execute()).toEqual([]);
  });

  it('gets another token after one could not be obtained', async () => {
    let attempts = 0;
    const password = entraPassword(async () => ({
      async getToken() {
        attempts++;
        if (attempts === 1) throw new Error('The identity endpoint does not answer.');
        return { token: 'first token', expiresOnTimestamp: Date.now() + 3_600_000 };
      },
    }));
    const url = urlOf(`sslmode=verify-full&sslrootcert=${authority}`, { password: '' });
    await expect(openWith(connectPostgres(url, password))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: { message: 'The identity endpoint does not answer.' },
    });
    expect(await connectionOf(await open(openWith(connectPostgres(url, password))))).toMatchObject({ user: 'app' });
  });
});

it('a server that cannot be reached is reported as unavailable, not as an error of the app', async () => {
  await expect(openDatabase('postgres://app:secret@127.0.0.1:1/postgres')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The database cannot be reached at the moment. Nothing was changed.',
  });
});

describe('the identity of the app', () => {
  it('is asked for another token when one has not come while a connection waits', async () => {
    vi.useFakeTimers();
    const { promise: never } = Promise.withResolvers<never>();
    const tokens = [never, Promise.resolve({ token: 'second token', expiresOnTimestamp: Date.now() + 3_600_000 })];
    const password = entraPassword(async () => ({ getToken: () => tokens.shift()! }));
    const first = password().catch((failure) => failure.message);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await Promise.race([first, 'still waiting'])).toBe(
      'Microsoft Entra sent no token for the database in time.',
    );
    expect(await password()).toBe('second token');
    vi.useRealTimers();
  });

  it.each([
    ['postgres://id-ledgerline@books.postgres.database.azure.com:5432/ledgerline?sslmode=verify-full', true],
    ['postgres://anna%40example.com@books.postgres.database.azure.com/ledgerline', true],
    ['postgres://app:secret@books.postgres.database.azure.com/ledgerline', false],
    ['postgres://app@books.postgres.database.azure.com/ledgerline?password=secret', false],
    ['postgres://app@db.example.com/ledgerline', false],
    ['postgres://app@localhost/ledgerline', false],
    ['postgres://app@books.postgres.database.azure.com/ledgerline?host=db.example.com', false],
    ['postgres://app@db.example.com/ledgerline?host=books.postgres.database.azure.com', true],
    ['postgres://app@books.postgres.database.azure.com.example.com/ledgerline', false],
  ])('signs in to %s: %s', (url, expected) => {
    expect(signsInByIdentity(url)).toBe(expected);
  });
});
