import path from 'node:path';
import readWorkbook from 'read-excel-file/node';
import { columnLetters } from '../../../../shared/spreadsheet.ts';
import { readDecimal } from '../../../../shared/wire/decimal.ts';
import { type CellKind, type RowSource, type SourceRow, UnreadableFile } from './source.ts';
import { fromCell } from './spreadsheetText.ts';
import { measuredWorkbook } from './workbookSize.ts';

const MAX_DIGITS = 15;

/** A number as the file writes it: a float would change it. */
class WrittenNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Opens a workbook. The first row that is not empty has the headings; a formula has its stored result. The whole sheet is
 * held in memory.
 * @param sheet its name; left out: the first
 * @throws UnreadableFile
 */
export async function readXlsx(file: string, sheet?: string): Promise<RowSource> {
  const sheets = await readSheets(file);
  const found = sheet === undefined ? sheets[0] : sheets.find(({ sheet: name }) => name === sheet);
  if (found === undefined) {
    const names = sheets.map(({ sheet: name }) => `"${name}"`).join(', ');
    throw new UnreadableFile(1, `expected a sheet "${sheet}", got ${names}`);
  }
  const heading = found.data.findIndex((row) => row.some((cell) => cell !== null && cell !== ''));
  if (heading === -1) throw new UnreadableFile(1, `expected a row of headings, got the empty sheet "${found.sheet}"`);
  const name = path.basename(file);
  return {
    file: name,
    headings: found.data[heading]!.map((cell) => cellOf(cell).text.trim()),
    headingLine: heading + 1,
    place: (line, column) =>
      `${name}, sheet "${found.sheet}", row ${line}${column === undefined ? '' : `, column ${columnLetters(column)}`}`,
    rows: (async function* (): AsyncGenerator<SourceRow> {
      for (let index = heading + 1; index < found.data.length; index++) {
        const cells = found.data[index]!.map(cellOf);
        if (cells.every(({ text }) => text.trim() === '')) continue;
        yield { line: index + 1, cells: cells.map(({ text }) => text), kinds: cells.map(({ kind }) => kind) };
      }
    })(),
  };
}

async function readSheets(file: string) {
  const measured = await measuredWorkbook(file);
  try {
    return await readWorkbook(measured ?? file, { trim: false, parseNumber: (text) => new WrittenNumber(text) });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw cause;
    // The library's calls nest deeper with each slow part of a sheet.
    if (cause instanceof RangeError || (cause as Error).cause instanceof RangeError) {
      throw new UnreadableFile(1, 'has more rows than can be read of a workbook here: save it as CSV', { cause });
    }
    // A broken archive or broken XML throws errors of several libraries.
    throw new UnreadableFile(1, `is not a valid .xlsx workbook: ${(cause as Error).message}`, { cause });
  }
}

function cellOf(value: unknown): { text: string; kind: CellKind } {
  if (value === null) return { text: '', kind: 'text' };
  if (value instanceof WrittenNumber) return numberOf(value.text);
  if (value instanceof Date) {
    const [day = '', time = ''] = value.toISOString().split('T');
    return { text: time.startsWith('00:00:00') ? day : `${day}T${time}`, kind: 'date' };
  }
  return { text: fromCell(String(value)), kind: typeof value === 'boolean' ? 'boolean' : 'text' };
}

/** Excel stores fifteen digits: further digits of a whole number are wrong. */
function numberOf(written: string): { text: string; kind: CellKind } {
  const text = readDecimal(written);
  if (text === undefined) return { text: written, kind: 'text' };
  const isLong = /[eE]/.test(written) || written.replace(/^[-+0.]+|\D/g, '').length > MAX_DIGITS;
  return { text, kind: isLong ? 'inexact number' : 'number' };
}
