import type { z } from 'zod';
import * as answer from '../wire/answer.ts';
import * as field from '../wire/field.ts';
import {
  addressAnswer,
  bookkeepingFields,
  bookkeepingLineFields,
  contactFields,
  lines,
  partyFields,
  requireParty,
  requireTax,
} from './document.ts';

/** Goods, services, capital goods: for Belgian administrations only. */
export const purchaseClassifications = ['81', '82', '83'] as const;

export const purchaseTransactionAddition = field
  .object(() => ({
    ...partyFields('Supplier'),
    /** Left out: today. */
    InvoiceDate: field.optional(field.date()),
    /** Left out: today. */
    InvoiceDueDate: field.optional(field.date()),
    PurchaseInvoiceNumber: field.optional(field.long({ min: 1n })),
    ...bookkeepingFields(),
    Invoice_InvoiceLine: lines(
      field
        .object(() => ({
          ...bookkeepingLineFields(),
          PurchaseClassification: field.optional(field.choice(...purchaseClassifications)),
        }))
        .superRefine(requireTax),
    ),
  }))
  .superRefine((invoice, context) => requireParty('Supplier', invoice, context));
export type PurchaseTransactionAddition = z.output<typeof purchaseTransactionAddition>;

export const purchaseInvoice = answer.record(() => ({
  InvoiceNumber: answer.text(),
  InvoiceDate: answer.date(),
  InvoiceDueDate: answer.date(),
  InvoiceNotes: answer.text(),
  ProjectName: answer.text(),
  ProjectNumber: answer.text(),
  InvoiceTotalExclTax: answer.decimal(),
  InvoiceTotalInclTax: answer.decimal(),
  InvoiceTaxAmount: answer.decimal(),
  InvoiceOutstandingAmount: answer.decimal(),
  SupplierNumber: answer.integer(),
  SupplierName: answer.text(),
  PurchaseInvoice_Address: answer.list(addressAnswer('AddressType')),
  PurchaseInvoice_Contact: answer.list(
    answer.record(() => ({ ...contactFields(), Preposition: answer.text(), FamilyName: answer.text() })),
  ),
}));
export type PurchaseInvoice = z.output<typeof purchaseInvoice>;
