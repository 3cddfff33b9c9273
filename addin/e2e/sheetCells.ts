import type { Frame, Page } from 'playwright-core';

/** The values of a sheet, row by row, by its headings. */
export async function rowsOf(page: Page, sheet: string): Promise<Record<string, string | number | boolean>[]> {
  const grid = await page.evaluate((name) => {
    const used = window.workbook.usedRange(name);
    return used === undefined ? [] : window.workbook.values(`'${name}'!${used}`);
  }, sheet);
  const [headings = [], ...rows] = grid;
  return rows.map((cells) => Object.fromEntries(headings.map((heading, column) => [String(heading), cells[column]!])));
}

/** The cells of a sheet from a row on, counted from 1, in the columns up to one. */
export const rowsFrom = (page: Page, sheet: string, row: number, column: string) =>
  page.evaluate(
    ([name, from, to]) =>
      window.workbook.values(`'${name}'!A${from}:${to}${/\d+$/.exec(window.workbook.usedRange(name)!)}`),
    [sheet, row, column] as const,
  );

/** Types into the cell of a row, counted from 1, below a heading. */
export async function typeBelow(page: Page, sheet: string, heading: string, row: number, text: string): Promise<void> {
  await page.evaluate(
    ([name, below, at, typed]) => {
      const headings = window.workbook.values(`'${name}'!A1:Z1`)[0]!;
      window.workbook.type(`'${name}'!${String.fromCharCode(65 + headings.indexOf(below))}${at}`, typed);
    },
    [sheet, heading, row, text] as const,
  );
}

/** Protects a sheet, or ends its protection, as somebody does from the ribbon. @param pane has the client of Excel */
export const protectSheet = (pane: Frame, sheet: string, isProtected: boolean): Promise<void> =>
  pane.evaluate(
    ([of, protects]) =>
      Excel.run(async (excel) => {
        const { protection } = excel.workbook.worksheets.getItem(of);
        if (protects) protection.protect();
        else protection.unprotect();
        await excel.sync();
      }),
    [sheet, isProtected] as const,
  );
