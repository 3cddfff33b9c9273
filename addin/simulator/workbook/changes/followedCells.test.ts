import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachCalculator } from '../../calculation/calculator.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../cells/address.ts';
import { formulaAt, type Sheet, valueAt } from '../sheet.ts';
import { addSheet, deleteSheet, renameSheet } from '../sheets.ts';
import { Workbook } from '../workbook.ts';
import { cutCells } from './copy.ts';
import { enterValues } from './enter.ts';
import { deleteCells, insertCells } from './shift.ts';
import { recordStep, redo, undo } from './undo.ts';

/*
 * Where each cell went is known here without any formula: a cell is a tag with a place, and a change moves places. A
 * formula that refers to a cell must have its tag as long as there is that cell, and an error afterwards.
 */

type Place = { sheet: number; row: number; column: number };
/** A value of its own, or a formula that refers to another cell. */
type Tagged = { place: Place | undefined; tag: number } | { place: Place | undefined; target: number };

const SIZE = 5;
const sheetNames = ['Sheet1', "Bob's 2", 'R1C1'];

const columnLetter = (column: number): string => String.fromCharCode(65 + column);
const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`;

/** Ways to refer to a cell. */
const spellings: readonly ((sheet: string, column: string, row: number) => string)[] = [
  (sheet, column, row) => `=${sheet}${column}${row}`,
  (sheet, column, row) => `=${sheet}$${column}$${row}`,
  (sheet, column, row) => `=SUM( ${sheet}${column}${row} : ${column}${row} )`,
  (sheet, column, row) => `=MAX(${sheet}${column}$${row},0)+LEN("A1")-2`,
  (sheet, column, row) => `=IF(1E3>1,+${sheet}$${column}${row},B2:C3)`,
];

const built = () => {
  const workbook = new Workbook();
  const [, second, third] = sheetNames;
  addSheet(workbook, second);
  addSheet(workbook, third);
  const cells: Tagged[] = [];
  for (let sheet = 0; sheet < 3; sheet++) {
    for (let row = 0; row < SIZE; row++) {
      for (let column = 0; column < SIZE; column++)
        cells.push({ place: { sheet, row, column }, tag: 1000 + cells.length });
    }
  }
  // In each sheet formulas stand beside the tags, and refer to tags of all sheets.
  const tags = cells.length;
  for (let index = 0; index < 30; index++) {
    const target = (index * 17) % tags;
    const place = { sheet: index % 3, row: Math.floor(index / 6), column: SIZE + 1 + (Math.floor(index / 3) % 2) };
    cells.push({ place, target });
  }
  cells.forEach((cell, index) => {
    const { sheet, row, column } = cell.place!;
    const to = 'target' in cell ? cells[cell.target]!.place! : undefined;
    const input =
      to === undefined
        ? (cell as { tag: number }).tag
        : spellings[index % spellings.length]!(
            to.sheet === sheet && index % 2 ? '' : `${quoted(sheetNames[to.sheet]!)}!`,
            columnLetter(to.column),
            to.row + 1,
          );
    enterValues(workbook.sheets[sheet]!, { row, column, rows: 1, columns: 1 }, input);
  });
  workbook.history.end = undefined;
  return { workbook, cells, sheets: [...workbook.sheets] as (Sheet | undefined)[] };
};

type Action = { kind: string; sheet: number; to: number; row: number; column: number; rows: number; columns: number };
type State = ReturnType<typeof built>;

/** Moves the places of cells. @param next undefined when a cell is gone */
const relocate = (cells: Tagged[], next: (place: Place) => Place | undefined): void => {
  for (const cell of cells) cell.place = cell.place && next(cell.place);
};

const within = (at: number, start: number, length: number): boolean => at >= start && at < start + length;

const actions: Record<string, (state: State, action: Action, sheet: Sheet) => void> = {
  insertRows: ({ cells }, { sheet: index, row, rows }, sheet) => {
    insertCells(sheet, { row, column: 0, rows, columns: MAX_COLUMNS }, 'Down');
    relocate(cells, (at) => (at.sheet === index && at.row >= row ? { ...at, row: at.row + rows } : at));
  },
  deleteRows: ({ cells }, { sheet: index, row, rows }, sheet) => {
    deleteCells(sheet, { row, column: 0, rows, columns: MAX_COLUMNS }, 'Up');
    relocate(cells, (at) => {
      if (at.sheet !== index || at.row < row) return at;
      return within(at.row, row, rows) ? undefined : { ...at, row: at.row - rows };
    });
  },
  insertColumns: ({ cells }, { sheet: index, column, columns }, sheet) => {
    insertCells(sheet, { row: 0, column, rows: MAX_ROWS, columns }, 'Right');
    relocate(cells, (at) => (at.sheet === index && at.column >= column ? { ...at, column: at.column + columns } : at));
  },
  deleteColumns: ({ cells }, { sheet: index, column, columns }, sheet) => {
    deleteCells(sheet, { row: 0, column, rows: MAX_ROWS, columns }, 'Left');
    relocate(cells, (at) => {
      if (at.sheet !== index || at.column < column) return at;
      return within(at.column, column, columns) ? undefined : { ...at, column: at.column - columns };
    });
  },
  insertCells: ({ cells }, { sheet: index, row, column, rows, columns }, sheet) => {
    insertCells(sheet, { row, column, rows, columns }, 'Down');
    relocate(cells, (at) => {
      const isBelow = at.sheet === index && within(at.column, column, columns) && at.row >= row;
      return isBelow ? { ...at, row: at.row + rows } : at;
    });
  },
  deleteCells: ({ cells }, { sheet: index, row, column, rows, columns }, sheet) => {
    deleteCells(sheet, { row, column, rows, columns }, 'Left');
    relocate(cells, (at) => {
      if (at.sheet !== index || !within(at.row, row, rows) || at.column < column) return at;
      return within(at.column, column, columns) ? undefined : { ...at, column: at.column - columns };
    });
  },
  move: ({ cells, sheets }, { sheet: index, to, row, column, rows, columns }, sheet) => {
    const target = sheets[to];
    if (target === undefined) return;
    const from = { row, column, rows, columns };
    const [toRow, toColumn] = [(row * 3 + columns) % 8, (column * 5 + rows) % 8];
    cutCells(sheet, from, target, { ...from, row: toRow, column: toColumn });
    if (to === index && toRow === row && toColumn === column) return;
    relocate(cells, (at) => {
      if (at.sheet === index && within(at.row, row, rows) && within(at.column, column, columns)) {
        return { sheet: to, row: at.row - row + toRow, column: at.column - column + toColumn };
      }
      const isOver = at.sheet === to && within(at.row, toRow, rows) && within(at.column, toColumn, columns);
      return isOver ? undefined : at;
    });
  },
  rename: ({ workbook }, { row, column, rows }, sheet) => {
    const name = [`It's ${row}`, `A${column + 1}`, `Plain${rows}`, `20${row}${column}`][(row + column) % 4]!;
    if (!workbook.sheets.some((other) => other.name === name)) renameSheet(workbook, sheet, name);
  },
  deleteSheet: ({ workbook, cells, sheets }, { sheet: index }, sheet) => {
    if (workbook.sheets.length === 1) return;
    deleteSheet(workbook, sheet);
    sheets[index] = undefined;
    relocate(cells, (at) => (at.sheet === index ? undefined : at));
  },
};

