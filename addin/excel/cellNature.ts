import { type Cell, isCellError } from './cell.ts';

/**
 * The type of a cell by its value and its format: 45 may be a quantity, 14 February 1900, or 4500%. `number` includes
 * amounts of money; a `padded` one is shown with zeros before it that it does not have, as 00123.
 */
export type CellNature = 'empty' | 'text' | 'number' | 'padded' | 'date' | 'time' | 'percentage' | 'boolean' | 'error';

/** @param format in Excel's invariant (American) form */
export function natureOf(cell: Cell, format: string): CellNature {
  if (cell === '') return 'empty';
  if (typeof cell === 'boolean') return 'boolean';
  if (typeof cell === 'string') return isCellError(cell) ? 'error' : 'text';
  const { nature, digits } = readOnce(format);
  // Most formats show one digit, which every number has.
  return nature === 'number' && digits > 1 && digits > digitsOf(cell) ? 'padded' : nature;
}

/** The digits before the point. */
const digitsOf = (cell: number): number => BigInt(Math.trunc(Math.abs(cell))).toString().length;

/** The type of numbers with a format, and how many digits it shows at least, before the point of a positive one. */
type NumberFormat = { nature: 'number' | 'date' | 'time' | 'percentage'; digits: number };

/** A workbook has few formats, and many cells with each. */
const known = new Map<string, NumberFormat>();

function readOnce(format: string): NumberFormat {
  const read = known.get(format) ?? readFormat(format);
  known.set(format, read);
  return read;
}

function readFormat(format: string): NumberFormat {
  // Of the text in quotes, after a backslash or in brackets, only [h], [m] and [s] are codes: they count hours.
  const codes = format
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, '')
    .replace(/General/gi, '');
  // What is behind these is not before the point of a positive number.
  const [whole = ''] = codes.split(/[.;/e]/i);
  return { nature: natureIn(codes), digits: whole.replace(/[^0]/g, '').length };
}

function natureIn(codes: string): NumberFormat['nature'] {
  if (/[yd]/i.test(codes) || /m{3}/i.test(codes)) return 'date';
  if (/[hs]/i.test(codes)) return 'time';
  // An m by itself is a month, since minutes come with hours or seconds.
  if (/m/i.test(codes)) return 'date';
  return codes.includes('%') ? 'percentage' : 'number';
}
