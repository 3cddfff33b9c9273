import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestAdministration, type TestApp } from '../../../../testing/app.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { builtinAdministrations } from '../builtin.ts';
import { openDatabase } from '../sql/openDatabase.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const at = (moment: string): number => Date.parse(moment);

/** Another instance of the app over the same database makes the invoices that are due at some time. */
const makeDue = (moment: string, { logged = [], stopping = new AbortController().signal }: Run = {}) =>
  builtinAdministrations(app.db, {
    clock: () => at(moment),
    warn: (line) => logged.push(line),
  }).upkeep!.makeDueInvoices(stopping);
type Run = { logged?: string[]; stopping?: AbortSignal };

type Given = Record<string, unknown>;

/** A template made on 1 January 2026, unless said otherwise. */
async function template(given: Given, madeAt = '2026-01-01T09:00:00Z'): Promise<TestAdministration> {
  const administration = await app.addAdministration({ furnished: true });
  await administration.addRelation({ name: 'Bakkerij', customerNumber: 7 });
  await administration.addProduct({ articleNumber: 'H', name: 'Huur' });
  await add(administration, given, madeAt);
  return administration;
}

async function add(administration: TestAdministration, given: Given, madeAt: string): Promise<void> {
  app.setTime(at(madeAt) / 1000);
  const { status, text } = await administration.post('/rest/addsalesinvoice', {
    CustomerNumber: 7,
    PeriodicInvoiceTemplate: true,
    Periodic_StartingDate: '31-01-2026',
    Periodic_Frequency: 1,
    Periodic_FrequencyUnit: 'Month',
    Invoice_InvoiceLine: [{ ProductNumber: 'H', Quantity: 1, UnitPriceExclTax: 100, TaxPc: 21, Description: 'Huur' }],
    ...given,
  });
  if (status !== 200) throw new Error(text);
}

/** The invoices there are, as they were numbered. */
const invoices = async (administration: TestAdministration): Promise<Given[]> =>
  (await administration.get('/rest/listsalesinvoices?IncludeInvoiceLinesInResponse=true')).json.toReversed();
const dates = async (administration: TestAdministration) =>
  (await invoices(administration)).map(({ InvoiceDate }) => InvoiceDate);

