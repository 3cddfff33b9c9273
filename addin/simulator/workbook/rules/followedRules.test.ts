import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Area, areaAddress, contains, intersection, MAX_COLUMNS, MAX_ROWS } from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { copyCells, cutCells } from '../changes/copy.ts';
import { deleteCells, insertCells } from '../changes/shift.ts';
import { recordStep, redo, undo } from '../changes/undo.ts';
import type { Sheet } from '../sheet.ts';
import { addSheet } from '../sheets.ts';
import { Workbook } from '../workbook.ts';

/*
 * A model without areas: each cell has the numbers of its rules, and a change moves cells. Each rule is a formula about
 * its own cell, so its formula must name the first cell that it is for.
 */

const SIZE = 14;
const kinds = ['validations', 'conditionalFormats'] as const;
type Kind = (typeof kinds)[number];

/** The numbers of the rules of each cell, by sheet, row and column. */
type Model = Record<Kind, Set<number>[][][]>;

const empty = (): Model =>
  Object.fromEntries(
    kinds.map((kind) => [kind, [0, 1].map(() => Array.from({ length: SIZE }, () => row()))]),
  ) as unknown as Model;
const row = () => Array.from({ length: SIZE }, () => new Set<number>());

const formulaOf = (rule: Sheet[Kind][number]): string =>
  'rule' in rule && 'custom' in rule.rule!
    ? (rule.rule.custom as { formula: string }).formula
    : ((rule.settings as { Custom: { Rule: { Formula: string } } }).Custom.Rule.Formula as string);

/** The model that a workbook shows. Every formula must be about the first cell of its rule. */
const shownBy = ({ sheets }: Workbook): Model => {
  const model = empty();
  sheets.forEach((sheet, index) => {
    for (const kind of kinds) {
      for (const rule of sheet[kind]) {
        const [, cell, number] = /^=LEN\((.*)\)<(\d+)$/.exec(formulaOf(rule))!;
        expect(cell).toBe(areaAddress({ ...rule.areas[0]!, rows: 1, columns: 1 }));
        for (const area of rule.areas) {
          for (let at = area.row; at < Math.min(area.row + area.rows, SIZE); at++) {
            for (let column = area.column; column < Math.min(area.column + area.columns, SIZE); column++) {
              const numbers = model[kind][index]![at]![column]!;
              if (numbers.has(Number(number))) throw new Error(`Twice in ${areaAddress(area)}: ${number}`);
              numbers.add(Number(number));
            }
          }
        }
      }
    }
    // Two validations for one cell, or merged cells that overlap, make a file that Excel repairs.
    expect(model.validations[index]!.flat().filter(({ size }) => size > 1)).toEqual([]);
    for (const merged of sheet.merges) {
      expect(merged.rows * merged.columns).toBeGreaterThan(1);
      expect(sheet.merges.filter((other) => intersection(other, merged))).toEqual([merged]);
    }
  });
  return model;
};

const built = (): Workbook => {
  const workbook = new Workbook();
  addSheet(workbook, 'Away');
  const [first, second] = workbook.sheets as [Sheet, Sheet];
  const areas: [Sheet, Area][] = [
    [first, { row: 1, column: 1, rows: 4, columns: 3 }],
    [first, { row: 5, column: 0, rows: 1, columns: 4 }],
    [second, { row: 0, column: 2, rows: 3, columns: 1 }],
  ];
  areas.forEach(([sheet, area], index) => {
    const cell = areaAddress({ ...area, rows: 1, columns: 1 });
    sheet.validations.push({
      areas: [area],
      rule: { custom: { formula: `=LEN(${cell})<${index + 1}` } },
      settings: {},
    });
    const Custom = { Rule: { Formula: `=LEN(${cell})<${index + 11}` } };
    sheet.conditionalFormats.push({ id: `${index}`, areas: [area], type: 'Custom', settings: { Custom } });
  });
  first.merges.push({ row: 2, column: 5, rows: 2, columns: 2 }, { row: 6, column: 1, rows: 1, columns: 2 });
  return workbook;
};

type Action = Area & { kind: string; sheet: number; to: number; toRow: number; toColumn: number };

/** A change of the workbook, and the place that each cell has its rules from; undefined for a cell that is new. */
type Origin = { sheet: number; row: number; column: number };
type Change = { apply: (sheet: Sheet, target: Sheet) => void; from: (at: Origin) => Origin | undefined };

const shifted = (action: Action, axis: 'row' | 'column', isInsert: boolean): Change['from'] => {
  const across = axis === 'row' ? 'column' : 'row';
  const [count, breadth] = axis === 'row' ? [action.rows, action.columns] : [action.columns, action.rows];
  return (at) => {
    const isBeside = at[across] < action[across] || at[across] >= action[across] + breadth;
    if (at.sheet !== action.sheet || isBeside || at[axis] < action[axis]) return at;
    if (!isInsert) return { ...at, [axis]: at[axis] + count };
    return at[axis] < action[axis] + count ? undefined : { ...at, [axis]: at[axis] - count };
  };
};

