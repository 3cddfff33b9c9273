import path from 'node:path';
import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { decodedText, withLineFeeds } from './decode.ts';
import { type RowSource, type SourceRow, UnreadableFile } from './source.ts';
import { fromCell } from './spreadsheetText.ts';

const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];
const delimiterNames: Readonly<Record<Delimiter, string>> = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' };

const notUtf8 = (byte: number): string =>
  `expected UTF-8; byte ${byte} is not. Save the file as "CSV UTF-8", or convert it (from Windows-1252, say)`;

/** Characters. A file without a line end in so much text is no CSV file. */
const MAX_HEADING_LENGTH = 1_000_000;

const [QUOTE, LINE_FEED, RETURN] = [34, 10, 13];

/** The columns of a sheet in Excel: no program writes more. */
const MAX_COLUMNS = 16_384;
/** Characters of a row of a file that another program wrote. */
const MAX_ROW_LENGTH = 50_000_000;
/** Characters of a row of an archive: a filed VAT return has all its documents in one cell. A text has no more room. */
const MAX_ARCHIVE_ROW_LENGTH = 500_000_000;

/**
 * Opens a CSV file: UTF-8, with or without a byte order mark, cells quoted with " where needed, any line ends.
 * @param delimiter left out: the most frequent one in the heading
 * @param verbatim for archives: keeps line ends within cells, and empty rows, and takes longer rows
 * @throws UnreadableFile, also while `rows` are read
 */
export async function readCsv(file: string, delimiter?: Delimiter, verbatim = false): Promise<RowSource> {
  const decoded = decodedText(file, 'utf-8', notUtf8);
  const text = verbatim ? decoded : withLineFeeds(decoded);
  let start = '';
  for (;;) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
    if (endOfHeading(start) !== undefined || start.length > MAX_HEADING_LENGTH) break;
  }
  const heading = start.slice(0, endOfHeading(start) ?? start.length);
  if (heading.trim() === '') throw new UnreadableFile(1, 'expected a line of headings, got an empty file');
  const separator = delimiter ?? likelyDelimiter(heading);
  const records = recordsOf(start, text, separator, verbatim);
  const first = await records.next();
  if (first.done) throw new UnreadableFile(1, 'expected a line of headings, got an empty file');
  return {
    file: path.basename(file),
    headings: first.value.cells.map((cell) => cell.trim()),
    headingLine: first.value.line,
    csv: { heading, delimiter: separator },
    rows: records,
  };
}

/** The end of the heading: the first line feed outside quotes. */
function endOfHeading(text: string): number | undefined {
  let quoted = false;
  let begun = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') quoted = !quoted;
    else if (character === '\n' && !quoted) {
      if (begun) return index;
      continue;
    }
    begun = true;
  }
  return undefined;
}

/** The most frequent delimiter outside quotes and brackets; else the comma. */
function likelyDelimiter(heading: string): Delimiter {
  const outside = heading.replace(/"[^"]*"/g, '').replace(/\([^()]*\)/g, '');
  const count = (delimiter: Delimiter) => outside.split(delimiter).length;
  return delimiters.reduce((most, delimiter) => (count(delimiter) > count(most) ? delimiter : most));
}

async function* recordsOf(
  start: string,
  rest: AsyncGenerator<string>,
  delimiter: Delimiter,
  verbatim: boolean,
): AsyncGenerator<SourceRow, void> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
  });
  const text = Readable.from(
    counted(joined(start, rest), delimiter, verbatim ? MAX_ARCHIVE_ROW_LENGTH : MAX_ROW_LENGTH),
  );
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let ended = 0;
  // The parser counts a line end of two characters in a cell as two lines: these are too many.
  let tooMany = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      // The parser counts to the end of a record: the record began as many lines before as its cells have line ends.
      let within = 0;
      for (const cell of record) {
        if (!/[\r\n]/.test(cell)) continue;
        within += cell.match(/\r\n?|\n/g)!.length;
        tooMany += cell.match(/\r\n/g)?.length ?? 0;
      }
      ended = info.lines - tooMany;
      if (verbatim || record.some((cell) => cell.trim() !== ''))
        yield { line: ended - within, cells: record.map(fromCell) };
    }
  } catch (error) {
    if (error instanceof CsvError) {
      // An unclosed quote is found at the end of the file. It is in the row after the last good one.
      const line =
        error.code === 'CSV_QUOTE_NOT_CLOSED' ? ended + 1 : Number((error as { lines?: number }).lines ?? 1) - tooMany;
      throw new UnreadableFile(line, quoteProblem(error, delimiter), { cause: error });
    }
    throw error;
  } finally {
    text.destroy();
  }
}

async function* joined(start: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  // An empty piece would end a stream of text.
  if (start !== '') yield start.replace(/^\ufeff/, '');
  for await (const piece of rest) if (piece !== '') yield piece;
}

/**
 * Text in pieces, whose rows are measured before the parser makes cells of them.
 * @throws UnreadableFile
 */
async function* counted(
  pieces: AsyncIterable<string>,
  delimiter: Delimiter,
  maxLength: number,
): AsyncGenerator<string> {
  const separator = delimiter.charCodeAt(0);
  let [line, columns, length] = [1, 1, 0];
  let quoted = false;
  for await (const piece of pieces) {
    for (let index = 0; index < piece.length; index++) {
      const code = piece.charCodeAt(index);
      length++;
      if (code === QUOTE) quoted = !quoted;
      else if (code === separator && !quoted) columns++;
      else if (code === LINE_FEED || code === RETURN) {
        if (code === LINE_FEED) line++;
        if (!quoted) columns = 1;
        if (!quoted) length = 0;
      }
      if (columns > MAX_COLUMNS) {
        throw new UnreadableFile(line, `expected at most ${MAX_COLUMNS.toLocaleString('en')} columns, got more`);
      }
    }
    if (length > maxLength) {
      const most = maxLength.toLocaleString('en');
      throw new UnreadableFile(line, `expected at most ${most} characters in a row, got more: is a " not closed?`);
    }
    yield piece;
  }
}

function quoteProblem(error: CsvError, delimiter: Delimiter): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'expected a " that ends the quoted cell; the file ends first';
    case 'INVALID_OPENING_QUOTE':
      return 'expected a cell with " in it to be quoted as a whole, its " doubled';
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `expected ${delimiterNames[delimiter]} or a line end after the " that ends a cell; a " within a cell is doubled`;
    default:
      return error.message;
  }
}
