import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Probe } from './probe.ts';

/* Sends a small read every 20 ms, from a message to the next one, which gets the longest wait. */

const INTERVAL_MS = 20;

const { url, headers } = workerData as Probe;
const agent = new Agent({ keepAlive: true });

const read = () =>
  new Promise<number>((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    })
      .on('error', reject)
      .end();
  });

let reading: Promise<void> | undefined;
let isOver = false;
let longest = 0;
const refused: number[] = [];

async function readOn(): Promise<void> {
  while (!isOver) {
    const start = performance.now();
    const status = await read();
    const waited = performance.now() - start;
    longest = Math.max(longest, waited);
    if (status !== 200) refused.push(status);
    await setTimeout(Math.max(0, INTERVAL_MS - waited));
  }
}

parentPort!.on('message', async () => {
  if (reading === undefined) {
    [isOver, longest] = [false, 0];
    refused.length = 0;
    reading = readOn();
    return;
  }
  isOver = true;
  await reading;
  reading = undefined;
  parentPort!.postMessage({ longest, refused });
});
