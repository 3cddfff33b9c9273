import { ledgerTypes } from '../../../../../shared/resources/ledgerAccount.ts';
import { taxTypes } from '../../../../../shared/resources/taxCode.ts';
import * as column from './column.ts';

export const ledger = {
  tax_code: {
    id: column.id(),
    administration_id: column.administration(),
    percentage: column.decimal8('TaxPc'),
    name: column.text('Name'),
    /** `21% - Hoog`: percentage and name. */
    code: column.text('TaxCode'),
    tax_type: column.choice('TaxType', taxTypes),
    tax_exempt: column.flag('TaxExempt'),
    /** Why nothing is charged at zero percent, by its code of UNCL 5305; "" when it follows from the rest. */
    vat_category: column.defaulted(column.text('VatCategory', { response: null })),
  },
  ledger_account: {
    id: column.id(),
    administration_id: column.administration(),
    number: column.text('Number'),
    name: column.text('Name'),
    fiscal_year: column.long('FiscalYear'),
    ledger_type: column.choice('LedgerType', ledgerTypes),
    debet_or_credit: column.choice('DebetOrCredit', ['debet', 'credit']),
  },
  cost_center: {
    id: column.id(),
    administration_id: column.administration(),
    name: column.text('Name'),
    name_folded: column.foldedFrom('name'),
  },
  journal_entry: {
    id: column.id(),
    administration_id: column.administration(),
    journal: column.choice('Journal', ['sales', 'purchases']),
    description: column.text('Description'),
    date: column.date('Date'),
    sales_invoice_id: column.optional(column.reference('InvoiceNumber', 'sales_invoice')),
    purchase_invoice_id: column.optional(column.reference('PurchaseInvoice', 'purchase_invoice')),
    created_on: column.seconds('CreatedOn'),
  },
  /** One side of an entry: debit or credit, never both, never negative. */
  journal_line: {
    id: column.id(),
    journal_entry_id: column.owner('JournalEntry', 'journal_entry'),
    ledger_account_number: column.code(column.text('LedgerAccountNumber')),
    /** On a line of tax: the code it is for. */
    tax_code: column.code(column.text('TaxCode')),
    description: column.text('Description'),
    debit: column.cents('Debit'),
    credit: column.cents('Credit'),
  },
};
