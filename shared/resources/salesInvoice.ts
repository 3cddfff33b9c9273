import * as z from 'zod/mini';
import { CENT_OF_PRODUCT, DECIMAL_SCALE, decimalText, divide, ONE, sum, units } from '../money.ts';
import type { DocumentFacts, DocumentLookup, PushRules } from '../pushRules.ts';
import { writeDate } from '../wire/calendarDate.ts';
import * as field from '../wire/field.ts';
import { refuseMember } from '../wire/issues.ts';
import * as response from '../wire/response.ts';
import {
  addresses,
  addressResponse,
  articleLineFields,
  attachments,
  bookkeepingFields,
  bookkeepingLineFields,
  contactFields,
  costCenter,
  lines,
  linesRead,
  MAX_REFERENCE_LENGTH,
  partyFields,
  percentage,
  projectSelection,
  requireArticle,
  requireParty,
  requireTax,
} from './document.ts';
import { shownOfInvoice, showsDocument } from './madeDocument.ts';

/** What an invoice was made in. */
export const invoiceModules = ['BOOKKEEPING', 'INVOICING'] as const;

/** The most invoices of a page: without lines, with lines, with the PDF. */
export const MAX_INVOICES = { plain: 100, withLines: 50, withPdf: 15 } as const;

const invoiceLine = field.object(
  () => ({ ...articleLineFields(), CostCenter: costCenter(), LedgerAccountNumber: field.optionalText() }),
  { check: requireArticle },
);

/** An invoice of the invoicing module, a draft of one, or the template of periodic ones. */
export const salesInvoiceAddition = field.object(
  () => ({
    ...partyFields('Customer'),
    AddAsDraft: field.otherwise(field.boolean(), false),
    /** Left out: today. */
    InvoiceDate: field.optional(field.date()),
    InvoiceNumber: field.optional(field.long({ min: 1n })),
    InvoiceNotes: field.optional(field.text()),
    InvoiceDiscountPc: field.optional(percentage()),
    InvoiceReference: field.optional(field.text({ max: MAX_REFERENCE_LENGTH })),
    /** 0 counts as left out; if present, the due date follows from it, and a supplied due date has no effect. */
    InvoiceDueDays: field.optional(field.integer({ min: 0, max: 36_500 })),
    InvoiceDueDate: field.optional(field.dateOrNull()),
    PackingSlipNotes: field.optional(field.text()),
    InvoiceProject: field.optionalText(),
    SelectProjectBy: field.optional(projectSelection()),
    OGM_Belgium: field.optionalText(),
    TemplateName_Invoice: field.optionalText(),
    TemplateName_Email: field.optionalText(),
    InvoiceForOrderNumber: field.optional(field.long()),
    EmailToCustomer: field.otherwise(field.boolean(), false),
    HtmlAsPlainText: field.otherwise(field.boolean(), false),
    PeriodicInvoiceTemplate: field.otherwise(field.boolean(), false),
    Periodic_StartingDate: field.optional(field.date()),
    Periodic_EndDate: field.optional(field.date()),
    Periodic_AutomaticMailing: field.otherwise(field.boolean(), false),
    Periodic_Frequency: field.optional(field.integer({ min: 0, max: 10_000 })),
    Periodic_FrequencyUnit: field.optional(field.choice('Day', 'Week', 'Month', 'Year')),
    Periodic_ChangeDateTokensValue: field.optional(field.integer({ min: -1200, max: 1200 })),
    Periodic_ChangeDateTokensBeforeAfter: field.optional(field.choice('Before', 'After')),
    Periodic_SkipWeekends: field.otherwise(field.boolean(), false),
    Invoice_InvoiceLine: lines(invoiceLine),
    Invoice_Address: field.optional(addresses()),
    Invoice_Attachment: field.optional(attachments()),
  }),
  {
    check: (invoice, context) => {
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
    },
  },
);
export type SalesInvoiceAddition = z.output<typeof salesInvoiceAddition>;

/** A sales invoice booked straight into the bookkeeping module. */
export const salesTransactionAddition = field.object(
  () => ({
    ...partyFields('Customer'),
    InvoiceDate: field.optional(field.date()),
    InvoiceNumber: field.optional(field.long({ min: 1n })),
    ...bookkeepingFields(),
    Invoice_InvoiceLine: lines(field.object(bookkeepingLineFields, { check: requireTax })),
  }),
  { check: (invoice, context) => requireParty('Customer', invoice, context) },
);
export type SalesTransactionAddition = z.output<typeof salesTransactionAddition>;

