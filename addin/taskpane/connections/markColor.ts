import type { Administration } from '../../excel/tables/tableMemory.ts';

/** Backgrounds of marks, each with a contrast of at least 4.5 to white text, and far from the others in hue. */
export const markColors = [
  '#0B5CAD',
  '#A4262C',
  '#0B6A0B',
  '#6B2FA0',
  '#8A4B08',
  '#00666D',
  '#A80084',
  '#4A5459',
  '#5C6400',
  '#2B3A8F',
  '#7A3E48',
  '#3B3A39',
] as const;

/**
 * The colour of an administration: the same in every workbook and browser, since it follows from its id. Only beside a
 * current one that happens to have the same colour it has the next.
 */
export function markColor(shown: Pick<Administration, 'id'>, current?: Pick<Administration, 'id'>): string {
  const place = placeOf(shown);
  const isTaken = current !== undefined && current.id !== shown.id && placeOf(current) === place;
  return markColors[(isTaken ? place + 1 : place) % markColors.length]!;
}

function placeOf({ id }: Pick<Administration, 'id'>): number {
  // FNV-1a: ids that differ in a character get colours that have nothing to do with each other.
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return ((hash ^ (hash >>> 15)) >>> 0) % markColors.length;
}

/** Four characters of an id, for administrations with the same name. */
export const shortCode = ({ id }: Pick<Administration, 'id'>): string =>
  id
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 4)
    .toUpperCase();
