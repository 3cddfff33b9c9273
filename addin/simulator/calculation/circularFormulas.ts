import type { Language } from '../../taskpane/locales/words.ts';
import { cellArea, contains } from '../workbook/cells/address.ts';
import type { FormulaCell } from './dependencies.ts';

/*
 * The engine takes 0 for the result of a formula that is being calculated: `=A1+1` in A1 would be 1, a wrong figure. It does
 * not tell of it, so the formulas that are being calculated are followed here.
 */

/** Functions that need the values of all their arguments. Of others it is not known whether a reference was followed. */
const needAll = new Set(
  (
    'ABS AVERAGE AVERAGEIF AVERAGEIFS COUNT COUNTA COUNTIF COUNTIFS INT MAX MEDIAN MIN MOD NOT POWER PRODUCT ROUND ' +
    'ROUNDDOWN ROUNDUP SIGN SQRT SUM SUMIF SUMIFS SUMPRODUCT TRUNC'
  ).split(' '),
);

const needsAll = (formula: string): boolean =>
  [...formula.replace(/"[^"]*"/g, '""').matchAll(/([\p{L}_][\p{L}\d._]*)\(/gu)].every(([, name]) =>
    needAll.has(name!.toUpperCase()),
  );

/** What the cell of such a formula says. */
export const circularMessage: Readonly<Record<Language, string>> = {
  en: 'This formula refers to its own cell, directly or through other formulas (a circular reference).',
  nl: 'Deze formule verwijst naar haar eigen cel, direct of via andere formules (een kringverwijzing).',
  fr: 'Cette formule fait référence à sa propre cellule, directement ou par d’autres formules (une référence circulaire).',
};

/** Finds formulas that need the result of one that needs theirs. */
export class CircularFormulas {
  readonly #calculated: readonly FormulaCell[];
  /** The numbers of those that are being calculated, each for the one before. */
  readonly #open: number[] = [];

  constructor(calculated: readonly FormulaCell[]) {
    this.#calculated = calculated;
  }

  begin(number: number): void {
    this.#open.push(number);
  }

  /** @returns whether a formula that was calculated referred to itself, or to one that waits for it */
  end(number: number): boolean {
    const place = this.#open.lastIndexOf(number);
    const waiting = this.#open.slice(0, place + 1);
    this.#open.length = Math.max(place, 0);
    const { formula, references } = this.#calculated[number]!;
    const refersTo = (other: FormulaCell) =>
      references.areas.some(({ sheet, area }) => sheet === other.sheet && contains(area, cellArea(other)));
    return waiting.some((one) => refersTo(this.#calculated[one]!)) && needsAll(formula);
  }
}
