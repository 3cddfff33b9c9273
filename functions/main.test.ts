import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endpointNames, endpointOf } from '../shared/api.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { pdfStreams, readPdf } from '../testing/documents/readPdf.ts';
import type { Invocation, Invoked, Loaded } from '../testing/worker.ts';
import { matcher } from './host/server.ts';

const root = path.resolve(import.meta.dirname, '..');

/** The app as it is deployed, in a folder that has no node_modules anywhere above it. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-deployed-'));
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const parameters = ['build', '--config', 'vite.functions.config.ts', '--outDir', folder, '--logLevel', 'warn'];
  const build = spawn(process.execPath, [vite, ...parameters], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(build, 'exit');
  if (code !== 0) throw new Error('The functions could not be built.');
  await mkdir(path.join(folder, 'taskpane'));
  await writeFile(path.join(folder, 'taskpane/pane.html'), '<title>Pane</title>');
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const workers: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(
    workers.splice(0).map(async (worker) => {
      if (worker.exitCode !== null) return;
      worker.disconnect();
      await once(worker, 'exit');
    }),
  );
});

/** Loads the deployed app in a stand-in for the Functions worker, with these settings. */
async function load(settings: Record<string, string>) {
  const worker = fork(path.resolve(import.meta.dirname, '../testing/worker.ts'), [folder], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings },
  });
  workers.push(worker);
  const [loaded] = (await once(worker, 'message')) as [Loaded];
  const invoke = async (invocation: Invocation): Promise<Invoked> => {
    worker.send(invocation);
    const [invoked] = await once(worker, 'message');
    return invoked;
  };
  return { ...loaded, invoke };
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

describe('what is deployed', () => {
  it('is one file with what the platform needs beside it', async () => {
    const files = (await readdir(folder)).filter((name) => name !== 'taskpane');
    expect(files.sort()).toEqual(['data', 'fonts', 'host.json', 'main.js', 'main.js.map', 'package.json']);
    const { main, type } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    // The worker hands out its core by `require`, which ES modules do not have.
    expect([main, type]).toEqual(['main.js', undefined]);
  });

  it('puts no prefix before the routes', async () => {
    const host = JSON.parse(await readFile(path.join(folder, 'host.json'), 'utf8'));
    expect(host.extensions.http.routePrefix).toBe('');
  });

  it('asks for nothing but what Node and the worker have', async () => {
    const bundle = await readFile(path.join(folder, 'main.js'), 'utf8');
    // Libraries name types of theirs in comments, in the same words.
    const code = bundle.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const asked = [...code.matchAll(/\b(?:require|import)\((["'`])([^"'`]+)\1\)/g)].map(([, , id]) => id!);
    expect(asked).toContain('@azure/functions-core');
    expect(asked.filter((id) => id !== '@azure/functions-core' && !isBuiltin(id))).toEqual([]);
  });

  it('knows nothing of the machine it was built on', async () => {
    expect(await readFile(path.join(folder, 'main.js'), 'utf8')).not.toContain(root);
  });
});

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
      { name: 'invoiceDocument', route: 'documents/invoices/{file}', methods: ['GET', 'HEAD'] },
      { name: 'exports', route: 'exports', methods: ['GET'] },
      { name: 'exportFile', route: 'exports/{administration}/{date}/{file}', methods: ['GET', 'HEAD'] },
      { name: 'pushBegin', route: 'pushes', methods: ['POST'] },
      { name: 'pushList', route: 'pushes', methods: ['GET'] },
      { name: 'pushChanges', route: 'pushes/{id}', methods: ['GET'] },
      { name: 'pushCancel', route: 'pushes/{id}/cancel', methods: ['POST'] },
      { name: 'taskpane', route: 'taskpane/{*file}', methods: ['GET', 'HEAD'] },
    ];
    // The credential of the interface is its own; the platform asks for none besides.
    expect(functions.sort(byName)).toEqual(expected.map((one) => ({ ...one, authLevel: 'anonymous' })).sort(byName));
    expect(endpointNames).toHaveLength(11);
  });

  it('finds what works on queues and by the clock', async () => {
    const { queues, timers } = await load({});
    const connection = 'AzureWebJobsStorage';
    expect(queues.sort(byName)).toEqual([
      { name: 'pushWork', queue: 'pushes', connection },
      { name: 'relationExport', queue: 'relation-exports', connection },
    ]);
    expect(timers.sort(byName)).toEqual([
      { name: 'outgoingMail', schedule: '30 * * * * *', atStart: true },
      { name: 'periodicInvoices', schedule: '0 */5 * * * *', atStart: true },
      { name: 'pushTend', schedule: '0 */5 * * * *', atStart: true },
      { name: 'relationExportTimer', schedule: '0 * * * * *', atStart: true },
    ]);
  });

  it('meets no function that another one hides', async () => {
    const { functions } = await load({});
    const sample = (route: string) => `/${route.replaceAll(/\{\*\w+\}/g, 'any/thing').replaceAll(/\{\w+\}/g, 'thing')}`;
    // Whether capitals go before small letters or beside them.
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

  it('meets names and routes the platform allows', async () => {
    const { functions } = await load({});
    for (const { name, route } of functions) {
      expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,127}$/);
      expect(route).toMatch(/^[^/]/);
      expect(['admin', 'runtime']).not.toContain(route.split('/')[0]!.toLowerCase());
    }
    expect(new Set(functions.map(({ name }) => name.toLowerCase())).size).toBe(functions.length);
  });

  it.each<[Record<string, string>, string]>([
    [{ DATABASE_URL: 'mysql://localhost/books' }, 'DATABASE_URL'],
    [{ PORT: 'http' }, 'PORT'],
    [{ ADMINISTRATION_URL: 'https://user:secret@example.com' }, 'ADMINISTRATION_URL'],
    // The disk of an app in Azure does not last.
    [{ WEBSITE_INSTANCE_ID: 'a1b2' }, 'DATABASE_URL'],
    [{ WEBSITE_INSTANCE_ID: 'a1b2', DATABASE_URL: 'sqlite:/home/books.sqlite' }, 'DATABASE_URL'],
  ])('is stopped by the settings %j, after every function is registered', async (settings, named) => {
    const { functions, failure } = await load(settings);
    expect(failure).toContain(`${named}: expected`);
    // Before the first registration the worker would report success, with no functions.
    expect(functions.length).toBeGreaterThanOrEqual(15);
  });
});

