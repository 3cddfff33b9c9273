export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** The most moments that lie within any span of this length, wherever it begins; they come in order. */
export function maxWithin(moments: readonly number[], span: number): number {
  let most = 0;
  let first = 0;
  for (const [index, moment] of moments.entries()) {
    while (moment - moments[first]! >= span) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
