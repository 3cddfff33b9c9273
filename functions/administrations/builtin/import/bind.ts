import { DECIMAL_SCALE, decimalText, units } from '../../../../shared/money.ts';
import type { ValueKind } from '../../../../shared/wire/valueKind.ts';
import { type Column, type Columns, isRefused, type ReadOptions, type ValuesOf } from '../files/column.ts';
import { wordMeant } from '../files/dutchWords.ts';
import { type Report, refuseRepeated } from '../files/readRows.ts';
import type { CellKind, SourceRow } from '../files/source.ts';
import { type HeadedFile, headingAdvice, joinedHeadingAdvice } from './headings.ts';

/** How the columns and words of a file are mapped to ours. */
export type Mapping = ReadOptions & {
  /** Column of ours -> heading in the file. */
  columns: ReadonlyMap<string, string>;
  /** Column of ours -> its value in every row, for a column that the file lacks. */
  constants: ReadonlyMap<string, string>;
  /** Column of ours -> word in the file -> word of ours. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Heading in the file -> the words of the rows to import; other rows are left out. */
  only: ReadonlyMap<string, ReadonlySet<string>>;
};

export const plainMapping: Mapping = {
  decimalComma: false,
  columns: new Map(),
  constants: new Map(),
  values: new Map(),
  only: new Map(),
};

/** A row of a file, by the columns of its resource. */
export type ImportRow<Table extends Columns = Columns> = {
  line: number;
  values: ValuesOf<Table>;
  /** The columns with refused values, which are reported. */
  bad: ReadonlySet<string>;
  /** The text of a cell, without surrounding spaces. */
  cell(column: keyof Table & string): string;
};

type Binding<Table extends Columns> = {
  /** Whether the file (or a constant) has a column. */
  has: (column: keyof Table & string) => boolean;
  /** Unknown headings. */
  unknown: string[];
  /** Reads a row with a cell for each heading, and reports refused cells. */
  read: (row: SourceRow) => ImportRow<Table> | 'left out';
};

/**
 * Binds the headings of a file to the columns of a resource.
 * @param headings of the file, with our names where they are recognised
 * @returns undefined when headings or mapping are wrong, which is reported
 */
export function bind<Table extends Columns>(
  source: HeadedFile,
  headings: readonly string[],
  columns: Table,
  mapping: Mapping,
  report: Report,
): Binding<Table> | undefined {
  let wrong = false;
  const refuse = (column: string, message: string) => {
    wrong = true;
    report(source.headingLine, column, message);
  };
  checkMapping(source, headings, columns, mapping, refuse);
  const { constants } = mapping;
  const places = headings.map((heading) => (Object.hasOwn(columns, heading) ? heading : undefined));
  const has = (column: string) => headings.includes(column) || constants.has(column);
  const missing = Object.entries(columns).flatMap(([name, { required }]) => (required && !has(name) ? name : []));
  if (missing.length > 0) refuse('', headingAdvice(source, mapping, columns, missing));
  if (wrong) return undefined;

  const filters = [...mapping.only].map(([heading, words]) => ({ index: source.headings.indexOf(heading), words }));
  const entries = Object.entries(columns).filter(([name]) => has(name));
  const indexes = new Map(places.flatMap((name, index) => (name === undefined ? [] : [[name, index] as const])));
  return {
    has,
    unknown: source.headings.filter(
      (heading, index) => heading !== '' && places[index] === undefined && !mapping.only.has(heading),
    ),
    read: ({ line, cells, kinds }) => {
      if (filters.some(({ index, words }) => !words.has(cells[index]!.trim()))) return 'left out';
      const cell = (name: string): string => {
        const index = indexes.get(name);
        return index === undefined ? (constants.get(name) ?? '') : cells[index]!.trim();
      };
      const values: Record<string, unknown> = {};
      const bad = new Set<string>();
      const refuseCell = (name: string, message: string) => {
        bad.add(name);
        report(line, name, message);
      };
      for (const [name, column] of entries) {
        const original = cell(name);
        const text = mapping.values.get(name)?.get(original) ?? original;
        if (text === '') {
          if (column.required) refuseCell(name, 'is required, got an empty cell');
          continue;
        }
        const kind = kinds?.[indexes.get(name) ?? -1];
        // A replaced word is not from the workbook.
        const mismatch = kind === undefined || text !== original ? undefined : mismatchOf(column, kind, original);
        // A number of a workbook has a decimal point, whatever the workbook shows.
        const options = kind === undefined || kind === 'text' ? mapping : { decimalComma: false };
        const value = mismatch ?? readText(column, text, options);
        if (isRefused(value)) refuseCell(name, value.refused);
        else values[name] = value;
      }
      return { line, values: values as ValuesOf<Table>, bad, cell };
    },
  };
}

