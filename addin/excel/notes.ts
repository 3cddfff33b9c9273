import { inWorkbook, type Retry } from './batch.ts';
import { WorkbookProblem } from './workbookProblem.ts';

/*
 * Texts of any length that a sheet keeps out of sight, each in as many custom properties as it takes. They travel with
 * the workbook: nothing secret goes in.
 */

/** Of one property. Nobody says how long it may be, so no longer than the text of a cell. */
const MAX_PROPERTY_LENGTH = 30_000;

/** The notes of a sheet by their names; undefined for one that is not there, or not whole. */
export function readNotes(sheetId: string, names: readonly string[], retry?: Retry): Promise<(string | undefined)[]> {
  return readProperties(sheetId, names, retry).then((texts) =>
    names.map((name) => {
      const count = Number(texts.get(name));
      const parts = Array.from({ length: count || 0 }, (_, part) => texts.get(partName(name, part)));
      return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('');
    }),
  );
}

/**
 * Writes notes, all of them in one request, in the place of those that had their names, and reads them back: nobody says
 * how much a workbook keeps. When it kept less, what stood there before stands there again.
 * @throws WorkbookProblem MEMORY_CUT
 */
export async function keepNotes(
  sheetId: string,
  notes: Readonly<Record<string, string>>,
  retry?: Retry,
): Promise<void> {
  const names = Object.keys(notes);
  const kept = new Map(Object.entries(notes).flatMap(([name, text]) => partsOf(name, text)));
  const before = await replaceNotes(sheetId, names, kept, retry);
  const after = await readProperties(sheetId, names, retry);
  if ([...kept].every(([key, text]) => after.get(key) === text)) return;
  await replaceNotes(sheetId, names, before, retry);
  throw new WorkbookProblem('MEMORY_CUT');
}

/** How many parts a text has, and the parts, by the names of their properties. */
const partsOf = (name: string, text: string): [string, string][] => {
  const parts = text.match(new RegExp(`.{1,${MAX_PROPERTY_LENGTH}}`, 'gs')) ?? [''];
  return [[name, String(parts.length)], ...parts.map((part, index): [string, string] => [partName(name, index), part])];
};

/** The properties of a sheet that hold notes, by their keys. */
const readProperties = (sheetId: string, names: readonly string[], retry?: Retry): Promise<Map<string, string>> =>
  inWorkbook(async (context) => textsOf(await loadProperties(context, sheetId), names), retry);

/** @returns the properties that were replaced */
const replaceNotes = (
  sheetId: string,
  names: readonly string[],
  kept: ReadonlyMap<string, string>,
  retry?: Retry,
): Promise<Map<string, string>> =>
  inWorkbook(async (context) => {
    const properties = await loadProperties(context, sheetId);
    const before = textsOf(properties, names);
    for (const property of properties.items) {
      if (before.has(property.key) && !kept.has(property.key)) property.delete();
    }
    for (const [key, value] of kept) properties.add(key, value);
    await context.sync();
    return before;
  }, retry);

async function loadProperties(context: Excel.RequestContext, sheetId: string) {
  const { customProperties } = context.workbook.worksheets.getItem(sheetId);
  customProperties.load({ key: true, value: true });
  await context.sync();
  return customProperties;
}

const textsOf = ({ items }: Excel.WorksheetCustomPropertyCollection, names: readonly string[]): Map<string, string> =>
  new Map(
    items.flatMap(({ key, value }): [string, string][] =>
      names.some((name) => key === name || key.startsWith(`${name} `)) ? [[key, value]] : [],
    ),
  );

const partName = (name: string, part: number): string => `${name} ${part + 1}`;
