import type { z } from 'zod';
import * as answer from '../wire/answer.ts';
import * as field from '../wire/field.ts';
import {
  addressAnswer,
  addresses,
  articleLineFields,
  attachments,
  contactFields,
  lines,
  MAX_REFERENCE_LENGTH,
  partyFields,
  percentage,
  requireArticle,
  requireParty,
} from './document.ts';

export const orderAddition = field
  .object(() => ({
    ...partyFields('Customer'),
    /** Left out: today. */
    OrderDate: field.optional(field.date()),
    CreatedOn: field.optional(field.long({ min: 0n })),
    ChangedOn: field.optional(field.long({ min: 0n })),
    OrderNotes: field.optional(field.text()),
    OrderDiscountPc: field.optional(percentage()),
    /** An unknown status has no effect. */
    OrderStatus: field.optionalText(),
    DeliveryPeriod: field.optional(field.integer({ min: 0 })),
    GeneralStatus: field.otherwise(field.choice('concept_quote', 'final_quote', 'order'), 'order'),
    OrderReference: field.optional(field.text({ max: MAX_REFERENCE_LENGTH })),
    HtmlAsPlainText: field.otherwise(field.boolean(), false),
    PackingSlipNotes: field.optional(field.text()),
    Order_Orderline: lines(field.object(articleLineFields).superRefine(requireArticle)),
    Order_Address: field.optional(addresses()),
    Order_Attachment: field.optional(attachments()),
  }))
  .superRefine((order, context) => requireParty('Customer', order, context));
export type OrderAddition = z.output<typeof orderAddition>;

export const orderLine = answer.record(() => ({
  ProductNumber: answer.text(),
  ProductEAN: answer.text(),
  Quantity: answer.decimal(),
  UnitPriceExclTax: answer.decimal(),
  TaxPc: answer.decimal(),
  TaxCode: answer.text(),
  SubTotalInclTax: answer.decimal(),
  Description: answer.text(),
  IsTextLine: answer.boolean(),
  TextLineCategory: answer.text(),
  DiscountPc: answer.decimal('string'),
  DiscountAmountInclTax: answer.decimal('string'),
  UseArticlePrice: answer.boolean(),
  SubTotalExclTaxExclDiscount: answer.decimal('string', 2),
  SubTotalInclTaxExclDiscount: answer.decimal('string', 2),
  SubTotalExclTax: answer.decimal('string', 2),
}));

export const orderContact = answer.record(contactFields);
export const orderAddress = addressAnswer('Address_Type');

export const order = answer.record(() => ({
  OrderNumber: answer.integer(),
  CustomerNumber: answer.integer(),
  CustomerName: answer.text(),
  OrderDate: answer.date(),
  OrderNotes: answer.text(),
  OrderReference: answer.text(),
  OrderDiscountPc: answer.decimal(),
  OrderStatus: answer.text(),
  DeliveryPeriod: answer.integer(),
  OrderTotalInclTax: answer.decimal(),
  CreatedOn: answer.long(),
  ChangedOn: answer.long(),
  Order_Address: answer.list(orderAddress),
  Order_Contact: answer.list(orderContact),
  Order_Orderline: answer.list(orderLine),
}));
export type Order = z.output<typeof order>;
