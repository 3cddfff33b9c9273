import { cutText, MAX_CELL_LENGTH, serialOf } from '../../../shared/spreadsheet.ts';
import type { CalendarDate } from '../../../shared/wire/calendarDate.ts';
import type { ValueKind, Values } from '../../../shared/wire/valueKind.ts';
import { type StyleName, styleNumber } from './styles.ts';

/** The content of a cell: a text, a boolean, or a number with its style. It is never a formula. */
export type Cell = string | boolean | { number: string; style: StyleName } | undefined;

/** Excel stores fifteen digits of a number. */
const MAX_DIGITS = 15;

/** A number; one with more digits than a cell can store stays text. @param text as decimal text */
function numberCell(text: string | null): Cell {
  if (text === null) return undefined;
  const digits = text.replace(/\D/g, '').replace(/^0+|(?<!0)0+$/g, '').length;
  return digits <= MAX_DIGITS ? { number: text, style: 'general' } : text;
}

/** A date; a date that a cell cannot hold stays text. */
function dateCell(date: CalendarDate | null): Cell {
  if (date === null) return undefined;
  const serial = serialOf(Date.parse(`${date}T00:00:00Z`));
  return serial === undefined ? date : { number: String(serial), style: 'date' };
}

/** The cell of a value. A long identifies something, and stays text. */
export const cells: { readonly [Kind in ValueKind]: (value: Values[Kind] | null) => Cell } = {
  text: (value) => value ?? undefined,
  choice: (value) => value ?? undefined,
  long: (value) => value ?? undefined,
  boolean: (value) => value ?? undefined,
  integer: (value) => numberCell(value?.toString() ?? null),
  decimal: numberCell,
  date: dateCell,
};

/**
 * Moments in UNIX seconds, shown in a time zone.
 * @param zone an IANA name such as Europe/Amsterdam
 */
export function momentsIn(zone: string): (seconds: string | null) => Cell {
  const ahead = aheadIn(zone);
  return (seconds) => {
    if (seconds === null) return undefined;
    const milliseconds = Number(seconds) * 1000;
    if (serialOf(milliseconds) === undefined) return seconds;
    const serial = serialOf(milliseconds + ahead(milliseconds));
    return serial === undefined ? seconds : { number: String(serial), style: 'moment' };
  };
}

const DAY = 86_400_000;
/** Days whose offset is cached. */
const MAX_CACHED_DAYS = 20_000;

/**
 * The offset of a time zone at a whole second, in milliseconds. Formatting costs more than all else of a cell, so
 * it is done once for each day that begins and ends with the same offset.
 */
function aheadIn(zone: string): (milliseconds: number) => number {
  // Sweden writes yyyy-MM-dd HH:mm:ss.
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const measured = (milliseconds: number) =>
    Date.parse(`${clock.format(milliseconds).replace(' ', 'T')}Z`) - milliseconds;
  const throughout = new Map<number, number | undefined>();
  return (milliseconds) => {
    const day = Math.floor(milliseconds / DAY);
    if (!throughout.has(day)) {
      if (throughout.size >= MAX_CACHED_DAYS) throughout.clear();
      const [beginning, end] = [measured(day * DAY), measured((day + 1) * DAY)];
      throughout.set(day, beginning === end ? beginning : undefined);
    }
    return throughout.get(day) ?? measured(milliseconds);
  };
}

/**
 * The XML of a cell; "" for one with nothing in it.
 * @param onCut called when a text is too long for a cell
 */
export function cellXml(address: string, cell: Cell, onCut: () => void): string {
  if (cell === undefined || cell === '') return '';
  if (typeof cell === 'boolean') return `<c r="${address}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'object') return `<c r="${address}" s="${styleNumber(cell.style)}"><v>${cell.number}</v></c>`;
  if (cell.length > MAX_CELL_LENGTH) onCut();
  return textXml(address, cell.length > MAX_CELL_LENGTH ? cutText(cell) : cell, 'text');
}

/** The XML of a cell with a shared text. @param number among the shared texts, from 0 */
export const sharedTextXml = (address: string, number: number, style: StyleName): string =>
  `<c r="${address}" s="${styleNumber(style)}" t="s"><v>${number}</v></c>`;

const textXml = (address: string, text: string, style: StyleName): string =>
  `<c r="${address}" s="${styleNumber(style)}" t="inlineStr"><is><t${needsPreserveSpace.test(text) ? ' xml:space="preserve"' : ''}>${escaped(text)}</t></is></c>`;

/** White space that a reader may drop. */
const needsPreserveSpace = /^\s|\s$|\s\s|[^\S ]/;

/** Characters that XML 1.0 cannot contain, such as lone surrogates. */
const forbidden = '[\\0-\\x08\\v\\f\\x0e-\\x1f\\ufffe\\uffff\\ud800-\\udfff]';
/** Those, XML markup, and an underscore that would be read as the beginning of an escape. */
const special = new RegExp(`[&<>\\r]|${forbidden}|_(?=x[0-9a-fA-F]{4}(?:_|${forbidden}))`, 'gu');
/** A cheaper test for characters that may need an escape; most texts have none. */
const mayBeSpecial = /[&<>_]|[^\t\n\x20-\ud7ff\ue000-\ufffd]/;

const inXml: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/**
 * The XML of a text: characters that XML cannot contain become _xHHHH_, and so does an underscore that begins such a
 * text.
 */
const escaped = (text: string): string =>
  mayBeSpecial.test(text)
    ? text.replace(
        special,
        (found) => inXml[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
      )
    : text;
