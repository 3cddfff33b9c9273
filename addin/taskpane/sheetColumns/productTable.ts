import type { RequestOf } from '../../../shared/api.ts';
import { type Product, product, stockUpdateModes as stockModes } from '../../../shared/resources/product.ts';
import { type Cell, type ColumnKind, cellOf, type FieldValue } from '../../excel/cell.ts';
import type { Model } from '../../excel/tables/copiedTables.ts';
import type { TableSpec } from '../../excel/tables/table.ts';
import type { Administration, Source } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import type { Words } from '../locales/enWords.ts';
import { formatDecimal } from '../locales/language.ts';
import type { Language } from '../locales/words.ts';
import { type FieldIn, widthOf } from './columns.ts';
import { formatOf, type InputColumn, type InputKind, type InputSheet } from './requestColumns.ts';

export const PRODUCTS = 'products';

export type StockMode = (typeof stockModes)[number];
export type ProductColumn = keyof Messages['headings']['products'];

/** An initial row of a product sheet. */
export type StartRow = {
  values: Partial<Record<ProductColumn, FieldValue>>;
  /** The rows of this article number, where it has more than one. */
  twice: readonly number[];
};

type Update = RequestOf<'updateproduct'>;
type PresentColumn = ProductColumn & Exclude<FieldIn<Product>, keyof Update>;

/** A column that the pane fills in. */
type ShownColumn = { shown: ColumnKind; width: number };

/**
 * Each column by its heading. A field of the request is sent, and read by its kind; it may change a present value, which
 * is a field of the response and shown only. A heading that is neither does not compile, nor does a kind that does not
 * fit the field.
 */
export type ProductColumns<Columns extends string = ProductColumn> = {
  readonly [Name in Columns]: Name extends keyof Update
    ? InputColumn<Update[Name]> & { changes?: PresentColumn }
    : Name extends FieldIn<Product> | 'Status' | 'Message' | 'ReadOn'
      ? ShownColumn
      : Name extends 'NewProduct'
        ? { asks: 'yesNo'; width: number }
        : never;
};

/**
 * In the order of the sheet: the product, what changes most often beside its present value, the results, and then the
 * other fields.
 */
const columns = {
  ArticleNumber: { kind: 'text', width: 16 },
  EAN: { kind: 'text', width: 15 },
  Name: { shown: 'text', width: 26 },
  Price: { shown: 'price', width: 16 },
  NewSalePrice: { kind: 'price', width: 15, changes: 'Price', sign: 'notNegative', questioned: true },
  StockQty: { shown: 'decimal', width: 12 },
  NewStockQty: { kind: 'decimal', width: 15, changes: 'StockQty' },
  StockUpdateMode: { kind: 'choice', width: 15 },
  Status: { shown: 'text', width: 12 },
  Message: { shown: 'text', width: 48 },
  NewProduct: { asks: 'yesNo', width: 12 },
  NewName: { kind: 'text', width: 26, changes: 'Name' },
  CategoryName: { kind: 'text', width: 16 },
  Unit: { shown: 'text', width: 10 },
  NewUnit: { kind: 'text', width: 12, changes: 'Unit' },
  VATPercentage: { shown: 'decimal', width: 11 },
  NewVATPercentage: { kind: 'percentage', width: 12, changes: 'VATPercentage', sign: 'notNegative' },
  PurchasePrice: { shown: 'price', width: 19 },
  NewPurchasePrice: { kind: 'price', width: 19, changes: 'PurchasePrice', sign: 'notNegative', questioned: true },
  NewDescription: { kind: 'text', width: 30 },
  NewStockMutationComment: { kind: 'text', width: 24 },
  Archived: { kind: 'yesNo', width: 12 },
  ReadOn: { shown: 'moment', width: 17 },
  ChangedOn: { shown: 'moment', width: 17 },
} as const satisfies ProductColumns;

/** The columns of which `Part` is declared. */
type ColumnsWith<Part> = { [Name in ProductColumn]: (typeof columns)[Name] extends Part ? Name : never }[ProductColumn];
type UpdateColumn = ColumnsWith<{ kind: InputKind }>;
const declared = Object.entries(columns as ProductColumns) as [ProductColumn, ProductColumns[ProductColumn]][];

