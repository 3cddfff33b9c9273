import { pushRulesOf } from '../../../shared/api.ts';
import type { MadeDocument } from '../../../shared/resources/madeDocument.ts';
import type { ColumnKind } from '../../excel/cell.ts';
import type { Column, TableSpec } from '../../excel/tables/table.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { DOCUMENT, formatOf, type ListName, type RequestColumn, type RequestSheet, wordsOf } from './requestColumns.ts';

/** The columns with the results of a request. `of`: the field of the made document. */
const resultColumns = {
  Status: { kind: 'text', width: 12 },
  Message: { kind: 'text', width: 36 },
  MadeNumber: { kind: 'text', width: 12, of: 'number' },
  MadeTotalExclTax: { kind: 'amount', width: 14, of: 'totalExclTax' },
  MadeTotalInclTax: { kind: 'amount', width: 14, of: 'totalInclTax' },
} as const satisfies Record<string, { kind: ColumnKind; width: number; of?: keyof MadeDocument }>;
type ResultColumn = keyof typeof resultColumns;

/** Those that show what was made, with the format of their cells. */
export const madeColumns = (Object.keys(resultColumns) as ResultColumn[]).flatMap((column) => {
  const result = resultColumns[column];
  return 'of' in result ? [{ column, kind: result.kind, of: result.of }] : [];
});

/** The empty rows of a new sheet. */
export const EMPTY_ROWS = 50;

/** The heading of a column; a mark says that it is needed. */
export function headingIn(sheet: RequestSheet, column: string, messages: Messages): string {
  const heading = messages.headings.documents[column as keyof Messages['headings']['documents']];
  return sheet.columns[column]?.needed || column === sheet.key ? `${heading} *` : heading;
}

/** The sources of lists, by their names; one that is left out is not offered. */
export type ListSources = Readonly<Partial<Record<ListName, string>>>;

/** A table to fill in. */
export function requestTable(
  sheet: RequestSheet,
  messages: Messages,
  administration: Administration,
  lists: ListSources = {},
): TableSpec<object> {
  const { view, endpoint, columns, resultsAfter, key } = sheet;
  const ofSheet: Readonly<Record<string, object | undefined>> = messages.columnNotesOf;
  const notes = { ...messages.columnNotes, ...ofSheet[view] } as Readonly<Record<string, string | undefined>>;
  const { sums } = pushRulesOf(endpoint);
  const column = (name: string, kind: ColumnKind, width: number): Column<object> => {
    const note = notes[name];
    const heading = headingIn(sheet, name, messages);
    const prompt = note === undefined ? {} : { prompt: { title: heading.slice(0, 32), message: note } };
    return { key: name, heading, kind, width, value: () => '', ...prompt };
  };
  const results = Object.entries(resultColumns)
    .filter(([, result]) => {
      if (!('of' in result)) return true;
      // Only documents have numbers, and only those with totals show them.
      return sheet.lines !== undefined && (result.kind !== 'amount' || sums.includes(result.of));
    })
    .map(([name, { kind, width }]) => ({ ...column(name, kind, width), isFilledByPane: true }));
  const inputs = Object.entries(columns).flatMap(([name, input]) => {
    const made = {
      ...column(name, formatOf[input.kind], input.width),
      ...offered(sheet, name, input, messages, lists),
    };
    return name === resultsAfter ? [made, ...results] : [made];
  });
  return {
    source: { view, administration, endpoint, query: {} },
    sheetName: messages.documentSheets.kinds[view].sheet,
    frozen: 1,
    keys: [key],
    columns: key === DOCUMENT ? [column(DOCUMENT, 'text', 14), ...inputs] : inputs,
  };
}

/** What a column offers to choose from. */
function offered(
  sheet: RequestSheet,
  name: string,
  { kind, list }: RequestColumn,
  messages: Messages,
  lists: ListSources,
): Pick<Column<object>, 'choices' | 'listedAt'> {
  if (kind === 'yesNo') return { choices: [messages.yes, messages.no] };
  if (kind === 'choice') return { choices: wordsOf(sheet, name).map((word) => codeWord(word, messages)) };
  const listedAt = list && lists[list];
  return listedAt === undefined ? {} : { listedAt };
}

/** The word of a code of the interface. */
export const codeWord = (code: string, { codes }: Messages): string =>
  Object.hasOwn(codes, code) ? codes[code as keyof Messages['codes']] : code;
