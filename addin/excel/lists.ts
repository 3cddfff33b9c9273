import { columnLetters } from '../../shared/spreadsheet.ts';
import { defaultRetry, inWorkbook } from './batch.ts';
import { blocksOf } from './blocks.ts';
import type { Cell } from './cell.ts';
import { freeName, sheetNameOf } from './names.ts';
import { writeBlock } from './writeBlock.ts';

/*
 * Lists to choose from, on a hidden sheet: a list that is typed into a validation ends at 255 characters.
 */

/** A list, by its key. */
type OfferedList = { key: string; heading: string; values: readonly string[] };

const PROPERTY = 'Ledgerline lists';

/**
 * Writes lists on the hidden sheet of an owner, which is made if there is none, and replaces those that it had.
 * @param owner the id of their administration: another one has a sheet of its own
 * @returns for each key the source of a validation; a list without values is left out
 * @throws WorkbookProblem
 */
export async function writeLists(
  wantedName: string,
  owner: string,
  lists: readonly OfferedList[],
  retry = defaultRetry,
): Promise<Readonly<Record<string, string>>> {
  const { sheetId, sheetName, columns } = await inWorkbook(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load({ id: true, name: true });
    await context.sync();
    const properties = worksheets.items.map((sheet) => {
      const property = sheet.customProperties.getItemOrNullObject(PROPERTY);
      property.load({ value: true });
      return { sheet, property };
    });
    await context.sync();
    const stored = properties.flatMap(({ sheet, property }) => {
      const value = property.isNullObject ? undefined : (JSON.parse(property.value) as Stored);
      return value?.owner === owner ? [{ sheet, keys: value.keys }] : [];
    })[0];
    const taken = worksheets.items.map(({ name }) => name);
    const sheet =
      stored?.sheet ??
      worksheets.add(freeName(sheetNameOf(wantedName), taken, (base, number) => sheetNameOf(base, ` (${number})`)));
    const keys = [...new Set([...(stored?.keys ?? []), ...lists.map(({ key }) => key)])];
    sheet.customProperties.add(PROPERTY, JSON.stringify({ owner, keys } satisfies Stored));
    sheet.visibility = 'Hidden';
    for (const { key } of lists) {
      sheet.getRangeByIndexes(0, keys.indexOf(key), 1, 1).getEntireColumn().clear('Contents');
    }
    sheet.load({ id: true, name: true });
    await context.sync();
    return { sheetId: sheet.id, sheetName: sheet.name, columns: keys };
  }, retry);

  const target = { sheetId, formats: columns.map(() => '@') };
  for (const block of blocksOf(rowsOf(lists, columns), columns.length)) await writeBlock(target, block, retry);
  return Object.fromEntries(
    lists
      .filter(({ values }) => values.length > 0)
      .map(({ key, values }) => {
        const letters = columnLetters(columns.indexOf(key));
        const range = `$${letters}$2:$${letters}$${values.length + 1}`;
        return [key, `='${sheetName.replaceAll("'", "''")}'!${range}`];
      }),
  );
}

type Stored = { owner: string; keys: readonly string[] };

/** Lists beside each other, each in its column, below their headings. A null leaves a cell of another list alone. */
function rowsOf(lists: readonly OfferedList[], columns: readonly string[]): Map<number, (Cell | null)[]> {
  const cells = new Map(lists.map(({ key, heading, values }) => [key, [heading, ...values]]));
  const height = Math.max(0, ...[...cells.values()].map(({ length }) => length));
  return new Map(
    Array.from({ length: height }, (_, row) => [row, columns.map((key) => cells.get(key)?.[row] ?? null)]),
  );
}
