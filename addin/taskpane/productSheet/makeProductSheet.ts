import { groupBy } from '../../../shared/groupBy.ts';
import type { Retry } from '../../excel/batch.ts';
import { showSheet } from '../../excel/showSheet.ts';
import { createTable } from '../../excel/tables/createTable.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import { type Administration, isSameAdministration, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { INVOICE_LINES } from '../pulledLists/invoices.ts';
import {
  EMPTY_ROWS,
  presentValues,
  productTable,
  type StartRow,
  type StockMode,
} from '../sheetColumns/productTable.ts';
import type { PastedValues } from './pastedRows.ts';
import type { PresentProducts } from './presentProducts.ts';

/** The repeated article numbers -> the rows they will be in. */
export function duplicatesIn(rows: readonly PastedValues[]): Map<string, number[]> {
  const named = [...rows.keys()].filter((index) => rows[index]!.ArticleNumber !== undefined);
  const places = groupBy(named, (index) => rows[index]!.ArticleNumber!);
  return new Map(
    [...places].filter(([, of]) => of.length > 1).map(([article, of]) => [article, of.map((index) => index + 2)]),
  );
}

/** The article numbers on the pulled invoice lines of an administration, each once, in order. */
export async function articlesOnInvoices(administration: Administration, retry?: Retry): Promise<string[]> {
  const tables = (await tablesInWorkbook(retry)).filter(
    ({ memory }) => memory.view === INVOICE_LINES && isSameAdministration(memory.administration, administration),
  );
  const found = new Set<string>();
  for (const table of tables) {
    for (const { cells } of await readTable(table, retry)) found.add(String(cells.get('ProductNumber') ?? '').trim());
  }
  found.delete('');
  return [...found].sort(new Intl.Collator(undefined, { numeric: true }).compare);
}

/** A made product sheet, and its numbers of rows: with a product, left blank between them, and empty below. */
export type MadeSheet = { sheetName: string; products: number; blank: number; empty: number; isPresentRead: boolean };

/**
 * Makes a product sheet.
 * @param rows an empty one keeps its place @param present the products as they are now, if they could be read
 * @throws WorkbookProblem
 */
export async function makeProductSheet(
  messages: Messages,
  administration: Administration,
  mode: StockMode,
  rows: readonly PastedValues[],
  present?: PresentProducts,
  retry?: Retry,
): Promise<MadeSheet> {
  const writer = await createTable(productTable(messages, administration, mode), retry);
  try {
    const empty = Math.max(0, EMPTY_ROWS - rows.length);
    const duplicates = duplicatesIn(rows);
    const startRows = rows.map((values): StartRow => {
      const product = present?.find(values);
      const isNamed = Object.keys(values).length > 0;
      const missing = present !== undefined && isNamed && product === undefined;
      return {
        values: {
          ...(product === undefined ? {} : presentValues(product, present!.readOn)),
          ...(missing ? { Message: messages.rowMessage.noSuchProduct } : {}),
          ...values,
        },
        twice: duplicates.get(values.ArticleNumber ?? '') ?? [],
      };
    });
    await writer.write([...startRows, ...new Array<StartRow>(empty).fill({ values: {}, twice: [] })]);
    const { sheetName, sheetId } = await writer.finish();
    await showSheet(sheetId!);
    const products = rows.filter((values) => Object.keys(values).length > 0).length;
    return { sheetName, products, blank: rows.length - products, empty, isPresentRead: present !== undefined };
  } catch (error) {
    await writer.discard().catch(() => {});
    throw error;
  }
}
