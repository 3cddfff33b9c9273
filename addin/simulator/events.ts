import { type Area, areaAddress, intersection, quotedSheetName } from './workbook/cells/address.ts';
import type { Shift } from './workbook/cells/formulas/formula.ts';
import { type Sheet, textAt } from './workbook/sheet.ts';
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
  worksheetFormatChanged: 18,
  worksheetRowSorted: 19,
  worksheetProtectionChanged: 24,
  worksheetNameChanged: 25,
  worksheetVisibilityChanged: 26,
  worksheetMoved: 27,
  tableSelectionChanged: 100,
  tableChanged: 101,
  tableAdded: 102,
  tableDeleted: 103,
} as const;

const WORKBOOK = 'Workbook';

const entries = (type: keyof typeof eventTypes, targets: string[], message: Record<string, unknown>): EventEntry[] =>
  targets.map((targetId) => ({
    messageCategory: 65536,
    messageType: eventTypes[type],
    targetId,
    message: JSON.stringify(message),
  }));

const both = (sheet: Sheet): string[] => [sheet.id, WORKBOOK];

const changeTypeOf = ({ axis, count }: Shift): string =>
  `${axis === 'row' ? 'Row' : 'Column'}${count > 0 ? 'Inserted' : 'Deleted'}`;

/** Handlers request the range of an event by an id; the simulator uses the address. */
const referenceTo = (sheet: Sheet, area: Area): string => `${quotedSheetName(sheet.name)}!${areaAddress(area)}`;

const sheetsEvents = {
  added: 'worksheetAdded',
  deleted: 'worksheetDeleted',
  moved: 'worksheetMoved',
  renamed: 'worksheetNameChanged',
  visibility: 'worksheetVisibilityChanged',
} as const;

const sheetsEvent = ({ sheet, change, before }: ChangeOf<'sheets'>): EventEntry[] => {
  const details = {
    renamed: { nameBefore: before, nameAfter: sheet.name },
    visibility: { visibilityAfter: sheet.visibility },
  };
  const own = change === 'renamed' || change === 'visibility' ? details[change] : undefined;
  const message = { source: 'Local', worksheetId: sheet.id, ...own };
  return entries(sheetsEvents[change], own ? both(sheet) : [WORKBOOK], message);
};

const cellsEvents = (change: ChangeOf<'content' | 'structure'>, { actor }: Workbook): EventEntry[] => {
  const { sheet, area } = change;
  const message = {
    source: 'Local',
    worksheetId: sheet.id,
    address: areaAddress(area),
    changeType: change.kind === 'content' ? 'RangeEdited' : changeTypeOf(change.shift),
    referenceId: referenceTo(sheet, area),
    triggerSource: actor === 'add-in' ? 'ThisLocalAddin' : 'Unknown',
    shiftDirection: 'None',
    ...(change.kind === 'content' && area.rows === 1 && area.columns === 1
      ? { valueAfter: textAt(sheet, area.row, area.column), valueTypeAfter: 'String' }
      : {}),
  };
  return [
    ...entries('worksheetChanged', both(sheet), message),
    ...sheet.tables
      .filter((table) => intersection(table.area, area))
      .flatMap((table) => entries('tableChanged', [table.id, ...both(sheet)], { ...message, tableId: table.id })),
  ];
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
  if (change.kind === 'editing' || change.kind === 'opened' || change.kind === 'calculated' || change.kind === 'names')
    return [];
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
    case 'sorted':
      return entries('worksheetRowSorted', both(sheet), { ...common, address: areaAddress(change.area) });
    case 'selection':
      return selectionEvents(change);
    case 'table': {
      if (change.change === 'changed') return [];
      const { id, name } = change.table;
      const type = change.change === 'added' ? 'tableAdded' : 'tableDeleted';
      return entries(type, both(sheet), { ...common, tableId: id, tableName: name });
    }
    case 'protection':
      return entries('worksheetProtectionChanged', both(sheet), { ...common, isProtected: Boolean(sheet.protection) });
    case 'activated':
      return [
        ...entries('worksheetDeactivated', both(change.left), { worksheetId: change.left.id }),
        ...entries('worksheetActivated', both(sheet), { worksheetId: sheet.id }),
      ];
    case 'sheets':
      return sheetsEvent(change);
    case 'layout':
    case 'filtered':
      return [];
  }
};
