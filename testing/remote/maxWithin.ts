export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** The largest number of moments within any span of this length. @param moments in order */
export function maxWithin(moments: readonly number[], span: number): number {
  let most = 0;
  let first = 0;
  for (const [index, moment] of moments.entries()) {
    while (moment - moments[first]! >= span) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
