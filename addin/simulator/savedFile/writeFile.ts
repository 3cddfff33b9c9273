import {
  type CellErrorValue,
  type CellValueInput,
  type Cell as FileCell,
  Workbook as FileWorkbook,
  type Worksheet,
} from '@cj-tech-master/excelts';
import { installChartSupport } from '@cj-tech-master/excelts/chart';
import { type Unzipped, unzipSync, zipSync } from 'fflate';
import { type Area, areaAddress, cellArea, fixedAddress, type Position, sameName } from '../workbook/cells/address.ts';
import { BUSY, isErrorValue } from '../workbook/cells/entry.ts';
import type { Style } from '../workbook/cells/style.ts';
import {
  type Cell,
  type Note,
  PIXELS_PER_POINT,
  PRINT_TITLES,
  type Sheet,
  STANDARD_COLUMN_WIDTH,
  STANDARD_ROW_HEIGHT,
} from '../workbook/sheet.ts';
import type { Table } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { FONT, styleToFile } from './cellStyle.ts';
import { chartToFile } from './chartFile.ts';
import { conditionalFormatsToFile } from './conditionalFormatFile.ts';
import { fileFormula, fileFormulaOfCell, isSoundFormula } from './fileFormula.ts';
import {
  addCalculationMode,
  addCellFormats,
  addNames,
  addProgram,
  addRules,
  addSettings,
  addSheetProperties,
  escaped,
  type Setting,
} from './fileParts.ts';
import { addFirstRow, addSheetFilters, addTableFilters, cornersOf } from './filterFile.ts';
import {
  isDynamic,
  putPlainRows,
  QuotedStyles,
  rowsOfLibrary,
  styleNumbersIn,
  stylesOfPlainRows,
} from './plainRows.ts';
import { printToFile } from './sheetParts/printFile.ts';
import { validationsToFile } from './sheetParts/validationFile.ts';

/** Excel counts column widths in characters of its standard font; a column has five pixels of padding. */
const characters = (points: number): number =>
  Math.max(0, Math.round(((points * PIXELS_PER_POINT - 5) / 7) * 100) / 100);

/** A library that deflates does so with the level that takes half the time of the usual one, and a tenth more room. */
const LEVEL = 3;

/**
 * A workbook as an .xlsx file.
 * @param addIn the id of the add-in whose settings the workbook has
 */
export async function writeFile(workbook: Workbook, addIn: string): Promise<Uint8Array<ArrayBuffer>> {
  installChartSupport();
  const file = new FileWorkbook();
  file.defaultFont = FONT;
  // Formulas get their values when Excel opens the file.
  file.calcProperties = { fullCalcOnLoad: true };
  const active = workbook.sheets.indexOf(workbook.active);
  file.views = [
    { x: 0, y: 0, width: 24_000, height: 12_000, firstSheet: 0, activeTab: Math.max(0, active), visibility: 'visible' },
  ];
  const ofLibrary = new Map(workbook.sheets.map((sheet) => [sheet, rowsOfLibrary(workbook, sheet)]));
  for (const sheet of workbook.sheets) await addSheet(file, workbook, sheet, ofLibrary.get(sheet)!);
  file.definedNames.model = filterNames(workbook);
  const styles = new Set<Style>();
  for (const sheet of workbook.sheets) stylesOfPlainRows(sheet, ofLibrary.get(sheet)!, styles);
  const from = addStyles(file.worksheets[0]!, workbook.sheets[0]!, styles);
  const parts = unzipSync(await file.xlsx.writeBuffer({ zip: { level: 0 }, validate: false }));
  const numbers = styleNumbers(parts[partOfSheet(1)]!, from, styles);
  const quoted = new QuotedStyles(parts[STYLES]!);
  for (const [index, sheet] of workbook.sheets.entries()) {
    const path = partOfSheet(index + 1);
    const until = index === 0 ? from : Number.POSITIVE_INFINITY;
    parts[path] = putPlainRows(parts[path]!, sheet, ofLibrary.get(sheet)!, numbers, quoted, until);
  }
  parts[STYLES] = quoted.addTo(parts[STYLES]!);
  addOwnParts(parts, workbook, addIn);
  return zipSync(parts, { level: LEVEL });
}

const STYLES = 'xl/styles.xml';
const partOfSheet = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** How many cells of a row get a style for the library. */
const STYLES_IN_ROW = 1000;

/** Gives cells below those in use a style each, so that the library numbers it. @returns the number of the first row */
function addStyles(written: Worksheet, { rows }: Sheet, styles: ReadonlySet<Style>): number {
  const from = Math.max(rows.length, written.rowCount) + 1;
  let index = 0;
  for (const style of styles) {
    const row = written.getRow(from + Math.floor(index / STYLES_IN_ROW));
    row.getCell((index % STYLES_IN_ROW) + 1).style = fileStyle(style);
    index += 1;
  }
  return from;
}

