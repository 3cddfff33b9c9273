import type { Product } from '../../../shared/resources/product.ts';
import { type Cell, type ColumnKind, cellOf, type FieldValue } from '../../excel/cell.ts';
import type { TableSpec } from '../../excel/tables/table.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { formatDecimal } from '../locales/language.ts';
import type { Language } from '../locales/messages.ts';

export const PRODUCTS = 'products';

export type StockMode = 'Relative' | 'Absolute';
export type ProductColumn = keyof Messages['headings']['products'];

/** An initial row of a product sheet. */
export type StartRow = {
  values: Partial<Record<ProductColumn, FieldValue>>;
  /** The rows of this article number, where it has more than one. */
  twice: readonly number[];
};

/**
 * In the order of the sheet: the product, what changes most often beside its present value, the results, and then the
 * other fields.
 */
const kinds: Record<ProductColumn, [kind: ColumnKind, width: number]> = {
  ArticleNumber: ['text', 16],
  EAN: ['text', 15],
  Name: ['text', 26],
  Price: ['price', 16],
  NewSalePrice: ['price', 15],
  StockQty: ['decimal', 12],
  NewStockQty: ['decimal', 15],
  StockUpdateMode: ['text', 15],
  Status: ['text', 15],
  Message: ['text', 48],
  NewProduct: ['text', 12],
  NewName: ['text', 26],
  CategoryName: ['text', 16],
  Unit: ['text', 10],
  NewUnit: ['text', 12],
  VATPercentage: ['decimal', 11],
  NewVATPercentage: ['decimal', 12],
  PurchasePrice: ['price', 19],
  NewPurchasePrice: ['price', 19],
  NewDescription: ['text', 30],
  NewStockMutationComment: ['text', 24],
  Archived: ['text', 12],
  ReadOn: ['moment', 17],
  ChangedOn: ['moment', 17],
};

/** The columns that identify the product; together they are the key of a row. */
export const productKeys = ['ArticleNumber', 'EAN'] as const satisfies readonly ProductColumn[];

/** The columns with the present values of a product, named as the fields of its response. */
const presentColumns = [
  'Name',
  'Price',
  'StockQty',
  'Unit',
  'VATPercentage',
  'PurchasePrice',
  'ChangedOn',
] as const satisfies readonly (ProductColumn & keyof Product)[];

/** The columns the pane fills in. */
const filledByPane: readonly ProductColumn[] = ['Status', 'Message', ...presentColumns, 'ReadOn'];

/** The columns of the present values that fields of an update change. */
export const presentColumnOf = {
  NewName: 'Name',
  NewSalePrice: 'Price',
  NewStockQty: 'StockQty',
  NewUnit: 'Unit',
  NewVATPercentage: 'VATPercentage',
  NewPurchasePrice: 'PurchasePrice',
} as const satisfies Partial<Record<ProductColumn, (typeof presentColumns)[number]>>;

export const isNumberColumn = (column: ProductColumn): boolean => kinds[column][0] !== 'text';
export const isPriceColumn = (column: ProductColumn): boolean => kinds[column][0] === 'price';

/** A value of a column: a number as the language writes it, a price with its cents; any other text as it is. */
export const numberText = (column: ProductColumn, text: string, language: Language): string =>
  isNumberColumn(column) && /^-?\d+(\.\d+)?$/.test(text)
    ? formatDecimal(language, text, isPriceColumn(column) ? 2 : 0)
    : text;

/** The number of rows of a product sheet without article numbers. */
export const EMPTY_ROWS = 25;

export const modeWord = (messages: Messages, mode: StockMode): string =>
  mode === 'Relative' ? messages.products.relative : messages.products.absolute;

/** A table to fill in, with the chosen stock mode on every row. */
export function productTable(messages: Messages, administration: Administration, mode: StockMode): TableSpec<StartRow> {
  const choices: Partial<Record<ProductColumn, readonly string[]>> = {
    StockUpdateMode: [messages.products.relative, messages.products.absolute],
    NewProduct: [messages.yes, messages.no],
    Archived: [messages.yes, messages.no],
  };
  const valueIn = (key: ProductColumn, { values, twice }: StartRow): FieldValue => {
    if (key === 'Message' && twice.length > 0) return messages.rowMessage.twice(twice);
    return values[key] ?? (key === 'StockUpdateMode' ? modeWord(messages, mode) : '');
  };
  return {
    source: { view: PRODUCTS, administration, endpoint: 'updateproduct', query: { StockUpdateMode: mode } },
    sheetName: messages.products.sheet,
    // The product of a row stays visible beside its result.
    frozen: 1,
    keys: productKeys,
    columns: (Object.keys(kinds) as ProductColumn[]).map((key) => {
      const [kind, width] = kinds[key];
      const words = choices[key];
      return {
        key,
        heading: messages.headings.products[key],
        kind,
        width,
        value: (row) => valueIn(key, row),
        ...(words === undefined ? {} : { choices: words }),
        isFilledByPane: filledByPane.includes(key),
      };
    }),
  };
}

/** The present values of a product in its row. @param readOn UNIX seconds */
export const presentValues = (product: Product, readOn: string | null): Partial<Record<ProductColumn, FieldValue>> => ({
  ...Object.fromEntries(presentColumns.map((column) => [column, product[column]])),
  ReadOn: readOn,
});

/** The cells of the present values of a product in its row. @param readOn UNIX seconds */
export const presentCells = (product: Product, readOn: string | null): Partial<Record<ProductColumn, Cell>> =>
  Object.fromEntries(
    Object.entries(presentValues(product, readOn)).map(([column, value]) => [
      column,
      cellOf(kinds[column as ProductColumn][0], value),
    ]),
  );
