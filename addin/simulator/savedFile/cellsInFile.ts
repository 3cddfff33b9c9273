import { strFromU8 } from 'fflate';
import { type Area, MAX_COLUMNS, MAX_ROWS, type Position, parseArea } from '../workbook/cells/address.ts';
import { type CellValue, isErrorValue } from '../workbook/cells/entry.ts';
import { moveFormula } from '../workbook/cells/formulas/formula.ts';
import { plainStyle, type Style } from '../workbook/cells/style.ts';
import { type Cell, putCell, type Row, rowOf, type Sheet, STANDARD_ROW_HEIGHT } from '../workbook/sheet.ts';
import { formulaOfFile } from './fileFormula.ts';
import { elements, textOf } from './fileParts.ts';

/*
 * The cells of a sheet in a file. The library makes an object with eight more for each, which takes 3 microseconds and a
 * kilobyte; here the text of a part goes by in pieces. ECMA-376, SpreadsheetML 18.3.1.4 (cells), 18.3.1.40 (formulas).
 */

/** What the cells of all sheets refer to. */
export type CellContext = {
  strings: readonly string[];
  /** By their numbers. */
  styles: readonly (Style | undefined)[];
  /** The numbers of those whose texts were typed behind an apostrophe. */
  quoted: ReadonlySet<number>;
  /** The numbers of the metadata of formulas that may fill several cells. */
  dynamic: ReadonlySet<string>;
  /** Days to add to dates. */
  epoch: number;
  isDate: (style: Style | undefined) => boolean;
  /** Whether the results of formulas are right. */
  hasResults: boolean;
  /** Called for each cell: throws when they are too many. */
  count: () => void;
  /** Called for a formula that takes one value of several cells, since the file does not say that it fills several. */
  ofOneValue: (at: Position) => void;
  /** Called for each row, with its places up to its last cell: throws when they are too many. */
  countPlaces: (places: number) => void;
  /** Whether an array formula of an earlier version may have these cells. */
  mayFill: (area: Area) => boolean;
  /** Called for a data table, of which only the values are read. */
  leaveOutDataTable: () => void;
};

const PIECE = 1 << 22;

/** Characters of a row, or of a text with its formats. Each piece is searched again for the end of one that has none. */
const MAX_ELEMENT = 1 << 26;

/** Characters as `_x000D_`, by which files name those that XML does not allow. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
/** A line end of XML is one character, however a program writes it; another one is written as `&#13;` or `_x000D_`. */
const withLineEnds = (xml: string): string => (xml.includes('\r') ? xml.replace(/\r\n?/g, '\n') : xml);
const plain = (xml: string): string => {
  const text = withLineEnds(xml);
  return unescaped(text.includes('&') ? textOf(text) : text);
};

/** The contents of elements in a text, and where they begin and end. One without an end ends the search: it reads on once. */
function* elementsIn(xml: string, name: string): Generator<{ start: number; end: number; contents: string }> {
  const opening = new RegExp(`<(\\w+:)?${name}(?:\\s[^<>]*)?>`, 'g');
  for (let found = opening.exec(xml); found !== null; found = opening.exec(xml)) {
    const open = opening.lastIndex;
    if (xml.charCodeAt(open - 2) === 47) continue;
    const closing = `</${found[1] ?? ''}${name}>`;
    const close = xml.indexOf(closing, open);
    if (close < 0) return;
    opening.lastIndex = close + closing.length;
    yield { start: found.index, end: opening.lastIndex, contents: xml.slice(open, close) };
  }
}

/** The text of a string with parts of several formats, without how it is pronounced. */
function richText(xml: string): string {
  let [spoken, at] = ['', 0];
  if (xml.includes('rPh')) {
    for (const { start, end } of elementsIn(xml, 'rPh')) {
      spoken += xml.slice(at, start);
      at = end;
    }
  }
  let text = '';
  for (const { contents } of elementsIn(spoken + xml.slice(at), 't')) text += plain(contents);
  return text;
}

/** The texts that cells share, by their numbers. @param countTexts gets how many there are: throws when they are too many */
export function sharedStrings(part: Uint8Array, countTexts: (count: number) => void): string[] {
  const found: string[] = [];
  eachElement(part, 'si', (_, contents) => countTexts(found.push(richText(contents))));
  return found;
}

/** The numbers of the metadata of formulas that may fill several cells ([MS-XLSX] 2.2.4.4). */
export function dynamicArrays(part: Uint8Array): Set<string> {
  const xml = strFromU8(part);
  const kind = elements(xml, 'metadataType').findIndex(({ name }) => name === 'XLDAPR') + 1;
  const records = /<(?:\w+:)?cellMetadata\b.*?<\/(?:\w+:)?cellMetadata>/s.exec(xml)?.[0] ?? '';
  const types = elements(records, 'rc').map(({ t }) => t);
  return new Set(types.flatMap((type, index) => (type === String(kind) ? [String(index + 1)] : [])));
}

