import { workerData } from 'node:worker_threads';
import { carryOutOrders } from '../../threads/carryOutOrders.ts';
import { connectDatabase } from '../sql/openDatabase.ts';
import { type LedgerOrder, ledgerResponse } from './ledgerResponse.ts';

/* The entry of a thread that reads ledgers, on a connection of its own. */

const db = connectDatabase(workerData as string);
carryOutOrders(
  (order: LedgerOrder) => ledgerResponse(db, order),
  ({ buffer }) => [buffer],
);
