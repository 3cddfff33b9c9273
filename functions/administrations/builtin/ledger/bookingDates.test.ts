import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EndpointName } from '../../../../shared/api.ts';
import { healthAt, startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { builtinAdministrations } from '../builtin.ts';
import { importRows } from '../import/importRows.ts';
import { resources } from '../import/resources.ts';

const NOW = Date.parse('2026-06-15T10:00:00Z') / 1000;

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startApp();
  app.setTime(NOW);
});
afterAll(() => app.close());
beforeEach(async () => {
  shop = await openShop(app);
});

type Dates = { first_booking_date?: string; last_booking_date?: string; closed_until?: string; refuses_late?: bigint };
const setDates = (dates: Dates) =>
  app.db.updateTable('administration').where('id', '=', shop.administrationId).set(dates).execute();

const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: '10' };
const amount = { SubTotalInclTax: '121', TaxPc: 21 };
/** What books, on a date. */
const bookings: [name: EndpointName, body: (date: string) => object][] = [
  ['addsalesinvoice', (InvoiceDate) => ({ CustomerNumber: 7, InvoiceDate, Invoice_InvoiceLine: [line] })],
  ['addsalestransaction', (InvoiceDate) => ({ CustomerNumber: 7, InvoiceDate, Invoice_InvoiceLine: [amount] })],
  ['addpurchasetransaction', (InvoiceDate) => ({ SupplierNumber: 3, InvoiceDate, Invoice_InvoiceLine: [amount] })],
];
const template = (Periodic_StartingDate: string) => ({
  CustomerNumber: 7,
  Invoice_InvoiceLine: [line],
  PeriodicInvoiceTemplate: true,
  Periodic_StartingDate,
  Periodic_Frequency: 1,
  Periodic_FrequencyUnit: 'Month',
  Periodic_AutomaticMailing: true,
});

const file = (name: string, headings: string[], cells: string[]) => ({
  file: name,
  headingLine: 1,
  headings,
  rows: (async function* () {
    yield { line: 2, cells };
  })(),
});

/** Imports one invoice of a date. @returns its errors */
async function imported(resource: 'invoices' | 'purchase-invoices', date: string): Promise<string[]> {
  const source =
    resource === 'invoices'
      ? file(
          'invoices.csv',
          ['InvoiceNumber', 'CustomerNumber', 'InvoiceDate', 'InvoiceType', 'SubTotalInclTax', 'TaxPc'],
          ['50', '7', date, 'BOOKKEEPING', '121', '21'],
        )
      : file(
          'purchase-invoices.csv',
          ['PurchaseInvoiceNumber', 'SupplierNumber', 'InvoiceDate', 'SubTotalInclTax', 'TaxPc'],
          ['50', '3', date, '121', '21'],
        );
  const options = { administrationId: shop.administrationId, now: BigInt(NOW) };
  const { problems } = await importRows(app.db, resources[resource], source as never, options);
  return problems.map(({ column, message }) => `${column}: ${message}`);
}

describe.each(bookings)('%s', (name, body) => {
  it('accepts dates from 1970 to 2199, and no others', async () => {
    expect(await shop.refused(name, body('31-12-1969'))).toEqual(['InvoiceDate']);
    expect(await shop.refused(name, body('01-01-2200'))).toEqual(['InvoiceDate']);
    await shop.accepted(name, body('01-01-1970'));
    await shop.accepted(name, body('31-12-2199'));
  });

  it('accepts the booking dates of the administration after its closed period', async () => {
    await setDates({ first_booking_date: '2025-01-01', last_booking_date: '2026-12-31', closed_until: '2026-03-31' });
    for (const date of ['31-12-2024', '01-01-2025', '31-03-2026', '01-01-2027']) {
      expect(await shop.refused(name, body(date))).toEqual(['InvoiceDate']);
    }
    for (const date of ['01-04-2026', '31-12-2026']) await shop.accepted(name, body(date));
    await setDates({ closed_until: '' });
    await shop.accepted(name, body('31-03-2026'));
  });

  it('is booked in a period whose return was filed, unless the administration refuses that', async () => {
    await app.db
      .insertInto('vat_return')
      .values({
        administration_id: shop.administrationId,
        period: '2026-Q1',
        first_day: '2026-01-01',
        last_day: '2026-03-31',
        figures: '{}',
        documents: '[]',
        filed_on: 1n,
      })
      .execute();
    await shop.accepted(name, body('31-03-2026'));
    await setDates({ refuses_late: 1n });
    for (const date of ['01-01-2026', '31-03-2026']) {
      expect(await shop.refused(name, body(date))).toEqual(['InvoiceDate']);
    }
    for (const date of ['31-12-2025', '01-04-2026']) await shop.accepted(name, body(date));
  });

  it('without a date is refused when today is in the closed period', async () => {
    await setDates({ closed_until: '2026-06-15' });
    const { InvoiceDate: _, ...undated } = body('') as { InvoiceDate: string };
    expect(await shop.refused(name, undated)).toEqual(['InvoiceDate']);
  });
});

