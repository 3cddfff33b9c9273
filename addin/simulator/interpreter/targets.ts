import type { Chart, ChartAxis, ChartTitle } from '../sheetCharts/chart.ts';
import type { Area } from '../workbook/cells/address.ts';
import type { NamedItem } from '../workbook/names.ts';
import type { ConditionalFormat, Sheet } from '../workbook/sheet.ts';
import type { Table, TableColumn } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';

/** A range of the client. The area moves when cells are inserted or deleted before it. */
export type RangeTarget = { sheet: Sheet; area: Area };
export type BorderTarget = { range: RangeTarget; side: string };
export type ColumnTarget = { table: Table; column: TableColumn };
export type RowTarget = { table: Table; index: number };
/** The tables of the workbook, or of one sheet. */
export type TablesTarget = { workbook: Workbook; sheet: Sheet | undefined };
/** The names of the workbook, or of one sheet. */
export type NamesTarget = { workbook: Workbook; scope: Sheet | undefined };
export type NameTarget = { workbook: Workbook; item: NamedItem };
/** A custom property or a setting. */
export type Entry = { key: string; value: unknown };
export type EntryTarget = { entries: Map<string, Entry>; entry: Entry };
export type ChartTarget = { sheet: Sheet; chart: Chart };
type ChartSeriesTarget = ChartTarget & { index: number };
/** A title or an axis of a chart on a sheet. */
export type ChartPartTarget<Part> = { sheet: Sheet; part: Part };
export type FormatTarget = { sheet: Sheet; format: ConditionalFormat };
/** Part of a conditional format: its values by their names. */
export type Settings = Record<string, unknown>;

/** The classes whose objects are part of a conditional format. */
export type ConditionalFormatPart =
  | 'CellValueConditionalFormat'
  | 'ColorScaleConditionalFormat'
  | 'ConditionalFormatRule'
  | 'ConditionalRangeFill'
  | 'ConditionalRangeFont'
  | 'ConditionalRangeFormat'
  | 'CustomConditionalFormat'
  | 'DataBarConditionalFormat'
  | 'IconSetConditionalFormat'
  | 'PresetCriteriaConditionalFormat'
  | 'TextConditionalFormat'
  | 'TopBottomConditionalFormat';

/** The supported classes of Excel's API, and the part of the workbook that an object of each stands for. */
export type Targets = Record<ConditionalFormatPart, Settings> & {
  Application: Workbook;
  Chart: ChartTarget;
  ChartAxes: ChartTarget;
  ChartAxis: ChartPartTarget<ChartAxis>;
  ChartAxisTitle: ChartPartTarget<ChartTitle>;
  ChartCollection: Sheet;
  ChartFill: ChartSeriesTarget;
  ChartLegend: ChartTarget;
  ChartSeries: ChartSeriesTarget;
  ChartSeriesCollection: ChartTarget;
  ChartSeriesFormat: ChartSeriesTarget;
  ChartTitle: ChartPartTarget<ChartTitle>;
  ConditionalFormat: FormatTarget;
  ConditionalFormatCollection: RangeTarget;
  CultureInfo: Workbook;
  CustomProperty: EntryTarget;
  CustomPropertyCollection: Workbook;
  DataValidation: RangeTarget;
  DatetimeFormatInfo: Workbook;
  DocumentProperties: Workbook;
  Filter: ColumnTarget;
  FormatProtection: RangeTarget;
  FunctionResult: { value: number };
  Functions: Workbook;
  NamedItem: NameTarget;
  NamedItemCollection: NamesTarget;
  NumberFormatInfo: Workbook;
  Range: RangeTarget;
  RangeBorder: BorderTarget;
  RangeBorderCollection: RangeTarget;
  RangeFill: RangeTarget;
  RangeFont: RangeTarget;
  RangeFormat: RangeTarget;
  RangeSort: RangeTarget;
  RangeView: RangeTarget;
  Runtime: Workbook;
  Setting: EntryTarget;
  SettingCollection: Workbook;
  Table: Table;
  TableAutoFilter: Table;
  TableCollection: TablesTarget;
  TableColumn: ColumnTarget;
  TableColumnCollection: Table;
  TableRow: RowTarget;
  TableRowCollection: Table;
  TableScopedCollection: { range: RangeTarget; fully: boolean };
  TableSort: Table;
  Workbook: Workbook;
  WorkbookProtection: Workbook;
  Worksheet: Sheet;
  WorksheetAutoFilter: Sheet;
  WorksheetCollection: Workbook;
  WorksheetCustomProperty: EntryTarget;
  WorksheetCustomPropertyCollection: Sheet;
  PageLayout: Sheet;
  WorksheetFreezePanes: Sheet;
  WorksheetProtection: Sheet;
};

export type KindName = keyof Targets;
