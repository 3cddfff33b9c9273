import { type Area, contains, intersection, type Position, without } from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { transposeFormula } from '../cells/formulas/formula.ts';
import type { Sheet } from '../sheet.ts';
import { changeRules, cutOut, cutTo, joined, type Rewrite, renumbered, withAreas } from './ruledAreas.ts';

/** Cells that are copied, as often as they fit. */
type Copying = {
  fromSheet: Sheet;
  from: Area;
  toSheet: Sheet;
  to: Area;
  /** The first cell of one of the copies: by default that of the target. */
  start?: Position;
  transpose?: boolean;
};

/** Where the copies of a part of the source are. One that reaches across the source is one area, in all copies. */
const copiesOf = (part: Area, { from, to, start = to, transpose = false }: Copying): Area[] => {
  const [height, width] = transpose ? [from.columns, from.rows] : [from.rows, from.columns];
  const [down, across] = [part.row - from.row, part.column - from.column];
  const one = transpose
    ? { row: across, column: down, rows: part.columns, columns: part.rows }
    : { row: down, column: across, rows: part.rows, columns: part.columns };
  const along = (first: number, size: number, offset: number, length: number, target: number, end: number) => {
    if (length === size) return [{ at: target, length: end - target }];
    const spans = [];
    const nearest = first + Math.floor((target - first) / size) * size;
    for (let at = nearest; at < end; at += size) spans.push({ at: at + offset, length });
    return spans;
  };
  const rows = along(start.row, height, one.row, one.rows, to.row, to.row + to.rows);
  const columns = along(start.column, width, one.column, one.columns, to.column, to.column + to.columns);
  return rows.flatMap((row) =>
    columns.flatMap((column) => {
      const copy = { row: row.at, rows: row.length, column: column.at, columns: column.length };
      return intersection(copy, to) ?? [];
    }),
  );
};

/** Rules for copied cells on another sheet, or transposed. */
const copiedRules = <Rule extends { areas: Area[] }>(rules: Rule[], copying: Copying, rewrite: Rewrite<Rule>): Rule[] =>
  cutTo(rules, copying.from, rewrite).map((rule) => {
    const copies = rule.areas.flatMap((part) => copiesOf(part, copying));
    const copied = copying.transpose
      ? { ...rewrite(rule, (formula) => transposeFormula(formula, rule.areas[0]!, copies[0]!)), areas: copies }
      : withAreas(rule, copies, rewrite);
    return renumbered(copied, copying.toSheet);
  });

/** The copies of the parts of rules in the source. */
const copiesIn = (areas: readonly Area[], copying: Copying): Area[] =>
  areas.flatMap((area) => intersection(area, copying.from) ?? []).flatMap((part) => copiesOf(part, copying));

/** Rules on the sheet of their source, which become rules for its copies too, and no longer for some other cells. */
const extended = <Rule extends { areas: Area[] }>(
  rules: Rule[],
  copying: Copying,
  cut: readonly Area[],
  rewrite: Rewrite<Rule>,
): Rule[] =>
  rules.flatMap((rule) => {
    const left = cut.reduce((areas, hole) => areas.flatMap((area) => without(area, hole)), rule.areas);
    const areas = joined([...left, ...copiesIn(rule.areas, copying)]);
    return areas.length === 0 ? [] : [withAreas(rule, areas, rewrite)];
  });

/**
 * Copies the rules of cells: those of the target are for other cells only, and those of the source are for its copies
 * too. @param what validation is no format
 */
export const copyRules = (copying: Copying, what: 'All' | 'Formats' = 'All'): void => {
  const { fromSheet, toSheet, to, transpose } = copying;
  changeRules(
    toSheet,
    (rulesOf, rewrite) =>
      fromSheet === toSheet && !transpose
        ? extended(rulesOf(toSheet), copying, [to], rewrite)
        : [...cutOut(rulesOf(toSheet), to, rewrite), ...copiedRules(rulesOf(fromSheet), copying, rewrite)],
    what,
  );
};

/** Gives cells the rules of others of their sheet. They keep their own where those have none. */
export const inheritRules = (sheet: Sheet, from: Area, to: Area): void => {
  const copying = { fromSheet: sheet, from, toSheet: sheet, to };
  changeRules(sheet, (rulesOf, rewrite) => {
    const rules = rulesOf(sheet);
    const given = rules.flatMap(({ areas }) => copiesIn(areas, copying));
    return given.length === 0 ? rules : extended(rules, copying, given, rewrite);
  });
};

/** InvalidOperation for cells among which are some of merged cells: Excel changes those only as a whole. */
export const assertNotTorn = ({ merges }: Sheet, area: Area): void => {
  if (merges.some((merged) => intersection(merged, area) && !contains(area, merged))) {
    throw new ExcelError('InvalidOperation', "We can't do that to a merged cell.");
  }
};

/** Merged cells of the source are merged in its copies, and those of the target no longer. */
export const copyMerges = (copying: Copying): void => {
  const { fromSheet, toSheet, from, to } = copying;
  const merged = fromSheet.merges.filter((area) => contains(from, area));
  const copies = merged.flatMap((area) =>
    copiesOf(area, copying).filter((copy) => copy.rows * copy.columns === area.rows * area.columns),
  );
  toSheet.merges = [...toSheet.merges.filter((area) => !contains(to, area)), ...copies];
};
