import type { RequestInput } from '../../../shared/client/client.ts';
import { groupBy } from '../../../shared/groupBy.ts';
import { Problem } from '../../../shared/problem.ts';
import { readRequest } from '../../../shared/readRequest.ts';
import { type Cell, isCellError, textOfCell } from '../../excel/cell.ts';
import type { CellNature } from '../../excel/cellNature.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { explainField } from '../explainFields.ts';
import type { Messages } from '../locales/en.ts';
import type { UnconfirmedWrite } from '../push/additions.ts';
import type { PushedRequest } from '../push/sheetPush.ts';
import { isUnknownStatus, readMode, yesOrNo } from '../push/translatedWords.ts';
import {
  isNumberColumn,
  type ProductColumn,
  presentColumnOf,
  productKeys,
  type StockMode,
} from '../sheetColumns/productTable.ts';
import { cellIn, type ProductCells, productNames, rowKey } from './productKey.ts';
import { unconfirmedFinder } from './unconfirmedWrites.ts';
import { priceDoubts, priceFields, type UnusualPrice } from './unusualPrice.ts';

/** A product update as the pane sends it; a new product has the same fields. */
export type ProductUpdateInput = RequestInput<'updateproduct'>;

/**
 * The result of reading a row of a product sheet. `number` is its row number in the sheet when it was read; `hidden`:
 * hidden by a filter or by hand.
 */
export type ProductRow = { number: number; key: string; hidden: boolean } & (
  | {
      /**
       * `held`: it would add a quantity that may have been added before, so the user decides first.
       * `repeated`: it would add a quantity that was added before, at `addedAt`; the user confirms another delivery.
       * `applied`: an earlier push applied these very values.
       */
      kind: 'ready' | 'held' | 'repeated' | 'applied';
      addedAt?: string;
      update: ProductUpdateInput;
      mode: StockMode | null;
      quantity: Cell;
      /** Its cell that says that it is a new product; left out for a change of an existing one. */
      newProduct?: Cell;
      /** The present values of the product in the sheet; numbers as decimal text. */
      known: KnownValues;
      /** When these were read, as the serial number of its cell. */
      readOn?: number;
      /** Its prices that are held back until the user allows them. */
      unusual: readonly UnusualPrice[];
    }
  /** It has errors; `message` has them by field. `isUnconfirmed`: it will be held even after correction. */
  | { kind: 'bad'; message: string; isUnconfirmed: boolean }
  /** It names a product but changes nothing. */
  | { kind: 'unchanged' }
  | { kind: 'blank' }
);

/** The present values of a product, by the fields that change them. */
export type KnownValues = Partial<Record<keyof typeof presentColumnOf, string>>;

/** The stored history of a sheet's pushes. */
type Remembered = {
  /** The values that were last applied for each key. */
  applied?: ReadonlyMap<string, PushedRequest>;
  /** Quantities that may have been added. */
  unconfirmed?: readonly UnconfirmedWrite[];
  /** When a quantity was last added to the product of a row. */
  addedAt?: (cells: ProductCells, quantity: Cell) => string | undefined;
};

/** A row that can be sent. */
export type SendableRow = Extract<ProductRow, { update: ProductUpdateInput }>;
export const isSendable = (row: ProductRow): row is SendableRow => 'update' in row;

const textFields = [
  'ArticleNumber',
  'EAN',
  'NewName',
  'CategoryName',
  'NewStockMutationComment',
  'NewUnit',
  'NewDescription',
] as const;
const numberFields = ['NewSalePrice', 'NewPurchasePrice', 'NewStockQty', 'NewVATPercentage'] as const;
const updateFields = [...textFields, ...numberFields, 'Archived'] as const;

/** Fields that cannot be negative. */
const notNegative: ReadonlySet<string> = new Set([...priceFields, 'NewVATPercentage']);

/**
 * Reads the rows of a product sheet by the rules of the interface; two rows for one product are both refused.
 * @param defaultMode for rows with a stock quantity and without a mode
 */
