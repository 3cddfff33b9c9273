import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Administrations } from '../functions/administrations/administration.ts';
import { type BuiltinOptions, builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import { createAdministration } from '../functions/administrations/builtin/setup/createAdministration.ts';
import { issueKey } from '../functions/administrations/builtin/setup/keys.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { functionsOf, servicesOf } from '../functions/app.ts';
import type { Log } from '../functions/host/context.ts';
import { pollQueues } from '../functions/host/queues.ts';
import { createHost } from '../functions/host/server.ts';
import { readSettings } from '../functions/settings.ts';
import { openStorage } from '../functions/storage/storage.ts';
import { type Client, type Credential, createClient } from '../shared/client/client.ts';
import { emptyDatabase } from './database.ts';
import { type Fixtures, fixturesOf } from './fixtures/fixtures.ts';
import { listen } from './listen.ts';

/** The key that shows the detail of `/health` in tests. */
export const HEALTH_KEY = 'key of health in tests';
/** The detail of `/health`. */
export const healthAt = (url: string): Promise<Answer> =>
  send(url, 'GET', '/health', { headers: { 'Health-Key': HEALTH_KEY } });

/** The response. */
export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; numbers past 15 digits lose some, `text` does not. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
};

export type RequestOptions = {
  headers?: Record<string, string>;
  /** Text goes out as it is, anything else as JSON. */
  body?: unknown;
};

/** Sends exactly these bytes of a path, these headers and no others (`Host` aside). */
export async function send(url: string, method: string, target: string, options: RequestOptions = {}): Promise<Answer> {
  const { headers = {}, body } = options;
  const bytes =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const { hostname, port } = new URL(url);
  const request = httpRequest({ hostname, port, method, path: target, headers, agent: false });
  request.end(bytes);
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text);
    },
  };
}

/** An administration with its credential and its contents. */
export type TestAdministration = Fixtures & {
  administrationId: bigint;
  credential: Credential;
  client: Client;
  /** A request with the credential and, where there is a body, the content type; a header given as "" is left out. */
  request(method: string, target: string, options?: RequestOptions): Promise<Answer>;
  get(target: string): Promise<Answer>;
  put(target: string, body: unknown): Promise<Answer>;
  post(target: string, body: unknown): Promise<Answer>;
};

export type TestApp = TestAdministration & {
  url: string;
  /** The database URL for another process; "" when none can open it. */
  databaseUrl: string;
  db: Database;
  /** The lines logged so far. */
  logged: string[];
  /**
   * Another administration in the same app; `furnished`: with its country's usual tax codes, accounts and order
   * statuses.
   */
  addAdministration(options?: {
    country?: 'NL' | 'BE';
    username?: string;
    apiKey?: string;
    furnished?: boolean;
  }): Promise<TestAdministration>;
  /** Stops the app's clock at so many seconds since 1970. */
  setTime(seconds: number): void;
  close(): Promise<void>;
};

/**
 * A real app: every function behind a real HTTP server, over a real database of its own, with one administration.
 * Where TEST_ADMINISTRATION is `remote`, its endpoints are reached through a second app.
 * @param options.pages folder with built pages
 * @param options.builtin further options of the built-in administration
 * @param options.storage connection string of a storage account, for what needs one
 */
export async function startApp(
  options: { pages?: string; country?: 'NL' | 'BE'; builtin?: BuiltinOptions; storage?: string } = {},
): Promise<TestApp> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-app-'));
  const { db, url: databaseUrl } = await emptyDatabase(path.join(folder, 'ledgerline.sqlite'));
  let clock: () => number = Date.now;
  const logged: string[] = [];
  const administrations = builtinAdministrations(db, {
    clock: () => clock(),
    log: (line) => logged.push(line),
    ...options.builtin,
  });
  const log = (line: string) => logged.push(line);
  const pages = options.pages ?? path.join(folder, 'pages');
  const own = await serve(administrations, pages, log, throughRemote ? '' : options.storage);
  const front = throughRemote ? await serveFor(own.url, pages, log, options.storage) : undefined;
  const { url } = front ?? own;

  let made = 0;
  const addAdministration: TestApp['addAdministration'] = async ({
    country = 'NL',
    username,
    apiKey,
    furnished = false,
  } = {}) => {
    made++;
    const name = `Administration ${made}`;
    const id = furnished
      ? await createAdministration(db, { name, country, fiscalYears: [2026], now: 1_700_000_000n })
      : await bareAdministration(db, name, country);
    const user = username ?? `user${made}@example.com`;
    const credential = {
      username: user,
      apiKey: await issueKey(db, {
        administrationId: id,
        username: user,
        label: 'test',
        now: 1_700_000_000n,
        ...(apiKey === undefined ? {} : { given: apiKey }),
      }),
    };
    const request: TestAdministration['request'] = (method, target, { headers = {}, body } = {}) => {
      const all: Record<string, string> = {
        ApiKey: credential.apiKey,
        Username: credential.username,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      };
      const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
      return send(url, method, target, { headers: sent, body });
    };
    return {
      administrationId: id,
      credential,
      client: createClient(url, credential, fetch),
      request,
      get: (target) => request('GET', target),
      put: (target, body) => request('PUT', target, { body }),
      post: (target, body) => request('POST', target, { body }),
      ...fixturesOf(db, id),
    };
  };

  return {
    ...(await addAdministration(options.country === undefined ? {} : { country: options.country })),
    url,
    databaseUrl,
    db,
    logged,
    addAdministration,
    setTime: (seconds) => {
      clock = () => seconds * 1000;
    },
    async close() {
      await front?.close();
      await own.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether requests go to a second app, whose remote administration is the first: the responses must be the same. */
const throughRemote = process.env.TEST_ADMINISTRATION === 'remote';

/** An app in front of another one. */
async function serveFor(remote: string, pages: string, log: Log, storage?: string) {
  // Read only where it is asked for.
  const { remoteAdministrations } = await import('../functions/administrations/remote/remote.ts');
  const settings = { url: remote, perSecond: 0, perMinute: 0, timeout: 30_000, concurrency: 4 };
  return serve(remoteAdministrations(settings, { log }), pages, log, storage);
}

/** Every function of an app behind a real HTTP server. */
async function serve(administrations: Administrations, pages: string, log: Log, storage = '') {
  const settings = readSettings({
    AzureWebJobsStorage: storage,
    SECRET_KEY: randomBytes(32).toString('base64'),
    HEALTH_KEY,
  });
  const services = await servicesOf(administrations, settings);
  const { http, queues } = functionsOf(async () => services, { pages, healthKey: HEALTH_KEY });
  const server = createHost(http, log);
  const stopQueues = storage === '' ? async () => {} : pollQueues(queues, openStorage(storage), log);
  const { url, close } = await listen(server);
  return {
    url,
    async close() {
      close();
      await stopQueues();
      await administrations.close();
    },
  };
}

/** An administration without tax codes and accounts; a test adds those it needs. */
async function bareAdministration(db: Database, name: string, country: 'NL' | 'BE'): Promise<bigint> {
  const { id } = await db
    .insertInto('administration')
    .values({
      name,
      country,
      created_on: 1_700_000_000n,
      default_revenue_account: '8000',
      default_cost_account: '4000',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
