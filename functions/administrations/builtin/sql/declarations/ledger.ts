import { journalKinds } from '../../../../../shared/resources/generalLedger/ledgerEntry.ts';
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
  /** A fiscal year of which something is known: its days, or its opening balance. */
  fiscal_year: {
    id: column.id(),
    administration_id: column.administration(),
    start_date: column.date('StartDate', { isIdentity: true }),
    end_date: column.date('EndDate'),
    /** Whether its opening lines are its opening balance, even if there are none. */
    has_opening: column.flag('HasOpening'),
    /** Whether its opening balance came from an audit file. */
    is_imported: column.defaulted(column.flag('IsImported')),
  },
  /** What an account has at the start of a fiscal year: debit or credit. */
  opening_line: {
    id: column.id(),
    fiscal_year_id: column.owner('FiscalYear', 'fiscal_year'),
    ledger_account_number: column.code(column.text('LedgerAccountNumber')),
    debit: column.cents('Debit'),
    credit: column.cents('Credit'),
  },
  journal_entry: {
    id: column.id(),
    administration_id: column.administration(),
    journal: column.choice('Journal', journalKinds),
    /** Its number in a journal without documents, such as that of a bank statement; "" for none. */
    entry_number: column.defaulted(column.text('EntryNumber')),
    description: column.text('Description'),
    date: column.date('Date'),
    sales_invoice_id: column.optional(column.reference('InvoiceNumber', 'sales_invoice')),
    purchase_invoice_id: column.optional(column.reference('PurchaseInvoice', 'purchase_invoice')),
    /** Whether it came from the audit file of its fiscal year. */
    is_imported: column.defaulted(column.flag('IsImported')),
    created_on: column.seconds('CreatedOn'),
  },
  /** One side of an entry: debit or credit, never both, never negative. */
  journal_line: {
    id: column.id(),
    administration_id: column.administration(),
    journal_entry_id: column.owner('JournalEntry', 'journal_entry'),
    ledger_account_number: column.code(column.text('LedgerAccountNumber')),
    /** That of the entry. */
    date: column.unlogged(column.date('Date')),
    relation_id: column.optional(column.reference('RelationGUID', 'relation')),
    /** The number of an invoice, or of what was booked. */
    document: column.text('Document'),
    cost_center: column.text('CostCenter'),
    /** On a line of tax: the code it is for, what is taxed, and the tax. Debit is positive, credit negative. */
    tax_code: column.code(column.text('TaxCode')),
    tax_base: column.cents('TaxBase'),
    tax_amount: column.cents('TaxAmount'),
    description: column.text('Description'),
    debit: column.cents('Debit'),
    credit: column.cents('Credit'),
  },
  /** Debit and credit of an account on a day, over all lines. */
  ledger_total: {
    administration_id: column.administration(),
    ledger_account_number: column.text(null),
    date: column.date(null),
    debit: column.cents(null),
    credit: column.cents(null),
  },
};
