import { describe, expect, it } from 'vitest';
import { productSheets } from '../../../testing/addin/productSheet.ts';
import { openTestWorkbook } from '../../../testing/addin/workbook.ts';
import { libreOffice, saveInLibreOffice } from '../../../testing/exports/libreOffice.ts';
import { folderOfTest } from '../../../testing/temporaryFolder.ts';
import { noRetry } from '../../excel/batch.ts';
import { copiedTables } from '../../excel/tables/copiedTables.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { readFile } from '../../simulator/savedFile/readFile.ts';
import { writeFile } from '../../simulator/savedFile/writeFile.ts';
import { messagesOf } from '../locales/messages.ts';
import { wordsIn } from '../locales/words.ts';
import { checkProducts } from '../productSheet/checkProducts.ts';
import { productKind } from '../productSheet/productKind.ts';
import { productModel } from '../sheetColumns/productTable.ts';
import { adoptCopy } from './adoptCopy.ts';

const ADD_IN = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';
const sheet = productSheets();
const messages = messagesOf.en;

/** A sheet of which one row is being pushed, and another was filled in since. */
async function beginPush(): Promise<void> {
  sheet.type(1, 'Stock quantity', '3');
  await sheet.prepare();
  sheet.type(2, 'Stock quantity', '4');
}

/** Adopts the only copy in the workbook. @returns what the rows with something to send are, and the status of each */
async function adopt() {
  const copies = await copiedTables([productModel(wordsIn.en, sheet.administration)]);
  expect(copies).toHaveLength(1);
  const context = { kind: productKind, messages, retry: noRetry };
  const handle = await adoptCopy(copies[0]!, context);
  const rows = await checkProducts({ ...context, handle }, 'Relative', undefined, sheet.administration);
  const statuses = (await readTable(handle)).map(({ cells }) => cells.get('Status'));
  return rows.slice(0, 2).map(({ kind }, index) => [kind, statuses[index]]);
}

const heldAndReady = [
  ['held', 'Unknown'],
  ['ready', ''],
];

describe('A sheet that stores nothing of the push that its rows wait for', () => {
  it('holds those rows back when it is a copy that is adopted', async () => {
    await beginPush();
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem(sheet.name).copy();
      await context.sync();
    });
    expect(await adopt()).toEqual(heldAndReady);
    // The sheet that was copied follows its push.
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Waiting', '']);
  });

  it.skipIf(!libreOffice.isThere)(
    libreOffice.title('is one to adopt, and holds those rows back, when another program saved the workbook'),
    async () => {
      await beginPush();
      const saved = await saveInLibreOffice(await writeFile(sheet.excel.workbook, ADD_IN), folderOfTest());
      openTestWorkbook('en', (await readFile(saved, ADD_IN, 'en')).workbook);
      expect(await tablesInWorkbook()).toEqual([]);
      expect(await adopt()).toEqual(heldAndReady);
    },
  );
});
