import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Problem } from '../../../../shared/problem.ts';
import { TookTooMuch, threadPool } from '../../threads/threadPool.ts';
import type { PortOrder } from './auditfileExportThread.ts';
import type { AuditfileOrder } from './sendAuditfile.ts';

/** Audit files of one administration that may wait. */
const MAX_WAITING = 2;
/** Seconds after which a caller may ask again. */
const RETRY_SECONDS = 10;

type Limits = { threads?: number; maxMs?: number; maxMegabytes?: number };

/** Writes audit files. */
export type AuditfileThreads = ReturnType<typeof auditfileThreads>;

/**
 * Writes audit files in threads of their own, which no request waits for: the time that a caller needs to read a file
 * counts among its own. Administrations take turns, with one file each at a time.
 * @param databaseUrl of a database that several connections can open
 */
export function auditfileThreads(
  databaseUrl: string,
  { threads = 2, maxMs = 9 * 60_000, maxMegabytes = 512 }: Limits = {},
) {
  const pool = threadPool<PortOrder, void>({
    entry: path.join(import.meta.dirname, 'auditfileExportThread.ts'),
    data: databaseUrl,
    ...{ threads, maxMs, maxMegabytes },
  });
  return {
    /**
     * The bytes of an audit file. What it is refused for is mostly known before the first of them.
     * @throws Problem
     */
    async read(order: AuditfileOrder): Promise<AsyncIterable<Uint8Array>> {
      const owner = String(order.administration.id);
      if (pool.waitingSize(owner) >= MAX_WAITING) {
        throw new Problem('UNAVAILABLE', 'Expected fewer audit files to be written at the same time.', {
          headers: { 'Retry-After': String(RETRY_SECONDS) },
        });
      }
      const { port1, port2 } = new MessageChannel();
      const done = pool.run({ ...order, port: port2 }, owner, 1, [port2]).catch((failure) => {
        if (!(failure instanceof TookTooMuch)) throw failure;
        throw new Problem('INVALID_REQUEST', 'The audit file takes too much time or memory.');
      });
      return blocksOf(port1, done);
    },
    close: pool.close,
  };
}

/**
 * The blocks that a thread sends, each when it is asked for.
 * @param done rejects when no more come
 */
async function blocksOf(port: MessagePort, done: Promise<void>): Promise<AsyncIterable<Uint8Array>> {
  const over = done.finally(() => port.close()).then(() => undefined);
  // Nobody may be asking for a block.
  over.catch(() => {});
  let take: (block: string | typeof over) => void = () => {};
  let isOver = false;
  const end = () => {
    isOver = true;
    take(over);
  };
  over.then(end, end);
  port.on('message', (block: string) => take(block));
  // A race with `over` for each block would keep them all until then.
  const next = (): Promise<string | undefined> => (isOver ? over : new Promise((resolve) => (take = resolve)));
  let first: string | undefined = await next();
  const blocks: AsyncIterator<Uint8Array> = {
    async next() {
      if (first === undefined) port.postMessage('next');
      const block = first ?? (await next());
      first = undefined;
      return block === undefined ? { done: true, value: undefined } : { value: Buffer.from(block) };
    },
    // A caller who disconnects.
    async return() {
      port.close();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => blocks };
}