/** Reports what in a mapping does not fit the file or the columns. */
function checkMapping(
  source: HeadedFile,
  headings: readonly string[],
  columns: Columns,
  mapping: Mapping,
  refuse: (column: string, message: string) => void,
): void {
  const refusalOf = (column: string, text: string): string | undefined => {
    const value = text === '' ? text : readText(columns[column]!, text, mapping);
    return isRefused(value) ? value.refused : undefined;
  };
  for (const [column, heading] of mapping.columns) {
    if (!source.headings.includes(heading)) refuse(column, `expected a column with the heading "${heading}"`);
    else if (!Object.hasOwn(columns, column))
      refuse(column, `is "${heading}" in the file, but there is no such column`);
  }
  for (const heading of mapping.only.keys()) {
    if (!source.headings.includes(heading)) refuse(heading, 'expected a column with this heading');
  }
  refuseRepeated(headings, refuse);
  source.headings.forEach((heading, index) => {
    const column = headings[index]!;
    if (column === heading || mapping.columns.has(column)) return;
    const advice = joinedHeadingAdvice(source, heading, column, columns);
    if (advice !== undefined) refuse('', advice);
  });
  for (const [column, value] of mapping.constants) {
    if (headings.includes(column)) refuse(column, 'is set to one value, but the file has this column');
    else if (!Object.hasOwn(columns, column)) refuse(column, 'is set to one value, but there is no such column');
    else {
      const wrong = refusalOf(column, value);
      if (wrong !== undefined) refuse(column, `is set to one value: ${wrong}`);
    }
  }
  for (const [column, words] of mapping.values) {
    if (!Object.hasOwn(columns, column)) {
      refuse(column, 'has words to be replaced, but there is no such column');
      continue;
    }
    for (const [word, ours] of words) {
      const wrong = refusalOf(column, ours);
      if (wrong !== undefined) refuse(column, `the replacement of "${word}": ${wrong}`);
    }
  }
}

/** Reads a text by its column, in our words or in Dutch ones. */
const readText = ({ read, words }: Column, text: string, options: ReadOptions): unknown =>
  read(words === undefined ? text : wordMeant(text, words), options);

/** Whether every character of a value counts, as of an article number: a cell may have lost some. */
const isExact: Readonly<Record<ValueKind, boolean>> = {
  text: true,
  choice: true,
  long: true,
  integer: true,
  boolean: true,
  date: false,
  decimal: false,
};

/** Why a cell of a workbook does not fit its column: Excel has changed the typed text, or shows another value. */
function mismatchOf(column: Column, kind: CellKind, text: string): { refused: string } | undefined {
  if (isExact[column.kind] && kind === 'inexact number') {
    const advice = 'format the column as Text and fill it again from the source';
    return { refused: `expected a text; as a number, ${text}, it has lost digits past the fifteenth: ${advice}` };
  }
  if (column.kind !== 'date' && kind === 'date') {
    return { refused: `expected no date, got ${text}: format the column as Text and type it again` };
  }
  if (column.isPercentage && (kind === 'number' || kind === 'inexact number')) {
    // A workbook stores 21% as 0.21. Number formats are not read.
    const share = Number(text);
    if (share <= 0 || share >= 1) return undefined;
    const shown = decimalText(units(text, DECIMAL_SCALE) * 100n, DECIMAL_SCALE);
    const advice = `write ${shown}, or, if ${text}% is meant, format the column as Text and type ${text}`;
    return {
      refused: `expected a percentage such as 21, got the number ${text}, which a workbook may show as ${shown}%: ${advice}`,
    };
  }
  return undefined;
}
