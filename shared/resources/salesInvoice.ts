import { z } from 'zod';
import * as answer from '../wire/answer.ts';
import { boolean, choice, date, dateOrNull, integer, long, optional, otherwise, text } from '../wire/field.ts';
import { refuseMember } from '../wire/issues.ts';
import {
  addressAnswer,
  addresses,
  articleLineFields,
  attachments,
  bookkeepingLineFields,
  contactFields,
  costCenter,
  lines,
  MAX_REFERENCE_LENGTH,
  partyFields,
  percentage,
  requireArticle,
  requireParty,
  requireTax,
} from './document.ts';
import { projectSelection } from './materialBooking.ts';

const word = () => optional(text({ emptyIsNothing: true }));

/** The most invoices of a page: without lines, with lines, with the PDF. */
export const MAX_INVOICES = { plain: 100, withLines: 50, withPdf: 15 } as const;

const invoiceLine = z
  .object({ ...articleLineFields, CostCenter: costCenter(), LedgerAccountNumber: word() })
  .superRefine(requireArticle);

/** An invoice of the invoicing module, a draft of one, or the template of periodic ones. */
export const salesInvoiceAddition = z
  .object({
    ...partyFields('Customer'),
    AddAsDraft: otherwise(boolean(), false),
    /** Left out: today. */
    InvoiceDate: optional(date()),
    InvoiceNumber: optional(long({ min: 1n })),
    InvoiceNotes: optional(text()),
    InvoiceDiscountPc: optional(percentage()),
    InvoiceReference: optional(text({ max: MAX_REFERENCE_LENGTH })),
    /** 0 counts as left out; if present, the due date follows from it, and a supplied due date has no effect. */
    InvoiceDueDays: optional(integer({ min: 0, max: 36_500 })),
    InvoiceDueDate: optional(dateOrNull()),
    PackingSlipNotes: optional(text()),
    InvoiceProject: word(),
    SelectProjectBy: optional(projectSelection()),
    OGM_Belgium: word(),
    TemplateName_Invoice: word(),
    TemplateName_Email: word(),
    InvoiceForOrderNumber: optional(long()),
    EmailToCustomer: otherwise(boolean(), false),
    HtmlAsPlainText: otherwise(boolean(), false),
    PeriodicInvoiceTemplate: otherwise(boolean(), false),
    Periodic_StartingDate: optional(date()),
    Periodic_EndDate: optional(date()),
    Periodic_AutomaticMailing: otherwise(boolean(), false),
    Periodic_Frequency: optional(integer({ min: 0, max: 10_000 })),
    Periodic_FrequencyUnit: optional(choice('Day', 'Week', 'Month', 'Year')),
    Periodic_ChangeDateTokensValue: optional(integer({ min: -1200, max: 1200 })),
    Periodic_ChangeDateTokensBeforeAfter: optional(choice('Before', 'After')),
    Periodic_SkipWeekends: otherwise(boolean(), false),
    Invoice_InvoiceLine: lines(invoiceLine),
    Invoice_Address: optional(addresses()),
    Invoice_Attachment: optional(attachments()),
  })
  .superRefine((invoice, context) => {
    requireParty('Customer', invoice, context);
    const dueDate = invoice.InvoiceDueDays ? undefined : invoice.InvoiceDueDate;
    if (dueDate === null) refuseMember(context, 'InvoiceDueDate', 'REQUIRED_DUE_DATE');
    if (!invoice.PeriodicInvoiceTemplate) return;
    const needed = 'REQUIRED_FOR_TEMPLATE';
    if (invoice.Periodic_StartingDate === undefined) refuseMember(context, 'Periodic_StartingDate', needed);
    if (!invoice.Periodic_Frequency) refuseMember(context, 'Periodic_Frequency', 'REQUIRED_FREQUENCY');
    if (invoice.Periodic_FrequencyUnit === undefined) refuseMember(context, 'Periodic_FrequencyUnit', needed);
    const { Periodic_StartingDate: start, Periodic_EndDate: end } = invoice;
    if (start !== undefined && dueDate != null && dueDate < start) {
      refuseMember(context, 'InvoiceDueDate', 'BEFORE_STARTING_DATE');
    }
    if (start !== undefined && end !== undefined && end < start) {
      refuseMember(context, 'Periodic_EndDate', 'BEFORE_STARTING_DATE');
    }
  });