/**
 * Calls back for the elements of one name in a part, which does not become one text: that may be too long.
 * @param visit gets the element's start without its name, and its contents
 * @param report gets how many bytes were read
 */
function eachElement(
  part: Uint8Array,
  name: string,
  visit: (start: string, contents: string) => void,
  report?: (bytes: number) => void,
): void {
  const decoder = new TextDecoder();
  let prefix: string | undefined;
  let text = '';
  for (let from = 0; from < part.length; from += PIECE) {
    const isLast = from + PIECE >= part.length;
    text += decoder.decode(part.subarray(from, from + PIECE), { stream: !isLast });
    prefix ??=
      new RegExp(`<(\\w+:)?${name}[\\s/>]`).exec(text)?.[1] ?? (isLast || text.includes(`<${name}`) ? '' : undefined);
    if (prefix !== undefined) {
      const [begin, end] = [`<${prefix}${name}`, `</${prefix}${name}>`];
      let at = 0;
      for (;;) {
        const start = text.indexOf(begin, at);
        const open = start < 0 ? -1 : text.indexOf('>', start);
        if (open < 0) break;
        const next = text.charCodeAt(start + begin.length);
        // Another element whose name begins alike.
        if (next > 47 && next !== 62) {
          at = start + begin.length;
          continue;
        }
        const isEmpty = text.charCodeAt(open - 1) === 47;
        const close = isEmpty ? open : text.indexOf(end, open);
        if (close < 0) break;
        visit(text.slice(start + begin.length, isEmpty ? open - 1 : open), isEmpty ? '' : text.slice(open + 1, close));
        at = isEmpty ? open + 1 : close + end.length;
      }
      text = text.slice(at);
    }
    if (text.length > MAX_ELEMENT) throw new RangeError(`An element ${name} of more than ${MAX_ELEMENT} characters`);
    report?.(Math.min(part.length, from + PIECE));
  }
}

/** The value of an attribute; undefined without it. @param start of an element, where quotes are double */
function attribute(start: string, name: string): string | undefined {
  const at = start.indexOf(` ${name}="`);
  if (at < 0) return undefined;
  const from = at + name.length + 3;
  return start.slice(from, start.indexOf('"', from));
}

/** The start of an element, as almost all programs write it. */
const usual = (start: string): string =>
  /[\t\n\r']/.test(start) ? start.replace(/[\t\n\r]/g, ' ').replaceAll("'", '"') : start;

type Shared = { formula: string; at: Position };

/**
 * Reads the rows and cells of a sheet.
 * @param part its element `sheetData`
 * @param report gets how many bytes were read
 */
export function readCells(part: Uint8Array, sheet: Sheet, context: CellContext, report: (bytes: number) => void): void {
  const shared = new Map<string, Shared>();
  let row = -1;
  const visit = (written: string, contents: string) => {
    const start = usual(written);
    const number = attribute(start, 'r');
    row = number === undefined ? row + 1 : Number(number) - 1;
    if (!(row >= 0 && row < MAX_ROWS)) throw new RangeError(`Row ${number}`);
    const to = rowOf(sheet, row);
    const height = attribute(start, 'ht');
    if (height !== undefined && Number(height) !== STANDARD_ROW_HEIGHT) to.height = Number(height);
    if (isTrue(attribute(start, 'hidden'))) to.hidden = true;
    const style = isTrue(attribute(start, 'customFormat')) && context.styles[Number(attribute(start, 's'))];
    if (style) to.style = style;
    if (contents === '') return;
    readRow(contents, sheet, row, to, context, shared);
    context.countPlaces(to.cells.length);
  };
  eachElement(part, 'row', visit, report);
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

function readRow(
  text: string,
  sheet: Sheet,
  row: number,
  { cells, style: ofRow }: Row,
  context: CellContext,
  shared: Map<string, Shared>,
): void {
  const prefix = /^\s*<(\w+:)?c[\s/>]/.exec(text)?.[1] ?? '';
  const [begin, end] = [`<${prefix}c`, `</${prefix}c>`];
  const value = `<${prefix}v>`;
  let column = -1;
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at)) {
    const open = text.indexOf('>', at);
    const isEmpty = text.charCodeAt(open - 1) === 47;
    const close = isEmpty ? open : text.indexOf(end, open);
    if (open < 0 || close < 0) throw new SyntaxError('A cell without its end');
    const start = usual(text.slice(at + begin.length, isEmpty ? open - 1 : open));
    at = isEmpty ? open + 1 : close + end.length;
    context.count();
    const address = attribute(start, 'r');
    column = address === undefined ? column + 1 : columnOfAddress(address);
    if (!(column >= 0 && column < MAX_COLUMNS)) throw new RangeError(`Cell ${address}`);
    const number = attribute(start, 's');
    const own = number === undefined ? undefined : context.styles[Number(number)];
    // In a file a cell without a style has not that of its row or column.
    const style = own ?? (ofRow || sheet.columns[column]?.style ? plainStyle : undefined);
    const contents = isEmpty ? '' : text.slice(open + 1, close);
    const type = attribute(start, 't');
    const hasStyle = number !== undefined && context.quoted.has(Number(number));
    const isQuoted = (shown: CellValue) =>
      typeof shown === 'string' && shown !== '' && (hasStyle || (type !== 'e' && isErrorValue(shown)));
    // Most cells have a value and nothing else.
    if (contents.startsWith(value) && type !== 'inlineStr') {
      const shown = cellValue(contents.slice(value.length, contents.indexOf('<', value.length)), type, style, context);
      if (shown === '' && style === undefined) continue;
      while (cells.length < column) cells.push(undefined);
      const cell = style === undefined ? { value: shown } : { value: shown, style };
      cells[column] = isQuoted(shown) ? { ...cell, quoted: true } : cell;
      continue;
    }
    const found = contentOf(contents, type, attribute(start, 'cm'), style, { row, column }, context, shared);
    if (found.value === '' && found.formula === undefined && style === undefined) continue;
    const quoted = found.formula === undefined && isQuoted(found.value) ? { quoted: true } : {};
    putCell(sheet, row, column, { ...found, ...quoted, ...(style && { style }) });
  }
}

