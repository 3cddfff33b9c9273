import { calculateFormulas, type WorkbookLike } from '@cj-tech-master/excelts/formula';
import type { CellValue } from '../workbook/cells/entry.ts';
import { formulaTree, type Part, within } from '../workbook/cells/formulas/formulaTree.ts';
import { cellAt, type Sheet } from '../workbook/sheet.ts';
import { type FormulaCell, numberOf } from './dependencies.ts';
import { isPlain } from './engineNames.ts';
import { cellValue, kinds, number, type Value } from './engineValues.ts';
import { ownFunctions } from './excelFunctions/ownFunctions.ts';
import { PARAMETER } from './formulaReferences.ts';
import { costs, isCheap } from './limits/costs.ts';
import {
  cellArgument,
  hasArithmetic,
  hasComparison,
  leavesOut,
  makesText,
  splicedOperators,
  takesTexts,
  textArgument,
} from './operators.ts';
import { engineValue } from './sharedAreas.ts';
import type { Result } from './spills.ts';

/*
 * The engine reads, compiles and orders each formula by itself, which takes longer than to evaluate it. The formulas of
 * a column mostly differ in their row only: those are evaluated as one function over the values that they refer to.
 */

/** Fewer formulas take longer together than one by one. */
const MIN_ALIKE = 100;

/** Functions whose results depend on the values of their arguments only, and are one value. */
const ofValues = new Set(
  (
    'ABS AND DATE DAY EXACT FIND IF IFERROR IFNA IFS INT ISBLANK ISERROR ISNA ISNUMBER ISTEXT LEFT LEN ' +
    'LOWER MAX MID MIN MOD MONTH NOT OR POWER PROPER REPT RIGHT ROUND ROUNDDOWN ROUNDUP SEARCH SIGN SQRT ' +
    'SUBSTITUTE SUM SWITCH TEXT TRIM TRUNC UPPER VALUE YEAR'
  ).split(' '),
);

/** Formulas of a column that differ in the cells that they refer to only. */
type Alike = {
  members: FormulaCell[];
  /** The formula with names in place of those cells. */
  body: string;
  parameters: string[];
  /** What must be calculated before; undefined when that is none of these. */
  after: Set<Alike> | undefined;
};

/**
 * Calculates formulas that many others of their column are like, if they depend on such formulas only.
 * @param write gets the results, before those of formulas that depend on them are calculated
 * @returns the others, which are still to be calculated
 */
export function calculateAlike(formulas: Set<FormulaCell>, write: (results: Result[]) => void): Set<FormulaCell> {
  if (formulas.size < MIN_ALIKE) return formulas;
  let waiting = alikeAmong(formulas);
  const rest = new Set(formulas);
  const isDone = (alike: Alike) => !rest.has(alike.members[0]!);
  while (waiting.length > 0) {
    const ready = waiting.filter(({ after }) => after !== undefined && [...after].every(isDone));
    if (ready.length === 0) break;
    for (const alike of ready) {
      const values = valuesOf(alike);
      if (values === undefined) continue;
      write(alike.members.map((cell, index) => ({ cell, values: [[values[index]!]], mayFill: false })));
      for (const cell of alike.members) rest.delete(cell);
    }
    waiting = waiting.filter((alike) => !ready.includes(alike));
  }
  return rest;
}

function alikeAmong(formulas: Iterable<FormulaCell>): Alike[] {
  const groups = new Map<Sheet, Map<string, FormulaCell[]>>();
  const groupOf = new Map<Sheet, Map<number, FormulaCell[]>>();
  for (const cell of formulas) {
    const key = `${cell.column} ${cell.references.shape}`;
    const ofSheet = groups.get(cell.sheet) ?? new Map<string, FormulaCell[]>();
    const cells = groupOf.get(cell.sheet) ?? new Map<number, FormulaCell[]>();
    groups.set(cell.sheet, ofSheet);
    groupOf.set(cell.sheet, cells);
    const group = ofSheet.get(key) ?? [];
    if (group.push(cell) === 1) ofSheet.set(key, group);
    cells.set(numberOf(cell), group);
  }
  const found = new Map<FormulaCell[], Alike>();
  for (const ofSheet of groups.values()) {
    for (const members of ofSheet.values()) {
      const pattern = members.length < MIN_ALIKE ? undefined : patternOf(members[0]!);
      if (pattern !== undefined) found.set(members, { members, ...pattern, after: new Set() });
    }
  }
  for (const alike of found.values()) {
    for (const { references } of alike.members) {
      for (const { sheet, area } of references.areas) {
        const group = groupOf.get(sheet)?.get(numberOf(area));
        if (group === undefined) continue;
        const other = found.get(group);
        if (other === undefined || other === alike) alike.after = undefined;
        else alike.after?.add(other);
      }
    }
  }
  return [...found.values()];
}

