import { type AnswerOf, type EndpointName, endpointOf, pageCap } from './api.ts';
import type { Client, RequestInput } from './client.ts';
import { Problem } from './problem.ts';

/** The endpoints that answer a list. */
export type ListName = { [Name in EndpointName]: AnswerOf<Name> extends readonly unknown[] ? Name : never }[Extract<
  EndpointName,
  `list${string}`
>];
export type RowOf<Name extends ListName> = AnswerOf<Name> extends readonly (infer Row)[] ? Row : never;

/** A service that answers the same page again so often does not know how to page. */
const MOST_REPEATS = 3;

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
      if (repeats === MOST_REPEATS) {
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
