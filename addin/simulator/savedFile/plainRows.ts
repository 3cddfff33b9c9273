import { strFromU8, strToU8 } from 'fflate';
import { areaAddress, columnIndex, columnName, indexes, type Position } from '../workbook/cells/address.ts';
import { BUSY, type CellValue, isErrorValue } from '../workbook/cells/entry.ts';
import type { Style } from '../workbook/cells/style.ts';
import { type Cell, type Row, type Sheet, STANDARD_ROW_HEIGHT, usedArea } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { fileFormulaOfCell, isSoundFormula } from './fileFormula.ts';
import { escaped, joined, withoutCells } from './fileParts.ts';
import { withIntersections } from './intersections.ts';

/*
 * Rows whose cells need nothing in other parts of a file are written here: the library takes many times as long, and
 * gets the others only.
 */

const isPlain = (cell: Cell | undefined, sheet: Sheet): boolean =>
  cell?.note === undefined && cell?.hyperlink === undefined && (cell?.formula === undefined || !isDynamic(cell, sheet));

/** Whether a formula computes with several values: Excel would take one of them, unless the file says so. */
export const isDynamic = ({ formula, spills, array }: Cell, sheet: Sheet): boolean =>
  formula !== undefined &&
  (spills !== undefined || array !== undefined || withIntersections(formula, sheet) !== formula);

/** The rows that the library writes: of charts, and with what is in other parts of the file. */
export function rowsOfLibrary(workbook: Workbook, sheet: Sheet): ReadonlySet<number> {
  const sources = workbook.sheets.flatMap(({ charts }) => charts.flatMap(({ source }) => source ?? []));
  const areas = sources.flatMap(({ sheetId, area }) => (sheetId === sheet.id ? area : []));
  const within = areas.flatMap(({ row, rows }) => indexes(row, Math.max(0, Math.min(rows, sheet.rows.length - row))));
  return new Set([
    ...within,
    ...sheet.rows.flatMap((row, at) => (row?.cells.every((cell) => isPlain(cell, sheet)) === false ? at : [])),
  ]);
}

/** The styles of the other rows and of their cells, and those of columns, which cells without one of their own have. */
export function stylesOfPlainRows({ rows, columns }: Sheet, ofLibrary: ReadonlySet<number>, found: Set<Style>): void {
  for (const column of columns) if (column?.style !== undefined) found.add(column.style);
  for (const [at, row] of rows.entries()) {
    if (row === undefined || ofLibrary.has(at)) continue;
    if (row.style !== undefined) found.add(row.style);
    for (const cell of row.cells) if (cell?.style !== undefined) found.add(cell.style);
  }
}

const escapedCharacter = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** A text with the names that files have for characters that XML does not allow. */
const textToFile = (text: string): string =>
  escaped(
    text
      .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not allow them.
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, escapedCharacter),
  );

/** The type and the elements of a value. @param ofFormula that it is the result of @param isText that it was typed as one */
const valueToFile = (value: CellValue, ofFormula = '', isText = false): string => {
  if (typeof value === 'number') return `>${ofFormula}<v>${value}</v>`;
  if (typeof value === 'boolean') return ` t="b">${ofFormula}<v>${value ? 1 : 0}</v>`;
  if (isErrorValue(value) && !isText) return ` t="e">${ofFormula}<v>${value}</v>`;
  if (ofFormula !== '') return ` t="str">${ofFormula}<v>${textToFile(value)}</v>`;
  return ` t="inlineStr"><is><t xml:space="preserve">${textToFile(value)}</t></is>`;
};

/**
 * Styles of cells that were typed behind an apostrophe: in a file that is part of the style. Each is as another one is,
 * and comes behind all.
 */
export class QuotedStyles {
  readonly #numbers = new Map<number, number>();
  readonly #count: number;

  /** @param styles the part with the styles of a file */
  constructor(styles: Uint8Array) {
    this.#count = cellFormats(strFromU8(styles)).length;
  }

  /** The number of a style for such a cell. */
  of(number: number): number {
    const own = this.#numbers.get(number) ?? this.#count + this.#numbers.size;
    this.#numbers.set(number, own);
    return own;
  }

