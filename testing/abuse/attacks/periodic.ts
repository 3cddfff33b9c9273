import { equal, match, ok } from 'node:assert/strict';
import { addDays, dateIn, writeDate } from '../../../shared/wire/calendarDate.ts';
import { known, type Target } from '../target.ts';
import type { Attack } from './attack.ts';

/* Daily templates that start in the past: the timer makes their invoices while others read. */

const TEMPLATES = 10;
/** A run of the timer makes so many invoices of a template. */
const MAX_OF_RUN = 31;

const day = (before: number) => writeDate(addDays(dateIn('Europe/Amsterdam', new Date()), -before));

const template = (start: string, Description: string) => ({
  method: 'POST',
  path: '/rest/addsalesinvoice',
  body: JSON.stringify({
    CustomerNumber: known.party,
    PeriodicInvoiceTemplate: true,
    Periodic_StartingDate: start,
    Periodic_EndDate: day(0),
    Periodic_Frequency: 1,
    Periodic_FrequencyUnit: 'Day',
    Periodic_AutomaticMailing: true,
    Invoice_InvoiceLine: [{ ProductNumber: known.product, Quantity: 1, UnitPriceExclTax: 1, Description }],
  }),
});

const countOf = async (table: 'sales_invoice' | 'outgoing_mail', { db, administrationId }: Target): Promise<number> =>
  (await db.selectFrom(table).where('administration_id', '=', administrationId).select('id').execute()).length;

export const periodicAttacks: readonly Attack[] = [
  {
    name: 'a daily template from 1970',
    prepare:
      ({ write }) =>
      async () => {
        const { status, body } = await write(template('01-01-1970', 'x'));
        equal(status, 400);
        match(body, /TEMPLATE_STARTS_TOO_EARLY/);
        return '400';
      },
  },
  {
    name: `the invoices of ${TEMPLATES} daily templates that started long ago`,
    prepare: (target) => async () => {
      for (let index = 0; index < TEMPLATES; index++) {
        const { status, body } = await target.write(template(day(360), 'x'.repeat(12_000)));
        equal(status, 200, body);
      }
      const before = await countOf('sales_invoice', target);
      await target.runTimer('periodicInvoices');
      const made = (await countOf('sales_invoice', target)) - before;
      // A request may have found the timer late, and called it once more.
      ok(made >= TEMPLATES * MAX_OF_RUN && made <= 2 * TEMPLATES * MAX_OF_RUN, `${made} invoices`);
      const waiting = target.db.selectFrom('outgoing_mail').where('administration_id', '=', target.administrationId);
      equal((await waiting.where('state', '=', 'waiting').select('id').execute()).length, 0);
      return `${made} invoices`;
    },
  },
];
