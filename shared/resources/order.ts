import type * as z from 'zod/mini';
import type { PushRules } from '../pushRules.ts';
import * as field from '../wire/field.ts';
import * as response from '../wire/response.ts';
import {
  addresses,
  addressResponse,
  articleLineFields,
  attachments,
  contactFields,
  lines,
  linesRead,
  MAX_REFERENCE_LENGTH,
  partyFields,
  percentage,
  requireArticle,
  requireParty,
} from './document.ts';
import { showsDocument } from './madeDocument.ts';

export const orderAddition = field.object(
  () => ({
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
    Order_Orderline: lines(field.object(articleLineFields, { check: requireArticle })),
    Order_Address: field.optional(addresses()),
    Order_Attachment: field.optional(attachments()),
  }),
  { check: (order, context) => requireParty('Customer', order, context) },
);
export type OrderAddition = z.output<typeof orderAddition>;

export const orderLine = response.record(() => ({
  ProductNumber: response.text(),
  ProductEAN: response.text(),
  Quantity: response.decimal(),
  UnitPriceExclTax: response.decimal(),
  TaxPc: response.decimal(),
  TaxCode: response.text(),
  SubTotalInclTax: response.decimal(),
  Description: response.text(),
  IsTextLine: response.boolean(),
  TextLineCategory: response.text(),
  DiscountPc: response.decimal('string'),
  DiscountAmountInclTax: response.decimal('string'),
  UseArticlePrice: response.boolean(),
  SubTotalExclTaxExclDiscount: response.decimal('string', 2),
  SubTotalInclTaxExclDiscount: response.decimal('string', 2),
  SubTotalExclTax: response.decimal('string', 2),
}));

export const orderContact = response.record(contactFields);
export const orderAddress = addressResponse('Address_Type');

export const order = response.record(() => ({
  OrderNumber: response.integer(),
  CustomerNumber: response.integer(),
  CustomerName: response.text(),
  OrderDate: response.date(),
  OrderNotes: response.text(),
  OrderReference: response.text(),
  OrderDiscountPc: response.decimal(),
  OrderStatus: response.text(),
  DeliveryPeriod: response.integer(),
  OrderTotalInclTax: response.decimal(),
  CreatedOn: response.long(),
  ChangedOn: response.long(),
  Order_Address: response.list(orderAddress),
  Order_Contact: response.list(orderContact),
  Order_Orderline: response.list(orderLine),
}));
export type Order = z.output<typeof order>;

export const orderPush: PushRules<OrderAddition, Order> = {
  ...showsDocument((made: Order) => ({
    number: String(made.OrderNumber ?? ''),
    date: made.OrderDate,
    totalInclTax: made.OrderTotalInclTax,
    status: made.OrderStatus,
  })),
  sole: {},
  lines: 'Order_Orderline',
  lookFor: ({ CustomerNumber, CustomerName, CustomerEmail, OrderReference }) =>
    [
      `an order of customer ${CustomerNumber || CustomerName || CustomerEmail}`,
      ...(OrderReference ? [`with reference ${OrderReference}`] : []),
    ].join(', '),
  reads: ({ Order_Orderline }) => linesRead(Order_Orderline),
};
