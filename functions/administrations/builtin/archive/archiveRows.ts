import path from 'node:path';
import { isRefused } from '../files/column.ts';
import { fieldOfHeading, isCustomHeading, labelExpected, type NewField } from '../files/customHeadings.ts';
import { type Adds, type Amounts, asFirst, wrongAmounts } from '../files/documentAmounts.ts';
import { addProblem, type ImportProblem } from '../files/problems.ts';
import { readCsv } from '../files/readCsv.ts';
import { type Report, readCell, readRows, refuseRepeated } from '../files/readRows.ts';
import { type RowSource, type SourceRow, UnreadableFile } from '../files/source.ts';
import {
  type ArchiveFile,
  ATTACHMENT_FILE,
  archiveFiles,
  type Field,
  LINE_NUMBER,
  type PositionedPart,
  type Target,
} from './archive.ts';
import type { Value } from './filedColumn.ts';

/** A row of a table that is to be stored: its values, and by field the keys of the rows it refers to. */
export type TableRow = { line: number; values: Record<string, Value>; names: Map<Field, Value> };

/** A row of the file's table with the rows of its parts, from one or more lines. */
export type ArchiveRow = TableRow & {
  /** The file of an attachment; "" for none. */
  attachment: string;
  parts: Map<PositionedPart, TableRow[]>;
  /** Its custom fields that are not empty, by their index among those of the file. */
  custom: { field: number; value: string }[];
};

type OpenArchiveFile = {
  /** Lines of the file that were read, without those that were refused. */
  count: () => number;
  customFields: readonly NewField[];
  rows: AsyncGenerator<ArchiveRow>;
};

/**
 * Opens a file of an exported administration. Every cell is read with the spaces around it.
 * @returns undefined when it cannot be read or has other headings, which is reported
 */
export async function openArchiveFile(
  folder: string,
  file: ArchiveFile,
  problems: ImportProblem[],
): Promise<OpenArchiveFile | undefined> {
  const report: Report = (line, column, message) => {
    addProblem(problems, problemOf(file.file, line, column, message));
  };
  let source: RowSource;
  try {
    source = await readCsv(path.join(folder, file.file), undefined, true);
  } catch (error) {
    if (error instanceof UnreadableFile) report(error.line, '', error.message);
    else if ((error as NodeJS.ErrnoException).code !== undefined) report(1, '', (error as Error).message);
    else throw error;
    return undefined;
  }
  const layout = layoutOf(file, source, report);
  if (layout === undefined) return undefined;
  let count = 0;
  const lines = (async function* () {
    for await (const row of readRows(source, report)) {
      count++;
      yield row;
    }
  })();
  return {
    count: () => count,
    customFields: layout.custom.fields,
    rows: rowsOf(file, layout, lines, report),
  };
}

/** An archive has its numbers in one form. */
const PLAIN = { decimalComma: false };

/** The columns of a file by their purpose. */
type Layout = {
  indexes: ReadonlyMap<string, number>;
  lines: { part: PositionedPart; adds: Adds } | undefined;
  columns: { part: PositionedPart; prefixes: string[] }[];
  custom: { headings: string[]; fields: NewField[] };
};

/** @returns undefined when the headings are wrong, which is reported */
function layoutOf(file: ArchiveFile, source: RowSource, report: Report): Layout | undefined {
  const { headings, headingLine } = source;
  const layout: Layout = {
    indexes: new Map(headings.map((heading, index) => [heading, index])),
    lines: undefined,
    columns: [],
    custom: { headings: [], fields: [] },
  };
  const expected = file.fields.map(({ heading }) => heading);
  if (file.table === 'attachment') expected.push(ATTACHMENT_FILE);
  let sound = true;
  const refuse = (heading: string, message: string) => {
    sound = false;
    report(headingLine, heading, message);
  };
  for (const part of file.parts) {
    if (part.as === 'custom fields') {
      const customHeadings = headings.filter(isCustomHeading);
      expected.push(...customHeadings);
      const fields = customHeadings.flatMap((heading) => {
        const field = fieldOfHeading(part.of, heading);
        if (field === undefined) refuse(heading, labelExpected);
        return field ?? [];
      });
      fields.forEach(({ label }, index) => {
        if (fields.findIndex((one) => one.label === label) >= index) return;
        refuse(customHeadings[index]!, 'expected this field once');
      });
      layout.custom = { headings: customHeadings, fields };
    } else if ('lines' in part.as) {
      expected.push(LINE_NUMBER, ...part.fields.map(({ heading }) => heading));
      layout.lines = { part, adds: part.as.lines };
    } else {
      const prefixes = prefixesOf(part.as.columns, headings);
      expected.push(...prefixes.flatMap((prefix) => part.fields.map(({ heading }) => prefix + heading)));
      layout.columns.push({ part, prefixes });
    }
  }
  for (const heading of expected) {
    if (!layout.indexes.has(heading)) refuse(heading, 'is required: the file has no such column');
  }
  for (const heading of new Set(headings)) if (!expected.includes(heading)) refuse(heading, 'is not known here');
  refuseRepeated(headings, refuse);
  return sound ? layout : undefined;
}

/** The prefixes Contact_, Contact2_ and so on that a file has. */
function prefixesOf(name: string, headings: readonly string[]): string[] {
  const found = new Set<number>();
  for (const heading of headings) {
    const [, place] = new RegExp(`^${name}(|[2-9]|[1-9]\\d+)_`).exec(heading) ?? [];
    if (place !== undefined) found.add(place === '' ? 1 : Number(place));
  }
  return [...found].sort((a, b) => a - b).map((place) => `${name}${place === 1 ? '' : place}_`);
}

