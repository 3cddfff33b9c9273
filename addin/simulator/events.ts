import type { KindName } from './interpreter/targets.ts';
import {
  type Area,
  areaAddress,
  cellArea,
  intersection,
  quotedSheetName,
  wholeSheet,
} from './workbook/cells/address.ts';
import { valueType } from './workbook/cells/entry.ts';
import type { Shift } from './workbook/cells/movedArea.ts';
import { type Sheet, valueAt } from './workbook/sheet.ts';
import type { Change, Workbook } from './workbook/workbook.ts';

/** An event for the client's handlers: type and target as the client registers them, arguments as JSON. */
export type EventEntry = { messageCategory: 65536; messageType: number; targetId: string; message: string };

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

/** The event numbers of Microsoft's client; see `eventType:` in its source. */
const eventTypes = {
  worksheetChanged: 10,
  worksheetActivated: 11,
  worksheetDeactivated: 12,
  worksheetAdded: 13,
  worksheetSelectionChanged: 14,
  worksheetDeleted: 15,
  worksheetCalculated: 16,
  worksheetFormatChanged: 18,
  worksheetRowSorted: 19,
  worksheetColumnSorted: 20,
  worksheetFormulaChanged: 23,
  chartAdded: 50,
  chartDeleted: 53,
  tableSelectionChanged: 100,
  tableChanged: 101,
  tableAdded: 102,
  tableDeleted: 103,
} as const;

const ofSheets = [
  'Activated',
  'Calculated',
  'ColumnSorted',
  'DataChanged',
  'Deactivated',
  'FormatChanged',
  'FormulaChanged',
  'RowSorted',
  'SelectionChanged',
];

/** The events that each class raises, as the client registers them. Handlers of others are refused. */
export const raisedEvents: Partial<Record<KindName, readonly string[]>> = {
  ChartCollection: ['Added', 'Deleted'],
  Table: ['DataChanged', 'SelectionChanged'],
  TableCollection: ['Added', 'DataChanged', 'Deleted'],
  Worksheet: ofSheets,
  WorksheetCollection: [...ofSheets, 'Added', 'Deleted'],
};

const WORKBOOK = 'Workbook';

const entries = (type: keyof typeof eventTypes, targets: string[], message: Record<string, unknown>): EventEntry[] =>
  targets.map((targetId) => ({
    messageCategory: 65536,
    messageType: eventTypes[type],
    targetId,
    message: JSON.stringify(message),
  }));

const both = (sheet: Sheet): string[] => [sheet.id, WORKBOOK];

/** Handlers request the range of an event by an id; the simulator uses the address. */
const referenceTo = (sheet: Sheet, area: Area): string => `${quotedSheetName(sheet.name)}!${areaAddress(area)}`;

/** What an event tells of a change: of one cell also what was in it (OfficeDev/office-js#5347). */
const contentDetails = ({ sheet, area }: ChangeOf<'content'>): Record<string, unknown> => {
  if (area.rows !== 1 || area.columns !== 1) return { changeType: 'RangeEdited', shiftDirection: 'None' };
  const untold = sheet.workbook.untold.get(sheet);
  const valueAfter = valueAt(sheet, area.row, area.column);
  const isTold = untold?.row === area.row && untold.column === area.column;
  const valueBefore = isTold ? untold.value : valueAfter;
  return {
    changeType: 'RangeEdited',
    shiftDirection: 'None',
    valueBefore,
    valueAfter,
    valueTypeBefore: valueType(valueBefore),
    valueTypeAfter: valueType(valueAfter),
  };
};

/** Whether rows or columns were inserted or deleted as a whole: those of the sheet, or of a table on it. */
const shiftDetails = ({ axis, count, band }: Shift, across: number): Record<string, unknown> => {
  const lines = axis === 'row' ? 'Row' : 'Column';
  const isWhole = band.length >= across;
  const done = count > 0 ? 'Inserted' : 'Deleted';
  const [back, on] = axis === 'row' ? ['Up', 'Down'] : ['Left', 'Right'];
  return {
    changeType: `${isWhole ? lines : 'Cell'}${done}`,
    shiftDirection: isWhole ? 'None' : `ShiftCell${count > 0 ? on : back}`,
  };
};

const acrossOf = (area: Area, { axis }: Shift): number => (axis === 'row' ? area.columns : area.rows);

