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
  return readProperties(sheetId, names, retry).then((texts) => names.map((name) => noteIn(texts, name)));
}

/** A note in the properties that hold it. */
function noteIn(texts: ReadonlyMap<string, string>, name: string): string | undefined {
  const count = Number(texts.get(name));
  const parts = Array.from({ length: count || 0 }, (_, part) => texts.get(partName(name, part)));
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('');
}

/**
 * Writes notes, all of them in one request, in the place of those that had their names, and reads them back: nobody says
 * how much a workbook keeps. When it kept less, what stood there before stands there again.
 * @param isExpected whether the notes are still what the caller takes them for: another window may have written them
 * @throws WorkbookProblem MEMORY_CUT, CHANGED_ELSEWHERE
 */
export async function storeNotes(
  sheetId: string,
  notes: Readonly<Record<string, string>>,
  retry?: Retry,
  isExpected: (note: (name: string) => string | undefined) => boolean = () => true,
): Promise<void> {
  const names = Object.keys(notes);
  const kept = new Map(Object.entries(notes).flatMap(([name, text]) => partsOf(name, text)));
  const isCurrent = (texts: ReadonlyMap<string, string>) => isExpected((name) => noteIn(texts, name));
  const before = await replaceNotes(sheetId, names, kept, retry, isCurrent);
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

/**
 * The request that writes reads what stood there too, before it: what another window wrote in between is put back.
 * @returns the properties that were replaced
 */
const replaceNotes = (
  sheetId: string,
  names: readonly string[],
  kept: ReadonlyMap<string, string>,
  retry?: Retry,
  isCurrent: (texts: ReadonlyMap<string, string>) => boolean = () => true,
): Promise<Map<string, string>> =>
  inWorkbook(async (context) => {
    const before = textsOf(await loadProperties(context, sheetId), names);
    if (!isCurrent(before)) throw new WorkbookProblem('CHANGED_ELSEWHERE');
    const { customProperties } = context.workbook.worksheets.getItem(sheetId);
    customProperties.load({ key: true, value: true });
    const replace = (old: ReadonlyMap<string, string>, texts: ReadonlyMap<string, string>) => {
      for (const key of old.keys()) if (!texts.has(key)) customProperties.getItemOrNullObject(key).delete();
      for (const [key, value] of texts) customProperties.add(key, value);
      return context.sync();
    };
    await replace(before, kept);
    const meanwhile = textsOf(customProperties, names);
    if (isCurrent(meanwhile)) return before;
    await replace(kept, meanwhile);
    throw new WorkbookProblem('CHANGED_ELSEWHERE');
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
