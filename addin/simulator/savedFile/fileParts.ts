import { strFromU8, strToU8, type Unzipped } from 'fflate';
import { type Area, columnName, MAX_COLUMNS, parseArea } from '../workbook/cells/address.ts';
import type { CalculationMode } from '../workbook/workbook.ts';

/*
 * The parts of an .xlsx file that the library knows nothing of: properties of sheets, and the settings of an add-in.
 * ECMA-376, SpreadsheetML and [MS-OWEXML].
 */

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CUSTOM_PROPERTY = `${RELATIONSHIPS}/customProperty`;
const OFFICE_2011 = 'http://schemas.microsoft.com/office/2011/relationships';
const WEB_EXTENSIONS = 'http://schemas.microsoft.com/office/webextensions';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string =>
  text
    .replace(/[&<>"]/g, (character) => escapes[character]!)
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
export const textOf = (xml: string): string =>
  xml.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[name as string] ?? whole;
  });

/** The attributes of an element as a pattern: `>` may be in their values, and `<` may not. */
const ATTRIBUTES = `[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*`;

/** The attributes of the elements of one name, in their order. */
export function elements(xml: string, name: string): Record<string, string>[] {
  const found = xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\b(${ATTRIBUTES})>`, 'g'));
  return [...found].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key, double, single]) => [
        key!,
        textOf(double ?? single!),
      ]),
    ),
  );
}

export type FoundElement = {
  attributes: Record<string, string>;
  contents: string;
  /** The contents, when they are text. */
  text: string;
};

/** The elements of one name with their contents, in their order. */
export const withContents = (xml: string, name: string): FoundElement[] =>
  [
    ...xml.matchAll(
      new RegExp(`(<(?:\\w+:)?${name}\\b${ATTRIBUTES})(?:(?<=/)>|(?<!/)>(.*?)</(?:\\w+:)?${name}>)`, 'gs'),
    ),
  ].map(([, start = '', contents = '']) => ({
    attributes: elements(`${start}>`, name)[0] ?? {},
    contents,
    text: textOf(contents),
  }));

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const DECLARED = strToU8('<!');
const [CDATA, CDATA_END] = [strToU8('<![CDATA['), strToU8(']]>')];
const [COMMENT, COMMENT_END] = [strToU8('<!--'), strToU8('-->')];

const isAt = (bytes: Uint8Array, sought: Uint8Array, at: number): boolean =>
  sought.every((byte, index) => bytes[at + index] === byte);

function placeOf(bytes: Uint8Array, sought: Uint8Array, from: number): number {
  // Few bytes are the last one: `<` begins every element.
  const last = sought.length - 1;
  let end = bytes.indexOf(sought[last]!, from + last);
  while (end >= 0 && !isAt(bytes, sought, end - last)) {
    end = bytes.indexOf(sought[last]!, end + 1);
  }
  return end < 0 ? -1 : end - last;
}

/** A part in UTF-8 without the mark of its bytes and comments, whose sections of text are written as other text is. */
export function usualXml(part: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const [first, second, third] = part;
  if (first === 0xff && second === 0xfe) return usualXml(strToU8(new TextDecoder('utf-16le').decode(part)));
  if (first === 0xfe && second === 0xff) return usualXml(strToU8(new TextDecoder('utf-16be').decode(part)));
  const bytes = first === 0xef && second === 0xbb && third === 0xbf ? part.subarray(3) : part;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let begin = placeOf(bytes, DECLARED, 0); begin >= 0; begin = placeOf(bytes, DECLARED, Math.max(at, begin + 1))) {
    const isText = isAt(bytes, CDATA, begin);
    if (!isText && !isAt(bytes, COMMENT, begin)) continue;
    const [opening, closing] = isText ? [CDATA, CDATA_END] : [COMMENT, COMMENT_END];
    const end = placeOf(bytes, closing, begin + opening.length);
    if (end < 0) break;
    pieces.push(bytes.subarray(at, begin));
    if (isText) pieces.push(strToU8(escaped(strFromU8(bytes.subarray(begin + opening.length, end)))));
    at = end + closing.length;
  }
  return pieces.length === 0 ? bytes : joined([...pieces, bytes.subarray(at)]);
}

/** Whether elements of a part are within each other more often than a number of times. */
export function isDeeper(part: Uint8Array, max: number): boolean {
  let depth = 0;
  for (let at = part.indexOf(LESS); at >= 0 && at < part.length; at = part.indexOf(LESS, at)) {
    const next = part[at + 1];
    const end = part.indexOf(GREATER, at);
    if (end < 0) return false;
    if (next === SLASH) depth -= 1;
    // Declarations and comments have no end of their own.
    else if (next !== 33 && next !== 63 && part[end - 1] !== SLASH) depth += 1;
    if (depth > max) return true;
    at = end;
  }
  return false;
}

const [LESS, GREATER, SLASH] = [60, 62, 47];

/** The elements of a sheet that stand behind its cells. */
export const behindCells = (part: Uint8Array): string => strFromU8(part.subarray(endOfCells(part)));

/** Changes the elements of a sheet that stand behind its cells, which may be very many. */
export function changeBehindCells(parts: Unzipped, path: string, by: (xml: string) => string): void {
  const part = parts[path]!;
  const end = endOfCells(part);
  const changed = strToU8(by(behindCells(part)));
  parts[path] = joined([part.subarray(0, end), changed]);
}

const CELLS = strToU8('sheetData');

/** Whether the name of this element is at a place, and no text with the word. */
const isCells = (part: Uint8Array, at: number): boolean =>
  isAt(part, CELLS, at) &&
  /<\/?(?:\w+:)?$/.test(strFromU8(part.subarray(Math.max(0, at - MAX_PREFIX), at), true)) &&
  /[\s/>]/.test(String.fromCharCode(part[at + CELLS.length] ?? 0));

/** Characters before the name of an element, at the most. */
const MAX_PREFIX = 100;

/** The place of the last `sheetData`: the end of the cells, or the element without any. */
function endOfCells(part: Uint8Array): number {
  let at = part.length;
  do at = part.lastIndexOf(CELLS[0]!, at - 1);
  while (at >= 0 && !isCells(part, at));
  return Math.max(0, at);
}

/** The place of the first `sheetData`, the name of an element; the end without one. */
function startOfCells(part: Uint8Array): number {
  let at = -1;
  do at = part.indexOf(CELLS[0]!, at + 1);
  while (at >= 0 && !isCells(part, at));
  return at < 0 ? part.length : at;
}

/**
 * A sheet without its cells.
 * @param instead rows of empty cells with these styles
 * @returns its cells, and the rest of it
 */
export function withoutCells(
  part: Uint8Array,
  instead: readonly { number: number; styles: readonly number[] }[],
): { cells: Uint8Array; rest: Uint8Array<ArrayBuffer> } {
  const head = strFromU8(part.subarray(0, part.indexOf(62, startOfCells(part)) + 1));
  const found = /<(\w+:)?sheetData\b[^>]*>/.exec(head);
  if (found === null) return { cells: new Uint8Array(), rest: part.slice() };
  const [begin, prefix = ''] = found;
  const start = strToU8(head.slice(0, found.index)).length;
  const last = endOfCells(part);
  const end = part.indexOf(62, last) + 1;
  const rows = instead.map(({ number, styles }) => {
    const cells = styles.map((style, column) => `<${prefix}c r="${columnName(column)}${number}" s="${style}"/>`);
    return `<${prefix}row r="${number}">${cells.join('')}</${prefix}row>`;
  });
  const between = strToU8(`<${prefix}sheetData>${rows.join('')}</${prefix}sheetData>`);
  const rest = new Uint8Array(start + between.length + part.length - end);
  rest.set(part.subarray(0, start));
  rest.set(between, start);
  rest.set(part.subarray(end), start + between.length);
  return { cells: part.subarray(start + begin.length, Math.max(start + begin.length, last)), rest };
}

/** Changes a part of the file, which is there. */
export function change(parts: Unzipped, path: string, by: (xml: string) => string): void {
  parts[path] = strToU8(by(strFromU8(parts[path]!)));
}

/**
 * Takes the merged cells out of a sheet, and ends its columns at the last one that there is: the library makes an object
 * of every cell and column that they name. @returns the merged cells
 */
export function takeMerges(parts: Unzipped, path: string): Area[] {
  if (parts[path] === undefined) return [];
  let merges: Area[] = [];
  change(parts, path, (xml) => {
    merges = elements(xml, 'mergeCell').flatMap(({ ref = '' }) => parseArea(ref) ?? []);
    return xml
      .replace(/<(?:\w+:)?mergeCells\b.*?<\/(?:\w+:)?mergeCells>/s, '')
      .replace(/<(?:\w+:)?col\b[^>]*>/g, (column) =>
        column.replace(/\b(min|max)="(\d+)"/g, (_, end: string, at: string) => {
          return `${end}="${Math.min(Number(at), MAX_COLUMNS)}"`;
        }),
      );
  });
  return merges;
}

export const RELATIONSHIPS_BEGIN =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">';

/** Adds a relationship. @returns its id */
function relate(parts: Unzipped, path: string, type: string, target: string): string {
  parts[path] ??= strToU8(`${RELATIONSHIPS_BEGIN}</Relationships>`);
  const id = `rIdOwn${elements(strFromU8(parts[path]!), 'Relationship').length + 1}`;
  change(parts, path, (xml) =>
    xml.replace('</Relationships>', `<Relationship Id="${id}" Type="${type}" Target="${target}"/></Relationships>`),
  );
  return id;
}

const declare = (parts: Unzipped, path: string, type: string): void =>
  change(parts, '[Content_Types].xml', (xml) =>
    xml.replace('</Types>', `<Override PartName="/${path}" ContentType="${type}"/></Types>`),
  );

/** A part of a file by its path; undefined for one that is not there. */
export type ReadPart = (path: string) => Uint8Array | undefined;

const PREFIX = /\bxmlns:(\w+)\s*=\s*["'][^"']*\/officeDocument\/(?:2006\/)?relationships["']/g;

/** Gives what refers to other parts the prefix that it almost always has: the library knows no other in most places. */
export function withUsualPrefix(xml: string): string {
  const prefixes = new Set([...xml.matchAll(PREFIX)].map(([, prefix]) => prefix!));
  const hasUsual = prefixes.delete('r');
  if (prefixes.size === 0) return xml;
  const named = xml.replace(/(\s)(\w+):(?=id\s*=)/g, (whole, space, prefix) =>
    prefixes.has(prefix) ? `${space}r:` : whole,
  );
  return hasUsual
    ? named
    : named.replace(/\bxmlns:(\w+)/g, (whole, prefix) => (prefixes.has(prefix) ? 'xmlns:r' : whole));
}

const WITH_BOOLEANS = /<(?:\w+:)?(?:pageSetUpPr|sheetView|sheetProtection|protection|tableStyleInfo)\b[^>]*>/g;
const FONT_OFF = /<(?:\w+:)?(?:b|i|strike)\s+val\s*=\s*["'](?:0|false)["']\s*\/>/g;

/** Writes what is true or false as numbers: the library takes the words for the opposite, and a font that is not bold for bold. */
export const withUsualBooleans = (xml: string): string =>
  xml
    .replace(WITH_BOOLEANS, (element) =>
      element.replace(/(=\s*["'])(true|false)(?=["'])/g, (_, start, word) => `${start}${word === 'true' ? 1 : 0}`),
    )
    .replace(FONT_OFF, '');

/** What the library looks for in the styles of a file, with one of each. A file may have none of them. */
const COLLECTIONS = { fonts: '<font/>', fills: '<fill/>', borders: '<border/>', cellXfs: '<xf/>' };

/** Gives a file the styles that the library cannot do without. */
export function addMissingStyles(parts: Unzipped): void {
  const path = 'xl/styles.xml';
  parts[path] ??= strToU8('<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>');
  change(parts, path, (xml) => {
    const missing = Object.entries(COLLECTIONS)
      .filter(([name]) => !new RegExp(`<(?:\\w+:)?${name}\\b[^<>]*(?<!/)>\\s*<(?!/)`).test(xml))
      .map(([name, one]) => `<${name}>${one}</${name}>`);
    if (missing.length === 0) return xml;
    return xml
      .replace(/<((?:\w+:)?styleSheet)\b([^<>]*)\/>/, '<$1$2></$1>')
      .replace(/<\/(?:\w+:)?styleSheet\s*>/, (end) => missing.join('') + end);
  });
}

const WORKBOOK = 'xl/workbook.xml';

/** The relationships of a part, with the path of each target inside the file. */
function relationshipsIn(path: string, read: ReadPart): { id: string; type: string; target: string }[] {
  const part = read(relationshipsOf(path));
  if (part === undefined) return [];
  return elements(strFromU8(part), 'Relationship')
    .filter(({ TargetMode }) => TargetMode !== 'External')
    .map(({ Id = '', Type = '', Target = '' }) => ({
      id: Id,
      type: Type,
      target: decodeURI(new URL(Target, `file:///${path}`).pathname).slice(1),
    }));
}

