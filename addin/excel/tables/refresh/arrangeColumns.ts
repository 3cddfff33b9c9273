import { inWorkbook, type Retry } from '../../batch.ts';
import { numberFormatOf } from '../../cell.ts';
import { freeName } from '../../names.ts';
import { setFormat } from '../../writeBlock.ts';
import { checkHeaders, inTable, stayAt } from '../locateTable.ts';
import { columnPoints, type TableSpec } from '../table.ts';
import { remember, storedNow, type TableHandle } from '../tableMemory.ts';

/**
 * Gives a table the columns of a specification: missing ones are added at its end, still empty, and those of the pane
 * that it does not name are removed; one that the user brings back by undo is of the pane again. Columns of the user
 * stay, and so does the order that the user made.
 * @throws WorkbookProblem
 */
export async function arrangeColumns<Row>(
  found: TableHandle,
  { columns, keys }: Pick<TableSpec<Row>, 'columns' | 'keys'>,
  retry: Retry,
  beforeWriting: () => Promise<void>,
): Promise<TableHandle> {
  const wanted = new Set([...keys, ...columns.map(({ key }) => key)]);
  const handle = await inWorkbook((context) => storedNow(context, found), retry);
  return inTable(
    handle,
    async (context, place) => {
      const { sheet, table, top, left, rows, width } = place;
      const missing = columns.filter(({ key }) => !place.columns.has(key));
      const removed = [...place.columns].filter(([key]) => !wanted.has(key));
      const known = [...handle.memory.columns, ...(handle.memory.removed ?? [])];
      const isAsRemembered = [...place.columns.keys()].every((key) =>
        handle.memory.columns.some((column) => column.key === key),
      );
      if (missing.length + removed.length === 0 && isAsRemembered) return handle;
      checkHeaders(place);
      await beforeWriting();
      const taken = table.columns.items.map(({ name }) => name);
      const request = stayAt(context, place);
      const added = missing.map(({ key, heading, kind, width: characters }, index) => {
        const name = freeName(heading, taken, (base, number) => `${base} (${number})`);
        taken.push(name);
        const column = table.columns.add(undefined, undefined, name);
        column.load({ id: true });
        setFormat(sheet.getRangeByIndexes(top, left + width + index, rows, 1), numberFormatOf(kind));
        sheet.getRangeByIndexes(0, left + width + index, 1, 1).format.columnWidth = columnPoints(characters, name);
        return { key, heading: name, column };
      });
      // From the right, so that the positions of the others stay valid.
      for (const [, index] of removed.sort(([, a], [, b]) => b - a)) table.columns.getItemAt(index).delete();
      await request.sync();
      const present = known.filter(({ key }) => place.columns.has(key) && wanted.has(key));
      const made = added.map(({ key, heading, column }) => ({ key, heading, id: column.id }));
      const kept = [...present, ...made];
      const gone = known.filter(({ key }) => kept.every((column) => column.key !== key));
      const memory = { ...handle.memory, columns: kept, removed: gone };
      remember(sheet, memory);
      await context.sync();
      return { ...handle, memory };
    },
    retry,
  );
}
