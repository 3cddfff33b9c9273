import type { Administrations } from '../../functions/administrations/administration.ts';
import { Problem } from '../../shared/problem.ts';
import type { Relation, RelationQuery } from '../../shared/resources/relation.ts';
import { relation } from '../../shared/resources/relation.ts';
import { encode } from '../../shared/wire/encode.ts';

/** Something that happens to the relations of a source. */
export type SourceEvent =
  /** `on`: the moment it bears, seconds since 1970, asked for when it happens. */
  { kind: 'add' | 'change'; guid: bigint; name: string; on: () => number } | { kind: 'delete'; guid: bigint };

/** Administrations in memory whose relations change while they are read. */
export type ChangingSource = {
  administrations: Administrations;
  /** Does something at once; after so many further pages when `after` is given. */
  happens(happening: SourceEvent, after?: number): void;
  /** Lets everything that was still to happen happen now. */
  settle(): void;
  /** The relations as a fresh read of all of them gives them: lines by RelationGUID. */
  lines(): string[];
  /** Queries so far. */
  asked: RelationQuery[];
  /** What reading fails with, while there is something. */
  failure: Problem | undefined;
  /** Whether a page begins with the relation that is asked for, rather than at its offset. */
  findsFrom: boolean;
  /** Awaited before a page is answered. */
  hold: () => Promise<unknown>;
};

/**
 * @param id of its one administration, which the key of the same name opens
 * @param cap relations a page at the most
 */
export function changingSource(id: string, cap = 200): ChangingSource {
  const relations = new Map<bigint, Relation>();
  let waiting: { happening: SourceEvent; after: number }[] = [];
  const sorted = () =>
    [...relations.values()].sort((a, b) => (BigInt(a.RelationGUID!) < BigInt(b.RelationGUID!) ? -1 : 1));

  const now = (happening: SourceEvent) => {
    if (happening.kind === 'delete') return void relations.delete(happening.guid);
    const { guid, name, on } = happening;
    if ((happening.kind === 'add') === relations.has(guid)) return;
    const CreatedOn = relations.get(guid)?.CreatedOn ?? on();
    relations.set(guid, relation.parse({ RelationGUID: String(guid), Name: name, CreatedOn, ChangedOn: on() }));
  };

  const source: ChangingSource = {
    asked: [],
    failure: undefined,
    findsFrom: true,
    hold: async () => {},
    lines: () => sorted().map((one) => encode(relation, one)),
    happens(happening, after) {
      if (after === undefined) now(happening);
      else waiting.push({ happening, after: source.asked.length + after });
    },
    settle() {
      for (const { happening } of waiting.splice(0)) now(happening);
    },
    administrations: {
      own: {
        ids: async () => [id],
        async idOf({ apiKey }) {
          if (apiKey !== id) throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
          return id;
        },
        relations: () => ({
          async listrelations(query, from) {
            await source.hold();
            if (source.failure !== undefined) throw source.failure;
            source.asked.push(query);
            const { Offset = 0, Limit = cap, ChangedSince } = query;
            const found = sorted().filter(
              ({ ChangedOn }) => ChangedSince === undefined || BigInt(ChangedOn!) >= BigInt(ChangedSince),
            );
            const isAtFrom = (one: Relation) => BigInt(one.RelationGUID!) >= from!;
            const start = from !== undefined && source.findsFrom ? found.findIndex(isAtFrom) : Offset;
            const page = start < 0 ? [] : found.slice(start, start + Math.min(cap, Limit));
            const due = waiting.filter(({ after }) => after <= source.asked.length);
            waiting = waiting.filter((one) => !due.includes(one));
            for (const { happening } of due) now(happening);
            return page;
          },
        }),
      },
      open: async () => {
        throw new Error('Nobody opens it with a credential.');
      },
      writer: async () => {
        throw new Error('Nothing is written to it.');
      },
      health: async () => ({}),
      close: async () => {},
    },
  };
  return source;
}
