import { inWorkbook, noRetry } from './batch.ts';

/**
 * Activates a sheet, and selects a cell of it. Excel refuses this while another workbook is in front
 * (OfficeDev/office-js#6365) or a cell is being edited. Nothing depends on it, so it is a separate request without a
 * retry, whose refusal is ignored.
 */
export async function showSheet(sheetId: string, address?: string): Promise<void> {
  await inWorkbook(async (context) => {
    const sheet = context.workbook.worksheets.getItem(sheetId);
    sheet.activate();
    if (address !== undefined) sheet.getRange(address).select();
    await context.sync();
  }, noRetry).catch(() => {});
}
