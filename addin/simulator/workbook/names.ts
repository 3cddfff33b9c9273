import { sameName } from './cells/address.ts';
import type { Sheet } from './sheet.ts';

export type NamedItem = {
  id: string;
  name: string;
  /** An area, a constant or a formula, with its leading "=". */
  formula: string;
  comment: string;
  visible: boolean;
  scope: Sheet | undefined;
};

/** The first free name of a numbered series. */
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