/** A formula as a function of the cells that it refers to; undefined when it depends on more than their values. */
function patternOf({ references: { shape, areas } }: FormulaCell): Pick<Alike, 'body' | 'parameters'> | undefined {
  if (shape === undefined) return undefined;
  const parameters: string[] = [];
  const body = shape.slice(1).replace(PARAMETER, () => {
    parameters.push(`LL_${parameters.length}`);
    return parameters.at(-1)!;
  });
  if (parameters.length === 0 || parameters.length !== areas.length) return undefined;
  if (!isOfValues(body)) return undefined;
  return { body, parameters };
}

/** A formula with what its operators take. @param takesText whether some of its cells have texts */
function withOperators(body: string, takesText: boolean): string {
  const mayTakeText = hasArithmetic(body) && (takesText || makesText.test(body));
  const isRewritten = mayTakeText || hasComparison(body) || takesTexts(body) || leavesOut(body);
  const tree = isRewritten ? formulaTree(body) : undefined;
  const write = (part: Part): string => {
    const texts = within(part).map(write);
    const given =
      part.kind === 'call'
        ? texts.map((text, index) =>
            // Each name is that of a cell.
            textArgument(part, index, part.args[index]!.kind === 'name' ? cellArgument(part.name, text) : text),
          )
        : texts;
    return splicedOperators(body, part, given, mayTakeText);
  };
  return tree === undefined ? body : write(tree);
}

/** Whether a formula with names for cells has known functions, operators and constants only. */
function isOfValues(body: string): boolean {
  const text = body.replaceAll(/"(?:[^"]|"")*"/g, '""');
  const tree = /(?:SEARCH|TEXT)\s*\(/i.test(text) ? formulaTree(body) : undefined;
  if (tree !== undefined && !isOfCheapCalls(tree, body)) return false;
  // What else refers to cells, or is several values: areas, sheets, intersections, arrays.
  if (!isPlain(text) || /[!']|[\w.)"%]\s+[\w(".]/.test(text)) return false;
  const calls: boolean[] = [];
  for (const [token, name, paren] of text.matchAll(/([\p{L}_][\p{L}\p{N}_.]*)?(\()|[\p{L}_][\p{L}\p{N}_.]*|[),]/gu)) {
    if (paren !== undefined) {
      if (name !== undefined && !ofValues.has(name.toUpperCase())) return false;
      calls.push(name !== undefined);
    } else if (token === ')') calls.pop();
    // Outside a call a comma unites cells.
    else if (token === ',' && calls.at(-1) !== true) return false;
    else if (token !== ',' && !/^(?:LL_\d+|TRUE|FALSE|E)$/i.test(token)) return false;
  }
  return true;
}

const isOfCheapCalls = (part: Part, body: string): boolean =>
  (part.kind !== 'call' || costs[part.name] === undefined || isCheap(part, body)) &&
  within(part).every((one) => isOfCheapCalls(one, body));

/** The results of formulas that are alike; undefined when the engine has none. */
function valuesOf({ members, body, parameters }: Alike): CellValue[] | undefined {
  const { locale } = members[0]!.sheet.workbook;
  const given = parameters.map((_, index): Value => {
    const rows = members.map(({ references }) => {
      const { sheet, area } = references.areas[index]!;
      return [engineValue(cellAt(sheet, area.row, area.column))];
    });
    return { kind: kinds.array, rows, height: rows.length, width: 1 };
  });
  let results: Value | undefined;
  const keep = ([values]: readonly unknown[]) => {
    results = values as Value;
    return number(0);
  };
  const userFunctions: NonNullable<WorkbookLike['userFunctions']> = new Map([
    ...ownFunctions(locale),
    ['LL_VALUES', { minArity: 1, maxArity: 1, invoke: ([index]) => given[(index as Value).value as number]! }],
    ['LL_RESULTS', { minArity: 1, maxArity: 1, invoke: keep }],
  ]);
  const values = parameters.map((_, index) => `LL_VALUES(${index})`);
  const takesText = given.some(({ rows }) => rows!.some(([value]) => value!.kind === kinds.text));
  const lambda = `LAMBDA(${parameters.join(',')},${withOperators(body, takesText)})`;
  const formula = `LL_RESULTS(MAP(${values.join(',')},${lambda}))`;
  try {
    calculateFormulas({ ...workbookOf(formula), userFunctions });
  } catch {
    return undefined;
  }
  return results?.rows?.length === members.length ? results.rows.map(([value]) => cellValue(value)) : undefined;
}

/** A workbook with one formula. */
function workbookOf(formula: string): WorkbookLike {
  const cell = { row: 1, col: 1, type: 6, formula, model: { formula }, value: null, result: undefined };
  const sheet = {
    id: 1,
    name: 'S',
    dimensions: { top: 1, left: 1, bottom: 1, right: 1 },
    eachRow: (...args: unknown[]) =>
      (args.at(-1) as (row: unknown, number: number) => void)(
        { eachCell: (...more: unknown[]) => (more.at(-1) as (one: unknown, column: number) => void)(cell, 1) },
        1,
      ),
    findCell: () => cell,
    getCell: () => cell,
    getTables: () => [],
  };
  return {
    worksheets: [sheet],
    getWorksheet: () => sheet,
    definedNames: { getAllEntries: () => [], getAllNames: () => [] },
  } as unknown as WorkbookLike;
}