describe('periodic invoices', () => {
  it('are made for every due date that has passed, also after days offline, in order and once', async () => {
    const administration = await template({});
    await makeDue('2026-01-30T22:30:00Z');
    expect(await dates(administration)).toEqual([]);
    // It is the 31st in Amsterdam.
    await makeDue('2026-01-30T23:30:00Z');
    expect(await dates(administration)).toEqual(['31-01-2026']);
    await makeDue('2026-04-30T09:00:00Z');
    await makeDue('2026-04-30T09:05:00Z');
    expect(await dates(administration)).toEqual(['31-01-2026', '28-02-2026', '31-03-2026', '30-04-2026']);
  });

  it('of several templates are numbered by their dates', async () => {
    const administration = await template({ Periodic_StartingDate: '10-01-2026' });
    await add(administration, { Periodic_StartingDate: '05-01-2026', InvoiceReference: 'B' }, '2026-01-01T09:00:00Z');
    await makeDue('2026-02-20T09:00:00Z');
    expect(await dates(administration)).toEqual(['05-01-2026', '10-01-2026', '05-02-2026', '10-02-2026']);
  });

  it('go to the customer of their template, also after its number became that of another', async () => {
    const administration = await template({});
    const relations = app.db.updateTable('relation').where('administration_id', '=', administration.administrationId);
    await relations.set({ customer_number: 8n }).execute();
    await administration.addRelation({ name: 'Slager', customerNumber: 7 });
    await makeDue('2026-01-31T09:00:00Z');
    expect(await invoices(administration)).toMatchObject([{ CustomerName: 'Bakkerij', CustomerNumber: 8 }]);
  });

  it('are made until their administration is archived, also when that is during a run', async () => {
    const administration = await template({ Periodic_FrequencyUnit: 'Day' });
    const logged: string[] = [];
    const moment = () => at('2026-04-30T09:00:00Z');
    const { upkeep } = builtinAdministrations(app.db, { clock: moment, warn: (line) => logged.push(line) });
    const run = upkeep!.makeDueInvoices(new AbortController().signal);
    while ((await dates(administration)).length === 0) await setTimeout(1);
    const archived = app.db.updateTable('administration').set({ archived_on: 1n });
    await archived.where('id', '=', administration.administrationId).execute();
    const before = await dates(administration);
    await run;
    expect(await dates(administration)).toEqual(before);
    expect(logged).toEqual([]);
  });

  it('that are due today are made once', async () => {
    const administration = await template({ Periodic_StartingDate: '01-01-2026' });
    await makeDue('2026-01-01T10:00:00Z');
    expect(await dates(administration)).toEqual(['01-01-2026']);
  });

  it('end at the end date, and skip weekends if the template says so', async () => {
    const daily = {
      Periodic_StartingDate: '02-01-2026',
      Periodic_FrequencyUnit: 'Day',
      Periodic_EndDate: '06-01-2026',
    };
    const administration = await template({ ...daily, Periodic_SkipWeekends: true });
    await makeDue('2026-02-01T10:00:00Z');
    // 3 and 4 January 2026 are a Saturday and a Sunday.
    expect(await dates(administration)).toEqual(['02-01-2026', '05-01-2026', '06-01-2026']);
  });

  it.each([
    ['on its own day', { InvoiceDueDate: '31-01-2026' }, ['31-01-2026', '28-02-2026', '31-03-2026']],
    ['as many days later', { InvoiceDueDate: '14-02-2026' }, ['14-02-2026', '14-03-2026', '14-04-2026']],
    ['after its due days', { InvoiceDueDays: 1 }, ['01-02-2026', '01-03-2026', '01-04-2026']],
  ])('are due %s after their date, as their template says', async (_, due, expected) => {
    const administration = await template(due);
    await makeDue('2026-03-31T09:00:00Z');
    expect((await invoices(administration)).map(({ InvoiceDueDate }) => InvoiceDueDate)).toEqual(expected);
  });

  it('have the dates in their texts moved, and have mail if their template says so, which is held for past dates', async () => {
    const administration = await template({
      InvoiceNotes: 'Huur 01-02-2026 t/m 28-02-2026',
      InvoiceDueDays: 14,
      Periodic_ChangeDateTokensValue: 1,
      Periodic_ChangeDateTokensBeforeAfter: 'After',
      Periodic_AutomaticMailing: true,
      Invoice_InvoiceLine: [
        { ProductNumber: 'H', Quantity: 1, UnitPriceExclTax: 100, TaxPc: 21, Description: 'Vanaf 31-01-2026' },
      ],
    });
    await makeDue('2026-03-31T09:00:00Z');
    const results = await invoices(administration);
    expect(results.map(({ InvoiceNotes }) => InvoiceNotes)).toEqual([
      'Huur 01-02-2026 t/m 28-02-2026',
      'Huur 01-03-2026 t/m 28-03-2026',
      'Huur 01-04-2026 t/m 28-04-2026',
    ]);
    const lines = results.map(({ Invoice_InvoiceLine }) => (Invoice_InvoiceLine as Given[])[0]!.Description);
    expect(lines).toEqual(['Vanaf 31-01-2026', 'Vanaf 28-02-2026', 'Vanaf 31-03-2026']);
    expect(results.map(({ InvoiceDueDate }) => InvoiceDueDate)).toEqual(['14-02-2026', '14-03-2026', '14-04-2026']);
    const mails = await app.db
      .selectFrom('outgoing_mail')
      .where('administration_id', '=', administration.administrationId)
      .orderBy('id')
      .select(['state', 'reason'])
      .execute();
    const reason = 'The date of the invoice had passed when it was made: it is mailed when somebody says so.';
    const held = { state: 'held', reason };
    expect(mails).toEqual([held, held, { state: 'waiting', reason: '' }]);
  });

  it('are each made once by several instances at the same time', async () => {
    const administration = await template({ Periodic_StartingDate: '01-02-2026', Periodic_FrequencyUnit: 'Day' });
    const results = await Promise.all(Array.from({ length: 4 }, () => makeDue('2026-03-02T09:00:00Z')));
    expect(results.reduce((sum, count) => sum + count, 0)).toBe(30);
    const found = await dates(administration);
    expect(new Set(found).size).toBe(30);
    expect(found).toHaveLength(30);
  });

  it('of one template are a month of days in a run at most, and others get theirs in the same run', async () => {
    const daily = { Periodic_StartingDate: '01-03-2025', Periodic_FrequencyUnit: 'Day' };
    const administration = await template(daily);
    const other = await template({ Periodic_StartingDate: '28-02-2026' });
    await add(administration, { Periodic_StartingDate: '28-02-2026' }, '2026-01-01T09:00:00Z');
    const run = () => makeDue('2026-02-28T09:00:00Z');
    expect(await run()).toBe(33);
    const found = await dates(administration);
    expect(found).toHaveLength(32);
    expect(found.slice(-2)).toEqual(['31-03-2025', '28-02-2026']);
    expect(await dates(other)).toEqual(['28-02-2026']);
    expect(await run()).toBe(31);
    expect((await dates(administration)).at(-1)).toBe('01-05-2025');
  });

  it('are made in turns with other administrations, and with other work after each', async () => {
    const daily = { Periodic_StartingDate: '01-01-2026', Periodic_FrequencyUnit: 'Day' };
    const two = [await template(daily, '2025-12-01T09:00:00Z'), await template(daily, '2025-12-01T09:00:00Z')];
    const [one, other] = two.map(({ administrationId }) => administrationId) as [bigint, bigint];
    let isRunning = true;
    const counts: [bigint, bigint][] = [];
    const watch = async () => {
      while (isRunning) {
        const count = async (id: bigint) =>
          (await app.db.selectFrom('sales_invoice').where('administration_id', '=', id).select('id').execute()).length;
        counts.push([BigInt(await count(one)), BigInt(await count(other))]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const watching = watch();
    await makeDue('2026-01-20T09:00:00Z');
    isRunning = false;
    await watching;
    // Read between any two invoices: the two administrations never differ by more than those made during the reading.
    expect(new Set(counts.map(([first]) => first)).size).toBeGreaterThanOrEqual(15);
    for (const [first, second] of counts) expect(Math.abs(Number(first - second))).toBeLessThanOrEqual(2);
    expect(counts.at(-1)).toEqual([20n, 20n]);
  });

  it('that fail do not stop others, and are made once they can be', async () => {
    const administration = await template({});
    await add(
      administration,
      { Invoice_InvoiceLine: [{ IsTextLine: true, Description: 'x' }] },
      '2026-01-01T09:00:00Z',
    );
    const product = app.db.updateTable('product').where('administration_id', '=', administration.administrationId);
    await product.set({ article_number: 'Weg' }).execute();
    const logged: string[] = [];
    await makeDue('2026-02-01T09:00:00Z', { logged });
    expect(await dates(administration)).toEqual(['31-01-2026']);
    expect(logged.join()).toMatch(/Periodic invoice \d+ was not made: .*ProductNumber/);
    await product.set({ article_number: 'H' }).execute();
    await makeDue('2026-02-01T09:05:00Z');
    expect(await dates(administration)).toEqual(['31-01-2026', '31-01-2026']);
  });
});

it.runIf(databaseKind() === 'server')(
  'periodic invoices are made while an import into another administration keeps its writers waiting',
  async () => {
    await app.db.deleteFrom('periodic_invoice').execute();
    const daily = { Periodic_StartingDate: '01-01-2026', Periodic_FrequencyUnit: 'Day' };
    const busy = await template({}, '2025-12-01T09:00:00Z');
    for (let more = 0; more < 5; more++) await add(busy, {}, '2025-12-01T09:00:00Z');
    const free = await template(daily, '2025-12-01T09:00:00Z');
    const db = await openDatabase(`${app.databaseUrl}?statement_timeout=250`);
    const logged: string[] = [];
    /** Makes what is due. @param atWarning called with the number of each */
    const due = (atWarning: (number: number) => void, stopping: AbortSignal) =>
      builtinAdministrations(db, {
        clock: () => at('2026-01-31T09:00:00Z'),
        warn: (line) => atWarning(logged.push(line)),
      }).upkeep!.makeDueInvoices(stopping);
    const stop = new AbortController();
    await app.db.transaction().execute(async (trx) => {
      const { administrationId } = busy;
      await trx.selectFrom('administration').where('id', '=', administrationId).select('id').forUpdate().execute();
      // All others have theirs before it is tried again.
      const made = await due((number) => number === 2 && stop.abort(), stop.signal);
      expect([made, logged.length]).toEqual([31, 2]);
      // A run does not wait for each of its templates.
      logged.length = 0;
      expect(await due(() => {}, new AbortController().signal)).toBe(0);
      expect(logged).toHaveLength(4);
    });
    expect(await due(() => {}, new AbortController().signal)).toBe(6);
    expect((await dates(free)).length).toBe(31);
    await db.destroy();
  },
);

describe('a run that the app stops', () => {
  it('begins no other invoice, and the next run makes the others', async () => {
    await app.db.deleteFrom('periodic_invoice').execute();
    const daily = { Periodic_StartingDate: '01-01-2026', Periodic_FrequencyUnit: 'Day' };
    const two = [await template(daily, '2025-12-01T09:00:00Z'), await template(daily, '2025-12-01T09:00:00Z')];
    const ids = two.map(({ administrationId }) => administrationId);
    const count = async () =>
      (await app.db.selectFrom('sales_invoice').where('administration_id', 'in', ids).select('id').execute()).length;
    const stop = new AbortController();
    const run = makeDue('2026-01-25T09:00:00Z', { stopping: stop.signal });
    while ((await count()) < 3) await setTimeout(1);
    const before = await count();
    stop.abort();
    const made = await run;
    // The one in hand is completed; others were made while these were counted.
    expect(made - before).toBeLessThanOrEqual(3);
    expect(await count()).toBe(made);
    expect(await makeDue('2026-01-25T09:00:00Z', { stopping: stop.signal })).toBe(0);
    expect(await makeDue('2026-01-25T09:00:00Z')).toBe(50 - made);
    for (const administration of two) expect(new Set(await dates(administration)).size).toBe(25);
  });
});

it('health reports the number of overdue templates, and since when', async () => {
  await app.db.deleteFrom('periodic_invoice').execute();
  await template({ Periodic_StartingDate: '15-01-2027' }, '2027-01-01T09:00:00Z');
  const now = { clock: () => at('2027-02-01T09:00:00Z') };
  await makeDue('2027-01-10T09:00:00Z');
  const administrations = builtinAdministrations(app.db, now);
  expect(await administrations.health()).toMatchObject({ periodicInvoices: { since: '2027-01-15' } });
  await makeDue('2027-02-01T09:00:00Z');
  expect(await administrations.health()).toMatchObject({ periodicInvoices: { waiting: 0, since: null } });
});

it('an instance that is killed while it makes periodic invoices leaves each due date processed at most once', async (context) => {
  if (app.databaseUrl === '') return context.skip();
  await app.db.deleteFrom('periodic_invoice').execute();
  const administration = await template({ Periodic_StartingDate: '01-01-2028', Periodic_FrequencyUnit: 'Day' });
  const script = new URL('../../../../testing/documents/upkeepProcess.ts', import.meta.url).pathname;
  for (let round = 0; round < 4; round++) {
    const parameters = [script, app.databaseUrl, String(at('2028-05-31T09:00:00Z'))];
    const child = spawn(process.execPath, parameters, { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const before = (await dates(administration)).length;
    // Until it has begun to work, and a little longer each time.
    while (child.exitCode === null && (await dates(administration)).length <= before) await setTimeout(5);
    await setTimeout(7 * round);
    child.kill('SIGKILL');
    await ended;
  }
  while ((await makeDue('2028-05-31T09:00:00Z')) > 0);
  const rows = await app.db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administration.administrationId)
    .orderBy('number')
    .select(['number', 'date'])
    .execute();
  const found = rows.map(({ date }) => date);
  expect(found).toHaveLength(152);
  expect(found).toEqual([...new Set(found)].sort());
});
