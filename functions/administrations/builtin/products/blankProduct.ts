import type { NewRow } from '../sql/schema.ts';

/** A product of which nothing is known but that it exists. */
export const blankProduct = (now: bigint) =>
  ({
    ean: '',
    name: '',
    supplier_article_number: '',
    category_id: null,
    description: '',
    purchase_price: 0n,
    price: 0n,
    sales_tax_code_id: null,
    purchase_tax_code_id: null,
    stock: 0n,
    minimal_stock: 0n,
    units_per_package: 0n,
    unit: '',
    archived: 0n,
    created_on: now,
    changed_on: now,
  }) satisfies Omit<NewRow<'product'>, 'administration_id' | 'article_number'>;
