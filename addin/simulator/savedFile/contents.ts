import type { NamedItem } from '../workbook/names.ts';
import { type Row, Sheet } from '../workbook/sheet.ts';
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
  calculationMode: Workbook['calculationMode'];
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
  calculationMode: workbook.calculationMode,
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
  const { settings, customProperties, properties, calculationMode } = contents;
  Object.assign(workbook, { settings, customProperties, properties, calculationMode });
  // Numbers of new parts go on behind those of the contents.
  while (workbook.nextId() < contents.lastId);
  return workbook;
}

/** Some rows of a sheet: a whole workbook at once would keep the page from being drawn. */
export type RowSlice = { sheet: number; rows: (Row | undefined)[] };

const SLICE_CELLS = 5000;

/** The rows of all sheets, in slices. */
export function* rowSlices({ sheets }: Pick<Workbook, 'sheets'>): Generator<RowSlice> {
  for (const [sheet, { rows }] of sheets.entries()) {
    for (let from = 0; from < rows.length; ) {
      let cells = 0;
      let to = from;
      while (to < rows.length && cells < SLICE_CELLS) cells += 1 + (rows[to++]?.cells.length ?? 0);
      yield { sheet, rows: rows.slice(from, to) };
      from = to;
    }
  }
}

export const withoutRows = (contents: WorkbookContents): WorkbookContents => ({
  ...contents,
  sheets: contents.sheets.map((sheet) => ({ ...sheet, rows: [] })),
});

/** Puts the rows of slices into their sheets. */
export function putRows(contents: WorkbookContents, slices: readonly RowSlice[]): WorkbookContents {
  for (const { sheet, rows } of slices) for (const row of rows) contents.sheets[sheet]!.rows.push(row);
  return contents;
}
