import { type Area, type Position, shiftSpan } from '../cells/address.ts';
import { moveFormula, shiftFormula } from '../cells/formulas/formula.ts';
import type { Shift } from '../cells/movedArea.ts';
import type { Sheet } from '../sheet.ts';

/**
 * A formula of a rule after cells of its sheet were inserted or deleted. It is the one of the first cell of the rule:
 * when that is deleted, of the next one that stays.
 * @param first the first area of the rule
 * @param kept the first of its areas that is not deleted whole, before and after; it is inside or outside of the shift
 */
export function shiftRuleFormula(
  formula: string,
  first: Area,
  kept: { before: Area; after: Area },
  sheet: Sheet,
  shift: Shift,
): string {
  const { before, after } = kept;
  const base = stayingCell(before, shift);
  const moved = movedCell(base, shift);
  const ofBase = moveFormula(formula, base.row - first.row, base.column - first.column);
  const shifted = shiftFormula(ofBase, sheet.name, sheet.name, shift);
  return moveFormula(shifted, after.row - moved.row, after.column - moved.column);
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
