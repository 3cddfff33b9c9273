import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import type { SmtpReceived } from '../documents/smtpServer.ts';
import type { TestCredential } from '../fixtures/administration.ts';
import { fixturesOf } from '../fixtures/fixtures.ts';
import { addInitialData, sendTo } from './writes.ts';

/* Periodic invoices that are due, and the mail they make. */

/** The due dates of each template when it is added. */
const DUE_DATES = 5;
const CUSTOMER = 8;

/** Creates an administration with a customer whose invoices are mailed. */
export async function addPeriodicCustomer(db: Database, seed: number): Promise<TestCredential> {
  const data = await addInitialData(db, seed);
  const { addRelation } = fixturesOf(db, data.administrationId);
  const row = { street: 'Dorpsstraat', postal_code: '1234 AB', city: 'Gouda', country_code: 'NL' };
  await addRelation({ guid: 5000n, name: 'Huurder', customerNumber: CUSTOMER, email: 'huurder@example.com', row });
  await db
    .updateTable('administration')
    .where('id', '=', data.administrationId)
    .set({ street: 'Veilingweg', postal_code: '1431 GN', city: 'Aalsmeer', iban: 'NL91ABNA0417164300' })
    .set({ vat_number: 'NL812345678B01', company_number: '34565433' })
    .execute();
  return data;
}

/** Adds a template with DUE_DATES due dates: the last days, and today, whose invoice is mailed. */
export function addTemplate(
  url: string,
  { credential }: TestCredential,
  reference: string,
): Promise<{ status: number; text: string }> {
  const [start, end] = [day(1 - DUE_DATES), day(0)];
  return sendTo({ url }, credential, {
    endpoint: 'addsalesinvoice',
    body: {
      CustomerNumber: CUSTOMER,
      InvoiceReference: reference,
      PeriodicInvoiceTemplate: true,
      Periodic_StartingDate: start,
      Periodic_EndDate: end,
      Periodic_Frequency: 1,
      Periodic_FrequencyUnit: 'Day',
      Periodic_AutomaticMailing: true,
      Invoice_InvoiceLine: [{ ProductNumber: 'A', Quantity: 1, UnitPriceExclTax: '9.99' }],
    },
  });
}

/** The date in Amsterdam so many days from today, as dd-mm-yyyy. */
function day(fromToday: number): string {
  const moment = new Date(Date.now() + fromToday * 24 * 3600_000);
  return moment.toLocaleDateString('nl-NL', {
    timeZone: 'Europe/Amsterdam',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  });
}

/**
 * Checks that each due date of each template has exactly one invoice, that the numbers have no gaps, and that each
 * invoice was mailed at most once.
 * @param acknowledged the references of acknowledged templates
 * @param timeout the longest time to wait for due work, in milliseconds
 */
export async function periodicFindings(
  db: Database,
  { administrationId }: TestCredential,
  acknowledged: readonly string[],
  received: readonly SmtpReceived[],
  timeout: number,
): Promise<string[]> {
  const findings: string[] = [];
  const until = Date.now() + timeout;
  const waiting = async (): Promise<string[]> => {
    const templates = await db
      .selectFrom('periodic_invoice')
      .where('administration_id', '=', administrationId)
      .where('made', '<', BigInt(DUE_DATES))
      .select('id')
      .execute();
    const mails = await mailsOf(db, administrationId);
    return [
      ...templates.map(({ id }) => `Template ${id} is not done.`),
      ...mails.flatMap(({ number, state }) => (state === 'waiting' ? [`The mail of ${number} waits.`] : [])),
    ];
  };
  while ((await waiting()).length > 0 && Date.now() < until) await sleep(500);
  findings.push(...(await waiting()));

  const templates = await db
    .selectFrom('periodic_invoice')
    .where('administration_id', '=', administrationId)
    .select('request')
    .execute();
  const references = templates.map(({ request }) => JSON.parse(request).InvoiceReference as string);
  for (const one of acknowledged) {
    if (!references.includes(one)) findings.push(`Template ${one} was acknowledged, and is not stored.`);
  }
  if (new Set(references).size < references.length) findings.push('A template is stored twice.');
  const invoices = await db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administrationId)
    .orderBy('number')
    .select(['number', 'reference', 'date'])
    .execute();
  if (invoices.some(({ number }, index) => number !== BigInt(index + 1))) {
    findings.push('The numbers of periodic invoices have gaps.');
  }
  const dates = Array.from({ length: DUE_DATES }, (_, index) => day(index + 1 - DUE_DATES));
  const expected = references.flatMap((reference) => dates.map((date) => `${reference} ${date}`)).sort();
  const made = invoices.map(({ reference, date }) => `${reference} ${date.split('-').toReversed().join('-')}`).sort();
  if (made.join('\n') !== expected.join('\n')) {
    findings.push(`The invoices ${made} were made, and ${expected} were due.`);
  }

  const times = Map.groupBy(received, ({ content }) => Number(/^Message-ID: <invoice-\d+-(\d+)@/im.exec(content)?.[1]));
  for (const { number, state } of await mailsOf(db, administrationId)) {
    const count = times.get(Number(number))?.length ?? 0;
    if (count > 1) findings.push(`Invoice ${number} was mailed ${count} times.`);
    if (state === 'sent' && count === 0) findings.push(`Invoice ${number} is stored as mailed, and was not.`);
    if (state === 'failed') findings.push(`The mail of invoice ${number} failed.`);
    times.delete(Number(number));
  }
  if (times.size > 0) findings.push(`Mails arrived that belong to no invoice: ${[...times.keys()]}.`);
  return findings;
}

const mailsOf = (db: Database, administrationId: bigint) =>
  db
    .selectFrom('outgoing_mail')
    .innerJoin('sales_invoice', 'sales_invoice.id', 'outgoing_mail.sales_invoice_id')
    .where('outgoing_mail.administration_id', '=', administrationId)
    .select(['state', 'number'])
    .execute();
