import {
  administration,
  choice,
  date,
  decimal8,
  flag,
  foldedFrom,
  id,
  optional,
  owner,
  reference,
  seconds,
  text,
} from './column.ts';

export const products = {
  product_category: {
    id: id(),
    administration_id: administration(),
    name: text('Name'),
    name_folded: foldedFrom('name'),
  },
  product: {
    id: id(),
    administration_id: administration(),
    article_number: text('ArticleNumber', { isIdentity: true }),
    name: text('Name', { request: 'NewName' }),
    ean: text('EAN', { isIdentity: true }),
    supplier_article_number: text('SupplierArticleNumber', { request: 'NewSupplierArticleNumber' }),
    description: text('Description', { request: 'NewDescription' }),
    unit: text('Unit', { request: 'NewUnit' }),
    category_id: optional(reference('Category', 'product_category')),
    /** The sum of the product's stock mutations, stored in the same transaction. */
    stock: decimal8('StockQty'),
    purchase_price: decimal8('PurchasePrice', { request: 'NewPurchasePrice' }),
    price: decimal8('Price', { request: 'NewSalePrice' }),
    minimal_stock: decimal8('MinimalStockQty'),
    units_per_package: decimal8('UnitsPerPackage'),
    sales_tax_code_id: optional(reference('TaxCode', 'tax_code', ['tax_type', 'Sales'])),
    purchase_tax_code_id: optional(reference('TaxCodePurchase', 'tax_code', ['tax_type', 'Purchase'])),
    archived: flag('Archived', { answer: null, request: 'Archived' }),
    created_on: seconds('CreatedOn'),
    changed_on: seconds('ChangedOn'),
  },
  /** As the custom fields of relations. */
  product_custom_field: {
    product_id: owner('ArticleNumber', 'product'),
    custom_field_id: reference('Label', 'custom_field', ['owner', 'product']),
    value: text(null),
  },
  product_batch: {
    id: id(),
    product_id: owner('ArticleNumber', 'product'),
    description: text('Description'),
    expiry_date: optional(date('ExpiryDate')),
    /** The sum of the batch's stock mutations. */
    stock: decimal8('StockQty'),
  },
  stock_mutation: {
    id: id(),
    product_id: owner('ArticleNumber', 'product'),
    quantity: decimal8('Quantity'),
    cause: choice('Cause', ['import', 'update', 'invoice', 'batch']),
    comment: text('Comment'),
    /** Cost per unit, of stock that came in. */
    purchase_price: optional(decimal8('PurchasePrice')),
    sales_invoice_id: optional(reference('InvoiceNumber', 'sales_invoice')),
    batch_id: optional(reference('ProductBatch', 'product_batch')),
    created_on: seconds('CreatedOn'),
  },
  /** An applied write of a push: its key is never applied again. */
  applied_write: {
    administration_id: administration(),
    key: text(null),
    /** The returned product as JSON text. */
    answer: text(null),
    created_on: seconds(null),
  },
};
