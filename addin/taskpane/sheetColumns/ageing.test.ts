import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/wire/calendarDate.ts';
import { type AgeBucket, type Ageing, ageBuckets, ageingSums, bucketOf, type OpenInvoice } from './ageing.ts';

const TODAY = '2026-03-01';

const invoice = (more: Partial<OpenInvoice>): OpenInvoice => ({
  CustomerNumber: 1,
  CustomerName: 'Jansen',
  InvoiceDate: '2026-01-01',
  InvoiceDueDate: null,
  InvoiceOutstandingAmount: '0',
  ...more,
});

const ageingOf = (invoices: readonly OpenInvoice[], day: string): Ageing => {
  const sums = ageingSums(day);
  invoices.forEach(sums.add);
  return sums.ageing();
};

describe('The age of an invoice', () => {
  it.each<[number, AgeBucket]>([
    [-365, 'NotDue'],
    [0, 'NotDue'],
    [1, 'Days1To30'],
    [30, 'Days1To30'],
    [31, 'Days31To60'],
    [60, 'Days31To60'],
    [61, 'Days61To90'],
    [90, 'Days61To90'],
    [91, 'DaysOver90'],
    [4000, 'DaysOver90'],
  ])('of %i days is in %s, also over daylight saving and the end of a year', (days, bucket) => {
    for (const today of [TODAY, '2026-03-30', '2025-01-01', '2024-03-01']) {
      expect(bucketOf(addDays(today, -days), today)).toBe(bucket);
    }
  });

  it('counts from the invoice date without a due date, and is zero without both', () => {
    const late = invoice({ InvoiceDate: '2026-02-01', InvoiceOutstandingAmount: '10' });
    const dateless = invoice({ InvoiceDate: null, InvoiceOutstandingAmount: '5' });
    const [customer] = ageingOf([late, dateless], TODAY).customers;
    expect(customer).toMatchObject({ Days1To30: '10', NotDue: '5', Total: '15' });
  });
});

describe('The ageing of invoices', () => {
  it('counts credits in the column of their age, and leaves out settled invoices', () => {
    const ageing = ageingOf(
      [
        invoice({ InvoiceDueDate: '2026-03-01', InvoiceOutstandingAmount: '100.10' }),
        invoice({ InvoiceDueDate: '2025-01-01', InvoiceOutstandingAmount: '-100.1' }),
        invoice({ CustomerNumber: 2, CustomerName: 'De Vries', InvoiceOutstandingAmount: '0.00' }),
        invoice({ CustomerNumber: 3, CustomerName: 'Bakker', InvoiceOutstandingAmount: '0.2' }),
        invoice({ CustomerNumber: 3, CustomerName: 'Bakker', InvoiceOutstandingAmount: '0.1' }),
      ],
      TODAY,
    );
    expect(ageing.invoices).toBe(4);
    expect(ageing.customers).toEqual([
      {
        CustomerNumber: '3',
        CustomerName: 'Bakker',
        NotDue: '0',
        Days1To30: '0',
        Days31To60: '0.3',
        Days61To90: '0',
        DaysOver90: '0',
        Total: '0.3',
      },
      {
        CustomerNumber: '1',
        CustomerName: 'Jansen',
        NotDue: '100.1',
        Days1To30: '0',
        Days31To60: '0',
        Days61To90: '0',
        DaysOver90: '-100.1',
        Total: '0',
      },
    ]);
  });

  it('has the customer name of the latest invoice, and separates customers without a number', () => {
    const owed = { InvoiceOutstandingAmount: '1' };
    const { customers } = ageingOf(
      [
        invoice({ ...owed, CustomerName: 'New', InvoiceDate: '2026-02-01' }),
        invoice({ ...owed, CustomerName: 'Old', InvoiceDate: '2025-02-01' }),
        invoice({ ...owed, CustomerNumber: null, CustomerName: 'A' }),
        invoice({ ...owed, CustomerNumber: null, CustomerName: 'B' }),
      ],
      TODAY,
    );
    expect(customers.map(({ CustomerNumber, CustomerName }) => [CustomerNumber, CustomerName])).toEqual([
      ['1', 'New'],
      ['A', 'A'],
      ['B', 'B'],
    ]);
  });

  it('adds up exactly to the outstanding amounts, by age and by customer', () => {
    const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
    const given = fc.record({
      customer: fc.integer({ min: 1, max: 5 }),
      days: fc.integer({ min: -40, max: 140 }),
      cents,
    });
    fc.assert(
      fc.property(fc.array(given, { maxLength: 60 }), (all) => {
        const { customers, invoices } = ageingOf(
          all.map(({ customer, days, cents }) =>
            invoice({
              CustomerNumber: customer,
              InvoiceDueDate: addDays(TODAY, -days),
              InvoiceOutstandingAmount: decimal(cents),
            }),
          ),
          TODAY,
        );
        const sum = (texts: string[]) => texts.reduce((total, text) => total + hundredths(text), 0n);
        const outstanding = all.reduce((total, one) => total + one.cents, 0n);
        expect(sum(customers.map(({ Total }) => Total))).toBe(outstanding);
        for (const bucket of ageBuckets) {
          const aged = all.filter(({ days }) => bucketOf(addDays(TODAY, -days), TODAY) === bucket);
          const expected = aged.reduce((total, one) => total + one.cents, 0n);
          expect(sum(customers.map((one) => one[bucket]))).toBe(expected);
        }
        for (const one of customers) {
          const own = all.filter(({ customer }) => String(customer) === one.CustomerNumber);
          expect(hundredths(one.Total)).toBe(own.reduce((total, { cents }) => total + cents, 0n));
          expect(sum(ageBuckets.map((bucket) => one[bucket]))).toBe(hundredths(one.Total));
        }
        expect(invoices).toBe(all.filter(({ cents }) => cents !== 0n).length);
      }),
    );
  });
});

/** Cents to decimal text and back, without the tested arithmetic. */
const decimal = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const hundredths = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(2, '0'));
  return text.startsWith('-') ? -value : value;
};