  /** The part with these styles, too. */
  addTo(styles: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    if (this.#numbers.size === 0) return styles;
    const xml = strFromU8(styles);
    const formats = cellFormats(xml);
    const own = [...this.#numbers.keys()].map((number) => formats[number]!.replace('<xf', '<xf quotePrefix="1"'));
    return strToU8(
      xml
        .replace(/(<cellXfs count=")\d+/, (_, start: string) => `${start}${formats.length + own.length}`)
        .replace('</cellXfs>', () => `${own.join('')}</cellXfs>`),
    );
  }
}

const cellFormats = (xml: string): string[] =>
  /<cellXfs\b.*?<\/cellXfs>/s.exec(xml)?.[0].match(/<xf\b[^>]*?(?:\/>|>.*?<\/xf>)/gs) ?? [];

/** A row of the library, with the styles of its cells that were typed behind an apostrophe. */
const withQuotes = (xml: string, { cells }: Row, quoted: QuotedStyles): string =>
  cells.some((cell) => cell?.quoted)
    ? xml.replace(/<c r="([A-Z]+)(\d+)"(?: s="(\d+)")?/g, (start, letters: string, row: string, style = '0') =>
        cells[columnIndex(letters)]?.quoted ? `<c r="${letters}${row}" s="${quoted.of(Number(style))}"` : start,
      )
    : xml;

const columnNames: string[] = [];
const nameOfColumn = (column: number): string => (columnNames[column] ??= columnName(column));

/** @param inherited the style of its row or column: in a file a cell without a style has none of these */
const cellToFile = (
  { value, formula, style: own, quoted }: Cell,
  sheet: Sheet,
  at: Position,
  styles: ReadonlyMap<Style, number>,
  inherited: Style | undefined,
  ofQuoted: QuotedStyles,
): string => {
  const style = own ?? inherited;
  const plain = style && styles.get(style);
  const number = quoted ? ofQuoted.of(plain ?? 0) : plain;
  const start = `<c r="${nameOfColumn(at.column)}${at.row + 1}"${number ? ` s="${number}"` : ''}`;
  if (formula !== undefined && isSoundFormula(formula)) {
    const written = `<f>${escaped(fileFormulaOfCell(formula, sheet, at))}</f>`;
    const isKnown = value !== formula && value !== BUSY;
    return `${start}${isKnown ? valueToFile(value, written) : `>${written}`}</c>`;
  }
  if (value !== '') return `${start}${valueToFile(value, '', quoted)}</c>`;
  return own && (number || inherited) ? `${start}/>` : '';
};

function rowToFile(
  { cells, height, hidden, filtered, style }: Row,
  sheet: Sheet,
  at: number,
  styles: ReadonlyMap<Style, number>,
  quoted: QuotedStyles,
) {
  const written = cells.map(
    (cell, column) =>
      cell && cellToFile(cell, sheet, { row: at, column }, styles, style ?? sheet.columns[column]?.style, quoted),
  );
  const content = written.join('');
  const isHidden = hidden || filtered;
  const own = style && styles.get(style);
  const attributes =
    (height !== undefined || isHidden ? ` ht="${height ?? STANDARD_ROW_HEIGHT}" customHeight="1"` : '') +
    (isHidden ? ' hidden="1"' : '') +
    (own ? ` s="${own}" customFormat="1"` : '');
  return content === '' && attributes === '' ? '' : `<row r="${at + 1}"${attributes}>${content}</row>`;
}

/** Characters that become bytes at once. */
const PIECE = 1 << 22;

/** The rows of a sheet in their order, in pieces. @param others of the library, by their numbers */
function* pieces(
  sheet: Sheet,
  ofLibrary: ReadonlySet<number>,
  others: ReadonlyMap<number, string>,
  styles: ReadonlyMap<Style, number>,
  quoted: QuotedStyles,
): Generator<string> {
  let piece = '';
  for (const [at, row] of sheet.rows.entries()) {
    const ofOther = ofLibrary.has(at) ? (others.get(at + 1) ?? '') : undefined;
    if (row)
      piece += ofOther === undefined ? rowToFile(row, sheet, at, styles, quoted) : withQuotes(ofOther, row, quoted);
    else piece += ofOther ?? '';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece + [...others].flatMap(([number, xml]) => (number > sheet.rows.length ? xml : [])).join('');
}

/** The rows of a sheet as the library wrote them, by their numbers. */
const rowsIn = (cells: Uint8Array): Map<number, string> =>
  new Map(
    [...strFromU8(cells).matchAll(/<row r="(\d+)"[^>]*?(?:\/>|>.*?<\/row>)/gs)].map(([row, number]) => [
      Number(number),
      row,
    ]),
  );

/** The numbers of the styles of cells, which stand in rows from one on, by their places. */
export const styleNumbersIn = (part: Uint8Array, from: number): ReadonlyMap<string, number> =>
  new Map(
    [...rowsIn(withoutCells(part, []).cells)]
      .filter(([number]) => number >= from)
      .flatMap(([, row]) => [...row.matchAll(/<c r="([A-Z]+\d+)" s="(\d+)"/g)])
      .map(([, address, number]) => [address!, Number(number)]),
  );

const BEGIN = strToU8('<sheetData>');

/**
 * Puts the rows of a sheet into its part, between those that the library wrote.
 * @param until the number of the row from which on those of the library are left out
 */
export function putPlainRows(
  part: Uint8Array,
  sheet: Sheet,
  ofLibrary: ReadonlySet<number>,
  styles: ReadonlyMap<Style, number>,
  quoted: QuotedStyles,
  until: number,
): Uint8Array<ArrayBuffer> {
  const { cells, rest } = withoutCells(part, []);
  const others = new Map([...rowsIn(cells)].filter(([number]) => number < until));
  const text = strFromU8(rest);
  const used = usedArea(sheet, false);
  const head = text.slice(0, text.indexOf('<sheetData>')).replace(/(<dimension ref=")[^"]*/, (whole, start) => {
    return used === undefined ? whole : `${start}${areaAddress(used)}`;
  });
  const tail = text.slice(text.indexOf('</sheetData>'));
  return joined([
    strToU8(head),
    BEGIN,
    ...[...pieces(sheet, ofLibrary, others, styles, quoted)].map((piece) => strToU8(piece)),
    strToU8(tail),
  ]);
}
