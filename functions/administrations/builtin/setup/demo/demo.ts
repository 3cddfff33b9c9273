import type { Credential } from '../../../../../shared/client/client.ts';
import { addDays, type CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { issueKey } from '../../credentials/keys.ts';
import type { ImportTarget } from '../../import/importRows.ts';
import { storeAllResponses } from '../../responses/storeAllResponses.ts';
import type { Database } from '../../sql/database.ts';
import { dialectOf } from '../../sql/dialects/dialectOf.ts';
import { insertRows } from '../../sql/insertRows.ts';
import { logged } from '../../sql/logWriting/appendChanges.ts';
import { byCommand } from '../../sql/logWriting/author.ts';
import { newRow } from '../../sql/rows.ts';
import type { Seconds } from '../../sql/schema.ts';
import { inTransaction } from '../../sql/transaction.ts';
import { createAdministration } from '../createAdministration.ts';
import type { IssuerColumns } from '../issuer.ts';
import { articlesOf, makeStock } from './articles.ts';
import { bookPlans } from './bookPlans.ts';
import { makeBooks } from './books.ts';
import { demoCredentials } from './demoCredentials.ts';
import { type Days, quarterOfCases, secondsAt } from './demoDays.ts';
import { importDemoFiles } from './demoFiles.ts';
import { type DemoTax, demoCostCenters, makeInvoices, type TaxChoice } from './documents.ts';
import { isCustomer, isSupplier, partiesOf } from './parties.ts';
import { seeded } from './seeded.ts';

/** The days from the first to the last invoice. */
const DAYS = 667;

/** The days of the bookkeeping, and the moment before them at which relations and products were entered. */
type Period = Days & { start: Seconds };

function periodTo(last: CalendarDate): Period {
  const first = addDays(last, -DAYS);
  return { first, last, start: secondsAt(addDays(first, -1), '07:00:00') };
}

type Plan = {
  name: string;
  country: 'NL' | 'BE';
  /** Of the invoices and the stock, and of purchases and payments. */
  seeds: { sales: number; books: number };
  /** Tax code and revenue account of each kind of sale; `services` is an account alone. */
  sales: Record<Exclude<keyof DemoTax, 'services'>, readonly [code: string, account: string]> & { services: string };
  issuer: Required<IssuerColumns>;
};

const plans: readonly Plan[] = [
  {
    name: 'De Zilverlinde Groothandel B.V.',
    country: 'NL',
    seeds: { sales: -373_708_787, books: 20_250_103 },
    sales: {
      normal: ['21% - Hoog', '8000'],
      reduced: ['9% - Laag', '8010'],
      reverseCharge: ['0% - Verlegd binnenland', '8030'],
      intraGoods: ['0% - Goederen naar EU-landen', '8040'],
      intraServices: ['0% - Diensten naar EU-landen', '8050'],
      services: '8070',
    },
    issuer: {
      street: 'Veilingweg',
      unit: '14',
      unit_appendix: '',
      postal_code: '1431 GN',
      city: 'Aalsmeer',
      vat_number: 'NL812345678B01',
      company_number: '34565433',
      iban: 'NL91ABNA0417164300',
      bic: 'ABNANL2A',
      email: 'administratie@zilverlinde.example',
      phone: '+31 297 555 01 20',
      payment_days: 30n,
    },
  },
  {
    name: 'Groenhandel Vlierbeek BV',
    country: 'BE',
    seeds: { sales: -732_781_998, books: 31_122_027 },
    sales: {
      normal: ['21% - Normaal tarief', '700000'],
      reduced: ['6% - Verlaagd tarief', '700200'],
      reverseCharge: ['0% - Medecontractant', '703000'],
      intraGoods: ['0% - Intracommunautaire goederen', '701000'],
      intraServices: ['0% - Intracommunautaire diensten', '701000'],
      services: '705000',
    },
    issuer: {
      street: 'Bloemenlaan',
      unit: '27',
      unit_appendix: '',
      postal_code: '9080',
      city: 'Lochristi',
      vat_number: 'BE0417497106',
      company_number: '0417497106',
      iban: 'BE68539007547034',
      bic: 'KREDBEBB',
      email: 'boekhouding@vlierbeek.example',
      phone: '+32 9 555 01 20',
      payment_days: 30n,
    },
  },
];

/** The credential of each demo administration. */
export type DemoCredentials = Record<Plan['country'], Credential>;

/**
 * Makes two demo administrations, a Dutch and a Belgian wholesaler of flowers and plants, with nearly two years of made-up
 * data: the same on every machine, up to the same day.
 * @param options.today the day of their last invoice
 * @param options.hasRandomKeys whether their keys are random; left out: on a database server, where public keys must not work
 */
export function makeDemo(
  db: Database,
  {
    today = '2026-10-31',
    now = secondsAt(today, '17:00:00'),
    hasRandomKeys = dialectOf(db).name !== 'sqlite',
  }: { today?: CalendarDate; now?: Seconds; hasRandomKeys?: boolean } = {},
): Promise<DemoCredentials> {
  return inTransaction(db, async (trx) => {
    const credentials: DemoCredentials = { ...demoCredentials };
    for (const plan of plans) {
      const administrationId = await makeAdministration(trx, plan, periodTo(today), now);
      const { username, apiKey } = demoCredentials[plan.country];
      const key = { administrationId, username, label: 'Demo', now, ...(hasRandomKeys ? {} : { apiKey }) };
      credentials[plan.country] = { username, apiKey: await issueKey(trx, key) };
    }
    return credentials;
  });
}

/** @returns its id */
async function makeAdministration(db: Database, plan: Plan, period: Period, now: Seconds): Promise<bigint> {
  const { name, country, issuer } = plan;
  const [from, to] = [period.first, period.last].map((date) => Number(date.slice(0, 4))) as [number, number];
  const fiscalYears = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const administrationId = await createAdministration(db, { name, country, fiscalYears, now, issuer });
  const log = { administrationId, author: byCommand('demo'), now, grouping: 'counted' } as const;
  await logged(db, log, (logging) => fillAdministration(db, plan, period, { administrationId, now, logging }));
  return administrationId;
}

async function fillAdministration(db: Database, plan: Plan, period: Period, target: ImportTarget): Promise<void> {
  const { country } = plan;
  const { administrationId } = target;
  const administration = await db
    .selectFrom('administration')
    .where('id', '=', administrationId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const template = { name: 'Standaard', is_default: 1n, text_after: '<p>Bedankt voor uw bestelling.</p>' };
  await insertRows(db, 'document_template', [
    newRow('document_template', { administration_id: administrationId, ...template }),
  ]);
  const codes = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', administrationId)
    .select(['id', 'code', 'percentage'])
    .execute();
  const choice = ([code, account]: readonly [string, string]): TaxChoice => {
    const found = codes.find((row) => row.code === code);
    if (found === undefined) throw new Error(`The demo's tax code is missing: ${code}`);
    return { id: found.id, code, rate: found.percentage, account };
  };
  const { services, ...sales } = plan.sales;
  const choices = Object.entries(sales).map(([kind, code]) => [kind, choice(code)]);
  const tax: DemoTax = { ...Object.fromEntries(choices), services };

  await importDemoFiles(db, country, period.last, target);
  const { parties, foreign } = await partiesOf(db, administrationId);
  const customers = parties.filter(isCustomer);
  const suppliers = parties.filter(isSupplier);
  const articles = await articlesOf(db, administrationId);
  const costCenters = demoCostCenters.map((name) =>
    newRow('cost_center', { administration_id: administrationId, name }),
  );
  await insertRows(db, 'cost_center', costCenters);
  const projects = await db
    .selectFrom('project')
    .where('administration_id', '=', administrationId)
    .orderBy('id')
    .selectAll()
    .execute();
  const domestic = customers.find(({ row }) => row.country_code === country && row.is_business === 1n)!;
  const neighbour = customers.find(({ row }) => row.country_code !== country && row.is_business === 1n)!;
  const random = seeded(plan.seeds.sales);
  const cases = bookPlans[country].saleCases.map(({ to, code, account, isCredit, text }) => ({
    customer: { domestic, neighbour, ...foreign }[to],
    tax: choice([code, account]),
    isCredit,
    description: text,
  }));
  const { sold, invoices } = await makeInvoices(
    db,
    { administration, count: 1000, first: period.first, days: DAYS },
    { customers, articles, projects, tax, cases: { from: quarterOfCases(period.last).from, sales: cases } },
    random,
  );
  await makeStock(db, articles, sold, period.start, random);
  const purchasing = { country, suppliers, foreign, taxOf: (code: string) => choice([code, '']) };
  await makeBooks({ db, administration }, period, { ...purchasing, sold: invoices }, seeded(plan.seeds.books));
  await storeAllResponses(db, administrationId);
}
