/*
 * The order in which the characters of a line are seen. Of the scripts that are written from right to left the fonts
 * have Hebrew only. These are the rules of the Unicode Bidirectional Algorithm (UAX 9) without explicit marks, which
 * `printable` removes.
 */

const hebrew = /\p{Script=Hebrew}/u;

/** A letter, with the marks above or below it. */
const clusters = /\P{M}\p{M}*|\p{M}+/gu;

const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
  '‹': '›',
  '›': '‹',
};

/** Left, right, a figure, or a sign that follows what is around it. */
type Direction = 'L' | 'R' | 'N' | '';

const directionOf = (text: string): Direction => {
  if (hebrew.test(text)) return 'R';
  if (/^\p{L}/u.test(text)) return 'L';
  return /^\p{Nd}/u.test(text) ? 'N' : '';
};

/** Whether a line has characters that are written from right to left. */
export const isMixed = (text: string): boolean => hebrew.test(text);

export const clustersOf = (text: string): string[] => text.match(clusters) ?? [];

/** A text as it is seen from left to right. */
export const visualText = (text: string): string =>
  isMixed(text)
    ? visualOrder(clustersOf(text).map((one) => ({ text: one })))
        .map((one) => one.text)
        .join('')
    : text;

/** The clusters of a line, from left to right as they are seen. */
export function visualOrder<Cluster extends { text: string }>(line: readonly Cluster[]): Cluster[] {
  const levels = levelsOf(line.map(({ text }) => text));
  const seen = line.map((cluster, index) => ({
    level: levels[index]!,
    cluster: levels[index]! % 2 === 1 ? { ...cluster, text: mirrored[cluster.text] ?? cluster.text } : cluster,
  }));
  for (const level of [2, 1]) {
    for (let start = 0; start < seen.length; start++) {
      let end = start;
      while (end < seen.length && seen[end]!.level >= level) end++;
      if (end > start) seen.splice(start, end - start, ...seen.slice(start, end).reverse());
      start = end;
    }
  }
  return seen.map(({ cluster }) => cluster);
}

/** The level of each cluster: 0 and 2 go from left to right, 1 from right to left. */
function levelsOf(line: readonly string[]): number[] {
  const directions = line.map(directionOf);
  const base = directions.find((one) => one === 'L' || one === 'R') ?? 'L';
  let strong: Direction = base;
  const resolved = directions.map((direction, index): Direction => {
    if (direction === 'L' || direction === 'R') strong = direction;
    const isFigure = direction === 'N' || belongsToFigure(line, directions, index);
    if (!isFigure) return direction;
    // A figure after a letter from the left is a part of its text.
    return strong === 'L' ? 'L' : 'N';
  });
  return resolved.map((direction, index) => {
    const before = side(resolved.slice(0, index).findLast((one) => one !== '') ?? base);
    const after = side(resolved.slice(index).find((one) => one !== '') ?? base);
    const own = direction === '' ? (before === after ? before : base) : direction;
    if (own === 'R') return 1;
    return own === 'N' || base === 'R' ? 2 : 0;
  });
}

/** A figure counts as written from the right for the signs around it. */
const side = (direction: Direction): Direction => (direction === 'L' ? 'L' : 'R');

/** Whether a sign is inside a figure, as the point in 12.50, or beside one, as a percent or a currency sign. */
function belongsToFigure(line: readonly string[], directions: readonly Direction[], index: number): boolean {
  const [before, after] = [directions[index - 1] === 'N', directions[index + 1] === 'N'];
  if (/^[.,:/+\-\u00a0]$/.test(line[index]!)) return before && after;
  return /^[%‰\p{Sc}#]$/u.test(line[index]!) && (before || after);
}
