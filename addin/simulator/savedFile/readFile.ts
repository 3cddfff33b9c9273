import {
  type Cell as FileCell,
  type CellValue as FileValue,
  Workbook as FileWorkbook,
  type Worksheet,
} from '@cj-tech-master/excelts';
import { type Chart as FileChart, installChartSupport } from '@cj-tech-master/excelts/chart';
import { strFromU8, unzipSync } from 'fflate';
import { type Area, intersection, parseArea, wholeSheet } from '../workbook/cells/address.ts';
import type { CellValue } from '../workbook/cells/entry.ts';
import type { Locale } from '../workbook/cells/locale.ts';
import type { Style } from '../workbook/cells/style.ts';
import {
  cellAt,
  columnOf,
  forEachCell,
  PIXELS_PER_POINT,
  putCell,
  rowOf,
  type Sheet,
  STANDARD_COLUMN_WIDTH,
  STANDARD_ROW_HEIGHT,
} from '../workbook/sheet.ts';
import { addSheet } from '../workbook/sheets.ts';
import { settleHeaders, Table } from '../workbook/table.ts';
import { Workbook } from '../workbook/workbook.ts';
import { FONT, styleFromFile } from './cellStyle.ts';
import { chartFromFile } from './chartFile.ts';
import { conditionalFormatsIn, hasLaterFormats } from './conditionalFormatFile.ts';
import { formulaOfFile } from './fileFormula.ts';
import {
  behindCells,
  filtersIn,
  isSettings,
  partsOfSheets,
  type ReadPart,
  settingsIn,
  sheetProperties,
} from './fileParts.ts';
import { notesIn } from './notesFile.ts';
import { validationsFromFile } from './validationFile.ts';

/** Parts of files that a workbook here has no place for. */
export const leftOutKinds = [
  'macros',
  'links',
  'connections',
  'pivotTables',
  'pictures',
  'charts',
  'conditionalFormats',
  'arrayFormulas',
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

/** Bytes of a file, of all its parts unpacked, its number of parts, and cells, at the most. */
export const limits = { file: 100_000_000, unpacked: 1_000_000_000, parts: 10_000, cells: 12_000_000 };

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
 * @returns a workbook, and what the file has besides
 * @throws UnreadableFile
 */
export async function readFile(
  bytes: Uint8Array,
  addIn: string,
  language: Locale['language'],
  max = limits,
): Promise<{ workbook: Workbook; leftOut: LeftOut[] }> {
  const names = namesOfParts(bytes, max);
  const leftOut = new Set(
    partsLeftOut.filter(([path]) => names.some((name) => path.test(name))).map(([, kind]) => kind),
  );
  const read: ReadPart = (path) => unzipSync(bytes, { filter: ({ name }) => name === path })[path];
  installChartSupport();
  const file = new FileWorkbook();
  try {
    await file.xlsx.load(bytes);
  } catch (cause) {
    throw new UnreadableFile('notWorkbook', { cause });
  }
  const workbook = new Workbook(language);
  const [placeholder] = workbook.sheets;
  workbook.sheets = [];
  const sheets = file.worksheets.map((worksheet) => ({ worksheet, sheet: addSheet(workbook, worksheet.name) }));
  if (sheets.length === 0) throw new UnreadableFile('notWorkbook');
  if (workbook.active === placeholder) workbook.active = workbook.sheets[0]!;
  /** Cells that may still be read. */
  const left = { cells: max.cells };
  for (const { worksheet, sheet } of sheets) readSheet(file, worksheet, sheet, leftOut, left);
  const paths = partsOfSheets(read);
  const styles = strFromU8(read('xl/styles.xml') ?? new Uint8Array());
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
    for (const { at, note } of notesIn(path, read)) {
      putCell(sheet, at.row, at.column, { value: '', ...cellAt(sheet, at.row, at.column), note });
    }
  }
  readNames(file, workbook);
  for (const name of names.filter((one) => /^xl\/tables\/[^/]+\.xml$/.test(one))) readFilters(workbook, read(name)!);
  for (const name of names.filter(isSettings)) {
    for (const setting of settingsIn(read(name)!, addIn)) workbook.settings.set(setting.key.toLowerCase(), setting);
  }
  const active = workbook.sheets[file.views[0]?.activeTab ?? 0];
  const visible = workbook.sheets.find(({ visibility }) => visibility === 'Visible');
  workbook.active = active?.visibility === 'Visible' ? active : (visible ?? workbook.sheets[0]!);
  return { workbook, leftOut: leftOutKinds.filter((kind) => leftOut.has(kind)) };
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
  if (!names.includes('xl/workbook.xml')) throw new UnreadableFile('notWorkbook');
  return names;
}