const cellsEvents = (change: ChangeOf<'content' | 'structure'>, { actor }: Workbook): EventEntry[] => {
  const { sheet, area } = change;
  const messageOf = (whole: Area) => ({
    source: 'Local',
    worksheetId: sheet.id,
    address: areaAddress(area),
    referenceId: referenceTo(sheet, area),
    triggerSource: actor === 'add-in' ? 'ThisLocalAddin' : 'Unknown',
    ...(change.kind === 'content' ? contentDetails(change) : shiftDetails(change.shift, acrossOf(whole, change.shift))),
  });
  return [
    ...entries('worksheetChanged', both(sheet), messageOf(wholeSheet)),
    ...sheet.tables
      .filter((table) => intersection(table.area, area))
      .flatMap((table) =>
        entries('tableChanged', [table.id, ...both(sheet)], { ...messageOf(table.area), tableId: table.id }),
      ),
    ...(change.kind === 'content' ? formulaEvents(change) : []),
  ];
};

/** Of the formulas that were entered, replaced or removed. */
const formulaEvents = ({ sheet, area }: ChangeOf<'content'>): EventEntry[] => {
  const changed = sheet.workbook.untold.get(sheet)?.formulas.filter((at) => intersection(area, cellArea(at))) ?? [];
  if (changed.length === 0) return [];
  return entries('worksheetFormulaChanged', both(sheet), {
    source: 'Local',
    worksheetId: sheet.id,
    formulaDetails: changed.map(({ formula, ...at }) => ({
      cellAddress: areaAddress(cellArea(at)),
      previousFormula: formula,
    })),
  });
};

const selectionEvents = ({ sheet }: ChangeOf<'selection'>): EventEntry[] => {
  const common = { source: 'Local', worksheetId: sheet.id };
  return [
    ...entries('worksheetSelectionChanged', both(sheet), { ...common, address: areaAddress(sheet.selection) }),
    ...sheet.tables.flatMap((table) => {
      const inside = intersection(table.area, sheet.selection);
      return entries('tableSelectionChanged', [table.id], { ...common, address: inside ? areaAddress(inside) : '' });
    }),
  ];
};

/** The events Excel raises for a change of the workbook. */
export const eventsOf = (change: Change, workbook: Workbook): EventEntry[] => {
  if (change.kind === 'calculated') {
    return [...change.places].flatMap(([{ id: worksheetId }, area]) =>
      entries('worksheetCalculated', [worksheetId, WORKBOOK], { worksheetId, address: areaAddress(area) }),
    );
  }
  if (!('sheet' in change)) return [];
  const { sheet } = change;
  const common = { source: 'Local', worksheetId: sheet.id };
  switch (change.kind) {
    case 'content':
    case 'structure':
      return cellsEvents(change, workbook);
    case 'format': {
      const address = areaAddress(change.area);
      const referenceId = referenceTo(sheet, change.area);
      return entries('worksheetFormatChanged', both(sheet), { ...common, address, referenceId });
    }
    case 'sorted': {
      const type = change.leftToRight ? 'worksheetColumnSorted' : 'worksheetRowSorted';
      // Of what moved only, and so perhaps of nothing.
      return entries(type, both(sheet), {
        ...common,
        address: (change.areas ?? [change.area]).map(areaAddress).join(','),
      });
    }
    case 'selection':
      return selectionEvents(change);
    case 'table': {
      if (change.change === 'changed') return [];
      const { id, name } = change.table;
      const type = change.change === 'added' ? 'tableAdded' : 'tableDeleted';
      return entries(type, both(sheet), { ...common, tableId: id, tableName: name });
    }
    case 'chart':
      return entries(change.change === 'added' ? 'chartAdded' : 'chartDeleted', [sheet.id], {
        ...common,
        chartId: change.id,
      });
    case 'activated':
      return [
        ...entries('worksheetDeactivated', both(change.left), { worksheetId: change.left.id }),
        ...entries('worksheetActivated', both(sheet), { worksheetId: sheet.id }),
      ];
    case 'sheets': {
      if (change.change !== 'added' && change.change !== 'deleted') return [];
      return entries(change.change === 'added' ? 'worksheetAdded' : 'worksheetDeleted', [WORKBOOK], common);
    }
    case 'protection':
    case 'layout':
    case 'filtered':
      return [];
  }
};
