import type { NamedItem } from '../workbook/names.ts';
import { Sheet } from '../workbook/sheet.ts';
import { Table } from '../workbook/table.ts';
import { Workbook } from '../workbook/workbook.ts';

/* A workbook as data, as a worker of the page gets it and returns it. */

type TableContents = Omit<Table, 'sheet'>;
type NameContents = Omit<NamedItem, 'scope'>;
type SheetContents = Omit<Sheet, 'workbook' | 'tables' | 'names'> & { tables: TableContents[]; names: NameContents[] };

export type WorkbookContents = {
  language: Workbook['locale']['language'];
  sheets: SheetContents[];
  /** The index of the active sheet. */
  active: number;
  names: NameContents[];
  settings: Workbook['settings'];
  customProperties: Workbook['customProperties'];
  properties: Workbook['properties'];
  /** Numbers up to this one are in use. */
  lastId: number;
};

const nameContents = ({ scope: _, ...name }: NamedItem): NameContents => name;

export const contentsOf = (workbook: Workbook): WorkbookContents => ({
  language: workbook.locale.language,
  sheets: workbook.sheets.map(({ workbook: _, tables, names, ...sheet }) => ({
    ...sheet,
    tables: tables.map(({ sheet: __, ...table }) => table),
    names: names.map(nameContents),
  })),
  active: workbook.sheets.indexOf(workbook.active),
  names: workbook.names.map(nameContents),
  settings: workbook.settings,
  customProperties: workbook.customProperties,
  properties: workbook.properties,
  lastId: workbook.nextId(),
});

export function workbookOf(contents: WorkbookContents): Workbook {
  const workbook = new Workbook(contents.language);
  workbook.sheets = contents.sheets.map(({ tables, names, ...rest }) => {
    const sheet = Object.assign(new Sheet(workbook, rest.id, rest.name), rest);
    sheet.tables = tables.map((table) => Object.assign(new Table(sheet, table.area, table.name), table));
    sheet.names = names.map((name) => ({ ...name, scope: sheet }));
    return sheet;
  });
  workbook.active = workbook.sheets[contents.active]!;
  workbook.names = contents.names.map((name) => ({ ...name, scope: undefined }));
  const { settings, customProperties, properties } = contents;
  Object.assign(workbook, { settings, customProperties, properties });
  // Numbers of new parts go on behind those of the contents.
  while (workbook.nextId() < contents.lastId);
  return workbook;
}
