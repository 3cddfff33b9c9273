import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Script } from 'node:vm';
import { HttpRequest, InvocationContext } from '@azure/functions';
import { issueKey } from '../functions/administrations/builtin/credentials/keys.ts';
import { createAdministration } from '../functions/administrations/builtin/setup/createAdministration.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { settingNames } from '../functions/settings.ts';

/*
 * Puts compiled code beside the code of a built app: a process of its own, which starts the app as a worker does and
 * asks it for a list. V8 then writes what it compiled for that, the functions included that were called.
 */

type Handler = (request: HttpRequest, context: InvocationContext) => Promise<{ status?: number }>;

const username = 'build@example.com';

/** What turns telemetry on. */
const telemetrySettings = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'APPLICATIONINSIGHTS_CONNECTION_STRING'];

/** Makes a database with a key. @returns the settings of an app that uses it, and the headers of a request */
async function newBooks(folder: string) {
  const DATABASE_URL = `sqlite:${path.join(folder, 'books.sqlite')}`;
  const db = await openDatabase(DATABASE_URL);
  const now = BigInt(Math.floor(Date.now() / 1000));
  const administrationId = await createAdministration(db, { name: 'Build', country: 'NL', fiscalYears: [2026], now });
  const apiKey = await issueKey(db, { administrationId, username, label: '', now });
  await db.destroy();
  return { settings: { DATABASE_URL }, headers: { ApiKey: apiKey, Username: username } };
}

/**
 * Keeps each file of the app as a script, of which V8 gives the compiled code. That holds the name of the script, which
 * must not be a path of this machine: the app gives its own.
 */
function keepScripts(app: string): ReadonlyMap<string, Script> {
  const scripts = new Map<string, Script>();
  const prototype = Module.prototype as unknown as { _compile: (source: string, filename: string) => unknown };
  const compile = prototype._compile;
  prototype._compile = function (this: { exports: object }, source, filename) {
    if (path.dirname(filename) !== app) return compile.call(this, source, filename);
    const script = new Script(Module.wrap(source), { filename: 'app.js' });
    scripts.set(filename, script);
    const run = script.runInThisContext() as (...values: unknown[]) => unknown;
    return run.call(this.exports, this.exports, createRequire(filename), this, filename, app);
  };
  return scripts;
}

/** Loads an app as a worker does. @returns what handles the requests of each function */
function load(app: string): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>();
  const core = {
    log() {},
    setProgrammingModel() {},
    registerHook: () => ({ dispose() {} }),
    registerFunction({ name }: { name: string }, handler: Handler) {
      handlers.set(name, handler);
      return { dispose() {} };
    },
  };
  const prototype = Module.prototype as unknown as { require: (id: string) => unknown };
  const require = prototype.require;
  prototype.require = function (id) {
    return id === '@azure/functions-core' ? core : require.call(this, id);
  };
  createRequire(path.join(app, 'package.json'))('./app.js');
  return handlers;
}

async function writeCodeCache(app: string): Promise<void> {
  for (const name of readdirSync(app)) if (name.endsWith('.cache')) rmSync(path.join(app, name));
  const folder = mkdtempSync(path.join(tmpdir(), 'ledgerline-build-'));
  try {
    const { settings, headers } = await newBooks(folder);
    // This machine may have settings of its own, as those of `azd env set`: the list would come from elsewhere.
    for (const name of [...settingNames, ...telemetrySettings]) delete process.env[name];
    Object.assign(process.env, settings);
    const scripts = keepScripts(app);
    const list = load(app).get('listtaxcodes')!;
    const request = new HttpRequest({
      method: 'GET',
      url: 'https://ledgerline.example.com/rest/listtaxcodes',
      headers,
    });
    const { status = 200 } = await list(request, new InvocationContext({ functionName: 'listtaxcodes' }));
    if (status !== 200) throw new Error(`The built app answered ${status} to the request for a list.`);
    for (const [file, script] of scripts) writeFileSync(`${file}.cache`, script.createCachedData());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

let failure: unknown;
await writeCodeCache(path.resolve(process.argv[2]!)).catch((thrown) => {
  // Node itself would print the whole line of the built code.
  console.error((thrown as Error).stack);
  failure = thrown;
});
// The app keeps its database open.
process.exit(failure === undefined ? 0 : 1);
