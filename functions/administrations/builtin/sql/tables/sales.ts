import {
  administration,
  bytes,
  cents,
  choice,
  date,
  decimal8,
  defaulted,
  flag,
  foldedFrom,
  id,
  integer,
  long,
  optional,
  owner,
  position,
  reference,
  seconds,
  storedAnswer,
  text,
} from './column.ts';
import { articleLine, documentContact, invoiceTotals, party, postalAddress } from './shared.ts';

const addressTypes = ['BillingAddress', 'ShippingAddress'] as const;

export const sales = {
  order_status: {
    id: id(),
    administration_id: administration(),
    label: text('Label'),
    label_folded: foldedFrom('label'),
  },
  sales_order: {
    id: id(),
    administration_id: administration(),
    number: integer('OrderNumber', { isIdentity: true }),
    general_status: choice('GeneralStatus', ['concept_quote', 'final_quote', 'order'], { answer: null }),
    /** The label of an order status; "" for none. */
    status: text('OrderStatus'),
    is_invoiced: flag('IsInvoiced', { answer: null }),
    date: date('OrderDate'),
    ...party('Customer'),
    reference: text('OrderReference'),
    notes: text('OrderNotes'),
    packing_slip_notes: text('PackingSlipNotes', { answer: null }),
    delivery_period: optional(integer('DeliveryPeriod')),
    discount_pc: decimal8('OrderDiscountPc'),
    total_excl: cents('TotalExclTax', { answer: null }),
    total_tax: cents('TaxAmount', { answer: null }),
    total_incl: cents('TotalInclTax', { answer: 'OrderTotalInclTax' }),
    created_on: seconds('CreatedOn'),
    changed_on: seconds('ChangedOn'),
  },
  sales_order_line: {
    id: id(),
    sales_order_id: owner(null, 'sales_order'),
    position: position(),
    ...articleLine,
    /** With tax. */
    discount_amount: cents('DiscountAmountInclTax'),
    subtotal_excl_before_discount: cents('AmountExclTaxExclDiscount', { answer: 'SubTotalExclTaxExclDiscount' }),
    subtotal_incl_before_discount: cents('AmountInclTaxExclDiscount', { answer: 'SubTotalInclTaxExclDiscount' }),
    /** After line and order discount. */
    subtotal_excl: cents('AmountExclTax', { answer: 'SubTotalExclTax' }),
    /** After the line's discount, before the order's. */
    subtotal_incl: cents('AmountInclTax', { answer: 'SubTotalInclTax' }),
  },
  sales_order_address: {
    id: id(),
    sales_order_id: owner('OrderNumber', 'sales_order'),
    address_type: choice('Address_Type', addressTypes),
    ...postalAddress,
  },
  sales_order_contact: {
    id: id(),
    sales_order_id: owner('OrderNumber', 'sales_order'),
    contact_type: choice('ContactType', ['Order', 'PackingSlip']),
    ...documentContact,
  },
  sales_invoice: {
    id: id(),
    administration_id: administration(),
    number: long('InvoiceNumber', { isIdentity: true }),
    module: choice('InvoiceType', ['INVOICING', 'BOOKKEEPING']),
    is_draft: flag('AddAsDraft', { answer: null }),
    date: date('InvoiceDate'),
    due_date: optional(date('InvoiceDueDate')),
    relation_id: reference('RelationGUID', 'relation'),
    /** The customer's data on the invoice, independent of the relation. */
    customer_number: optional(integer('CustomerNumber')),
    customer_name: text('CustomerName'),
    reference: text('InvoiceReference'),
    notes: text('InvoiceNotes'),
    packing_slip_notes: text('PackingSlipNotes'),
    ogm: text('OGM_Belgium'),
    /** The templates for its mail; "" is the default. */
    template_invoice: defaulted(text('TemplateName_Invoice', { answer: null })),
    template_email: defaulted(text('TemplateName_Email', { answer: null })),
    project_id: optional(reference('ProjectNumber', 'project')),
    sales_order_id: optional(reference('InvoiceForOrderNumber', 'sales_order')),
    discount_pc: decimal8('InvoiceDiscountPc', { answer: 'DiscountPc' }),
    is_sent: flag('InvoiceIsSent'),
    /** Whether to mail it. */
    email_to_customer: defaulted(flag('EmailToCustomer', { answer: null })),
    /** Whether its products are taken out of stock; 0 for imported history and for the bookkeeping module. */
    moves_stock: defaulted(flag('MovesStock', { answer: null })),
    ...invoiceTotals,
    created_on: seconds('CreatedOn', { answer: null }),
    /** The stored answers: the invoice without its lines, and its lines. */
    answer: storedAnswer(),
    lines_answer: storedAnswer(),
  },
  /** The mail of an invoice. */
  outgoing_mail: {
    id: id(),
    administration_id: administration(),
    sales_invoice_id: owner(null, 'sales_invoice'),
    /** `unknown`: it may have been sent; it is not sent again by itself. */
    state: choice(null, ['waiting', 'sending', 'sent', 'failed', 'unknown']),
    /** The error of the last attempt. */
    reason: text(null),
    due_on: seconds(null),
    attempts: long(null),
    created_on: seconds(null),
    changed_on: seconds(null),
  },
  /** The last PDF of an invoice, and a hash of its content. */
  sales_invoice_pdf: {
    sales_invoice_id: owner(null, 'sales_invoice'),
    /** SHA-256 of everything in it, in hexadecimal. */
    fingerprint: text(null),
    /** The state of the administration in which it was last seen to be current; "": none. */
    current_at: defaulted(text(null)),
    content: bytes(),
    created_on: seconds(null),
  },
  sales_invoice_line: {
    id: id(),
    sales_invoice_id: owner(null, 'sales_invoice'),
    position: position(),
    ...articleLine,
    tax_code_id: optional(reference('CurrentTaxCode', 'tax_code', ['tax_type', 'Sales'])),
    /** Before, and after, line and invoice discount. */
    subtotal_incl_before_discount: cents('AmountInclTaxExclDiscount', { answer: 'SubTotalInclTaxExclDiscount' }),
    subtotal_excl: cents('AmountExclTax', { answer: 'SubTotalExclTax' }),
    subtotal_incl: cents('AmountInclTax', { answer: 'SubTotalInclTax' }),
    ledger_account_number: text('LedgerAccountNumber'),
    cost_center: text('CostCenter'),
    delivery_date: optional(date('DeliveryDate')),
    warehouse: text('Warehouse'),
    shelf: text('Shelf'),
    batch: text('Batch'),
  },
  sales_invoice_address: {
    id: id(),
    sales_invoice_id: owner('InvoiceNumber', 'sales_invoice'),
    address_type: choice('Address_Type', addressTypes, { answer: 'AddressType' }),
    ...postalAddress,
  },
  sales_invoice_contact: {
    id: id(),
    sales_invoice_id: owner('InvoiceNumber', 'sales_invoice'),
    contact_type: choice('ContactType', ['Invoice', 'PackingSlip']),
    ...documentContact,
  },
  /** A template; each due date makes an invoice from it. */
  periodic_invoice: {
    id: id(),
    administration_id: administration(),
    ...party('Customer'),
    starting_date: date('Periodic_StartingDate'),
    end_date: optional(date('Periodic_EndDate')),
    frequency: long('Periodic_Frequency'),
    /** The months by which dates in texts move, and the direction. */
    change_date_tokens: long('Periodic_ChangeDateTokensValue'),
    /** The number of processed due dates: the next one is the starting date plus so many times the frequency. */
    made: long('Made'),
    frequency_unit: choice('Periodic_FrequencyUnit', ['Day', 'Week', 'Month', 'Year']),
    change_date_tokens_direction: choice('Periodic_ChangeDateTokensBeforeAfter', ['Before', 'After', '']),
    /** The addsalesinvoice request as JSON text, from which each invoice is made. */
    request: text('Request'),
    automatic_mailing: flag('Periodic_AutomaticMailing'),
    skip_weekends: flag('Periodic_SkipWeekends'),
    created_on: seconds('CreatedOn'),
  },
  /** A file of one document. One that could not be downloaded has the reason instead of content. */
  attachment: {
    id: id(),
    sales_invoice_id: optional(owner('InvoiceNumber', 'sales_invoice')),
    sales_order_id: optional(owner('OrderNumber', 'sales_order')),
    purchase_invoice_id: optional(owner('PurchaseInvoice', 'purchase_invoice')),
    periodic_invoice_id: optional(owner('PeriodicInvoice', 'periodic_invoice')),
    file_name: text('FileName'),
    content_type: text('ContentType'),
    content: bytes(),
    url: text('FileUrl'),
    failure: text('Failure'),
    is_internal: flag('Internal'),
    created_on: seconds('CreatedOn'),
  },
};