export function readProductRows(
  rows: readonly TableRow[],
  defaultMode: StockMode,
  messages: Messages,
  { applied = new Map(), unconfirmed = [], addedAt = () => undefined }: Remembered = {},
): ProductRow[] {
  const unconfirmedIn = unconfirmedFinder(unconfirmed);
  const isUnconfirmed = (cells: ProductCells) =>
    isUnknownStatus(cellIn(cells, 'Status')) || unconfirmedIn(cells).length > 0;
  const read = rows.map((row) =>
    readProductRow(row, defaultMode, messages, applied, isUnconfirmed(row.cells), addedAt),
  );
  const duplicates = findDuplicates(read);
  return read.map((row): ProductRow => {
    const numbers = duplicates.get(row);
    if (numbers === undefined) return row;
    const message = messages.rowMessage.twice([...numbers].sort((a, b) => a - b));
    const { number, key, hidden } = row;
    return { number, key, hidden, kind: 'bad', message, isUnconfirmed: row.kind === 'held' };
  });
}

function readProductRow(
  { number, cells, hidden, natures, addressOf }: TableRow,
  defaultMode: StockMode,
  messages: Messages,
  applied: ReadonlyMap<string, PushedRequest>,
  isUnconfirmed: boolean,
  addedAt: NonNullable<Remembered['addedAt']>,
): ProductRow {
  const cellOf = (column: ProductColumn): Cell => cellIn(cells, column);
  const place = { number, key: rowKey(cells), hidden };
  const filled = updateFields.filter((column) => textOfCell(cellOf(column)) !== '');
  const changes = filled.filter((column) => !(productKeys as readonly string[]).includes(column));
  const named = changes.length < filled.length;
  const newWord = cellOf('NewProduct');
  const isNew = textOfCell(newWord) === '' ? false : yesOrNo(newWord);
  if (isNew === false && changes.every((column) => column === 'NewStockMutationComment')) {
    return { ...place, kind: named ? 'unchanged' : 'blank' };
  }

  const issues: [ProductColumn, string][] = [];
  if (isNew === undefined) issues.push(['NewProduct', messages.cell.yesOrNo(textOfCell(newWord))]);
  const update: Record<string, unknown> = {};
  for (const column of filled) {
    const result = readCell(column, cellOf(column), natures.get(column), addressOf(column), messages);
    if ('error' in result) issues.push([column, result.error]);
    else update[column] = result.value;
  }

  const quantity = cellOf('NewStockQty');
  let mode: StockMode | null = null;
  if (textOfCell(quantity) !== '') {
    const word = cellOf('StockUpdateMode');
    mode = textOfCell(word) === '' ? defaultMode : (readMode(word) ?? null);
    if (mode === null) issues.push(['StockUpdateMode', messages.cell.mode(textOfCell(word))]);
    else update.StockUpdateMode = mode;
  }

  if (!named) return { ...place, kind: 'bad', message: messages.cell.noProduct, isUnconfirmed };
  for (const [column, text] of contractIssues(isNew ? 'addproduct' : 'updateproduct', update, issues, messages))
    issues.push([column, text]);
  if (issues.length > 0) {
    const order = Object.keys(messages.headings.products);
    issues.sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
    const message = issues.map(([column, text]) => messages.cell.field(messages.headings.products[column], text));
    return { ...place, kind: 'bad', message: message.join('; '), isUnconfirmed };
  }
  const known = knownOf(cells);
  const unusual = priceFields.flatMap((field) => {
    const value = update[field] as string | undefined;
    const doubts = value === undefined ? [] : priceDoubts(value, natures.get(field), known[field]);
    return doubts.length === 0 ? [] : [{ field, value: value!, present: known[field], doubts }];
  });
  const readOn = cellOf('ReadOn');
  const read = {
    ...place,
    update: update as ProductUpdateInput,
    mode,
    quantity,
    ...(isNew ? { newProduct: newWord } : {}),
    known,
    ...(typeof readOn === 'number' ? { readOn } : {}),
    unusual,
  };
  if (mode === 'Relative' && isUnconfirmed) return { ...read, kind: 'held' };
  const before = mode === 'Relative' ? addedAt(cells, quantity) : undefined;
  if (before !== undefined) return { ...read, kind: 'repeated', addedAt: before };
  // A cleared status means that the user wants the row sent again.
  const isAsApplied = JSON.stringify(applied.get(place.key)) === JSON.stringify(update);
  return { ...read, kind: isAsApplied && cells.get('Status') !== '' ? 'applied' : 'ready' };
}

