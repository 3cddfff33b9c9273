import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { endpointNames, endpointOf } from '../shared/api.ts';
import { deployedApp } from '../testing/deployedApp.ts';
import { type HostRequest, startFunctionsHost } from '../testing/functionsHost.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { matcher } from './host/server.ts';

/* The content of the package, and the functions that the platform finds in it. */

const root = path.resolve(import.meta.dirname, '..');
const { folder, temporary, load } = await deployedApp();

describe('what is deployed', () => {
  it('consists of the functions, the parts that they load, and the files that the platform needs', async () => {
    const files = (await readdir(folder)).filter((name) => name !== 'taskpane');
    const parts = files.filter((name) => name.endsWith('.js') && name !== 'main.js');
    const compiled = files.filter((name) => name.endsWith('.js.cache'));
    expect(compiled.map((name) => name.split(/[-.]/)[0]).sort()).toEqual(['app', 'openBuiltin', 'rolldown']);
    expect(files.filter((name) => ![...parts, ...compiled].includes(name)).sort()).toEqual([
      'data',
      'fonts',
      'host.json',
      'main.js',
      'package.json',
    ]);
    // The entry, which registers the functions, must load fast.
    const { size } = await stat(path.join(folder, 'app.js'));
    expect([parts.length > 5, size < 600_000]).toEqual([true, true]);
    expect(await readdir(path.join(folder, 'taskpane'))).not.toContain('pane.js.map');
    const { main, type } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    // The worker provides its core by `require`, which ES modules do not have.
    expect([main, type]).toEqual(['main.js', undefined]);
  });

  it('has no prefix before its routes', async () => {
    const host = JSON.parse(await readFile(path.join(folder, 'host.json'), 'utf8'));
    expect(host.extensions.http.routePrefix).toBe('');
  });

  const scripts = async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
    return Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  };

  it('imports only its own files, modules of Node and the core of the worker', async () => {
    // Comments and messages of libraries name types and modules in the same way.
    const code = (await scripts()).map((one) => one.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')).join('\n');
    const imported = [...code.matchAll(/\b(?:require|import)\((["'`])([^"'`%]+)\1\)/g)].map(([, , id]) => id!);
    expect(imported).toContain('@azure/functions-core');
    const isThere = (id: string) => existsSync(path.join(folder, id)) || isBuiltin(id);
    expect(imported.filter((id) => id !== '@azure/functions-core' && !isThere(id))).toEqual([]);
  });

  /** The files of code that the app loads for a request. */
  async function loadedFor(
    settings: Record<string, string>,
    request: HostRequest,
    expected: { status: number; body?: string },
  ): Promise<string[]> {
    const list = path.join(temporary, 'loaded.json');
    const spy = path.join(temporary, 'spy.cjs');
    const writeLoaded = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache)))`;
    await writeFile(spy, `process.on('exit', () => ${writeLoaded});`);
    const host = await load(settings, ['--require', spy]);
    expect(await host.request(request)).toMatchObject(expected);
    await host.terminate();
    const loaded = JSON.parse(await readFile(list, 'utf8')) as string[];
    return loaded.filter((file) => file !== spy && file.endsWith('.js'));
  }

  it('registers its functions and serves the pane with a tenth of its code', async () => {
    const url = 'https://ledgerline.example.com/taskpane/pane.js';
    const pane: HostRequest = { name: 'taskpane', method: 'GET', url, params: { file: 'pane.js' } };
    const ours = await loadedFor({ DATABASE_URL: 'sqlite::memory:' }, pane, {
      status: 200,
      body: expect.stringMatching(/^console\.log/),
    });
    // It loads files of its own folder only.
    expect(ours.filter((file) => path.dirname(file) !== folder)).toEqual([]);
    const sizeOf = async (files: readonly string[]) =>
      (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0);
    const all = (await readdir(folder)).filter((name) => name.endsWith('.js')).map((name) => path.join(folder, name));
    expect(ours).toContain(path.join(folder, 'app.js'));
    expect((await sizeOf(ours)) / (await sizeOf(all))).toBeLessThan(0.1);
  });

  it('loads its migrations and triggers for a database that lacks some of them, and no pushes for a list', async () => {
    const file = path.join(temporary, 'books.sqlite');
    const settings = {
      DATABASE_URL: `sqlite:${file}`,
      AzureWebJobsStorage: 'UseDevelopmentStorage=true',
      SECRET_KEY: secretKeyOf('list'),
    };
    const url = 'https://ledgerline.example.com/rest/listtaxcodes';
    const list: HostRequest = { name: 'listtaxcodes', method: 'GET', url, headers: { apikey: 'a', username: 'b' } };
    const upgrades = async () => {
      const parts = (await loadedFor(settings, list, { status: 401 })).map(
        (name) => path.basename(name).split('-')[0]!,
      );
      expect(parts.filter((name) => /^(openBuiltin|openPushes|relationExports)$/.test(name))).toEqual(['openBuiltin']);
      return parts.includes('upgrade');
    };
    const triggers = () => {
      const database = new DatabaseSync(file);
      const rows = database.prepare("select name from sqlite_master where type = 'trigger' order by name").all();
      database.exec(`drop trigger ${rows[0]!.name}`);
      database.close();
      return rows;
    };
    expect(await upgrades()).toBe(true);
    expect(await upgrades()).toBe(false);
    const complete = triggers();
    expect(await upgrades()).toBe(true);
    expect(triggers()).toEqual(complete);
  });

  it('contains no path of the machine that built it', async () => {
    expect((await scripts()).join()).not.toContain(root);
    for (const name of (await readdir(folder)).filter((name) => name.endsWith('.cache'))) {
      const compiled = await readFile(path.join(folder, name), 'latin1');
      expect([root, tmpdir()].filter((one) => compiled.includes(one))).toEqual([]);
    }
  });

  it('is compiled already for a first list, and without that, or with what V8 refuses, it runs all the same', async () => {
    const url = 'https://ledgerline.example.com/rest/listtaxcodes';
    const list: HostRequest = { name: 'listtaxcodes', method: 'GET', url, headers: { apikey: 'a', username: 'b' } };
    const said = path.join(temporary, 'refused.json');
    const spy = path.join(temporary, 'scripts.cjs');
    await writeFile(
      spy,
      `const vm = require('node:vm');
      const scripts = {};
      vm.Script = class extends vm.Script {
        constructor(source, options) {
          super(source, options);
          scripts[require('node:path').basename(options.filename).split(/[-.]/)[0]] = this.cachedDataRejected;
        }
      };
      process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(said)}, JSON.stringify(scripts)));`,
    );
    async function refusedOf(app: string): Promise<unknown> {
      const host = await startFunctionsHost(
        app,
        { DATABASE_URL: 'sqlite::memory:' },
        { nodeOptions: ['--require', spy] },
      );
      expect((await host.request(list)).status).toBe(401);
      await host.terminate();
      return JSON.parse(await readFile(said, 'utf8'));
    }
    expect(await refusedOf(folder)).toEqual({ app: false, openBuiltin: false, rolldown: false });
    const copy = path.join(temporary, 'copy');
    await cp(folder, copy, { recursive: true });
    for (const name of (await readdir(copy)).filter((name) => name.endsWith('.cache'))) {
      const file = path.join(copy, name);
      await chmod(file, 0o600);
      if (name.startsWith('rolldown')) await rm(file);
      else await writeFile(file, (await readFile(file)).fill(0, 0, 8));
    }
    expect(await refusedOf(copy)).toEqual({ app: true, openBuiltin: true });
  });

  it.each([
    ['a remote service', { ADMINISTRATION_URL: 'http://localhost:1' }],
    ['half of the settings of mail', { SMTP_URL: 'smtp://localhost' }],
    ['the look of one in Azure', { WEBSITE_INSTANCE_ID: '1' }],
  ])('is compiled on a machine whose settings have %s, which are not those of the build', async (_, settings) => {
    const copy = await mkdtemp(path.join(temporary, 'copy-'));
    for (const name of (await readdir(folder)).filter((name) => name.endsWith('.js')))
      await cp(path.join(folder, name), path.join(copy, name));
    await cp(path.join(folder, 'package.json'), path.join(copy, 'package.json'));
    const env = { ...process.env, ...settings };
    const run = promisify(execFile)(process.execPath, [path.join(root, 'infra/codeCache.ts'), copy], { env });
    expect(await run).toMatchObject({ stderr: '' });
    expect(await readdir(copy)).toContain('app.js.cache');
  });
});

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

describe('the worker', () => {
  it('finds every function with its route and methods', async () => {
    const { functions, failure, programmingModel } = await load({});
    expect(failure).toBeUndefined();
    expect(programmingModel).toBe('@azure/functions');
    const expected = [
      ...endpointNames.map((name) => {
        const { method, path: route } = endpointOf(name);
        return { name: name as string, route: route.slice(1), methods: [method as string] };
      }),
      { name: 'openapi', route: 'rest/openapi.json', methods: ['GET'] },
      {
        name: 'withoutEndpoint',
        route: 'rest/{*path}',
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
      },
      { name: 'health', route: 'health', methods: ['GET'] },
      { name: 'administration', route: 'administration', methods: ['GET'] },
      { name: 'products', route: 'products', methods: ['GET'] },
      { name: 'ledgerAuditfile', route: 'ledger/auditfile', methods: ['GET'] },
      { name: 'ledgerBalances', route: 'ledger/balances', methods: ['GET'] },
      { name: 'ledgerEntries', route: 'ledger/entries', methods: ['GET'] },
      { name: 'ledgerOpenItems', route: 'ledger/openitems', methods: ['GET'] },
      { name: 'ledgerFigures', route: 'ledger/figures', methods: ['GET'] },
      { name: 'vatReturn', route: 'vat/return', methods: ['GET'] },
      { name: 'vatLines', route: 'vat/lines', methods: ['GET'] },
      { name: 'vatIntervat', route: 'vat/intervat', methods: ['GET'] },
      { name: 'vatFiled', route: 'vat/filed', methods: ['POST'] },
      { name: 'invoiceDocument', route: 'documents/invoices/{file}', methods: ['GET', 'HEAD'] },
      { name: 'invoiceDocumentLink', route: 'documents/invoices/{file}/link', methods: ['POST'] },
      { name: 'eInvoiceCheck', route: 'documents/e-invoices/check', methods: ['POST'] },
      { name: 'documentLink', route: 'documents/links/{token}/{file}', methods: ['GET'] },
      { name: 'exports', route: 'exports', methods: ['GET'] },
      { name: 'exportRequest', route: 'exports', methods: ['POST'] },
      { name: 'exportFile', route: 'exports/{administration}/{date}/{file}', methods: ['GET', 'HEAD'] },
      { name: 'auditfileReceive', route: 'auditfiles', methods: ['POST'] },
      { name: 'auditfileList', route: 'auditfiles', methods: ['GET'] },
      { name: 'auditfileState', route: 'auditfiles/{id}', methods: ['GET'] },
      { name: 'auditfilePart', route: 'auditfiles/{id}/parts/{part}', methods: ['POST'] },
      { name: 'auditfileCheck', route: 'auditfiles/{id}/check', methods: ['POST'] },
      { name: 'auditfileImport', route: 'auditfiles/{id}/import', methods: ['POST'] },
      { name: 'auditfileWithdraw', route: 'auditfiles/{id}/withdraw', methods: ['POST'] },
      { name: 'auditfileCancel', route: 'auditfiles/{id}/cancel', methods: ['POST'] },
      { name: 'auditfileErase', route: 'auditfiles/{id}/erase', methods: ['POST'] },
      { name: 'pushBegin', route: 'pushes', methods: ['POST'] },
      { name: 'pushList', route: 'pushes', methods: ['GET'] },
      { name: 'pushChanges', route: 'pushes/{id}', methods: ['GET'] },
      { name: 'pushRows', route: 'pushes/{id}/rows', methods: ['GET'] },
      { name: 'pushCancel', route: 'pushes/{id}/cancel', methods: ['POST'] },
      { name: 'pushLookAgain', route: 'pushes/{id}/look-again', methods: ['POST'] },
      { name: 'taskpane', route: 'taskpane/{*file}', methods: ['GET', 'HEAD'] },
    ];
    // The interface has its own credential; the platform requires no other.
    expect(functions.sort(byName)).toEqual(expected.map((one) => ({ ...one, authLevel: 'anonymous' })).sort(byName));
    expect(endpointNames).toHaveLength(11);
  });

  it('finds every queue function and timer', async () => {
    const { queues, timers } = await load({});
    const connection = 'AzureWebJobsStorage';
    expect(queues.sort(byName)).toEqual([
      { name: 'auditfileWork', queue: 'auditfiles', connection },
      { name: 'pushWork', queue: 'pushes', connection },
      { name: 'relationExport', queue: 'relation-exports', connection },
    ]);
    expect(timers.sort(byName)).toEqual([
      { name: 'auditfileMaintenance', schedule: '0 */15 * * * *', atStart: true },
      { name: 'documentLinkRemoval', schedule: '0 */15 * * * *', atStart: true },
      { name: 'healthLog', schedule: '45 */15 * * * *', atStart: false },
      { name: 'outgoingMail', schedule: '30 */5 * * * *', atStart: true },
      { name: 'periodicInvoices', schedule: '0 */15 * * * *', atStart: true },
      { name: 'pushMaintenance', schedule: '0 */15 * * * *', atStart: true },
      { name: 'relationExportTimer', schedule: '0 */15 * * * *', atStart: true },
    ]);
  });

  it('finds no function whose route another one hides', async () => {
    const { functions } = await load({});
    const sample = (route: string) => `/${route.replaceAll(/\{\*\w+\}/g, 'any/thing').replaceAll(/\{\w+\}/g, 'thing')}`;
    // With capitals sorted before small letters, and without regard to case.
    for (const key of [(name: string) => name, (name: string) => name.toLowerCase()]) {
      const ordered = functions.toSorted((a, b) => (key(a.name) < key(b.name) ? -1 : 1));
      for (const { name, route, methods } of functions) {
        for (const method of methods) {
          const first = ordered.find((one) => one.methods.includes(method) && matcher(one.route)(sample(route)));
          expect([method, route, first?.name]).toEqual([method, route, name]);
        }
      }
    }
  });

  it('finds only names and routes that the platform allows', async () => {
    const { functions } = await load({});
    for (const { name, route } of functions) {
      expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,127}$/);
      expect(route).toMatch(/^[^/]/);
      expect(['admin', 'runtime']).not.toContain(route.split('/')[0]!.toLowerCase());
    }
    expect(new Set(functions.map(({ name }) => name.toLowerCase())).size).toBe(functions.length);
  });

  it('logs a clear error on a Node that is too old, and finds no functions', async () => {
    const old = path.join(temporary, 'oldNode.cjs');
    await writeFile(old, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });");
    const { functions, printed } = await load({}, ['--require', old]);
    expect(functions).toEqual([]);
    expect(printed()).toContain('Ledgerline runs on Node 24 or later, and this is Node 20.19.0.');
  });
});

const healthKey = 'the key of health';

describe('an app with a wrong setting', () => {
  const azure = { WEBSITE_SITE_NAME: 'func-ledgerline', SECRET_KEY: secretKeyOf('deployment') };

  it.each<[Record<string, string>, string]>([
    [{ DATABASE_URL: 'mysql://localhost/books' }, 'DATABASE_URL'],
    [{ PORT: 'http' }, 'PORT'],
    [{ ADMINISTRATION_URL: 'https://user:secret@example.com' }, 'ADMINISTRATION_URL'],
    [azure, 'DATABASE_URL'],
    [{ ...azure, DATABASE_URL: 'sqlite:/home/books.sqlite' }, 'DATABASE_URL'],
    [{ ...azure, ADMINISTRATION_URL: 'https://books.example.com', SECRET_KEY: '' }, 'SECRET_KEY'],
  ])(
    'has every function and responds 503, naming the setting to the caller with the health key only: %j',
    async (settings, named) => {
      const { failure, functions, queues, timers, printed, request } = await load({
        ...settings,
        HEALTH_KEY: healthKey,
      });
      expect([failure, functions.length >= 15]).toEqual([undefined, true]);
      // Without queue functions, no message can fail too often and end in the poison queue.
      expect([queues, timers]).toEqual([[], []]);
      expect(printed()).toContain(`${named}: expected`);
      const get = (name: string, route: string, headers = {}) =>
        request({ name, method: 'GET', url: `https://ledgerline.example.com/${route}`, headers });
      for (const [name, route] of [
        ['listtaxcodes', 'rest/listtaxcodes'],
        ['pushList', 'pushes'],
        ['exports', 'exports'],
        ['health', 'health'],
      ] as const) {
        const credential = { apikey: 'a', username: 'b' };
        const otherCaller = await get(name, route, credential);
        expect([name, otherCaller.status]).toEqual([name, 503]);
        expect(otherCaller.body).not.toContain(named);
        const administrator = await get(name, route, { ...credential, 'health-key': healthKey });
        expect([name, administrator.status]).toEqual([name, 503]);
        expect(administrator.body).toContain(`${named}: expected`);
      }
    },
  );
});

it('an app under Core Tools may have the default settings of a local machine', async () => {
  const development = { WEBSITE_SITE_NAME: 'func-ledgerline', AZURE_FUNCTIONS_ENVIRONMENT: 'Development' };
  const { queues } = await load({ ...development, DATABASE_URL: 'sqlite::memory:' });
  expect(queues).toHaveLength(3);
});
