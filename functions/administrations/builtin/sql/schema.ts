import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { CustomFieldType } from '../../../../shared/resources/customField.ts';
import type { LedgerType } from '../../../../shared/resources/ledgerAccount.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';

/*
 * The tables. Every whole number is a bigint, on every database. What a bigint counts is in its type's name.
 */

/** 0 or 1. */
export type Flag = bigint;
/** Hundredths of a euro. */
export type Cents = bigint;
/** Units of 10^-8: prices per unit, quantities, percentages. */
export type Fine = bigint;
/** Seconds since 1970. */
export type Seconds = bigint;

/** JSON text; "" when it has to be made anew from the rows it is derived from. */
export type KeptAnswer = Defaulted<string>;

/** A column that may be left out of an insert: "" or 0 then. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export type AdministrationTable = {
  id: Generated<bigint>;
  name: string;
  country: 'NL' | 'BE';
  created_on: Seconds;
  /** Where revenue and costs go when a line names no ledger account; "" when none is set. */
  default_revenue_account: string;
  default_cost_account: string;
  /** The control accounts entries are balanced on; "" when not set. */
  debtor_account: Defaulted<string>;
  creditor_account: Defaulted<string>;
  vat_payable_account: Defaulted<string>;
  vat_receivable_account: Defaulted<string>;
};

/** The last number given out, of relations, invoices and the like. */
export type CounterTable = { administration_id: bigint; name: string; value: bigint };

export type ApiKeyTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  /** Folded: compared without regard to case. */
  username: string;
  /** SHA-256 of the key, in hexadecimal; the key itself is kept nowhere. */
  key_hash: string;
  label: string;
  created_on: Seconds;
  revoked_on: Seconds | null;
};

export type TaxCodeTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  /** `21% - Hoog`: percentage and name. */
  code: string;
  name: string;
  percentage: Fine;
  tax_type: TaxType;
  tax_exempt: Flag;
};

export type LedgerAccountTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  fiscal_year: bigint;
  number: string;
  name: string;
  ledger_type: LedgerType;
  debet_or_credit: 'debet' | 'credit';
};

export type RelationTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  guid: bigint;
  name: string;
  name_folded: string;
  is_business: Flag;
  email: string;
  email_folded: string;
  phone: string;
  city: string;
  street: string;
  postal_code: string;
  unit: string;
  unit_appendix: string;
  country_code: string;
  group_name: string;
  is_customer: Flag;
  is_supplier: Flag;
  is_other: Flag;
  customer_number: bigint | null;
  supplier_number: bigint | null;
  registration_number: string;
  vat_number: string;
  /** As it is compared: without country code, separators and additions. */
  vat_compared: string;
  created_on: Seconds;
  changed_on: Seconds;
  /** The relation as it is answered (see answers.ts). */
  answer: KeptAnswer;
};

export type RelationContactTable = {
  id: Generated<bigint>;
  relation_id: bigint;
  position: bigint;
  email: string;
  phone: string;
  sex: string;
  last_name: string;
  first_name: string;
  preposition: string;
  notes: string;
  is_default: Flag;
};

export type RelationBankAccountTable = {
  id: Generated<bigint>;
  relation_id: bigint;
  position: bigint;
  iban: string;
  skip_iban_check: Flag;
  use_for_excasso: Flag;
  bic: string;
  place: string;
  name: string;
};

/** A configured custom field of products or of relations. */
export type CustomFieldTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  owner: 'product' | 'relation';
  label: string;
  field_type: CustomFieldType;
  /** Customer, Supplier or Other; of relation fields only. */
  type_of_relation: string | null;
};

/** A value as text: decimals as decimal text, dates as yyyy-MM-dd, checkboxes as true or false. */
export type RelationCustomFieldTable = { relation_id: bigint; custom_field_id: bigint; value: string };
export type ProductCustomFieldTable = { product_id: bigint; custom_field_id: bigint; value: string };

export type ProductCategoryTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  name: string;
  name_folded: string;
};

