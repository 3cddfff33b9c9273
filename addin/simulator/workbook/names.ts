import type { Sheet } from './sheet.ts';

export type NamedItem = {
  id: string;
  name: string;
  /** What the name means, with its leading "=": an area, a constant or a formula. */
  formula: string;
  comment: string;
  visible: boolean;
  scope: Sheet | undefined;
};

/** Excel knows the names of sheets, tables, columns and cells without regard to case. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The first name that is not taken, of those with one number after another. */
export const firstFree = (
  first: number,
  nameOf: (number: number) => string,
  isTaken: (name: string) => boolean,
): string => {
  let number = first;
  while (isTaken(nameOf(number))) number += 1;
  return nameOf(number);
};

export const findName = (names: NamedItem[], name: unknown): NamedItem | undefined =>
  typeof name === 'string' ? names.find((item) => sameName(item.name, name)) : undefined;