/** The parts that a part is related to. @param kind the last word of the relationship's type */
export const relatedParts = (path: string, kind: string, read: ReadPart): string[] =>
  relationshipsIn(path, read)
    .filter(({ type }) => type.split('/').at(-1) === kind)
    .map(({ target }) => target);

/** The links of cells of a sheet to addresses outside of the workbook. */
export function hyperlinksIn(
  path: string,
  read: ReadPart,
): { area: Area; hyperlink: { address: string; screenTip: string } }[] {
  const targets = elements(strFromU8(read(relationshipsOf(path)) ?? new Uint8Array()), 'Relationship');
  return elements(behindCells(read(path) ?? new Uint8Array()), 'hyperlink').flatMap(
    ({ ref = '', 'r:id': id, tooltip = '' }) => {
      const address = targets.find(({ Id }) => Id === id)?.Target;
      const area = parseArea(ref);
      return address === undefined || area === undefined ? [] : [{ area, hyperlink: { address, screenTip: tooltip } }];
    },
  );
}

/** Characters of the name of a sheet. Some programs write longer ones, of which Excel and the library take the beginning. */
const MAX_SHEET_NAME = 31;

/** What is taken of the name of a sheet. */
export const takenName = (name: string): string => name.slice(0, MAX_SHEET_NAME);

