import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import {
  type FunctionsHost,
  type HostRequest,
  startFunctionsHost,
  startPlaceholder,
} from '../testing/functionsHost.ts';
import { secretKeyOf } from '../testing/secretKey.ts';
import { headersOf, newBooks } from './books.ts';
import { alternately, eachOf, inFolder, median, type Ratio, residentMegabytes, root } from './measure.ts';

const base = 'https://ledgerline.example.com';
const empty: HostRequest = { name: 'empty', method: 'GET', url: `${base}/empty` };

/**
 * The app as it is deployed against one with a single empty function, both in a stand-in for the Functions worker: from the
 * start of the process to the first response, and memory after a thousand requests.
 */
export const measureDeployed = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const ours = path.join(folder, 'ours');
    const bare = path.join(folder, 'bare');
    await build({ configFile: path.join(root, 'vite.functions.config.ts'), logLevel: 'warn', build: { outDir: ours } });
    await buildEmptyApp(bare);
    const page = path.join(ours, 'taskpane');
    mkdirSync(page);
    writeFileSync(path.join(page, 'page.html'), '<title>Page</title>');

    // Nothing of the storage account is used, but every deployed app has one.
    const settings = {
      DATABASE_URL: `sqlite:${path.join(folder, 'books.sqlite')}`,
      AzureWebJobsStorage: 'UseDevelopmentStorage=true',
      SECRET_KEY: secretKeyOf('bench'),
    };
    const db = await openDatabase(settings.DATABASE_URL);
    const headers = headersOf((await newBooks(db)).credential);
    await db.destroy();
    const responds = async (host: FunctionsHost, request: HostRequest): Promise<void> => {
      const { status, body } = await host.request(request);
      if (status !== 200) throw new Error(`${request.url}: ${status} ${body}`);
    };
    const start = async (app: string, request: HostRequest): Promise<FunctionsHost> => {
      const host = await startFunctionsHost(app, settings);
      await responds(host, request);
      return host;
    };
    const once = async (app: string, request: HostRequest) => (await start(app, request)).kill();

    const file: HostRequest = {
      name: 'taskpane',
      method: 'GET',
      url: `${base}/taskpane/page.html`,
      params: { file: 'page.html' },
    };
    const list: HostRequest = {
      name: 'listtaxcodes',
      method: 'GET',
      url: `${base}/rest/listtaxcodes`,
      headers,
    };
    const toFirst = async (request: HostRequest) =>
      eachOf(median, await alternately(20, { ours: () => once(ours, request), bare: () => once(bare, empty) }));
    /** Milliseconds of a placeholder from getting its app to the response. */
    const specialised = async (app: string, request: HostRequest): Promise<number> => {
      const placeholder = await startPlaceholder();
      const began = performance.now();
      const host = await placeholder.specialise(app, settings);
      await responds(host, request);
      const took = performance.now() - began;
      await host.kill();
      return took;
    };
    const fromPlaceholder = async (request: HostRequest) => {
      const times = { ours: [] as number[], bare: [] as number[] };
      for (let round = 0; round < 20; round++) {
        times.ours.push(await specialised(ours, request));
        times.bare.push(await specialised(bare, empty));
      }
      return { ours: median(times.ours), bare: median(times.bare) };
    };
    const toFile = await toFirst(file);
    const toList = await toFirst(list);
    const placeholderToFile = await fromPlaceholder(file);
    const placeholderToList = await fromPlaceholder(list);
    const memory = {
      ours: await memoryAfter(1000, () => start(ours, list), list),
      bare: await memoryAfter(1000, () => start(bare, empty), empty),
    };
    return [
      { name: 'from the start of the worker to the first file of the pane', ...toFile, unit: 'ms', aim: 1.5 },
      { name: 'from the start of the worker to the first list out of a database', ...toList, unit: 'ms', aim: 1.5 },
      { name: 'from a placeholder to the first file of the pane', ...placeholderToFile, unit: 'ms', aim: 1.8 },
      { name: 'from a placeholder to the first list out of a database', ...placeholderToList, unit: 'ms', aim: 1.8 },
      { name: 'memory after 1,000 requests', ...memory, unit: 'MB', aim: 2 },
      { name: 'code that is loaded to register, of all there is', ...sizesOf(ours), unit: 'kB', aim: 0.2 },
    ];
  });

/** Bundles the empty app as ours, without what is ours only: the compiled code, and the threads. */
async function buildEmptyApp(folder: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['@azure/functions-core'], target: 'node' },
    build: {
      ssr: path.join(root, 'bench/emptyApp.ts'),
      outDir: folder,
      target: 'node24',
      minify: true,
      rolldownOptions: { external: ['@azure/functions-core'], output: { format: 'cjs', entryFileNames: 'main.js' } },
    },
  });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ main: 'main.js' }));
}

async function memoryAfter(count: number, start: () => Promise<FunctionsHost>, request: HostRequest): Promise<number> {
  const host = await start();
  for (let done = 1; done < count; done++) await host.request(request);
  const megabytes = residentMegabytes(host.pid);
  await host.kill();
  return megabytes;
}

function sizesOf(folder: string): { ours: number; bare: number } {
  const sizes = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, kilobytes: statSync(path.join(folder, name)).size / 1000 }));
  return {
    ours: sizes.find(({ name }) => name === 'app.js')!.kilobytes,
    bare: sizes.reduce((sum, { kilobytes }) => sum + kilobytes, 0),
  };
}
