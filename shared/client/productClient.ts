import {
  type ListedProduct,
  MAX_NAMED_PRODUCTS,
  MAX_PRODUCTS,
  type ProductList,
  productList,
} from '../resources/productList.ts';
import { ask, type Service } from './client.ts';
import { nextTurn } from './mapInTurns.ts';

/** Characters of the parameters of a request: some servers accept no more than 2,048. */
const MAX_QUERY_LENGTH = 1900;

/** What products are named by. */
type Names = { numbers?: readonly string[]; eans?: readonly string[] };
type Parameter = readonly [name: 'numbers' | 'eans', value: string];

/** Named products as they are now. `readOn`: when the first of them was read. */
type NamedProducts = Pick<ProductList, 'readOn' | 'products' | 'notFound'>;

export type ProductClient = ReturnType<typeof createProductClient>;

/**
 * The lists of products as functions. They throw a Problem for every refusal, NOT_IMPLEMENTED where there are none.
 * @param service whose base is the address of the app
 */
export function createProductClient(service: Service) {
  const read = (parameters: Iterable<readonly [string, string]>, signal: AbortSignal | undefined) => {
    const target = `/products?${new URLSearchParams(Array.from(parameters, ([name, value]) => [name, value]))}`;
    return ask(service, { method: 'GET', target, signal }, productList);
  };
  const page = (from: string, signal: AbortSignal | undefined): Promise<ProductList> =>
    read(Object.entries({ from, limit: String(MAX_PRODUCTS) }), signal);

  return {
    /** The first products, by article number. */
    first: (limit: number, signal?: AbortSignal): Promise<ProductList> =>
      read(Object.entries({ limit: String(limit) }), signal),

    /** The products that have each word of a text in their name, article number or EAN, archived ones left out. */
    search: (text: string, limit: number, signal?: AbortSignal): Promise<ProductList> =>
      read(Object.entries({ search: text, limit: String(limit) }), signal),

    /**
     * Any number of products by article number or EAN, in as few requests as possible: by their names, or, if that takes
     * fewer requests, from all products.
     */
    async named({ numbers = [], eans = [] }: Names, signal?: AbortSignal): Promise<NamedProducts> {
      const wanted = {
        numbers: new Set(numbers.map((one) => one.trim()).filter((one) => one !== '')),
        eans: new Set(eans.map((one) => one.trim()).filter((one) => one !== '')),
      };
      const found = new Map<string, ListedProduct>();
      const missing = (): Parameter[] => [
        ...Array.from(wanted.numbers, (value) => ['numbers', value] as const),
        ...Array.from(wanted.eans, (value) => ['eans', value] as const),
      ];
      let readOn: string | null = null;
      const take = (list: ProductList) => {
        readOn ??= list.readOn;
        for (const one of list.products) {
          const isWanted = wanted.numbers.delete(one.ArticleNumber);
          if (wanted.eans.delete(one.EAN) || isWanted) found.set(one.ArticleNumber, one);
        }
      };
      const done = () => ({ readOn, products: [...found.values()], notFound: missing().map(([, value]) => value) });

      await nextTurn();
      let batches = batchesOf(missing());
      if (batches.length > 2) {
        let list = await page('', signal);
        take(list);
        const pagesLeft = Math.ceil((list.total ?? Number.POSITIVE_INFINITY) / MAX_PRODUCTS) - 1;
        await nextTurn();
        batches = batchesOf(missing());
        if (pagesLeft <= batches.length) {
          while (list.next !== null && wanted.numbers.size + wanted.eans.size > 0) {
            list = await page(list.next, signal);
            take(list);
          }
          if (list.next === null) return done();
          batches = batchesOf(missing());
        }
      }
      for (const batch of batches) take(await read(batch, signal));
      return done();
    },
  };
}

/** Parameters in batches that fit into a request. */
function batchesOf(parameters: readonly Parameter[]): Parameter[][] {
  const batches: Parameter[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const parameter of parameters) {
    // Most names stay as they are in an address.
    const isPlain = /^[\w.-]*$/.test(parameter[1]);
    const added = (isPlain ? parameter.join('=') : new URLSearchParams([[...parameter]]).toString()).length + 1;
    if (length + added > MAX_QUERY_LENGTH || batches.at(-1)!.length === MAX_NAMED_PRODUCTS) {
      batches.push([]);
      length = 0;
    }
    batches.at(-1)!.push(parameter);
    length += added;
  }
  return batches;
}
