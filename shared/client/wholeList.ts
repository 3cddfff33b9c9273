import { abortedBy } from '../abortedBy.ts';
import { type EndpointName, endpointOf, pageCap, type ResponseOf } from '../api.ts';
import { Problem } from '../problem.ts';
import type { Client, RequestInput } from './client.ts';

/** The endpoints whose response is a list. */
export type ListName = { [Name in EndpointName]: ResponseOf<Name> extends readonly unknown[] ? Name : never }[Extract<
  EndpointName,
  `list${string}`
>];
export type RowOf<Name extends ListName> = ResponseOf<Name> extends readonly (infer Row)[] ? Row : never;

/** After this many repetitions of a page the service counts as unable to page. */
const MAX_REPEATED_PAGES = 3;
/** So many for a list from which rows may disappear: then a page can repeat by chance. */
const MAX_REPEATED_PAGES_IN_ORDER = 10;
/** So many known rows may follow each other where new ones are expected: others were added before them. */
const MAX_KNOWN_ROWS = 5000;
/** So often in a row rows may have been removed before a page: a list that always changes has no end. */
const MAX_SETBACKS = 10;
/** Also of a list that had rows and is empty: a service that fails for a moment may answer so, and rows would be lost. */
const TOO_FAST = 'The list of the service changes too fast to be read.';

/**
 * Every row of a list, page by page, in the order of the service. The next page is already requested while the caller
 * works on the current one.
 *
 * Paging advances by the rows that came back, not by the requested number: a service may have a lower maximum than
 * documented. A row that comes twice, because rows were added while paging, is yielded once. Only the keys of the rows are
 * stored.
 *
 * Each page begins with the last row of the previous page. If it begins with a new row, rows before it were removed, and
 * it is read again from further back: so no row is skipped that is there from the first page to the last. The list ends
 * with a page that has no new rows and is shorter than others, or none. A service may have rows from the first offset
 * only: its first page has not changed while there was nothing behind it. There is no room for the row before in pages
 * of one row, and no way to know it where rows have no keys: such a list may only grow at its end, and all its rows are
 * yielded.
 *
 * Leaving the loop early, or the signal, ends the running request.
 * @param keyOf the unique key of a row; undefined when rows have none. A row without a key is known by all its values
 * @throws Problem as the client does, and REMOTE_FAILED when the service repeats the same page, or
 * always changes the list, or has no rows any more
 */
export async function* wholeList<Name extends ListName>(
  client: Pick<Client, Name>,
  name: Name,
  request: RequestInput<Name>,
  keyOf: ((row: RowOf<Name>) => string | undefined) | undefined,
  signal?: AbortSignal,
): AsyncGenerator<RowOf<Name>[], void> {
  const { paging } = endpointOf(name);
  const stopping = abortedBy(signal);
  const ask = (parameters: object): Promise<RowOf<Name>[]> => {
    const response = client[name](parameters as RequestInput<Name>, stopping.signal) as Promise<RowOf<Name>[]>;
    // The caller may stop before this page: then its failure is ignored.
    response.catch(() => {});
    return response;
  };

  try {
    if (paging === undefined) {
      yield* [await ask(request)].filter((rows) => rows.length > 0);
      return;
    }
    const limit = pageCap(paging, request as Readonly<Record<string, unknown>>);
    const pageFrom = (offset: number) => ask({ ...request, [paging.limit]: limit, [paging.offset]: offset });

    const seen = new Set<string>();
    /** The number of rows before the next one, and the highest that it was. */
    let [offset, furthest] = [0, 0];
    /** By how many rows the next page overlaps the one before, and whether the last overlap was too small. */
    let [back, isGoingBack] = [1, false];
    let longest = 0;
    /** The keys of the first page, as long as no other offset had rows. */
    let first: string | undefined;
    const askNext = () => {
      const from = keyOf === undefined || longest < 2 ? offset : Math.max(0, offset - back);
      return { from, isOverlapping: from < offset, page: pageFrom(from) };
    };
    let next = askNext();
    let previousKeys = '';
    let [repeats, knownRows, setbacks] = [0, 0, 0];
    while (true) {
      const { from, isOverlapping } = next;
      const page = await next.page;
      signal?.throwIfAborted();
      const keys = page.map((row) => keyOf?.(row) ?? JSON.stringify(row));
      const isConnected = page.length > 0 && seen.has(keys[0]!);
      if (isOverlapping && !isConnected && (from > 0 || page.length === 0)) {
        if (from === 0 || (!isGoingBack && ++setbacks > MAX_SETBACKS)) {
          throw new Problem('REMOTE_FAILED', TOO_FAST);
        }
        isGoingBack = true;
        if (page.length > 0) first = undefined;
        offset = from;
        back = Math.max(2 * back, longest >> 1);
        next = askNext();
        continue;
      }
      if (page.length === 0) return;
      const fresh =
        keyOf === undefined ? page : page.filter((_, index) => !seen.has(keys[index]!) && seen.add(keys[index]!));
      offset = from + page.length;
      const together = keys.join('\n');
      if (fresh.length === 0 && (page.length < longest || (from === 0 && together === first))) return;
      isGoingBack = false;
      first = longest === 0 ? together : undefined;
      // One repetition may be chance: as many rows were added before the page as it is long.
      repeats = together === previousKeys ? repeats + 1 : 0;
      if (fresh.length > 0) knownRows = 0;
      else if (offset > furthest) knownRows += page.length;
      const maxRepeats = keyOf === undefined ? MAX_REPEATED_PAGES : MAX_REPEATED_PAGES_IN_ORDER;
      if (repeats === maxRepeats || knownRows > MAX_KNOWN_ROWS) {
        throw new Problem('REMOTE_FAILED', `The service answers the same page again at ${paging.offset} ${from}.`);
      }
      if (fresh.length > 0 && isConnected) setbacks = 0;
      previousKeys = together;
      furthest = Math.max(furthest, offset);
      longest = Math.max(longest, page.length);
      // Where rows were removed, more may follow.
      back = Math.max(1, Math.min(back, longest) >> 1);
      next = askNext();
      if (fresh.length > 0) yield fresh;
    }
  } finally {
    stopping.abort();
  }
}

