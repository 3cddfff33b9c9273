import { type Cell as FileCell, Workbook as FileWorkbook, type Worksheet } from '@cj-tech-master/excelts';
import { type Chart as FileChart, installChartSupport } from '@cj-tech-master/excelts/chart';
import { strFromU8, strToU8, type Unzipped, unzipSync, zipSync } from 'fflate';
import { isDateFormat } from 'numfmt';
import { MAX_CELLS } from '../calculation/spills.ts';
import { intersection, type Position, parseArea, sameName, wholeSheet } from '../workbook/cells/address.ts';
import { renameSheetIn } from '../workbook/cells/formulas/sheetsIn.ts';
import { mapTable } from '../workbook/cells/formulas/structured.ts';
import type { Locale } from '../workbook/cells/locale.ts';
import type { Style } from '../workbook/cells/style.ts';
import { asCells } from '../workbook/changes/tableShape.ts';
import { rewriteFormulas } from '../workbook/rewrite.ts';
import {
  cellAt,
  columnOf,
  forEachCell,
  PIXELS_PER_POINT,
  putCell,
  type Sheet,
  STANDARD_COLUMN_WIDTH,
  STANDARD_ROW_HEIGHT,
  withFormula,
} from '../workbook/sheet.ts';
import { addSheet } from '../workbook/sheets.ts';
import { settleHeaders, Table } from '../workbook/table.ts';
import { namedIn } from '../workbook/tableReferences.ts';
import { Workbook } from '../workbook/workbook.ts';
import { FONT, styleFromFile } from './cellStyle.ts';
import { type CellContext, dynamicArrays, readCells, sharedStrings, unescaped } from './cellsInFile.ts';
import { chartFromFile, hasSeries } from './chartFile.ts';
import { conditionalFormatsIn, hasLaterFormats } from './conditionalFormatFile.ts';
import { formulaOfFile, inOwnTable } from './fileFormula.ts';
import {
  addMissingStyles,
  behindCells,
  calculationModeIn,
  change,
  countsFrom1904,
  elements,
  hasResults,
  hyperlinksIn,
  isDeeper,
  isSettings,
  longNames,
  partsOfSheets,
  type ReadPart,
  relatedParts,
  settingsIn,
  sheetProperties,
  takeMerges,
  takenName,
  usualXml,
  withContents,
  withoutCells,
  withUsualBooleans,
  withUsualPrefix,
} from './fileParts.ts';
import { readSheetFilter, readTableFilters, type TableInFile, takeTables } from './filterFile.ts';
import { withIntersections } from './intersections.ts';
import { notesIn } from './sheetParts/notesFile.ts';
import { readPrint } from './sheetParts/printFile.ts';
import { validationsIn } from './sheetParts/validationFile.ts';
import { giveUsualNames } from './usualNames.ts';

/** Parts of files that a workbook here has no place for. */
export const leftOutKinds = [
  'macros',
  'links',
  'connections',
  'pivotTables',
  'pictures',
  'charts',
  'conditionalFormats',
  'filters',
  'dataTables',
  'controls',
  'tables',
] as const;
export type LeftOut = (typeof leftOutKinds)[number];

/** Why a file cannot be opened. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly reason: 'notWorkbook' | 'tooLarge' | 'encrypted';
  constructor(reason: UnreadableFile['reason'], options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/**
 * Bytes of a file, of all its parts unpacked, its number of parts, of sheets, of texts that cells share, of cells, of
 * places before cells, and of elements within each other, at the most.
 */
export const limits = {
  file: 100_000_000,
  unpacked: 1_000_000_000,
  parts: 10_000,
  cells: 12_000_000,
  places: 50_000_000,
  sheets: 2000,
  texts: 12_000_000,
  depth: 1000,
};

