import { expect, it } from 'vitest';
import { emptyDatabase } from '../../../../../../testing/database.ts';
import { fixturesOf } from '../../../../../../testing/fixtures/fixtures.ts';
import { createAdministration } from '../../../setup/createAdministration.ts';
import { dialectOf } from '../../dialects/dialectOf.ts';
import { removeTriggers } from '../../logWriting/installTriggers.ts';
import { movesStock } from './006-moves-stock.ts';

it('invoices of an older version have moves_stock after the migration', async () => {
  const { db } = await emptyDatabase();
  const id = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [2026], now: 1n });
  const { addInvoice, addProduct } = fixturesOf(db, id);
  await addProduct({ articleNumber: '0100', stock: '5' });
  for (const number of [1n, 2n]) await addInvoice({ number });
  const invoices = db.selectFrom('sales_invoice').orderBy('number');
  const [first] = await invoices.select('id').execute();
  await db.updateTable('stock_mutation').set({ sales_invoice_id: first!.id }).execute();
  await removeTriggers(db, ({ table }) => table === 'sales_invoice');
  await db.schema.alterTable('sales_invoice').dropColumn('moves_stock').execute();

  await movesStock(dialectOf(db)).up(db);

  expect(await invoices.select(['number', 'moves_stock']).execute()).toEqual([
    { number: 1n, moves_stock: 1n },
    { number: 2n, moves_stock: 0n },
  ]);
  await db.destroy();
});