export type SalesInvoiceAddition = z.output<typeof salesInvoiceAddition>;

/** A sales invoice booked straight into the bookkeeping module. */
export const salesTransactionAddition = z
  .object({
    ...partyFields('Customer'),
    InvoiceDate: optional(date()),
    InvoiceNumber: optional(long({ min: 1n })),
    InvoiceNotes: optional(text()),
    InvoiceFileUrl: word(),
    InvoiceProject: word(),
    SelectProjectBy: optional(projectSelection()),
    Invoice_InvoiceLine: lines(z.object(bookkeepingLineFields).superRefine(requireTax)),
  })
  .superRefine((invoice, context) => requireParty('Customer', invoice, context));
export type SalesTransactionAddition = z.output<typeof salesTransactionAddition>;

export const salesInvoiceQuery = z.object({
  InvoiceNumber: optional(long()),
  Limit: optional(integer({ min: 1, clamped: true })),
  Offset: optional(integer({ min: 0 })),
  /** Spelled as in the interface; the correct spelling works too. */
  InlcudeInvoiceLinesInResponse: otherwise(boolean(), false),
  IncludeBase64PDF: otherwise(boolean(), false),
  DateFrom: optional(date()),
  DateTill: optional(date()),
});
export type SalesInvoiceQuery = z.output<typeof salesInvoiceQuery>;

export const salesInvoiceLine = answer.record({
  Description: answer.text(),
  UnitPriceExclTax: answer.decimal(),
  DiscountPc: answer.decimal(),
  TextLineCategory: answer.text(),
  Quantity: answer.decimal(),
  ProductNumber: answer.text(),
  ProductEAN: answer.text(),
  SubTotalInclTaxExclDiscount: answer.decimal(),
  SubTotalInclTax: answer.decimal(),
  SubTotalExclTax: answer.decimal(),
  LedgerAccountNumber: answer.text(),
  TaxPc: answer.decimal(),
  TaxCode: answer.text(),
  CostCenter: answer.text(),
  IsTextLine: answer.boolean(),
  DeliveryDate: answer.date(),
  Warehouse: answer.text(),
  Shelf: answer.text(),
  Batch: answer.text(),
  PurchaseClassification: answer.text(),
  UseArticlePrice: answer.boolean(),
});
export const salesInvoiceLines = answer.listOrText(salesInvoiceLine, 'Description');
export type SalesInvoiceLine = z.output<typeof salesInvoiceLine>;

export const salesInvoiceContact = answer.record({ ...contactFields, FamilyName: answer.text() });
export const salesInvoiceAddress = addressAnswer('AddressType');

export const salesInvoice = answer.record({
  InvoiceNumber: answer.long(),
  InvoiceDate: answer.date(),
  InvoiceDueDate: answer.date(),
  InvoiceNotes: answer.text(),
  InvoiceReference: answer.text(),
  PackingSlipNotes: answer.text(),
  CustomerNumber: answer.integer(),
  CustomerName: answer.text(),
  ProjectName: answer.text(),
  ProjectNumber: answer.text(),
  InvoiceTotalExclTax: answer.decimal(),
  InvoiceTotalInclTax: answer.decimal(),
  InvoiceTaxAmount: answer.decimal(),
  InvoiceOutstandingAmount: answer.decimal(),
  InvoiceType: answer.choice('BOOKKEEPING', 'INVOICING'),
  DiscountPc: answer.decimal(),
  InvoiceIsSent: answer.boolean(),
  OGM_Belgium: answer.text(),
  PeriodicInvoiceTemplate: answer.boolean(),
  /** Only when requested; "" when no PDF could be made. */
  InvoicePDFBase64: answer.text().optional(),
  Invoice_Contact: answer.list(salesInvoiceContact),
  Invoice_Address: answer.listOrText(salesInvoiceAddress, 'Address_Street'),
  /** Only when lines were requested. */
  Invoice_InvoiceLine: salesInvoiceLines.optional(),
});
export type SalesInvoice = z.output<typeof salesInvoice>;