/** The rows of a file; a row of several lines follows when the line after its last was read. */
async function* rowsOf(
  file: ArchiveFile,
  { indexes, lines, columns, custom }: Layout,
  source: AsyncIterable<SourceRow>,
  report: Report,
): AsyncGenerator<ArchiveRow> {
  const cellsOf =
    ({ cells }: SourceRow) =>
    (heading: string) =>
      cells[indexes.get(heading)!]!;
  const [{ heading: key }] = file.fields as [Field];
  const first = (row: SourceRow): ArchiveRow => {
    const cell = cellsOf(row);
    const parts = new Map<PositionedPart, TableRow[]>();
    for (const { part, prefixes } of columns) {
      const filled = prefixes.filter((prefix) => part.fields.some(({ heading }) => cell(prefix + heading) !== ''));
      const rows = filled.map((prefix, position) =>
        tableRow(row.line, part.fields, cell, report, { prefix, position }),
      );
      parts.set(part, rows);
    }
    return {
      ...tableRow(row.line, file.fields, cell, report),
      attachment: file.table === 'attachment' ? cell(ATTACHMENT_FILE) : '',
      parts,
      custom: custom.headings.flatMap((heading, field) => {
        const value = cell(heading);
        return value === '' ? [] : { field, value };
      }),
    };
  };
  if (lines === undefined) {
    for await (const row of source) yield first(row);
    return;
  }

  const { part, adds } = lines;
  let open: { row: ArchiveRow; source: SourceRow } | undefined;
  const linesOf = (row: ArchiveRow): TableRow[] => row.parts.get(part)!;
  const complete = ({ row }: NonNullable<typeof open>): ArchiveRow => {
    const amounts = linesOf(row).map((line) => amountsOf(line, part.fields));
    // A row with a wrong cell may lack amounts.
    if (isWhole(row, file.fields) && linesOf(row).every((line) => isWhole(line, part.fields))) {
      for (const wrong of wrongAmounts(amountsOf(row, file.fields), amounts, adds)) {
        report(wrong.line, wrong.column, wrong.message);
      }
    }
    return row;
  };
  for await (const row of source) {
    const cell = cellsOf(row);
    const number = cell(LINE_NUMBER).trim();
    if (open === undefined || cell(key) !== cellsOf(open.source)(key) || number === '1') {
      if (open !== undefined) yield complete(open);
      open = { row: first(row), source: row };
      open.row.parts.set(part, []);
    } else {
      for (const { heading } of file.fields) {
        const [repeated, expected] = [cell(heading), cellsOf(open.source)(heading)];
        if (repeated !== '' && repeated !== expected) report(row.line, heading, asFirst(expected, repeated));
      }
    }
    // A document without lines has a row too.
    if (
      open.source === row &&
      [LINE_NUMBER, ...part.fields.map(({ heading }) => heading)].every((heading) => cell(heading) === '')
    )
      continue;
    const lines = linesOf(open.row);
    if (number !== String(lines.length + 1)) {
      const expected = `${lines.length + 1}, as the lines of a document are counted`;
      report(row.line, LINE_NUMBER, `expected ${expected}, got ${JSON.stringify(number)}`);
    }
    lines.push(tableRow(row.line, part.fields, cell, report, { position: lines.length }));
  }
  if (open !== undefined) yield complete(open);
}

const isWhole = ({ values }: TableRow, fields: readonly Field[]): boolean =>
  fields.every(({ column }) => values[column] !== undefined);

/** The amounts of a row under their headings. */
const amountsOf = ({ line, values }: TableRow, fields: readonly Field[]): Amounts => ({
  line,
  amount: (heading) => {
    const field = fields.find((one) => one.heading === heading);
    return field === undefined ? undefined : (values[field.column] as bigint | undefined);
  },
});

/** The values of some fields; what is wrong with them is reported. */
function tableRow(
  line: number,
  fields: readonly Field[],
  cell: (heading: string) => string,
  report: Report,
  { prefix = '', position }: { prefix?: string; position?: number } = {},
): TableRow {
  const values: Record<string, Value> = position === undefined ? {} : { position: BigInt(position) };
  const names = new Map<Field, Value>();
  for (const field of fields) {
    const heading = prefix + field.heading;
    const text = cell(heading);
    if ('to' in field) {
      const name = text === '' ? null : 'place' in field.to ? placeIn(text) : field.to.filed.read(text, PLAIN);
      if (name === undefined || isRefused(name)) {
        report(line, heading, `expected ${referenceExpected(field.to)}, got ${JSON.stringify(text)}`);
      } else names.set(field, name);
      values[field.column] = null;
      continue;
    }
    const value = readCell(field.filed, text, PLAIN, (message) => report(line, heading, message));
    if (value !== undefined) values[field.column] = value;
  }
  return { line, values, names };
}

const placeIn = (cell: string): bigint | undefined => (/^[1-9]\d{0,14}$/.test(cell) ? BigInt(cell) : undefined);

/** The expected content of a cell that refers to a row. */
export const referenceExpected = (target: Target): string => {
  const { file } = archiveFiles.find((one) => one.table === target.table)!;
  return 'place' in target ? `the place of one of ${file}` : `one of ${file}`;
};

export const problemOf = (file: string, line: number, column: string, message: string): ImportProblem => ({
  file,
  line,
  column,
  message,
  place: `${file}:${line}`,
});
