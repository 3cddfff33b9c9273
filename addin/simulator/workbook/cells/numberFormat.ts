import { format as formatNumber } from 'numfmt';
import type { CellValue } from './entry.ts';
import type { Locale } from './locale.ts';

/** The text Excel shows for a value in a number format (in its invariant spelling), in a language. */
export const formatValue = (value: CellValue, format: string, { tag }: Locale): string => {
  // Only a section for texts changes them.
  if (typeof value === 'string' && (format === '@' || !/[@;]/.test(format))) return value;
  // The separators are the user's, also of a currency of another country.
  return formatNumber(format.replace(/(\[\$[^\]-]+)-[^\]]*\]/g, '$1]'), value, {
    locale: tag,
    // For a number outside of its calendar Excel shows hash signs.
    dateSpanLarge: false,
    dateErrorNumber: false,
    overflow: '########',
    throws: false,
  });
};

/** Excel writes the short date of the user's system, alone or with a time, as the American one. */
const SYSTEM_DATE = /^m\/d\/yyyy(?= h:mm$|$)/;

/** The text that a cell shows: as `formatValue`, with the short date of the language. */
export const shownValue = (value: CellValue, format: string, locale: Locale): string =>
  formatValue(value, format.replace(SYSTEM_DATE, locale.shortDate), locale);