describe('a function in the worker', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    await app.addProduct({ articleNumber: '0100', name: 'Stoel', stock: '9007199254.74099301' });
  });
  afterAll(() => app.close());

  const base = 'https://ledgerline.example.com';

  it('answers from the database of the settings, with every digit', async () => {
    const { invoke } = await load({ DATABASE_URL: app.databaseUrl });
    const { status, headers, body, logged } = await invoke({
      name: 'updateproduct',
      method: 'PUT',
      url: `${base}/rest/updateproduct/`,
      headers: {
        apikey: app.credential.apiKey,
        username: app.credential.username,
        'content-type': 'application/json',
      },
      body: '{"ArticleNumber":"0100","NewName":"Étoile","NewStockQty":0.00000001,"Colour":"red"}',
    });
    expect([status, headers['content-type'], headers['ignored-fields'], logged]).toEqual([
      200,
      'application/json; charset=utf-8',
      'Colour',
      [],
    ]);
    expect(body).toContain('"StockQty":9007199254.74099302,');
    expect(JSON.parse(body).Name).toBe('Étoile');
    expect((await app.get('/rest/listrelations')).status).toBe(200);
  });

  it('refuses in the one error body', async () => {
    const { invoke } = await load({ DATABASE_URL: app.databaseUrl });
    const url = `${base}/rest/listtaxcodes`;
    const unknown = await invoke({ name: 'listtaxcodes', method: 'GET', url });
    expect(unknown.status).toBe(401);
    expect(JSON.parse(unknown.body)).toMatchObject({
      errorCode: 'UNAUTHORIZED',
      status: 401,
      instance: '/rest/listtaxcodes',
    });
    const wrong = await invoke({ name: 'withoutEndpoint', method: 'POST', url, body: '{}' });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET']);
    expect(JSON.parse(wrong.body).errorCode).toBe('METHOD_NOT_ALLOWED');
  });

  it('makes PDFs with the fonts and the colour profile that stand beside the code', async () => {
    const issuer = { street: 'Kade', city: 'Gent', vat_number: 'BE0417497106', company_number: '0417497106' };
    await app.db
      .updateTable('administration')
      .set({ ...issuer, iban: 'BE68539007547034' })
      .execute();
    await app.addInvoice({ number: 20260001n, date: '2026-01-31', excl: '10', tax: '2.10', incl: '12.10' });
    const { invoke } = await load({ DATABASE_URL: app.databaseUrl });
    const { apiKey, username } = app.credential;
    const { body } = await invoke({
      name: 'listsalesinvoices',
      method: 'GET',
      url: `${base}/rest/listsalesinvoices?IncludeBase64PDF=true`,
      headers: { apikey: apiKey, username },
    });
    const pdf = Buffer.from(JSON.parse(body)[0].InvoicePDFBase64, 'base64');
    const { texts, info } = await readPdf(pdf);
    expect(texts.map(({ text }) => text).join(' ')).toContain('12,10');
    expect(info).toMatchObject({ Title: 'Factuur 20260001' });
    expect(pdfStreams(pdf).join()).toContain('<pdfaid:part>3</pdfaid:part>');
  });

  it('serves the pages that stand beside the code', async () => {
    const { invoke } = await load({ DATABASE_URL: app.databaseUrl });
    const page = (file: string) =>
      invoke({ name: 'taskpane', method: 'GET', url: `${base}/taskpane/${file}`, params: { file } });
    const { status, headers, body } = await page('pane.html');
    expect([status, body]).toEqual([200, '<title>Pane</title>']);
    expect(headers['content-security-policy']).toBeDefined();
    expect((await page('../package.json')).status).toBe(404);
  });

  it('says that it is not healthy when the database cannot be opened, and why to the log', async () => {
    const { failure, invoke } = await load({ DATABASE_URL: `sqlite:${path.join(folder, 'package.json', 'x.sqlite')}` });
    expect(failure).toBeUndefined();
    const { status, logged } = await invoke({ name: 'health', method: 'GET', url: `${base}/health` });
    expect([status, logged.length]).toEqual([503, 1]);
  });
});
