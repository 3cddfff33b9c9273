import { inWorkbook, type Retry } from '../batch.ts';
import type { TableSpec } from './table.ts';
import { queueHandle, remember, type TableHandle, type TableMemory } from './tableMemory.ts';

/*
 * A copied sheet loses its custom properties (OfficeDev/office-js#5486), and with them its stored data: its table can
 * be recognised by its headings only.
 */

/** The headings by which a copy of one of our tables is recognised. */
export type Model = Pick<TableSpec<never>, 'source' | 'keys'> & {
  columns: readonly { key: string; heading: string }[];
};

/** A table without stored data that has all the headings of a model. */
export type CopiedTable = {
  sheetId: string;
  sheetName: string;
  tableId: string;
  columns: TableMemory['columns'];
  model: Model;
};

/** The tables in the workbook that look like copies of a model, in the order of the sheets. @param models one a language */
export function copiedTables(models: readonly Model[], retry?: Retry): Promise<CopiedTable[]> {
  return inWorkbook(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load({ id: true, name: true, tables: { id: true, columns: { id: true, name: true } } });
    await context.sync();
    const handles = worksheets.items.map(queueHandle);
    await context.sync();
    return worksheets.items.flatMap(({ id: sheetId, name: sheetName, tables }, index) => {
      if (handles[index]!() !== undefined) return [];
      return tables.items.flatMap(({ id: tableId, columns: { items } }): CopiedTable[] => {
        const idOf = new Map(items.map(({ id, name }) => [name, id]));
        const model = models.find(({ columns }) => columns.every(({ heading }) => idOf.has(heading)));
        if (model === undefined) return [];
        const columns = model.columns.map(({ key, heading }) => ({ key, heading, id: idOf.get(heading)! }));
        return [{ sheetId, sheetName, tableId, columns, model }];
      });
    });
  }, retry);
}

/** Before every push: when a copy was made is not known, and any push may have sent rows of it. */
const UNKNOWN_MOMENT = new Date(0).toISOString();

/** A copy as a table of its own, without the pushes of the original. */
export const handleOfCopy = ({ sheetId, sheetName, tableId, columns, model }: CopiedTable): TableHandle => ({
  sheetId,
  sheetName,
  memory: { ...model.source, pulledAt: UNKNOWN_MOMENT, tableId, columns, keys: model.keys },
});

/** Stores the data of a new table for a copy. @throws WorkbookProblem */
export async function adoptCopiedTable(copy: CopiedTable, retry?: Retry): Promise<TableHandle> {
  const handle = handleOfCopy(copy);
  await inWorkbook(async (context) => {
    remember(context.workbook.worksheets.getItem(handle.sheetId), handle.memory);
    await context.sync();
  }, retry);
  return handle;
}
