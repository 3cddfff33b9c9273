import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AmountLine, documentTotals } from './documentTotals.ts';

/** Exact fractions: the other way to compute, which knows no scale and rounds nowhere. */
class Fraction {
  readonly n: bigint;
  readonly d: bigint;
  constructor(n: bigint, d = 1n) {
    this.n = d < 0n ? -n : n;
    this.d = d < 0n ? -d : d;
  }
  plus(other: Fraction): Fraction {
    return new Fraction(this.n * other.d + other.n * this.d, this.d * other.d);
  }
  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.n, other.d));
  }
  times(other: Fraction): Fraction {
    return new Fraction(this.n * other.n, this.d * other.d);
  }
  over(other: Fraction): Fraction {
    return this.times(new Fraction(other.d, other.n));
  }
  /** The nearest whole number; of two equally near, the one further from zero. */
  rounded(): bigint {
    const size = this.n < 0n ? -this.n : this.n;
    const whole = size / this.d;
    const up = (size % this.d) * 2n >= this.d ? whole + 1n : whole;
    return this.n < 0n ? -up : up;
  }
  /** Whether the distance to a number is less than (or also equal to) a limit. */
  within(limit: Fraction, of: bigint, inclusive = false): boolean {
    const gap = this.minus(new Fraction(of));
    const size = (gap.n < 0n ? -gap.n : gap.n) * limit.d;
    return inclusive ? size <= limit.n * gap.d : size < limit.n * gap.d;
  }
}
const whole = (n: bigint) => new Fraction(n);
const fraction = (units: bigint) => new Fraction(units, 10n ** 8n);
const ONE = whole(1n);
const HUNDRED = whole(100n);
const sum = (numbers: readonly bigint[]) => numbers.reduce((total, number) => total + number, 0n);

/** Decimal text as units: `decimal8('12.5')`, `cents('12.50')`. */
const scaled = (text: string, scale: number): bigint => {
  const [left = '', right = ''] = text.replace('-', '').split('.');
  const units = BigInt(left + right.padEnd(scale, '0'));
  return text.startsWith('-') ? -units : units;
};
const decimal8 = (text: string) => scaled(text, 8);
const cents = (text: string) => scaled(text, 2);

type Given = {
  quantity?: string;
  unitExcl?: string;
  totalIncl?: string;
  percentage?: string;
  amountIncl?: string;
  rate?: string;
  code?: string;
};
const line = (given: Given): AmountLine => ({
  quantity: decimal8(given.quantity ?? '1'),
  price:
    given.totalIncl === undefined
      ? { kind: 'unit', excl: decimal8(given.unitExcl ?? '0') }
      : { kind: 'line', incl: cents(given.totalIncl) },
  discount:
    given.amountIncl === undefined
      ? { kind: 'percentage', percentage: decimal8(given.percentage ?? '0') }
      : { kind: 'amount', incl: cents(given.amountIncl) },
  taxCode: given.code ?? `${given.rate ?? '21'}%`,
  rate: decimal8(given.rate ?? '21'),
});
const totals = (lines: Given[], discount = '0') => documentTotals(lines.map(line), decimal8(discount));

