import { columnLetters } from '../../shared/spreadsheet.ts';
import { inWorkbook, type Retry } from './batch.ts';
import { BLOCK_BYTES, bytesOfRow } from './blocks.ts';
import { freeName, sheetNameOf } from './names.ts';
import { setFormat } from './writeBlock.ts';

/*
 * Lists to choose from, on a hidden sheet: a list that is typed into a validation ends at 255 characters.
 */

/** A list, by its key. */
export type OfferedList = { key: string; heading: string; values: readonly string[] };

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
  retry?: Retry,
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
    sheet.load({ id: true, name: true });
    await context.sync();
    return { sheetId: sheet.id, sheetName: sheet.name, columns: keys };
  }, retry);

  const sources: Record<string, string> = {};
  for (const { key, heading, values } of lists) {
    const column = columns.indexOf(key);
    for (const { start, cells } of partsOf([heading, ...values])) {
      await inWorkbook(async (context) => {
        const sheet = context.workbook.worksheets.getItem(sheetId);
        if (start === 0) sheet.getRangeByIndexes(0, column, 1, 1).getEntireColumn().clear('Contents');
        const range = sheet.getRangeByIndexes(start, column, cells.length, 1);
        setFormat(range, '@');
        range.values = cells.map((cell) => [cell]);
        await context.sync();
      }, retry);
    }
    const letters = columnLetters(column);
    if (values.length === 0) continue;
    sources[key] = `='${sheetName.replaceAll("'", "''")}'!$${letters}$2:$${letters}$${values.length + 1}`;
  }
  return sources;
}

type Stored = { owner: string; keys: readonly string[] };

/** The cells of a column in parts that fit into a request. */
function partsOf(cells: readonly string[]): { start: number; cells: string[] }[] {
  const parts: { start: number; cells: string[] }[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  cells.forEach((cell, index) => {
    const size = bytesOfRow([cell]);
    if (bytes + size > BLOCK_BYTES) {
      parts.push({ start: index, cells: [] });
      bytes = 0;
    }
    parts.at(-1)!.cells.push(cell);
    bytes += size;
  });
  return parts;
}
