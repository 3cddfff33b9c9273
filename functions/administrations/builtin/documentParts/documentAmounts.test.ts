import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { deeper } from '../../../../testing/deep.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { checkAdministration } from '../check/check.ts';

/*
 * The amounts of documents with any lines, computed here a second time with exact fractions, from the request and the
 * response.
 */

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp();
  shop = await openShop(app);
});
afterAll(() => app.close());

/** A whole number over a power of ten, exact. */
type Fraction = { n: bigint; d: bigint };
const exact = (value: string | number): Fraction => {
  const [whole = '', decimals = ''] = String(value).replace('-', '').split('.');
  const n = BigInt(whole + decimals);
  return { n: String(value).startsWith('-') ? -n : n, d: 10n ** BigInt(decimals.length) };
};
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const over = (a: Fraction, b: Fraction): Fraction =>
  b.n < 0n ? over(negative(a), negative(b)) : { n: a.n * b.d, d: a.d * b.n };
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const negative = ({ n, d }: Fraction): Fraction => ({ n: -n, d });
const sum = (all: readonly Fraction[]): Fraction => all.reduce(plus, { n: 0n, d: 1n });
/** To cents, half away from zero. */
const rounded = ({ n, d }: Fraction): Fraction => {
  const size = (n < 0n ? -n : n) * 100n;
  const cents = size / d + ((size % d) * 2n >= d ? 1n : 0n);
  return { n: n < 0n ? -cents : cents, d: 100n };
};
const equal = (a: Fraction, b: Fraction): boolean => a.n * b.d === b.n * a.d;
const HUNDRED = exact(100);
const percent = (value: string): Fraction => over(exact(value), HUNDRED);
const without = (percentage: Fraction): Fraction => plus(exact(1), negative(percentage));

type Line = {
  ProductNumber: string;
  Quantity: string;
  TaxCode: string;
  UnitPriceExclTax?: string;
  SubTotalInclTax?: string;
  DiscountPc?: string;
  DiscountAmountInclTax?: string;
};
const rates: Record<string, string> = { '21% - Hoog': '21', '9% - Laag': '9', '0% - Export buiten de EU': '0' };

const decimal = (most: number, decimals: number, least = -most) =>
  fc
    .integer({ min: least * 10 ** decimals, max: most * 10 ** decimals })
    .map((units) => (units / 10 ** decimals).toFixed(decimals));
const price = fc.oneof(
  fc.record({ UnitPriceExclTax: fc.oneof(decimal(1000, 2, 0), decimal(10, 4, 0)) }),
  fc.record({ SubTotalInclTax: decimal(2000, 2) }),
);
const discount = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.record({ DiscountPc: decimal(100, 2, 0) }),
  fc.record({ part: fc.integer({ min: 0, max: 100 }), isNegative: fc.boolean() }),
);
const line: fc.Arbitrary<Line> = fc
  .tuple(
    fc.record({
      ProductNumber: fc.constantFrom('0100', '0200'),
      Quantity: fc.oneof(fc.integer({ min: -20, max: 20 }).map(String), decimal(20, 3)),
      TaxCode: fc.constantFrom(...Object.keys(rates)),
    }),
    price,
    discount,
  )
  .map(([line, price, discount]) =>
    'part' in discount
      ? { ...line, ...price, DiscountAmountInclTax: amountOff({ ...line, ...price }, discount) }
      : { ...line, ...price, ...discount },
  );
const lines = fc.array(line, { minLength: 1, maxLength: 12 });
const half = (price: Partial<Line>): Line => ({
  ProductNumber: '0100',
  Quantity: '1',
  TaxCode: '21% - Hoog',
  ...price,
});