export type ProductTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  article_number: string;
  ean: string;
  name: string;
  supplier_article_number: string;
  category_id: bigint | null;
  description: string;
  purchase_price: Fine;
  price: Fine;
  sales_tax_code_id: bigint | null;
  purchase_tax_code_id: bigint | null;
  /** The sum of the product's stock mutations, kept in the same transaction. */
  stock: Fine;
  minimal_stock: Fine;
  units_per_package: Fine;
  unit: string;
  archived: Flag;
  created_on: Seconds;
  changed_on: Seconds;
};

export type StockMutationTable = {
  id: Generated<bigint>;
  product_id: bigint;
  quantity: Fine;
  cause: 'import' | 'update' | 'invoice' | 'batch';
  comment: string;
  /** Cost per unit, of stock that came in. */
  purchase_price: Fine | null;
  sales_invoice_id: bigint | null;
  batch_id: bigint | null;
  created_on: Seconds;
};

export type ProjectTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  number: bigint;
  name: string;
  name_folded: string;
  description: string;
  customer_id: bigint | null;
};

export type SalesInvoiceTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  number: bigint;
  module: 'INVOICING' | 'BOOKKEEPING';
  is_draft: Flag;
  date: CalendarDate;
  due_date: CalendarDate | null;
  notes: string;
  reference: string;
  packing_slip_notes: string;
  relation_id: bigint;
  /** The customer as the invoice names it, whatever becomes of the relation. */
  customer_number: bigint | null;
  customer_name: string;
  project_id: bigint | null;
  total_excl: Cents;
  total_tax: Cents;
  total_incl: Cents;
  outstanding: Cents;
  discount_pc: Fine;
  is_sent: Flag;
  ogm: string;
  /** Asked to be mailed, and with which templates; "" is the usual one. */
  email_to_customer: Defaulted<Flag>;
  template_invoice: Defaulted<string>;
  template_email: Defaulted<string>;
  sales_order_id: bigint | null;
  /** Whether what it sells is taken out of stock; 0 of history that was imported and of the bookkeeping module. */
  moves_stock: Defaulted<Flag>;
  created_on: Seconds;
  /** The invoice as it is answered, without its lines; and its lines (see answers.ts). */
  answer: KeptAnswer;
  lines_answer: KeptAnswer;
};

export type SalesInvoiceLineTable = {
  id: Generated<bigint>;
  sales_invoice_id: bigint;
  position: bigint;
  is_text: Flag;
  text_category: string;
  product_id: bigint | null;
  product_number: string;
  product_ean: string;
  description: string;
  quantity: Fine;
  unit_price: Fine;
  discount_pc: Fine;
  /** Before, and after, line and invoice discount. */
  subtotal_incl_before_discount: Cents;
  subtotal_incl: Cents;
  subtotal_excl: Cents;
  ledger_account_number: string;
  tax_code_id: bigint | null;
  tax_pc: Fine;
  tax_code: string;
  cost_center: string;
  delivery_date: CalendarDate | null;
  warehouse: string;
  shelf: string;
  batch: string;
  use_article_price: Flag;
};

export type PostalAddress = {
  street: string;
  unit: string;
  unit_appendix: string;
  postal_code: string;
  city: string;
  country_code: string;
};

type ContactPerson = {
  email: string;
  phone: string;
  sex: string;
  last_name: string;
  first_name: string;
  notes: string;
  is_default: Flag;
};

export type SalesInvoiceAddressTable = PostalAddress & {
  id: Generated<bigint>;
  sales_invoice_id: bigint;
  address_type: 'BillingAddress' | 'ShippingAddress';
};

export type SalesInvoiceContactTable = ContactPerson & {
  id: Generated<bigint>;
  sales_invoice_id: bigint;
  contact_type: 'Invoice' | 'PackingSlip';
};

/** Addresses of a relation beside its correspondence address. */
export type RelationAddressTable = PostalAddress & { id: Generated<bigint>; relation_id: bigint };

export type CostCenterTable = { id: Generated<bigint>; administration_id: bigint; name: string; name_folded: string };
export type OrderStatusTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  label: string;
  label_folded: string;
};