/** The column of an address such as B12; -1 without letters. */
function columnOfAddress(address: string): number {
  let count = 0;
  for (let at = 0; at < address.length; at += 1) {
    const letter = address.charCodeAt(at) & ~32;
    if (letter < 65 || letter > 90) break;
    count = count * 26 + letter - 64;
  }
  return count - 1;
}

/** Days from Excel's first one to that of JavaScript. */
const EPOCH = 25_569;
const DAY = 86_400_000;

function cellValue(text: string, type: string | undefined, style: Style | undefined, context: CellContext): CellValue {
  if (type === undefined || type === 'n') {
    if (text === '') return '';
    const number = Number(text);
    if (Number.isNaN(number)) throw new RangeError(`Number ${text}`);
    if (!Number.isFinite(number)) return '#NUM!';
    return context.epoch !== 0 && context.isDate(style) ? number + context.epoch : number;
  }
  if (type === 's') {
    const string = context.strings[Number(text)];
    if (string === undefined) throw new RangeError(`String ${text}`);
    return string;
  }
  if (type === 'b') return isTrue(text.trim());
  if (type === 'd') {
    const time = Date.parse(/Z$|[+-]\d\d:\d\d$|^[\d-]*$/.test(text) ? text : `${text}Z`);
    return Number.isNaN(time) ? plain(text) : time / DAY + EPOCH;
  }
  return plain(text);
}

type Content = Pick<Cell, 'value' | 'formula' | 'spills' | 'array'>;

function contentOf(
  contents: string,
  type: string | undefined,
  metadata: string | undefined,
  style: Style | undefined,
  at: Position,
  context: CellContext,
  shared: Map<string, Shared>,
): Content {
  if (type === 'inlineStr') return { value: richText(contents) };
  const shown = /<(?:\w+:)?v(?:\s[^>]*)?>([^<]*)</.exec(contents)?.[1];
  const value = shown === undefined ? undefined : cellValue(shown, type, style, context);
  const [, written = '', formula = ''] = /<(?:\w+:)?f((?:\s[^>]*?)?)(?:\/>|>([^<]*)<)/.exec(contents) ?? [];
  const start = usual(written);
  const kind = attribute(start, 't');
  const isArray = kind === 'array';
  if (kind === 'dataTable') context.leaveOutDataTable();
  const number = attribute(start, 'si');
  let own = formula === '' ? undefined : formulaOfFile(textOf(withLineEnds(formula)));
  if (kind === 'shared' && number !== undefined) {
    const first = shared.get(number);
    if (own !== undefined) shared.set(number, { formula: own, at });
    else if (first !== undefined) own = moveFormula(first.formula, at.row - first.at.row, at.column - first.at.column);
  }
  if (own === undefined) return { value: value ?? '' };
  if (!isArray) context.ofOneValue(at);
  // The results of the file are in the cells of the formula: as values of their own they would leave it no room.
  const spills = isArray ? parseArea(attribute(start, 'ref') ?? '') : undefined;
  const isEarlier = spills !== undefined && !context.dynamic.has(metadata ?? '') && context.mayFill(spills);
  // Until it is calculated here it has the result of the file.
  return {
    value: (context.hasResults ? value : undefined) ?? own,
    formula: own,
    ...(spills === undefined ? {} : { spills }),
    ...(isEarlier && { array: { rows: spills.rows, columns: spills.columns } }),
  };
}
