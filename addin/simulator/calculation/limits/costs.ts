import type { Part } from '../../workbook/cells/formulas/formulaTree.ts';
import type { FormulaCell } from '../dependencies.ts';
import { kinds, type Value } from '../engineValues.ts';
import type { Reason } from './refused.ts';

/*
 * The engine begins with every formula that it reads, and is not stopped. What some functions would cost is known by their
 * arguments before they begin: how many values they make, how often they repeat something. A step is what takes about a
 * microsecond.
 */

/** What one formula may take, and all that are calculated at a time. */
const MAX_STEPS = { formula: 5_000_000, calculation: 100_000_000 };

/** What a call of a LAMBDA takes beside what is in it. */
export const STEPS_OF_CALL = 5;

/** What was spent on formulas. */
export class Spent {
  readonly #ofFormula = new Map<FormulaCell, number>();
  readonly #refused = new Map<FormulaCell, Reason>();
  #all = 0;

  /** @returns whether a formula may take so many steps more */
  spend(formula: FormulaCell, steps: number): boolean {
    const spent = (this.#ofFormula.get(formula) ?? 0) + steps;
    const isAllowed = spent <= MAX_STEPS.formula && this.#all + steps <= MAX_STEPS.calculation;
    if (isAllowed) {
      this.#ofFormula.set(formula, spent);
      this.#all += steps;
    } else this.refuse(formula, 'tooMuch');
    return isAllowed;
  }

  refuse(formula: FormulaCell, reason: Reason): void {
    this.#refused.set(formula, reason);
  }

  /** Why a formula has no result, also where it answered the error of a part of it. */
  reasonOf(formula: FormulaCell): Reason | undefined {
    return this.#refused.get(formula);
  }
}

/** Values that an area may have. */
export const MAX_AREA = 3_000_000;

type Cost = (args: readonly (Value | undefined)[]) => number;

const first = (value: Value | undefined): Value | undefined =>
  value?.kind === kinds.array ? value.rows?.[0]?.[0] : value;
const numberOf = (value: Value | undefined): number => Math.abs(Number(first(value)?.value ?? 1)) || 0;
const textOf = (value: Value | undefined): string => String(first(value)?.value ?? '');
const height = (value: Value | undefined): number => value?.height ?? 1;
const width = (value: Value | undefined): number => value?.width ?? 1;
const size = (value: Value | undefined): number => height(value) * width(value);
/** The length of the longest of some texts. */
const longest = (value: Value | undefined): number =>
  value?.kind === kinds.array
    ? Math.max(0, ...value.rows!.map((row) => Math.max(0, ...row.map((one) => String(one.value ?? '').length))))
    : textOf(value).length;

const made: Cost = ([rows, columns]) => numberOf(rows) * numberOf(columns);
const sorted: Cost = ([values]) => size(values) * 10;
const inverted: Cost = ([matrix]) => height(matrix) ** 3 / 200;
const fitted: Cost = ([, known]) => (size(known) * Math.min(height(known), width(known))) / 10;
/** Functions that repeat something as often as some of their arguments say. */
const repeated =
  (divisor: number, ...indexes: number[]): Cost =>
  (args) =>
    Math.max(...indexes.map((index) => (args[index] === undefined ? 0 : numberOf(args[index])))) / divisor;

/** A pattern that repeats what is repeated may try each way to divide a text; else each further repetition tries each length. */
function costOfPattern(pattern: string, length: number): number {
  const plain = pattern.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x');
  if (/\([^()]*(?:[*+{|?]|\().*\)(?:[*+]|\{\d*,)/s.test(plain)) return Number.POSITIVE_INFINITY;
  const repetitions = plain.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0;
  return length ** repetitions / 1000;
}

const matched: Cost = ([text, pattern]) => costOfPattern(textOf(pattern), longest(text)) * size(text);

const wildcards = (pattern: string): number => pattern.replace(/~[*?~]/g, '').match(/\*/g)?.length ?? 0;

/** Criteria in cells: each may be a pattern. */
const ofDatabase: Cost = ([database, , criteria]) => {
  const most = Math.max(0, ...(criteria?.rows ?? []).flat().map(({ value }) => wildcards(String(value ?? ''))));
  return most < 2 ? 0 : (longest(database) ** most / 1000) * height(database);
};

/** A usual format of TEXT. */
const MAX_FORMAT = 255;

/** Whether a call takes little, whatever its values are: by a format or a pattern that stands in the formula. */
export function isCheap({ name, args }: Part & { kind: 'call' }, formula: string): boolean {
  const literal = (index: number) => /^\s*"((?:[^"]|"")*)"\s*$/.exec(partText(args[index], formula))?.[1];
  if (name === 'TEXT') return (literal(1)?.length ?? MAX_FORMAT + 1) <= MAX_FORMAT;
  return name === 'SEARCH' && wildcards(literal(0) ?? '**') < 2;
}

const partText = (part: Part | undefined, formula: string): string =>
  part === undefined ? '' : formula.slice(part.start, part.end);

/** The steps of functions, by their English names, from the values of their arguments. */
export const costs: Readonly<Record<string, Cost | undefined>> = {
  SEQUENCE: made,
  RANDARRAY: made,
  MAKEARRAY: made,
  EXPAND: ([, rows, columns]) => made([rows, columns]),
  HSTACK: (args) => args.reduce((sum, arg) => sum + size(arg), 0),
  VSTACK: (args) => args.reduce((sum, arg) => sum + size(arg), 0),
  MUNIT: ([count]) => numberOf(count) ** 2,
  MMULT: ([a, b]) => (size(a) * width(b)) / 20 + height(a) * width(b),
  MINVERSE: inverted,
  MDETERM: inverted,
  LINEST: fitted,
  LOGEST: fitted,
  TREND: fitted,
  GROWTH: fitted,
  SORT: sorted,
  SORTBY: sorted,
  UNIQUE: sorted,
  FREQUENCY: ([values, limits]) => (size(values) * size(limits)) / 1000,
  'BINOM.DIST': repeated(20, 0, 1),
  'BINOM.DIST.RANGE': repeated(20, 0, 2, 3),
  'BINOM.INV': repeated(20, 0),
  BINOMDIST: repeated(20, 0, 1),
  CRITBINOM: repeated(20, 0),
  'HYPGEOM.DIST': repeated(20, 0, 1, 2, 3),
  HYPGEOMDIST: repeated(20, 0, 1, 2, 3),
  'NEGBINOM.DIST': repeated(20, 0, 1),
  NEGBINOMDIST: repeated(20, 0, 1),
  'POISSON.DIST': repeated(20, 0),
  POISSON: repeated(20, 0),
  MULTINOMIAL: (args) => args.reduce((sum, arg) => sum + numberOf(arg), 0) / 20,
  VDB: repeated(20, 2, 4),
  DB: repeated(20, 2, 3),
  CUMIPMT: repeated(20, 1, 3, 4),
  CUMPRINC: repeated(20, 1, 3, 4),
  BESSELI: repeated(20, 0, 1),
  BESSELJ: repeated(20, 0, 1),
  BESSELK: repeated(20, 0, 1),
  BESSELY: repeated(20, 0, 1),
  WORKDAY: repeated(4, 1),
  'WORKDAY.INTL': repeated(4, 1),
  'NETWORKDAYS.INTL': repeated(4, 0, 1),
  REGEXTEST: matched,
  REGEXEXTRACT: matched,
  REGEXREPLACE: matched,
  DAVERAGE: ofDatabase,
  DCOUNT: ofDatabase,
  DCOUNTA: ofDatabase,
  DGET: ofDatabase,
  DMAX: ofDatabase,
  DMIN: ofDatabase,
  DPRODUCT: ofDatabase,
  DSTDEV: ofDatabase,
  DSTDEVP: ofDatabase,
  DSUM: ofDatabase,
  DVAR: ofDatabase,
  DVARP: ofDatabase,
  // The engine goes through a format again for each of its signs.
  TEXT: ([value, format]) => (longest(format) ** 2 / 300) * Math.max(size(value), size(format)),
  SEARCH: ([pattern, text]) => (longest(text) ** wildcards(textOf(pattern)) / 1000) * size(text),
};
