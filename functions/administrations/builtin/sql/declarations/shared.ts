import { cents, code, decimal8, flag, integer, optional, reference, text } from './column.ts';

/** Columns that several tables share. */

export const postalAddress = {
  street: text('Address_Street'),
  unit: text('Address_Unit'),
  unit_appendix: text('Address_UnitAppendix'),
  postal_code: text('Address_PostalCode'),
  city: text('Address_City'),
  country_code: text('Address_CountryCode'),
};

/** A person a document is addressed to. */
export const documentContact = {
  first_name: text('FirstName'),
  last_name: text('LastName'),
  sex: text('Sex'),
  email: text('Email'),
  phone: text('Phone'),
  notes: text('ContactNotes'),
  is_default: flag('DefaultContact'),
};

/** The party's data on a document, independent of the relation. */
export const party = <const Role extends 'Customer' | 'Supplier'>(role: Role) => ({
  relation_id: reference('RelationGUID', 'relation'),
  relation_number: optional(integer(`${role}Number`)),
  relation_name: text(`${role}Name`),
});

/** The totals of an invoice. */
export const invoiceTotals = {
  total_excl: cents('TotalExclTax', { response: 'InvoiceTotalExclTax' }),
  total_tax: cents('TaxAmount', { response: 'InvoiceTaxAmount' }),
  total_incl: cents('TotalInclTax', { response: 'InvoiceTotalInclTax' }),
  outstanding: cents('InvoiceOutstandingAmount'),
};

/** Columns of order and sales invoice lines: the product, and its name at that time. */
export const articleLine = {
  is_text: flag('IsTextLine'),
  text_category: text('TextLineCategory'),
  product_number: code(text('ProductNumber')),
  product_ean: code(text('ProductEAN')),
  description: text('Description'),
  product_id: optional(reference('CurrentProductNumber', 'product')),
  quantity: decimal8('Quantity'),
  unit_price: decimal8('UnitPriceExclTax'),
  discount_pc: decimal8('DiscountPc'),
  tax_pc: decimal8('TaxPc'),
  use_article_price: flag('UseArticlePrice'),
  tax_code: code(text('TaxCode')),
};