describe('an import', () => {
  it.each(['invoices', 'purchase-invoices'] as const)(
    'of %s tells dates on which nothing is booked',
    async (resource) => {
      await setDates({ closed_until: '2026-03-31' });
      expect(await imported(resource, '31-03-2026')).toEqual([
        'InvoiceDate: expected a date after 2026-03-31, until when the books are closed, got 2026-03-31',
      ]);
      expect(await imported(resource, '31-12-1969')).toEqual([
        'InvoiceDate: expected a date from 1970-01-01 to 2199-12-31, outside of which nothing is booked, got 1969-12-31',
      ]);
      expect(await imported(resource, '01-04-2026')).toEqual([]);
    },
  );
});

it('a draft may have any date, since it is not booked', async () => {
  await setDates({ closed_until: '2026-03-31' });
  await shop.accepted('addsalesinvoice', {
    CustomerNumber: 7,
    InvoiceDate: '01-01-2026',
    AddAsDraft: true,
    Invoice_InvoiceLine: [line],
  });
});

describe('a periodic invoice', () => {
  const waiting = async () =>
    (await healthAt(app.url)).json.database?.periodicInvoices ?? (await healthAt(app.url)).text;
  const make = (day: string, logged: string[] = []) =>
    builtinAdministrations(app.db, {
      clock: () => Date.parse(`${day}T10:00:00Z`),
      warn: (text) => logged.push(text),
    }).upkeep!.makeDueInvoices(new AbortController().signal);

  it('cannot begin in a closed period', async () => {
    await setDates({ closed_until: '2026-06-30' });
    expect(await shop.refused('addsalesinvoice', template('30-06-2026'))).toEqual(['Periodic_StartingDate']);
  });

  it('that falls due in a closed period waits, is reported, and is made when the period is opened', async () => {
    await shop.accepted('addsalesinvoice', template('20-06-2026'));
    await setDates({ closed_until: '2026-07-31' });
    const logged: string[] = [];
    expect(await make('2026-08-25', logged)).toBe(0);
    expect(logged.join('\n')).toContain('until when the books are closed, got 2026-06-20');
    app.setTime(Date.parse('2026-08-25T10:00:00Z') / 1000);
    const health = await builtinAdministrations(app.db, { clock: () => Date.parse('2026-08-25T10:00:00Z') }).health();
    expect(health.periodicInvoices).toEqual({ waiting: 1, since: '2026-06-20' });
    expect(await waiting()).toBeDefined();
    await setDates({ closed_until: '' });
    expect(await make('2026-08-25')).toBe(3);
    app.setTime(NOW);
  });
});

it('bookings are always within the booking dates, for any of them', async () => {
  const day = fc
    .integer({ min: 0, max: 400 })
    .map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10));
  const dutch = (date: string) => date.split('-').reverse().join('-');
  await fc.assert(
    fc.asyncProperty(day, day, day, day, async (first, last, closed, date) => {
      await setDates({ first_booking_date: first, last_booking_date: last, closed_until: closed });
      const isOpen = date >= first && date <= last && date > closed;
      const body = { CustomerNumber: 7, InvoiceDate: dutch(date), Invoice_InvoiceLine: [amount] };
      const { status } = await shop.post('/rest/addsalestransaction', body);
      expect(status).toBe(isOpen ? 200 : 400);
    }),
    { numRuns: 60 },
  );
});
