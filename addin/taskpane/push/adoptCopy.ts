import { adoptCopiedTable, type CopiedTable, handleOfCopy } from '../../excel/tables/copiedTables.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import { keyText } from '../../excel/tables/table.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { rowStatus } from './rowStatus.ts';
import { isWaitingStatus } from './translatedWords.ts';
import { type PushContext, writeRowChanges } from './writeResults.ts';

/**
 * Makes a copy a sheet of its own. It may have been made during a push: its rows that wait were sent by that, which it has
 * no record of. Their outcome is unknown, so they are not sent again unasked.
 * @throws WorkbookProblem
 */
export async function adoptCopy(copy: CopiedTable, context: Omit<PushContext, 'handle'>): Promise<TableHandle> {
  const { kind, messages, retry } = context;
  const handle = handleOfCopy(copy);
  const { held } = kind.texts(messages);
  const changes = (await readTable(handle, retry)).flatMap(({ cells, number }) => {
    const key = keyText(handle.memory.keys.map((column) => cells.get(column) ?? ''));
    const isWaiting = isWaitingStatus(cells.get('Status') ?? '');
    return isWaiting ? rowStatus({ key, number }, 'unknown', held, messages) : [];
  });
  await writeRowChanges({ ...context, handle }, changes);
  return adoptCopiedTable(copy, retry);
}
