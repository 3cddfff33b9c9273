import { inWorkbook, type Retry } from './batch.ts';

/*
 * Texts of any length that a sheet keeps out of sight, each in as many custom properties as it takes. They travel with
 * the workbook: nothing secret goes in.
 */

/** What every Excel keeps in one property: nobody says how long it may be, so no longer than the text of a cell. */
const LONGEST = 30_000;

/** The notes of a sheet by their names; undefined for one that is not there, or not whole. */
export function readNotes(sheetId: string, names: readonly string[], retry?: Retry): Promise<(string | undefined)[]> {
  return inWorkbook(async (context) => {
    const { customProperties } = context.workbook.worksheets.getItem(sheetId);
    customProperties.load({ key: true, value: true });
    await context.sync();
    const texts = new Map(customProperties.items.map(({ key, value }) => [key, value]));
    return names.map((name) => {
      const count = Number(texts.get(name));
      const parts = Array.from({ length: count || 0 }, (_, part) => texts.get(partName(name, part)));
      return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('');
    });
  }, retry);
}

/** Writes notes, all of them in one request, in the place of those that had their names. */
export function keepNotes(sheetId: string, notes: Readonly<Record<string, string>>, retry?: Retry) {
  return inWorkbook(async (context) => {
    const { customProperties } = context.workbook.worksheets.getItem(sheetId);
    customProperties.load({ key: true });
    await context.sync();
    const kept = new Map(
      Object.entries(notes).flatMap(([name, text]) => {
        const parts = text.match(new RegExp(`.{1,${LONGEST}}`, 'gs')) ?? [''];
        return [[name, String(parts.length)], ...parts.map((part, index) => [partName(name, index), part])] as const;
      }) as [string, string][],
    );
    for (const property of customProperties.items) {
      const isOurs = Object.keys(notes).some((name) => property.key.startsWith(`${name} `));
      if (isOurs && !kept.has(property.key)) property.delete();
    }
    for (const [key, value] of kept) customProperties.add(key, value);
    await context.sync();
  }, retry);
}

const partName = (name: string, part: number): string => `${name} ${part + 1}`;
