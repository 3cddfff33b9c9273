/* The values that the engine passes to functions, and that they return. */

/** Their kinds, by the engine's numbers for them. */
export const kinds = { blank: 0, number: 1, text: 2, boolean: 3, error: 4, array: 5 } as const;

export type Value = {
  kind: number;
  value?: unknown;
  code?: string;
  rows?: Value[][];
  height?: number;
  width?: number;
  /** The first cell of a range, counted from 1. */
  originRow?: number;
  originCol?: number;
};

export const error = (code: string): Value => ({ kind: kinds.error, code });
export const number = (value: number): Value => ({ kind: kinds.number, value });
