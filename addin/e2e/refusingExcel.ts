import type { Page } from 'playwright-core';
import type { HostWindow } from '../simulator/pane.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';

/** What the pane says of it. */
export const REFUSED = messagesOf.en.problems.workbook.EXCEL_FAILED;

/**
 * Has Excel refuse what panes ask that are opened from now on, whenever it is told to.
 * @returns a function that tells it
 */
export async function refusingExcel(page: Page): Promise<(refuses: boolean) => Promise<void>> {
  await page.evaluate(() => {
    const { excelHost } = window as unknown as HostWindow;
    const { execute } = excelHost;
    excelHost.execute = async (body, flags) =>
      document.body.dataset.excel === 'refuses'
        ? { errorCode: 'GeneralException', errorMessage: 'refused' }
        : execute(body, flags);
  });
  return (refuses) =>
    page.evaluate(
      (value) => {
        document.body.dataset.excel = value;
      },
      refuses ? 'refuses' : '',
    );
}
