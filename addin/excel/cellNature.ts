import { type Cell, isCellError } from './cell.ts';

/**
 * The type of a cell by its value and its format: 45 may be a quantity, 14 February 1900, or 4500%. `number` includes
 * amounts of money.
 */
export type CellNature = 'empty' | 'text' | 'number' | 'date' | 'time' | 'percentage' | 'boolean' | 'error';

/** @param format in Excel's invariant (American) form */
export function natureOf(cell: Cell, format: string): CellNature {
  if (cell === '') return 'empty';
  if (typeof cell === 'boolean') return 'boolean';
  if (typeof cell === 'string') return isCellError(cell) ? 'error' : 'text';
  return natureOfFormat(format);
}

type NatureOfNumber = 'number' | 'date' | 'time' | 'percentage';

/** A workbook has few formats, and many cells with each. */
const known = new Map<string, NatureOfNumber>();

function natureOfFormat(format: string): NatureOfNumber {
  const nature = known.get(format) ?? readFormat(format);
  known.set(format, nature);
  return nature;
}

function readFormat(format: string): NatureOfNumber {
  // Of the text in quotes, after a backslash or in brackets, only [h], [m] and [s] are codes: they count hours.
  const codes = format
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, '')
    .replace(/General/gi, '');
  if (/[yd]/i.test(codes) || /m{3}/i.test(codes)) return 'date';
  if (/[hs]/i.test(codes)) return 'time';
  // An m by itself is a month, since minutes come with hours or seconds.
  if (/m/i.test(codes)) return 'date';
  return codes.includes('%') ? 'percentage' : 'number';
}
