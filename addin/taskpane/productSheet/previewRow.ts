import { DECIMAL_SCALE, decimalText, sum, units } from '../../../shared/money.ts';
import { readDecimal } from '../../../shared/wire/decimal.ts';
import type { ProductColumn } from '../sheetColumns/productTable.ts';
import type { SendableRow } from './readProductRow.ts';

/**
 * The change of one field of a product by a push. Numbers are decimal text; `before` is present if the sheet has it.
 */
export type FieldChange = {
  field: ProductColumn;
  before?: string;
  /** Left out where something is added to a stock that the sheet does not know. */
  after?: string;
  /** The quantity added to the stock, for a relative change. */
  added?: string;
  /** It is a value of a new product. */
  isNew?: true;
  /** What is added to the present number, in a changed price or a set stock: negative when it is lowered. */
  difference?: string;
};

/** Fields that identify the product, or describe a stock change: they change no field of the product. */
const notShown = new Set(['ArticleNumber', 'EAN', 'StockUpdateMode', 'NewStockMutationComment']);

/** The changes of a row, field by field; of a new product all that it will have. */
export function changesOf({ update, mode, known, newProduct }: SendableRow): FieldChange[] {
  const isNew = newProduct !== undefined;
  return Object.entries(update).flatMap(([name, value]): FieldChange[] => {
    if (notShown.has(name) && !(isNew && name === 'EAN')) return [];
    const field = name as ProductColumn;
    const after = String(value);
    if (isNew) return [{ field, after, isNew }];
    const before = known[name as keyof typeof known];
    if (field === 'NewStockQty' && mode === 'Relative') {
      return [{ field, added: after, ...(before === undefined ? {} : { before, after: sumOf([before, after]) }) }];
    }
    if (before === undefined) return [{ field, after }];
    const isNumber = (numbers as readonly string[]).includes(field);
    return [{ field, before, after, ...(isNumber ? { difference: minus(after, before) } : {}) }];
  });
}

/** The totals of rows: the quantities added to stocks, and the numbers of raised and lowered prices. */
export function totalsOf(rows: readonly SendableRow[]) {
  let [added, raised, lowered] = [0n, 0, 0];
  for (const { update, mode, known, newProduct } of rows) {
    if (newProduct !== undefined) continue;
    const { NewStockQty: quantity, NewSalePrice: price } = update;
    if (quantity !== undefined && mode === 'Relative') added += unitsOf(String(quantity));
    if (price === undefined || known.NewSalePrice === undefined) continue;
    const [before, after] = [unitsOf(known.NewSalePrice), unitsOf(String(price))];
    if (after > before) raised += 1;
    if (after < before) lowered += 1;
  }
  return { added: decimalText(added, DECIMAL_SCALE), raised, lowered };
}

/** The fields whose difference is shown. */
const numbers = ['NewSalePrice', 'NewPurchasePrice', 'NewStockQty'] as const satisfies readonly ProductColumn[];

const minus = (one: string, other: string): string => decimalText(unitsOf(one) - unitsOf(other), DECIMAL_SCALE);
const unitsOf = (text: unknown): bigint => units(readDecimal(text) ?? '0', DECIMAL_SCALE);
const sumOf = (texts: readonly string[]): string => decimalText(sum(texts.map(unitsOf)), DECIMAL_SCALE);
