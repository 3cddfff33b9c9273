import type { Columns } from '../files/column.ts';
import { columnsMeant, headingsMeaning, plainLetters } from '../files/dutchWords.ts';
import type { RowSource } from '../files/source.ts';
import type { Mapping } from './bind.ts';

/** A file before its rows are read. */
export type HeadedFile = Pick<RowSource, 'headings' | 'headingLine' | 'csv'>;

/**
 * The headings of a file, with the names of our columns where they are recognised: by the mapping, by a name with other
 * capitals and punctuation, or by a usual Dutch word.
 */
export function ourHeadings({ headings }: HeadedFile, mapping: Mapping, columns: Columns): string[] {
  const ours = new Map([...mapping.columns].map(([column, heading]) => [heading, column]));
  const known = headings.map((heading) => ours.get(heading) ?? heading);
  const isColumn = (name: string) => Object.hasOwn(columns, name);
  const taken = new Set([...known.filter(isColumn), ...mapping.columns.keys(), ...mapping.constants.keys()]);
  const byLetters = new Map(Object.keys(columns).map((column) => [plainLetters(column), column]));
  const possible = known.map((name, index) => {
    if (isColumn(name) || ours.has(headings[index]!)) return [];
    const same = byLetters.get(plainLetters(name));
    return [...(same === undefined ? [] : [same]), ...columnsMeant(name).filter(isColumn)];
  });
  const maxChoices = Math.max(0, ...possible.map(({ length }) => length));
  for (let choice = 0; choice < maxChoices; choice++) {
    possible.forEach((candidates, index) => {
      const candidate = candidates[choice];
      if (candidate === undefined || isColumn(known[index]!) || taken.has(candidate)) return;
      known[index] = candidate;
      taken.add(candidate);
    });
  }
  // A required column gets a heading that may mean it, even if another column would be more likely.
  for (const [column, { required }] of Object.entries(columns)) {
    if (!required || taken.has(column)) continue;
    const index = possible.findIndex((candidates, at) => candidates.includes(column) && !columns[known[at]!]?.required);
    if (index >= 0) known[index] = column;
  }
  return known;
}

const delimiterNames: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** What may stand between the columns of a file, whether it is read or not. */
const delimiters = [',', ';', '\t', '|'] as const;

/**
 * Why a heading that was recognised as a column may be several columns: without its punctuation `Naam|Klant` is a word
 * for a name. undefined when it cannot.
 */
export function joinedHeadingAdvice(
  { csv }: HeadedFile,
  heading: string,
  column: string,
  columns: Columns,
): string | undefined {
  const letters = new Set(Object.keys(columns).map(plainLetters));
  const isHeading = (text: string) => letters.has(plainLetters(text)) || columnsMeant(text).length > 0;
  const found = delimiters.find((delimiter) => {
    const parts = heading.split(delimiter);
    return parts.length > 1 && parts.some(isHeading);
  });
  if (found === undefined) return undefined;
  const seen = `expected one column, got the heading ${JSON.stringify(heading)}`;
  const spread =
    csv === undefined
      ? `Several columns seem to stand in one, with ${shown(found)} between them: spread them (in Excel: Text to Columns)`
      : separatedBy(found, csv.delimiter);
  return `${seen}. ${spread}. If it is one column, say so: --columns "${column}=${heading}"`;
}

const shown = (delimiter: string): string => (delimiter === '\t' ? 'tabs' : `"${delimiter}"`);

function separatedBy(delimiter: string, expected: string): string {
  const seen = `Its headings seem separated by ${shown(delimiter)}, not by ${shown(expected)}`;
  const option = delimiterNames[delimiter];
  return option === undefined
    ? `${seen}: save it with commas, semicolons or tabs`
    : `${seen}: say --delimiter ${option}`;
}

/** Advice about missing columns: another delimiter if that would give more of them, else a mapping of headings. */
export function headingAdvice(
  source: HeadedFile,
  mapping: Mapping,
  columns: Columns,
  missing: readonly string[],
): string {
  const what = missing.length === 1 ? `the column ${missing[0]}` : `the columns ${listed(missing)}`;
  const lacking = `expected ${what}, which the file does not have`;
  return `${lacking}. ${delimiterAdvice(source, mapping, columns) ?? mappingAdvice(source, mapping, columns, missing)}`;
}

function delimiterAdvice({ csv, headingLine }: HeadedFile, mapping: Mapping, columns: Columns): string | undefined {
  if (csv === undefined) return undefined;
  const recognised = (delimiter: string) => {
    const headings = csv.heading.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/s, '$1'));
    const known = ourHeadings({ headings, headingLine }, mapping, columns);
    return { delimiter, known: known.filter((name) => Object.hasOwn(columns, name)).length, cells: headings.length };
  };
  const now = recognised(csv.delimiter);
  const [best] = delimiters
    .map(recognised)
    .filter(({ known, cells }) => known > now.known || (now.cells === 1 && cells > 1 && known === now.known))
    .sort((a, b) => b.known - a.known || b.cells - a.cells);
  if (best === undefined) return undefined;
  return separatedBy(best.delimiter, csv.delimiter);
}

function mappingAdvice(source: HeadedFile, mapping: Mapping, columns: Columns, missing: readonly string[]): string {
  const known = ourHeadings(source, mapping, columns);
  const unknown = source.headings.filter((heading, index) => heading !== '' && !Object.hasOwn(columns, known[index]!));
  if (unknown.length === 0) {
    return `Add ${missing.length === 1 ? 'it' : 'them'}, or give every row one value: --set "${missing[0]}=..."`;
  }
  const remaining = new Set(unknown);
  const pairs = missing.map((column) => {
    const heading = resembling(column, [...remaining]);
    if (heading !== undefined) remaining.delete(heading);
    return `${column}=${heading ?? '...'}`;
  });
  const headings = unknown.slice(0, 20).map((heading) => `"${heading}"`);
  const unlike = pairs.find((pair) => pair.endsWith('=...'));
  const others = unknown.length > 20 ? ' and others' : '';
  const orSet = unlike === undefined ? '' : `, or give every row one value: --set "${unlike}"`;
  return `Its headings ${listed(headings)}${others} are not known here. Say which are meant: --columns "${pairs.join(',')}"${orSet}`;
}

const listed = (names: readonly string[]): string => new Intl.ListFormat('en', { style: 'long' }).format(names);

/** The resemblance from which a heading is suggested for a column. */
const MIN_RESEMBLANCE = 0.4;

/** The heading that resembles a column, or a word for it, most. */
function resembling(column: string, headings: readonly string[]): string | undefined {
  const words = [column, ...headingsMeaning(column)].map(plainLetters);
  const [best] = headings
    .map((heading) => ({ heading, score: Math.max(...words.map((word) => resemblance(plainLetters(heading), word))) }))
    .sort((a, b) => b.score - a.score);
  return best !== undefined && best.score >= MIN_RESEMBLANCE ? best.heading : undefined;
}

/** The resemblance of two texts from 0 to 1: 0.9 for an abbreviation, else by common pairs of letters. */
function resemblance(heading: string, word: string): number {
  if (heading.length < 2) return 0;
  const isAbbreviation = heading[0] === word[0] && new RegExp([...heading].join('.*')).test(word);
  if (isAbbreviation || heading.includes(word)) return 0.9;
  const pairsOf = (text: string) => new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
  const [ours, theirs] = [pairsOf(word), pairsOf(heading)];
  const shared = [...theirs].filter((pair) => ours.has(pair)).length;
  return (2 * shared) / (ours.size + theirs.size);
}
