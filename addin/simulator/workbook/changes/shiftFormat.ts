import { type Area, type Position, shiftSpan } from '../cells/address.ts';
import { moveFormula, type Shift, shiftFormula } from '../cells/formulas/formula.ts';
import type { ConditionalFormat, Sheet } from '../sheet.ts';

/**
 * A conditional format after cells of its sheet were inserted or deleted. Its formulas are those of its first cell: when
 * that is deleted, of the next one that stays.
 * @param kept its areas that are not deleted whole, before and after
 * @param shift each area is inside or outside of it
 */
export function shiftFormat(
  format: ConditionalFormat,
  kept: readonly { before: Area; after: Area }[],
  sheet: Sheet,
  shift: Shift,
): ConditionalFormat {
  const areas = kept.map(({ after }) => after);
  const { rule } = format;
  if (rule === undefined) return { ...format, areas };
  const { before, after } = kept[0]!;
  const base = stayingCell(before, shift);
  const moved = movedCell(base, shift);
  const follow = (formula: string): string => {
    const ofBase = moveFormula(formula, base.row - format.areas[0]!.row, base.column - format.areas[0]!.column);
    const shifted = shiftFormula(ofBase, sheet.name, sheet.name, shift);
    return moveFormula(shifted, after.row - moved.row, after.column - moved.column);
  };
  const scale = rule.scale && {
    ...rule.scale,
    values: rule.scale.values.map((value) => (value.val === undefined ? value : { ...value, val: follow(value.val) })),
  };
  return { ...format, areas, rule: { ...rule, formulas: rule.formulas.map(follow), ...(scale && { scale }) } };
}

/** Whether a cell is beside the rows or columns of a shift. */
const isBeside = (cell: Position, { axis, band }: Shift): boolean => {
  const across = axis === 'row' ? cell.column : cell.row;
  return across < band.start || across >= band.start + band.length;
};

/** The first cell of an area that is not deleted. */
function stayingCell(area: Area, shift: Shift): Position {
  const { row, column } = area;
  const end = shift.at - shift.count;
  const first = { row, column };
  const isDeleted = first[shift.axis] >= shift.at && first[shift.axis] < end && !isBeside(first, shift);
  return isDeleted ? { ...first, [shift.axis]: end } : first;
}

function movedCell(cell: Position, shift: Shift): Position {
  if (isBeside(cell, shift)) return cell;
  return { ...cell, [shift.axis]: shiftSpan(cell[shift.axis], 1, shift.at, shift.count)?.start ?? cell[shift.axis] };
}
