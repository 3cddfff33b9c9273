import * as column from './column.ts';

export const products = {
  product_category: {
    id: column.id(),
    administration_id: column.administration(),
    name: column.text('Name'),
    name_folded: column.foldedFrom('name'),
  },
  product: {
    id: column.id(),
    administration_id: column.administration(),
    article_number: column.text('ArticleNumber', { isIdentity: true }),
    number_folded: column.foldedFrom('article_number'),
    name: column.text('Name', { request: 'NewName' }),
    name_folded: column.foldedFrom('name'),
    ean: column.text('EAN', { isIdentity: true }),
    supplier_article_number: column.text('SupplierArticleNumber', { request: 'NewSupplierArticleNumber' }),
    description: column.text('Description', { request: 'NewDescription' }),
    unit: column.text('Unit', { request: 'NewUnit' }),
    category_id: column.optional(column.reference('Category', 'product_category')),
    /** The sum of the product's stock mutations, stored in the same transaction. */
    stock: column.decimal8('StockQty'),
    purchase_price: column.decimal8('PurchasePrice', { request: 'NewPurchasePrice' }),
    price: column.decimal8('Price', { request: 'NewSalePrice' }),
    minimal_stock: column.decimal8('MinimalStockQty'),
    units_per_package: column.decimal8('UnitsPerPackage'),
    sales_tax_code_id: column.optional(column.reference('TaxCode', 'tax_code', ['tax_type', 'Sales'])),
    purchase_tax_code_id: column.optional(column.reference('TaxCodePurchase', 'tax_code', ['tax_type', 'Purchase'])),
    archived: column.flag('Archived', { response: null, request: 'Archived' }),
    created_on: column.seconds('CreatedOn'),
    changed_on: column.seconds('ChangedOn'),
  },
  /** As the custom fields of relations. */
  product_custom_field: {
    product_id: column.owner('ArticleNumber', 'product'),
    custom_field_id: column.reference('Label', 'custom_field', ['owner', 'product']),
    value: column.text(null),
  },
  product_batch: {
    id: column.id(),
    product_id: column.owner('ArticleNumber', 'product'),
    description: column.text('Description'),
    expiry_date: column.optional(column.date('ExpiryDate')),
    /** The sum of the batch's stock mutations. */
    stock: column.decimal8('StockQty'),
  },
  stock_mutation: {
    id: column.id(),
    product_id: column.owner('ArticleNumber', 'product'),
    quantity: column.decimal8('Quantity'),
    cause: column.choice('Cause', ['import', 'update', 'invoice', 'batch']),
    comment: column.text('Comment'),
    /** Cost per unit, of stock that came in. */
    purchase_price: column.optional(column.decimal8('PurchasePrice')),
    sales_invoice_id: column.optional(column.reference('InvoiceNumber', 'sales_invoice')),
    batch_id: column.optional(column.reference('ProductBatch', 'product_batch')),
    created_on: column.seconds('CreatedOn'),
  },
  /** An applied write of a push: its key is never applied again. */
  applied_write: {
    administration_id: column.administration(),
    key: column.text(null),
    /** What is shown of its response, as JSON text. */
    answer: column.text(null),
    created_on: column.seconds(null),
  },
};
