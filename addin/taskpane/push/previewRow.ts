import { decimalText, FINE_SCALE, units } from '../../../shared/money.ts';
import { readDecimal } from '../../../shared/wire/decimal.ts';
import type { ProductColumn } from '../tables/productTable.ts';
import type { SendableRow } from './readProductRow.ts';

/** What a push would do to one field of a product. Numbers are decimal text; `before` is there where the sheet knows it. */
export type FieldChange = {
  field: ProductColumn;
  before?: string;
  /** Left out where something is added to a stock that the sheet does not know. */
  after?: string;
  /** What is added to the stock, for a relative change. */
  added?: string;
};

/** How many times a price may differ from the one known before it is asked about. */
const MAX_PRICE_FACTOR = 10;

/** Fields that say which product, or how and why a stock changes: nothing of the product by themselves. */
const notShown = new Set(['ArticleNumber', 'EAN', 'StockUpdateMode', 'NewStockMutationComment']);

/** What a row changes, field by field. */
export function changesOf({ update, mode, known }: SendableRow): FieldChange[] {
  return Object.entries(update).flatMap(([name, value]): FieldChange[] => {
    if (notShown.has(name)) return [];
    const field = name as ProductColumn;
    const after = String(value);
    const before = field === 'NewSalePrice' ? known.price : field === 'NewStockQty' ? known.stock : undefined;
    if (field === 'NewStockQty' && mode === 'Relative') {
      return [{ field, added: after, ...(before === undefined ? {} : { before, after: sumOf([before, after]) }) }];
    }
    return [{ field, after, ...(before === undefined ? {} : { before }) }];
  });
}

/** What rows come to: what is added to stocks altogether, and how many prices go up and down. */
export function totalsOf(rows: readonly SendableRow[]) {
  const changes = rows.flatMap(changesOf);
  const prices = (sign: number) =>
    changes.filter(
      ({ field, before, after }) =>
        field === 'NewSalePrice' && before !== undefined && Math.sign(Number(after) - Number(before)) === sign,
    ).length;
  return { added: sumOf(changes.flatMap(({ added }) => added ?? [])), raised: prices(1), lowered: prices(-1) };
}

/** Whether the price of a row is more than ten times, or less than a tenth of, the one known. */
export function isUnusualPrice({ update, known }: SendableRow): boolean {
  const [before, after] = [Number(known.price), Number(update.NewSalePrice)];
  return before > 0 && (after > before * MAX_PRICE_FACTOR || after < before / MAX_PRICE_FACTOR);
}

const sumOf = (texts: readonly string[]): string =>
  decimalText(
    texts.reduce((total, text) => total + units(readDecimal(text) ?? '0', FINE_SCALE), 0n),
    FINE_SCALE,
  );
