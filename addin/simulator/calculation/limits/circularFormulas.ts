import { kinds, type Value } from '../engineValues.ts';

/*
 * The engine takes 0 for the result of a formula that is being calculated: `=A1+1` in A1 would be 1, a wrong figure. It
 * does not tell of it. With iterative calculation it calculates formulas that refer to each other twice, and takes the
 * first result for the one that is not there yet: that result tells here that it was read. So a reference counts that
 * was followed, and not one in the other half of an IF.
 */

/** What the cell of such a formula says. */

/** Finds formulas that need the result of one that needs theirs. */
export class CircularFormulas {
  /** The numbers of those that are being calculated, each for the one before. */
  readonly #open: number[] = [];
  readonly #found = new Set<number>();

  begin(number: number): void {
    this.#open.push(number);
  }

  /** The number of the formula that is being calculated. */
  get current(): number | undefined {
    return this.#open.at(-1);
  }

  /** @returns whether a formula that was calculated needs its own result */
  end(number: number): boolean {
    this.#open.length = Math.max(this.#open.lastIndexOf(number), 0);
    return this.#found.has(number);
  }

  /** Whether the engine gave up a formula, because too many others that it depends on had to be calculated first. */
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
