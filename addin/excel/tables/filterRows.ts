import { inWorkbook, type Retry } from '../batch.ts';
import { locateTable, placesOf } from './locateTable.ts';
import type { TableHandle } from './tableMemory.ts';

/** Shows the rows of a table that have one of some texts in a column, and no others. @throws WorkbookProblem */
export const filterRows = (handle: TableHandle, key: string, texts: readonly string[], retry?: Retry): Promise<void> =>
  inWorkbook(async (context) => {
    const place = await locateTable(context, handle);
    const [column] = placesOf([key], place, handle);
    place.table.clearFilters();
    place.table.columns.getItemAt(column!).filter.applyValuesFilter([...texts]);
    place.sheet.activate();
    await context.sync();
  }, retry);
