import type { RequestInput } from '../../../shared/client/client.ts';
import { found } from '../../../shared/fieldErrors.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import { explainField } from '../explainFields.ts';
import type { Messages } from '../locales/en.ts';
import type { UnconfirmedWrite } from '../push/additions.ts';
import { inOrder, type PushedRequest } from '../push/sheetPush.ts';
import { isUnknownStatus, yesOrNo } from '../push/translatedWords.ts';
import {
  isNumberColumn,
  type ProductColumn,
  presentColumnOf,
  priceFields,
  productInput,
  productKeys,
  type StockMode,
} from '../sheetColumns/productTable.ts';
import { aboutCell, readAsService, readFilled, shownText } from '../sheetColumns/readInput.ts';
import { cellIn, type ProductCells, productNames, rowKey } from './productKey.ts';
import { unconfirmedFinder } from './unconfirmedWrites.ts';
import { priceDoubts, type UnusualPrice } from './unusualPrice.ts';

/** A product update as the pane sends it; a new product has the same fields. */
type ProductUpdateInput = RequestInput<'updateproduct'>;

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
type KnownValues = Partial<Record<keyof typeof presentColumnOf, string>>;

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
export const isSendable = (row: ProductRow): row is SendableRow =>
  row.kind !== 'bad' && row.kind !== 'unchanged' && row.kind !== 'blank';

/** What changes nothing by itself. */
const accompanying: readonly string[] = ['NewStockMutationComment', 'StockUpdateMode'];

/**
 * Reads a row of a product sheet by the rules of the interface.
 * @param defaultMode for rows with a stock quantity and without a mode
 */
export function productRowReader(
  defaultMode: StockMode,
  messages: Messages,
  { applied = new Map(), unconfirmed = [], addedAt = () => undefined }: Remembered = {},
): (row: TableRow) => ProductRow {
  const unconfirmedIn = unconfirmedFinder(unconfirmed);
  const isUnconfirmed = (cells: ProductCells) =>
    isUnknownStatus(cellIn(cells, 'Status')) || unconfirmedIn(cells).length > 0;
  return (row) => readProductRow(row, defaultMode, messages, applied, isUnconfirmed(row.cells), addedAt);
}

/** Refuses two rows for one product, both of them. `add` takes every row before `refused` returns any of them. */
export function duplicateRefuser(messages: Messages) {
  const firsts = new Map<string, ProductRow>();
  /** Rows that name the same product, by article number or by EAN. */
  const groups = new Map<string, ProductRow[]>();
  let duplicates: Map<ProductRow, Set<number>> | undefined;
  return {
    add(row: ProductRow): void {
      for (const name of isSendable(row) ? productNames(row.update) : []) {
        const first = firsts.get(name);
        if (first === undefined) firsts.set(name, row);
        else if (!groups.get(name)?.push(row)) groups.set(name, [first, row]);
      }
    },
    refused(row: ProductRow): ProductRow {
      duplicates ??= numbersOf(groups.values());
      const numbers = duplicates.get(row);
      if (numbers === undefined) return row;
      const message = messages.rowMessage.twice([...numbers].sort((a, b) => a - b));
      const { number, key, hidden } = row;
      return { number, key, hidden, kind: 'bad', message, isUnconfirmed: row.kind === 'held' };
    },
  };
}

/** The numbers of all rows that are in a group with a row. */
function numbersOf(groups: Iterable<readonly ProductRow[]>): Map<ProductRow, Set<number>> {
  const duplicates = new Map<ProductRow, Set<number>>();
  for (const group of groups) {
    const numbers = group.map(({ number }) => number);
    for (const row of group) duplicates.set(row, new Set([...(duplicates.get(row) ?? []), ...numbers]));
  }
  return duplicates;
}

function readProductRow(
  row: TableRow,
  defaultMode: StockMode,
  messages: Messages,
  applied: ReadonlyMap<string, PushedRequest>,
  isUnconfirmed: boolean,
  addedAt: NonNullable<Remembered['addedAt']>,
): ProductRow {
  const { number, cells, hidden, natures, addressOf } = row;
  const place = { number, key: rowKey(cells), hidden };
  const filled = readFilled(row, productInput, messages);
  const changes = [...filled.keys()].filter((column) => !(productKeys as readonly string[]).includes(column));
  const newWord = cellIn(cells, 'NewProduct');
  const isNew = textOfCell(newWord) === '' ? false : yesOrNo(newWord);
  const isNamed = productKeys.some((column) => filled.has(column));
  if (isNew === false && changes.every((column) => accompanying.includes(column))) {
    return { ...place, kind: isNamed ? 'unchanged' : 'blank' };
  }
  if (!isNamed) return { ...place, kind: 'bad', message: messages.cell.noProduct, isUnconfirmed };

  const issues = new Map<ProductColumn, string>();
  if (isNew === undefined) issues.set('NewProduct', messages.cell.yesOrNo(shownText(newWord)));
  // A mode belongs to a quantity, and is that of the pane where the row has none.
  const quantity = cellIn(cells, 'NewStockQty');
  if (!filled.has('NewStockQty')) filled.delete('StockUpdateMode');
  else if (!filled.has('StockUpdateMode')) filled.set('StockUpdateMode', found(defaultMode));
  const update: Record<string, unknown> = {};
  for (const [column, read] of filled) {
    if (read.kind === 'refused') issues.set(column as ProductColumn, read.reason);
    else update[column] = read.value;
  }
  const mode = (update.StockUpdateMode as StockMode | undefined) ?? null;

  const answered = readAsService(isNew ? 'addproduct' : 'updateproduct', update);
  for (const error of answered.kind === 'refused' ? answered.reason : []) {
    const column = error.path as ProductColumn;
    if (column in messages.headings.products && !issues.has(column)) issues.set(column, explainField(error, messages));
  }
  if (issues.size > 0) {
    const headings = Object.entries(messages.headings.products) as [ProductColumn, string][];
    const message = headings.flatMap(([column, heading]) => {
      const text = issues.get(column);
      return text === undefined ? [] : [aboutCell(heading, addressOf(column), text, messages)];
    });
    return { ...place, kind: 'bad', message: message.join('; '), isUnconfirmed };
  }
  const known = knownOf(cells);
  const unusual = priceFields.flatMap((field) => {
    const value = update[field] as string | undefined;
    const doubts = value === undefined ? [] : priceDoubts(value, natures.get(field), known[field]);
    return doubts.length === 0 ? [] : [{ field, value: value!, present: known[field], doubts }];
  });
  const readOn = cellIn(cells, 'ReadOn');
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
  const isAsApplied = JSON.stringify(inOrder(applied.get(place.key))) === JSON.stringify(inOrder(update));
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