/** The present values of the product in its row; a text where a number belongs is none. */
const knownOf = (cells: ProductCells): KnownValues =>
  Object.fromEntries(
    Object.entries(presentColumnOf).flatMap(([field, column]) => {
      const cell = cellIn(cells, column);
      const isKnown = isNumberColumn(column) ? typeof cell === 'number' : cell !== '';
      return isKnown ? [[field, textOfCell(cell)]] : [];
    }),
  );

type Result = { value: unknown } | { error: string };

/** The value of a filled cell to send, or why it is refused. */
function readCell(
  column: (typeof updateFields)[number],
  cell: Cell,
  nature: CellNature | undefined,
  address: string,
  messages: Messages,
): Result {
  if (isCellError(cell)) return { error: messages.cell.error(address, String(cell)) };
  if (column === 'Archived') return readYesOrNo(cell, messages);
  if (!(numberFields as readonly string[]).includes(column)) return readText(cell, messages);
  const refusals: Partial<Record<CellNature, (address: string) => string>> = messages.cell.natures;
  // A price that is a date or the like is held back, and sent when the user allows it.
  const isHeldBack = (priceFields as readonly string[]).includes(column) && nature !== 'boolean';
  const refusal = isHeldBack ? undefined : nature && refusals[nature];
  return refusal === undefined ? readNumber(cell, messages, notNegative.has(column)) : { error: refusal(address) };
}

/** A number with more than 15 digits has lost the others already. */
const readText = (cell: Cell, messages: Messages): Result =>
  typeof cell === 'number' && Math.abs(cell) >= 1e15
    ? { error: messages.cell.lostDigits }
    : { value: textOfCell(cell) };

/**
 * A number as the decimal text to send. A text is taken when it is plain digits with a comma or a point before the
 * decimals; one that could have a thousands separator (1.250) is refused, since a wrong price is worse.
 */
function readNumber(cell: Cell, messages: Messages, isNotNegative: boolean): Result {
  const text = textOfCell(cell);
  if (typeof cell === 'boolean') return { error: messages.cell.number(text) };
  if (isNotNegative && /^-.*[1-9]/.test(text)) return { error: messages.cell.negativePrice };
  if (typeof cell === 'number') return { value: text };
  if (/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return { error: messages.cell.ambiguous(text) };
  return { value: text.replace(/^([+-]?\d+),(\d+)$/, '$1.$2') };
}

function readYesOrNo(cell: Cell, messages: Messages): Result {
  const value = yesOrNo(cell);
  return value === undefined ? { error: messages.cell.yesOrNo(textOfCell(cell)) } : { value };
}

/** The errors of a request by the rules of the interface, for columns without an error yet. */
function contractIssues(
  endpoint: 'addproduct' | 'updateproduct',
  update: object,
  found: readonly [ProductColumn, string][],
  messages: Messages,
): [ProductColumn, string][] {
  try {
    readRequest(endpoint, update);
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const known = new Set(found.map(([column]) => column));
    return error.errors
      .filter(({ path }) => path in messages.headings.products && !known.has(path as ProductColumn))
      .map((one) => [one.path as ProductColumn, explainField(one, messages)]);
  }
}

/** Rows that name the same product, by article number or by EAN -> the numbers of all of them. */
function findDuplicates(rows: readonly ProductRow[]): Map<ProductRow, Set<number>> {
  const named = rows.filter(isSendable).flatMap((row) => productNames(row.update).map((name) => ({ name, row })));
  const duplicates = new Map<ProductRow, Set<number>>();
  for (const group of groupBy(named, ({ name }) => name).values()) {
    if (group.length < 2) continue;
    const numbers = group.map(({ row }) => row.number);
    for (const { row } of group) duplicates.set(row, new Set([...(duplicates.get(row) ?? []), ...numbers]));
  }
  return duplicates;
}
