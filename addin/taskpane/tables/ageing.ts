import { decimalText, units } from '../../../shared/money.ts';
import type { SalesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { type CalendarDate, daysBetween } from '../../../shared/wire/calendarDate.ts';

/** How long an amount is due, in days; the last one has no end. */
export const ageBuckets = ['NotDue', 'Days1To30', 'Days31To60', 'Days61To90', 'DaysOver90'] as const;
export type AgeBucket = (typeof ageBuckets)[number];

/** Decimal texts, exact. */
type AgeingAmounts = Record<AgeBucket | 'Total', string>;
/** What a customer owes. The number stands for the name too where a service gives none. */
export type CustomerAgeing = AgeingAmounts & { CustomerNumber: string; CustomerName: string };
export type Ageing = {
  /** Those that owe most come first. */
  customers: CustomerAgeing[];
  totals: AgeingAmounts;
  /** Invoices that are not settled, credits among them. */
  invoices: number;
};

/** What is told of an invoice here. */
export type OpenInvoice = Pick<
  SalesInvoice,
  'CustomerNumber' | 'CustomerName' | 'InvoiceDate' | 'InvoiceDueDate' | 'InvoiceOutstandingAmount'
>;

/** Decimals an amount of the interface may have. */
const SCALE = 40;

/** Where an amount belongs on a day; what falls due that day is not late. */
export function bucketOf(due: CalendarDate | null, today: CalendarDate): AgeBucket {
  const late = due === null ? 0 : daysBetween(due, today);
  if (late <= 0) return 'NotDue';
  if (late <= 30) return 'Days1To30';
  if (late <= 60) return 'Days31To60';
  return late <= 90 ? 'Days61To90' : 'DaysOver90';
}

type Sums = Record<AgeBucket, bigint>;
const noSums = (): Sums => ({ NotDue: 0n, Days1To30: 0n, Days31To60: 0n, Days61To90: 0n, DaysOver90: 0n });
const totalOf = (sums: Sums): bigint => ageBuckets.reduce((total, bucket) => total + sums[bucket], 0n);

const written = (sums: Sums): AgeingAmounts => {
  const text = (value: bigint) => decimalText(value, SCALE);
  return {
    NotDue: text(sums.NotDue),
    Days1To30: text(sums.Days1To30),
    Days31To60: text(sums.Days31To60),
    Days61To90: text(sums.Days61To90),
    DaysOver90: text(sums.DaysOver90),
    Total: text(totalOf(sums)),
  };
};

/**
 * What is outstanding, by customer and by how long it is due. An invoice without a due date counts from its own date. A
 * credit counts in the column of its own age, below zero.
 */
export function ageingOf(invoices: Iterable<OpenInvoice>, today: CalendarDate): Ageing {
  const customers = new Map<string, { name: string; latest: CalendarDate; sums: Sums }>();
  const totals = noSums();
  let count = 0;
  for (const { CustomerNumber, CustomerName, InvoiceDate, InvoiceDueDate, InvoiceOutstandingAmount } of invoices) {
    const amount = units(InvoiceOutstandingAmount ?? '0', SCALE);
    if (amount === 0n) continue;
    count++;
    const number = CustomerNumber === null ? CustomerName : String(CustomerNumber);
    const date = InvoiceDate ?? '';
    const customer = customers.get(number) ?? { name: CustomerName, latest: date, sums: noSums() };
    customers.set(number, customer);
    // Customers are renamed: the latest invoice has the name of today.
    if (date > customer.latest) Object.assign(customer, { name: CustomerName, latest: date });
    const bucket = bucketOf(InvoiceDueDate ?? InvoiceDate, today);
    customer.sums[bucket] += amount;
    totals[bucket] += amount;
  }
  const order = [...customers].map(([number, { name, sums }]) => ({ number, name, sums, total: totalOf(sums) }));
  order.sort((a, b) => (b.total > a.total ? 1 : b.total < a.total ? -1 : a.name < b.name ? -1 : 1));
  return {
    customers: order.map(({ number, name, sums }) => ({
      CustomerNumber: number,
      CustomerName: name,
      ...written(sums),
    })),
    totals: written(totals),
    invoices: count,
  };
}
