import { type AnswerOf, type EndpointName, endpointOf, pageCap } from '../api.ts';
import { Problem } from '../problem.ts';
import type { Client, RequestInput } from './client.ts';

/** The endpoints that answer a list. */
export type ListName = { [Name in EndpointName]: AnswerOf<Name> extends readonly unknown[] ? Name : never }[Extract<
  EndpointName,
  `list${string}`
>];
export type RowOf<Name extends ListName> = AnswerOf<Name> extends readonly (infer Row)[] ? Row : never;

/** A service that answers the same page again so often does not know how to page. */
const MAX_REPEATED_PAGES = 3;
/** The same where rows may go as well: then a page can come again by chance. */
const MAX_REPEATED_PAGES_IN_ORDER = 10;

/**
 * Every row of a list, page by page, in the order of the service. The next page is already on its way while the caller
 * works on the one it was given.
 *
 * Paging goes on by what came back, not by what was asked for, and ends at an empty page: a service may cap lower than
 * it says. A row that comes twice, because rows were added while paging, is given once. Of the rows only their keys are held.
 *
 * Whoever stops early, by leaving the loop or by the signal, ends the request that is under way.
 * @param keyOf what tells two rows apart
 * @throws Problem as the client does, and REMOTE_FAILED when the service answers the same page again and again
 */
export async function* wholeList<Name extends ListName>(
  client: Pick<Client, Name>,
  name: Name,
  request: RequestInput<Name>,
  keyOf: (row: RowOf<Name>) => string,
  signal?: AbortSignal,
): AsyncGenerator<RowOf<Name>[], void> {
  const { paging } = endpointOf(name);
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const ask = (parameters: object): Promise<RowOf<Name>[]> => {
    const answer = client[name](parameters as RequestInput<Name>, stopping.signal) as Promise<RowOf<Name>[]>;
    // The caller may stop before it asks for this page: its failure is then nobody's.
    answer.catch(() => {});
    return answer;
  };

  try {
    if (paging === null) {
      yield* [await ask(request)].filter((rows) => rows.length > 0);
      return;
    }
    const limit = pageCap(paging, request as Readonly<Record<string, unknown>>);
    const pageFrom = (offset: number) => ask({ ...request, [paging.limit]: limit, [paging.offset]: offset });

    const seen = new Set<string>();
    let offset = 0;
    let next = pageFrom(offset);
    let previousKeys = '';
    let repeats = 0;
    while (true) {
      const page = await next;
      signal?.throwIfAborted();
      if (page.length === 0) return;
      const keys = page.map(keyOf);
      const together = keys.join('\n');
      // Once it may be chance: as many rows came in before them as the page is long.
      repeats = together === previousKeys ? repeats + 1 : 0;
      if (repeats === MAX_REPEATED_PAGES) {
        throw new Problem('REMOTE_FAILED', `The service answers the same page again at ${paging.offset} ${offset}.`);
      }
      previousKeys = together;
      offset += page.length;
      next = pageFrom(offset);
      const fresh = page.filter((_, index) => !seen.has(keys[index]!) && seen.add(keys[index]!));
      if (fresh.length > 0) yield fresh;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stopping.abort();
  }
}

/** Where reading of a sorted list stands: enough to go on with it later, elsewhere. */
export type Place = {
  /** Rows that stood before the next one when it was last looked at. */
  position: number;
  /** Key of the last row that was given, its digits; "" before the first one. */
  last: string;
  /** Rows of the longest page so far: what the service is able to answer at once. */
  longest: number;
};

export const beginning: Place = { position: 0, last: '', longest: 0 };

/**
 * Every row of a list that the service sorts by a key that never changes, and that may gain and lose rows while it is read:
 * each row that is there from the first page to the last is given, once, in the order of its key. Nothing is held but a page
 * and the next one, which is on its way while the caller works.
 *
 * Each page begins with the last row of the page before. When that is not there any more, rows were taken out, those behind
 * them have moved forward, and the page begins earlier; so none is passed over. The list ends with a page that begins with rows
 * known already, brings none that are new, and is shorter than the service can make it. A page that comes again, because as
 * many rows came in before it, is asked for further on.
 * @param pageFrom the rows from an offset on, as many as the service likes to answer
 * @param keyOf a whole number, from low to high
 * @param place where an earlier reading stood
 * @returns with the rows, where reading stands after them
 * @throws Problem REMOTE_FAILED when the service does not keep the order, or answers the same page again and again
 */
export async function* wholeListInOrder<Row>(
  pageFrom: (offset: number, signal: AbortSignal) => Promise<readonly Row[]>,
  keyOf: (row: Row) => bigint,
  { place = beginning, signal }: { place?: Place; signal?: AbortSignal } = {},
): AsyncGenerator<{ rows: Row[]; place: Place }, void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });

  let { position, longest } = place;
  let last = place.last === '' ? undefined : BigInt(place.last);
  let back = 1;
  const ask = () => {
    // A service that answers one row at a time cannot be looked back with.
    const offset = longest > 1 ? Math.max(0, position - back) : position;
    const page = pageFrom(offset, stopping.signal);
    // The caller may stop before it asks for this page: its failure is then nobody's.
    page.catch(() => {});
    return { offset, page };
  };

  try {
    let next = ask();
    let previousKeys = '';
    let repeats = 0;
    while (true) {
      const { offset } = next;
      const page = await next.page;
      signal?.throwIfAborted();
      const keys = page.map(keyOf);
      if (keys.some((key, index) => index > 0 && key < keys[index - 1]!)) {
        throw new Problem('REMOTE_FAILED', 'The service does not keep the order it was asked for.');
      }
      const isBehind = offset > 0 && longest > 1 && last !== undefined && !(keys.length > 0 && keys[0]! <= last);
      if (isBehind) {
        position = offset;
        back = Math.max(2 * back, longest >> 1);
        next = ask();
        continue;
      }
      if (page.length === 0) return;
      const known = last;
      const rows = page.filter((_, index) => {
        const key = keys[index]!;
        if (last !== undefined && key <= last) return false;
        last = key;
        return true;
      });
      if (rows.length === 0 && page.length < longest) return;
      const together = keys.join('\n');
      repeats = rows.length === 0 && together === previousKeys ? repeats + 1 : 0;
      if (repeats === MAX_REPEATED_PAGES_IN_ORDER) {
        throw new Problem('REMOTE_FAILED', `The service answers the same page again at offset ${offset}.`);
      }
      previousKeys = together;
      longest = Math.max(longest, page.length);
      // Rows that come in before the page can move it along as fast as it is asked for: the next step is longer.
      const further = repeats > 0 && back === 1 && longest > 1 ? longest << repeats : 0;
      position = offset + page.length + further;
      back = 1;
      next = ask();
      if (last !== known) yield { rows, place: { position, last: String(last), longest } };
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stopping.abort();
  }
}
