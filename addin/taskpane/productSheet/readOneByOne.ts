import { type Client, type Credential, createClient } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Product } from '../../../shared/resources/product.ts';
import type { Retry } from '../../excel/batch.ts';
import { keyText } from '../../excel/tables/table.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { type RowChange, writeCells } from '../../excel/tables/writeCells.ts';
import { fetchOnce, fetchWithRetry, type ServiceWait, serviceOf } from '../fetchWithRetry.ts';
import type { Messages } from '../locales/en.ts';
import { refusalText } from '../push/rowStatus.ts';
import { presentCells, productKeys } from '../sheetColumns/productTable.ts';

/** The key cells of a row of a product sheet. */
export type NamedRow = Readonly<Record<(typeof productKeys)[number], string>>;

/** Milliseconds after which what was read is written. */
const WRITE_MS = 3000;

type Options = {
  messages: Messages;
  retry: Retry;
  now?: () => number;
  /** Called after each product. @param wasFound whether there is such a product */
  onRead: (row: NamedRow, wasFound: boolean) => void;
};

/**
 * Reads products of a service that lists none, one after the other, by updates without changes, and writes their present
 * values into their rows. A row whose product does not exist gets the reason. What was read is also written when it
 * is cancelled or fails.
 * @throws Problem, Unreachable, WorkbookProblem
 */
export async function readOneByOne(
  handle: TableHandle,
  client: ProductReader,
  rows: readonly NamedRow[],
  { messages, retry, now = Date.now, onRead }: Options,
): Promise<void> {
  let changes: RowChange[] = [];
  let writtenAt = now();
  const write = async (writing: Retry) => {
    const batch = changes;
    changes = [];
    writtenAt = now();
    if (batch.length > 0) await writeCells(handle, productKeys, batch, writing);
  };
  try {
    for (const row of rows) {
      retry.signal?.throwIfAborted();
      const { cells, wasFound } = await cellsOf(row, client, messages, now, retry.signal);
      changes.push({ key: keyText(productKeys.map((column) => row[column])), cells });
      onRead(row, wasFound);
      if (now() - writtenAt >= WRITE_MS) await write(retry);
    }
  } finally {
    await write({ ...retry, signal: undefined });
  }
}

/** Reads products by updates without changes, which are repeated like other reads. */
type ProductReader = Pick<Client, 'updateproduct'>;

/** @param onWaiting called with the reason for waiting, and with undefined when the wait is over */
export function productReader(
  credential: Credential,
  onWaiting?: (reason: ServiceWait | undefined) => void,
): ProductReader {
  const options = { isRead: () => true, ...(onWaiting === undefined ? {} : { onWaiting }) };
  const service = serviceOf(credential, fetchWithRetry(fetchOnce, options));
  return createClient(service.base, service.credential, service.fetch);
}

/** Codes of a product that there is not; others are about the service or the credential, and end the reading. */
const ofProduct: readonly string[] = ['INVALID_REQUEST', 'NOT_FOUND', 'NOT_APPLIED', 'CONFLICT'];

/** Reads a product by an update without changes. @returns why there is none @throws Problem, Unreachable */
export async function readOneProduct(
  { ArticleNumber, EAN }: NamedRow,
  client: ProductReader,
  signal?: AbortSignal,
): Promise<Product | Problem> {
  try {
    return await client.updateproduct(ArticleNumber === '' ? { EAN } : { ArticleNumber }, signal);
  } catch (error) {
    if (error instanceof Problem && ofProduct.includes(error.code)) return error;
    throw error;
  }
}

async function cellsOf(
  row: NamedRow,
  client: ProductReader,
  messages: Messages,
  now: () => number,
  signal: AbortSignal | undefined,
): Promise<{ cells: RowChange['cells']; wasFound: boolean }> {
  const found = await readOneProduct(row, client, signal);
  if (!(found instanceof Problem)) {
    return { cells: presentCells(found, String(Math.floor(now() / 1000))), wasFound: true };
  }
  const { code, message, errors } = found;
  const text = refusalText({ errorCode: code, errorMessage: message, errors }, messages);
  return { cells: { Message: text }, wasFound: false };
}
