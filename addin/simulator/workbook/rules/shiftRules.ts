import { type Area, intersection, MAX_COLUMNS, MAX_ROWS, without } from '../cells/address.ts';
import { type Shift, shiftArea } from '../cells/movedArea.ts';
import type { Sheet } from '../sheet.ts';
import { changeRules, joined, withAreas } from './ruledAreas.ts';
import { shiftRuleFormula } from './shiftRuleFormula.ts';

/** The rows or columns across which a shift reaches, along its whole length. */
const bandArea = ({ axis, band }: Shift): Area =>
  axis === 'row'
    ? { row: 0, rows: MAX_ROWS, column: band.start, columns: band.length }
    : { column: 0, columns: MAX_COLUMNS, row: band.start, rows: band.length };

/** An area in parts that move or stay as a whole. */
const partsFor = (area: Area, shift: Shift): Area[] => {
  const band = bandArea(shift);
  const inside = intersection(area, band);
  if (!inside || shiftArea(inside, shift) === inside) return [area];
  const outside = without(area, band);
  const isFirst = inside.row === area.row && inside.column === area.column;
  return isFirst ? [inside, ...outside] : [...outside, inside];
};

/** Validation and conditional formats follow cells that were inserted or deleted, also those of part of their cells. */
export const shiftRules = (sheet: Sheet, shift: Shift): void =>
  changeRules(sheet, (rulesOf, rewrite) =>
    rulesOf(sheet).flatMap((rule) => {
      const kept = rule.areas
        .flatMap((area) => partsFor(area, shift))
        .flatMap((before) => {
          const after = shiftArea(before, shift);
          return after ? [{ before, after }] : [];
        });
      if (kept.length === 0) return [];
      const follow = (formula: string) => shiftRuleFormula(formula, rule.areas[0]!, kept[0]!, sheet, shift);
      const followed = { ...rewrite(rule, follow), areas: kept.map(({ after }) => after) };
      return [withAreas(followed, joined(followed.areas), rewrite)];
    }),
  );

/**
 * Merged cells after a shift: they become larger and smaller, and are no longer merged when only some of their rows or
 * columns move, as in Excel when its question is answered with yes.
 */
export const shiftMerges = (merges: readonly Area[], shift: Shift): Area[] =>
  merges.flatMap((area) => {
    if (partsFor(area, shift).length > 1) return [];
    const after = shiftArea(area, shift);
    return after && after.rows * after.columns > 1 ? [after] : [];
  });
