import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Probe, Waited } from './probe.ts';

/*
 * Sends a small read every 20 ms, and beside it a small write where there is one, from a message to the next one, which
 * gets the longest wait of each.
 */

const INTERVAL_MS = 20;

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
let running: Promise<Waited[]> | undefined;

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

parentPort!.on('message', async () => {
  if (running === undefined) {
    isOver = false;
    running = Promise.all([sendOn(read), sendOn(write)]);
    return;
  }
  isOver = true;
  const waited = await running;
  running = undefined;
  parentPort!.postMessage(waited);
});