/** Characters of a width as points. */
const points = (characters: number): number => (characters * 7 + 5) / PIXELS_PER_POINT;

function readSheet(
  file: FileWorkbook,
  worksheet: Worksheet,
  sheet: Sheet,
  leftOut: Set<LeftOut>,
  left: { cells: number },
): void {
  const { state, properties, views, sheetProtection } = worksheet;
  sheet.visibility = ({ visible: 'Visible', hidden: 'Hidden', veryHidden: 'VeryHidden' } as const)[state];
  const tab = properties.tabColor?.argb;
  if (tab !== undefined) sheet.tabColor = `#${tab.slice(-6)}`;
  const [view] = views;
  if (view?.state === 'frozen') sheet.frozen = { rows: view.ySplit ?? 0, columns: view.xSplit ?? 0 };
  sheet.gridlines = view?.showGridLines !== false;
  sheet.headings = view?.showRowColHeaders !== false;
  const cell = parseArea(view?.activeCell ?? 'A1');
  if (cell !== undefined) Object.assign(sheet, { selection: cell, activeCell: { row: cell.row, column: cell.column } });
  const styles = styleReader(file);
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
  for (let number = 1; number <= worksheet.rowCount; number++) {
    const row = worksheet.findRow(number);
    if (row === undefined) continue;
    const to = rowOf(sheet, number - 1);
    if (row.height !== undefined && row.height !== STANDARD_ROW_HEIGHT) to.height = row.height;
    if (row.hidden) to.hidden = true;
    row.eachCell({ includeEmpty: true }, (from, column) => {
      if (--left.cells < 0) throw new UnreadableFile('tooLarge');
      readCell(from, sheet, number - 1, column - 1, styles, leftOut);
    });
  }
  markSpilled(sheet);
  for (const { top, left, bottom, right } of worksheet.mergedRegions) {
    sheet.merges.push({ row: top - 1, column: left - 1, rows: bottom - top + 1, columns: right - left + 1 });
  }
  for (const [address, validation] of Object.entries(worksheet.dataValidations.model)) {
    if (validation !== undefined) sheet.validations.push(...validationsFromFile(address, validation));
  }
  if (sheetProtection?.sheet) {
    const options = Object.entries(sheetProtection)
      .filter(([name, value]) => value === true && name !== 'sheet')
      .map(([name]) => [`allow${name[0]!.toUpperCase()}${name.slice(1)}`, true]);
    sheet.protection = { options: Object.fromEntries(options) };
  }
  for (const table of worksheet.getTables()) readTable(table.model, sheet, leftOut);
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

function readCell(
  from: FileCell,
  sheet: Sheet,
  row: number,
  column: number,
  styles: ReturnType<typeof styleReader>,
  leftOut: Set<LeftOut>,
): void {
  const style = styles(from.style);
  const { value, formula, spills, hyperlink } = contentOf(from.value, from.formula, leftOut);
  if (value === '' && style === undefined) return;
  putCell(sheet, row, column, {
    value,
    ...(formula === undefined ? {} : { formula }),
    ...(spills === undefined ? {} : { spills }),
    ...(hyperlink === undefined ? {} : { hyperlink }),
    ...(style === undefined ? {} : { style }),
  });
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

/** Days from Excel's first one to that of JavaScript. */
const EPOCH = 25_569;
const DAY = 86_400_000;

type Content = { value: CellValue; formula?: string; spills?: Area; hyperlink?: Readonly<Record<string, string>> };

function contentOf(value: FileValue, ownFormula: string | undefined, leftOut: Set<LeftOut>): Content {
  if (value === null || value === undefined) return { value: '' };
  if (typeof value !== 'object') return { value };
  if (value instanceof Date) return { value: value.getTime() / DAY + EPOCH };
  if ('error' in value) return { value: value.error };
  if ('richText' in value && !('hyperlink' in value)) return { value: value.richText.map(({ text }) => text).join('') };
  if ('hyperlink' in value) {
    return { value: value.text, hyperlink: { address: value.hyperlink, screenTip: value.tooltip ?? '' } };
  }
  if ('checkbox' in value) return { value: value.checkbox };
  const isArray = 'shareType' in value;
  if (isArray && !value.isDynamicArray) leftOut.add('arrayFormulas');
  const spills = isArray && value.isDynamicArray ? parseArea(value.ref) : undefined;
  const formula = formulaOfFile(('formula' in value ? value.formula : undefined) ?? ownFormula ?? '0');
  const result = 'result' in value ? value.result : undefined;
  // Until it is calculated here it has the result of the file.
  const shown = result === undefined ? formula : contentOf(result, undefined, leftOut).value;
  return { value: shown, formula, ...(spills === undefined ? {} : { spills }) };
}

function readTable(
  { name, displayName, tableRef, headerRow, totalsRow, style }: ReturnType<Worksheet['getTables']>[number]['model'],
  sheet: Sheet,
  leftOut: Set<LeftOut>,
): void {
  const area = parseArea(tableRef ?? '');
  const isUsual = area !== undefined && headerRow !== false && totalsRow !== true && area.rows > 1;
  if (!isUsual || sheet.tables.some((other) => intersection(other.area, area))) {
    leftOut.add('tables');
    return;
  }
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
}

/** Rows that a filter hides are shown again when it is cleared. */
function readFilters(workbook: Workbook, part: Uint8Array): void {
  const { table: name, filters, hasButtons } = filtersIn(part);
  for (const sheet of workbook.sheets) {
    const table = sheet.tables.find((one) => one.name === name);
    if (table === undefined) continue;
    table.showFilterButton = hasButtons;
    if (filters.length === 0) continue;
    for (const [column, criteria] of filters) {
      const found = table.columns[column];
      if (found !== undefined) table.filters.set(found.id, criteria);
    }
    for (let at = table.area.row + 1; at < table.area.row + table.area.rows; at++) {
      const row = sheet.rows[at];
      if (!row?.hidden) continue;
      delete row.hidden;
      row.filtered = true;
    }
  }
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
    const { sheet: _, area, ...more } = read;
    const number = workbook.nextId();
    const name = `${workbook.locale.names.chart} ${number}`;
    sheet.charts.push({ ...more, id: `{chart-${number}}`, name, source: { sheetId: source.id, area } });
  }
}

function readNames(file: FileWorkbook, workbook: Workbook): void {
  for (const { name, ranges, formulaExpression, rawText, localSheetId, hidden } of file.definedNames.model) {
    if (name.startsWith('_xlnm.')) continue;
    const scope = localSheetId === undefined ? undefined : workbook.sheets[localSheetId];
    // Constants and formulas are as in the file; in areas the library doubles the apostrophes of a sheet's name again.
    const text = formulaExpression ?? rawText ?? ranges[0]?.replaceAll("''''", "''");
    if (text === undefined) continue;
    (scope?.names ?? workbook.names).push({
      id: String(workbook.nextId()),
      name,
      formula: formulaOfFile(text),
      comment: '',
      visible: !hidden,
      scope,
    });
  }
}
