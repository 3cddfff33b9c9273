import type { Language } from '../../taskpane/locales/words.ts';
import { cellAt } from '../workbook/sheet.ts';
import type { FormulaCell } from './dependencies.ts';
import { kinds, type Value } from './engineValues.ts';
import type { Result } from './spills.ts';

/*
 * The engine takes 0 for the result of a formula that is being calculated: `=A1+1` in A1 would be 1, a wrong figure. It
 * does not tell of it. With iterative calculation it calculates formulas that refer to each other twice, and takes the
 * first result for the one that is not there yet: that result tells here that it was read. So a reference counts that
 * was followed, and not one in the other half of an IF.
 */

/** What the cell of such a formula says. */
const messages: Readonly<Record<'circular' | 'tooMany', Readonly<Record<Language, string>>>> = {
  circular: {
    en: 'This formula refers to its own cell, directly or through other formulas (a circular reference).',
    nl: 'Deze formule verwijst naar haar eigen cel, direct of via andere formules (een kringverwijzing).',
    fr: 'Cette formule fait référence à sa propre cellule, directement ou par d’autres formules (une référence circulaire).',
  },
  tooMany: {
    en: 'Too many formulas refer to each other in a circle. They cannot be calculated here.',
    nl: 'Te veel formules verwijzen in een kring naar elkaar. Ze kunnen hier niet worden berekend.',
    fr: 'Trop de formules font référence les unes aux autres en cercle. Elles ne peuvent pas être calculées ici.',
  },
};

/** Finds formulas that need the result of one that needs theirs. */
export class CircularFormulas {
  /** The numbers of those that are being calculated, each for the one before. */
  readonly #open: number[] = [];
  readonly #found = new Set<number>();

  begin(number: number): void {
    this.#open.push(number);
  }

  /** @returns whether a formula that was calculated needs its own result */
  end(number: number): boolean {
    this.#open.length = Math.max(this.#open.lastIndexOf(number), 0);
    return this.#found.has(number);
  }

  /** Whether the engine did not end a formula that it began: those that wait for each other were too many for it. */
  get isUnfinished(): boolean {
    return this.#open.length > 0;
  }

  /** A result for the engine, which is noticed when it is read while its formula is being calculated. */
  watched(number: number, result: Value): Value {
    const { kind } = result;
    const kindRead = () => {
      const place = this.#open.lastIndexOf(number);
      if (place >= 0) for (const one of this.#open.slice(place)) this.#found.add(one);
      // The engine takes 0 and not this one if the first result is an error; it asks for that between formulas.
      return kind === kinds.error && this.#open.length === 0 ? kinds.number : kind;
    };
    return {
      ...result,
      get kind() {
        return kindRead();
      },
    };
  }
}

/** What a formula gives that needs its own result, or may need it. */
export const circularResult = (cell: FormulaCell, reason: keyof typeof messages = 'circular'): Result => ({
  cell,
  values: [['#CALC!']],
  mayFill: cellAt(cell.sheet, cell.row, cell.column)?.spills !== undefined,
  message: messages[reason][cell.sheet.workbook.locale.language],
});
