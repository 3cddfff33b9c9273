import type { Columns } from '../files/column.ts';
import { columnsMeant, headingsMeaning, plainLetters } from '../files/dutchWords.ts';
import type { RowSource } from '../files/source.ts';
import type { Mapping } from './bind.ts';

/** What there is of a file before its rows are. */
export type Headed = Pick<RowSource, 'headings' | 'headingLine' | 'csv'>;

/**
 * The headings of a file as they will be known: by our columns where the mapping says so, where a heading is one but for
 * capitals and punctuation, or where it is a usual Dutch word for one. Any other stays as it is.
 */
export function ourHeadings({ headings }: Headed, mapping: Mapping, columns: Columns): string[] {
  const ours = new Map([...mapping.columns].map(([column, heading]) => [heading, column]));
  const known = headings.map((heading) => ours.get(heading) ?? heading);
  const isColumn = (name: string) => Object.hasOwn(columns, name);
  const taken = new Set([...known.filter(isColumn), ...mapping.columns.keys(), ...mapping.constants.keys()]);
  const byLetters = new Map(Object.keys(columns).map((column) => [plainLetters(column), column]));
  const meant = known.map((name, index) => {
    if (isColumn(name) || ours.has(headings[index]!)) return [];
    const same = byLetters.get(plainLetters(name));
    return [...(same === undefined ? [] : [same]), ...columnsMeant(name).filter(isColumn)];
  });
  const most = Math.max(0, ...meant.map(({ length }) => length));
  for (let choice = 0; choice < most; choice++) {
    meant.forEach((candidates, index) => {
      const candidate = candidates[choice];
      if (candidate === undefined || isColumn(known[index]!) || taken.has(candidate)) return;
      known[index] = candidate;
      taken.add(candidate);
    });
  }
  // Where a column must be there, a heading that may mean it does, though it would rather mean another.
  for (const [column, { required }] of Object.entries(columns)) {
    if (!required || taken.has(column)) continue;
    const index = meant.findIndex((candidates, at) => candidates.includes(column) && !columns[known[at]!]?.required);
    if (index >= 0) known[index] = column;
  }
  return known;
}

const delimiterNames: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/**
 * What to do about columns a file lacks, in one sentence: another delimiter where that would show more of them, else which
 * heading may be meant by which.
 */
export function headingAdvice(source: Headed, mapping: Mapping, columns: Columns, missing: readonly string[]): string {
  const what = missing.length === 1 ? `the column ${missing[0]}` : `the columns ${listed(missing)}`;
  const lacking = `expected ${what}, which the file does not have`;
  return `${lacking}. ${delimiterAdvice(source, mapping, columns) ?? mappingAdvice(source, mapping, columns, missing)}`;
}

function delimiterAdvice({ csv, headingLine }: Headed, mapping: Mapping, columns: Columns): string | undefined {
  if (csv === undefined) return undefined;
  const recognised = (delimiter: string) => {
    const headings = csv.heading.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/s, '$1'));
    const known = ourHeadings({ headings, headingLine }, mapping, columns);
    return { delimiter, known: known.filter((name) => Object.hasOwn(columns, name)).length, cells: headings.length };
  };
  const now = recognised(csv.delimiter);
  const [best] = [',', ';', '\t', '|']
    .map(recognised)
    .filter(({ known, cells }) => known > now.known || (now.cells === 1 && cells > 1 && known === now.known))
    .sort((a, b) => b.known - a.known || b.cells - a.cells);
  if (best === undefined) return undefined;
  const shown = (delimiter: string) => (delimiter === '\t' ? 'tabs' : `"${delimiter}"`);
  const seen = `Its headings look parted by ${shown(best.delimiter)}, not by ${shown(csv.delimiter)}`;
  const option = delimiterNames[best.delimiter];
  return option === undefined
    ? `${seen}: save it with commas, semicolons or tabs`
    : `${seen}: say --delimiter ${option}`;
}

function mappingAdvice(source: Headed, mapping: Mapping, columns: Columns, missing: readonly string[]): string {
  const known = ourHeadings(source, mapping, columns);
  const unknown = source.headings.filter((heading, index) => heading !== '' && !Object.hasOwn(columns, known[index]!));
  if (unknown.length === 0) {
    return `Add ${missing.length === 1 ? 'it' : 'them'}, or give every row one value: --set "${missing[0]}=..."`;
  }
  const left = new Set(unknown);
  const pairs = missing.map((column) => {
    const heading = resembling(column, [...left]);
    if (heading !== undefined) left.delete(heading);
    return `${column}=${heading ?? '...'}`;
  });
  const headings = unknown.slice(0, 20).map((heading) => `"${heading}"`);
  return [
    `Its headings ${listed(headings)}${unknown.length > 20 ? ' and others' : ''} are not known here.`,
    `Say which are meant: --columns "${pairs.join(',')}", or give every row one value: --set "${missing[0]}=..."`,
  ].join(' ');
}

const listed = (names: readonly string[]): string => new Intl.ListFormat('en', { style: 'long' }).format(names);

/** How much two texts must have in common to be named together. */
const MIN_RESEMBLANCE = 0.4;

/** The heading most like a column, or like a word for it. */
function resembling(column: string, headings: readonly string[]): string | undefined {
  const words = [column, ...headingsMeaning(column)].map(plainLetters);
  const [best] = headings
    .map((heading) => ({ heading, score: Math.max(...words.map((word) => resemblance(plainLetters(heading), word))) }))
    .sort((a, b) => b.score - a.score);
  return best !== undefined && best.score >= MIN_RESEMBLANCE ? best.heading : undefined;
}

/** How alike two texts are, from 0 to 1: an abbreviation is nearly the same; else by the pairs of letters they share. */
function resemblance(given: string, word: string): number {
  if (given.length < 2) return 0;
  const isAbbreviation = given[0] === word[0] && new RegExp([...given].join('.*')).test(word);
  if (isAbbreviation || given.includes(word)) return 0.9;
  const pairsOf = (text: string) => new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
  const [ours, theirs] = [pairsOf(word), pairsOf(given)];
  const shared = [...theirs].filter((pair) => ours.has(pair)).length;
  return (2 * shared) / (ours.size + theirs.size);
}
