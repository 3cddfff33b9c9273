import { groupBy } from '../../shared/groupBy.ts';
import type { Retry } from '../excel/batch.ts';
import { createTable } from '../excel/tables/createTable.ts';
import { readTable } from '../excel/tables/readTable.ts';
import { type Administration, isSameAdministration, tablesInWorkbook } from '../excel/tables/tableMemory.ts';
import type { Messages } from './locales/en.ts';
import { INVOICE_LINES } from './tables/invoiceTables.ts';
import { EMPTY_ROWS, productTable, type StockMode } from './tables/productTable.ts';

/**
 * Reads pasted article numbers: one on each line, or separated by tabs or semicolons. Repeated numbers are not removed,
 * so that prices pasted beside the numbers match.
 */
export const readArticleNumbers = (text: string): string[] =>
  text
    .split(/[\n\r\t;]+/)
    .map((number) => number.trim())
    .filter((number) => number !== '');

/** The repeated article numbers -> the rows they will be in. */
export function duplicatesIn(articles: readonly string[]): Map<string, number[]> {
  const rows = groupBy(articles.keys(), (index) => articles[index]!);
  return new Map(
    [...rows].filter(([, of]) => of.length > 1).map(([article, of]) => [article, of.map((index) => index + 2)]),
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

/** Makes a product sheet. @returns the name of its sheet @throws WorkbookProblem */
export async function makeProductSheet(
  messages: Messages,
  administration: Administration,
  mode: StockMode,
  articles: readonly string[],
  retry?: Retry,
): Promise<string> {
  const writer = await createTable(productTable(messages, administration, mode), retry);
  try {
    const empty = Math.max(0, EMPTY_ROWS - articles.length);
    const duplicates = duplicatesIn(articles);
    await writer.write(
      [...articles, ...new Array<string>(empty).fill('')].map((article) => ({
        article,
        twice: duplicates.get(article) ?? [],
      })),
    );
    return (await writer.finish()).sheetName;
  } catch (error) {
    await writer.discard().catch(() => {});
    throw error;
  }
}
