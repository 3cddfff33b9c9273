import type { VatReturnResponse } from '../../../shared/resources/vatReturn/vatReturn.ts';
import { neverNegative, vatSums } from '../../../shared/resources/vatReturn/vatSums.ts';
import type { ColumnReference, Formula } from '../../excel/tables/table.ts';

/*
 * The figures of a return as formulas. They find boxes by their names, so that they stay right when the user sorts the
 * rows.
 */

/** In place of the box of a tax code that has none. */
export const NO_BOX = '–';

type VatAmounts = { exact: string; declared: string };

/** A box with its amounts; those that it cannot have are left out. */
export type VatBoxRow = Pick<VatReturnResponse, 'country' | 'rounding'> & {
  box: string;
  name: string;
  base?: VatAmounts;
  tax?: VatAmounts;
};

/** The columns of boxes with amounts to the cent, and of lines. */
const columns = { base: 'Base', tax: 'Tax' } as const;

/** The formula of an amount of a box: over the lines to the cent, and over the cents as the return has it. */
export const boxFormula =
  (part: 'base' | 'tax', kind: 'exact' | 'declared'): Formula<VatBoxRow> =>
  (row, own, lines) => {
    if (row[part] === undefined || (row.box === NO_BOX && kind === 'declared')) return undefined;
    const amountOf = sumIn(kind === 'exact' ? lines : own, columns[part]);
    if (amountOf === undefined) return undefined;
    const of = kind === 'exact' ? amountOf : (box: string) => declared(amountOf(box), box, row);
    const sum = vatSums[row.box];
    if (sum === undefined) return kind === 'exact' ? `=ROUND(${of(row.box)},2)` : `=${of(row.box)}`;
    const less = sum.less.map((box) => `-${of(box)}`).join('');
    const total = `ROUND(${sum.of.map(of).join('+')}${less},2)`;
    return sum.isPositive ? `=MAX(0,${total})` : `=${total}`;
  };

/** The sum of a box in a column; undefined when the user deleted that or the one of the boxes. */
function sumIn(reference: ColumnReference, column: string): ((box: string) => string) | undefined {
  const [amounts, boxes] = [reference(column), reference('Box')];
  if (amounts === undefined || boxes === undefined) return undefined;
  return (box) => `SUMIFS(${amounts},${boxes},"${box}")`;
}

/** An amount as a return has it: whole euros in the Netherlands. */
function declared(amount: string, box: string, { country, rounding }: VatBoxRow): string {
  if (country === 'BE') return neverNegative.includes(box) ? `MAX(0,${amount})` : amount;
  if (rounding === 'nearest') return `ROUND(${amount},0)`;
  return box === '5b' ? `-INT(-${amount})` : `INT(${amount})`;
}