/** The numbers of those styles. A plain one has none. */
function styleNumbers(part: Uint8Array, from: number, styles: ReadonlySet<Style>): ReadonlyMap<Style, number> {
  const numbers = styleNumbersIn(part, from);
  return new Map(
    [...styles].map((style, index) => {
      const at = { row: from - 1 + Math.floor(index / STYLES_IN_ROW), column: index % STYLES_IN_ROW };
      return [style, numbers.get(areaAddress(cellArea(at))) ?? 0];
    }),
  );
}

/** Excel gives the cells of a sheet's filter a hidden name. */
const filterNames = ({ sheets }: Workbook): FileWorkbook['definedNames']['model'] =>
  sheets.flatMap(({ name, filter }, localSheetId) =>
    filter
      ? [{ name: '_xlnm._FilterDatabase', ranges: [fixedAddress(name, filter.area)], localSheetId, hidden: true }]
      : [],
  );

/** Names of cells, constants and formulas as elements, with the number of the sheet that they are of. */
const namesToFile = (workbook: Workbook): string =>
  [...workbook.names, ...workbook.sheets.flatMap(({ names }) => names)]
    // That of repeated rows is a part of how the sheet is printed.
    .filter(({ name, formula, scope }) => !(scope && sameName(name, PRINT_TITLES)) && isSoundFormula(formula))
    .map(({ name, formula, scope, visible, comment }) => {
      const ofSheet = scope ? ` localSheetId="${workbook.sheets.indexOf(scope)}"` : '';
      const more = `${visible ? '' : ' hidden="1"'}${comment === '' ? '' : ` comment="${escaped(comment)}"`}`;
      const text = escaped(fileFormula(formula));
      return `<definedName name="${escaped(name)}"${ofSheet}${more}>${text}</definedName>`;
    })
    .join('');

/** Merged cells. The library would leave out what is in those behind the first one. */
const mergesToFile = (merges: readonly Area[]): string => {
  const cells = merges.map((area) => `<mergeCell ref="${cornersOf(area)}"/>`);
  return cells.length === 0 ? '' : `<mergeCells count="${cells.length}">${cells.join('')}</mergeCells>`;
};

function addOwnParts(parts: Unzipped, workbook: Workbook, addIn: string): void {
  const cellFormats: string[] = [];
  for (const [index, sheet] of workbook.sheets.entries()) {
    const formats = conditionalFormatsToFile(sheet.conditionalFormats, (xml) => cellFormats.push(xml) - 1);
    addRules(parts, index + 1, mergesToFile(sheet.merges) + formats + validationsToFile(sheet.validations));
    addSheetProperties(parts, index + 1, [...sheet.customProperties.values()]);
    if (sheet.filter && sheet.filter.criteria.size > 0) addSheetFilters(parts, index + 1, sheet.filter.criteria);
    for (const table of sheet.tables) {
      const filters = table.columns.flatMap(({ id }, at) => {
        const criteria = table.filters.get(id);
        return criteria === undefined ? [] : [[at, criteria] as const];
      });
      if (table.awaitsFirstRow) addFirstRow(parts, table.name);
      if (filters.length > 0) addTableFilters(parts, table.name, new Map(filters));
    }
  }
  if (cellFormats.length > 0) addCellFormats(parts, cellFormats);
  addNames(parts, namesToFile(workbook));
  addSettings(parts, addIn, [...workbook.settings.values()] as Setting[]);
  addCalculationMode(parts, workbook.calculationMode);
  addProgram(parts);
}

async function addSheet(
  file: FileWorkbook,
  workbook: Workbook,
  sheet: Sheet,
  ofLibrary: ReadonlySet<number>,
): Promise<void> {
  const { frozen, tabColor, visibility } = sheet;
  const isFrozen = frozen.rows > 0 || frozen.columns > 0;
  const written = file.addWorksheet(sheet.name, {
    state: ({ Visible: 'visible', Hidden: 'hidden', VeryHidden: 'veryHidden' } as const)[visibility],
    properties: tabColor === '' ? {} : { tabColor: { argb: `FF${tabColor.slice(1)}` } },
    views: [
      {
        ...(isFrozen ? { state: 'frozen', xSplit: frozen.columns, ySplit: frozen.rows } : { state: 'normal' }),
        activeCell: areaAddress(cellArea(sheet.activeCell)),
        showGridLines: sheet.gridlines,
        showRowColHeaders: sheet.headings,
      } as const,
    ],
    pageSetup: printToFile(sheet),
  });
  addColumns(written, sheet);
  addRows(written, sheet, ofLibrary);
  for (const table of sheet.tables) written.addTable(tableToFile(table));
  if (sheet.filter) written.autoFilter = areaAddress(sheet.filter.area);
  for (const chart of sheet.charts) {
    const inFile = chartToFile(workbook, sheet, chart);
    if (inFile !== undefined) written.addChart(inFile.options, inFile.range);
  }
  await protect(written, sheet);
}

