/** A relation in a file: a line of JSON, and its RelationGUID. */
export type Line = { guid: bigint; text: string };

/** The change of a relation since the previous export. */
export type Merged = {
  guid: bigint;
  /** The relation; undefined when it vanished. */
  text: string | undefined;
  change: 'added' | 'changed' | 'vanished' | undefined;
};

/** RelationGUID is the first field of a relation, in responses and in written lines. */
export function lineOf(text: string): Line {
  const guid = /^\{"RelationGUID":(-?\d{1,20})[,}]/.exec(text)?.[1];
  if (guid === undefined) throw new TypeError('A relation without a RelationGUID cannot be exported.');
  return { guid: BigInt(guid), text };
}

/**
 * Merges the read relations into the previous export. All are sorted by RelationGUID; a later read replaces an earlier
 * one.
 * @param before the relations of the previous export
 * @param full whether all relations were read, so that one that was not has vanished
 */
export async function* merge(
  before: AsyncIterable<Line>,
  passes: readonly AsyncIterable<Line>[],
  full: boolean,
): AsyncGenerator<Merged, void> {
  const sources = [before, ...passes].map((lines) => lines[Symbol.asyncIterator]());
  const heads = await Promise.all(sources.map((source) => source.next()));
  try {
    while (true) {
      let guid: bigint | undefined;
      for (const { done, value } of heads) {
        if (!done && (guid === undefined || value.guid < guid)) guid = value.guid;
      }
      if (guid === undefined) return;
      let old: string | undefined;
      let read: string | undefined;
      for (const [index, { done, value }] of heads.entries()) {
        if (done || value.guid !== guid) continue;
        if (index === 0) old = value.text;
        else read = value.text;
        heads[index] = await sources[index]!.next();
      }
      if (read === undefined) {
        yield full ? { guid, text: undefined, change: 'vanished' } : { guid, text: old, change: undefined };
      } else {
        const change = old === undefined ? 'added' : old === read ? undefined : 'changed';
        yield { guid, text: read, change };
      }
    }
  } finally {
    await Promise.all(sources.map((source) => source.return?.()));
  }
}
