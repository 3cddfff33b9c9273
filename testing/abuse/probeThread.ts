import { mkdtemp, open, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Machine, Probe, Waited } from './probe.ts';

/*
 * Sends a small read every 20 ms, and beside it a small write where there is one, from a message to the next one, which
 * gets the longest wait of each; and measures for how long the machine makes everybody wait.
 */

const INTERVAL_MS = 20;
/** Of small files that are written: each makes others wait for the disk a little. */
const DISK_INTERVAL_MS = 100;

const { read, write } = workerData as Probe;
const agent = new Agent({ keepAlive: true });

const send = ({ url, method, headers, body }: Probe['read']) =>
  new Promise<number>((resolve, reject) => {
    request(url, { agent, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    })
      .on('error', reject)
      .end(body);
  });

let isOver = false;
let running: Promise<[Waited, Waited, Machine]> | undefined;

async function sendOn(request: Probe['read'] | undefined): Promise<Waited> {
  const waited: Waited = { longest: 0, refused: [] };
  while (request !== undefined && !isOver) {
    const start = performance.now();
    const status = await send(request);
    const took = performance.now() - start;
    waited.longest = Math.max(waited.longest, took);
    if (status !== 200) waited.refused.push(status);
    await setTimeout(Math.max(0, INTERVAL_MS - took));
  }
  return waited;
}

/** What a thread without work waits for its turn, and for a small file to be on the disk. */
async function measureMachine(): Promise<Machine> {
  const [pause, disk] = await Promise.all([measurePauses(), measureDisk()]);
  return { pause, disk };
}

async function measurePauses(): Promise<number> {
  let longest = 0;
  while (!isOver) {
    const start = performance.now();
    await setTimeout(INTERVAL_MS);
    longest = Math.max(longest, performance.now() - start - INTERVAL_MS);
  }
  return longest;
}

async function measureDisk(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-disk-'));
  const file = await open(path.join(folder, 'small'), 'w');
  let longest = 0;
  try {
    while (!isOver) {
      const start = performance.now();
      await file.write('x', 0);
      await file.datasync();
      longest = Math.max(longest, performance.now() - start);
      await setTimeout(DISK_INTERVAL_MS);
    }
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
  return longest;
}

parentPort!.on('message', async () => {
  if (running === undefined) {
    isOver = false;
    running = Promise.all([sendOn(read), sendOn(write), measureMachine()]);
    return;
  }
  isOver = true;
  const measured = await running;
  running = undefined;
  parentPort!.postMessage(measured);
});