/** The parts with the sheets, by the names of these. */
export function partsOfSheets(read: ReadPart): ReadonlyMap<string, string> {
  const related = relationshipsIn(WORKBOOK, read);
  const sheets = elements(strFromU8(read(WORKBOOK) ?? new Uint8Array()), 'sheet');
  return new Map(
    sheets.flatMap(({ name, 'r:id': id }) => {
      const target = related.find((one) => one.id === id)?.target;
      return name === undefined || target === undefined ? [] : [[takenName(name), target] as const];
    }),
  );
}

/** The names of sheets that are too long, and what is taken of them. */
export const longNames = (read: ReadPart): { name: string; taken: string }[] =>
  elements(strFromU8(read(WORKBOOK) ?? new Uint8Array()), 'sheet').flatMap(({ name = '' }) =>
    name.length > MAX_SHEET_NAME ? [{ name, taken: takenName(name) }] : [],
  );

export const relationshipsOf = (path: string): string => path.replace(/([^/]+)$/, '_rels/$1.rels');

/** The elements of a sheet that stand behind its conditional formats, in the order of the schema. */
const behindFormats =
  /<(?:dataValidations|hyperlinks|printOptions|pageMargins|pageSetup|headerFooter|rowBreaks|colBreaks|customProperties|cellWatches|ignoredErrors|smartTags|drawing|legacyDrawing|legacyDrawingHF|picture|oleObjects|controls|webPublishItems|tableParts|extLst)\b|<\/worksheet>/;

