import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRequest } from '../../../../shared/readRequest.ts';
import { send, startApp, type TestApp } from '../../../../testing/app.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { proxyTo } from '../../../../testing/databaseProxy.ts';
import { listen } from '../../../../testing/listen.ts';
import { functionsOf } from '../../../app.ts';
import { createHost } from '../../../host/server.ts';
import { builtinAdministrations } from '../builtin.ts';
import { runCommand } from '../cli/command.ts';
import { tables } from './declarations/tables.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { openDatabase } from './openDatabase.ts';

/** An app with the database of an address. */
async function startHost(databaseUrl: string) {
  const administrations = builtinAdministrations(await openDatabase(databaseUrl), { warn: () => {} });
  const { http } = functionsOf(async () => ({ administrations }), { pages: '/nowhere' });
  const host = await listen(createHost(http, () => {}));
  const close = async () => {
    host.close();
    await administrations.close();
  };
  return { url: host.url, close };
}

function askAs({ credential }: TestApp, url: string, method: string, target: string, body?: unknown) {
  const { apiKey, username } = credential;
  const headers = { ApiKey: apiKey, Username: username, 'Content-Type': 'application/json' };
  return send(url, method, target, { headers, body });
}

/* The other databases have no statement that sleeps; that a lock is waited for is in their own tests. */
describe.runIf(databaseKind() === 'server')('a statement that takes too long', () => {
  let app: TestApp;
  /** The app with a statement timeout of a quarter of a second. */
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    app = await startApp();
    ({ url, close } = await startHost(`${app.databaseUrl}?statement_timeout=250`));
    await app.addProduct({ articleNumber: 'A', price: '1' });
  });
  afterAll(async () => {
    await close?.();
    await app?.close();
  });

  const ask = (method: string, target: string, body?: unknown) => askAs(app, url, method, target, body);
  const tookTooLong = {
    status: 503,
    json: {
      errorCode: 'UNAVAILABLE',
      errorMessage: 'The database took too long. Nothing was changed: try again later.',
    },
  };

  it('is cancelled with 503, other requests are served meanwhile, and later ones too', async () => {
    await sql`alter table tax_code rename to tax_code_itself`.execute(app.db);
    await sql`create view tax_code as select tax_code_itself.* from tax_code_itself, pg_sleep(600)`.execute(app.db);
    const [slow, other] = await Promise.all([ask('GET', '/rest/listtaxcodes'), ask('GET', '/rest/listrelations')]);
    expect(slow).toMatchObject(tookTooLong);
    expect(slow.headers['retry-after']).toBe('5');
    expect(other.status).toBe(200);
    await sql`drop view tax_code`.execute(app.db);
    await sql`alter table tax_code_itself rename to tax_code`.execute(app.db);
    expect((await ask('GET', '/rest/listtaxcodes')).status).toBe(200);
  });

  it('is cancelled while it waits for a lock, and changed nothing', async () => {
    const update = { ArticleNumber: 'A', NewSalePrice: '2' };
    await app.db.transaction().execute(async (trx) => {
      await sql`select id from administration for update`.execute(trx);
      expect(await ask('PUT', '/rest/updateproduct', update)).toMatchObject(tookTooLong);
    });
    expect((await app.client.updateproduct({ ArticleNumber: 'A' })).Price).toBe('1');
    expect((await ask('PUT', '/rest/updateproduct', update)).json).toMatchObject({ Price: 2 });
  });

  it('is cancelled when it is in a deadlock, and changed nothing', async () => {
    // The server looks for a deadlock once in a wait: later than this test needs to make it, and not in its own wait.
    const db = await openDatabase(`${app.databaseUrl}?options=${encodeURIComponent('-c deadlock_timeout=4s')}`);
    const administrations = builtinAdministrations(db, { warn: () => {} });
    const administration = await administrations.open(app.credential);
    await app.db.transaction().execute(async (trx) => {
      await sql`set local deadlock_timeout = '50s'`.execute(trx);
      await sql`lock table product in access exclusive mode`.execute(trx);
      const asked = expect(
        administration.updateproduct(readRequest('updateproduct', { ArticleNumber: 'A', NewSalePrice: '3' }).request),
      ).rejects.toMatchObject({ code: 'UNAVAILABLE', message: tookTooLong.json.errorMessage });
      const waits = sql`select from pg_locks where not granted and relation = 'product'::regclass`;
      await expect.poll(async () => (await waits.execute(trx)).rows.length).toBe(1);
      await sql`select id from administration for update`.execute(trx);
      await asked;
    });
    await administrations.close();
    expect((await app.client.updateproduct({ ArticleNumber: 'A' })).Price).toBe('2');
  });

  it('refuses to open a database for a new version while a writer holds it', async () => {
    await sql`create function log_later() returns trigger language plpgsql as 'begin return null; end'`.execute(app.db);
    await sql`create trigger log_later after insert on tax_code execute function log_later()`.execute(app.db);
    await app.db.transaction().execute(async (trx) => {
      await sql`select id from administration for no key update`.execute(trx);
      const opening = openDatabase(`${app.databaseUrl}?statement_timeout=250`);
      await expect(opening).rejects.toMatchObject({ code: 'UNAVAILABLE', message: tookTooLong.json.errorMessage });
    });
    await (await openDatabase(app.databaseUrl)).destroy();
    expect(await sql`select from pg_trigger where tgname = 'log_later'`.execute(app.db)).toMatchObject({ rows: [] });
  });

  it('may take hours in a command, and wait for others for a minute', async () => {
    const columns = Object.keys(tables.administration).map((column) =>
      column === 'name'
        ? sql`current_setting('statement_timeout') || ' and ' || current_setting('lock_timeout') as name`
        : sql.ref(column),
    );
    await sql`alter table administration rename to administration_itself`.execute(app.db);
    await sql`create view administration as select ${sql.join(columns)} from administration_itself`.execute(app.db);
    const said: string[] = [];
    const io = { say: (line: string) => void said.push(line), complain: () => {}, now: () => new Date() };
    expect(await runCommand(['list'], { ...io, env: { DATABASE_URL: app.databaseUrl } })).toBe(0);
    await sql`drop view administration`.execute(app.db);
    await sql`alter table administration_itself rename to administration`.execute(app.db);
    expect(said).toEqual([expect.stringContaining('4h and 1min')]);
  });

  it('ends a command with one sentence', async () => {
    const complaints: string[] = [];
    const io = { say: () => {}, complain: (line: string) => void complaints.push(line), now: () => new Date() };
    const env = { DATABASE_URL: `${app.databaseUrl}?statement_timeout=250` };
    await app.db.transaction().execute(async (trx) => {
      await sql`lock table administration`.execute(trx);
      expect(await runCommand(['list'], { ...io, env })).toBe(1);
    });
    expect(complaints).toEqual([
      expect.stringMatching(/^The database failed: .* statement timeout\. Changes may have/),
    ]);
  });

  it('ends a command with one sentence when its connection is lost', async () => {
    const complaints: string[] = [];
    const io = { say: () => {}, complain: (line: string) => void complaints.push(line), now: () => new Date() };
    const env = { DATABASE_URL: `${app.databaseUrl}?application_name=command` };
    const isWaiting = sql<{ pid: number }>`select pid from pg_stat_activity
      where application_name = 'command' and wait_event_type = 'Lock'`;
    await app.db.transaction().execute(async (trx) => {
      await sql`lock table administration`.execute(trx);
      const ended = runCommand(['list'], { ...io, env });
      await expect.poll(async () => (await isWaiting.execute(app.db)).rows.length).toBe(1);
      await sql`select pg_terminate_backend(pid) from (${isWaiting}) as waiting`.execute(app.db);
      expect(await ended).toBe(1);
    });
    expect(complaints).toEqual([expect.stringMatching(/^The database failed: .*administrator command/)]);
  });

  it.each(['pdf', 'xml'])('is cancelled for a document as %s too', async (form) => {
    await app.db.transaction().execute(async (trx) => {
      await sql`lock table sales_invoice in access exclusive mode`.execute(trx);
      expect(await ask('GET', `/documents/invoices/1.${form}`)).toMatchObject(tookTooLong);
    });
    expect((await ask('GET', `/documents/invoices/1.${form}`)).status).toBe(404);
  });
});

