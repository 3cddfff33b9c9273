import type { Messages } from '../locales/en.ts';
import { languages, wordsIn } from '../locales/words.ts';
import type { ProductColumn } from '../sheetColumns/productTable.ts';
import { readPastedNumbers } from './pastedNumbers.ts';

/** The columns of a product sheet that pasted columns can fill. */
export const pasteColumns = [
  'ArticleNumber',
  'EAN',
  'NewSalePrice',
  'NewStockQty',
  'NewPurchasePrice',
  'NewName',
  'CategoryName',
] as const satisfies readonly ProductColumn[];
type PasteColumn = (typeof pasteColumns)[number];

/** What a pasted column is: `unknown` until the user says it, `unused` if the user leaves it out. */
export type PasteChoice = PasteColumn | 'unknown' | 'unused';

const numberColumns: readonly PasteChoice[] = ['NewSalePrice', 'NewStockQty', 'NewPurchasePrice'];

/** A pasted text as rows and columns, and what each column seems to be. */
export type Pasted = {
  /** All of the same length; a blank line has empty cells only. */
  rows: readonly (readonly string[])[];
  guesses: readonly PasteChoice[];
};

/** A cell and what stands around it; one between quotes may have line breaks, as Excel copies it. */
const cellBefore = {
  '\t': / *"(?:[^"\t]|"")*" *(?=[\t\r\n]|$)|[^\t\r\n]*/y,
  ';': / *"(?:[^"\t]|"")*" *(?=[;\r\n]|$)|[^;\r\n]*/y,
} as const;

/** The cells of each line. */
function cellsIn(text: string, separator: keyof typeof cellBefore): string[][] {
  const cell = cellBefore[separator];
  const lines: string[][] = [[]];
  for (let at = 0; ; ) {
    cell.lastIndex = at;
    const [found] = cell.exec(text)!;
    lines.at(-1)!.push(unquoted(found));
    at += found.length;
    if (at >= text.length) return lines;
    if (text[at] !== separator) lines.push([]);
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
}

/**
 * Reads pasted text: a product on each line, with its columns separated by tabs or semicolons. Blank lines keep their
 * place, except at the end. A single line without prices is a list of article numbers.
 */
export function readPasted(text: string): Pasted {
  const filledText = text.replace(/\s+$/, '');
  if (filledText === '') return { rows: [], guesses: [] };
  const cells = cellsIn(filledText, separatorOf(text));
  const listed = listedIn(cells);
  if (listed !== undefined) return { rows: listed.map((cell) => [cell]), guesses: ['ArticleNumber'] };
  const filled = filledColumns(cells);
  const rows = cells.map((row) => filled.map((column) => row[column] ?? ''));
  const byHeading = rows[0]!.map(headed);
  if (byHeading.includes('ArticleNumber') || byHeading.includes('EAN')) {
    return { rows: rows.slice(1), guesses: byHeading.map((column) => column ?? 'unused') };
  }
  return { rows, guesses: guessed(rows) };
}

const separatorOf = (text: string): keyof typeof cellBefore => (text.includes('\t') ? '\t' : ';');

/** The article numbers of a list on a single line; undefined for columns. */
const listedIn = ([line = [], ...others]: readonly string[][]): string[] | undefined =>
  others.length > 0 || line.some(isPriceText) ? undefined : line.filter((cell) => cell !== '');

/** The positions of the columns that have something. */
const filledColumns = (cells: readonly string[][]): number[] =>
  Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, column) => column).filter((column) =>
    cells.some((row) => (row[column] ?? '') !== ''),
  );

/**
 * A pasted text with article numbers below the others, in their column. A list on a single line becomes one line each:
 * with further lines it would be columns.
 * @param choices what its columns are
 */
export function withNumbers(text: string, choices: readonly PasteChoice[], added: readonly string[]): string {
  const before = text.trimEnd();
  const separator = separatorOf(text);
  const cells = cellsIn(before, separator);
  const listed = listedIn(cells);
  if (listed !== undefined) return [...listed, ...added].join('\n');
  const place = filledColumns(cells)[choices.indexOf('ArticleNumber')] ?? 0;
  return [before, ...added.map((number) => `${separator.repeat(place)}${number}`)].join('\n');
}

