import { areaAddress, intersection } from './workbook/cells/address.ts';
import { type Sheet, textAt } from './workbook/sheet.ts';
import type { Change, Workbook } from './workbook/workbook.ts';

/** An event on its way to the client's handlers: type and target as the client registers them, arguments as JSON. */
export type EventEntry = { messageCategory: 65536; messageType: number; targetId: string; message: string };

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

/** The events Excel raises for a change of the workbook. */
export const eventsOf = (change: Change, workbook: Workbook): EventEntry[] => {
  if (change.kind === 'editing' || change.kind === 'opened') return [];
  if (change.kind === 'layout' || change.kind === 'filtered') return [];
  const { sheet } = change;
  const common = { source: 'Local', worksheetId: sheet.id };
  switch (change.kind) {
    case 'content':
    case 'structure': {
      const { area } = change;
      const message = {
        ...common,
        address: areaAddress(area),
        changeType: change.kind === 'content' ? 'RangeEdited' : change.change,
        // Handlers request the range of an event by this id; the simulator uses an address as the id.
        referenceId: `'${sheet.name.replaceAll("'", "''")}'!${areaAddress(area)}`,
        triggerSource: workbook.actor === 'add-in' ? 'ThisLocalAddin' : 'Unknown',
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
    }
    case 'format':
      return entries('worksheetFormatChanged', both(sheet), {
        ...common,
        address: areaAddress(change.area),
        referenceId: `'${sheet.name.replaceAll("'", "''")}'!${areaAddress(change.area)}`,
      });
    case 'sorted':
      return entries('worksheetRowSorted', both(sheet), { ...common, address: areaAddress(change.area) });
    case 'selection': {
      const address = areaAddress(sheet.selection);
      return [
        ...entries('worksheetSelectionChanged', both(sheet), { ...common, address }),
        ...sheet.tables.flatMap((table) => {
          const inside = intersection(table.area, sheet.selection);
          return entries('tableSelectionChanged', [table.id], {
            ...common,
            address: inside ? areaAddress(inside) : '',
          });
        }),
      ];
    }
    case 'table':
      if (change.change === 'changed') return [];
      return entries(change.change === 'added' ? 'tableAdded' : 'tableDeleted', both(sheet), {
        ...common,
        tableId: change.table.id,
        tableName: change.table.name,
      });
    case 'protection':
      return entries('worksheetProtectionChanged', both(sheet), {
        ...common,
        isProtected: sheet.protection !== undefined,
      });
    case 'activated':
      return [
        ...entries('worksheetDeactivated', both(change.left), { worksheetId: change.left.id }),
        ...entries('worksheetActivated', both(sheet), { worksheetId: sheet.id }),
      ];
    case 'sheets':
      switch (change.change) {
        case 'added':
          return entries('worksheetAdded', [WORKBOOK], common);
        case 'deleted':
          return entries('worksheetDeleted', [WORKBOOK], common);
        case 'renamed':
          return entries('worksheetNameChanged', both(sheet), {
            ...common,
            nameBefore: change.before,
            nameAfter: sheet.name,
          });
        case 'moved':
          return entries('worksheetMoved', [WORKBOOK], common);
        default:
          return entries('worksheetVisibilityChanged', both(sheet), { ...common, visibilityAfter: sheet.visibility });
      }
  }
};
