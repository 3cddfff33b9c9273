import { groupBy } from '../../../../shared/groupBy.ts';
import { type Area, contains, intersection, without } from '../cells/address.ts';
import { moveFormula } from '../cells/formulas/formula.ts';
import { rewriteFormat, rewriteValidation } from '../rewrite.ts';
import type { Sheet } from '../sheet.ts';

/*
 * Which cells a rule is for: a validation or a conditional format. Excel keeps a list of areas for each, and formulas
 * as they are for the first cell.
 */

type Ruled = { areas: Area[] };

export type Rewrite<Rule> = (rule: Rule, rewrite: (formula: string) => string) => Rule;

/** Changes both lists of rules of a sheet. @param what validation is no format */
export const changeRules = (
  sheet: Sheet,
  change: <Rule extends Ruled>(rulesOf: (sheet: Sheet) => Rule[], rewrite: Rewrite<Rule>) => Rule[],
  what: 'All' | 'Formats' = 'All',
): void => {
  if (what === 'All') sheet.validations = change(({ validations }) => validations, rewriteValidation);
  sheet.conditionalFormats = change(({ conditionalFormats }) => conditionalFormats, rewriteFormat);
};

/**
 * Excel clears conditional formats and merging with the formats of cells, and with everything their validation
 * (Walkenbach, Excel 2007 Bible: "Deleting conditional formatting").
 */
export const clearRules = (sheet: Sheet, area: Area, what: 'All' | 'Formats'): void => {
  changeRules(sheet, (rulesOf, rewrite) => cutOut(rulesOf(sheet), area, rewrite), what);
  sheet.merges = sheet.merges.filter((merged) => !intersection(merged, area));
};

const isSameArea = (a: Area, b: Area): boolean => contains(a, b) && contains(b, a);

/** A rule for other cells. Relative references in its formulas are as they were for each of them. */
export const withAreas = <Rule extends Ruled>(rule: Rule, areas: Area[], rewrite: Rewrite<Rule>): Rule => {
  if (areas.length === rule.areas.length && areas.every((area, index) => isSameArea(area, rule.areas[index]!))) {
    return rule;
  }
  const [before, after] = [rule.areas[0]!, areas[0]!];
  const [rows, columns] = [after.row - before.row, after.column - before.column];
  if (rows === 0 && columns === 0) return { ...rule, areas };
  return { ...rewrite(rule, (formula) => moveFormula(formula, rows, columns)), areas };
};

/** Rules that are no longer for some cells; without any cells, a rule is gone. */
export const cutOut = <Rule extends Ruled>(rules: Rule[], area: Area, rewrite: Rewrite<Rule>): Rule[] =>
  rules.flatMap((rule) => {
    const areas = rule.areas.flatMap((one) => without(one, area));
    return areas.length === 0 ? [] : [withAreas(rule, areas, rewrite)];
  });

/** The part of a rule for some cells; none when it is for others. */
export const cutTo = <Rule extends Ruled>(rules: Rule[], area: Area, rewrite: Rewrite<Rule>): Rule[] =>
  rules.flatMap((rule) => {
    const areas = rule.areas.flatMap((one) => intersection(one, area) ?? []);
    return areas.length === 0 ? [] : [withAreas(rule, areas, rewrite)];
  });

/** The number of a rule that came from another one, where rules have numbers. */
export const renumbered = <Rule extends Ruled>(rule: Rule, sheet: Sheet): Rule =>
  'id' in rule ? { ...rule, id: `{${sheet.workbook.nextId()}}` } : rule;

const joinedAlong = (areas: readonly Area[], axis: 'row' | 'column'): Area[] => {
  const across = axis === 'row' ? 'column' : 'row';
  const [length, breadth] = axis === 'row' ? (['rows', 'columns'] as const) : (['columns', 'rows'] as const);
  const lines = groupBy(areas, (area) => `${area[across]}:${area[breadth]}`);
  return [...lines.values()].flatMap((line) => {
    const joined: Area[] = [];
    for (const area of line.toSorted((a, b) => a[axis] - b[axis])) {
      const last = joined.at(-1);
      if (last && last[axis] + last[length] === area[axis]) {
        joined[joined.length - 1] = { ...last, [length]: last[length] + area[length] };
      } else joined.push(area);
    }
    return joined;
  });
};

/** Areas that do not overlap, with those beside each other as one. The first cell stays the first where it can. */
export const joined = (areas: readonly Area[]): Area[] => {
  const [first] = areas;
  if (!first || areas.length === 1) return [...areas];
  const all = joinedAlong(joinedAlong(areas, 'row'), 'column').sort((a, b) => a.row - b.row || a.column - b.column);
  const base = all.findIndex(
    ({ row, column, rows, columns }) =>
      first.row >= row && first.row < row + rows && first.column >= column && first.column < column + columns,
  );
  return [all[base]!, ...all.filter((_, index) => index !== base)];
};
