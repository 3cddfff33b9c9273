import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { Pool } from 'undici';
import { remoteAdministrations } from '../functions/administrations/remote/remote.ts';
import { readRequest } from '../shared/readRequest.ts';
import { heldMemory } from '../testing/remote/memory.ts';
import { bytesAt, inFolder, median, type Ratio, started, stopped } from './measure.ts';

const LATENCY = 20;
const REQUESTS = 800;
const ROUNDS = 5;
const CONCURRENCY = 32;
const CALLERS = 1000;
const headers = { ApiKey: 'bench', Username: 'bench@example.com' };
const target = '/rest/listtaxcodes/';

/** An app in front of a service, against the least that could stand there. */
export const measureRemote = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'answer.json');
    writeFileSync(file, JSON.stringify(taxCodes));
    return [
      ...(await measureLatency(folder, file)),
      ...(await measureThroughput(folder, file)),
      await measureWaiting(file),
    ];
  });

const inFrontOf = (service: string, folder: string) =>
  started('functions/host/start.ts', /http:\/\/localhost:(\d+)/, {
    PORT: '0',
    DATA_DIR: folder,
    ADMINISTRATION_URL: service,
    REMOTE_PER_SECOND: '0',
    REMOTE_PER_MINUTE: '0',
  });

/** One request at a time to a service that takes 20 ms, through the app and straight to it. */
async function measureLatency(folder: string, file: string): Promise<Ratio[]> {
  const service = await started('bench/slowService.ts', /port (\d+)/, {}, [file, String(LATENCY)]);
  const address = `http://127.0.0.1:${service.match[1]}`;
  const app = await inFrontOf(address, folder);
  const pool = new Pool(address);
  const times = { ours: [] as number[], bare: [] as number[] };
  try {
    const ours = () => bytesAt(`http://127.0.0.1:${app.match[1]}${target}`, headers);
    const bare = async () => (await pool.request({ method: 'GET', path: target, headers })).body.arrayBuffer();
    for (let index = -200; index < REQUESTS; index++) {
      for (const [name, work] of [['ours', ours] as const, ['bare', bare] as const]) {
        const start = performance.now();
        await work();
        if (index >= 0) times[name].push(performance.now() - start);
      }
    }
  } finally {
    await pool.close();
    await stopped(app.process);
    await stopped(service.process);
  }
  const name = `a request to a service of ${LATENCY} ms, against undici alone`;
  return [
    { name: `${name}, median`, ours: median(times.ours), bare: median(times.bare), unit: 'ms', aim: 1.1 },
    { name: `${name}, p99`, ours: p99(times.ours), bare: p99(times.bare), unit: 'ms', aim: 1.2 },
  ];
}

/** Many requests at once to a service that answers at once. */
async function measureThroughput(folder: string, file: string): Promise<Ratio[]> {
  const service = await started('bench/slowService.ts', /port (\d+)/, {}, [file, '0']);
  const address = `http://127.0.0.1:${service.match[1]}`;
  const app = await inFrontOf(address, folder);
  const proxy = await started('bench/bareProxy.ts', /port (\d+)/, {}, [address]);
  const times = { ours: [] as number[], bare: [] as number[] };
  try {
    const ports = { ours: app.match[1], bare: proxy.match[1] };
    const many = async (name: 'ours' | 'bare') => {
      let left = 3000;
      const url = `http://127.0.0.1:${ports[name]}${target}`;
      const one = async () => {
        while (left-- > 0) await bytesAt(url, headers);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, one));
    };
    for (let round = -3; round < ROUNDS; round++) {
      for (const name of ['ours', 'bare'] as const) {
        const start = performance.now();
        await many(name);
        if (round >= 0) times[name].push(performance.now() - start);
      }
    }
  } finally {
    await stopped(proxy.process);
    await stopped(app.process);
    await stopped(service.process);
  }
  // Seven tenths of the throughput is this much more time.
  const name = '3,000 requests without a pace, against node:http and undici alone';
  return [{ name, ours: median(times.ours), bare: median(times.bare), unit: 'ms', aim: Number((1 / 0.7).toFixed(2)) }];
}

/** What callers that wait for their turn hold, against requests that wait for undici's one connection. */
async function measureWaiting(file: string): Promise<Ratio> {
  const service = await started('bench/slowService.ts', /port (\d+)/, {}, [file, '3600000']);
  const url = `http://127.0.0.1:${service.match[1]}`;
  const settings = { url, perSecond: 0, perMinute: 1, timeout: 3_600_000, concurrency: 4 };
  const remote = remoteAdministrations(settings, { log: () => {} });
  const pool = new Pool(url, { connections: 1 });
  const { request } = readRequest('listtaxcodes', {});
  const work = {
    ours: async () => {
      const waiting = { timeout: Number.POSITIVE_INFINITY };
      const administration = await remote.open({ apiKey: 'bench', username: 'bench@example.com' }, waiting);
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
  await stopped(service.process);
  return { name: '100 callers that wait, against 100 that wait in undici', ...kilobytes, unit: 'kB', aim: 5 };
}

const p99 = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.99)]!;

const taxCodes = ['21', '9', '0'].flatMap((percentage) =>
  ['Sales', 'Purchase'].map((type) => ({
    TaxExempt: false,
    TaxPc: `${percentage}.0`,
    TaxCode: `${percentage}% - ${type}`,
    Name: type,
    TaxType: type,
  })),
);
