import type { Messages } from '../../../locales/en.ts';
import type { Language } from '../../../locales/messages.ts';
import { numberText, type ProductColumn } from '../../../sheetColumns/productTable.ts';

/** A field of a pushed row in words. */
export type SentValue = { label: string; text: string };

/** Fields that say how another is applied: they have a default, and mean nothing without the other. */
const onlyWith: Partial<Record<string, string>> = {
  StockUpdateMode: 'NewStockQty',
  BatchStockUpdateMode: 'Product_Batch',
  BatchMatchMode: 'Product_Batch',
  CategoryCreateIfMissing: 'CategoryName',
};

/**
 * What a row sent, in words. The fields that a product sheet has are under their headings, any others under their names
 * in the interface.
 * @param request as it was pushed: decimals are texts
 */
export function sentValues(
  request: Readonly<Record<string, unknown>>,
  messages: Messages,
  language: Language,
): SentValue[] {
  const headings: Partial<Record<string, string>> = messages.headings.products;
  return Object.entries(request)
    .filter(([field]) => (onlyWith[field] ?? field) in request)
    .map(([field, value]) => ({ label: headings[field] ?? field, text: textOf(field, value, messages, language) }));
}

function textOf(field: string, value: unknown, messages: Messages, language: Language): string {
  if (typeof value === 'boolean') return value ? messages.yes : messages.no;
  if (field === 'StockUpdateMode') return messages.codes[value === 'Absolute' ? 'Absolute' : 'Relative'];
  if (typeof value !== 'string') return JSON.stringify(value);
  if (!(field in messages.headings.products)) return value;
  return numberText(field as ProductColumn, value, language);
}
