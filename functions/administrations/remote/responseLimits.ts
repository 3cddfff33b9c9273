import { type EndpointName, endpointOf, MEGABYTE, pageCap } from '../../../shared/api.ts';

/** The most bytes of a response without PDFs, unpacked: reading them keeps others waiting. */
const MAX_BYTES = 8 * MEGABYTE;
/** The most bytes of a page with PDFs, which are mostly texts that cost little to read: the limit of Azure. */
const MAX_BYTES_WITH_PDFS = 100 * MEGABYTE;
/** The most bytes of the average item of a page without PDFs. */
const BYTES_OF_ITEM = 32 * 1024;
/** The most items of a list for which the interface has no maximum. */
const MAX_ITEMS = 20_000;
/** The most invoices with PDFs in the notes of the interface; its parameters say 15, which we ask for. */
const MAX_WITH_PDFS = 20;
/** The most values of a response, of all its lists and objects: fifty invoices of 75 full lines have 80,000. */
const MAX_VALUES = 200_000;

/** What the response to a request may hold at most, by what was asked for. */
export type ResponseLimits = { bytes: number; items: number; values: number };

export function responseLimits(name: EndpointName, request: object): ResponseLimits {
  const { paging } = endpointOf(name);
  if (paging === undefined) return { bytes: MAX_BYTES, items: MAX_ITEMS, values: MAX_VALUES };
  const query = request as Readonly<Record<string, unknown>>;
  const withPdfs = query.IncludeBase64PDF === true;
  // A caller may leave out the limit, or have a higher one than our pages.
  const cap = name === 'listprojectmaterialbooking' ? MAX_ITEMS : withPdfs ? MAX_WITH_PDFS : pageCap(paging, query);
  const items = Math.min(Number(query[paging.limit] ?? cap), cap);
  // A PDF may have any size, and a service may make fifty of them with its customer's logo.
  const bytes = withPdfs ? MAX_BYTES_WITH_PDFS : Math.min(MAX_BYTES, MEGABYTE + items * BYTES_OF_ITEM);
  return { bytes, items, values: MAX_VALUES };
}
