import { type Area, contains } from '../cells/address.ts';
import type { Sheet } from '../sheet.ts';
import { changeRules, cutOut, cutTo, type Rewrite, renumbered } from './ruledAreas.ts';

/** Cells that were moved, with what is in them. */
export type Moving = { fromSheet: Sheet; from: Area; toSheet: Sheet; to: Area };

const moved = (area: Area, { from, to }: Moving): Area => ({
  ...area,
  row: area.row - from.row + to.row,
  column: area.column - from.column + to.column,
});

/**
 * Rules go along with cells that were moved, and those of the target are gone.
 * @param stay what becomes of a formula of a rule that stays on its sheet
 * @param go what becomes of a formula of a rule that is moved: it keeps its references
 */
export const moveRules = (
  moving: Moving,
  stay: (formula: string, home: Sheet) => string,
  go: (formula: string) => string,
): void => {
  const { fromSheet, from, toSheet, to } = moving;
  const staying = <Rule extends { areas: Area[] }>(rules: Rule[], home: Sheet, rewrite: Rewrite<Rule>): Rule[] => {
    const outside = home === fromSheet ? cutOut(rules, from, rewrite) : rules;
    const left = home === toSheet ? cutOut(outside, to, rewrite) : outside;
    return left.map((rule) => rewrite(rule, (formula) => stay(formula, home)));
  };
  const going = <Rule extends { areas: Area[] }>(rules: Rule[], rewrite: Rewrite<Rule>): Rule[] =>
    rules.flatMap((rule) =>
      cutTo([rule], from, rewrite).map((part) => {
        const areas = part.areas.map((area) => moved(area, moving));
        const isWhole = rule.areas.every((area) => contains(from, area));
        const gone = { ...rewrite(part, go), areas };
        return isWhole ? gone : renumbered(gone, toSheet);
      }),
    );
  if (fromSheet === toSheet) {
    // Conditional formats keep their order.
    changeRules(toSheet, (rulesOf, rewrite) =>
      rulesOf(toSheet).flatMap((rule) => [...staying([rule], toSheet, rewrite), ...going([rule], rewrite)]),
    );
    return;
  }
  changeRules(toSheet, (rulesOf, rewrite) => [
    ...staying(rulesOf(toSheet), toSheet, rewrite),
    ...going(rulesOf(fromSheet), rewrite),
  ]);
  changeRules(fromSheet, (rulesOf, rewrite) => staying(rulesOf(fromSheet), fromSheet, rewrite));
};

/** Merged cells go along with cells that were moved, and those of the target are no longer merged. */
export const moveMerges = (moving: Moving): void => {
  const { fromSheet, from, toSheet, to } = moving;
  const going = fromSheet.merges.filter((area) => contains(from, area));
  fromSheet.merges = fromSheet.merges.filter((area) => !going.includes(area));
  toSheet.merges = [
    ...toSheet.merges.filter((area) => !contains(to, area)),
    ...going.map((area) => moved(area, moving)),
  ];
};
