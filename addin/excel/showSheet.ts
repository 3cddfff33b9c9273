import { inWorkbook } from './batch.ts';

/**
 * Brings a sheet to the front. Excel refuses it while another workbook is in front (OfficeDev/office-js#6365) or a cell is
 * being edited, and nothing depends on it: so it is asked for by itself, once, and a refusal is no failure.
 */
export async function showSheet(sheetId: string): Promise<void> {
  await inWorkbook(
    async (context) => {
      context.workbook.worksheets.getItem(sheetId).activate();
      await context.sync();
    },
    { delays: [] },
  ).catch(() => {});
}
