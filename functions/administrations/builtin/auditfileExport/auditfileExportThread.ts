import { type MessagePort, workerData } from 'node:worker_threads';
import { carryOutOrders } from '../../threads/carryOutOrders.ts';
import { connectDatabase } from '../sql/openDatabase.ts';
import { type AuditfileOrder, sendAuditfile } from './sendAuditfile.ts';

/* The entry of a thread that writes audit files, on a connection of its own. */

/** `port` gets the blocks, and asks for the next. */
export type PortOrder = AuditfileOrder & { port: MessagePort };

/** Milliseconds after which a caller who takes no further block is not waited for. */
const STALLED_MS = 60_000;

const db = connectDatabase(workerData as string);

carryOutOrders(async ({ port, ...order }: PortOrder): Promise<void> => {
  let isClosed = false;
  let wanted = Promise.withResolvers<void>();
  const end = () => {
    isClosed = true;
    wanted.reject(new Error('Nobody reads the audit file.'));
  };
  wanted.resolve();
  port.on('message', () => wanted.resolve()).on('close', end);
  try {
    await sendAuditfile(db, order, async (block) => {
      wanted = Promise.withResolvers();
      if (isClosed) end();
      // As text: bytes that were sent would stay in memory until there are 64 MB of them.
      else port.postMessage(block);
      const timer = setTimeout(end, STALLED_MS);
      await wanted.promise.finally(() => clearTimeout(timer));
    });
  } finally {
    port.close();
  }
});
