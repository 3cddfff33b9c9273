import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Timer } from '@azure/functions';
import type { Administrations } from '../functions/administrations/administration.ts';
import { type BuiltinOptions, builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { functionsOf, servicesOf } from '../functions/app.ts';
import { type Log, newContext } from '../functions/host/context.ts';
import { pollQueues } from '../functions/host/queues.ts';
import { createHost } from '../functions/host/server.ts';
import { readSettings } from '../functions/settings.ts';
import { openStorage } from '../functions/storage/storage.ts';
import { type Client, createClient } from '../shared/client/client.ts';
import { emptyDatabase } from './database.ts';
import { type AdministrationOptions, addAdministration, type TestCredential } from './fixtures/administration.ts';
import { type Fixtures, fixturesOf } from './fixtures/fixtures.ts';
import { listen } from './listen.ts';

export const HEALTH_KEY = 'key of health in tests';
/** The detailed response of `/health`. */
export const healthAt = (url: string): Promise<TestResponse> =>
  send(url, 'GET', '/health', { headers: { 'Health-Key': HEALTH_KEY } });

export type TestResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON. Numbers of more than 15 digits lose some of them; `text` has them all. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
  json: any;
};

export type RequestOptions = {
  headers?: Record<string, string>;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
};

/** Sends a path exactly as given, with these headers and `Host` only. */
export async function send(
  url: string,
  method: string,
  target: string,
  options: RequestOptions = {},
): Promise<TestResponse> {
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

/** An administration with a credential, requests and fixtures. */
export type TestAdministration = Fixtures &
  TestCredential & {
    client: Client;
    /** A request with the credential and, if it has a body, the content type. A header of "" is left out. */
    request(method: string, target: string, options?: RequestOptions): Promise<TestResponse>;
    get(target: string): Promise<TestResponse>;
    put(target: string, body: unknown): Promise<TestResponse>;
    post(target: string, body: unknown): Promise<TestResponse>;
  };

export type TestApp = TestAdministration & {
  url: string;
  /** The database URL for another process; "" when none can open it. */
  databaseUrl: string;
  db: Database;
  logged: string[];
  /** Adds another administration, without tax codes and accounts unless it is `furnished`. */
  addAdministration(options?: AdministrationOptions): Promise<TestAdministration>;
  /** Stops the app's clock at a moment, in seconds since 1970. */
  setTime(seconds: number): void;
  /** Runs a timer to its end. */
  runTimer(name: string): Promise<void>;
  close(): Promise<void>;
};

/**
 * A real app: every function behind an HTTP server, on a new database with one administration. Where
 * TEST_ADMINISTRATION is `remote`, requests go through a second app, whose remote administration is the first app.
 * @param options.pages the folder of the built pages
 * @param options.builtin further options of the built-in administration
 * @param options.storage the connection string of a storage account
 * @param options.writesPerMinute the writes of a key in a minute; without limit by default
 */
export async function startApp(
  options: {
    pages?: string;
    country?: 'NL' | 'BE';
    builtin?: BuiltinOptions;
    storage?: string;
    writesPerMinute?: number;
  } = {},
): Promise<TestApp> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-app-'));
  const { db, url: databaseUrl } = await emptyDatabase(path.join(folder, 'ledgerline.sqlite'));
  let clock: () => number = Date.now;
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const administrations = builtinAdministrations(db, {
    clock: () => clock(),
    warn: log,
    ...(databaseUrl === '' ? {} : { databaseUrl }),
    ...options.builtin,
  });
  const pages = options.pages ?? path.join(folder, 'pages');
  const settings = { AzureWebJobsStorage: options.storage, WRITES_PER_MINUTE: String(options.writesPerMinute ?? 0) };
  const behind = await serve(administrations, pages, log, throughRemote ? {} : settings);
  const front = throughRemote ? await serveFor(behind.url, pages, log, settings) : undefined;
  const { url } = front ?? behind;

  let count = 0;
  const addTestAdministration: TestApp['addAdministration'] = async (settings = {}) => {
    count++;
    const defaults = { username: `user${count}@example.com`, furnished: false };
    const added = await addAdministration(db, `Administration ${count}`, { ...defaults, ...settings });
    const { apiKey, username } = added.credential;
    const request: TestAdministration['request'] = (method, target, { headers = {}, body } = {}) => {
      const contentType = body === undefined ? '' : 'application/json';
      const all = { ApiKey: apiKey, Username: username, 'Content-Type': contentType, ...headers };
      const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
      return send(url, method, target, { headers: sent, body });
    };
    return {
      ...added,
      client: createClient(url, added.credential, fetch),
      request,
      get: (target) => request('GET', target),
      put: (target, body) => request('PUT', target, { body }),
      post: (target, body) => request('POST', target, { body }),
      ...fixturesOf(db, added.administrationId),
    };
  };

  return {
    ...(await addTestAdministration(options.country === undefined ? {} : { country: options.country })),
    url,
    databaseUrl,
    db,
    logged,
    addAdministration: addTestAdministration,
    setTime: (seconds) => {
      clock = () => seconds * 1000;
    },
    runTimer: behind.runTimer,
    async close() {
      await front?.close();
      await behind.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether requests go through a second app. The responses must be the same. */
const throughRemote = process.env.TEST_ADMINISTRATION === 'remote';

/** An app whose remote administration is another app. */
async function serveFor(remote: string, pages: string, log: Log, environment: Environment) {
  // Loaded only when it is needed.
  const { remoteAdministrations } = await import('../functions/administrations/remote/remote.ts');
  const settings = { url: remote, perSecond: 0, perMinute: 0, timeout: 30_000, concurrency: 4 };
  return serve(remoteAdministrations(settings, { log }), pages, log, environment);
}

/** Every function of an app behind a real HTTP server. */
async function serve(administrations: Administrations, pages: string, log: Log, environment: Environment) {
  const { AzureWebJobsStorage: storage = '' } = environment;
  const settings = readSettings({
    WRITES_PER_MINUTE: '0',
    ...environment,
    SECRET_KEY: randomBytes(32).toString('base64'),
    HEALTH_KEY,
  });
  const services = servicesOf(administrations, settings);
  const { http, queues, timers } = functionsOf(async () => services, { pages, healthKey: HEALTH_KEY });
  const server = createHost(http, log);
  const stopQueues = storage === '' ? async () => {} : pollQueues(queues, openStorage(storage), log);
  const { url, close } = await listen(server);
  return {
    url,
    async runTimer(name: string) {
      const timer = timers.find((one) => one.name === name)!;
      await timer.handler({ isPastDue: false } as Timer, newContext(name, log));
    },
    async close() {
      close();
      await stopQueues();
      await administrations.close();
    },
  };
}
