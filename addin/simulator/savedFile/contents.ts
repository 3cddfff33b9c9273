import type { Style } from '../workbook/cells/style.ts';
import type { NamedItem } from '../workbook/names.ts';
import { type Cell, plainCell, type Row, Sheet } from '../workbook/sheet.ts';
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

/**
 * Some rows of a sheet. A whole workbook at once would keep the page from being drawn, and the cells as objects would take
 * several times as long to send.
 */
export type RowSlice = {
  sheet: number;
  /** The number of cells of each row; -1 for none at all. */
  lengths: Int32Array;
  /** What else there is of rows, by their number in the slice. */
  rest: [number, Omit<Row, 'cells'>][];
  /** What each cell has: a value of one type, or anything else; and a style or a formula. */
  kinds: Uint8Array;
  numbers: Float64Array;
  /** The numbers of texts and styles, as the cells need them. */
  indexes: Uint32Array;
  formulas: string[];
  others: Omit<Cell, 'style'>[];
  /** Texts and styles that no earlier slice has. */
  texts: string[];
  styles: Style[];
};

/** What is given to another thread instead of copied: the memory of a copy would have to be collected. */
export const buffersOf = ({ lengths, kinds, numbers, indexes }: RowSlice): Transferable[] =>
  [lengths, kinds, numbers, indexes].map(({ buffer }) => buffer as ArrayBuffer);

const SLICE_CELLS = 10_000;

const [NUMBER, TEXT, OTHER, STYLED, CALCULATED] = [1, 2, 3, 4, 8];

/** Something that many cells have, by its number. */
const numbered = <Item>() => {
  const numbers = new Map<Item, number>();
  let fresh: Item[] = [];
  return {
    of: (item: Item): number => {
      const known = numbers.get(item);
      if (known !== undefined) return known;
      fresh.push(item);
      return numbers.set(item, numbers.size).size - 1;
    },
    takeNew: (): Item[] => {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
};

/** The rows of all sheets, in slices. */
export function* rowSlices({ sheets }: Pick<Workbook, 'sheets'>): Generator<RowSlice> {
  const [texts, styles] = [numbered<string>(), numbered<Style>()];
  for (const [sheet, { rows }] of sheets.entries()) {
    for (let from = 0; from < rows.length; ) {
      let count = 0;
      let to = from;
      while (to < rows.length && count < SLICE_CELLS) count += rows[to++]?.cells.length ?? 0;
      const slice = packed(rows.slice(from, to), count, texts.of, styles.of);
      yield { sheet, ...slice, texts: texts.takeNew(), styles: styles.takeNew() };
      from = to;
    }
  }
}

function packed(
  rows: readonly (Row | undefined)[],
  count: number,
  textNumber: (text: string) => number,
  styleNumber: (style: Style) => number,
): Omit<RowSlice, 'sheet' | 'texts' | 'styles'> {
  const lengths = new Int32Array(rows.length);
  const kinds = new Uint8Array(count);
  const [numbers, indexes] = [new Float64Array(count), new Uint32Array(2 * count)];
  const rest: RowSlice['rest'] = [];
  const formulas: string[] = [];
  const others: RowSlice['others'] = [];
  let [at, number, index] = [0, 0, 0];
  for (const [line, row] of rows.entries()) {
    lengths[line] = row?.cells.length ?? -1;
    if (row === undefined) continue;
    const { cells, ...ofRow } = row;
    if (Object.keys(ofRow).length > 0) rest.push([line, ofRow]);
    for (const cell of cells) {
      const place = at++;
      if (cell === undefined) continue;
      const { value, formula, style } = cell;
      const known = 1 + (formula === undefined ? 0 : 1) + (style === undefined ? 0 : 1);
      if (style !== undefined) indexes[index++] = styleNumber(style);
      const styled = style === undefined ? 0 : STYLED;
      if (typeof value === 'boolean' || Object.keys(cell).length !== known) {
        const { style: _, ...other } = cell;
        others.push(other);
        kinds[place] = OTHER | styled;
        continue;
      }
      if (typeof value === 'number') numbers[number++] = value;
      else indexes[index++] = textNumber(value);
      if (formula !== undefined) formulas.push(formula);
      kinds[place] = (typeof value === 'number' ? NUMBER : TEXT) | styled | (formula === undefined ? 0 : CALCULATED);
    }
  }
  return {
    lengths,
    rest,
    kinds,
    numbers: numbers.slice(0, number),
    indexes: indexes.slice(0, index),
    formulas,
    others,
  };
}

/** Takes the slices of a workbook one by one. @returns with `into`, which puts the rows into the rest of the workbook */
export function rowReader() {
  const ofSheets: (Row | undefined)[][] = [];
  const texts: string[] = [];
  const styles: Style[] = [];
  return {
    add: (slice: RowSlice): void => {
      for (const text of slice.texts) texts.push(text);
      for (const style of slice.styles) styles.push(style);
      ofSheets[slice.sheet] ??= [];
      for (const row of unpacked(slice, texts, styles)) ofSheets[slice.sheet]!.push(row);
    },
    into: (contents: WorkbookContents): WorkbookContents => ({
      ...contents,
      sheets: contents.sheets.map((sheet, at) => ({ ...sheet, rows: ofSheets[at] ?? [] })),
    }),
  };
}

function* unpacked(
  { lengths, rest, kinds, numbers, indexes, formulas, others }: RowSlice,
  texts: readonly string[],
  styles: readonly Style[],
): Generator<Row | undefined> {
  const ofRows = new Map(rest);
  let [at, number, index, calculated, other] = [0, 0, 0, 0, 0];
  const cellOf = (kind: number, above: Cell | undefined): Cell => {
    const style = kind & STYLED ? styles[indexes[index++]!] : undefined;
    if ((kind & OTHER) === OTHER) {
      const cell = others[other++]!;
      return style === undefined ? cell : { ...cell, style };
    }
    const value = kind & NUMBER ? numbers[number++]! : texts[indexes[index++]!]!;
    if (kind & CALCULATED) {
      const formula = formulas[calculated++]!;
      return style === undefined ? { value, formula } : { value, formula, style };
    }
    return plainCell(value, style, above);
  };
  let before: Row['cells'] = [];
  for (const [line, length] of lengths.entries()) {
    if (length < 0) {
      yield undefined;
      continue;
    }
    const cells = new Array<Cell | undefined>(length);
    for (let column = 0; column < length; column += 1) {
      const kind = kinds[at++]!;
      cells[column] = kind === 0 ? undefined : cellOf(kind, before[column]);
    }
    before = cells;
    yield { cells, ...ofRows.get(line) };
  }
}

export const withoutRows = (contents: WorkbookContents): WorkbookContents => ({
  ...contents,
  sheets: contents.sheets.map((sheet) => ({ ...sheet, rows: [] })),
});