export type ProductBatchTable = {
  id: Generated<bigint>;
  product_id: bigint;
  description: string;
  expiry_date: CalendarDate | null;
  /** The sum of the batch's stock mutations. */
  stock: Fine;
};

/** The party as a document names it, whatever becomes of the relation. */
type OfRelation = { relation_id: bigint; relation_number: bigint | null; relation_name: string };

export type SalesOrderTable = OfRelation & {
  id: Generated<bigint>;
  administration_id: bigint;
  number: bigint;
  general_status: 'concept_quote' | 'final_quote' | 'order';
  /** The label of an order status; "" for none. */
  status: string;
  is_invoiced: Flag;
  date: CalendarDate;
  notes: string;
  reference: string;
  packing_slip_notes: string;
  delivery_period: bigint | null;
  discount_pc: Fine;
  total_excl: Cents;
  total_tax: Cents;
  total_incl: Cents;
  created_on: Seconds;
  changed_on: Seconds;
};

export type SalesOrderLineTable = {
  id: Generated<bigint>;
  sales_order_id: bigint;
  position: bigint;
  is_text: Flag;
  text_category: string;
  product_id: bigint | null;
  product_number: string;
  product_ean: string;
  description: string;
  quantity: Fine;
  unit_price: Fine;
  tax_pc: Fine;
  tax_code: string;
  discount_pc: Fine;
  /** With tax. */
  discount_amount: Cents;
  use_article_price: Flag;
  subtotal_excl_before_discount: Cents;
  subtotal_incl_before_discount: Cents;
  /** After line and order discount. */
  subtotal_excl: Cents;
  /** After the line's discount, before the order's. */
  subtotal_incl: Cents;
};

export type SalesOrderAddressTable = PostalAddress & {
  id: Generated<bigint>;
  sales_order_id: bigint;
  address_type: 'BillingAddress' | 'ShippingAddress';
};

export type SalesOrderContactTable = ContactPerson & {
  id: Generated<bigint>;
  sales_order_id: bigint;
  contact_type: 'Order' | 'PackingSlip';
};

export type PurchaseInvoiceTable = OfRelation & {
  id: Generated<bigint>;
  administration_id: bigint;
  number: bigint;
  date: CalendarDate;
  due_date: CalendarDate;
  notes: string;
  project_id: bigint | null;
  total_excl: Cents;
  total_tax: Cents;
  total_incl: Cents;
  outstanding: Cents;
  created_on: Seconds;
};

export type PurchaseInvoiceLineTable = {
  id: Generated<bigint>;
  purchase_invoice_id: bigint;
  position: bigint;
  description: string;
  ledger_account_number: string;
  tax_code_id: bigint | null;
  tax_code: string;
  tax_pc: Fine;
  cost_center: string;
  /** 81, 82 or 83, in Belgium. */
  classification: string;
  subtotal_excl: Cents;
  subtotal_incl: Cents;
};

/** A template each due date makes an invoice of. */
export type PeriodicInvoiceTable = OfRelation & {
  id: Generated<bigint>;
  administration_id: bigint;
  /** The addsalesinvoice request as JSON text: what each invoice is made from. */
  request: string;
  starting_date: CalendarDate;
  end_date: CalendarDate | null;
  frequency: bigint;
  frequency_unit: 'Day' | 'Week' | 'Month' | 'Year';
  automatic_mailing: Flag;
  skip_weekends: Flag;
  /** Months by which dates in texts move, and which way. */
  change_date_tokens: bigint;
  change_date_tokens_direction: 'Before' | 'After' | '';
  /** How many due dates have been dealt with: the next is the starting date and so many times the frequency. */
  made: bigint;
  created_on: Seconds;
};

/** A file of one document; one that could not be downloaded has no content but says why. */
export type AttachmentTable = {
  id: Generated<bigint>;
  sales_invoice_id: bigint | null;
  sales_order_id: bigint | null;
  purchase_invoice_id: bigint | null;
  periodic_invoice_id: bigint | null;
  file_name: string;
  content_type: string;
  content: Uint8Array | null;
  url: string;
  failure: string;
  is_internal: Flag;
  created_on: Seconds;
};