/** Adds merged cells, conditional formats and validation, in this order, to a sheet. @param sheet its number, from 1 */
export function addRules(parts: Unzipped, sheet: number, rules: string): void {
  if (rules === '') return;
  changeBehindCells(parts, `xl/worksheets/sheet${sheet}.xml`, (xml) =>
    xml.replace(behindFormats, (next) => `${rules}${next}`),
  );
}

/** Adds the formats of cells that meet a condition: elements `dxf`. */
export const addCellFormats = (parts: Unzipped, formats: readonly string[]): void =>
  change(parts, 'xl/styles.xml', (xml) =>
    xml.replace(/<dxfs\b[^>]*\/>/, () => `<dxfs count="${formats.length}">${formats.join('')}</dxfs>`),
  );

/** Adds the names of a workbook: elements `definedName`. */
export function addNames(parts: Unzipped, names: string): void {
  if (names === '') return;
  change(parts, WORKBOOK, (xml) =>
    /<definedNames\b/.test(xml)
      ? xml.replace(/<definedNames\b[^>]*>/, (begin) => `${begin}${names}`)
      : xml.replace(/<calcPr\b/, (next) => `<definedNames>${names}</definedNames>${next}`),
  );
}

/** The elements of a sheet that stand behind its properties, in the order of the schema. */
const behindProperties =
  /<(?:cellWatches|ignoredErrors|smartTags|drawing|legacyDrawing|legacyDrawingHF|picture|oleObjects|controls|webPublishItems|tableParts|extLst)\b|<\/worksheet>/;

