import { describe, expect, it } from 'vitest';
import { units } from '../../../../../shared/money.ts';
import { entryAmounts, type TaxedLine } from './entryVatLines.ts';

const accounts = { payable: '1500', receivable: '1530' };
const cents = (text: string) => units(text, 2);
/** A line of tax: its amount is the tax. Positive is debit. */
const tax = (account: string, amount: string, base = '0'): TaxedLine => ({
  account,
  amount: cents(amount),
  tax_base: cents(base),
  tax_amount: cents(amount),
});
/** A line of what was taxed, with the tax beside it, as other programs export it. */
const taxed = (account: string, amount: string, beside: string): TaxedLine => ({
  account,
  amount: cents(amount),
  tax_base: cents(amount),
  tax_amount: cents(beside),
});
const ordinary = { percentage: units('21', 8), share: units('100', 8), booked: [], isSelfAssessed: false };
const selfAssessed = { ...ordinary, isSelfAssessed: true };
const partly = { ...ordinary, share: units('50', 8) };
/** Of a tax code that was 12 % before. */
const raised = { ...partly, booked: [units('21', 8), units('12', 8)] };

describe('an entry without a document', () => {
  it.each([
    ['a sale with a line of tax', 'Sales', ordinary, [tax('1500', '-21', '-100')], ['100', '21']],
    ['a sale of another program', 'Sales', ordinary, [taxed('8000', '-100', '-21')], ['100', '21']],
    [
      'a sale of another program with a line of tax as well',
      'Sales',
      ordinary,
      [taxed('8000', '-100', '-20.99'), tax('1500', '-21')],
      ['100', '21'],
    ],
    [
      'a cash sale of another program, whose line of tax has the code without an amount',
      'Sales',
      ordinary,
      [taxed('1520', '-31.50', '0'), taxed('8000', '-100', '-21'), taxed('8010', '-50', '-10.50')],
      ['150', '31.50'],
    ],
    [
      'a cash purchase of another program, whose line of tax has the code without an amount',
      'Purchase',
      ordinary,
      [taxed('1520', '21', '0'), taxed('7000', '100', '21')],
      ['100', '21'],
    ],
    [
      'a sale of another program with a line so small that it has no tax',
      'Sales',
      ordinary,
      [taxed('8000', '-100', '-21'), taxed('8010', '-0.02', '0')],
      ['100.02', '21'],
    ],
    ['a credit', 'Sales', ordinary, [tax('1500', '21', '100')], ['-100', '-21']],
    ['a line of tax without a base', 'Sales', ordinary, [tax('1500', '-21')], ['100', '21', 'derived']],
    ['a sale without tax', 'Sales', { ...ordinary, percentage: 0n }, [taxed('8040', '-80', '0')], ['80', '0']],
    ['a purchase', 'Purchase', ordinary, [tax('1530', '21', '100')], ['100', '21', '', '0', '21']],
    [
      'a purchase of which half is deducted',
      'Purchase',
      partly,
      [tax('1530', '10.51', '100.05')],
      ['100.05', '21.01', '', '0', '10.51'],
    ],
    [
      'a purchase of which half is deducted, without a base, as an audit file has it',
      'Purchase',
      partly,
      [tax('1530', '-10.50')],
      ['-100', '-21', 'derived', '0', '-10.50'],
    ],
    [
      'a purchase with another part of its tax than may be deducted',
      'Purchase',
      partly,
      [tax('1530', '21', '100')],
      ['100', '21', '', '0', '21'],
    ],
    [
      'a purchase of before the tax code changed, of which half is deducted',
      'Purchase',
      raised,
      [tax('1530', '-6.01', '-100.05')],
      // 12 % is 12.006, and half of 12.01 is 6.005.
      ['-100.05', '-12.01', '', '0', '-6.01'],
    ],
    [
      'a purchase whose whole tax by the present percentage is half of that by one before',
      'Purchase',
      { ...raised, percentage: units('6', 8) },
      [tax('1530', '6', '100')],
      ['100', '6', '', '0', '6'],
    ],
    [
      'a purchase of another program, whose cost has what is not deducted',
      'Purchase',
      partly,
      [taxed('4000', '110.50', '0'), tax('1530', '10.50')],
      ['110.50', '10.50', '', '0', '10.50'],
    ],
    ['a purchase of another program', 'Purchase', ordinary, [taxed('4000', '100', '21')], ['100', '21']],
    [
      'reverse charge with both sides',
      'Purchase',
      selfAssessed,
      [tax('1530', '21', '100'), tax('1500', '-21', '-100')],
      ['100', '0', '', '21', '21'],
    ],
    [
      'a credit of reverse charge',
      'Purchase',
      selfAssessed,
      [tax('1530', '-21', '-100'), tax('1500', '21', '100')],
      ['-100', '0', '', '-21', '-21'],
    ],
    [
      'reverse charge on other accounts',
      'Purchase',
      selfAssessed,
      [taxed('4000', '100', '0'), tax('1540', '21'), tax('1520', '-21')],
      ['100', '0', '', '21', '21'],
    ],
    [
      'reverse charge of which nothing is deducted',
      'Purchase',
      selfAssessed,
      [tax('1500', '-21', '-100')],
      ['100', '0', '', '21', '0'],
    ],
    [
      'reverse charge without a base, as an audit file has it',
      'Purchase',
      selfAssessed,
      [tax('1530', '21'), tax('1500', '-21')],
      ['100', '0', 'derived', '21', '21'],
    ],
    [
      'a credit of reverse charge without a base, of which half is deducted',
      'Purchase',
      selfAssessed,
      [tax('1530', '-10.50'), tax('1500', '21')],
      ['-100', '0', 'derived', '-21', '-10.50'],
    ],
    ['reverse charge without its tax', 'Purchase', selfAssessed, [taxed('4000', '100', '0')], ['100', '0']],
  ] as const)('of %s has base and tax as a document has them', (_, type, kind, lines, expected) => {
    const { base, tax, booked, isBaseDerived } = entryAmounts(type, kind, lines, accounts);
    const [wantedBase, wantedTax, derived = '', assessed, deductible] = expected as readonly string[];
    expect({ base, tax, isBaseDerived }).toEqual({
      base: cents(wantedBase!),
      tax: cents(wantedTax!),
      isBaseDerived: derived === 'derived',
    });
    expect(booked).toEqual(
      assessed === undefined ? undefined : { assessed: cents(assessed), deductible: cents(deductible!) },
    );
  });
});
