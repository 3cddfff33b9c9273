import path from 'node:path';
import { Problem } from '../../../../shared/problem.ts';
import { TookTooMuch, threadPool } from '../../threads/threadPool.ts';
import type { LedgerOrder } from './ledgerResponse.ts';

/** Questions of one administration that may wait. */
const MAX_WAITING = 100;
/** Seconds after which a caller may ask again. */
const RETRY_SECONDS = 5;

/** Longer than a connection to a server that has fallen silent stays, which is not the fault of the question. */
const MAX_MS = 90_000;

type Limits = { threads?: number; maxMs?: number; maxMegabytes?: number };

/** Answers questions about ledgers. */
export type LedgerThreads = ReturnType<typeof ledgerThreads>;

/**
 * Answers questions about ledgers in threads of their own: one about a large ledger takes seconds, and no other request
 * waits for it. Administrations take turns, with one question each at a time.
 * @param databaseUrl of a database that several connections can open
 */
export function ledgerThreads(databaseUrl: string, { threads = 2, maxMs = MAX_MS, maxMegabytes = 512 }: Limits = {}) {
  const pool = threadPool<LedgerOrder, Uint8Array<ArrayBuffer>>({
    entry: path.join(import.meta.dirname, 'ledgerThread.ts'),
    data: databaseUrl,
    ...{ threads, maxMs, maxMegabytes },
  });
  return {
    /** The response: JSON text in UTF-8. @throws Problem */
    async response(order: LedgerOrder): Promise<Buffer> {
      const owner = String(order.administration.id);
      if (pool.waitingSize(owner) >= MAX_WAITING) {
        throw new Problem('UNAVAILABLE', 'Expected fewer questions about the ledger at the same time.', {
          headers: { 'Retry-After': String(RETRY_SECONDS) },
        });
      }
      try {
        return Buffer.from((await pool.run(order, owner)).buffer);
      } catch (failure) {
        if (!(failure instanceof TookTooMuch)) throw failure;
        throw new Problem('INVALID_REQUEST', 'The response takes too much time or memory: ask for less at once.');
      }
    },
    close: pool.close,
  };
}
