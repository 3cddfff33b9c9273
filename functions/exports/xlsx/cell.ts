import { cutText, LONGEST_TEXT, serialOf } from '../../../shared/spreadsheet.ts';
import type { CalendarDate } from '../../../shared/wire/calendarDate.ts';
import { type StyleName, styleNumber } from './styles.ts';

/** What stands in a cell: a text, a truth value, or a number with its looks. Nothing of it is ever a formula. */
export type Cell = string | boolean | { number: string; style: StyleName } | undefined;

/** Excel keeps fifteen digits of a number. */
const MOST_DIGITS = 15;

/** A number; one of more digits than a cell keeps stays text. @param text as decimal text */
export function numberCell(text: string | null): Cell {
  if (text === null) return undefined;
  const digits = text.replace(/\D/g, '').replace(/^0+|0+$/g, '').length;
  return digits <= MOST_DIGITS ? { number: text, style: 'general' } : text;
}

/** A date; one that a cell cannot hold stays text. */
export function dateCell(date: CalendarDate | null): Cell {
  if (date === null) return undefined;
  const serial = serialOf(Date.parse(`${date}T00:00:00Z`));
  return serial === undefined ? date : { number: String(serial), style: 'date' };
}

/**
 * Moments, given in UNIX seconds, on the clock of a place.
 * @param zone an IANA name such as Europe/Amsterdam
 */
export function momentsIn(zone: string): (seconds: string | null) => Cell {
  // Sweden writes yyyy-MM-dd HH:mm:ss.
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return (seconds) => {
    if (seconds === null) return undefined;
    const instant = new Date(Number(seconds) * 1000);
    if (Number.isNaN(instant.getTime())) return seconds;
    const serial = serialOf(Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`));
    return serial === undefined ? seconds : { number: String(serial), style: 'moment' };
  };
}

/**
 * The XML of a cell; "" for one with nothing in it.
 * @param onCut told when a text is too long for a cell
 */
export function cellXml(address: string, cell: Cell, onCut: () => void): string {
  if (cell === undefined || cell === '') return '';
  if (typeof cell === 'boolean') return `<c r="${address}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'object') return `<c r="${address}" s="${styleNumber(cell.style)}"><v>${cell.number}</v></c>`;
  if (cell.length > LONGEST_TEXT) onCut();
  return textXml(address, cell.length > LONGEST_TEXT ? cutText(cell) : cell, 'text');
}

export const textXml = (address: string, text: string, style: StyleName): string =>
  `<c r="${address}" s="${styleNumber(style)}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/** What XML 1.0 has no way to write, half characters among it. */
const forbidden = '[\\0-\\x08\\v\\f\\x0e-\\x1f\\ufffe\\uffff\\ud800-\\udfff]';
/** Those, what is markup in XML, and an underscore that would be read as the beginning of an escape. */
const special = new RegExp(`[&<>\\r]|${forbidden}|_(?=x[0-9a-fA-F]{4}(?:_|${forbidden}))`, 'gu');

const inXml: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** A text as a cell's XML has it: what XML cannot write as _xHHHH_, and so a text that reads like that too. */
const escaped = (text: string): string =>
  text.replace(
    special,
    (found) => inXml[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