/** The position in a sorted list, from which another process can continue later. */
export type Place = {
  /** The number of rows before the next one, at the last check. */
  position: number;
  /** The digits of the key of the last yielded row; "" before the first one. */
  last: string;
  /** Rows of the longest page so far: the page size of the service. */
  longest: number;
};

export const beginning: Place = { position: 0, last: '', longest: 0 };

/**
 * Every row of a list that is sorted by a permanent key, and that may gain and lose rows while it is read:
 * each row that exists from the first page to the last is yielded once, in the order of its key. Only the current page
 * and the next one, which is requested meanwhile, are in memory.
 *
 * Each page begins with the last row of the previous page. If that row is missing, rows were removed, the rows behind
 * them have moved forward, and the page must begin earlier; so no row is skipped. The list ends with a page that begins
 * with known rows, has no new ones, and is shorter than the page size. If a page repeats, because as many rows were
 * added before it, the next request has a larger offset.
 * @param pageFrom returns a page of rows from an offset
 * @param keyOf a whole number, from low to high
 * @param place the position of an earlier reading
 * @returns rows with the position after them
 * @throws Problem REMOTE_FAILED when the service does not sort the rows, repeats the same page, or has no rows any more
 */
export async function* wholeListInOrder<Row>(
  pageFrom: (offset: number, signal: AbortSignal) => Promise<readonly Row[]>,
  keyOf: (row: Row) => bigint,
  { place = beginning, signal }: { place?: Place; signal?: AbortSignal } = {},
): AsyncGenerator<{ rows: Row[]; place: Place }, void> {
  const stopping = abortedBy(signal);
  let { position, longest } = place;
  let last = place.last === '' ? undefined : BigInt(place.last);
  let back = 1;
  const ask = () => {
    // With pages of one row there is no room for the previous row.
    const offset = longest > 1 ? Math.max(0, position - back) : position;
    const page = pageFrom(offset, stopping.signal);
    // The caller may stop before this page: then its failure is ignored.
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
        throw new Problem('REMOTE_FAILED', 'The service does not return the requested order.');
      }
      const isBehind = offset > 0 && longest > 1 && last !== undefined && !(keys.length > 0 && keys[0]! <= last);
      if (isBehind) {
        position = offset;
        back = Math.max(2 * back, longest >> 1);
        next = ask();
        continue;
      }
      if (page.length === 0) {
        if (offset === 0 && last !== undefined) throw new Problem('REMOTE_FAILED', TOO_FAST);
        return;
      }
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
      // Rows that are added before the page can move it as fast as it is read, so the next step is longer.
      const further = repeats > 0 && back === 1 && longest > 1 ? longest << repeats : 0;
      position = offset + page.length + further;
      back = 1;
      next = ask();
      if (last !== known) yield { rows, place: { position, last: String(last), longest } };
    }
  } finally {
    stopping.abort();
  }
}