const assertTags = ({ cells, sheets }: State): void => {
  for (const cell of cells) {
    if (cell.place === undefined) continue;
    const { sheet, row, column } = cell.place;
    const target = 'target' in cell ? (cells[cell.target] as { place: Place | undefined; tag: number }) : undefined;
    const expected = target === undefined ? (cell as { tag: number }).tag : target.place ? target.tag : '#REF!';
    const formula = formulaAt(sheets[sheet]!, row, column);
    expect([formula, valueAt(sheets[sheet]!, row, column)]).toEqual([formula, expected]);
  }
};

const formulasOf = ({ sheets }: Workbook) =>
  sheets.map((sheet) => [
    sheet.name,
    ...sheet.rows.flatMap((line, row) =>
      (line?.cells ?? []).flatMap((cell, column) => (cell ? [[row, column, cell.formula ?? cell.value]] : [])),
    ),
  ]);

const actionOf = (kinds: readonly string[]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    sheet: fc.nat({ max: 2 }),
    to: fc.nat({ max: 2 }),
    row: fc.nat({ max: 6 }),
    column: fc.nat({ max: 7 }),
    rows: fc.integer({ min: 1, max: 3 }),
    columns: fc.integer({ min: 1, max: 3 }),
  });

const carryOut = (state: State, done: readonly Action[]): void => {
  for (const action of done) {
    const sheet = state.sheets[action.sheet];
    if (sheet) recordStep(state.workbook, () => actions[action.kind]!(state, action, sheet));
  }
};

test('Whatever is inserted, deleted, moved or renamed, a formula has the value of the cell that it referred to', () => {
  fc.assert(
    fc.property(fc.array(actionOf(Object.keys(actions)), { minLength: 1, maxLength: 10 }), (done) => {
      const state = built();
      carryOut(state, done);
      attachCalculator(state.workbook);
      assertTags(state);
    }),
    { numRuns: 150 },
  );
});

test('Undo takes each of these back in one step, and redo repeats it', () => {
  const kinds = Object.keys(actions).filter((kind) => kind !== 'deleteSheet');
  fc.assert(
    fc.property(fc.array(actionOf(kinds), { minLength: 1, maxLength: 8 }), (done) => {
      const state = built();
      const { workbook } = state;
      const pictures = [formulasOf(workbook)];
      for (const action of done) {
        const steps = workbook.history.done.length;
        carryOut(state, [action]);
        if (workbook.history.done.length > steps) pictures.push(formulasOf(workbook));
      }
      for (const picture of pictures.toReversed().slice(1)) {
        expect(undo(workbook)).toBe('done');
        expect(formulasOf(workbook)).toEqual(picture);
      }
      for (const picture of pictures.slice(1)) {
        expect(redo(workbook)).toBe('done');
        expect(formulasOf(workbook)).toEqual(picture);
      }
    }),
    { numRuns: 100 },
  );
});
