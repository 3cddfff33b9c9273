import type { Administrations } from '../../functions/administrations/administration.ts';
import { Problem } from '../../shared/problem.ts';
import { type Relation, type RelationQuery, relation } from '../../shared/resources/relation.ts';
import { encode } from '../../shared/wire/encode.ts';

/** A change of the relations of a source. `on` is called when the change is applied: seconds since 1970. */
export type SourceChange =
  | { kind: 'add' | 'change'; guid: bigint; name: string; on: () => number }
  | { kind: 'delete'; guid: bigint };

/** Administrations in memory whose relations change while they are read. */
export type ChangingSource = ReturnType<typeof changingSource>;

/**
 * @param id of its one administration, and the API key for it
 * @param cap the most relations in a page
 */
export function changingSource(id: string, cap = 200) {
  const relations = new Map<bigint, Relation>();
  let pending: { change: SourceChange; after: number }[] = [];
  const sorted = () =>
    [...relations.values()].sort((a, b) => (BigInt(a.RelationGUID!) < BigInt(b.RelationGUID!) ? -1 : 1));

  const state = {
    /** The queries so far. */
    queries: [] as RelationQuery[],
    /** The failure of every read, while it is set. */
    failure: undefined as Problem | undefined,
    /** Whether a page begins with the requested relation, rather than at the offset. */
    supportsFrom: true,
    /** Awaited before the response with a page. */
    hold: (): Promise<unknown> => Promise.resolve(),
  };

  const applyNow = (change: SourceChange): void => {
    if (change.kind === 'delete') return void relations.delete(change.guid);
    const { guid, name, on } = change;
    if ((change.kind === 'add') === relations.has(guid)) return;
    const CreatedOn = relations.get(guid)?.CreatedOn ?? on();
    relations.set(guid, relation.parse({ RelationGUID: String(guid), Name: name, CreatedOn, ChangedOn: on() }));
  };

  const administrations: Administrations = {
    own: {
      anonymisedOn: async () => new Map(),
      valuesBefore: async () => [],
      ids: async () => [id],
      isOpen: async (one) => one === id,
      async idOf({ apiKey }) {
        if (apiKey !== id) throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
        return id;
      },
      relations: () => ({
        async listrelations(query, from) {
          await state.hold();
          if (state.failure !== undefined) throw state.failure;
          state.queries.push(query);
          const { Offset = 0, Limit = cap, ChangedSince } = query;
          const found = sorted().filter(
            ({ ChangedOn }) => ChangedSince === undefined || BigInt(ChangedOn!) >= BigInt(ChangedSince),
          );
          const isAtFrom = (one: Relation) => BigInt(one.RelationGUID!) >= from!;
          const start = from !== undefined && state.supportsFrom ? found.findIndex(isAtFrom) : Offset;
          const page = start < 0 ? [] : found.slice(start, start + Math.min(cap, Limit));
          const due = pending.filter(({ after }) => after <= state.queries.length);
          pending = pending.filter((one) => !due.includes(one));
          for (const { change } of due) applyNow(change);
          return page;
        },
      }),
    },
    open: async () => {
      throw new Error('It is not opened with a credential.');
    },
    writer: async () => {
      throw new Error('It is not written to.');
    },
    identify: async () => {
      throw new Error('It is not asked for.');
    },
    health: async () => ({}),
    close: async () => {},
  };

  return Object.assign(state, {
    administrations,
    /** The relations as lines of an export, by RelationGUID. */
    lines: (): string[] => sorted().map((one) => encode(relation, one)),
    /** Applies a change now, or after so many further pages. */
    apply(change: SourceChange, after?: number): void {
      if (after === undefined) applyNow(change);
      else pending.push({ change, after: state.queries.length + after });
    },
    /** Applies all pending changes. */
    applyPending(): void {
      for (const { change } of pending.splice(0)) applyNow(change);
    },
  });
}
