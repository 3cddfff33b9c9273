import type { CellValue } from '../workbook/cells/entry.ts';

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

export const blank: Value = { kind: kinds.blank };
export const error = (code: string): Value => ({ kind: kinds.error, code });
export const number = (value: number): Value => ({ kind: kinds.number, value });

/** A result that is never empty: an empty cell is 0. */
export const filled = (value: Value): Value => (value.kind === kinds.blank ? number(0) : value);

/** A value of the engine in a cell. */
export function cellValue(value: Value | undefined): CellValue {
  if (value === undefined || value.kind === kinds.blank) return 0;
  if (value.kind === kinds.error) return value.code!;
  if (value.kind === kinds.array) return cellValue(value.rows?.[0]?.[0]);
  if (value.kind !== kinds.number && value.kind !== kinds.text && value.kind !== kinds.boolean) return '#CALC!';
  return value.kind === kinds.number && !Number.isFinite(value.value) ? '#NUM!' : (value.value as CellValue);
}

/** A value of the engine in cells, row by row; an array without any is an error. */
export const cellValues = (value: Value): CellValue[][] => {
  if (value.kind !== kinds.array) return [[cellValue(value)]];
  const rows = value.rows?.map((row) => row.map(cellValue)) ?? [];
  return rows[0]?.length ? rows : [['#CALC!']];
};
