import type { Retry } from '../batch.ts';
import { checkHeaders, inTable, placesOf, stayAt } from './locateTable.ts';
import type { TableHandle } from './tableMemory.ts';

/** Shows the rows of a table that have one of some texts in a column, and no others. @throws WorkbookProblem */
export const filterRows = (handle: TableHandle, key: string, texts: readonly string[], retry?: Retry): Promise<void> =>
  inTable(
    handle,
    async (context, place) => {
      checkHeaders(place);
      const [column] = placesOf([key], place, handle);
      const request = stayAt(context, place);
      place.table.clearFilters();
      place.table.columns.getItemAt(column!).filter.applyValuesFilter([...texts]);
      place.sheet.activate();
      await request.sync();
    },
    retry,
  );
