import { beforeAll, beforeEach, expect } from 'vitest';
import { listKeys } from '../../functions/administrations/builtin/credentials/keys.ts';
import { verifyLog } from '../../functions/administrations/builtin/log/verifyLog.ts';
import {
  installTriggers,
  removeTriggers,
} from '../../functions/administrations/builtin/sql/logWriting/installTriggers.ts';
import { startApp, type TestApp } from '../app.ts';
import { openShop, type Shop } from '../shop.ts';

export const NOW = Date.parse('2026-03-02T09:00:00Z') / 1000;

/** For tests of the log: an app, and for each test a shop whose log has no changes of the fixtures. */
export function loggedShop() {
  const logged = {} as { app: TestApp; shop: Shop; key: bigint };
  beforeAll(async () => {
    logged.app = await startApp();
    logged.app.setTime(NOW);
    return () => logged.app.close();
  });
  beforeEach(async () => {
    const { app } = logged;
    logged.shop = await openShop(app);
    logged.key = (await listKeys(app.db, logged.shop.administrationId))[0]!.id;
    await removeTriggers(app.db, ({ table }) => table === 'log_change');
    await installTriggers(app.db, 0n);
  });
  const rows = () =>
    logged.app.db
      .selectFrom('log')
      .where('administration_id', '=', logged.shop.administrationId)
      .orderBy('sequence')
      .selectAll()
      .execute();
  /** The rows that some work adds. Every change must be in them. */
  async function added(work: () => Promise<unknown>) {
    const before = (await rows()).length;
    await work();
    expect(await logged.app.db.selectFrom('log_change').selectAll().execute()).toEqual([]);
    return (await rows()).slice(before);
  }
  const problems = () => Array.fromAsync(verifyLog(logged.app.db, logged.shop.administrationId));
  return Object.assign(logged, { rows, added, problems });
}

export const changesOf = (
  row: { changes: string } | undefined,
): { table: string; operation: string; old?: object; new?: object }[] => JSON.parse(row!.changes);

/** Requests of an invoice line, a new product and a bookkeeping line. */
export const line = { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: '10' };
export const product = {
  ArticleNumber: '0300',
  NewName: 'Tafel',
  CategoryName: 'Nieuw',
  CategoryCreateIfMissing: true,
};
export const booked = { LedgerAccountNumber: '8000', Description: 'Werk', SubTotalInclTax: '121.00' };
