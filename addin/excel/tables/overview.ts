import { columnLetters, MAX_SHEET_ROWS } from '../../../shared/spreadsheet.ts';
import { numberFormatOf } from '../cell.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { setFormat } from '../writeBlock.ts';
import { type Place as LocatedTable, stayAt } from './locateTable.ts';

type Place = Pick<LocatedTable, 'sheet' | 'table' | 'top' | 'left' | 'rows' | 'columns'>;

/** The part above a table: a heading, and if it has them a chart and the totals of its columns. */
export type Overview = {
  title: string;
  /** Two lines below the title. */
  lines: readonly [string, string];
  /**
   * The columns of amounts that are added up, and a label in another column. Groups are the texts of a column: above the
   * total each has a row with its own sums, over all its rows.
   */
  totals?: {
    label: { key: string; text: string };
    columns: readonly string[];
    groups?: { key: string; texts: readonly string[]; label: string };
  };
  /** Stacked bars, one for each of the first rows of the table. A series is a column with its colour. */
  chart?: {
    title: string;
    categories: string;
    series: readonly { key: string; color: string }[];
    maxRows: number;
  };
  /** The column by which a new table is sorted, the highest value first; left out: it stays in the order of its rows. */
  sort?: string;
};

type OverviewChart = NonNullable<Overview['chart']>;

/** The rows of the parts, counted from 0. */
const LINES_ROW = 1;
const CHART_ROWS = { first: 4, last: 19 } as const;
const groupsRowOf = ({ chart }: Overview): number => (chart === undefined ? LINES_ROW + 3 : CHART_ROWS.last + 2);
const groupsOf = ({ totals }: Overview): readonly string[] => totals?.groups?.texts ?? [];
const totalsRowOf = (overview: Overview): number => groupsRowOf(overview) + groupsOf(overview).length;
const headingsRowOf = (overview: Overview): number => totalsRowOf(overview) + (overview.totals === undefined ? 0 : 1);

/** The number of rows above the headings of the table. */
export const rowsAbove = (overview: Overview | undefined): number =>
  overview === undefined ? 0 : headingsRowOf(overview);

/** Checks that a sheet has room for the rows of a table below its overview and headings. @throws WorkbookProblem TOO_LARGE */
export function checkRoom(rows: number, overview: Overview | undefined): void {
  if (rowsAbove(overview) + 1 + rows > MAX_SHEET_ROWS) throw new WorkbookProblem('TOO_LARGE');
}

/** The width of the chart, in columns. */
const CHART_COLUMNS = 7;

/** The names of the chart and of cells. Excel moves a name with its cell, and deletes it with its cell. */
const CHART = 'Ledgerline overview';
const NAMES = { title: 'Ledgerline_title', lines: 'Ledgerline_lines', totals: 'Ledgerline_totals' } as const;
const groupName = (index: number): string => `Ledgerline_group_${index + 1}`;

/** Queues writing an overview above a new table, which begins `rowsAbove` rows down. */
export function placeOverview(place: Place, overview: Overview): void {
  const { sheet } = place;
  const title = sheet.getRange('A1');
  title.format.font.bold = true;
  title.format.font.size = 14;
  const lines = sheet.getRangeByIndexes(LINES_ROW, 0, overview.lines.length, 1);
  // Each name is for one range, so that rows inserted by the user do not become a part of it.
  const rowAt = (row: number) => sheet.getRangeByIndexes(row, 0, 1, 1);
  const groupRows = groupsOf(overview).map((_, index) => groupsRowOf(overview) + index);
  const named: [name: string, range: Excel.Range][] = [
    [NAMES.title, title],
    [NAMES.lines, lines],
    ...(overview.totals === undefined ? [] : [[NAMES.totals, rowAt(totalsRowOf(overview))] as [string, Excel.Range]]),
    ...groupRows.map((row, index): [string, Excel.Range] => [groupName(index), rowAt(row)]),
  ];
  for (const [name, range] of named) sheet.names.add(name, range).visible = false;
  writeHeading(title, lines, overview);
  writeTotals(place, totalsRowOf(overview), overview);
  for (const [index, row] of groupRows.entries()) writeGroup(place, row, overview, index);
  if (overview.chart === undefined) sheet.freezePanes.freezeRows(rowsAbove(overview) + 1);
  else placeChart(place, overview.chart);
  const sorted = overview.sort === undefined ? undefined : place.columns.get(overview.sort);
  if (sorted !== undefined) place.table.sort.apply([{ key: sorted, ascending: false }]);
}

function placeChart(place: Place, wanted: OverviewChart): void {
  const { sheet } = place;
  const source = chartSource(place, wanted);
  if (source === undefined) return;
  const chart = sheet.charts.add('BarStacked', source, 'Columns');
  chart.name = CHART;
  chart.title.text = wanted.title;
  chart.legend.position = 'Bottom';
  paintSeries(chart, wanted);
  const { categoryAxis, valueAxis } = chart.axes;
  // The first row on top. This moves the labels of the amounts; `High` moves them back.
  categoryAxis.reversePlotOrder = true;
  valueAxis.tickLabelPosition = 'High';
  // Beside the bars, also if an amount is negative.
  categoryAxis.tickLabelPosition = 'Low';
  valueAxis.numberFormat = '#,##0';
  chart.setPosition(
    sheet.getRangeByIndexes(CHART_ROWS.first, 0, 1, 1),
    sheet.getRangeByIndexes(CHART_ROWS.last, CHART_COLUMNS - 1, 1, 1),
  );
}

