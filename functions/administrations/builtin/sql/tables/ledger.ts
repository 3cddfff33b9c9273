import { ledgerTypes } from '../../../../../shared/resources/ledgerAccount.ts';
import { taxTypes } from '../../../../../shared/resources/taxCode.ts';
import {
  administration,
  cents,
  choice,
  date,
  decimal8,
  flag,
  foldedFrom,
  id,
  long,
  optional,
  owner,
  reference,
  seconds,
  text,
} from './column.ts';

export const ledger = {
  tax_code: {
    id: id(),
    administration_id: administration(),
    percentage: decimal8('TaxPc'),
    name: text('Name'),
    /** `21% - Hoog`: percentage and name. */
    code: text('TaxCode'),
    tax_type: choice('TaxType', taxTypes),
    tax_exempt: flag('TaxExempt'),
  },
  ledger_account: {
    id: id(),
    administration_id: administration(),
    number: text('Number'),
    name: text('Name'),
    fiscal_year: long('FiscalYear'),
    ledger_type: choice('LedgerType', ledgerTypes),
    debet_or_credit: choice('DebetOrCredit', ['debet', 'credit']),
  },
  cost_center: { id: id(), administration_id: administration(), name: text('Name'), name_folded: foldedFrom('name') },
  journal_entry: {
    id: id(),
    administration_id: administration(),
    journal: choice('Journal', ['sales', 'purchases']),
    description: text('Description'),
    date: date('Date'),
    sales_invoice_id: optional(reference('InvoiceNumber', 'sales_invoice')),
    purchase_invoice_id: optional(reference('PurchaseInvoice', 'purchase_invoice')),
    created_on: seconds('CreatedOn'),
  },
  /** One side of an entry: debit or credit, never both, never negative. */
  journal_line: {
    id: id(),
    journal_entry_id: owner('JournalEntry', 'journal_entry'),
    ledger_account_number: text('LedgerAccountNumber'),
    /** On a line of tax: the code it is for. */
    tax_code: text('TaxCode'),
    description: text('Description'),
    debit: cents('Debit'),
    credit: cents('Credit'),
  },
};
