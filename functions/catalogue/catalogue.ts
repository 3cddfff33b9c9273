import type { HttpRequest } from '@azure/functions';
import { describeSchema } from '../../shared/openapi.ts';
import { Problem } from '../../shared/problem.ts';
import { readFields } from '../../shared/readRequest.ts';
import {
  type ListedProduct,
  MAX_NAMED_PRODUCTS,
  MAX_PRODUCTS,
  type ProductList,
  type ProductQuery,
  productList,
  productQuery,
} from '../../shared/resources/productList.ts';
import { encode } from '../../shared/wire/encode.ts';
import type { Administrations, ProductLists } from '../administrations/administration.ts';
import { credentialOf } from '../http/credential.ts';
import type { HttpFunction } from '../http/definition.ts';
import { jsonResponse } from '../http/json.ts';

/** `GET /products`: the products of an administration as they are now. */
export const catalogueFunctions = (administrations: () => Promise<Administrations>): HttpFunction[] => [
  {
    name: 'products',
    methods: ['GET'],
    route: 'products',
    described: () => [
      {
        path: '/products',
        method: 'GET',
        summary: 'Products as they are now: those that are named, those that a search finds, or a page of all',
        parameters,
        response: { 'application/json': describeSchema(productList) },
      },
    ],
    async handler(request) {
      const credential = credentialOf(request);
      const opened = await administrations();
      await opened.verify?.(credential);
      const lists = await opened.products?.(credential);
      if (lists === undefined) {
        throw new Problem('NOT_IMPLEMENTED', 'The service behind this one does not list products.');
      }
      return jsonResponse(encode(productList, await listOf(lists, queryIn(request))));
    },
  },
];

const parameters = [
  ['numbers', `Article numbers, each in a parameter of its own, at most ${MAX_NAMED_PRODUCTS}`],
  ['eans', 'EANs, likewise; both come before a search'],
  ['search', 'Words that are each a part of the name, the article number or the EAN; archived products are left out'],
  ['from', 'The article number that a page begins with: `next` of the page before'],
  ['limit', `The most products of a search or a page; 100 when it is left out, and at most ${MAX_PRODUCTS}`],
].map(([name, description]) => ({
  name: name!,
  in: 'query' as const,
  description: description!,
  many: name === 'numbers' || name === 'eans',
}));

/** Names of parameters match in any case. */
function queryIn({ query }: HttpRequest): ProductQuery {
  const given = new Map<string, string[]>();
  for (const [name, value] of query) {
    const key = name.toLowerCase();
    given.set(key, [...(given.get(key) ?? []), value]);
  }
  const [numbers, eans] = ['numbers', 'eans'].map(
    (name) => given.get(name)?.filter((value) => value.trim() !== '') ?? [],
  );
  const [search, from, limit] = ['search', 'from', 'limit'].map((name) => given.get(name)?.[0]);
  return readFields(productQuery, { numbers, eans, search, from, limit });
}

async function listOf(lists: ProductLists, query: ProductQuery): Promise<ProductList> {
  const { numbers, eans, search, from = '', limit } = query;
  const readOn = String(Math.floor(Date.now() / 1000));
  const others = { notFound: [], next: null, total: null };
  if (numbers.length + eans.length > 0) {
    const products = await lists.named(numbers, eans);
    return { readOn, products, ...others, notFound: missing(query, products) };
  }
  if (search !== undefined) return { readOn, products: await lists.search(search, limit), ...others };
  return { readOn, notFound: [], ...(await lists.page(from, limit)) };
}

function missing({ numbers, eans }: ProductQuery, products: readonly ListedProduct[]): string[] {
  const foundNumbers = new Set(products.map(({ ArticleNumber }) => ArticleNumber));
  const foundEans = new Set(products.map(({ EAN }) => EAN));
  return [
    ...new Set([
      ...numbers.filter((number) => !foundNumbers.has(number)),
      ...eans.filter((ean) => !foundEans.has(ean)),
    ]),
  ];
}