describe('a document', () => {
  it('has tax computed once for each code, not for each line: 37.50 and 12.50 at 21% is 10.50', () => {
    const { excl, tax, incl, lines } = totals([{ unitExcl: '37.50' }, { unitExcl: '12.50' }]);
    expect([excl, tax, incl]).toEqual([cents('50.00'), cents('10.50'), cents('60.50')]);
    // 7.875 and 2.625 by themselves; the cent goes to the earlier one of equal remainders.
    expect(lines.map(({ tax }) => tax)).toEqual([cents('7.88'), cents('2.62')]);
  });

  it('has tax of 0.53 on five lines of 0.50 at 21%, where per line it would be 0.55', () => {
    const { excl, tax, lines } = totals(Array.from({ length: 5 }, () => ({ unitExcl: '0.50' })));
    expect([excl, tax]).toEqual([cents('2.50'), cents('0.53')]);
    expect(lines.map(({ tax }) => tax)).toEqual([11n, 11n, 11n, 10n, 10n]);
  });

  it('subtracts the tax from lines that include it: 2 x 21.53 including 21% is 35.59 and 7.47', () => {
    const { excl, tax, incl, lines } = totals([{ totalIncl: '21.53' }, { totalIncl: '21.53' }]);
    expect([excl, tax, incl]).toEqual([cents('35.59'), cents('7.47'), cents('43.06')]);
    expect(lines.map(({ incl }) => incl)).toEqual([cents('21.53'), cents('21.53')]);
  });

  it('has the same totals with one line of quantity two', () => {
    const { excl, tax, lines } = totals([{ quantity: '2', totalIncl: '43.06' }]);
    expect([excl, tax]).toEqual([cents('35.59'), cents('7.47')]);
    expect(lines[0]!.unitPriceExcl).toBe(decimal8('17.79338843'));
  });

  it('without lines has totals of zero', () => {
    expect(totals([], '10')).toEqual({ lines: [], excl: 0n, tax: 0n, incl: 0n });
  });

  it('rounds a negative half away from zero, so that a credit is the negative of its invoice', () => {
    const invoice = totals([{ unitExcl: '0.50', quantity: '5' }, { unitExcl: '12.345' }], '3');
    const credit = totals(
      [
        { unitExcl: '0.50', quantity: '-5' },
        { unitExcl: '12.345', quantity: '-1' },
      ],
      '3',
    );
    expect([credit.excl, credit.tax, credit.incl]).toEqual([-invoice.excl, -invoice.tax, -invoice.incl]);
  });

  it('applies the line discount before the document discount', () => {
    const { lines, excl, tax } = totals([{ unitExcl: '100', percentage: '10' }, { unitExcl: '10' }], '50');
    expect(lines.map((one) => one.excl)).toEqual([cents('45'), cents('5')]);
    expect([excl, tax]).toEqual([cents('50'), cents('10.50')]);
    expect(lines[0]).toMatchObject({
      exclBeforeDiscount: cents('100'),
      inclBeforeDiscount: cents('121'),
      discountPercentage: decimal8('10'),
    });
  });

  it('has the same totals before a discount as without it', () => {
    const lines = Array.from({ length: 5 }, () => ({ unitExcl: '0.50', percentage: '50' }));
    expect(totals(lines).lines.map((one) => one.inclBeforeDiscount)).toEqual([61n, 61n, 61n, 60n, 60n]);
  });

  it('subtracts a discount amount with tax from a line without tax', () => {
    const { lines } = totals([{ unitExcl: '100', amountIncl: '12.10' }]);
    expect(lines[0]).toMatchObject({ excl: cents('90'), tax: cents('18.90'), discountPercentage: decimal8('10') });
  });

  it('subtracts a discount amount of either sign from a credit', () => {
    for (const amountIncl of ['12.10', '-12.10']) {
      const { lines } = totals([
        { unitExcl: '100', quantity: '-1', amountIncl },
        { totalIncl: '-108.90', quantity: '-1', amountIncl },
      ]);
      for (const one of lines) {
        expect(one).toMatchObject({
          unitPriceExcl: decimal8('100'),
          exclBeforeDiscount: cents('-100'),
          inclBeforeDiscount: cents('-121'),
          excl: cents('-90'),
          tax: cents('-18.90'),
          discountPercentage: decimal8('10'),
        });
      }
    }
  });

  it('does not change the total of a line with tax by its discount', () => {
    const [percentage, amount] = totals([
      { totalIncl: '90.75', percentage: '25' },
      { totalIncl: '90.75', amountIncl: '30.25' },
    ]).lines;
    expect(percentage!.incl + amount!.incl).toBe(cents('181.50'));
    for (const one of [percentage!, amount!]) {
      expect(one).toMatchObject({
        inclBeforeDiscount: cents('121'),
        exclBeforeDiscount: cents('100'),
        unitPriceExcl: decimal8('100'),
        discountPercentage: decimal8('25'),
      });
    }
  });

  it('rounds the tax of each code by itself, also of codes with the same percentage', () => {
    const line = { unitExcl: '37.50', rate: '21' };
    expect(totals([line, line]).tax).toBe(cents('15.75'));
    const apart = totals([
      { ...line, code: '21% - Hoog' },
      { ...line, code: '21% - Verlegd' },
    ]);
    expect(apart.tax).toBe(cents('15.76'));
    expect(apart.lines.map(({ tax }) => tax)).toEqual([cents('7.88'), cents('7.88')]);
  });

  it('with a discount of 100 per cent has totals of zero', () => {
    const { excl, tax, incl } = totals([{ unitExcl: '12.34' }, { totalIncl: '-5.67' }, { totalIncl: '9.99' }], '100');
    expect([excl, tax, incl]).toEqual([0n, 0n, 0n]);
  });

  it('rounds a discounted line once', () => {
    // 100.00000001 x 0.00005 less 0.00000001% is a hair under half a cent, past the sixteenth decimal.
    const hair = { quantity: '100.00000001', unitExcl: '0.00005', percentage: '0.00000001' };
    expect(totals([hair]).excl).toBe(0n);
    expect(totals([{ ...hair, percentage: '0' }]).excl).toBe(cents('0.01'));
  });

  it('can have a quantity of zero', () => {
    const { lines, incl } = totals([
      { quantity: '0', unitExcl: '12' },
      { quantity: '0', totalIncl: '12.10' },
      { quantity: '0', unitExcl: '12', amountIncl: '0' },
      { quantity: '1', totalIncl: '0', percentage: '100' },
    ]);
    expect(lines.map((one) => one.unitPriceExcl)).toEqual([decimal8('12'), 0n, decimal8('12'), 0n]);
    expect(incl).toBe(cents('12.10'));
  });
});