/** Excel puts a cell with a quote or a line break between quotes. */
const unquoted = (cell: string): string => (/^\s*"(.*)"\s*$/s.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell).trim();

/** Whether a text has decimals or a currency, and so is no article number. */
const isPriceText = (text: string): boolean => /^(?:(?:€|EUR)\s*)?-?[\d.]*\d[.,]\d{1,2}(?:\s*(?:€|EUR))?$/i.test(text);

/** The column of a heading, in any language of the pane. */
const headed = (text: string): PasteColumn | undefined =>
  pasteColumns.find((column) =>
    languages.some((language) => wordsIn[language].headings.products[column].toLowerCase() === text.toLowerCase()),
  );

/**
 * What columns without headings are: the first one has article numbers, one with decimals has prices. Whole numbers may
 * be prices or quantities, so the user says which.
 */
function guessed(rows: readonly (readonly string[])[]): PasteChoice[] {
  const columns = rows[0]!.map((_, column) => rows.map((row) => row[column]!).filter((cell) => cell !== ''));
  const first = columns.findIndex((cells) => !cells.some(isPriceText));
  let hasPrices = false;
  return columns.map((cells, column): PasteChoice => {
    if (column === first) return 'ArticleNumber';
    if (cells.every((cell) => /^\d{13}$/.test(cell))) return 'EAN';
    if (hasPrices || !cells.some(isPriceText)) return 'unknown';
    hasPrices = true;
    return 'NewSalePrice';
  });
}

/** The values of a row for a product sheet; numbers as decimal text. */
export type PastedValues = Partial<Record<PasteColumn, string>>;

/** Why pasted columns cannot be used as they are. */
type PasteProblem =
  | { reason: 'noProduct' }
  | { reason: 'undecided' }
  | { reason: 'twice'; column: PasteColumn }
  /** Texts that are no numbers, or can be read in two ways. */
  | { reason: 'noNumber'; column: PasteColumn; first: string; line: number; count: number };

/** The rows of a product sheet from pasted columns, or what is wrong with them. */
export function rowsFromPasted(
  { rows }: Pasted,
  choices: readonly PasteChoice[],
): { values: PastedValues[]; problems: PasteProblem[] } {
  const problems: PasteProblem[] = [];
  if (rows.length === 0) return { values: [], problems };
  if (!choices.includes('ArticleNumber') && !choices.includes('EAN')) problems.push({ reason: 'noProduct' });
  if (choices.includes('unknown')) problems.push({ reason: 'undecided' });
  const values = rows.map((): PastedValues => ({}));
  for (const column of pasteColumns) {
    const places = choices.flatMap((choice, place) => (choice === column ? [place] : []));
    if (places.length > 1) problems.push({ reason: 'twice', column });
    if (places.length !== 1) continue;
    const texts = rows.map((row) => row[places[0]!]!);
    const read = numberColumns.includes(column) ? numbersIn(texts) : texts;
    const wrong = texts.flatMap((text, line) => (read[line] === undefined ? [{ text, line: line + 1 }] : []));
    if (wrong.length > 0) {
      const [{ text, line }] = wrong as [{ text: string; line: number }];
      problems.push({ reason: 'noNumber', column, first: text, line, count: wrong.length });
    }
    for (const [line, text] of read.entries()) if (text) values[line]![column] = text;
  }
  return { values, problems };
}

/** Empty cells stay empty, and do not decide how the others are read. */
function numbersIn(texts: readonly string[]): (string | undefined)[] {
  const read = readPastedNumbers(texts.filter((text) => text !== ''));
  return texts.map((text) => (text === '' ? '' : read.shift()));
}

/** The first problem in words. */
export function explainPaste([problem]: readonly PasteProblem[], { headings, pasting }: Messages): string | undefined {
  if (problem === undefined) return undefined;
  if (problem.reason === 'noProduct' || problem.reason === 'undecided') return pasting[problem.reason];
  const heading = headings.products[problem.column];
  if (problem.reason === 'twice') return pasting.twice(heading);
  return pasting.noNumber(heading, problem.first, problem.line, problem.count);
}
