import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { Pool } from 'undici';
import { remoteAdministrations } from '../functions/administrations/remote/remote.ts';
import { readRequest } from '../shared/readRequest.ts';
import { heldMemory } from '../testing/remote/memory.ts';
import { headersOf } from './books.ts';
import { alternately, bytesAt, eachOf, inFolder, median, p99, type Ratio, startApp, startServer } from './measure.ts';

const LATENCY = 20;
const CONCURRENCY = 32;
const CALLERS = 1000;
const credential = { apiKey: 'bench', username: 'bench@example.com' };
const headers = headersOf(credential);
const target = '/rest/listtaxcodes/';

/** An app in front of a service, against the simplest that could stand there. */
export const measureRemote = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'response.json');
    writeFileSync(file, JSON.stringify(taxCodes));
    return [...(await measureLatency(folder, file)), await measureThroughput(folder, file), await measureWaiting(file)];
  });

/** A service that sends a file after so many milliseconds, and the app in front of it without a pace. */
async function serviceAndApp(folder: string, file: string, latency: number) {
  const service = await startServer('fixedServer', file, String(latency));
  const settings = { ADMINISTRATION_URL: service.url, REMOTE_PER_SECOND: '0', REMOTE_PER_MINUTE: '0' };
  return { service, app: await startApp(folder, settings) };
}

/** One request at a time to a service that takes 20 ms, through the app and straight to it. */
async function measureLatency(folder: string, file: string): Promise<Ratio[]> {
  const { service, app } = await serviceAndApp(folder, file, LATENCY);
  const pool = new Pool(service.url);
  const ours = () => bytesAt(app.url + target, headers);
  const bare = async () => (await pool.request({ method: 'GET', path: target, headers })).body.arrayBuffer();
  const times = await alternately(800, { ours, bare });
  await pool.close();
  await app.stop();
  await service.stop();
  const name = `a request to a service of ${LATENCY} ms, against undici alone`;
  return [
    { name: `${name}, median`, ...eachOf(median, times), unit: 'ms', aim: 1.1 },
    { name: `${name}, p99`, ...eachOf(p99, times), unit: 'ms', aim: 1.2 },
  ];
}

/** Many requests at once to a service that answers at once. */
async function measureThroughput(folder: string, file: string): Promise<Ratio> {
  const { service, app } = await serviceAndApp(folder, file, 0);
  const proxy = await startServer('bareProxy', service.url);
  const manyTo = (url: string) => async () => {
    let left = 3000;
    const one = async () => {
      while (left-- > 0) await bytesAt(url + target, headers);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, one));
  };
  const times = await alternately(21, { ours: manyTo(app.url), bare: manyTo(proxy.url) }, 3);
  for (const server of [proxy, app, service]) await server.stop();
  // Seven tenths of the throughput is this much more time.
  const aim = Number((1 / 0.7).toFixed(2));
  const name = '3,000 requests without a pace, against node:http and undici alone';
  return { name, ...eachOf(median, times), unit: 'ms', aim };
}

/** What callers that wait for their turn hold, against requests that wait for undici's one connection. */
async function measureWaiting(file: string): Promise<Ratio> {
  const service = await startServer('fixedServer', file, '3600000');
  const settings = { url: service.url, perSecond: 0, perMinute: 1, timeout: 3_600_000, concurrency: 4 };
  const remote = remoteAdministrations(settings, { log: () => {} });
  const pool = new Pool(service.url, { connections: 1 });
  const { request } = readRequest('listtaxcodes', {});
  const work = {
    ours: async () => {
      const administration = await remote.open(credential, { timeout: Number.POSITIVE_INFINITY });
      await administration.listtaxcodes(request);
    },
    bare: () => pool.request({ method: 'GET', path: target, headers }),
  };
  const kilobytes = { ours: 0, bare: 0 };
  for (const name of ['ours', 'bare'] as const) {
    const call = () => work[name]().catch(() => {});
    call();
    await passed(500);
    const before = heldMemory();
    for (let caller = 0; caller < CALLERS; caller++) call();
    await passed(500);
    kilobytes[name] = (heldMemory() - before) / 1024 / (CALLERS / 100);
  }
  await remote.close();
  await pool.destroy();
  await service.stop();
  return { name: '100 callers that wait, against 100 that wait in undici', ...kilobytes, unit: 'kB', aim: 5 };
}

const taxCodes = ['21', '9', '0'].flatMap((percentage) =>
  ['Sales', 'Purchase'].map((type) => ({
    TaxExempt: false,
    TaxPc: `${percentage}.0`,
    TaxCode: `${percentage}% - ${type}`,
    Name: type,
    TaxType: type,
  })),
);