describe('any document', () => {
  const quantity = fc.oneof(
    fc.integer({ min: -1000, max: 1000 }).map((pieces) => BigInt(pieces) * 10n ** 8n),
    fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  );
  const unitExcl = fc.oneof(
    fc.integer({ min: -100_000, max: 100_000 }).map((amount) => BigInt(amount) * 10n ** 6n),
    fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
  );
  const gross = fc.bigInt({ min: -1_000_000n, max: 1_000_000n });
  const percentage = fc.oneof(
    fc.constantFrom(0n, 10n ** 10n, decimal8('50'), decimal8('33.33333333')),
    fc.bigInt({ min: 0n, max: 10n ** 10n }),
  );
  const codes = [
    ['21% - Hoog', decimal8('21')],
    ['9% - Laag', decimal8('9')],
    ['0% - Export', 0n],
    ['0% - Verlegd', 0n],
    ['100%', decimal8('100')],
    ['5.5%', decimal8('5.55000001')],
  ] as const;
  const anyLine: fc.Arbitrary<AmountLine> = fc
    .record({
      quantity,
      price: fc.oneof(
        fc.record({ kind: fc.constant('unit'), excl: unitExcl }),
        fc.record({ kind: fc.constant('line'), incl: gross }),
      ),
      discount: fc.oneof(
        fc.record({ kind: fc.constant('percentage'), percentage }),
        fc.record({ kind: fc.constant('amount'), incl: gross }),
      ),
      code: fc.constantFrom(...codes),
    })
    .map(({ code: [taxCode, rate], ...rest }) => ({ ...rest, taxCode, rate }));
  const anyDocument = fc.tuple(fc.array(anyLine, { maxLength: 12 }), percentage);

  /** What a line comes to before the document discount, in cents. */
  const netOf = ({ quantity, price, discount, rate }: AmountLine): bigint => {
    if (price.kind === 'line') return price.incl;
    const list = fraction(quantity).times(fraction(price.excl)).times(HUNDRED);
    if (discount.kind === 'percentage') {
      return list.times(ONE.minus(fraction(discount.percentage).over(HUNDRED))).rounded();
    }
    // An amount goes off towards zero, and no further.
    const size = list.n < 0n ? whole(0n).minus(list) : list;
    const off = whole(magnitude(discount.incl)).over(ONE.plus(fraction(rate).over(HUNDRED)));
    const left = size.minus(off);
    const net = left.n < 0n ? 0n : left.rounded();
    return list.n < 0n ? -net : net;
  };
  const magnitude = (amount: bigint) => (amount < 0n ? -amount : amount);
  const isExclusive = (one: AmountLine) => one.price.kind === 'unit';

  it('adds up: lines to totals, and net amounts and tax to gross amounts', () => {
    fc.assert(
      fc.property(anyDocument, ([lines, discount]) => {
        const result = documentTotals(lines, discount);
        expect(result.lines).toHaveLength(lines.length);
        for (const one of result.lines) expect(one.excl + one.tax).toBe(one.incl);
        expect(result.excl + result.tax).toBe(result.incl);
        expect(sum(result.lines.map((one) => one.excl))).toBe(result.excl);
        expect(sum(result.lines.map((one) => one.tax))).toBe(result.tax);
      }),
    );
  });

  it('has the totals of exact fractions, rounded where an invoice is rounded', () => {
    fc.assert(
      fc.property(anyDocument, ([lines, discount]) => {
        const result = documentTotals(lines, discount);
        const remaining = ONE.minus(fraction(discount).over(HUNDRED));
        for (const exclusive of [true, false]) {
          const ofKind = lines.flatMap((one, index) =>
            isExclusive(one) === exclusive ? [{ line: one, net: netOf(one), total: result.lines[index]! }] : [],
          );
          // After the document discount: the sum is rounded once, and each line is within a cent of its share.
          const after = ({ total }: (typeof ofKind)[number]) => (exclusive ? total.excl : total.incl);
          expect(sum(ofKind.map(after))).toBe(
            whole(sum(ofKind.map(({ net }) => net)))
              .times(remaining)
              .rounded(),
          );
          for (const one of ofKind) expect(whole(one.net).times(remaining).within(ONE, after(one))).toBe(true);
          // Tax: rounded once for each code, and each line is within a cent of its share.
          for (const [taxCode, rate] of codes) {
            const ofCode = ofKind.filter(({ line }) => line.taxCode === taxCode);
            const given = whole(sum(ofCode.map(after)));
            const part = fraction(rate).over(HUNDRED);
            if (exclusive) {
              expect(sum(ofCode.map(({ total }) => total.tax))).toBe(given.times(part).rounded());
              for (const { total } of ofCode) {
                expect(whole(total.excl).times(part).within(ONE, total.tax)).toBe(true);
              }
            } else {
              expect(sum(ofCode.map(({ total }) => total.excl))).toBe(given.over(ONE.plus(part)).rounded());
              for (const { total } of ofCode) {
                expect(whole(total.incl).over(ONE.plus(part)).within(ONE, total.excl)).toBe(true);
              }
            }
          }
        }
      }),
    );
  });

  it('without a document discount has unchanged lines', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), (lines) => {
        const result = documentTotals(lines, 0n);
        lines.forEach((one, index) => {
          const { excl, incl } = result.lines[index]!;
          expect(isExclusive(one) ? excl : incl).toBe(netOf(one));
        });
      }),
    );
  });

  it('adds up before its discount too, and a line without one is equal before and after', () => {
    fc.assert(
      fc.property(anyDocument, ([lines, discount]) => {
        const result = documentTotals(lines, discount);
        const whole = documentTotals(lines, 0n);
        expect(result.lines.map((one) => one.inclAfterLineDiscount)).toEqual(whole.lines.map((one) => one.incl));
        lines.forEach(({ discount }, index) => {
          const one = whole.lines[index]!;
          if ((discount.kind === 'percentage' ? discount.percentage : discount.incl) !== 0n) return;
          expect([one.exclBeforeDiscount, one.inclBeforeDiscount]).toEqual([one.excl, one.incl]);
        });
      }),
    );
  });

  it('has the amount of each line before discounts, with the unit price of its total', () => {
    fc.assert(
      fc.property(anyDocument, ([lines, discount]) => {
        const result = documentTotals(lines, discount);
        lines.forEach(({ quantity, price, discount, rate }, index) => {
          const total = result.lines[index]!;
          const withTax = ONE.plus(fraction(rate).over(HUNDRED));
          if (discount.kind === 'percentage') expect(total.discountPercentage).toBe(discount.percentage);
          if (price.kind === 'unit') {
            expect(total.unitPriceExcl).toBe(price.excl);
            const list = fraction(quantity).times(fraction(price.excl)).times(HUNDRED);
            expect(total.exclBeforeDiscount).toBe(list.rounded());
          } else {
            if (discount.kind === 'amount') {
              const isCredit = price.incl < 0n || (price.incl === 0n && quantity < 0n);
              const off = magnitude(discount.incl);
              expect(total.inclBeforeDiscount).toBe(price.incl + (isCredit ? -off : off));
            }
            expect(whole(total.inclBeforeDiscount).over(withTax).within(ONE, total.exclBeforeDiscount)).toBe(true);
            if (quantity === 0n) return;
            const unit = whole(total.inclBeforeDiscount).over(withTax).over(fraction(quantity)).over(HUNDRED);
            expect(total.unitPriceExcl).toBe(unit.times(whole(10n ** 8n)).rounded());
          }
        });
      }),
    );
  });

  it('has negative totals when every line is negated', () => {
    const turned = ({ quantity, price, ...rest }: AmountLine): AmountLine => ({
      ...rest,
      quantity: -quantity,
      price: price.kind === 'line' ? { kind: 'line', incl: -price.incl } : price,
    });
    fc.assert(
      fc.property(anyDocument, ([lines, discount]) => {
        // A remaining cent may be on another line; the totals of the document must be equal, and discounted lines.
        for (const [some, off] of [
          [lines, 0n],
          [lines.slice(0, 1), discount],
        ] as const) {
          const { excl, tax, incl } = documentTotals(some, off);
          const other = documentTotals(some.map(turned), off);
          expect([other.excl, other.tax, other.incl]).toEqual([-excl, -tax, -incl]);
        }
      }),
    );
  });
});
