import {
  administration,
  cents,
  date,
  decimal8,
  id,
  long,
  optional,
  owner,
  position,
  reference,
  seconds,
  text,
} from './column.ts';
import { invoiceTotals, party } from './shared.ts';

export const purchases = {
  purchase_invoice: {
    id: id(),
    administration_id: administration(),
    number: long('PurchaseInvoiceNumber', { answer: 'InvoiceNumber' }),
    date: date('InvoiceDate'),
    due_date: date('InvoiceDueDate'),
    ...party('Supplier'),
    notes: text('InvoiceNotes'),
    project_id: optional(reference('ProjectNumber', 'project')),
    ...invoiceTotals,
    created_on: seconds('CreatedOn', { answer: null }),
  },
  purchase_invoice_line: {
    id: id(),
    purchase_invoice_id: owner(null, 'purchase_invoice'),
    position: position(),
    description: text('Description'),
    ledger_account_number: text('LedgerAccountNumber'),
    cost_center: text('CostCenter'),
    /** 81, 82 or 83, in Belgium. */
    classification: text('PurchaseClassification'),
    tax_code: text('TaxCode'),
    tax_code_id: optional(reference('CurrentTaxCode', 'tax_code', ['tax_type', 'Purchase'])),
    tax_pc: decimal8('TaxPc'),
    subtotal_excl: cents('AmountExclTax'),
    subtotal_incl: cents('AmountInclTax'),
  },
};
