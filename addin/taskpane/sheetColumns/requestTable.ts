import { pushRulesOf } from '../../../shared/api.ts';
import type { MadeDocument } from '../../../shared/resources/madeDocument.ts';
import type { ColumnKind } from '../../excel/cell.ts';
import type { Model } from '../../excel/tables/copiedTables.ts';
import type { Column, TableSpec } from '../../excel/tables/table.ts';
import type { Administration, Source } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import type { Words } from '../locales/enWords.ts';
import { widthOf } from './columns.ts';
import { DOCUMENT, formatOf, type ListName, type RequestColumn, type RequestSheet, wordsOf } from './requestColumns.ts';

/** The columns with the results of a request. `of`: the field of the made document. */
const resultColumns = {
  /** As wide as its longest word. */
  Status: { kind: 'text', width: 0 },
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
export function headingIn(sheet: RequestSheet, column: string, { headings }: Words): string {
  const heading = headings.documents[column as keyof Words['headings']['documents']];
  return sheet.columns[column]?.needed || column === sheet.key ? `${heading} *` : heading;
}

/** The sources of lists, by their names; one that is left out is not offered. */
type ListSources = Readonly<Partial<Record<ListName, string>>>;

/** A table to fill in. */
export function requestTable(
  sheet: RequestSheet,
  messages: Messages,
  administration: Administration,
  lists: ListSources = {},
): TableSpec<object> {
  const { view, columns, key } = sheet;
  const ofSheet: Readonly<Record<string, object | undefined>> = messages.columnNotesOf;
  const notes = { ...messages.columnNotes, ...ofSheet[view] } as Readonly<Record<string, string | undefined>>;
  const column = (name: string, kind: ColumnKind, width: number): Column<object> => {
    const note = notes[name];
    const heading = headingIn(sheet, name, messages);
    const prompt = note === undefined ? {} : { prompt: { title: heading.slice(0, 32), message: note } };
    return { key: name, heading, kind, width, value: () => '', ...prompt };
  };
  return {
    source: sourceOf(sheet, administration),
    sheetName: messages.documentSheets.kinds[view].sheet,
    frozen: 1,
    keys: [key],
    columns: namesIn(sheet).map((name) => {
      const input = columns[name];
      if (input !== undefined) {
        const offer = offered(sheet, name, input, messages, lists);
        const width = Math.max(input.width, widthOf(offer.choices ?? ['']));
        return { ...column(name, formatOf[input.kind], width), ...offer };
      }
      if (name === DOCUMENT) return column(DOCUMENT, 'text', 14);
      const { kind, width: usual } = resultColumns[name as ResultColumn];
      const width = name === 'Status' ? widthOf(Object.values(messages.status)) : usual;
      return { ...column(name, kind, width), isFilledByPane: true };
    }),
  };
}

/** By what a copy of such a table is recognised, in the language that it was made in. */
export const requestModel = (sheet: RequestSheet, words: Words, administration: Administration): Model => ({
  source: sourceOf(sheet, administration),
  keys: [sheet.key],
  columns: namesIn(sheet).map((name) => ({ key: name, heading: headingIn(sheet, name, words) })),
});

const sourceOf = ({ view, endpoint }: RequestSheet, administration: Administration): Source => ({
  view,
  administration,
  endpoint,
  query: {},
});

/** The columns of a sheet in their order: the document, what is read, and the results after one of those. */
function namesIn({ endpoint, lines, columns, resultsAfter, key }: RequestSheet): string[] {
  const { sums } = pushRulesOf(endpoint);
  const results = Object.entries(resultColumns).flatMap(([name, result]) => {
    // Only documents have numbers, and only those with totals show them.
    const isShown =
      !('of' in result) || (lines !== undefined && (result.kind !== 'amount' || sums.includes(result.of)));
    return isShown ? [name] : [];
  });
  const inputs = Object.keys(columns).flatMap((name) => (name === resultsAfter ? [name, ...results] : [name]));
  return key === DOCUMENT ? [DOCUMENT, ...inputs] : inputs;
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
export const codeWord = (code: string, { codes }: Words): string =>
  Object.hasOwn(codes, code) ? codes[code as keyof Words['codes']] : code;
