import { administrations } from './administrations.ts';
import type { Columns } from './column.ts';
import { ledger } from './ledger.ts';
import { log } from './log.ts';
import { products } from './products.ts';
import { projects } from './projects.ts';
import { purchases } from './purchases.ts';
import { relations } from './relations.ts';
import { sales } from './sales.ts';
import { vat } from './vat.ts';

/** All tables. */
export const tables = {
  ...administrations,
  ...ledger,
  ...relations,
  ...products,
  ...projects,
  ...sales,
  ...purchases,
  ...vat,
  ...log,
} satisfies Record<string, Columns>;

export type TableName = keyof typeof tables;

/**
 * The public identifier of a row that is not owned, used in files: unique in its administration, or in it and the
 * `where` of the reference. Rows of other tables are referred to by their position in their file.
 */
export const nameColumns = {
  relation: 'guid',
  product: 'article_number',
  product_category: 'name',
  project: 'number',
  sales_invoice: 'number',
  sales_order: 'number',
  tax_code: 'code',
  fiscal_year: 'start_date',
  custom_field: 'label',
} as const satisfies Partial<Record<TableName, string>>;