export const salesInvoiceQuery = field.object(() => ({
  InvoiceNumber: field.optional(field.long()),
  Limit: field.optional(field.integer({ min: 1, clamped: true })),
  Offset: field.optional(field.integer({ min: 0 })),
  /** Spelled as in the interface; the correct spelling works too. */
  InlcudeInvoiceLinesInResponse: field.otherwise(field.boolean(), false),
  IncludeBase64PDF: field.otherwise(field.boolean(), false),
  DateFrom: field.optional(field.date()),
  DateTill: field.optional(field.date()),
}));
export type SalesInvoiceQuery = z.output<typeof salesInvoiceQuery>;

export const salesInvoiceLine = response.record(() => ({
  Description: response.text(),
  UnitPriceExclTax: response.decimal(),
  DiscountPc: response.decimal(),
  TextLineCategory: response.text(),
  Quantity: response.decimal(),
  ProductNumber: response.text(),
  ProductEAN: response.text(),
  SubTotalInclTaxExclDiscount: response.decimal(),
  SubTotalInclTax: response.decimal(),
  SubTotalExclTax: response.decimal(),
  LedgerAccountNumber: response.text(),
  TaxPc: response.decimal(),
  TaxCode: response.text(),
  CostCenter: response.text(),
  IsTextLine: response.boolean(),
  DeliveryDate: response.date(),
  Warehouse: response.text(),
  Shelf: response.text(),
  Batch: response.text(),
  PurchaseClassification: response.text(),
  UseArticlePrice: response.boolean(),
}));
export const salesInvoiceLines = response.listOrText(salesInvoiceLine, 'Description');
export type SalesInvoiceLine = z.output<typeof salesInvoiceLine>;

export const salesInvoiceContact = response.record(() => ({ ...contactFields(), FamilyName: response.text() }));
export const salesInvoiceAddress = addressResponse('AddressType');

export const salesInvoice = response.record(() => ({
  InvoiceNumber: response.long(),
  InvoiceDate: response.date(),
  InvoiceDueDate: response.date(),
  InvoiceNotes: response.text(),
  InvoiceReference: response.text(),
  PackingSlipNotes: response.text(),
  CustomerNumber: response.integer(),
  CustomerName: response.text(),
  ProjectName: response.text(),
  ProjectNumber: response.text(),
  InvoiceTotalExclTax: response.decimal(),
  InvoiceTotalInclTax: response.decimal(),
  InvoiceTaxAmount: response.decimal(),
  InvoiceOutstandingAmount: response.decimal(),
  InvoiceType: response.choice(...invoiceModules),
  DiscountPc: response.decimal(),
  InvoiceIsSent: response.boolean(),
  OGM_Belgium: response.text(),
  PeriodicInvoiceTemplate: response.boolean(),
  /** Only when requested; "" when no PDF could be made. */
  InvoicePDFBase64: z.optional(response.text()),
  Invoice_Contact: response.list(salesInvoiceContact),
  Invoice_Address: response.listOrText(salesInvoiceAddress, 'Address_Street'),
  /** Only when lines were requested. */
  Invoice_InvoiceLine: z.optional(salesInvoiceLines),
}));
export type SalesInvoice = z.output<typeof salesInvoice>;

/** Two modules number invoices, and may do so alike. Undefined: a draft that has no number yet, or 0. */
export const invoiceId = ({ InvoiceType, InvoiceNumber }: SalesInvoice): string | undefined =>
  InvoiceNumber === null || InvoiceNumber === '0' ? undefined : `${InvoiceType ?? ''} ${InvoiceNumber}`;

/** What a request says of the invoice, but its totals. */
const statedFacts = (request: SalesInvoiceAddition | SalesTransactionAddition): DocumentFacts => ({
  number: request.InvoiceNumber,
  date: request.InvoiceDate,
  customerNumber: request.CustomerNumber || undefined,
  customerName: request.CustomerNumber ? undefined : request.CustomerName,
});

const lookupOf = <Request>(
  type: 'INVOICING' | 'BOOKKEEPING',
  expected: (request: Request) => DocumentFacts | undefined,
): DocumentLookup<Request, SalesInvoice> => ({
  list: 'listsalesinvoices',
  expected,
  facts: (listed) =>
    listed.InvoiceType !== null && listed.InvoiceType !== type
      ? undefined
      : {
          number: listed.InvoiceNumber ?? undefined,
          date: listed.InvoiceDate ?? undefined,
          customerNumber: listed.CustomerNumber ?? undefined,
          customerName: listed.CustomerName,
          totalExclTax: listed.InvoiceTotalExclTax ?? undefined,
          totalInclTax: listed.InvoiceTotalInclTax ?? undefined,
          reference: listed.InvoiceReference,
        },
});