const partsLeftOut: readonly [RegExp, LeftOut][] = [
  [/^xl\/(vbaProject|macrosheets\/|dialogsheets\/)/, 'macros'],
  [/^xl\/externalLinks\//, 'links'],
  [/^xl\/(connections\.xml|queryTables\/|model\/)/, 'connections'],
  [/^xl\/(pivotTables|pivotCache|slicers|slicerCaches|timelines)\//, 'pivotTables'],
  [/^xl\/(media|embeddings|diagrams)\//, 'pictures'],
  [/^xl\/chartsheets\//, 'charts'],
  [/^xl\/(ctrlProps|activeX)\//, 'controls'],
];

/**
 * Opens an .xlsx file. Macros, links and connections are named, and never followed.
 * @param addIn the id of the add-in whose settings are read
 * @param max the size of files that are opened
 * @param report gets which part of the cells was read, from 0 to 1
 * @returns a workbook, and what the file has besides
 * @throws UnreadableFile
 */
export async function readFile(
  bytes: Uint8Array,
  addIn: string,
  language: Locale['language'],
  max = limits,
  report: (part: number) => void = () => {},
): Promise<{ workbook: Workbook; leftOut: LeftOut[] }> {
  const names = namesOfParts(bytes, max);
  const leftOut = new Set(
    partsLeftOut.filter(([path]) => names.some((name) => path.test(name))).map(([, kind]) => kind),
  );
  try {
    const workbook = await workbookIn(unzipSync(bytes), addIn, new Workbook(language), max, leftOut, report);
    return { workbook, leftOut: leftOutKinds.filter((kind) => leftOut.has(kind)) };
  } catch (cause) {
    throw cause instanceof UnreadableFile ? cause : new UnreadableFile('notWorkbook', { cause });
  }
}

async function workbookIn(
  parts: Unzipped,
  addIn: string,
  workbook: Workbook,
  max: typeof limits,
  leftOut: Set<LeftOut>,
  report: (part: number) => void,
): Promise<Workbook> {
  const read: ReadPart = (path) => parts[path];
  const isXml = (name: string) => /\.(?:xml|rels|vml)$/i.test(name);
  for (const name of Object.keys(parts).filter(isXml)) parts[name] = usualXml(parts[name]!);
  giveUsualNames(parts);
  if (parts['xl/workbook.xml'] === undefined) throw new UnreadableFile('notWorkbook');
  change(parts, 'xl/workbook.xml', withUsualPrefix);
  const paths = partsOfSheets(read);
  const [texts] = relatedParts('xl/workbook.xml', 'sharedStrings', read);
  if (paths.size > max.sheets) throw new UnreadableFile('tooLarge');
  const countTexts = (count: number) => {
    if (count > max.texts) throw new UnreadableFile('tooLarge');
  };
  const strings = texts === undefined ? [] : sharedStrings(read(texts) ?? new Uint8Array(), countTexts);
  const styles = strFromU8(read('xl/styles.xml') ?? new Uint8Array());
  const sheetParts = [...new Set(paths.values())];
  const cells = takeCells(parts, texts, sheetParts, styles);
  for (const path of sheetParts) if (parts[path] !== undefined) change(parts, path, withUsualPrefix);
  const isOfLibrary = (path: string) => sheetParts.includes(path) || /^xl\/(?:styles|tables\/[^/]+)\.xml$/.test(path);
  for (const path of Object.keys(parts).filter(isOfLibrary)) change(parts, path, withUsualBooleans);
  addMissingStyles(parts);
  const merges = new Map(sheetParts.map((path) => [path, takeMerges(parts, path)]));
  const tables = takeTables(parts);
  // The library takes many seconds for a million elements within each other.
  if (Object.keys(parts).some((name) => isXml(name) && isDeeper(parts[name]!, max.depth))) {
    throw new UnreadableFile('notWorkbook');
  }
  installChartSupport();
  const file = new FileWorkbook();
  await file.xlsx.load(zipSync(parts, { level: 0 }));
  const [placeholder] = workbook.sheets;
  workbook.sheets = [];
  const sheets = file.worksheets.map((worksheet) => ({ worksheet, sheet: addSheet(workbook, worksheet.name) }));
  if (sheets.length === 0) throw new UnreadableFile('notWorkbook');
  if (workbook.active === placeholder) workbook.active = workbook.sheets[0]!;
  let count = 0;
  let places = 0;
  let arrayCells = MAX_CELLS;
  const columnStyles = styleReader(file);
  const ofOneValue: (Position & { sheet: Sheet })[] = [];
  const ofCells: { model: TableModel; sheet: Sheet }[] = [];
  let reading = workbook.sheets[0]!;
  const context: CellContext = {
    strings,
    styles: stylesIn(file, paths, columnStyles, styles),
    quoted: quotedStyles(styles),
    dynamic: dynamicArrays(read('xl/metadata.xml') ?? new Uint8Array()),
    epoch: countsFrom1904(parts) ? DAYS_TO_1904 : 0,
    isDate: (style) => isDateFormat(style?.numberFormat ?? 'General'),
    hasResults: hasResults(parts),
    count: () => {
      count += 1;
      if (count > max.cells) throw new UnreadableFile('tooLarge');
    },
    ofOneValue: (at) => ofOneValue.push({ sheet: reading, ...at }),
    countPlaces: (more) => {
      places += more;
      if (places > max.places) throw new UnreadableFile('tooLarge');
    },
    mayFill: ({ rows, columns }) => {
      const cells = rows * columns;
      if (cells > arrayCells) return false;
      arrayCells -= cells;
      return true;
    },
    leaveOutDataTable: () => leftOut.add('dataTables'),
  };
  const total = [...cells.values()].reduce((sum, { length }) => sum + length, 0);
  let before = 0;
  for (const { worksheet, sheet } of sheets) {
    const path = paths.get(worksheet.name) ?? '';
    reading = sheet;
    const own = cells.get(path) ?? new Uint8Array();
    readColumns(worksheet, sheet, columnStyles);
    readCells(own, sheet, context, (done) => report((before + done) / total));
    before += own.length;
    for (const { area, hyperlink } of hyperlinksIn(path, read)) {
      forEachCell(sheet, area, (cell) => {
        cell.hyperlink = hyperlink;
      });
    }
    sheet.merges = merges.get(path) ?? [];
    readSheet(worksheet, sheet);
    for (const { model } of worksheet.getTables()) {
      if (readTable(model, sheet, tables)) continue;
      leftOut.add('tables');
      ofCells.push({ model, sheet });
    }
  }
  for (const { worksheet, sheet } of sheets) {
    readCharts(worksheet, sheet, leftOut);
    const path = paths.get(worksheet.name);
    if (path === undefined) continue;
    const xml = behindCells(read(path) ?? new Uint8Array());
    for (const { key, value } of sheetProperties(path, xml, read)) {
      sheet.customProperties.set(key.toLowerCase(), { key, value });
    }
    sheet.conditionalFormats = conditionalFormatsIn(xml, styles, () => `{${workbook.nextId()}}`);
    if (hasLaterFormats(xml)) leftOut.add('conditionalFormats');
    sheet.validations = validationsIn(xml);
    if (readSheetFilter(sheet, xml)) leftOut.add('filters');
    for (const { at, note } of notesIn(path, read)) {
      putCell(sheet, at.row, at.column, { value: '', ...cellAt(sheet, at.row, at.column), note });
    }
  }
  readNames(strFromU8(read('xl/workbook.xml')!), workbook);
  for (const { name, taken } of longNames(read)) {
    rewriteFormulas(workbook, (formula) => renameSheetIn(formula, name, taken));
  }
  for (const { model, sheet } of ofCells) nameCells(model, sheet, tables);
  for (const { sheet, row, column } of ofOneValue) {
    const cell = cellAt(sheet, row, column)!;
    putCell(sheet, row, column, withFormula(cell, withIntersections(cell.formula!, sheet)));
  }
  for (const table of tables) if (readTableFilters(workbook, table)) leftOut.add('filters');
  for (const name of Object.keys(parts).filter(isSettings)) {
    for (const setting of settingsIn(read(name)!, addIn)) workbook.settings.set(setting.key.toLowerCase(), setting);
  }
  workbook.calculationMode = calculationModeIn(parts);
  const views = file.views as typeof file.views | undefined;
  const active = workbook.sheets[views?.[0]?.activeTab ?? 0];
  const visible = workbook.sheets.find(({ visibility }) => visibility === 'Visible');
  workbook.active = active?.visibility === 'Visible' ? active : (visible ?? workbook.sheets[0]!);
  return workbook;
}

/** Days by which a workbook of an old Macintosh counts from a later one. */
const DAYS_TO_1904 = 1462;

/** Where the first sheet gets a cell of each style for the library, and how many in a row: no cells of users are there. */
const STYLES = { row: 1_048_000, columns: 1000 };

const stylesOfCells = (xml: string) =>
  elements(/<(?:\w+:)?cellXfs\b.*?<\/(?:\w+:)?cellXfs>/s.exec(xml)?.[0] ?? '', 'xf');
const numberOfStyles = (xml: string): number => stylesOfCells(xml).length;

/** The numbers of the styles of what was typed behind an apostrophe. */
const quotedStyles = (xml: string): ReadonlySet<number> =>
  new Set(
    stylesOfCells(xml).flatMap(({ quotePrefix }, number) =>
      quotePrefix === '1' || quotePrefix === 'true' ? [number] : [],
    ),
  );

/** Takes the cells and their texts out of the parts of a file, which the library then reads. @returns those of each sheet */
function takeCells(
  parts: Unzipped,
  texts: string | undefined,
  paths: readonly string[],
  styles: string,
): Map<string, Uint8Array> {
  const taken = new Map<string, Uint8Array>();
  const numbers = Array.from({ length: numberOfStyles(styles) }, (_, number) => number);
  const rows = Array.from({ length: Math.ceil(numbers.length / STYLES.columns) }, (_, row) => {
    const own = numbers.slice(row * STYLES.columns, (row + 1) * STYLES.columns);
    return { number: STYLES.row + row, styles: own };
  });
  for (const path of paths) {
    const part = parts[path];
    if (part === undefined) continue;
    const { cells, rest } = withoutCells(part, taken.size === 0 ? rows : []);
    taken.set(path, cells);
    parts[path] = rest;
  }
  if (texts !== undefined) {
    parts[texts] = strToU8('<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>');
  }
  return taken;
}

/** The styles of cells, by their numbers. */
function stylesIn(
  file: FileWorkbook,
  paths: ReadonlyMap<string, string>,
  style: ReturnType<typeof styleReader>,
  xml: string,
): (Style | undefined)[] {
  const first = file.worksheets.find(({ name }) => paths.get(name) === [...paths.values()][0]);
  return Array.from({ length: numberOfStyles(xml) }, (_, number) => {
    const row = first?.findRow(STYLES.row + Math.floor(number / STYLES.columns));
    return style(row?.getCell((number % STYLES.columns) + 1).style);
  });
}

/** The parts of a file, by its own list of them. @throws UnreadableFile */
function namesOfParts(bytes: Uint8Array, max: typeof limits): string[] {
  if (bytes.length > max.file) throw new UnreadableFile('tooLarge');
  // An encrypted workbook is in a container of an older kind.
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw new UnreadableFile('encrypted');
  const names: string[] = [];
  let unpacked = 0;
  try {
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.push(name);
        unpacked += originalSize;
        return false;
      },
    });
  } catch (cause) {
    throw new UnreadableFile('notWorkbook', { cause });
  }
  if (unpacked > max.unpacked || names.length > max.parts) throw new UnreadableFile('tooLarge');
  return names;
}

/** Characters of a width as points. */
const points = (characters: number): number => (characters * 7 + 5) / PIXELS_PER_POINT;

function readColumns(worksheet: Worksheet, sheet: Sheet, styles: ReturnType<typeof styleReader>): void {
  for (const [index, column] of (worksheet.columns ?? []).entries()) {
    const style = styles(column?.style);
    const width = column?.width === undefined ? STANDARD_COLUMN_WIDTH : points(column.width);
    const isStandard = Math.abs(width - STANDARD_COLUMN_WIDTH) < 0.1;
    if (!column || (isStandard && !column.hidden && style === undefined)) continue;
    const to = columnOf(sheet, index);
    if (!isStandard) to.width = width;
    if (column.hidden) to.hidden = true;
    if (style !== undefined) to.style = style;
  }
}

function readSheet(worksheet: Worksheet, sheet: Sheet): void {
  const { state, properties, views, sheetProtection } = worksheet;
  sheet.visibility = ({ visible: 'Visible', hidden: 'Hidden', veryHidden: 'VeryHidden' } as const)[state];
  const tab = properties.tabColor?.argb;
  if (tab !== undefined) sheet.tabColor = `#${tab.slice(-6)}`;
  const [view] = (views as typeof views | undefined) ?? [];
  if (view?.state === 'frozen') sheet.frozen = { rows: view.ySplit ?? 0, columns: view.xSplit ?? 0 };
  readPrint(worksheet.pageSetup, sheet);
  sheet.gridlines = view?.showGridLines !== false;
  sheet.headings = view?.showRowColHeaders !== false;
  const cell = parseArea(view?.activeCell ?? 'A1');
  if (cell !== undefined) Object.assign(sheet, { selection: cell, activeCell: { row: cell.row, column: cell.column } });
  markSpilled(sheet);
  if (sheetProtection?.sheet) {
    const options = Object.entries(sheetProtection)
      .filter(([name, value]) => value === true && name !== 'sheet')
      .map(([name]) => [`allow${name[0]!.toUpperCase()}${name.slice(1)}`, true]);
    sheet.protection = { options: Object.fromEntries(options) };
  }
}

/** Reads styles, one object for all cells with the same. */
function styleReader(file: FileWorkbook) {
  const known = new Map<string, Style>();
  const objects = new WeakMap<object, Style>();
  const font = { ...FONT, ...file.defaultFont };
  return (style: Partial<FileCell['style']> | undefined): Style | undefined => {
    if (style === undefined) return undefined;
    let read = objects.get(style);
    if (read === undefined) {
      read = styleFromFile(style, font);
      const key = JSON.stringify(read);
      read = known.get(key) ?? read;
      known.set(key, read);
      objects.set(style, read);
    }
    return Object.keys(read).length === 0 ? undefined : read;
  };
}

/** Marks the cells that have part of a result of a formula in another cell. */
function markSpilled(sheet: Sheet): void {
  if (sheet.formulas === 0) return;
  forEachCell(sheet, wholeSheet, ({ spills }) => {
    if (spills === undefined) return;
    forEachCell(sheet, spills, (cell) => {
      if (cell.formula === undefined) cell.spilled = true;
    });
  });
}

type TableModel = ReturnType<Worksheet['getTables']>[number]['model'];

/** @returns whether there is such a table here; otherwise its cells are ordinary ones */
function readTable(
  { name, displayName, tableRef, headerRow, totalsRow, style }: TableModel,
  sheet: Sheet,
  inFile: readonly TableInFile[],
): boolean {
  const start = parseArea(tableRef ?? '');
  const whole = inFile.find((one) => one.name === displayName)?.area;
  const isUsual = start && whole && headerRow !== false && totalsRow !== true && whole.rows > 1;
  const area = { ...start!, rows: whole?.rows ?? 0 };
  if (!isUsual || sheet.tables.some((other) => intersection(other.area, area))) return false;
  const table = new Table(sheet, area, displayName ?? name);
  Object.assign(table, {
    style: style?.theme ?? '',
    highlightFirstColumn: style?.showFirstColumn === true,
    highlightLastColumn: style?.showLastColumn === true,
    showBandedRows: style?.showRowStripes === true,
    showBandedColumns: style?.showColumnStripes === true,
  });
  sheet.tables.push(table);
  settleHeaders(table);
  if (sheet.formulas === 0) return true;
  forEachCell(sheet, area, (cell, row, column) => {
    const own = cell.formula && inOwnTable(cell.formula, table);
    if (own && own !== cell.formula) putCell(sheet, row, column, withFormula(cell, own));
  });
  return true;
}

/** Names the cells in formulas that refer to a table of the file, of which its cells are left. */
function nameCells(
  { name, displayName = name, headerRow, totalsRow }: TableModel,
  sheet: Sheet,
  inFile: readonly TableInFile[],
): void {
  const found = inFile.find((one) => one.name === displayName);
  if (found === undefined) return;
  const { area, xml } = found;
  const columns = elements(xml, 'tableColumn').map((column, id) => ({ id, name: unescaped(column.name ?? '') }));
  // Tables here have a header row, which may be above what these are to name.
  const over = (row: number, rows: number) =>
    Object.assign(new Table(sheet, { ...area, row: row - 1, rows: rows + 1 }, displayName), { columns });
  const [above, below] = [headerRow === false ? 0 : 1, totalsRow === true ? 1 : 0];
  const body = over(area.row + above, area.rows - above - below);
  const whole = over(area.row, area.rows);
  const totals = over(area.row + area.rows - 1, 1);
  const data = ['#Data'];
  rewriteFormulas(sheet.workbook, (formula, home, cell) =>
    mapTable(formula, namedIn(whole, home, cell), (structured) => {
      const has = (item: string) => structured.items.some((one) => sameName(one, item));
      if (has('#All')) return asCells(whole, { ...structured, items: data }, home, cell);
      if (has('#Totals') && below === 1) return asCells(totals, { ...structured, items: data }, home, cell);
      return asCells(body, structured, home, cell);
    }),
  );
}

function readCharts(worksheet: Worksheet, sheet: Sheet, leftOut: Set<LeftOut>): void {
  const size = (axis: 'column' | 'row', index: number): number =>
    axis === 'column'
      ? (sheet.columns[index]?.width ?? STANDARD_COLUMN_WIDTH)
      : (sheet.rows[index]?.height ?? STANDARD_ROW_HEIGHT);
  const { workbook } = sheet;
  for (const chart of worksheet.getCharts() as FileChart[]) {
    const read = chart.isChartEx ? undefined : chartFromFile(chart, size);
    const source = workbook.sheets.find(({ name }) => name === read?.sheet);
    if (read === undefined || source === undefined) {
      leftOut.add('charts');
      continue;
    }
    const { sheet: _, area, series, ...more } = read;
    const number = workbook.nextId();
    const name = `${workbook.locale.names.chart} ${number}`;
    const own = { ...more, id: `{chart-${number}}`, name, source: { sheetId: source.id, area } };
    if (hasSeries(workbook, own, series)) sheet.charts.push(own);
    else leftOut.add('charts');
  }
}

/** The library reads names of some cells only, and of several areas the first. */
function readNames(xml: string, workbook: Workbook): void {
  const sheets = elements(xml, 'sheet');
  for (const { attributes, text } of withContents(xml, 'definedName')) {
    const { name = '', localSheetId, hidden, comment = '' } = attributes;
    const ofSheet = localSheetId === undefined ? undefined : sheets[Number(localSheetId)]?.name;
    const scope = workbook.sheets.find((sheet) => ofSheet !== undefined && sheet.name === takenName(ofSheet));
    const isElsewhere = localSheetId !== undefined && scope === undefined;
    if (name.startsWith('_xlnm.') || text.trim() === '' || isElsewhere) continue;
    (scope?.names ?? workbook.names).push({
      id: String(workbook.nextId()),
      name,
      formula: formulaOfFile(text.trim()),
      comment,
      visible: hidden !== '1' && hidden !== 'true',
      scope,
    });
  }
}
