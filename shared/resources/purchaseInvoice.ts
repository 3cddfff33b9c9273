import type * as z from 'zod/mini';
import type { PushRules } from '../pushRules.ts';
import * as field from '../wire/field.ts';
import * as response from '../wire/response.ts';
import {
  addressResponse,
  bookkeepingFields,
  bookkeepingLineFields,
  contactFields,
  lines,
  partyFields,
  requireParty,
  requireTax,
} from './document.ts';
import { shownOfInvoice, showsDocument } from './madeDocument.ts';

/** Goods, services, capital goods: for Belgian administrations only. */
export const purchaseClassifications = ['81', '82', '83'] as const;

export const purchaseTransactionAddition = field.object(
  () => ({
    ...partyFields('Supplier'),
    /** Left out: today. */
    InvoiceDate: field.optional(field.date()),
    /** Left out: today. */
    InvoiceDueDate: field.optional(field.date()),
    PurchaseInvoiceNumber: field.optional(field.long({ min: 1n })),
    ...bookkeepingFields(),
    Invoice_InvoiceLine: lines(
      field.object(
        () => ({
          ...bookkeepingLineFields(),
          PurchaseClassification: field.optional(field.choice(...purchaseClassifications)),
        }),
        { check: requireTax },
      ),
    ),
  }),
  { check: (invoice, context) => requireParty('Supplier', invoice, context) },
);
export type PurchaseTransactionAddition = z.output<typeof purchaseTransactionAddition>;

export const purchaseInvoice = response.record(() => ({
  InvoiceNumber: response.text(),
  InvoiceDate: response.date(),
  InvoiceDueDate: response.date(),
  InvoiceNotes: response.text(),
  ProjectName: response.text(),
  ProjectNumber: response.text(),
  InvoiceTotalExclTax: response.decimal(),
  InvoiceTotalInclTax: response.decimal(),
  InvoiceTaxAmount: response.decimal(),
  InvoiceOutstandingAmount: response.decimal(),
  SupplierNumber: response.integer(),
  SupplierName: response.text(),
  PurchaseInvoice_Address: response.list(addressResponse('AddressType')),
  PurchaseInvoice_Contact: response.list(
    response.record(() => ({ ...contactFields(), Preposition: response.text(), FamilyName: response.text() })),
  ),
}));
export type PurchaseInvoice = z.output<typeof purchaseInvoice>;

/** The number of a purchase invoice is the supplier's: two rows may share it. */
export const purchaseTransactionPush: PushRules<PurchaseTransactionAddition, PurchaseInvoice> = {
  ...showsDocument(shownOfInvoice),
  sole: {},
  lines: 'Invoice_InvoiceLine',
  lookFor: ({ SupplierNumber, SupplierName, SupplierEmail, PurchaseInvoiceNumber }) =>
    `purchase invoice ${PurchaseInvoiceNumber ?? ''} of supplier ${SupplierNumber || SupplierName || SupplierEmail}`,
};
