import type { Page } from 'playwright-core';
import type { HostWindow } from '../simulator/pane.ts';

/**
 * Has Excel take longer for each request of panes that are opened from now on.
 * @returns a function that sets by how many milliseconds, 0 at first
 */
export async function slowExcel(page: Page): Promise<(milliseconds: number) => Promise<void>> {
  await page.evaluate(() => {
    const { excelHost } = window as unknown as HostWindow;
    const { execute } = excelHost;
    excelHost.execute = async (...request) => {
      await new Promise((resolve) => setTimeout(resolve, Number(document.body.dataset.excelDelay ?? 0)));
      return execute(...request);
    };
  });
  return (milliseconds) =>
    page.evaluate((delay) => {
      document.body.dataset.excelDelay = delay;
    }, String(milliseconds));
}
