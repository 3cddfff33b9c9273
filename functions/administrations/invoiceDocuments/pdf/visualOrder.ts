import bidiFactory from 'bidi-js';

/** The Unicode Bidirectional Algorithm (UAX 9). */
const bidi = bidiFactory();

/** A letter, with the marks above or below it. */
const cluster = /\P{M}\p{M}*|\p{M}+/gu;

/** Whether a text has characters that are written from right to left: of such scripts the fonts have Hebrew only. */
export const isMixed = (text: string): boolean => /\p{Script=Hebrew}/u.test(text);

export const clustersOf = (text: string): string[] => text.match(cluster) ?? [];

/** A text as it is seen from left to right. */
export const visualText = (text: string): string =>
  isMixed(text)
    ? visualOrder(clustersOf(text).map((one) => ({ text: one })))
        .map((one) => one.text)
        .join('')
    : text;

/** The clusters of a line, from left to right as they are seen; brackets among Hebrew are turned round. */
export function visualOrder<Cluster extends { text: string }>(line: readonly Cluster[]): Cluster[] {
  const text = line.map((one) => one.text).join('');
  const levels = bidi.getEmbeddingLevels(text);
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels);
  /** The cluster that each character belongs to. */
  const places = line.flatMap((one, place) => Array.from({ length: one.text.length }, () => place));
  // Marks come before their letter in what is turned round: a cluster is taken where the first of them is.
  const seen = new Map(bidi.getReorderedIndices(text, levels).map((index) => [places[index]!, mirrored.get(index)]));
  return Array.from(seen, ([place, instead]) => ({ ...line[place]!, text: instead ?? line[place]!.text }));
}
