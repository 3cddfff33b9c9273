import { abs, centsText, DECIMAL_SCALE, MONEY_SCALE, units } from '../../../../../shared/money.ts';
import type { Period } from '../../balances/fiscalYears.ts';
import type { Report } from '../../files/readRows.ts';
import { isDay } from './fiscalYear.ts';
import type { AccountRecord } from './generalLedger.ts';
import { type Container, lineOf, textOf, type XmlRecord } from './records.ts';
import type { VatRecord } from './vatCodes.ts';

export type Tally = { lines: bigint; debit: bigint; credit: bigint };

/** What lines may refer to, and the days of their fiscal year. */
type Known = {
  ledger: ReadonlyMap<string, AccountRecord>;
  vat: ReadonlyMap<string, VatRecord>;
  isParty: (id: string) => boolean;
  days: () => Period | undefined;
};

/** Where problems go, and contradictions that a person may take with a warning. */
type Reports = { report: Report; contradiction: Report };

/** Whether a container is a journal with what a year opens with. */
export const isOfOpenings = (journal: Container | undefined): boolean =>
  journal !== undefined && textOf(journal, 'jrnTp') === 'O';

/** Elements around lines that declare no totals of them. */
const withoutTotals = new Set(['company', 'journal', 'transaction']);

/** Cents of one line and of all together: more do not fit the database. */
const MAX_CENTS = 10n ** 16n;
const MAX_TOTAL = 10n ** 18n;

/**
 * Checks the lines of opening balance, transactions and subledgers: their number and totals must be those that the file
 * declares, what they refer to must exist, and each transaction must balance. Balances are added to the accounts,
 * percentages to the VAT codes.
 */
export function transactions({ report, contradiction }: Reports, { ledger, vat, isParty, days }: Known) {
  const tallies = new Map<Container, Tally>();
  const tallyOf = (container: Container): Tally => {
    const tally = tallies.get(container) ?? noTally();
    tallies.set(container, tally);
    return tally;
  };
  // Not in that map: one that grows and shrinks for ever leaves tables behind, which hold each other.
  let ofTransaction = noTally();
  /** The last day that a transaction had: most have that of the one before. */
  let lastDay: string | undefined;

  const amountOf = (line: XmlRecord): { debit: bigint; credit: bigint } | undefined => {
    const refuse = (element: string, expected: string) =>
      report(lineOf(line, element), element, `expected ${expected}, got "${textOf(line, element)}"`);
    const side = textOf(line, 'amntTp');
    const cents = centsOf(textOf(line, 'amnt'));
    if (cents === undefined) refuse('amnt', 'an amount with two decimals');
    else if (abs(cents) > MAX_CENTS) refuse('amnt', `at most ${centsText(MAX_CENTS)}`);
    else if (side !== 'D' && side !== 'C') refuse('amntTp', 'D or C');
    else return side === 'D' ? { debit: cents, credit: 0n } : { debit: 0n, credit: cents };
    return undefined;
  };

  const countVat = (line: XmlRecord) => {
    for (const { name, values } of line.parts) {
      const id = values.get('vatID') ?? '';
      const code = name === 'vat' ? vat.get(id) : undefined;
      const percentage = values.get('vatPerc') ?? '';
      if (name === 'vat' && code === undefined) {
        contradiction(line.line, 'vatID', `expected one of the vatCodes, got "${id}"`);
      }
      if (code === undefined || !/^\d+(\.\d*)?$/.test(percentage)) continue;
      const rate = units(percentage, DECIMAL_SCALE);
      code.uses.set(rate, (code.uses.get(rate) ?? 0) + 1);
    }
  };

  return {
    line(element: string, line: XmlRecord, within: readonly Container[]): void {
      const amount = amountOf(line);
      const container = within.findLast(({ element }) => !withoutTotals.has(element));
      if (amount === undefined || container === undefined) return;
      count(tallyOf(container), amount);
      if (within.at(-1)?.element === 'transaction') count(ofTransaction, amount);
      if (element !== 'trLine' && element !== 'obLine') return;
      const number = textOf(line, 'accID');
      const account = ledger.get(number);
      if (account === undefined) {
        report(lineOf(line, 'accID'), 'accID', `expected an account of the generalLedger, got "${number}"`);
        return;
      }
      account.balance += amount.debit - amount.credit;
      if (element === 'obLine') account.opening = (account.opening ?? 0n) + amount.debit - amount.credit;
      if (element === 'obLine' || isOfOpenings(within.at(-2))) account.isCarriedForward = true;
      const party = textOf(line, 'custSupID');
      if (party !== '' && !isParty(party)) {
        contradiction(lineOf(line, 'custSupID'), 'custSupID', `expected one of the customersSuppliers, got "${party}"`);
      }
      countVat(line);
    },
    /** Checks a transaction: its day, and that it balances. */
    endTransaction(transaction: Container): void {
      const { debit, credit } = ofTransaction;
      ofTransaction = noTally();
      const nr = textOf(transaction, 'nr');
      if (debit !== credit) {
        const sides = `${centsText(debit)} debit and ${centsText(credit)} credit`;
        report(transaction.line, 'transaction', `expected transaction ${nr} to balance, got ${sides}`);
      }
      const date = textOf(transaction, 'trDt');
      const at = lineOf(transaction, 'trDt');
      const { first, last } = days() ?? { first: '', last: '' };
      if (date !== lastDay && !isDay(date)) report(at, 'trDt', `expected a date, got "${date}"`);
      else if (date < first || date > last) report(at, 'trDt', `expected a day from ${first} to ${last}, got ${date}`);
      else lastDay = date;
    },
    /** Compares the lines with the declared totals. */
    end(container: Container): Tally {
      const { element, line, values } = container;
      const tally = tallyOf(container);
      if (element === 'openingBalance' && tally.debit !== tally.credit) {
        const sides = `${centsText(tally.debit)} debit and ${centsText(tally.credit)} credit`;
        report(line, element, `expected the opening balance to balance, got ${sides}`);
      }
      if (tally.debit > MAX_TOTAL || tally.credit > MAX_TOTAL) {
        report(line, element, `expected lines that add up to at most ${centsText(MAX_TOTAL)}`);
      }
      const compare = (name: string, isRight: (text: string) => boolean, expected: string) => {
        const declared = values.text(name);
        if (isRight(declared ?? '')) return;
        const got = declared === undefined ? 'none' : `"${declared}"`;
        contradiction(values.line(name) ?? line, name, `expected ${expected}, got ${got}`);
      };
      compare(
        'linesCount',
        (text) => /^\d{1,10}$/.test(text) && BigInt(text) === tally.lines,
        `${tally.lines}, as many as ${element} has lines`,
      );
      for (const [name, total] of [
        ['totalDebit', tally.debit],
        ['totalCredit', tally.credit],
      ] as const) {
        const expected = `${centsText(total)}, what the lines of ${element} add up to`;
        compare(name, (text) => centsOf(text) === total, expected);
      }
      return tally;
    },
  };
}

const noTally = (): Tally => ({ lines: 0n, debit: 0n, credit: 0n });

function count(tally: Tally, { debit, credit }: Pick<Tally, 'debit' | 'credit'>): void {
  tally.lines++;
  tally.debit += debit;
  tally.credit += credit;
}

/** An amount of the file in cents; undefined when it is invalid. */
export function centsOf(text: string): bigint | undefined {
  return /^[+-]?\d+(\.\d{0,2}0*)?$/.test(text) ? units(text.replace('+', ''), MONEY_SCALE) : undefined;
}
