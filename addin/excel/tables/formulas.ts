import { inWorkbook, type Retry } from '../batch.ts';
import { type Cell, cellOf } from '../cell.ts';
import { locateTable, type Place, placesOf } from './locateTable.ts';
import { type ColumnReference, keyText, type TableSpec } from './table.ts';
import { isSameSource, type TableHandle, tablesInWorkbook } from './tableMemory.ts';

/** Takes the rows of a table as they arrive, and writes the formulas of its columns once their values are written. */
export type FormulaWriter<Row> = {
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
  return {
    add: (row, cells) => void rows.set(keyText(keyPlaces.map((place) => cells[place]!)), row),

    async finish(handle, retry) {
      const tables = formulasOver === undefined ? [] : await tablesInWorkbook(retry);
      const found = tables.find(({ memory }) => isSameSource(memory, formulasOver!));
      await inWorkbook(async (context) => {
        const place = await locateTable(context, handle);
        const own = referencesTo(place);
        const over = found === undefined ? () => () => undefined : referencesTo(await locateTable(context, found));
        const { sheet, top, left, width } = place;
        const body = sheet.getRangeByIndexes(top, left, place.rows, width);
        body.load({ values: true, formulas: true });
        await context.sync();
        const [ownReference, overReference] = [own(), over()];
        const keyColumns = placesOf(keys, place, handle);
        body.values.forEach((cells: Cell[], index) => {
          const row = rows.get(keyText(keyColumns.map((column) => cells[column]!)));
          if (row === undefined) return;
          for (const { key, kind, value, formula } of withFormula) {
            const column = place.columns.get(key);
            if (column === undefined) continue;
            const content = formula!(row, ownReference, overReference) ?? cellOf(kind, value(row));
            if (body.formulas[index]![column] === content) continue;
            sheet.getRangeByIndexes(top + index, left + column, 1, 1).formulas = [[content]];
          }
        });
        await context.sync();
      }, retry);
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
