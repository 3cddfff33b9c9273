import * as column from './column.ts';
import { invoiceTotals, party } from './shared.ts';

export const purchases = {
  purchase_invoice: {
    id: column.id(),
    administration_id: column.administration(),
    number: column.long('PurchaseInvoiceNumber', { response: 'InvoiceNumber' }),
    date: column.date('InvoiceDate'),
    due_date: column.date('InvoiceDueDate'),
    ...party('Supplier'),
    notes: column.text('InvoiceNotes'),
    project_id: column.optional(column.reference('ProjectNumber', 'project')),
    ...invoiceTotals,
    created_on: column.seconds('CreatedOn', { response: null }),
  },
  purchase_invoice_line: {
    id: column.id(),
    purchase_invoice_id: column.owner(null, 'purchase_invoice'),
    position: column.position(),
    description: column.text('Description'),
    ledger_account_number: column.code(column.text('LedgerAccountNumber')),
    cost_center: column.text('CostCenter'),
    /** 81, 82 or 83, in Belgium. */
    classification: column.text('PurchaseClassification'),
    tax_code: column.code(column.text('TaxCode')),
    tax_code_id: column.optional(column.reference('CurrentTaxCode', 'tax_code', ['tax_type', 'Purchase'])),
    tax_pc: column.decimal8('TaxPc'),
    subtotal_excl: column.cents('AmountExclTax'),
    subtotal_incl: column.cents('AmountInclTax'),
    /** The tax that the purchaser owes beside what the invoice charges, and what may be deducted of both: as booked. */
    assessed_tax: column.optional(column.cents('AssessedTax', { response: null })),
    deductible_tax: column.optional(column.cents('DeductibleTax', { response: null })),
  },
};
