import { DECIMAL_SCALE, units } from '../../../shared/money.ts';
import {
  invoiceId,
  invoiceModules,
  type SalesInvoice,
  type SalesInvoiceLine,
} from '../../../shared/resources/salesInvoice.ts';
import type { Messages } from '../locales/en.ts';
import type { Fields } from '../sheetColumns/columns.ts';
import { declareList, listTable } from './list.ts';

export const INVOICES = 'invoices';
export const INVOICE_LINES = 'invoiceLines';

type Address = SalesInvoice['Invoice_Address'][number];

/** The first of an invoice's addresses with one of these types. */
const addressOf = ({ Invoice_Address }: SalesInvoice, ...types: string[]): Address | undefined =>
  Invoice_Address.find(({ AddressType }) => types.includes(AddressType));
const billing = (invoice: SalesInvoice) => addressOf(invoice, 'BillingAddress', 'InvoiceAddress');
const shipping = (invoice: SalesInvoice) => addressOf(invoice, 'ShippingAddress');

const street = (address: Address | undefined): string =>
  [address?.Address_Street, `${address?.Address_Unit ?? ''}${address?.Address_UnitAppendix ?? ''}`]
    .filter(Boolean)
    .join(' ');

/** The contact of the invoice; there may be another for the packing slip. */
const contact = ({ Invoice_Contact }: SalesInvoice) =>
  Invoice_Contact.find(({ ContactType }) => ContactType === 'Invoice') ?? Invoice_Contact[0];

/** Identifying numbers are text: they keep their zeros and any number of digits. */
const invoiceFields: Fields<SalesInvoice, keyof Messages['headings']['invoices']> = {
  InvoiceNumber: ['text', 15],
  InvoiceType: ['code', invoiceModules],
  InvoiceDate: ['date', 12],
  InvoiceDueDate: ['date', 12],
  CustomerNumber: ['text', 14],
  CustomerName: ['text', 32],
  InvoiceTotalExclTax: ['amount', 14],
  InvoiceTaxAmount: ['amount', 12],
  InvoiceTotalInclTax: ['amount', 14],
  InvoiceOutstandingAmount: ['amount', 13],
  DiscountPc: ['decimal', 10],
  InvoiceReference: ['text', 24],
  InvoiceIsSent: ['boolean', 9],
  ProjectNumber: ['text', 14],
  ProjectName: ['text', 20],
  OGM_Belgium: ['text', 24],
  InvoiceNotes: ['rich text', 30],
  PackingSlipNotes: ['rich text', 20],
  PeriodicInvoiceTemplate: ['boolean', 16],
  ContactName: [
    'text',
    24,
    (invoice) => {
      const { FirstName = '', LastName = '', FamilyName = '' } = contact(invoice) ?? {};
      return [FirstName, LastName || FamilyName].filter(Boolean).join(' ');
    },
  ],
  ContactEmail: ['text', 26, (invoice) => contact(invoice)?.Email],
  ContactPhone: ['text', 16, (invoice) => contact(invoice)?.Phone],
  BillingStreet: ['text', 26, (invoice) => street(billing(invoice))],
  BillingPostalCode: ['text', 12, (invoice) => billing(invoice)?.Address_PostalCode],
  BillingCity: ['text', 18, (invoice) => billing(invoice)?.Address_City],
  BillingCountry: ['text', 12, (invoice) => billing(invoice)?.Address_CountryCode],
  ShippingStreet: ['text', 26, (invoice) => street(shipping(invoice))],
  ShippingPostalCode: ['text', 12, (invoice) => shipping(invoice)?.Address_PostalCode],
  ShippingCity: ['text', 18, (invoice) => shipping(invoice)?.Address_City],
  ShippingCountry: ['text', 12, (invoice) => shipping(invoice)?.Address_CountryCode],
};

/** A line with its invoice, and its number from 1. */
type PlacedLine = SalesInvoiceLine & { invoice: SalesInvoice; number: number };

const linesOf = (invoice: SalesInvoice): PlacedLine[] =>
  (invoice.Invoice_InvoiceLine ?? []).map((line, index) => ({ ...line, invoice, number: index + 1 }));

const lineFields: Fields<PlacedLine, keyof Messages['headings']['invoiceLines']> = {
  InvoiceNumber: ['text', 15, ({ invoice }) => invoice.InvoiceNumber],
  Line: ['integer', 7, ({ number }) => number],
  InvoiceType: ['code', invoiceModules, ({ invoice }) => invoice.InvoiceType],
  InvoiceDate: ['date', 12, ({ invoice }) => invoice.InvoiceDate],
  CustomerName: ['text', 28, ({ invoice }) => invoice.CustomerName],
  ProductNumber: ['text', 16],
  ProductEAN: ['text', 16],
  Description: ['rich text', 36],
  Quantity: ['decimal', 10],
  UnitPriceExclTax: ['price', 14],
  DiscountPc: ['decimal', 10],
  SubTotalExclTax: ['amount', 15],
  SubTotalInclTax: ['amount', 15],
  SubTotalInclTaxExclDiscount: ['amount', 18],
  TaxPc: ['decimal', 8],
  TaxCode: ['text', 20],
  LedgerAccountNumber: ['text', 16],
  CostCenter: ['text', 14],
  DeliveryDate: ['date', 12],
  Warehouse: ['text', 14],
  Shelf: ['text', 10],
  Batch: ['text', 14],
  IsTextLine: ['boolean', 10],
  TextLineCategory: ['text', 18],
  PurchaseClassification: ['text', 20],
  UseArticlePrice: ['boolean', 18],
};

/** Whether an amount of the invoice is outstanding; a service that does not tell it leaves it open. */
const isOpen = ({ InvoiceOutstandingAmount: amount }: SalesInvoice): boolean =>
  amount === null || units(amount, DECIMAL_SCALE) !== 0n;

/**
 * Sales invoices, one a row, and their lines. The number alone is no key, since two modules number invoices. The sheet
 * of invoices does not store whether lines were asked for, so that the same one is refreshed with or without them. A
 * service may have several drafts without a number, or with 0, which are told apart by what they are.
 */
export const invoices = declareList({
  view: 'invoices',
  endpoint: 'listsalesinvoices',
  filters: {
    Period: { kind: 'period' },
    InvoiceNumber: { kind: 'number' },
    OpenOnly: { kind: 'flag', keeps: isOpen },
  },
  table: listTable<SalesInvoice>()(INVOICES, 'invoices', invoiceFields, {
    keys: ['InvoiceNumber', 'InvoiceType'],
    unnumbered: {
      column: 'InvoiceNumber',
      furtherKeys: ['InvoiceDate', 'CustomerNumber', 'CustomerName', 'InvoiceTotalInclTax', 'InvoiceReference'],
    },
  }),
  further: {
    WithLines: {
      table: listTable<SalesInvoice, PlacedLine>()(INVOICE_LINES, 'invoiceLines', lineFields, {
        keys: ['InvoiceNumber', 'Line', 'InvoiceType'],
        unnumbered: {
          column: 'InvoiceNumber',
          furtherKeys: ['InvoiceDate', 'CustomerName', 'ProductNumber', 'Quantity', 'SubTotalInclTax'],
        },
        itemsOf: () => linesOf,
      }),
      request: { InlcudeInvoiceLinesInResponse: true },
    },
  },
  keyOf: invoiceId,
});
