import type { Timer } from '@azure/functions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { builtinAdministrations } from '../administrations/builtin/builtin.ts';
import { newContext } from '../host/context.ts';
import { upkeepFunctions } from './upkeep.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('a stop of the app ends the timer of periodic invoices, and another instance makes the rest', async () => {
  app.setTime(Date.parse('2026-01-01T09:00:00Z') / 1000);
  const administration = await app.addAdministration({ furnished: true });
  await administration.addRelation({ name: 'Bakkerij', customerNumber: 7 });
  await administration.addProduct({ articleNumber: 'H', name: 'Huur' });
  const template = {
    CustomerNumber: 7,
    PeriodicInvoiceTemplate: true,
    Periodic_StartingDate: '02-01-2026',
    Periodic_Frequency: 1,
    Periodic_FrequencyUnit: 'Day',
    Invoice_InvoiceLine: [{ ProductNumber: 'H', Quantity: 1, UnitPriceExclTax: 100, TaxPc: 21 }],
  };
  expect((await administration.post('/rest/addsalesinvoice', template)).status).toBe(200);
  const count = async () => {
    const invoices = app.db
      .selectFrom('sales_invoice')
      .where('administration_id', '=', administration.administrationId);
    return (await invoices.select('date').distinct().execute()).length;
  };
  const clock = () => Date.parse('2026-02-01T09:00:00Z');
  const instance = () => upkeepFunctions(async () => builtinAdministrations(app.db, { clock }));
  const logged: string[] = [];
  const run = ({ timers }: ReturnType<typeof instance>) =>
    timers[0]!.handler(
      {} as Timer,
      newContext('periodicInvoices', (line) => logged.push(line)),
    );

  const one = instance();
  const running = run(one);
  await expect.poll(count, { interval: 1 }).toBeGreaterThan(2);
  const before = await count();
  await one.stop();
  const made = await count();
  // The one in hand is completed; others were made while these were counted.
  expect(made - before).toBeLessThanOrEqual(3);
  await running;
  expect(await count()).toBe(made);
  expect(logged).toEqual([`{"periodicInvoices":{"made":${made}}}`]);

  await run(instance());
  expect(await count()).toBe(31);
  expect(logged[1]).toBe(`{"periodicInvoices":{"made":${31 - made}}}`);
});
