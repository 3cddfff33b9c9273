import { useCallback, useEffect, useState } from 'react';
import { type CopiedTable, copiedTables, handleOfCopy } from '../../../excel/tables/copiedTables.ts';
import {
  type Administration,
  isSameAdministration,
  type TableHandle,
  tablesInWorkbook,
} from '../../../excel/tables/tableMemory.ts';
import { languages, wordsIn } from '../../locales/words.ts';
import { usePane, useSameIds } from '../../paneContext.ts';
import { adoptCopy } from '../../push/adoptCopy.ts';
import { isFinished } from '../../push/sheetPush.ts';
import { readSheetPush } from '../../push/storedPush.ts';
import { productModel } from '../../sheetColumns/productTable.ts';
import { requestSheets } from '../../sheetColumns/requestSheets.ts';
import { requestModel } from '../../sheetColumns/requestTable.ts';
import { isPushed, sheetKindOf } from '../../sheetKinds.ts';

/** The sheets of the workbook whose rows are pushed, the selected one of them, and tables that look like copies of one. */
export function usePushSheets(connectedTo: Administration) {
  const { messages, reading } = usePane();
  const administration = useSameIds(connectedTo);
  const [sheets, setSheets] = useState<TableHandle[]>();
  const [selected, select] = useState<string>();
  const [copies, setCopies] = useState<readonly CopiedTable[]>([]);
  const [sheetOfPush, setSheetOfPush] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<unknown>();

  const read = useCallback(
    async (sheetId?: string) => {
      const tables = (await tablesInWorkbook(reading)).filter(isPushed);
      const pushes = await Promise.all(tables.map((table) => readSheetPush(table, sheetKindOf(table), reading)));
      setSheetOfPush(
        new Map(
          pushes.flatMap((push, index) =>
            push === undefined ? [] : [push.id, ...push.earlier].map((id) => [id, tables[index]!.sheetName] as const),
          ),
        ),
      );
      // A sheet with an unfinished push is selected first; what is selected stays so when it is read again.
      const unfinished = tables.find((_, index) => pushes[index] && !isFinished(pushes[index]));
      select((now) => sheetId ?? tables.find((table) => table.sheetId === now)?.sheetId ?? unfinished?.sheetId);
      setSheets(tables);
      const models = languages.flatMap((language) => [
        productModel(wordsIn[language], administration),
        ...Object.values(requestSheets).map((sheet) => requestModel(sheet, wordsIn[language], administration)),
      ]);
      setCopies(await copiedTables(models, reading));
    },
    [administration, reading],
  );
  const readAgain = useCallback(() => {
    setFailure(undefined);
    read().catch(setFailure);
  }, [read]);
  useEffect(readAgain, [readAgain]);

  const ownSheets = sheets?.filter(({ memory }) => isSameAdministration(memory.administration, administration));
  return {
    sheets,
    handle: sheets?.find(({ sheetId }) => sheetId === selected) ?? ownSheets?.at(-1) ?? sheets?.at(-1),
    select,
    copies,
    adoptCopy: (copy: CopiedTable) =>
      adoptCopy(copy, { kind: sheetKindOf(handleOfCopy(copy)), messages, retry: reading }).then(
        ({ sheetId }) => read(sheetId),
        setFailure,
      ),
    /** The names of sheets by the ids of all pushes that they remember. */
    sheetOfPush,
    failure,
    readAgain,
  };
}
