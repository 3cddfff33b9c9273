import { centsText, DECIMAL_SCALE, MONEY_SCALE, units } from '../../../../../shared/money.ts';
import type { Report } from '../bind.ts';
import type { AccountRecord } from './generalLedger.ts';
import { type Container, lineOf, textOf, type XmlRecord } from './records.ts';
import type { VatRecord } from './vatCodes.ts';

export type Tally = { lines: bigint; debit: bigint; credit: bigint };

/**
 * Checks the lines of opening balance, transactions and subledgers: their number and totals must be those that the file
 * declares, and their accounts must exist. Balances are added to the accounts, percentages to the VAT codes.
 */
export function transactions(
  report: Report,
  ledger: ReadonlyMap<string, AccountRecord>,
  vat: ReadonlyMap<string, VatRecord>,
) {
  const tallies = new Map<Container, Tally>();
  const tallyOf = (container: Container): Tally => {
    const tally = tallies.get(container) ?? { lines: 0n, debit: 0n, credit: 0n };
    tallies.set(container, tally);
    return tally;
  };

  const amountOf = (line: XmlRecord): { debit: bigint; credit: bigint } | undefined => {
    const refuse = (element: string, expected: string) =>
      report(lineOf(line, element), element, `expected ${expected}, got "${textOf(line, element)}"`);
    const side = textOf(line, 'amntTp');
    const cents = centsOf(textOf(line, 'amnt'));
    if (cents === undefined) refuse('amnt', 'an amount with two decimals');
    else if (side !== 'D' && side !== 'C') refuse('amntTp', 'D or C');
    else return side === 'D' ? { debit: cents, credit: 0n } : { debit: 0n, credit: cents };
    return undefined;
  };

  const countVat = (line: XmlRecord) => {
    for (const { name, values } of line.parts) {
      const code = name === 'vat' ? vat.get(values.get('vatID') ?? '') : undefined;
      const percentage = values.get('vatPerc') ?? '';
      if (code === undefined || !/^\d+(\.\d*)?$/.test(percentage)) continue;
      const rate = units(percentage, DECIMAL_SCALE);
      code.uses.set(rate, (code.uses.get(rate) ?? 0) + 1);
    }
  };

  return {
    line(element: string, line: XmlRecord, within: readonly Container[]): void {
      const amount = amountOf(line);
      const container = within.findLast((one) => one.element !== 'journal');
      if (amount === undefined || container === undefined) return;
      const tally = tallyOf(container);
      tally.lines++;
      tally.debit += amount.debit;
      tally.credit += amount.credit;
      if (element !== 'trLine' && element !== 'obLine') return;
      const number = textOf(line, 'accID');
      const account = ledger.get(number);
      if (account === undefined) {
        report(lineOf(line, 'accID'), 'accID', `expected an account of the generalLedger, got "${number}"`);
        return;
      }
      account.balance += amount.debit - amount.credit;
      if (element === 'obLine') account.isCarriedForward = true;
      countVat(line);
    },
    /** Compares the lines with the declared totals. */
    end(container: Container): Tally {
      const { element, line, values } = container;
      const tally = tallyOf(container);
      const compare = (name: string, isRight: (text: string) => boolean, expected: string) => {
        const declared = values.get(name);
        if (isRight(declared?.text ?? '')) return;
        const got = declared === undefined ? 'none' : `"${declared.text}"`;
        report(declared?.line ?? line, name, `expected ${expected}, got ${got}`);
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

/** An amount of the file in cents; undefined when it is invalid. */
function centsOf(text: string): bigint | undefined {
  return /^[+-]?\d+(\.\d{0,2}0*)?$/.test(text) ? units(text.replace('+', ''), MONEY_SCALE) : undefined;
}