/** Adds the properties of a sheet. @param sheet its number, from 1 */
export function addSheetProperties(parts: Unzipped, sheet: number, properties: readonly SheetProperty[]): void {
  if (properties.length === 0) return;
  const path = `xl/worksheets/sheet${sheet}.xml`;
  const references = properties.map(({ key, value }, index) => {
    const part = `customProperty${sheet}-${index + 1}.bin`;
    parts[`xl/${part}`] = utf16(value);
    declare(parts, `xl/${part}`, 'application/vnd.openxmlformats-officedocument.spreadsheetml.customProperty');
    const id = relate(parts, relationshipsOf(path), CUSTOM_PROPERTY, `../${part}`);
    return `<customPr name="${escaped(key)}" r:id="${id}"/>`;
  });
  changeBehindCells(parts, path, (xml) =>
    xml.replace(behindProperties, (next) => `<customProperties>${references.join('')}</customProperties>${next}`),
  );
}

type SheetProperty = { key: string; value: string };

/** The properties of a sheet. @param path of its part @param xml of it, from its cells on */
export function sheetProperties(path: string, xml: string, read: ReadPart): SheetProperty[] {
  const related = relationshipsIn(path, read).filter(({ type }) => type === CUSTOM_PROPERTY);
  if (related.length === 0) return [];
  return elements(xml, 'customPr').flatMap(({ name, 'r:id': id }) => {
    const target = related.find((one) => one.id === id)?.target;
    const part = target === undefined ? undefined : read(target);
    return name === undefined || !part ? [] : [{ key: name, value: textOfUtf16(part) }];
  });
}

function utf16(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), true);
  return bytes;
}

/** Excel ends some of them with a zero. */
const textOfUtf16 = (bytes: Uint8Array): string => new TextDecoder('utf-16le').decode(bytes).replace(/\0$/, '');

const EXTENSION = 'xl/webextensions/webextension1.xml';

/** A setting of an add-in: any value that JSON has. */
export type Setting = { key: string; value: unknown };

