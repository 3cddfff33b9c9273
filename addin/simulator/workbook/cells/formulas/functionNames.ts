/** The name of a function in English, and in another language. */
export type FunctionName = readonly [english: string, other: string];

/** Reads pairs of `english other`, separated by commas and lines. */
export const readNames = (pairs: string): readonly FunctionName[] =>
  pairs
    .split(/[,\n]/)
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const [english = '', other = ''] = pair.trim().split(' ');
      return [english, other];
    });