function addColumns(written: Worksheet, { columns }: Sheet): void {
  for (const [index, column] of columns.entries()) {
    if (column === undefined) continue;
    const { width, hidden, style } = column;
    const to = written.getColumn(index + 1);
    if (width !== undefined || hidden) to.width = characters(width ?? STANDARD_COLUMN_WIDTH);
    if (hidden) to.hidden = true;
    if (style !== undefined) to.style = fileStyle(style);
  }
}

function addRows(written: Worksheet, sheet: Sheet, ofLibrary: ReadonlySet<number>): void {
  const { rows, columns } = sheet;
  for (const index of ofLibrary) {
    const row = rows[index];
    if (row === undefined) continue;
    const to = written.getRow(index + 1);
    const isHidden = Boolean(row.hidden || row.filtered);
    // The library leaves out rows that have neither cells nor a height.
    if (row.height !== undefined || isHidden) to.height = row.height ?? STANDARD_ROW_HEIGHT;
    if (isHidden) to.hidden = true;
    if (row.style !== undefined) to.style = fileStyle(row.style);
    for (const [column, cell] of row.cells.entries()) {
      if (cell === undefined) continue;
      const value = valueToFile(cell, sheet, { row: index, column });
      if (value === null && cell.style === undefined && cell.note === undefined) continue;
      const at = to.getCell(column + 1);
      at.value = value;
      const style = cell.style ?? row.style ?? columns[column]?.style;
      if (style !== undefined) at.style = fileStyle(style);
      if (cell.note !== undefined) addNote(at, cell.note);
    }
  }
}

/** Points of a note, which is as high as its lines. */
const NOTE_WIDTH = 180;
const NOTE_LINE = 14;
const NOTE_CHARACTERS = 32;

function addNote(cell: FileCell, { text, author }: Note): void {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / NOTE_CHARACTERS)), 0);
  cell.note = { texts: [{ text }], width: NOTE_WIDTH, height: NOTE_LINE * Math.min(30, lines + 1) };
  if (author !== undefined) cell.comment!.author = author;
}

/** Cells with the same style have the same object. */
const fileStyles = new WeakMap<Style, ReturnType<typeof styleToFile>>();
function fileStyle(style: Style) {
  const known = fileStyles.get(style) ?? styleToFile(style);
  fileStyles.set(style, known);
  return known;
}

function valueToFile(cell: Cell, sheet: Sheet, at: Position): CellValueInput {
  const { value, formula, hyperlink, spills, array, quoted } = cell;
  if (formula !== undefined && isSoundFormula(formula)) {
    const isKnown = value !== formula && value !== BUSY;
    const result = isKnown ? { result: isErrorValue(value) ? ({ error: value } as CellErrorValue) : value } : {};
    const written = { formula: fileFormulaOfCell(formula, sheet, at), ...result };
    if (array !== undefined) return { ...written, shareType: 'array', ref: areaAddress({ ...at, ...array }) };
    // Otherwise Excel would take the first part of the result only.
    return isDynamic(cell, sheet)
      ? { ...written, shareType: 'array', ref: areaAddress(spills ?? cellArea(at)), isDynamicArray: true }
      : written;
  }
  if (value === '') return null;
  if (isErrorValue(value) && !quoted) return { error: value } as CellErrorValue;
  const { address } = hyperlink ?? {};
  if (typeof value === 'string' && address !== undefined && /^(https?:|mailto:)/i.test(address)) {
    return { text: value, hyperlink: address, ...(hyperlink?.screenTip ? { tooltip: hyperlink.screenTip } : {}) };
  }
  return value;
}

/** A table over cells that are written already: the library reads its rows from them. */
const tableToFile = (table: Table): Parameters<Worksheet['addTable']>[0] & { tableRef: string } => ({
  name: table.name,
  ref: areaAddress(cellArea(table.area)),
  tableRef: areaAddress(table.area),
  style: {
    ...(table.style === '' ? {} : { theme: table.style }),
    showFirstColumn: table.highlightFirstColumn,
    showLastColumn: table.highlightLastColumn,
    showRowStripes: table.showBandedRows,
    showColumnStripes: table.showBandedColumns,
  },
  columns: table.columns.map(({ name }) => ({ name, filterButton: table.showFilterButton })),
  rows: [],
});

/** What the protection of a sheet allows: the names of the API, without their `allow`. */
async function protect(written: Worksheet, { protection }: Sheet): Promise<void> {
  if (protection === undefined) return;
  const allowed = Object.entries(protection.options)
    .filter(([name, value]) => value === true && name.startsWith('allow'))
    .map(([name]) => [`${name[5]!.toLowerCase()}${name.slice(6)}`, true]);
  await written.protect(protection.password, { ...Object.fromEntries(allowed), spinCount: 1000 });
}
