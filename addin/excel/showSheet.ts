import { inWorkbook } from './batch.ts';
import { noWaiting } from './selection.ts';

/**
 * Activates a sheet. Excel refuses this while another workbook is in front (OfficeDev/office-js#6365) or a cell is
 * being edited. Nothing depends on it, so it is a request of its own, tried once, and a refusal is ignored.
 */
export async function showSheet(sheetId: string): Promise<void> {
  await inWorkbook(async (context) => {
    context.workbook.worksheets.getItem(sheetId).activate();
    await context.sync();
  }, noWaiting).catch(() => {});
}
