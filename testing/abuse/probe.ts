import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Credential } from '../../shared/client/client.ts';

type SmallRequest = { url: string; method: string; headers: Record<string, string>; body?: string };

/** What others send: a small read, and a small write where others write. */
export type Probe = { read: SmallRequest; write: SmallRequest | undefined };

/** The longest wait for a response, in milliseconds, and the status of each that was refused. */
export type Waited = { longest: number; refused: number[] };

/** For how long the machine made everybody wait, in milliseconds: for a turn of its processor, and for its disk. */
export type Machine = { pause: number; disk: number };

/** What was measured beside some work, in milliseconds. */
export type Measured = {
  milliseconds: number;
  /** The longest wait of a small read. */
  heldUp: number;
  /** The longest wait of a small write; undefined where others do not write. */
  writeHeldUp: number | undefined;
  machine: Machine;
  /**
   * How long the thread of the app kept others waiting at the most, in time of the processor: other processes of a busy
   * machine do not count.
   */
  turn: number;
  /** By how many megabytes the memory of the app grew at the most; undefined where that is not known. */
  memory: number | undefined;
};

export type Prober = ReturnType<typeof startProbe>;

/**
 * Small reads of a list, and small writes, beside other work, from a thread of their own.
 * @param pid of the process whose memory is measured
 * @param product the number of the product that is written; left out: nothing is written
 */
export function startProbe(url: string, { apiKey, username }: Credential, pid: number, product?: string) {
  const headers = { ApiKey: apiKey, Username: username };
  const probe: Probe = {
    read: { url: `${url}/rest/listtaxcodes`, method: 'GET', headers },
    write:
      product === undefined
        ? undefined
        : {
            url: `${url}/rest/updateproduct`,
            method: 'PUT',
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify({ ArticleNumber: product, NewStockQty: 1, StockUpdateMode: 'Relative' }),
          },
  };
  const thread = new Worker(new URL('./probeThread.ts', import.meta.url), { workerData: probe, execArgv: [] });
  // On a connection of its own: the app closes one that is not used while an attack is prepared.
  const told = async (what: 'turns' | 'sample') =>
    Number(await (await fetch(`${url}/${what}`, { headers: { Connection: 'close' } })).text());
  return {
    /** What a fixed work takes in the thread of the app, in milliseconds of the processor: a measure of the machine. */
    sample: () => told('sample'),

    /** @throws Error when a read or a write beside the work is refused */
    async beside<T>(work: () => Promise<T>): Promise<Measured & { result: T }> {
      await told('turns');
      const before = await memoryOf(pid);
      let most = before;
      const sampling = setInterval(async () => {
        most = Math.max(most ?? 0, (await memoryOf(pid)) ?? 0);
      }, 20);
      thread.postMessage('begin');
      const start = performance.now();
      const [outcome] = await Promise.allSettled([work()]);
      const milliseconds = performance.now() - start;
      thread.postMessage('end');
      const [[reads, writes, machine]] = (await once(thread, 'message')) as [[Waited, Waited, Machine]];
      clearInterval(sampling);
      const turn = await told('turns');
      if (outcome.status === 'rejected') throw outcome.reason;
      for (const [name, { refused }] of Object.entries({ Reads: reads, Writes: writes })) {
        if (refused.length > 0) throw new Error(`${name} beside it were answered ${refused.join(', ')}.`);
      }
      const memory = before === undefined ? undefined : (most! - before) / 1024;
      const writeHeldUp = probe.write === undefined ? undefined : writes.longest;
      return { result: outcome.value, milliseconds, heldUp: reads.longest, writeHeldUp, machine, turn, memory };
    },
    stop: async () => void (await thread.terminate()),
  };
}

/** The memory of a process in kilobytes. Linux alone says it of other processes. */
async function memoryOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /VmRSS:\s*(\d+) kB/.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes);
}
