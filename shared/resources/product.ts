import * as z from 'zod/mini';
import type { PushRules } from '../pushRules.ts';
import { encode } from '../wire/encode.ts';
import * as field from '../wire/field.ts';
import { listOf, refuseMember } from '../wire/issues.ts';
import * as response from '../wire/response.ts';
import { customField, customFieldUpdate } from './customField.ts';

export const product = response.record(() => ({
  Name: response.text(),
  ArticleNumber: response.text(),
  SupplierArticleNumber: response.text(),
  Category: response.text(),
  EAN: response.text(),
  Description: response.text(),
  StockQty: response.decimal(),
  PurchasePrice: response.decimal(),
  Price: response.decimal(),
  VATPercentage: response.decimal(),
  MinimalStockQty: response.decimal('string'),
  UnitsPerPackage: response.decimal(),
  Unit: response.text(),
  CreatedOn: response.long(),
  ChangedOn: response.long(),
  ProductResponse_CustomField: response.list(customField),
}));
export type Product = z.output<typeof product>;

export const stockUpdateModes = ['Relative', 'Absolute'] as const;

/** The most batches and custom fields of a request: each takes a write or two while other writers wait. */
const MAX_BATCHES = 100;
const MAX_CUSTOM_FIELDS = 100;

/** A name of a product, a category or a batch: leading and trailing spaces are ignored. */
const name = () => field.text({ max: field.MAX_NAME_LENGTH, trimmed: true });

const batch = field.object(() => ({
  Description: name(),
  BatchExpiryDate: field.optional(field.date()),
  /** Left out: the batch is added or found, without a change of stock. */
  BatchStockQty: field.optional(field.decimal()),
}));

const productFields = () => ({
  CategoryName: field.optional(name()),
  CategoryCreateIfMissing: field.otherwise(field.boolean(), false),
  NewSupplierArticleNumber: field.optional(field.text()),
  NewDescription: field.optional(field.text({ max: 400 })),
  NewSalePrice: field.optional(field.decimal()),
  NewStockQty: field.optional(field.decimal()),
  StockUpdateMode: field.otherwise(field.choice(...stockUpdateModes), 'Relative'),
  NewStockMutationComment: field.optional(field.text()),
  /** Cost of the mutation; counts only when NewStockQty is positive. */
  NewStockMutationPurchasePrice: field.optional(field.decimal()),
  NewVATPercentage: field.optional(field.decimal()),
  TaxCode: field.optionalText(),
  NewUnit: field.optional(field.text()),
  NewPurchasePrice: field.optional(field.decimal()),
  NewPurchasePriceVATPercentage: field.optional(field.decimal()),
  TaxCodePurchase: field.optionalText(),
  Archived: field.optional(field.boolean()),
  Product_CustomField: field.optional(listOf(MAX_CUSTOM_FIELDS, z.array(customFieldUpdate))),
  BatchStockUpdateMode: field.otherwise(field.choice(...stockUpdateModes), 'Relative'),
  BatchMatchMode: field.otherwise(field.choice('Description', 'Description_and_date'), 'Description'),
  Product_Batch: field.optional(listOf(MAX_BATCHES, z.array(batch))),
});

/** Only supplied fields change; ArticleNumber or EAN selects the product. */
export const productUpdate = field.object(
  () => ({
    ArticleNumber: field.optional(field.text({ trimmed: true })),
    EAN: field.optional(field.text({ trimmed: true })),
    NewName: field.optional(field.text({ trimmed: true })),
    ...productFields(),
  }),
  {
    check: (update, context) => {
      if (update.ArticleNumber === undefined && update.EAN === undefined) {
        refuseMember(context, 'ArticleNumber', 'REQUIRED_PRODUCT_NAME');
      }
    },
  },
);
export type ProductUpdate = z.output<typeof productUpdate>;

type StockChange = Pick<ProductUpdate, 'NewStockQty' | 'StockUpdateMode' | 'Product_Batch' | 'BatchStockUpdateMode'>;

/** Whether a request changes the stock of batches. */
const changesBatchStock = ({ Product_Batch = [] }: StockChange): boolean =>
  Product_Batch.some(({ BatchStockQty }) => BatchStockQty !== undefined);

/** Whether a request changes a stock by a difference instead of setting it. */
export const addsToStock = (request: StockChange): boolean =>
  (request.NewStockQty !== undefined && request.StockUpdateMode === 'Relative') ||
  (changesBatchStock(request) && request.BatchStockUpdateMode === 'Relative');

/**
 * Whether an update gives the same result when it is applied twice. The product's stock changes with its batches, so one
 * that sets both does not.
 */
export const isAbsolute = (update: StockChange): boolean =>
  !addsToStock(update) && (update.NewStockQty === undefined || !changesBatchStock(update));

type NamedProduct = { ArticleNumber?: string | undefined; EAN?: string | undefined };

/** Names of a product, for the order of rows in a push. */
export const productNames = ({ ArticleNumber, EAN }: NamedProduct): string[] => [
  ...(ArticleNumber === undefined ? [] : [`article ${ArticleNumber}`]),
  ...(EAN === undefined ? [] : [`EAN ${EAN}`]),
];

/** Pushes of changed and of new products. */
export const productPush: PushRules<StockChange & NamedProduct, Product> = {
  result: 'product',
  show: (made) => encode(product, made),
  sums: [],
  sole: { ArticleNumber: 'PRODUCT_TWICE', EAN: 'PRODUCT_TWICE' },
  isNumbered: false,
  changes: productNames,
  adds: addsToStock,
};

export const productAddition = field.object(() => ({
  ArticleNumber: name(),
  EAN: field.optional(name()),
  NewName: field.text({ trimmed: true }),
  ...productFields(),
  CategoryName: name(),
}));
export type ProductAddition = z.output<typeof productAddition>;