/**
 * Updates an overview at its present position. Parts that the user deleted are not restored, and changes to the chart are
 * kept, but for the rows it shows and the colours of its series, which have a meaning. Takes two syncs.
 */
export async function refreshOverview(
  context: Excel.RequestContext,
  place: LocatedTable,
  overview: Overview,
): Promise<void> {
  const { sheet, table } = place;
  const groupNames = groupsOf(overview).map((_, index) => groupName(index));
  const ranges = [...Object.values(NAMES), ...groupNames].map((name) => {
    const range = sheet.names.getItemOrNullObject(name).getRangeOrNullObject();
    range.load({ rowIndex: true, rowCount: true });
    return range;
  });
  const chart = sheet.charts.getItemOrNullObject(CHART);
  chart.load({ name: true });
  table.sort.load({ fields: true });
  await context.sync();

  const request = stayAt(context, place);
  const [title, lines, totals, ...groups] = ranges as [Excel.Range, Excel.Range, Excel.Range, ...Excel.Range[]];
  writeHeading(
    title.isNullObject ? undefined : title,
    lines.isNullObject || lines.rowCount !== overview.lines.length ? undefined : lines,
    overview,
  );
  if (!totals.isNullObject) writeTotals(place, totals.rowIndex, overview);
  for (const [index, group] of groups.entries()) {
    if (!group.isNullObject) writeGroup(place, group.rowIndex, overview, index);
  }
  if (table.sort.fields.length > 0) table.sort.reapply();
  if (!chart.isNullObject && overview.chart !== undefined) refreshChart(chart, place, overview.chart);
  await request.sync();
}

function refreshChart(chart: Excel.Chart, place: Place, wanted: OverviewChart): void {
  const source = chartSource(place, wanted);
  if (source === undefined) return;
  chart.setData(source, 'Columns');
  paintSeries(chart, wanted);
}

function paintSeries(chart: Excel.Chart, { series }: OverviewChart): void {
  for (const [index, { color }] of series.entries()) chart.series.getItemAt(index).format.fill.setSolidColor(color);
}

function writeHeading(title: Excel.Range | undefined, lines: Excel.Range | undefined, overview: Overview): void {
  if (title !== undefined) writeTexts(title, [overview.title]);
  if (lines !== undefined) writeTexts(lines, overview.lines);
}

/** Writes texts below each other, as text: a label may begin with "=". */
function writeTexts(range: Excel.Range, texts: readonly string[]): void {
  setFormat(range, numberFormatOf('text'));
  range.values = texts.map((text) => [text]);
}

/** A cell of a row of totals, in bold; nothing when its column is not there. */
function writeTotal(
  { sheet, left, columns }: Place,
  { row, key }: { row: number; key: string },
  contentOf: (column: string) => string,
  format: string,
): void {
  const column = columns.get(key);
  if (column === undefined) return;
  const cell = sheet.getRangeByIndexes(row, left + column, 1, 1);
  setFormat(cell, format);
  cell.values = [[contentOf(columnLetters(left + column))]];
  cell.format.font.bold = true;
}

/** Writes totals as formulas over the rows that a filter shows: Excel keeps them right when the user changes a row. */
function writeTotals(place: Place, row: number, { totals }: Overview): void {
  if (totals === undefined) return;
  const { top, rows } = place;
  writeTotal(place, { row, key: totals.label.key }, () => totals.label.text, numberFormatOf('text'));
  const sum = (column: string) => `=SUBTOTAL(109,${column}${top + 1}:${column}${top + rows})`;
  for (const key of totals.columns) writeTotal(place, { row, key }, sum, numberFormatOf('amount'));
}

/** Writes the sums of a group as formulas over its rows, wherever these are sorted to. Its text stands in its column. */
function writeGroup(place: Place, row: number, { totals }: Overview, index: number): void {
  const groups = totals?.groups;
  const column = groups && place.columns.get(groups.key);
  if (totals === undefined || groups === undefined || column === undefined) return;
  const { top, rows, left } = place;
  const letters = columnLetters(left + column);
  const over = (of: string) => `${of}${top + 1}:${of}${top + rows}`;
  writeTotal(place, { row, key: totals.label.key }, () => groups.label, numberFormatOf('text'));
  writeTotal(place, { row, key: groups.key }, () => groups.texts[index]!, numberFormatOf('text'));
  const sum = (of: string) => `=SUMIFS(${over(of)},${over(letters)},${letters}${row + 1})`;
  for (const key of totals.columns) writeTotal(place, { row, key }, sum, numberFormatOf('amount'));
}

/** The cells of the chart; undefined when its columns are no longer next to each other. */
function chartSource({ sheet, top, left, rows, columns }: Place, chart: OverviewChart): Excel.Range | undefined {
  const places = [chart.categories, ...chart.series.map(({ key }) => key)].map((key) => columns.get(key));
  const [first] = places;
  if (first === undefined || places.some((place, index) => place !== first + index)) return undefined;
  return sheet.getRangeByIndexes(top - 1, left + first, 1 + Math.min(rows, chart.maxRows), places.length);
}
