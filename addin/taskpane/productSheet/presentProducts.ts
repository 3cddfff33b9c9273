import { Unreachable } from '../../../shared/client/client.ts';
import { mapInTurns, nextTurn } from '../../../shared/client/mapInTurns.ts';
import type { ProductClient } from '../../../shared/client/productClient.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Product } from '../../../shared/resources/product.ts';
import type { Retry } from '../../excel/batch.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { writeCells } from '../../excel/tables/writeCells.ts';
import { presentCells, productKeys } from '../sheetColumns/productTable.ts';
import type { SendableRow } from './readProductRow.ts';

/** What names a product in a row. */
type Named = { ArticleNumber?: unknown; EAN?: unknown };

/** Products as they are now. */
export type PresentProducts = {
  /** UNIX seconds. */
  readOn: string | null;
  find: (named: Named) => Product | undefined;
};

/** Reads the products of rows, any number of them. @throws Problem, Unreachable */
export async function readProducts(
  client: Pick<ProductClient, 'named'>,
  rows: readonly Named[],
  signal?: AbortSignal,
): Promise<PresentProducts> {
  const namesIn = (key: keyof Named) => rows.flatMap((row) => (row[key] ? [String(row[key])] : []));
  const named = { numbers: namesIn('ArticleNumber'), eans: namesIn('EAN') };
  const { products, readOn } = await client.named(named, signal);
  const byNumber = new Map(products.map((product) => [product.ArticleNumber, product]));
  const byEan = new Map(products.map((product) => [product.EAN, product]));
  const find = ({ ArticleNumber, EAN }: Named) =>
    ArticleNumber ? byNumber.get(String(ArticleNumber)) : EAN ? byEan.get(String(EAN)) : undefined;
  return { readOn, find };
}

/** Products as they are now; undefined where they cannot be read: a remote service lists none, and a network may fail. */
export const readPresentProducts = (
  ...[client, rows, signal]: Parameters<typeof readProducts>
): Promise<PresentProducts | undefined> =>
  readProducts(client, rows, signal).catch((error: unknown) => {
    if (error instanceof Problem || error instanceof Unreachable) return undefined;
    throw error;
  });

/** Rows written in one request. */
const BATCH_SIZE = 2500;

/** Reads the products of rows again, and writes their present values into the sheet. @throws WorkbookProblem */
export async function refreshPresent(
  handle: TableHandle,
  rows: readonly SendableRow[],
  client: Pick<ProductClient, 'named'>,
  retry?: Retry,
): Promise<void> {
  if (rows.length === 0) return;
  await nextTurn();
  const present = await readPresentProducts(
    client,
    rows.map(({ update }) => update),
    retry?.signal,
  );
  if (present === undefined) return;
  const found = await mapInTurns(rows, ({ key, number, update }) => {
    const product = present.find(update);
    return product && { key, number, cells: presentCells(product, present.readOn) };
  });
  const changes = found.filter((change) => change !== undefined);
  for (let start = 0; start < changes.length; start += BATCH_SIZE) {
    await writeCells(handle, productKeys, changes.slice(start, start + BATCH_SIZE), retry);
  }
}
