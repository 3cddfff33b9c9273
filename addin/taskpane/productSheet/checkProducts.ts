import { mapInTurns } from '../../../shared/client/mapInTurns.ts';
import type { PushClient } from '../../../shared/client/pushClient.ts';
import type { Push } from '../../../shared/resources/push.ts';
import { textOfCell } from '../../excel/cell.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import type { Messages } from '../locales/en.ts';
import { changedRows } from '../push/changedRows.ts';
import type { Selection } from '../push/preparePush.ts';
import { rowStatus } from '../push/rowStatus.ts';
import { addedQuantities, rememberedOf, type SentRow, type SheetPush } from '../push/sheetPush.ts';
import { correctStaleStatuses } from '../push/staleStatus.ts';
import type { PushContext } from '../push/writeResults.ts';
import type { StockMode } from '../sheetColumns/productTable.ts';
import { addedFinder } from './addedQuantities.ts';
import { cellIn, productNames } from './productKey.ts';
import { withCategory } from './productKind.ts';
import { duplicateRefuser, type ProductRow, productRowReader, type SendableRow } from './readProductRow.ts';
import { explainUnusual } from './unusualPrice.ts';

/**
 * The rows of a product sheet, checked. Statuses that are no longer true are corrected in the sheet.
 * @param previous the latest push of the sheet @param administration the present target of its rows
 * @throws WorkbookProblem
 */
export async function checkProducts(
  context: PushContext,
  defaultMode: StockMode,
  previous: SheetPush | undefined,
  administration: Administration,
): Promise<ProductRow[]> {
  const { handle, kind, messages, retry } = context;
  const table = await readTable(handle, retry);
  const readRow = productRowReader(defaultMode, messages, {
    applied: rememberedOf(previous, administration, kind),
    unconfirmed: previous?.unconfirmed ?? [],
    addedAt: addedFinder(addedQuantities(previous, kind), administration),
  });
  const { add, refused } = duplicateRefuser(messages);
  const read = await mapInTurns(table, (row) => {
    const result = readRow(row);
    add(result);
    return result;
  });
  const rows = await mapInTurns(read, refused);
  await correctStaleStatuses(
    context,
    await mapInTurns(table, ({ number, cells }, index) => {
      const row = rows[index]!;
      return {
        key: row.key,
        number,
        status: cellIn(cells, 'Status'),
        message: textOfCell(cellIn(cells, 'Message')),
        error: row.kind === 'bad' ? row.message : '',
        leftOut: leftOutStatus(row, messages),
        isEmpty: row.kind === 'blank' || row.kind === 'unchanged',
      };
    }),
  );
  return rows;
}

/** The status of a row that a push leaves out, if it needs one. */
export function leftOutStatus(row: ProductRow, messages: Messages): RowChange | undefined {
  const { held, repeated } = messages.rowMessage;
  if (row.kind === 'bad') return rowStatus(row, row.isUnconfirmed ? 'unknown' : 'notSent', row.message, messages);
  if (row.kind === 'repeated') return rowStatus(row, 'notSent', repeated, messages);
  if (row.kind === 'held') return rowStatus(row, 'unknown', held, messages);
  if (row.kind !== 'ready' || row.unusual.length === 0) return undefined;
  return rowStatus(row, 'notSent', messages.rowMessage.unusual(explainUnusual(row.unusual, messages)), messages);
}

/** @param makesCategories whether categories that do not exist yet are made */
function sentRow({ number, key, update, mode, quantity, newProduct }: SendableRow, makesCategories: boolean): SentRow {
  const clear = {
    ...(mode === 'Relative' ? { NewStockQty: quantity } : {}),
    ...(newProduct === undefined ? {} : { NewProduct: newProduct }),
  };
  return {
    row: number,
    key,
    endpoint: newProduct === undefined ? 'updateproduct' : 'addproduct',
    request: makesCategories && update.CategoryName ? withCategory(update) : update,
    ...(Object.keys(clear).length === 0 ? {} : { clear }),
  };
}

/**
 * The rows of a sheet to send, and the statuses of the others.
 * @param rows all rows of the checked sheet @param chosen those to send
 */
export function selectProducts(
  rows: readonly ProductRow[],
  chosen: readonly SendableRow[],
  messages: Messages,
  { makesCategories = false } = {},
): Selection {
  const isChosen = new Set<ProductRow>(chosen);
  return {
    chosen: chosen.map((row) => ({ sent: sentRow(row, makesCategories), otherwise: leftOutStatus(row, messages) })),
    leftOut: rows.filter((row) => !isChosen.has(row)).flatMap((row) => leftOutStatus(row, messages) ?? []),
  };
}

/**
 * The rows that add to the stock of products that pushes unknown to the workbook have changed. When it was closed
 * without saving, those may be the same rows.
 * @param pushes by the same credential, since the sheet was made
 */
export async function rowsAppliedElsewhere(
  rows: readonly SendableRow[],
  pushes: readonly Push[],
  client: PushClient,
  signal?: AbortSignal,
): Promise<SendableRow[]> {
  const adding = rows.filter(({ mode }) => mode === 'Relative');
  if (adding.length === 0) return [];
  const changed = new Set<string>();
  for (const { id, relative } of pushes) {
    if (!relative) continue;
    for (const { product } of await changedRows(client, id, '', signal)) {
      for (const name of productNames(product ?? {})) changed.add(name);
    }
  }
  if (changed.size === 0) return [];
  const areChanged = await mapInTurns(adding, ({ update }) => productNames(update).some((name) => changed.has(name)));
  return adding.filter((_, index) => areChanged[index]);
}