/** What is read of a row and sent. */
export const productInput: InputSheet = {
  endpoint: 'updateproduct',
  lines: undefined,
  columns: Object.fromEntries(declared.flatMap(([name, column]) => ('kind' in column ? [[name, column]] : []))),
};

/** The columns that identify the product; together they are the key of a row. */
export const productKeys = ['ArticleNumber', 'EAN'] as const satisfies readonly UpdateColumn[];

/** The columns with the present values of a product, named as the fields of its response. */
const presentColumns = declared.flatMap(([name, column]) =>
  'shown' in column && Object.hasOwn(product.shape, name) ? [name as PresentColumn] : [],
);

/** The columns of the present values that fields of an update change. */
export const presentColumnOf = Object.fromEntries(
  declared.flatMap(([name, column]) => ('changes' in column ? [[name, column.changes]] : [])),
) as Readonly<Record<ColumnsWith<{ changes: PresentColumn }>, PresentColumn>>;

/** The prices about which the pane asks. */
export type PriceField = ColumnsWith<{ questioned: true }>;
export const priceFields = declared.flatMap(([name, column]) => ('questioned' in column ? [name as PriceField] : []));

function formatIn(column: ProductColumn): ColumnKind {
  const one: ProductColumns[ProductColumn] = columns[column];
  if ('shown' in one) return one.shown;
  return formatOf['kind' in one ? one.kind : one.asks];
}

export const isNumberColumn = (column: ProductColumn): boolean => formatIn(column) !== 'text';
export const isPriceColumn = (column: ProductColumn): boolean => formatIn(column) === 'price';

/** A value of a column: a number as the language writes it, a price with its cents; any other text as it is. */
export const numberText = (column: ProductColumn, text: string, language: Language): string =>
  isNumberColumn(column) && /^-?\d+(\.\d+)?$/.test(text)
    ? formatDecimal(language, text, isPriceColumn(column) ? 2 : 0)
    : text;

/** The number of rows of a product sheet without article numbers. */
export const EMPTY_ROWS = 25;

/** A table to fill in, with the chosen stock mode on every row. */
export function productTable(messages: Messages, administration: Administration, mode: StockMode): TableSpec<StartRow> {
  const choices: Partial<Record<ProductColumn, readonly string[]>> = {
    StockUpdateMode: stockModes.map((mode) => messages.codes[mode]),
    NewProduct: [messages.yes, messages.no],
    Archived: [messages.yes, messages.no],
  };
  const valueIn = (key: ProductColumn, { values, twice }: StartRow): FieldValue => {
    if (key === 'Message' && twice.length > 0) return messages.rowMessage.twice(twice);
    return values[key] ?? (key === 'StockUpdateMode' ? messages.codes[mode] : '');
  };
  return {
    source: sourceOf(administration, mode),
    sheetName: messages.products.sheet,
    // The product of a row stays visible beside its result.
    frozen: 1,
    keys: productKeys,
    columns: declared.map(([key, column]) => {
      const words = choices[key];
      return {
        key,
        heading: messages.headings.products[key],
        kind: formatIn(key),
        width: Math.max(column.width, widthOf(key === 'Status' ? Object.values(messages.status) : (words ?? ['']))),
        value: (row) => valueIn(key, row),
        ...(words === undefined ? {} : { choices: words }),
        isFilledByPane: 'shown' in column,
      };
    }),
  };
}

const sourceOf = (administration: Administration, mode: StockMode): Source => ({
  view: PRODUCTS,
  administration,
  endpoint: 'updateproduct',
  query: { StockUpdateMode: mode },
});

/** By what a copied product sheet is recognised, in the language that it was made in. */
export const productModel = ({ headings }: Words, administration: Administration): Model => ({
  source: sourceOf(administration, 'Relative'),
  keys: productKeys,
  columns: declared.map(([key]) => ({ key, heading: headings.products[key] })),
});

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
      cellOf(formatIn(column as ProductColumn), value),
    ]),
  );
