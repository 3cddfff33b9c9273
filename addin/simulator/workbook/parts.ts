/* Work of generators, which yield which part of it is done, from 0 to 1: between its parts others have a turn. */

/** Work that is some of a larger one, from one of its parts to another. */
export function* partOf<Result>(from: number, to: number, work: Generator<number, Result>): Generator<number, Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    yield from + value * (to - from);
  }
}

/** The result of work that is done at once. */
export const resultOf = <Result>(work: Generator<number, Result>): Result => {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
};
