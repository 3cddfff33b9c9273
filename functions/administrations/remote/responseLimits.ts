import { type EndpointName, endpointOf, MEGABYTE, pageCap } from '../../../shared/api.ts';

/** The most bytes of any response, compressed or not: the limit of Azure. */
const MAX_BYTES = 100 * MEGABYTE;
/** The most bytes of a response without pages, and of the average item of a page. */
const MAX_BYTES_OF_ONE = 16 * MEGABYTE;
const BYTES_OF_ITEM = 32 * 1024;
/** The most items of a list that has no pages. */
const MAX_ITEMS = 20_000;

/** What the response to a request may hold at most, by what was asked for. */
export type ResponseLimits = { bytes: number; items: number };

export function responseLimits(name: EndpointName, request: object): ResponseLimits {
  const { paging } = endpointOf(name);
  if (paging === undefined) return { bytes: MAX_BYTES_OF_ONE, items: MAX_ITEMS };
  const query = request as Readonly<Record<string, unknown>>;
  const cap = pageCap(paging, query);
  const items = Math.min(Number(query[paging.limit] ?? cap), cap);
  // A PDF may have any size.
  const bytes = query.IncludeBase64PDF === true ? MAX_BYTES : Math.min(MAX_BYTES, MEGABYTE + items * BYTES_OF_ITEM);
  return { bytes, items };
}