describe.runIf(databaseKind() === 'server')('a connection', () => {
  let app: TestApp;
  let proxy: Awaited<ReturnType<typeof proxyTo>>;
  /** The app behind the proxy, with a statement timeout of a minute. */
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    app = await startApp();
    await app.addProduct({ articleNumber: 'A', price: '1' });
    proxy = await proxyTo(app.databaseUrl);
    ({ url, close } = await startHost(`${proxy.url}?application_name=behind`));
  });
  afterAll(async () => {
    await close?.();
    proxy?.close();
    await app?.close();
  });

  const ask = (method: string, target: string, body?: unknown) => askAs(app, url, method, target, body);
  const update = (price: string) => ask('PUT', '/rest/updateproduct', { ArticleNumber: 'A', NewSalePrice: price });
  const priceNow = async () => (await app.client.updateproduct({ ArticleNumber: 'A' })).Price;
  const lost = {
    status: 503,
    json: {
      errorCode: 'UNAVAILABLE',
      errorMessage: 'The database cannot be used at the moment. Nothing was changed.',
    },
  };

  it.each([
    ['a read', 'tax_code', () => ask('GET', '/rest/listtaxcodes')],
    ['a write', 'product', () => update('2')],
  ])('that is ended in %s is answered with 503, and nothing was changed', async (_, table, request) => {
    const isWaiting = sql<{ pid: number }>`select pid from pg_stat_activity
      where application_name = 'behind' and wait_event_type = 'Lock'`;
    proxy.setMode('hold back ends');
    const answer = await app.db.transaction().execute(async (trx) => {
      await sql`lock table ${sql.ref(table)} in access exclusive mode`.execute(trx);
      const asked = request();
      await expect.poll(async () => (await isWaiting.execute(app.db)).rows.length).toBe(1);
      await sql`select pg_terminate_backend(pid) from (${isWaiting}) as waiting`.execute(app.db);
      return asked;
    });
    expect(answer).toMatchObject(lost);
    expect(answer.headers['retry-after']).toBe('5');
    // The server has said that it ends the connection. Until that arrives, nothing is asked on it any more.
    expect((await request()).status).toBe(200);
    proxy.setMode('forward');
  });

  it('that is lost in a commit is not said to have changed nothing', async () => {
    proxy.setMode('lose responses to commits');
    const answer = await update('3');
    proxy.setMode('forward');
    expect(answer.status).toBe(500);
    expect(await priceNow()).toBe('3');
  });

  it.concurrent('whose packets are dropped is ended when a statement should have, and another one is made', async () => {
    const stalling = await proxyTo(app.databaseUrl);
    const db = await openDatabase(`${stalling.url}?statement_timeout=5000`);
    const ids = () => db.selectFrom('administration').select('id').execute();
    expect(await ids()).toHaveLength(1);
    stalling.setMode('stall');
    await expect(ids()).rejects.toThrow('the server was silent for too long');
    stalling.setMode('forward');
    expect(await ids()).toHaveLength(1);
    await db.destroy();
    stalling.close();
  });

  it.concurrent('stays while a statement of a migration takes long', async () => {
    const db = await openDatabase(`${app.databaseUrl}?statement_timeout=1000`);
    const { rows } = await db.transaction().execute(async (trx) => {
      await dialectOf(trx).letStatementsTakeLong(trx);
      return sql`select 1 as slept from pg_sleep(12)`.execute(trx);
    });
    expect(rows).toHaveLength(1);
    await db.destroy();
  });
});