export type JournalEntryTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  journal: 'sales' | 'purchases';
  date: CalendarDate;
  description: string;
  sales_invoice_id: bigint | null;
  purchase_invoice_id: bigint | null;
  created_on: Seconds;
};

/** One side of an entry: debit or credit, never both, never negative. */
export type JournalLineTable = {
  id: Generated<bigint>;
  journal_entry_id: bigint;
  ledger_account_number: string;
  debit: Cents;
  credit: Cents;
  /** On a line of tax: the code it is for. */
  tax_code: string;
  description: string;
};

export type MaterialBookingTable = {
  id: Generated<bigint>;
  administration_id: bigint;
  project_id: bigint;
  product_id: bigint;
  supplier_id: bigint | null;
  warehouse: string;
  shelf: string;
  batch: string;
  description: string;
  quantity: Fine;
  /** Milliseconds since 1970. */
  entry_date: bigint;
};

/** A write of a push that was applied: its key is never applied again. */
export type AppliedWriteTable = {
  administration_id: bigint;
  key: string;
  /** The product as it was answered, JSON text. */
  answer: string;
  created_on: Seconds;
};

export type Schema = {
  administration: AdministrationTable;
  counter: CounterTable;
  api_key: ApiKeyTable;
  tax_code: TaxCodeTable;
  ledger_account: LedgerAccountTable;
  relation: RelationTable;
  relation_contact: RelationContactTable;
  relation_bank_account: RelationBankAccountTable;
  custom_field: CustomFieldTable;
  relation_custom_field: RelationCustomFieldTable;
  product_custom_field: ProductCustomFieldTable;
  product_category: ProductCategoryTable;
  product: ProductTable;
  stock_mutation: StockMutationTable;
  project: ProjectTable;
  sales_invoice: SalesInvoiceTable;
  sales_invoice_line: SalesInvoiceLineTable;
  sales_invoice_address: SalesInvoiceAddressTable;
  sales_invoice_contact: SalesInvoiceContactTable;
  material_booking: MaterialBookingTable;
  relation_address: RelationAddressTable;
  cost_center: CostCenterTable;
  order_status: OrderStatusTable;
  product_batch: ProductBatchTable;
  sales_order: SalesOrderTable;
  sales_order_line: SalesOrderLineTable;
  sales_order_address: SalesOrderAddressTable;
  sales_order_contact: SalesOrderContactTable;
  purchase_invoice: PurchaseInvoiceTable;
  purchase_invoice_line: PurchaseInvoiceLineTable;
  periodic_invoice: PeriodicInvoiceTable;
  attachment: AttachmentTable;
  journal_entry: JournalEntryTable;
  journal_line: JournalLineTable;
  applied_write: AppliedWriteTable;
};

export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>;

export const flag = (value: boolean): Flag => (value ? 1n : 0n);

/** Text as names and e-mail addresses are compared: in every language's lower case, which a database's own does not do. */
export const folded = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/**
 * What VAT numbers begin with: the member states' own prefixes (Greece is EL), Northern Ireland's, and near neighbours'.
 * What follows is seven characters or more, but in Romania two digits are enough.
 */
const vatPrefix =
  /^(?:CHE(?=\d{9})|RO(?=\d{2,10}$)|(?:AT|BE|BG|CH|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|SE|SI|SK|XI)(?=[A-Z0-9]{7}))/;

/** What comes after nine digits: a Dutch B01, "VAT" in the languages of Switzerland and of Norway. */
const vatAddition = /^(\d{9})(?:B\d{2}|MWST|TVA|IVA|MVA)$/;

const withoutSeparators = (vatNumber: string): string => vatNumber.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** A VAT number as it is compared: without country code, separators and additions. */
export const comparedVatNumber = (text: string): string =>
  withoutSeparators(text).replace(vatPrefix, '').replace(vatAddition, '$1');

/**
 * What a VAT number that is looked for may have been stored as. One without its country code can begin like a code all the
 * same: the French SE123456789 (FRSE123456789 in full).
 */
export const soughtVatNumbers = (text: string): string[] => [
  ...new Set([comparedVatNumber(text), withoutSeparators(text)]),
];
