import type { Retry } from '../batch.ts';
import { type Cell, cellOf } from '../cell.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { inTable, locateTable, MAX_ATTEMPTS, type Place, placesOf, stayAt } from './locateTable.ts';
import { type ColumnReference, keyText, type TableSpec } from './table.ts';
import { isSameSource, type TableHandle, tablesInWorkbook } from './tableMemory.ts';

/** Takes the rows of a table as they arrive, and writes the formulas of its columns once their values are written. */
type FormulaWriter<Row> = {
  add: (row: Row, cells: readonly Cell[]) => void;
  finish: (handle: TableHandle, retry: Retry) => Promise<void>;
};

/**
 * The formulas of a table with few rows. They are written cell by cell, since a range would miss hidden rows, and only
 * where they differ from those that are there.
 */
export function formulaWriter<Row>({ columns, keys, formulasOver }: TableSpec<Row>): FormulaWriter<Row> {
  const rows = new Map<string, Row>();
  const keyPlaces = keys.map((key) => columns.findIndex((column) => column.key === key));
  const withFormula = columns.filter(({ formula }) => formula !== undefined);
  if (withFormula.length === 0) return { add: () => {}, finish: async () => {} };
  /** Writes the formulas once. @returns whether the rows stayed where they were found */
  const writeFormulas = (handle: TableHandle, over: TableHandle | undefined, retry: Retry) =>
    inTable(
      handle,
      async (context, place) => {
        const own = referencesTo(place);
        const others = over === undefined ? () => () => undefined : referencesTo(await locateTable(context, over));
        const { sheet, top, left, width } = place;
        const rowsNow = (load: Excel.Interfaces.RangeLoadOptions) => {
          const range = sheet.getRangeByIndexes(top, left, place.rows, width);
          range.load(load);
          return range;
        };
        const body = rowsNow({ values: true, formulas: true });
        await context.sync();
        const [ownReference, overReference] = [own(), others()];
        const keyColumns = placesOf(keys, place, handle);
        const keysIn = ({ values }: Excel.Range) =>
          values.map((cells: Cell[]) => keyText(keyColumns.map((column) => cells[column]!)));
        const present = keysIn(body);
        // The user may sort between the two requests: the one that writes first reads the rows again.
        const request = stayAt(context, place);
        const before = rowsNow({ values: true });
        for (const [index, keyOfRow] of present.entries()) {
          const row = rows.get(keyOfRow);
          if (row === undefined) continue;
          for (const { key, kind, value, formula } of withFormula) {
            const column = place.columns.get(key);
            if (column === undefined) continue;
            const content = formula!(row, ownReference, overReference) ?? cellOf(kind, value(row));
            if (body.formulas[index]![column] === content) continue;
            sheet.getRangeByIndexes(top + index, left + column, 1, 1).formulas = [[content]];
          }
        }
        await request.sync();
        return keysIn(before).every((keyOfRow, index) => keyOfRow === present[index]);
      },
      retry,
    );
  return {
    add: (row, cells) => void rows.set(keyText(keyPlaces.map((place) => cells[place]!)), row),

    async finish(handle, retry) {
      const tables = formulasOver === undefined ? [] : await tablesInWorkbook(retry);
      const over = tables.find(({ memory }) => isSameSource(memory, formulasOver!));
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        if (await writeFormulas(handle, over, retry)) return;
      }
      throw new WorkbookProblem('ROWS_MOVED');
    },
  };
}

/** Queues reading the names of a table and its columns. @returns what makes references of them after the sync */
function referencesTo({ table, columns }: Place): () => ColumnReference {
  table.load({ name: true, columns: { name: true } });
  return () => (key) => {
    const column = columns.get(key);
    const name = column === undefined ? undefined : table.columns.items[column]!.name;
    // Other programs read the escapes of these characters differently.
    return name === undefined || /['[\]#@\n]/.test(name) ? undefined : `${table.name}[${name}]`;
  };
}
