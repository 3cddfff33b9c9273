import { existsSync } from 'node:fs';
import { type Transferable, Worker } from 'node:worker_threads';
import { errorOf, type Outcome } from './carryOutOrders.ts';

/** A thread without work ends after this time, and frees its memory. */
const IDLE_MS = 60_000;

/** An order took too much time or memory, and its thread was ended. */
export class TookTooMuch extends Error {}

type PoolOptions = {
  /** The file of the thread's source, in the folder of the caller's. */
  entry: string;
  /** What every thread gets when it starts. */
  data?: unknown;
  /** How many there are at the most. */
  threads: number;
  /** Milliseconds of one order, with the start of its thread. */
  maxMs: number;
  /** Megabytes of the heap of a thread. */
  maxMegabytes: number;
};

type Job<Order, Result> = {
  order: Order;
  owner: string;
  size: number;
  transferred: readonly Transferable[];
  resolve: (result: Result) => void;
  reject: (reason: Error) => void;
};

/**
 * Carries out orders in threads of their own, so that no request waits for a long one. Owners take turns, with one order
 * each at a time. Threads start with the first order.
 */
export function threadPool<Order, Result>({ entry, data, threads, maxMs, maxMegabytes }: PoolOptions) {
  const waiting: Job<Order, Result>[] = [];
  const busy = new Set<string>();
  const idle: { thread: Worker; timer: NodeJS.Timeout }[] = [];

  /** Gives the first order of an owner without one under way to a thread, while there is a free one. */
  function next(): void {
    if (busy.size >= threads) return;
    const index = waiting.findIndex(({ owner }) => !busy.has(owner));
    if (index < 0) return;
    const [job] = waiting.splice(index, 1);
    busy.add(job!.owner);
    start(job!);
    next();
  }

  function start({ order, owner, transferred, resolve, reject }: Job<Order, Result>): void {
    const thread = freeThread();
    // The process waits for an order, but not for a thread without work.
    thread.ref();
    const timer = setTimeout(() => end(new TookTooMuch()), maxMs);
    const onError = (failure: Error & { code?: string }) =>
      end(failure.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TookTooMuch() : failure);
    const onExit = () => end(new Error('A thread ended before its work.'));
    const end = (outcome: Outcome<Result> | Error) => {
      clearTimeout(timer);
      thread.off('message', end).off('error', onError).off('exit', onExit);
      busy.delete(owner);
      if (outcome instanceof Error) {
        reject(outcome);
        void thread.terminate();
      } else {
        if (outcome.kind === 'done') resolve(outcome.result);
        else reject(errorOf(outcome));
        rest(thread);
      }
      next();
    };
    thread.on('message', end).on('error', onError).on('exit', onExit);
    thread.postMessage(order, transferred);
  }

  function freeThread(): Worker {
    const free = idle.pop();
    clearTimeout(free?.timer);
    if (free !== undefined) return free.thread;
    const resourceLimits = { maxOldGenerationSizeMb: maxMegabytes };
    // What it reports while it is ended is about an order that was answered.
    return new Worker(threadFile(entry), { execArgv: [], resourceLimits, workerData: data }).on('error', () => {});
  }

  function rest(thread: Worker): void {
    thread.unref();
    const end = () => {
      idle.splice(
        idle.findIndex((one) => one.thread === thread),
        1,
      );
      void thread.terminate();
    };
    idle.push({ thread, timer: setTimeout(end, IDLE_MS).unref() });
  }

  return {
    /**
     * @param owner with one order at a time
     * @param size counts among what waits
     * @param transferred of the order is handed over to the thread
     * @throws Problem that the thread threw, TookTooMuch
     */
    run(order: Order, owner: string, size = 1, transferred: readonly Transferable[] = []): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ order, owner, size, transferred, resolve, reject });
      next();
      return promise;
    },

    /** The size of the orders that wait. @param of an owner; left out: of all */
    waitingSize: (of?: string): number =>
      waiting.reduce((sum, { owner, size }) => (of === undefined || owner === of ? sum + size : sum), 0),

    /** Ends the threads without work. */
    async close(): Promise<void> {
      for (const { thread, timer } of idle.splice(0)) {
        clearTimeout(timer);
        await thread.terminate();
      }
    },
  };
}

/** The script of a thread. A deployment has the code of each in one of its own, beside its other code. */
export function threadFile(entry: string): string {
  const shipped = entry.replace(/\.ts$/, '.js');
  return existsSync(shipped) ? shipped : entry;
}