/** A discount of so many hundredths of a line with tax, rounded down to cents; of a credit it may have either sign. */
function amountOff(line: Line, { part, isNegative }: { part: number; isNegative: boolean }): string {
  const list = over(times(withTax(line), exact(part)), HUNDRED);
  const cents = ((list.n < 0n ? -list.n : list.n) * 100n) / list.d;
  const digits = String(cents).padStart(3, '0');
  return `${isNegative && list.n < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** What a line is with tax, before its discount when it is priced without tax. */
function withTax(line: Line): Fraction {
  if (line.SubTotalInclTax !== undefined) return exact(line.SubTotalInclTax);
  const list = times(exact(line.Quantity), exact(line.UnitPriceExclTax!));
  return times(list, plus(exact(1), percent(rates[line.TaxCode]!)));
}

/** The amount of a line, with or without tax as it is priced, rounded to cents as in the response. */
function amountOf(line: Line): Fraction {
  if (line.SubTotalInclTax !== undefined) return exact(line.SubTotalInclTax);
  const list = times(exact(line.Quantity), exact(line.UnitPriceExclTax!));
  if (line.DiscountAmountInclTax === undefined) return rounded(times(list, without(percent(line.DiscountPc ?? '0'))));
  const off = over(exact(line.DiscountAmountInclTax.replace('-', '')), plus(exact(1), percent(rates[line.TaxCode]!)));
  return rounded(plus(list, list.n < 0n ? off : negative(off)));
}

it('an invoice adds up: lines, tax codes, totals and the journal, for any mix of lines', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.oneof(fc.constant('0'), decimal(100, 2, 0)), fc.boolean(), async (input, off, draft) => {
      const response = await shop.accepted('addsalesinvoice', {
        CustomerNumber: 7,
        AddAsDraft: draft,
        InvoiceDiscountPc: off,
        Invoice_InvoiceLine: input,
      });
      const { Invoice_InvoiceLine: stored, ...listed } = await shop.listed(response.InvoiceNumber);
      expect(listed).toEqual(response);
      expect(stored).toHaveLength(input.length);

      const all = input.map((line, index) => ({
        line,
        excl: exact(stored[index].SubTotalExclTax),
        incl: exact(stored[index].SubTotalInclTax),
        amount: amountOf(line),
        hasTax: line.SubTotalInclTax !== undefined,
      }));
      const total = {
        excl: exact(response.InvoiceTotalExclTax),
        tax: exact(response.InvoiceTaxAmount),
        incl: exact(response.InvoiceTotalInclTax),
      };
      // Lines to totals, and totals to each other.
      expect(equal(sum(all.map(({ excl }) => excl)), total.excl)).toBe(true);
      expect(equal(sum(all.map(({ incl }) => incl)), total.incl)).toBe(true);
      expect(equal(plus(total.excl, total.tax), total.incl)).toBe(true);

      // What is left after the document's discount is rounded once over each kind of line, none a cent off by itself.
      const left = without(percent(off));
      for (const [hasTax, side] of [
        [false, 'excl'],
        [true, 'incl'],
      ] as const) {
        const ofKind = all.filter((one) => one.hasTax === hasTax);
        const expected = rounded(times(sum(ofKind.map(({ amount }) => amount)), left));
        expect(equal(sum(ofKind.map((one) => one[side])), expected)).toBe(true);
        for (const one of ofKind) {
          const gap = plus(one[side], negative(times(one.amount, left)));
          expect((gap.n < 0n ? -gap.n : gap.n) * 100n < gap.d).toBe(true);
        }
        // Tax once per code: on top of the prices without, out of those with.
        for (const [code, group] of Map.groupBy(ofKind, ({ line }) => line.TaxCode)) {
          const rate = percent(rates[code]!);
          const excl = sum(group.map((one) => one.excl));
          const incl = sum(group.map((one) => one.incl));
          const derived = hasTax ? rounded(over(incl, plus(exact(1), rate))) : plus(excl, rounded(times(excl, rate)));
          expect(equal(derived, hasTax ? excl : incl)).toBe(true);
        }
      }

      const journal = await shop.journalOf({ salesInvoice: response.InvoiceNumber });
      if (draft) {
        expect(journal).toEqual([]);
        return;
      }
      expect(equal(sum(journal.map(({ amount }) => exact(amount))), exact(0))).toBe(true);
      const on = (account: string) =>
        sum(journal.flatMap((one) => (one.account === account ? [exact(one.amount)] : [])));
      expect(equal(on('1300'), total.incl)).toBe(true);
      expect(equal(on('8000'), negative(total.excl))).toBe(true);
      expect(equal(on('1500'), negative(total.tax))).toBe(true);
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? deeper(15, 60)) },
  );
  expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
});

it('an order has the same total as an invoice of the same lines', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.oneof(fc.constant('0'), decimal(100, 2, 0)), async (input, off) => {
      const customer = { CustomerNumber: 7 };
      const invoice = await shop.accepted('addsalesinvoice', {
        ...customer,
        InvoiceDiscountPc: off,
        Invoice_InvoiceLine: input,
      });
      const order = await shop.accepted('addorder', { ...customer, OrderDiscountPc: off, Order_Orderline: input });
      expect(order.OrderTotalInclTax).toBe(invoice.InvoiceTotalInclTax);
      const { Invoice_InvoiceLine } = await shop.listed(invoice.InvoiceNumber);
      expect(order.Order_Orderline.map((one: { SubTotalExclTax: string }) => Number(one.SubTotalExclTax))).toEqual(
        Invoice_InvoiceLine.map((one: { SubTotalExclTax: number }) => one.SubTotalExclTax),
      );
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? deeper(6, 30)) },
  );
});

it('the lines of an order add up to its total, and are equal before and after a discount of zero', async () => {
  type Amounts = Record<'SubTotalInclTax' | 'SubTotalInclTaxExclDiscount' | 'SubTotalExclTax', string | number> & {
    SubTotalExclTaxExclDiscount?: string;
  };
  const hasDiscount = ({ DiscountPc = '0', DiscountAmountInclTax = '0' }: Line) =>
    Number(DiscountPc) !== 0 || Number(DiscountAmountInclTax) !== 0;
  await fc.assert(
    fc.asyncProperty(lines, decimal(100, 2, 0), async (input, off) => {
      const customer = { CustomerNumber: 7 };
      const order = await shop.accepted('addorder', { ...customer, Order_Orderline: input });
      const lowered = await shop.accepted('addorder', { ...customer, OrderDiscountPc: off, Order_Orderline: input });
      const invoice = await shop.accepted('addsalesinvoice', { ...customer, Invoice_InvoiceLine: input });
      const orderLines: Amounts[] = order.Order_Orderline;
      const inclOf = (all: Amounts[]) => all.map(({ SubTotalInclTax }) => exact(SubTotalInclTax));
      expect(equal(sum(inclOf(orderLines)), exact(order.OrderTotalInclTax))).toBe(true);
      // The order's discount is not in it.
      expect(inclOf(lowered.Order_Orderline)).toEqual(inclOf(orderLines));

      const invoiceLines: Amounts[] = (await shop.listed(invoice.InvoiceNumber)).Invoice_InvoiceLine;
      input.forEach((line, index) => {
        if (hasDiscount(line)) return;
        const [ordered, invoiced] = [orderLines[index]!, invoiceLines[index]!];
        expect(Number(ordered.SubTotalInclTaxExclDiscount)).toBe(ordered.SubTotalInclTax);
        expect(ordered.SubTotalExclTaxExclDiscount).toBe(ordered.SubTotalExclTax);
        expect(invoiced.SubTotalInclTaxExclDiscount).toBe(invoiced.SubTotalInclTax);
      });
    }),
    {
      numRuns: Number(process.env.PROPERTY_RUNS ?? deeper(6, 30)),
      // Rounded line by line, five times 0.61 would be 3.05 and five times 0.41 would be 2.05.
      examples: [
        [Array.from({ length: 5 }, () => half({ UnitPriceExclTax: '0.50' })), '10.00'],
        [Array.from({ length: 5 }, () => half({ SubTotalInclTax: '0.50' })), '0.00'],
      ],
    },
  );
});

it('invoices of the bookkeeping module add up, sales and purchases alike', async () => {
  const booked = fc.array(fc.record({ SubTotalInclTax: decimal(5000, 2), TaxPc: fc.constantFrom('21', '9') }), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(booked, async (input) => {
      const sale = await shop.accepted('addsalestransaction', { CustomerNumber: 7, Invoice_InvoiceLine: input });
      const purchase = await shop.accepted('addpurchasetransaction', { SupplierNumber: 3, Invoice_InvoiceLine: input });
      const perCode = [...Map.groupBy(input, ({ TaxPc }) => TaxPc)].map(([rate, group]) => {
        const incl = sum(group.map((one) => exact(one.SubTotalInclTax)));
        return { incl, excl: rounded(over(incl, plus(exact(1), percent(rate)))) };
      });
      for (const response of [sale, purchase]) {
        expect(equal(exact(response.InvoiceTotalInclTax), sum(perCode.map(({ incl }) => incl)))).toBe(true);
        expect(equal(exact(response.InvoiceTotalExclTax), sum(perCode.map(({ excl }) => excl)))).toBe(true);
        expect(
          equal(
            plus(exact(response.InvoiceTotalExclTax), exact(response.InvoiceTaxAmount)),
            exact(response.InvoiceTotalInclTax),
          ),
        ).toBe(true);
      }
      for (const journal of [
        await shop.journalOf({ salesInvoice: sale.InvoiceNumber }),
        await shop.journalOf({ purchaseInvoice: Number(purchase.InvoiceNumber) }),
      ]) {
        expect(equal(sum(journal.map(({ amount }) => exact(amount))), exact(0))).toBe(true);
      }
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? deeper(6, 30)) },
  );
  expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
});

it('every accepted invoice is listed as it was returned', async () => {
  const notes = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !text.includes('\u0000'));
  await fc.assert(
    fc.asyncProperty(
      lines,
      notes,
      fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
      fc.boolean(),
      async (input, InvoiceNotes, day, bookkeeping) => {
        const InvoiceDate = day.toISOString().slice(0, 10).split('-').reverse().join('-');
        const response = bookkeeping
          ? await shop.accepted('addsalestransaction', {
              CustomerNumber: 7,
              InvoiceDate,
              InvoiceNotes,
              Invoice_InvoiceLine: input.map(({ TaxCode }) => ({
                TaxCode,
                SubTotalInclTax: 1,
                Description: InvoiceNotes,
              })),
            })
          : await shop.accepted('addsalesinvoice', {
              CustomerNumber: 7,
              InvoiceDate,
              InvoiceNotes,
              Invoice_InvoiceLine: input,
            });
        expect(response).toMatchObject({ InvoiceDate, InvoiceNotes });
        const found = (
          await shop.get(`/rest/listsalesinvoices?DateFrom=${InvoiceDate}&DateTill=${InvoiceDate}&Limit=100`)
        ).json;
        expect(found).toContainEqual(response);
        const { Invoice_InvoiceLine } = await shop.listed(response.InvoiceNumber);
        expect(Invoice_InvoiceLine).toMatchObject(
          input.map((one) =>
            bookkeeping
              ? { TaxCode: one.TaxCode, SubTotalInclTax: 1, Description: InvoiceNotes }
              : { ProductNumber: one.ProductNumber, TaxCode: one.TaxCode, Quantity: Number(one.Quantity) },
          ),
        );
      },
    ),
    { numRuns: deeper(8, 40) },
  );
});
