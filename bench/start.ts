import { readFileSync } from 'node:fs';
import { inFolder, started, stopped } from './measure.ts';

type Start = { first: number; again: number; megabytes: number };

/** How long `npm start` takes to be ready, the first time (it makes the demo) and again, and what its process holds. */
export const measureStart = (): Promise<Start> =>
  inFolder(async (folder) => {
    const environment = { PORT: '0', DATA_DIR: folder };
    const ready = /Ledgerline is ready/;
    const first = await started('functions/host/start.ts', ready, environment);
    await stopped(first.process);
    const again = await started('functions/host/start.ts', ready, environment);
    const megabytes = residentMegabytes(again.process.pid!);
    await stopped(again.process);
    return { first: first.milliseconds, again: again.milliseconds, megabytes };
  });

/** Of another process; only Linux tells without a tool of its own. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