const changes: Record<string, (action: Action) => Change> = {
  insertRows: ({ columns: _, ...action }) => {
    const area = { ...action, column: 0, columns: MAX_COLUMNS };
    return { apply: (sheet) => insertCells(sheet, area, 'Down'), from: shifted(area, 'row', true) };
  },
  deleteColumns: ({ rows: _, ...action }) => {
    const area = { ...action, row: 0, rows: MAX_ROWS };
    return { apply: (sheet) => deleteCells(sheet, area, 'Left'), from: shifted(area, 'column', false) };
  },
  insertDown: (area) => ({
    apply: (sheet) => insertCells(sheet, area, 'Down'),
    from: shifted(area, 'row', true),
  }),
  insertRight: (area) => ({
    apply: (sheet) => insertCells(sheet, area, 'Right'),
    from: shifted(area, 'column', true),
  }),
  deleteUp: (area) => ({ apply: (sheet) => deleteCells(sheet, area, 'Up'), from: shifted(area, 'row', false) }),
  deleteLeft: (area) => ({ apply: (sheet) => deleteCells(sheet, area, 'Left'), from: shifted(area, 'column', false) }),
  move: (action) => carried(action, true),
  copy: (action) => carried(action, false),
};

const carried = (action: Action, isCut: boolean): Change => {
  const { sheet: index, to, toRow, toColumn, ...from } = action;
  const target = { ...from, row: toRow, column: toColumn };
  const isIn = (area: Area, at: Origin) => contains(area, { ...at, rows: 1, columns: 1 });
  return {
    apply: (sheet, other) => void (isCut ? cutCells : copyCells)(sheet, from, other, target),
    from: (at) => {
      if (at.sheet === to && isIn(target, at)) {
        return { sheet: index, row: at.row - toRow + from.row, column: at.column - toColumn + from.column };
      }
      return isCut && at.sheet === index && isIn(from, at) ? { sheet: -1, row: 0, column: 0 } : at;
    },
  };
};

const actionOf = fc.record({
  kind: fc.constantFrom(...Object.keys(changes)),
  sheet: fc.nat({ max: 1 }),
  to: fc.nat({ max: 1 }),
  row: fc.nat({ max: 7 }),
  column: fc.nat({ max: 5 }),
  rows: fc.integer({ min: 1, max: 3 }),
  columns: fc.integer({ min: 1, max: 3 }),
  toRow: fc.nat({ max: 7 }),
  toColumn: fc.nat({ max: 5 }),
});

/** Carries an action out. @returns whether Excel refuses it, since it tears merged cells */
const isRefused = (workbook: Workbook, action: Action, { apply }: Change): boolean => {
  try {
    recordStep(workbook, () => apply(workbook.sheets[action.sheet]!, workbook.sheets[action.to]!));
    return false;
  } catch (error) {
    if (!(error instanceof ExcelError) || error.code !== 'InvalidOperation') throw error;
    return true;
  }
};

test('Whatever is inserted, deleted, moved or copied, each cell keeps its validation and conditional formats', () => {
  fc.assert(
    fc.property(fc.array(actionOf, { minLength: 1, maxLength: 6 }), (actions) => {
      const workbook = built();
      for (const action of actions) {
        const before = shownBy(workbook);
        const change = changes[action.kind]!(action);
        const refused = isRefused(workbook, action, change);
        const after = shownBy(workbook);
        if (refused) {
          expect(after).toEqual(before);
          continue;
        }
        const wrong: unknown[] = [];
        for (const kind of kinds) {
          after[kind].forEach((rows, sheet) => {
            rows.forEach((cells, at) => {
              cells.forEach((numbers, column) => {
                const from = change.from({ sheet, row: at, column });
                // The rules of new cells are another test's; what comes from beyond the model is unknown.
                if (from === undefined || from.row >= SIZE || from.column >= SIZE) return;
                const expected = before[kind][from.sheet]?.[from.row]?.[from.column] ?? new Set<number>();
                const isSame = numbers.size === expected.size && [...numbers].every((number) => expected.has(number));
                if (!isSame) wrong.push({ kind, sheet, at, column, from });
              });
            });
          });
        }
        expect(wrong).toEqual([]);
      }
    }),
    { numRuns: 400 },
  );
});

test('Undo and redo restore them, whatever was done', () => {
  const picture = ({ sheets }: Workbook) =>
    structuredClone(
      sheets.map(({ validations, conditionalFormats, merges }) => [validations, conditionalFormats, merges]),
    );
  fc.assert(
    fc.property(fc.array(actionOf, { minLength: 1, maxLength: 6 }), (actions) => {
      const workbook = built();
      workbook.history.end = undefined;
      const pictures = [picture(workbook)];
      for (const action of actions) {
        const steps = workbook.history.done.length;
        isRefused(workbook, action, changes[action.kind]!(action));
        if (workbook.history.done.length > steps) pictures.push(picture(workbook));
        else expect(picture(workbook)).toEqual(pictures.at(-1));
      }
      for (const before of pictures.toReversed().slice(1)) {
        expect(undo(workbook)).toBe('done');
        expect(picture(workbook)).toEqual(before);
      }
      for (const after of pictures.slice(1)) {
        expect(redo(workbook)).toBe('done');
        expect(picture(workbook)).toEqual(after);
      }
    }),
    { numRuns: 150 },
  );
});
