import { documentTotals } from '../../../../../shared/documentTotals.ts';
import { type Cents, divide, ONE, sum } from '../../../../../shared/money.ts';
import { addDays, type CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import type { NewPurchaseInvoice } from '../../purchases/storePurchaseInvoices.ts';
import { blankRow } from '../../sql/rows.ts';
import type { Seconds } from '../../sql/schema.ts';
import type { BookPlan, PlannedPurchase } from './bookPlans.ts';
import { type Days, dayIn, monthsOf, quarterOfCases, secondsAt } from './demoDays.ts';
import { noDiscount, type SoldInvoice, type TaxChoice } from './documents.ts';
import type { ForeignParties, Party } from './parties.ts';
import type { Seeded } from './seeded.ts';

/** Who sells, and the tax codes of purchases. */
export type Purchasing = {
  country: 'NL' | 'BE';
  suppliers: readonly Party[];
  foreign: ForeignParties;
  taxOf: (code: string) => TaxChoice;
};

type Bought = { planned: PlannedPurchase; date: CalendarDate; cents: Cents };

/** The purchases of every month by what was sold in it, and those of the quarter with every case of VAT; by date. */
export function makePurchases(
  days: Days,
  plan: BookPlan,
  { sold, ...from }: Purchasing & { sold: readonly SoldInvoice[] },
  random: Seeded,
): NewPurchaseInvoice[] {
  const sales = Map.groupBy(sold, ({ date }) => date.slice(0, 7));
  const of = (percentage: number, cents: Cents) => divide(cents * BigInt(percentage), 100n);
  const usual = monthsOf(days).flatMap((month): Bought[] => {
    const turnover = sum((sales.get(month.name) ?? []).map(({ total_excl }) => total_excl));
    const day = () => dayIn(month, random.from(2, 28));
    return [
      ...plan.costs.map((planned) => ({
        planned,
        date: day(),
        cents: of(random.from(92, 108), planned.euros * 100n),
      })),
      ...plan.goods.map((planned) => ({
        planned,
        date: day(),
        cents: of(random.from(85, 115), divide(turnover * planned.euros, 100n)),
      })),
    ];
  });
  const { from: start } = quarterOfCases(days.last);
  const cases = plan.purchaseCases.map((planned, index): Bought => {
    return { planned, date: addDays(start, 6 + index * 8), cents: planned.euros * 100n };
  });
  return [...usual, ...cases]
    .filter(({ date, cents }) => date >= days.first && date <= days.last && cents !== 0n)
    .sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
    .map((bought, index) => {
      const dueDate = addDays(bought.date, 30);
      const entered = addDays(bought.date, 2);
      return purchaseOf(bought, from, {
        number: BigInt(index + 1),
        createdOn: secondsAt(entered < days.last ? entered : days.last, '09:00:00'),
        isPaid: dueDate < days.last,
      });
    });
}

/** The purchases that were entered after the return of their quarter had been filed. */
export function latePurchases(
  { last }: Days,
  plan: BookPlan,
  from: Purchasing,
  firstNumber: bigint,
): NewPurchaseInvoice[] {
  const { from: start } = quarterOfCases(last);
  return plan.latePurchases.map((planned, index) =>
    purchaseOf({ planned, date: addDays(start, -20), cents: planned.euros * 100n }, from, {
      number: firstNumber + BigInt(index),
      createdOn: secondsAt(addDays(start, 40), '10:00:00'),
      isPaid: false,
    }),
  );
}

function purchaseOf(
  { planned, date, cents }: Bought,
  { country, suppliers, foreign, taxOf }: Purchasing,
  { number, createdOn, isPaid }: { number: bigint; createdOn: Seconds; isPaid: boolean },
): NewPurchaseInvoice {
  const { from, account, kind, text } = planned;
  const domestic = suppliers.filter(({ row }) => row.country_code === country);
  // What stands on an account comes from one supplier, month after month.
  const { row } = foreign[from as keyof ForeignParties] ?? domestic[Number(account) % domestic.length]!;
  const { id: taxCodeId, code, rate } = taxOf(planned.code);
  const price = { kind: 'unit', excl: cents * (ONE / 100n) } as const;
  const amount = { quantity: ONE, price, discount: noDiscount, taxCode: code, rate };
  const totals = documentTotals([amount], 0n);
  return {
    row: {
      ...blankRow('purchase_invoice'),
      number,
      date,
      due_date: addDays(date, 30),
      relation_id: row.id,
      relation_number: row.supplier_number!,
      relation_name: row.name,
      total_excl: totals.excl,
      total_tax: totals.tax,
      total_incl: totals.incl,
      outstanding: isPaid ? 0n : totals.incl,
      created_on: createdOn,
    },
    lines: [
      {
        ...blankRow('purchase_invoice_line'),
        position: 0n,
        description: text,
        ledger_account_number: account,
        classification: country === 'BE' ? kind : '',
        tax_code: code,
        tax_code_id: taxCodeId,
        tax_pc: rate,
        subtotal_excl: totals.excl,
        subtotal_incl: totals.incl,
      },
    ],
  };
}
