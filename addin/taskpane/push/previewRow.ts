import { DECIMAL_SCALE, decimalText, sum, units } from '../../../shared/money.ts';
import { readDecimal } from '../../../shared/wire/decimal.ts';
import type { ProductColumn } from '../tables/productTable.ts';
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
};

/** The factor by which a price may differ from the known one before a confirmation is needed. */
const MAX_PRICE_FACTOR = 10n;

/** Fields that identify the product, or describe a stock change: they change no field of the product. */
const notShown = new Set(['ArticleNumber', 'EAN', 'StockUpdateMode', 'NewStockMutationComment']);

/** The changes of a row, field by field. */
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

/** The totals of rows: the quantities added to stocks, and the numbers of raised and lowered prices. */
export function totalsOf(rows: readonly SendableRow[]) {
  const changes = rows.flatMap(changesOf);
  const prices = (sign: bigint) =>
    changes.filter(
      ({ field, before, after }) =>
        field === 'NewSalePrice' && before !== undefined && sign * unitsOf(after) > sign * unitsOf(before),
    ).length;
  return { added: sumOf(changes.flatMap(({ added }) => added ?? [])), raised: prices(1n), lowered: prices(-1n) };
}

/** Whether the price of a row is more than ten times, or less than a tenth of, the one known. */
export function isUnusualPrice({ update, known }: SendableRow): boolean {
  if (update.NewSalePrice === undefined) return false;
  const [before, after] = [unitsOf(known.price), unitsOf(update.NewSalePrice)];
  return before > 0n && (after > before * MAX_PRICE_FACTOR || after * MAX_PRICE_FACTOR < before);
}

const unitsOf = (text: unknown): bigint => units(readDecimal(text) ?? '0', DECIMAL_SCALE);
const sumOf = (texts: readonly string[]): string => decimalText(sum(texts.map(unitsOf)), DECIMAL_SCALE);
