import { decimalText, units } from '../../../shared/money.ts';
import type { SalesInvoice } from '../../../shared/resources/salesInvoice.ts';
import { type CalendarDate, daysBetween } from '../../../shared/wire/calendarDate.ts';

/** How long an amount is overdue, in days; the last bucket has no end. */
export const ageBuckets = ['NotDue', 'Days1To30', 'Days31To60', 'Days61To90', 'DaysOver90'] as const;
export type AgeBucket = (typeof ageBuckets)[number];

/** Decimal texts, exact. */
type AgeingAmounts = Record<AgeBucket | 'Total', string>;
/** Stands in place of a customer that has neither a number nor a name: a row without a key is added at each refresh. */
const NOBODY = '–';
/** The amounts that a customer owes. The name replaces the number where a service returns none. */
export type CustomerAgeing = AgeingAmounts & { CustomerNumber: string; CustomerName: string };
export type Ageing = {
  /** The customer that owes most first. */
  customers: CustomerAgeing[];
  /** The number of open invoices, credits included. */
  invoices: number;
};

export type OpenInvoice = Pick<
  SalesInvoice,
  'CustomerNumber' | 'CustomerName' | 'InvoiceDate' | 'InvoiceDueDate' | 'InvoiceOutstandingAmount'
>;

/** The most decimals of an amount of the interface. */
const SCALE = 40;

/** The bucket of an amount on a day; an amount that falls due on that day is not late. */
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

const amountsOf = (sums: Sums): AgeingAmounts => {
  const amounts = Object.entries({ ...sums, Total: totalOf(sums) });
  return Object.fromEntries(amounts.map(([name, sum]) => [name, decimalText(sum, SCALE)])) as AgeingAmounts;
};

/** Adds up open invoices while they arrive, so that only customers are in memory. */
export type AgeingSums = { add: (invoice: OpenInvoice) => void; ageing: () => Ageing };

/**
 * The outstanding amounts by customer and by age on a day. An invoice without a due date counts from its own date. A
 * credit is a negative amount of its own age.
 */
export function ageingSums(day: CalendarDate): AgeingSums {
  const customers = new Map<string, { name: string; latest: CalendarDate; sums: Sums }>();
  let count = 0;
  return {
    add({ CustomerNumber, CustomerName, InvoiceDate, InvoiceDueDate, InvoiceOutstandingAmount }) {
      const amount = units(InvoiceOutstandingAmount ?? '0', SCALE);
      if (amount === 0n) return;
      count++;
      const number = CustomerNumber === null ? CustomerName.trim() || NOBODY : String(CustomerNumber);
      const date = InvoiceDate ?? '';
      const customer = customers.get(number) ?? { name: CustomerName, latest: date, sums: noSums() };
      customers.set(number, customer);
      // Customers are renamed: the latest invoice has the present name.
      if (date > customer.latest) Object.assign(customer, { name: CustomerName, latest: date });
      customer.sums[bucketOf(InvoiceDueDate ?? InvoiceDate, day)] += amount;
    },
    ageing() {
      const order = [...customers].map(([number, { name, sums }]) => ({ number, name, sums, total: totalOf(sums) }));
      order.sort((a, b) => (b.total > a.total ? 1 : b.total < a.total ? -1 : a.name < b.name ? -1 : 1));
      return {
        customers: order.map(({ number, name, sums }) => ({
          CustomerNumber: number,
          CustomerName: name,
          ...amountsOf(sums),
        })),
        invoices: count,
      };
    },
  };
}
