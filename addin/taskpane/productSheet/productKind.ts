import type { RequestInput } from '../../../shared/client/client.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { languages, wordsIn } from '../locales/words.ts';
import type { UnconfirmedWrite } from '../push/additions.ts';
import { refusalText, rowStatus } from '../push/rowStatus.ts';
import type { SheetKind } from '../push/sheetKind.ts';
import { isOf, type PushedRequest, type SentRow, type SheetPush } from '../push/sheetPush.ts';
import { storeProgress, storeSheetPush } from '../push/storedPush.ts';
import { type PushContext, writeRowChanges } from '../push/writeResults.ts';
import { presentCells } from '../sheetColumns/productTable.ts';
import { cellIn, productNames, rowKey } from './productKey.ts';
import { unconfirmedFinder, unconfirmedLeft } from './unconfirmedWrites.ts';

const namesOf = ({ request }: SentRow): string[] => productNames(request);
/** A quantity is cleared only where it was added. */
const quantityOf = ({ clear }: SentRow): Cell | undefined => clear?.NewStockQty;

/** A sheet with changes of products, and new ones. */
export const productKind: SheetKind = {
  names: namesOf,
  quantity: quantityOf,
  applied(sent, { product }, { rowMessage }) {
    const quantity = quantityOf(sent);
    const isNew = sent.endpoint === 'addproduct';
    return {
      message: isNew
        ? rowMessage.made
        : quantity === undefined
          ? rowMessage.applied
          : rowMessage.appliedCleared(textOfCell(quantity)),
      // The response is of the moment of the change, however late it is read.
      cells: product === undefined ? {} : presentCells(product, product.ChangedOn),
      // The next push of a new product changes what is there now.
      ...(sent.clear === undefined ? {} : { clear: sent.clear }),
    };
  },
  unknown: (sent, _, { rowMessage }) =>
    quantityOf(sent) === undefined ? rowMessage.unknown : rowMessage.unknownRelative,
  texts: ({ rowMessage: { applied, unknown, held } }) => ({ applied, unknown, held }),
  remember(memory, sent, state) {
    if (state === 'applied') memory.set(sent.key, withoutAddition(sent));
    // The present state is unknown.
    else if (state === 'unknown') memory.delete(sent.key);
  },
  repeated: [],
  messagesOfOthers: languages.map((language) => {
    const [start = '', end = ''] = wordsIn[language].rowMessage.twice([0]).split('0');
    return [start, end] as const;
  }),
  settle: settleAdditions,
  readStored(stored) {
    const { row, key, update, clear, newProduct, makesCategory } = stored as EarlierRow;
    const cleared = {
      ...(clear === undefined ? {} : { NewStockQty: clear }),
      ...(newProduct === undefined ? {} : { NewProduct: newProduct }),
    };
    return {
      row,
      key,
      endpoint: newProduct === undefined ? 'updateproduct' : 'addproduct',
      request: makesCategory ? withCategory(update) : update,
      ...(Object.keys(cleared).length === 0 ? {} : { clear: cleared }),
    };
  },
};

/** A sent row of the version that knew products only. */
type EarlierRow = {
  row: number;
  key: string;
  update: PushedRequest;
  clear?: Cell;
  newProduct?: Cell;
  makesCategory?: boolean;
};

/** A request that makes its category if there is none. */
export const withCategory = (request: PushedRequest): PushedRequest => ({ ...request, CategoryCreateIfMissing: true });

/** The values of a row that it has again when it is read again: its added quantity was cleared. */
function withoutAddition(sent: SentRow): PushedRequest {
  const { CategoryCreateIfMissing, ...request } = sent.request as RequestInput<'updateproduct'>;
  if (quantityOf(sent) === undefined) return request;
  const { NewStockQty, StockUpdateMode, ...rest } = request;
  return rest;
}

/**
 * Updates the sheet for confirmed writes: an added quantity is cleared in its row, wherever that is by now.
 * Decisions of the user about them are removed too.
 */
async function settleAdditions(
  context: PushContext,
  push: SheetPush,
  outcomeOf: (push: string, row: number) => PushRow | undefined,
): Promise<SheetPush> {
  if (push.unconfirmed.length === 0) return push;
  const { handle, messages, retry } = context;
  const refusals = new Map<UnconfirmedWrite, PushRow>();
  const known = push.unconfirmed.map((write): UnconfirmedWrite => {
    const outcome = write.state === 'unknown' && !isOf(push, write) ? outcomeOf(write.push, write.row) : undefined;
    if (outcome?.state === 'refused') refusals.set(write, outcome);
    return outcome?.state === 'applied' ? { ...write, state: 'applied' } : write;
  });
  const rows = await readTable(handle, retry);
  const unconfirmed = unconfirmedLeft(known, rows);
  const unconfirmedIn = unconfirmedFinder(unconfirmed);
  const settled = rows.flatMap(({ number, cells }): { writes: UnconfirmedWrite[]; change: RowChange }[] => {
    const writes = unconfirmedIn(cells);
    const place = { number, key: rowKey(cells) };
    if (writes.some(({ state }) => state === 'applied')) {
      const quantity = cellIn(cells, 'NewStockQty');
      const message = messages.rowMessage.appliedCleared(textOfCell(quantity));
      const status = rowStatus(place, 'applied', message, messages);
      return [{ writes, change: { ...status, clear: { NewStockQty: quantity } } }];
    }
    const refusal = refusals.get(writes[0]!);
    if (refusal === undefined || !writes.every((write) => refusals.has(write))) return [];
    return [{ writes, change: rowStatus(place, 'refused', refusalText(refusal, messages), messages) }];
  });
  const changes = settled.map(({ change }) => change);
  const missing = new Set(await writeRowChanges(context, changes));
  const written = settled.filter(({ change }) => !missing.has(change.key));
  const ended = new Set([...refusals.keys(), ...written.flatMap(({ writes }) => writes)]);
  const endedRows = new Set([...ended].filter((write) => isOf(push, write)).map(({ row }) => row));
  const foundKeys = new Set(push.rows.filter(({ row }) => endedRows.has(row)).map(({ key }) => key.trim()));
  // A quantity that an earlier push added is remembered like all others.
  const { confirmedAt: at, administration } = push;
  const added = written
    .filter(({ change }) => change.clear !== undefined)
    .flatMap(({ writes }) => writes.filter((write) => write.state === 'applied' && !isOf(push, write)))
    .map(({ names, quantity }) => ({ names, quantity: textOfCell(quantity), at, administration }));
  const after: SheetPush = {
    ...push,
    added: [...push.added, ...added],
    unconfirmed: unconfirmed.filter((write) => !ended.has(write)),
    missing: push.missing.filter((key) => !foundKeys.has(key)),
  };
  return (added.length > 0 ? storeSheetPush : storeProgress)(handle, after, retry);
}
