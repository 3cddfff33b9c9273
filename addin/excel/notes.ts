import { inWorkbook, type Retry } from './batch.ts';
import { WorkbookProblem } from './workbookProblem.ts';

/*
 * Hidden texts of any length in a sheet, each in as many custom properties as needed. They are saved with
 * the workbook, so they may contain no secret.
 */

/** The longest text of one property. Its limit is not documented, so the limit of a cell is used. */
const MAX_PROPERTY_LENGTH = 30_000;

/** The notes of a sheet by their names; undefined for a missing or incomplete one. */
export function readNotes(sheetId: string, names: readonly string[], retry?: Retry): Promise<(string | undefined)[]> {
  return readProperties(sheetId, names, retry).then((texts) => names.map((name) => noteIn(texts, name)));
}

/** The text of a note, from its properties. */
function noteIn(texts: ReadonlyMap<string, string>, name: string): string | undefined {
  const count = Number(texts.get(name));
  const parts = Array.from({ length: count || 0 }, (_, part) => texts.get(partName(name, part)));
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('');
}

/**
 * Writes notes in one request, replaces existing ones with their names, and reads them back, because the limits of a
 * workbook are not documented. When Excel stored less, the previous notes are restored.
 * @param isExpected whether the present notes are those the caller expects: another window may have written them
 * @throws WorkbookProblem MEMORY_CUT, CHANGED_ELSEWHERE
 */
export async function storeNotes(
  sheetId: string,
  notes: Readonly<Record<string, string>>,
  retry?: Retry,
  isExpected: (note: (name: string) => string | undefined) => boolean = () => true,
): Promise<void> {
  const names = Object.keys(notes);
  const properties = new Map(Object.entries(notes).flatMap(([name, text]) => partsOf(name, text)));
  const isCurrent = (texts: ReadonlyMap<string, string>) => isExpected((name) => noteIn(texts, name));
  const before = await replaceNotes(sheetId, names, properties, retry, isCurrent).catch((error: unknown) => {
    // A request has a limit too, whose message tells of lists that are brought in.
    const isTooLarge = error instanceof WorkbookProblem && error.code === 'TOO_LARGE';
    throw isTooLarge ? new WorkbookProblem('MEMORY_CUT', '', error) : error;
  });
  const after = await readProperties(sheetId, names, retry);
  if ([...properties].every(([key, text]) => after.get(key) === text)) return;
  await replaceNotes(sheetId, names, before, retry);
  throw new WorkbookProblem('MEMORY_CUT');
}

/** The number of parts of a text and the parts, by the names of their properties. */
const partsOf = (name: string, text: string): [string, string][] => {
  const parts = text.match(new RegExp(`.{1,${MAX_PROPERTY_LENGTH}}`, 'gs')) ?? [''];
  return [[name, String(parts.length)], ...parts.map((part, index): [string, string] => [partName(name, index), part])];
};

/** The properties of some notes of a sheet, by their keys. */
const readProperties = (sheetId: string, names: readonly string[], retry?: Retry): Promise<Map<string, string>> =>
  inWorkbook(async (context) => textsOf(await loadProperties(context, sheetId), names), retry);

/**
 * The request that writes first reads the present properties, so that those of another window can be restored.
 * @returns the properties that were replaced
 */
const replaceNotes = (
  sheetId: string,
  names: readonly string[],
  properties: ReadonlyMap<string, string>,
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
    await replace(before, properties);
    const meanwhile = textsOf(customProperties, names);
    if (isCurrent(meanwhile)) return before;
    await replace(properties, meanwhile);
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
