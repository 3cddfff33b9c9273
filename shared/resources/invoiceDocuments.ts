import * as z from 'zod/mini';
import * as field from '../wire/field.ts';
import { listOf } from '../wire/issues.ts';
import * as response from '../wire/response.ts';
import { salesInvoiceAddition } from './salesInvoice.ts';

/** A link that opens a document without a credential. */
export const documentLink = response.record(() => ({
  /** Below the address of the app. */
  path: response.text(),
  /** UNIX seconds at which it expires. */
  expiresOn: response.long(),
}));

/** The most invoices of one check. */
export const MAX_CHECKED_INVOICES = 50;

/** Invoices that are not made yet, as addsalesinvoice takes them. */
export const eInvoiceCheck = field.object(() => ({
  Invoice: listOf(MAX_CHECKED_INVOICES, z.array(salesInvoiceAddition)),
}));

/** Why each invoice could not become an e-invoice, in the order of the request. */
export const eInvoiceFindings = response.record(() => ({
  invoices: response.list(response.record(() => ({ errors: response.fieldErrors() }))),
}));
