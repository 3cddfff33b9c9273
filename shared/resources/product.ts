import { z } from 'zod';
import * as answer from '../wire/answer.ts';
import { boolean, choice, date, decimal, MAX_NAME_LENGTH, optional, otherwise, text } from '../wire/field.ts';
import { listOf, refuseMember } from '../wire/issues.ts';
import { customField, customFieldUpdate } from './customField.ts';

export const product = answer.record({
  Name: answer.text(),
  ArticleNumber: answer.text(),
  SupplierArticleNumber: answer.text(),
  Category: answer.text(),
  EAN: answer.text(),
  Description: answer.text(),
  StockQty: answer.decimal(),
  PurchasePrice: answer.decimal(),
  Price: answer.decimal(),
  VATPercentage: answer.decimal(),
  MinimalStockQty: answer.decimal('string'),
  UnitsPerPackage: answer.decimal(),
  Unit: answer.text(),
  CreatedOn: answer.long(),
  ChangedOn: answer.long(),
  ProductResponse_CustomField: answer.list(customField),
});
export type Product = z.output<typeof product>;

const stockUpdateModes = ['Relative', 'Absolute'] as const;

/** The most batches and custom fields of a request: each takes a write or two while other writers wait. */
const MAX_BATCHES = 100;
const MAX_CUSTOM_FIELDS = 100;

/** A name of a product or a category: leading and trailing spaces are ignored. */
const name = () => text({ max: MAX_NAME_LENGTH, trimmed: true });

const batch = z.object({
  Description: text({ max: MAX_NAME_LENGTH }),
  BatchExpiryDate: optional(date()),
  /** Left out: the batch is added or found, without a change of stock. */
  BatchStockQty: optional(decimal()),
});

const productFields = {
  CategoryName: optional(name()),
  CategoryCreateIfMissing: otherwise(boolean(), false),
  NewSupplierArticleNumber: optional(text()),
  NewDescription: optional(text({ max: 400 })),
  NewSalePrice: optional(decimal()),
  NewStockQty: optional(decimal()),
  StockUpdateMode: otherwise(choice(...stockUpdateModes), 'Relative'),
  NewStockMutationComment: optional(text()),
  /** Cost of the mutation; counts only when NewStockQty is positive. */
  NewStockMutationPurchasePrice: optional(decimal()),
  NewVATPercentage: optional(decimal()),
  TaxCode: optional(text({ emptyIsNothing: true })),
  NewUnit: optional(text()),
  NewPurchasePrice: optional(decimal()),
  NewPurchasePriceVATPercentage: optional(decimal()),
  TaxCodePurchase: optional(text({ emptyIsNothing: true })),
  Archived: optional(boolean()),
  Product_CustomField: optional(listOf(MAX_CUSTOM_FIELDS, z.array(customFieldUpdate))),
  BatchStockUpdateMode: otherwise(choice(...stockUpdateModes), 'Relative'),
  BatchMatchMode: otherwise(choice('Description', 'Description_and_date'), 'Description'),
  Product_Batch: optional(listOf(MAX_BATCHES, z.array(batch))),
};

/** Only supplied fields change; ArticleNumber or EAN selects the product. */
export const productUpdate = z
  .object({
    ArticleNumber: optional(text({ trimmed: true })),
    EAN: optional(text({ trimmed: true })),
    NewName: optional(text({ trimmed: true })),
    ...productFields,
  })
  .superRefine((update, context) => {
    if (update.ArticleNumber === undefined && update.EAN === undefined) {
      refuseMember(context, 'ArticleNumber', 'REQUIRED_PRODUCT_NAME');
    }
  });
export type ProductUpdate = z.output<typeof productUpdate>;

export const productAddition = z.object({
  ArticleNumber: name(),
  EAN: optional(name()),
  NewName: text({ trimmed: true }),
  ...productFields,
  CategoryName: name(),
});
export type ProductAddition = z.output<typeof productAddition>;
