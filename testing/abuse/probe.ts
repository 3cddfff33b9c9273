import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Credential } from '../../shared/client/client.ts';

/** A small read. */
export type Probe = { url: string; headers: Record<string, string> };

/** What was measured beside some work, in milliseconds. */
export type Measured = {
  milliseconds: number;
  /** The longest wait of a small read. */
  heldUp: number;
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
 * Small reads of a list beside other work, from a thread of their own.
 * @param pid of the process whose memory is measured
 */
export function startProbe(url: string, { apiKey, username }: Credential, pid: number) {
  const probe: Probe = { url: `${url}/rest/listtaxcodes`, headers: { ApiKey: apiKey, Username: username } };
  const thread = new Worker(new URL('./probeThread.ts', import.meta.url), { workerData: probe, execArgv: [] });
  return {
    /** @throws Error when a read beside the work is refused */
    async beside<T>(work: () => Promise<T>): Promise<Measured & { result: T }> {
      const longestTurn = async () => Number(await (await fetch(`${url}/turns`)).text());
      await longestTurn();
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
      const [{ longest, refused }] = (await once(thread, 'message')) as [{ longest: number; refused: number[] }];
      clearInterval(sampling);
      const turn = await longestTurn();
      if (outcome.status === 'rejected') throw outcome.reason;
      if (refused.length > 0) throw new Error(`Reads beside it were answered ${refused.join(', ')}.`);
      const memory = before === undefined ? undefined : (most! - before) / 1024;
      return { result: outcome.value, milliseconds, heldUp: longest, turn, memory };
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
