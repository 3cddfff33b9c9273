import type { Timer } from '@azure/functions';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import host from '../../host.json' with { type: 'json' };
import { startApp, type TestApp } from '../../testing/app.ts';
import { startSmtpServer } from '../../testing/documents/smtpServer.ts';
import { builtinAdministrations } from '../administrations/builtin/builtin.ts';
import { smtpMailer } from '../administrations/invoiceDocuments/mail/mailer.ts';
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

it('a run that lasts long sends the mail in hand, and leaves the rest to the next run', async () => {
  app.setTime(Date.parse('2026-03-02T09:00:00Z') / 1000);
  const administration = await app.addAdministration({ furnished: true });
  const place = { street: 'Veilingweg', postal_code: '1431 GN', city: 'Aalsmeer' };
  const numbers = { vat_number: 'NL812345678B01', company_number: '34565433', iban: 'NL91ABNA0417164300' };
  await app.db
    .updateTable('administration')
    .where('id', '=', administration.administrationId)
    .set({ ...place, ...numbers })
    .execute();
  await administration.addRelation({ name: 'Bakkerij', customerNumber: 7, email: 'inkoop@bakkerij.example' });
  await administration.addProduct({ articleNumber: 'H', name: 'Huur' });
  const invoice = {
    CustomerNumber: 7,
    EmailToCustomer: true,
    Invoice_InvoiceLine: [{ ProductNumber: 'H', Quantity: 1, UnitPriceExclTax: 100, TaxPc: 21 }],
  };
  for (let made = 0; made < 3; made++) {
    expect((await administration.post('/rest/addsalesinvoice', invoice)).status).toBe(200);
  }
  const states = async () =>
    (await app.db.selectFrom('outgoing_mail').orderBy('id').select('state').execute()).map(({ state }) => state);
  const asked = Promise.withResolvers<() => void>();
  let isOver = false;
  const server = await startSmtpServer({
    onData(stream, _session, done) {
      stream.resume();
      // The first reply waits until the run is over.
      stream.on('end', () => (isOver ? done() : asked.resolve(done)));
    },
  });
  onTestFinished(server.close);
  const slice = new AbortController();
  const lengths = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(slice.signal);
  onTestFinished(() => lengths.mockRestore());
  const mailer = smtpMailer(server.url, { from: 'facturen@delinde.example', requiresTls: false });
  const clock = () => Date.parse('2026-03-02T10:00:00Z');
  const { timers } = upkeepFunctions(async () => builtinAdministrations(app.db, { clock, mailer }));
  const run = () =>
    timers[1]!.handler(
      {} as Timer,
      newContext('outgoingMail', () => {}),
    );

  const first = run();
  const accept = await asked.promise;
  isOver = true;
  slice.abort(new DOMException('', 'TimeoutError'));
  accept();
  await first;
  expect(await states()).toEqual(['sent', 'waiting', 'waiting']);
  lengths.mockRestore();
  await run();
  expect(await states()).toEqual(['sent', 'sent', 'sent']);
});

it.each([0, 1])('no run of timer %i lasts so long that the platform ends the worker', async (timer) => {
  const lengths = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => lengths.mockRestore());
  const { timers } = upkeepFunctions(async () => builtinAdministrations(app.db));
  await timers[timer]!.handler(
    {} as Timer,
    newContext('upkeep', () => {}),
  );
  const [, minutes] = /^00:(\d\d):00$/.exec(host.functionTimeout)!;
  // What is in hand then may be a mail for which the server takes five minutes.
  expect(lengths).toHaveBeenCalledOnce();
  expect(lengths.mock.calls[0]![0]).toBeLessThan((Number(minutes) - 5) * 60_000);
});
