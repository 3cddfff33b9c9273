import * as z from 'zod/mini';
import * as field from '../wire/field.ts';
import { listOf } from '../wire/issues.ts';
import * as response from '../wire/response.ts';
import { product } from './product.ts';

/** The most products of one response. */
export const MAX_PRODUCTS = 2000;
/** The most article numbers, and the most EANs, of one request. */
export const MAX_NAMED_PRODUCTS = 200;

const names = () => listOf(MAX_NAMED_PRODUCTS, z.array(field.text({ max: field.MAX_NAME_LENGTH, trimmed: true })));

/**
 * A query for products: those with these article numbers or EANs; else those that a search finds; else a page of all.
 */
export const productQuery = field.object(() => ({
  numbers: names(),
  eans: names(),
  /** Words that are each a part of the name, the article number or the EAN. */
  search: field.optional(field.text({ max: field.MAX_NAME_LENGTH, trimmed: true })),
  /** The article number that a page begins with, or the next one after it. */
  from: field.optional(field.text({ max: field.MAX_NAME_LENGTH })),
  /** Of a search or a page. */
  limit: field.otherwise(field.integer({ min: 1, max: MAX_PRODUCTS, clamped: true }), 100),
}));
export type ProductQuery = z.output<typeof productQuery>;

const listedProduct = response.record(() => ({ ...product.shape, Archived: response.boolean() }));
export type ListedProduct = z.output<typeof listedProduct>;

/** Products as they are now. */
export const productList = response.record(() => ({
  /** When they were read, in UNIX seconds. */
  readOn: response.long(),
  products: response.list(listedProduct),
  /** The requested article numbers and EANs that no product has. */
  notFound: response.list(response.text()),
  /** Of a page: the article number that the next page begins with; null after the last one. */
  next: response.textOrNull(),
  /** Of a page: the number of products of the administration. */
  total: response.integer(),
}));
export type ProductList = z.output<typeof productList>;
