import { type Cents, divide, sum } from '../../../../shared/money.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import type { vatRoundings } from '../../../../shared/resources/vatReturn/vatReturn.ts';
import { neverNegative, vatSums } from '../../../../shared/resources/vatReturn/vatSums.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { type PurchaseTax, purchaseTaxes } from './purchaseTaxes.ts';
import { type VatCountry, type VatPart, vatBoxes, vatTotals } from './vatBoxes.ts';
import { ruleBoxes, type VatRule } from './vatRules.ts';

/** What a document books on one tax code, one kind of purchase: as on the document, so negative for a credit. */
export type VatLine = {
  /** Of its document, as its kind and its key in the database. */
  document: string;
  number: string;
  date: CalendarDate;
  taxType: TaxType;
  isCredit: boolean;
  taxCode: string;
  /** 81, 82 or 83; "" in the Netherlands and for sales. */
  classification: string;
  base: Cents;
  tax: Cents;
  /** As they were booked; left out where they follow from the rule. */
  booked?: PurchaseTax;
  relation: { name: string; country: string; vatNumber: string };
  /** The key of the relation, where the tax code has several in its entry. */
  relationId?: string;
};

/** An amount of a line in a box. */
export type VatEntry = { line: VatLine; box: string; part: VatPart; amount: Cents; rule: VatRule };

export type VatRounding = (typeof vatRoundings)[number];

/** Amounts of a box to the cent, and as the return wants them: whole euros in the Netherlands. */
type BoxAmount = { exact: Cents; declared: Cents };
export type BoxAmounts = Partial<Record<VatPart, BoxAmount>>;

export type VatReturn = {
  country: VatCountry;
  entries: VatEntry[];
  /** By the number of the box, with those that are sums. */
  boxes: Map<string, BoxAmounts>;
  /** Lines of tax codes without a rule, which are in no box. */
  unmapped: VatLine[];
  /** Amounts that the Belgian return cannot have, since they are below zero: they go to the next period. */
  carried: { box: string; amount: Cents }[];
};

/** Computes the boxes of a return from what documents booked in its period. */
export function vatReturn(
  country: VatCountry,
  rules: readonly VatRule[],
  lines: readonly VatLine[],
  rounding: VatRounding = 'nearest',
): VatReturn {
  return totalled(country, boxEntries(ruleFinder(rules), lines), rounding);
}

/** Lines of tax codes with a rule, as amounts in boxes, and the others. */
export type BoxEntries = Pick<VatReturn, 'entries' | 'unmapped'>;

/** The amounts of lines in boxes. All lines of a document must be among them. */
export function boxEntries(ruleOf: RuleFinder, lines: readonly VatLine[]): BoxEntries {
  const entries: VatEntry[] = [];
  const unmapped: VatLine[] = [];
  for (const group of Map.groupBy(lines, ({ document, taxCode }) => `${document} ${taxCode}`).values()) {
    const rule = ruleOf(group[0]!);
    if (rule === undefined) unmapped.push(...group);
    else entries.push(...entriesOf(rule, group));
  }
  return { entries, unmapped };
}

/** The return with these amounts in its boxes. */
export const totalled = (country: VatCountry, found: BoxEntries, rounding: VatRounding): VatReturn => ({
  country,
  ...found,
  ...boxesOf(country, found.entries, rounding),
});

/** The boxes in which these amounts are. */
export function boxesOf(
  country: VatCountry,
  amounts: readonly Pick<VatEntry, 'box' | 'part' | 'amount'>[],
  rounding: VatRounding,
): Pick<VatReturn, 'boxes' | 'carried'> {
  const exact = new Map(vatBoxes[country].map(({ box, parts }) => [box, new Map(parts.map((part) => [part, 0n]))]));
  for (const { box, part, amount } of amounts) {
    const ofBox = exact.get(box)!;
    ofBox.set(part, (ofBox.get(part) ?? 0n) + amount);
  }
  return declared(country, exact, rounding);
}

