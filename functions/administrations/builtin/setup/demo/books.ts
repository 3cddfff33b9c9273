import { divide, sum } from '../../../../../shared/money.ts';
import { addDays, type CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { numberTaken } from '../../documentParts/numbering.ts';
import { type NewEntry, storeEntries } from '../../ledger/storeEntries.ts';
import { storePurchaseInvoices } from '../../purchases/storePurchaseInvoices.ts';
import type { Database } from '../../sql/database.ts';
import { insertKeyedRows, insertRows } from '../../sql/insertRows.ts';
import { newRow } from '../../sql/rows.ts';
import { type Cents, flag, type Row } from '../../sql/schema.ts';
import { vatRulesOf } from '../../vat/administrationRules.ts';
import { linesOfDays } from '../../vat/bookedTax/vatLines.ts';
import { figuresOf, fileReturn } from '../../vat/filedReturns.ts';
import { roundingOf } from '../../vat/vatPaper.ts';
import { boxEntries, ruleFinder, totalled } from '../../vat/vatReturn.ts';
import { type BookPlan, bookPlans } from './bookPlans.ts';
import { type Days, dayIn, monthsOf, periodOf, quarterOf, quarterOfCases, secondsAt } from './demoDays.ts';
import type { SoldInvoice } from './documents.ts';
import { latePurchases, makePurchases, type Purchasing } from './purchases.ts';
import type { Seeded } from './seeded.ts';

type Context = { db: Database; administration: Row<'administration'> };

/** What was paid from the bank account; below zero: received. */
type Movement = NewEntry['lines'][number] & { on: CalendarDate };

/**
 * Makes the books around the sales of an administration: an opening balance, purchases, entries of every month, bank
 * statements that pay what is no longer outstanding, and returns of VAT that were filed.
 */
export async function makeBooks(
  context: Context,
  days: Days,
  { sold, ...from }: Purchasing & { sold: readonly SoldInvoice[] },
  random: Seeded,
): Promise<void> {
  const { db, administration } = context;
  const plan = bookPlans[administration.country];
  await makeOpening(context, days.first, plan);
  const bought = makePurchases(days, plan, { sold, ...from }, random);
  await storePurchaseInvoices(context, bought);
  const declared = await fileReturns(context, days);
  const late = latePurchases(days, plan, from, BigInt(bought.length + 1));
  await storePurchaseInvoices(context, late);
  await numberTaken(db, administration.id, 'purchase_invoice', BigInt(bought.length + late.length));

  const monthly = monthsOf(days)
    .flatMap((month) => plan.monthly.map((entry) => ({ ...entry, on: dayIn(month, entry.day) })))
    .filter(({ on }) => on >= days.first && on <= days.last);
  const { debtor_account, creditor_account } = administration;
  const payments = [
    ...sold.map((invoice) => ({ ...invoice, account: debtor_account, sign: -1n })),
    ...bought.map(({ row }) => ({ ...row, account: creditor_account, sign: 1n })),
  ].map(({ account, sign, number, date, due_date, relation_id, total_incl, outstanding }): Movement => {
    const paid = addDays(due_date ?? date, random.from(-6, 6));
    return {
      on: paid < date ? date : paid,
      ledger_account_number: account,
      amount: sign * (total_incl - outstanding),
      relation_id,
      document: String(number),
    };
  });
  const others = monthly
    .filter(({ journal }) => journal === 'bank')
    .flatMap(({ on, description, lines }) => lines.map((line) => ({ on, ...posting(line), description })));
  const tax = declared.map(({ on, period, owed }) => ({
    on,
    ledger_account_number: plan.vatToPay,
    amount: owed,
    description: period,
  }));
  const memorials = monthly.filter(({ journal }) => journal === 'memorial');
  await storeEntries(context, [
    ...memorials.map(({ on, description, lines }) => entryOf('memorial', on, description, lines.map(posting))),
    privateUse(plan, addDays(quarterOfCases(days.last).to, -3)),
    ...statements(plan.bank, [...payments, ...others, ...tax], days.last),
  ]);
}

const posting = ([ledger_account_number, euros]: readonly [account: string, euros: bigint]) => ({
  ledger_account_number,
  amount: euros * 100n,
});

const entryOf = (
  journal: NewEntry['journal'],
  date: CalendarDate,
  description: string,
  lines: NewEntry['lines'],
): NewEntry => ({ journal, date, description, created_on: secondsAt(date, '15:00:00'), lines });

async function makeOpening({ db, administration }: Context, first: CalendarDate, plan: BookPlan): Promise<void> {
  const { from, to } = periodOf(first.slice(0, 4));
  const year = { administration_id: administration.id, start_date: from, end_date: to, has_opening: flag(true) };
  const ids = await insertKeyedRows(db, 'fiscal_year', 'start_date', [newRow('fiscal_year', year)]);
  const lines = plan.opening.map(posting).map(({ ledger_account_number, amount }) => ({
    fiscal_year_id: ids.get(from)!,
    ledger_account_number,
    debit: amount > 0n ? amount : 0n,
    credit: amount < 0n ? -amount : 0n,
  }));
  await insertRows(db, 'opening_line', lines);
}

/** Files the returns of the quarters before that with every case. @returns what was owed, and when it was paid */
async function fileReturns({ db, administration }: Context, { first, last }: Days) {
  const ruleOf = ruleFinder(await vatRulesOf(db, administration));
  const before = { from: first, to: addDays(quarterOfCases(last).from, -1) };
  const lines = await linesOfDays({ db, administration, ruleOf, filed: [] }, before, { first, last: before.to });
  const declared: { on: CalendarDate; period: string; owed: Cents }[] = [];
  for (const [name, ofQuarter] of Map.groupBy(lines, ({ date }) => quarterOf(date).name)) {
    const period = periodOf(name);
    const found = totalled(administration.country, boxEntries(ruleOf, ofQuarter), roundingOf(administration));
    const filed = addDays(period.to, 20);
    await fileReturn(db, administration.id, period, figuresOf(found), secondsAt(filed, '11:00:00'));
    const tax = (box: string): Cents => found.boxes.get(box)?.tax?.declared ?? 0n;
    declared.push({ on: addDays(filed, 2), period: `Btw ${name}`, owed: tax('5g') + tax('71') - tax('72') });
  }
  return declared;
}

/** What the director took home: its price, and the VAT on it. */
function privateUse({ privateUse: { code, revenue, vat, owedBy } }: BookPlan, date: CalendarDate): NewEntry {
  const price: Cents = 40_000n;
  const tax = divide(price * 21n, 100n);
  return entryOf('memorial', date, 'Privégebruik', [
    { ledger_account_number: owedBy, amount: price + tax },
    { ledger_account_number: revenue, amount: -price },
    { ledger_account_number: vat, amount: -tax, tax_code: code, tax_base: -price, tax_amount: -tax },
  ]);
}

/** The bank statements of every Friday, and of the last day. */
function statements(bank: string, movements: readonly Movement[], last: CalendarDate): NewEntry[] {
  const some = movements.filter(({ amount }) => amount !== 0n);
  const weeks = Map.groupBy(some, ({ on }) => {
    const friday = addDays(on, (12 - new Date(on).getUTCDay()) % 7);
    return friday < last ? friday : last;
  });
  const numbers = new Map<string, number>();
  return [...weeks]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, week]) => {
      const year = date.slice(0, 4);
      const number = (numbers.get(year) ?? 0) + 1;
      numbers.set(year, number);
      const lines = week.map(({ on: _, ...line }) => line);
      const total = { ledger_account_number: bank, amount: -sum(week.map(({ amount }) => amount)) };
      const statement = `${year}-${String(number).padStart(2, '0')}`;
      return { ...entryOf('bank', date, `Afschrift ${statement}`, [total, ...lines]), entry_number: statement };
    });
}
