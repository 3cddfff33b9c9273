import type { Frame } from 'playwright-core';

/** Makes the workbook one of an earlier version: its sheets know the id and the label of a connection only. */
export const makeEarlier = (pane: Frame, administration: { id: string; label: string }) =>
  pane.evaluate(
    (earlier) =>
      Excel.run(async (excel) => {
        const { worksheets } = excel.workbook;
        worksheets.load('id');
        await excel.sync();
        const found = worksheets.items.map((sheet) => sheet.customProperties.getItemOrNullObject('Ledgerline'));
        for (const property of found) property.load('value');
        await excel.sync();
        for (const [index, property] of found.entries()) {
          if (property.isNullObject) continue;
          const memory = { ...JSON.parse(property.value), administration: earlier };
          worksheets.items[index]!.customProperties.add('Ledgerline', JSON.stringify(memory));
        }
        excel.workbook.settings.getItemOrNullObject('Ledgerline administration').delete();
        await excel.sync();
      }),
    administration,
  );