/** Adds the settings that an add-in stored in the workbook. @param addIn its id, of the manifest */
export function addSettings(parts: Unzipped, addIn: string, settings: readonly Setting[]): void {
  if (settings.length === 0) return;
  const properties = settings.map(
    ({ key: name, value }) => `<we:property name="${escaped(name)}" value="${escaped(JSON.stringify(value))}"/>`,
  );
  const panes = 'xl/webextensions/taskpanes.xml';
  parts[EXTENSION] = strToU8(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
      `<we:webextension xmlns:we="${WEB_EXTENSIONS}/webextension/2010/11" id="{${addIn}}">` +
      `<we:reference id="${addIn}" version="1.0.0.0" store="developer" storeType="Registry"/><we:alternateReferences/>` +
      `<we:properties>${properties.join('')}</we:properties><we:bindings/>` +
      `<we:snapshot xmlns:r="${RELATIONSHIPS}"/></we:webextension>`,
  );
  parts[panes] = strToU8(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
      `<wetp:taskpanes xmlns:wetp="${WEB_EXTENSIONS}/taskpanes/2010/11">` +
      '<wetp:taskpane dockstate="right" visibility="0" width="350" row="1">' +
      `<wetp:webextensionref xmlns:r="${RELATIONSHIPS}" r:id="rIdOwn1"/></wetp:taskpane></wetp:taskpanes>`,
  );
  relate(parts, relationshipsOf(panes), `${OFFICE_2011}/webextension`, 'webextension1.xml');
  relate(parts, '_rels/.rels', `${OFFICE_2011}/webextensiontaskpanes`, panes);
  declare(parts, panes, 'application/vnd.ms-office.webextensiontaskpanes+xml');
  declare(parts, EXTENSION, 'application/vnd.ms-office.webextension+xml');
}

/** The settings that an add-in stored. @param part one of the file, if it is of this add-in */
export function settingsIn(part: Uint8Array, addIn: string): Setting[] {
  const xml = strFromU8(part);
  if (!elements(xml, 'reference').some(({ id }) => id?.toLowerCase() === addIn.toLowerCase())) return [];
  return elements(xml, 'property').flatMap(({ name, value }): Setting[] => {
    try {
      return name === undefined || value === undefined ? [] : [{ key: name, value: JSON.parse(value) }];
    } catch {
      return [];
    }
  });
}

export const isSettings = (path: string): boolean => /^xl\/webextensions\/webextension\d*\.xml$/.test(path);

/** When the formulas of a workbook are calculated: ECMA-376, SpreadsheetML 18.2.2 and 18.18.4. */
const calculationModes: Readonly<Record<string, CalculationMode>> = {
  manual: 'Manual',
  autoNoTable: 'AutomaticExceptTables',
};

export function calculationModeIn(parts: Unzipped): CalculationMode {
  const [properties] = elements(strFromU8(parts[WORKBOOK] ?? new Uint8Array()), 'calcPr');
  return calculationModes[properties?.calcMode ?? ''] ?? 'Automatic';
}

/** The program that a download names as its own: Excel is asked to calculate it, but it has its results. */
const PROGRAM = 'Ledgerline';

export const addProgram = (parts: Unzipped): void =>
  change(parts, WORKBOOK, (xml) => xml.replace(/(<fileVersion appName=")[^"]*/, (_, start) => `${start}${PROGRAM}`));

/** Whether the results of formulas are right. Programs that do not calculate write zeros, or leave those of a template. */
export function hasResults(parts: Unzipped): boolean {
  const xml = strFromU8(parts[WORKBOOK] ?? new Uint8Array());
  const [properties] = elements(xml, 'calcPr');
  const isAsked = properties?.fullCalcOnLoad === '1' || properties?.fullCalcOnLoad === 'true';
  return !isAsked || elements(xml, 'fileVersion')[0]?.appName === PROGRAM;
}

/** Whether a workbook counts its days from 1904. The library knows one of the two words for it. */
export function countsFrom1904(parts: Unzipped): boolean {
  const [properties] = elements(strFromU8(parts[WORKBOOK] ?? new Uint8Array()), 'workbookPr');
  return properties?.date1904 === '1' || properties?.date1904 === 'true';
}

/** Gives a file the mode of its workbook. The library writes none, which is the automatic one. */
export function addCalculationMode(parts: Unzipped, mode: CalculationMode): void {
  const [name] = Object.entries(calculationModes).find(([, one]) => one === mode) ?? [];
  if (name === undefined) return;
  const xml = strFromU8(parts[WORKBOOK]!);
  parts[WORKBOOK] = strToU8(xml.replace('<calcPr ', `<calcPr calcMode="${name}" `));
}