/** The total with tax, where every line says its own; else that without tax, where every line has a price. */
function statedTotals({
  Invoice_InvoiceLine,
  InvoiceDiscountPc,
}: SalesInvoiceAddition): Pick<DocumentFacts, 'totalExclTax' | 'totalInclTax' | 'roundedLines'> {
  const counted = Invoice_InvoiceLine.filter(({ IsTextLine }) => !IsTextLine);
  const hasArticlePrice = counted.some(({ UseArticlePrice }) => UseArticlePrice);
  if (hasArticlePrice || Number(InvoiceDiscountPc ?? 0) !== 0) return {};
  if (counted.every(({ SubTotalInclTax }) => SubTotalInclTax !== undefined)) {
    return { totalInclTax: sumText(counted.map(({ SubTotalInclTax = '0' }) => units(SubTotalInclTax, DECIMAL_SCALE))) };
  }
  const hasPrice = counted.every(
    ({ SubTotalInclTax, UnitPriceExclTax, Quantity, DiscountPc, DiscountAmountInclTax }) =>
      SubTotalInclTax === undefined &&
      UnitPriceExclTax !== undefined &&
      Quantity !== undefined &&
      Number(DiscountPc ?? 0) === 0 &&
      Number(DiscountAmountInclTax ?? 0) === 0,
  );
  if (!hasPrice) return {};
  const amounts = counted.map(
    ({ UnitPriceExclTax = '0', Quantity = '0' }) =>
      units(UnitPriceExclTax, DECIMAL_SCALE) * units(Quantity, DECIMAL_SCALE),
  );
  const roundedLines = amounts.filter((amount) => amount % CENT_OF_PRODUCT !== 0n).length;
  return { totalExclTax: decimalText(divide(sum(amounts), ONE), DECIMAL_SCALE), roundedLines };
}

const sumText = (amounts: readonly bigint[]): string => decimalText(sum(amounts), DECIMAL_SCALE);

const lookFor = (request: SalesInvoiceAddition | SalesTransactionAddition): string => {
  const { number, date, customerNumber, customerName } = statedFacts(request);
  return [
    `sales invoice${number === undefined ? '' : ` ${number}`} of customer ${customerNumber ?? customerName ?? request.CustomerEmail}`,
    ...(date === undefined ? [] : [`dated ${writeDate(date)}`]),
  ].join(', ');
};

const salesInvoiceShown = showsDocument((made: SalesInvoice) => ({
  ...shownOfInvoice(made),
  pdf: made.InvoiceNumber === null ? '' : `/documents/invoices/${made.InvoiceNumber}.pdf`,
}));

export const salesInvoicePush: PushRules<SalesInvoiceAddition, SalesInvoice> = {
  ...salesInvoiceShown,
  sole: { InvoiceNumber: 'INVOICE_NUMBER_TWICE' },
  lines: 'Invoice_InvoiceLine',
  reference: 'InvoiceReference',
  lookup: lookupOf('INVOICING', (request) =>
    request.PeriodicInvoiceTemplate
      ? undefined
      : { ...statedFacts(request), ...statedTotals(request), reference: request.InvoiceReference || undefined },
  ),
  lookFor,
  reads: ({ Invoice_InvoiceLine }) => linesRead(Invoice_InvoiceLine),
  confirmations(request) {
    if (!request.PeriodicInvoiceTemplate) return request.EmailToCustomer && !request.AddAsDraft ? ['mails'] : [];
    return request.Periodic_AutomaticMailing ? ['mails', 'periodicInvoices'] : ['periodicInvoices'];
  },
};

export const salesTransactionPush: PushRules<SalesTransactionAddition, SalesInvoice> = {
  ...salesInvoiceShown,
  sole: { InvoiceNumber: 'INVOICE_NUMBER_TWICE' },
  lines: 'Invoice_InvoiceLine',
  lookup: lookupOf('BOOKKEEPING', (request) => ({
    ...statedFacts(request),
    totalInclTax: sumText(request.Invoice_InvoiceLine.map((line) => units(line.SubTotalInclTax, DECIMAL_SCALE))),
  })),
  lookFor,
};
