import { DatabaseSync } from 'node:sqlite';

type Cells = Record<string, string | number | boolean>;

const cents = (amount: string) => `${amount} / 100.0`;
const decimal8 = (value: string) => `${value} / 100000000.0`;
/** Days since 30 December 1899, as Excel counts; "" for no date. */
const serial = (date: string) => `coalesce(cast(julianday(${date}) - julianday('1899-12-30') as integer), '')`;
const street = (address: string) =>
  `trim(coalesce(${address}.street, '') || ' ' || coalesce(${address}.unit, '') || coalesce(${address}.unit_appendix, ''))`;

const invoiceColumns = {
  'Invoice number': 'cast(i.number as text)',
  Module: "case i.module when 'INVOICING' then 'Invoicing' else 'Bookkeeping' end",
  'Invoice date': serial('i.date'),
  'Due date': serial('i.due_date'),
  'Customer number': "coalesce(cast(i.customer_number as text), '')",
  Customer: 'i.customer_name',
  'Total excl. VAT': cents('i.total_excl'),
  VAT: cents('i.total_tax'),
  'Total incl. VAT': cents('i.total_incl'),
  Outstanding: cents('i.outstanding'),
  'Discount %': decimal8('i.discount_pc'),
  Reference: 'i.reference',
  Sent: 'i.is_sent',
  'Project number': "coalesce(cast(p.number as text), '')",
  Project: "coalesce(p.name, '')",
  'Structured remittance (OGM)': 'i.ogm',
  // The demo's notes have no other tags; the sheet has plain text.
  Notes: "replace(replace(replace(replace(i.notes, '<p>', ''), '</p>', ''), '<b>', ''), '</b>', '')",
  'Packing slip notes': 'i.packing_slip_notes',
  'Periodic template': '0',
  Contact: "trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))",
  'Contact e-mail': "coalesce(c.email, '')",
  'Contact phone': "coalesce(c.phone, '')",
  'Billing street': street('b'),
  'Billing postal code': "coalesce(b.postal_code, '')",
  'Billing city': "coalesce(b.city, '')",
  'Billing country': "coalesce(b.country_code, '')",
  'Delivery street': street('s'),
  'Delivery postal code': "coalesce(s.postal_code, '')",
  'Delivery city': "coalesce(s.city, '')",
  'Delivery country': "coalesce(s.country_code, '')",
};

const lineColumns = {
  'Invoice number': 'cast(i.number as text)',
  Line: 'row_number() over (partition by i.id order by l.position)',
  Module: "case i.module when 'INVOICING' then 'Invoicing' else 'Bookkeeping' end",
  'Invoice date': serial('i.date'),
  Customer: 'i.customer_name',
  'Article number': 'l.product_number',
  EAN: 'l.product_ean',
  Description: 'l.description',
  Quantity: decimal8('l.quantity'),
  'Price excl. VAT': decimal8('l.unit_price'),
  'Discount %': decimal8('l.discount_pc'),
  'Subtotal excl. VAT': cents('l.subtotal_excl'),
  'Subtotal incl. VAT': cents('l.subtotal_incl'),
  'Subtotal before discount': cents('l.subtotal_incl_before_discount'),
  'VAT %': decimal8('l.tax_pc'),
  'VAT code': 'l.tax_code',
  'Ledger account': 'l.ledger_account_number',
  'Cost centre': 'l.cost_center',
  'Delivery date': serial('l.delivery_date'),
  Warehouse: 'l.warehouse',
  Shelf: 'l.shelf',
  Batch: 'l.batch',
  'Text line': 'l.is_text',
  'Text line category': 'l.text_category',
  'Purchase classification': "''",
  'Article price used': 'l.use_article_price',
};

const booleans = ['Sent', 'Periodic template', 'Text line', 'Article price used'];

/**
 * The expected cells of the sheets of a pull, read from the database by SQL alone, without the app's own code. Dates
 * are yyyy-MM-dd, both included.
 */
export function invoicesInDatabase(file: string, administrationId: number, from: string, till: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  const select = (columns: Record<string, string>, joins: string, order: string): Cells[] => {
    const list = Object.entries(columns).map(([heading, expression]) => `${expression} as "${heading}"`);
    const rows = database
      .prepare(
        `select ${list.join(', ')} from sales_invoice i ${joins}
         where i.administration_id = ? and i.date between ? and ? order by ${order}`,
      )
      .all(administrationId, from, till) as Cells[];
    return rows.map((row) => ({
      ...row,
      ...Object.fromEntries(booleans.filter((name) => name in row).map((name) => [name, row[name] === 1])),
    }));
  };
  try {
    return {
      invoices: select(
        invoiceColumns,
        `left join project p on p.id = i.project_id
         left join sales_invoice_contact c on c.sales_invoice_id = i.id and c.contact_type = 'Invoice'
         left join sales_invoice_address b on b.sales_invoice_id = i.id and b.address_type = 'BillingAddress'
         left join sales_invoice_address s on s.sales_invoice_id = i.id and s.address_type = 'ShippingAddress'`,
        'i.number desc',
      ),
      lines: select(lineColumns, 'join sales_invoice_line l on l.sales_invoice_id = i.id', 'i.number desc, l.position'),
    };
  } finally {
    database.close();
  }
}