/** Finds the rule of a line; undefined when there is none. */
export type RuleFinder = (line: Pick<VatLine, 'taxType' | 'isCredit' | 'taxCode'>) => VatRule | undefined;

/** The rule of a line: that for its kind of document before that for any. */
export function ruleFinder(rules: readonly VatRule[]): RuleFinder {
  const byKey = new Map(rules.map((rule) => [`${rule.taxType} ${rule.document} ${rule.taxCode}`, rule]));
  return ({ taxType, isCredit, taxCode }) =>
    byKey.get(`${taxType} ${isCredit ? 'credit' : 'invoice'} ${taxCode}`) ?? byKey.get(`${taxType} any ${taxCode}`);
}

/** The amounts of the lines of one document and tax code. */
function entriesOf(rule: VatRule, group: readonly VatLine[]): VatEntry[] {
  const purchaseTax = rule.taxType === 'Sales' ? undefined : purchaseTaxes(rule, group);
  return group.flatMap((line, index) => {
    const { assessed, deductible } = line.booked ?? purchaseTax?.[index] ?? { assessed: line.tax, deductible: 0n };
    const turn = rule.document === 'credit' ? -1n : 1n;
    const entries = (part: VatPart, text: string, amount: Cents, notDeducted: Cents): VatEntry[] =>
      ruleBoxes(text).map(({ box, sign, isWithNotDeducted }) => ({
        line,
        box: box === 'X' ? line.classification : box,
        part,
        amount: sign * turn * (isWithNotDeducted ? amount + notDeducted : amount),
        rule,
      }));
    const notDeducted = rule.taxType === 'Sales' ? 0n : line.tax + assessed - deductible;
    return [
      ...entries('base', rule.base, line.base, notDeducted),
      ...entries('tax', rule.owed, assessed, 0n),
      ...entries('tax', rule.deductible, deductible, 0n),
    ].filter(({ amount }) => amount !== 0n);
  });
}

/** The boxes as the form has them, with their sums. */
function declared(
  country: VatCountry,
  exact: ReadonlyMap<string, ReadonlyMap<VatPart, Cents>>,
  rounding: VatRounding,
): Pick<VatReturn, 'boxes' | 'carried'> {
  const boxes = new Map<string, BoxAmounts>();
  const carried: VatReturn['carried'] = [];
  for (const [box, amounts] of exact) {
    const ofBox: BoxAmounts = {};
    for (const [part, amount] of amounts) {
      const isCarried = country === 'BE' && amount < 0n && neverNegative.includes(box);
      if (isCarried) carried.push({ box, amount });
      ofBox[part] = {
        exact: amount,
        declared: isCarried ? 0n : country === 'NL' ? inEuros(amount, rounding, box === '5b') : amount,
      };
    }
    boxes.set(box, ofBox);
  }
  const total = (kind: keyof BoxAmount, of: readonly string[]) =>
    sum(of.map((box) => boxes.get(box)?.tax?.[kind] ?? 0n));
  for (const { box } of vatTotals[country]) {
    const { of, less, isPositive } = vatSums[box]!;
    const amount = (kind: keyof BoxAmount): Cents => {
      const found = total(kind, of) - total(kind, less);
      return isPositive && found < 0n ? 0n : found;
    };
    boxes.set(box, { tax: { exact: amount('exact'), declared: amount('declared') } });
  }
  return { boxes, carried };
}

const EURO = 100n;

/** Whole euros, in cents. @param isDeduction whether rounding up is in favour of who declares */
function inEuros(amount: Cents, rounding: VatRounding, isDeduction: boolean): Cents {
  if (rounding === 'nearest') return divide(amount, EURO) * EURO;
  const above = ((amount % EURO) + EURO) % EURO;
  return isDeduction && above > 0n ? amount - above + EURO : amount - above;
}
