import { type CalendarDate, LAST_DAY } from '../../../../../shared/wire/calendarDate.ts';
import { dueDates, type FrequencyUnit } from '../../../invoiceDocuments/periodic/dueDates.ts';
import * as column from './column.ts';
import { articleLine, documentContact, invoiceTotals, party, postalAddress } from './shared.ts';

const addressTypes = ['BillingAddress', 'ShippingAddress'] as const;

/**
 * The states of a mail. `held`: somebody decides whether it is sent. `unknown`: it may have been sent; it is not sent
 * again by itself.
 */
export const mailStates = ['waiting', 'held', 'sending', 'sent', 'failed', 'unknown'] as const;

const nextDue = (
  start: CalendarDate,
  end: CalendarDate | null,
  frequency: bigint,
  unit: FrequencyUnit,
  made: bigint,
): string => {
  const schedule = { start, end, frequency: Number(frequency), unit, skipWeekends: false };
  return dueDates(schedule, Number(made), LAST_DAY, 1)[0]?.date ?? '';
};

export const sales = {
  order_status: {
    id: column.id(),
    administration_id: column.administration(),
    label: column.text('Label'),
    label_folded: column.foldedFrom('label'),
  },
  sales_order: {
    id: column.id(),
    administration_id: column.administration(),
    number: column.integer('OrderNumber', { isIdentity: true }),
    general_status: column.choice('GeneralStatus', ['concept_quote', 'final_quote', 'order'], { response: null }),
    /** The label of an order status; "" for none. */
    status: column.code(column.text('OrderStatus')),
    is_invoiced: column.flag('IsInvoiced', { response: null }),
    date: column.date('OrderDate'),
    ...party('Customer'),
    reference: column.text('OrderReference'),
    notes: column.text('OrderNotes'),
    packing_slip_notes: column.text('PackingSlipNotes', { response: null }),
    delivery_period: column.optional(column.integer('DeliveryPeriod')),
    discount_pc: column.decimal8('OrderDiscountPc'),
    total_excl: column.cents('TotalExclTax', { response: null }),
    total_tax: column.cents('TaxAmount', { response: null }),
    total_incl: column.cents('TotalInclTax', { response: 'OrderTotalInclTax' }),
    created_on: column.seconds('CreatedOn'),
    changed_on: column.seconds('ChangedOn'),
  },
  sales_order_line: {
    id: column.id(),
    sales_order_id: column.owner(null, 'sales_order'),
    position: column.position(),
    ...articleLine,
    /** With tax. */
    discount_amount: column.cents('DiscountAmountInclTax'),
    subtotal_excl_before_discount: column.cents('AmountExclTaxExclDiscount', {
      response: 'SubTotalExclTaxExclDiscount',
    }),
    subtotal_incl_before_discount: column.cents('AmountInclTaxExclDiscount', {
      response: 'SubTotalInclTaxExclDiscount',
    }),
    /** After line and order discount. */
    subtotal_excl: column.cents('AmountExclTax', { response: 'SubTotalExclTax' }),
    /** After the line's discount, before the order's. */
    subtotal_incl: column.cents('AmountInclTax', { response: 'SubTotalInclTax' }),
  },
  sales_order_address: {
    id: column.id(),
    sales_order_id: column.owner('OrderNumber', 'sales_order'),
    address_type: column.choice('Address_Type', addressTypes),
    ...postalAddress,
  },
  sales_order_contact: {
    id: column.id(),
    sales_order_id: column.owner('OrderNumber', 'sales_order'),
    contact_type: column.choice('ContactType', ['Order', 'PackingSlip']),
    ...documentContact,
  },
  sales_invoice: {
    id: column.id(),
    administration_id: column.administration(),
    number: column.long('InvoiceNumber', { isIdentity: true }),
    module: column.choice('InvoiceType', ['INVOICING', 'BOOKKEEPING']),
    is_draft: column.flag('AddAsDraft', { response: null }),
    date: column.date('InvoiceDate'),
    due_date: column.optional(column.date('InvoiceDueDate')),
    relation_id: column.reference('RelationGUID', 'relation'),
    /** The customer's data on the invoice, independent of the relation. */
    customer_number: column.optional(column.integer('CustomerNumber')),
    customer_name: column.text('CustomerName'),
    reference: column.text('InvoiceReference'),
    notes: column.text('InvoiceNotes'),
    packing_slip_notes: column.text('PackingSlipNotes'),
    ogm: column.text('OGM_Belgium'),
    /** The templates for its mail; "" is the default. */
    template_invoice: column.code(column.defaulted(column.text('TemplateName_Invoice', { response: null }))),
    template_email: column.code(column.defaulted(column.text('TemplateName_Email', { response: null }))),
    project_id: column.optional(column.reference('ProjectNumber', 'project')),
    sales_order_id: column.optional(column.reference('InvoiceForOrderNumber', 'sales_order')),
    discount_pc: column.decimal8('InvoiceDiscountPc', { response: 'DiscountPc' }),
    is_sent: column.flag('InvoiceIsSent'),
    /** Whether to mail it. */
    email_to_customer: column.defaulted(column.flag('EmailToCustomer', { response: null })),
    /** Whether its products are taken out of stock; 0 for imported history and for the bookkeeping module. */
    moves_stock: column.defaulted(column.flag('MovesStock', { response: null })),
    ...invoiceTotals,
    created_on: column.seconds('CreatedOn', { response: null }),
    /** The stored responses: the invoice without its lines, and its lines. */
    answer: column.storedResponse(),
    lines_answer: column.storedResponse(),
  },
  /** The mail of an invoice. */
  outgoing_mail: {
    id: column.id(),
    administration_id: column.administration(),
    sales_invoice_id: column.owner(null, 'sales_invoice'),
    state: column.choice(null, mailStates),
    /** The error of the last attempt. */
    reason: column.text(null),
    due_on: column.seconds(null),
    attempts: column.long(null),
    created_on: column.seconds(null),
    changed_on: column.seconds(null),
  },
  /** The last PDF of an invoice, and a hash of its content. */
  sales_invoice_pdf: {
    sales_invoice_id: column.owner(null, 'sales_invoice'),
    /** SHA-256 of everything in it, in hexadecimal. */
    fingerprint: column.text(null),
    /** The state of the administration in which it was last seen to be current; "": none. */
    current_at: column.defaulted(column.text(null)),
    content: column.bytes(),
    created_on: column.seconds(null),
  },
  sales_invoice_line: {
    id: column.id(),
    sales_invoice_id: column.owner(null, 'sales_invoice'),
    position: column.position(),
    ...articleLine,
    tax_code_id: column.optional(column.reference('CurrentTaxCode', 'tax_code', ['tax_type', 'Sales'])),
    /** Before, and after, line and invoice discount. */
    subtotal_incl_before_discount: column.cents('AmountInclTaxExclDiscount', {
      response: 'SubTotalInclTaxExclDiscount',
    }),
    subtotal_excl: column.cents('AmountExclTax', { response: 'SubTotalExclTax' }),
    subtotal_incl: column.cents('AmountInclTax', { response: 'SubTotalInclTax' }),
    ledger_account_number: column.code(column.text('LedgerAccountNumber')),
    cost_center: column.text('CostCenter'),
    delivery_date: column.optional(column.date('DeliveryDate')),
    warehouse: column.text('Warehouse'),
    shelf: column.text('Shelf'),
    batch: column.text('Batch'),
  },
  sales_invoice_address: {
    id: column.id(),
    sales_invoice_id: column.owner('InvoiceNumber', 'sales_invoice'),
    address_type: column.choice('Address_Type', addressTypes, { response: 'AddressType' }),
    ...postalAddress,
  },
  sales_invoice_contact: {
    id: column.id(),
    sales_invoice_id: column.owner('InvoiceNumber', 'sales_invoice'),
    contact_type: column.choice('ContactType', ['Invoice', 'PackingSlip']),
    ...documentContact,
  },
  /** A template; each due date makes an invoice from it. */
  periodic_invoice: {
    id: column.id(),
    administration_id: column.administration(),
    ...party('Customer'),
    starting_date: column.date('Periodic_StartingDate'),
    end_date: column.optional(column.date('Periodic_EndDate')),
    frequency: column.long('Periodic_Frequency'),
    /** The months by which dates in texts move, and the direction. */
    change_date_tokens: column.long('Periodic_ChangeDateTokensValue'),
    /** The number of processed due dates: the next one is the starting date plus so many times the frequency. */
    made: column.long('Made'),
    /** The first due date that is not processed; "" when there is none any more. */
    next_due: column.derived(['starting_date', 'end_date', 'frequency', 'frequency_unit', 'made'], nextDue),
    frequency_unit: column.choice('Periodic_FrequencyUnit', ['Day', 'Week', 'Month', 'Year']),
    change_date_tokens_direction: column.choice('Periodic_ChangeDateTokensBeforeAfter', ['Before', 'After', '']),
    /** The addsalesinvoice request as JSON text, from which each invoice is made. */
    request: column.text('Request'),
    automatic_mailing: column.flag('Periodic_AutomaticMailing'),
    skip_weekends: column.flag('Periodic_SkipWeekends'),
    created_on: column.seconds('CreatedOn'),
  },
  /** A file of one document. One that could not be downloaded has the reason instead of content. */
  attachment: {
    id: column.id(),
    sales_invoice_id: column.optional(column.owner('InvoiceNumber', 'sales_invoice')),
    sales_order_id: column.optional(column.owner('OrderNumber', 'sales_order')),
    purchase_invoice_id: column.optional(column.owner('PurchaseInvoice', 'purchase_invoice')),
    periodic_invoice_id: column.optional(column.owner('PeriodicInvoice', 'periodic_invoice')),
    file_name: column.text('FileName'),
    content_type: column.text('ContentType'),
    content: column.bytes(),
    url: column.text('FileUrl'),
    failure: column.text('Failure'),
    is_internal: column.flag('Internal'),
    created_on: column.seconds('CreatedOn'),
  },
};
