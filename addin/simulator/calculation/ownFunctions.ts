import type { WorkbookLike } from '@cj-tech-master/excelts/formula';
import { error, kinds, number, type Value } from './engineValues.ts';

/*
 * Functions whose results the engine gives otherwise than Excel. Excel rounds the fifteen digits that it shows, so that
 * 1.005 becomes 1.01; the engine rounds the binary number, which is a little less.
 */

/** A value as a number: an empty cell is 0, and a text may be one. */
function numberOf(given: Value | undefined): Value {
  if (given === undefined || given.kind === kinds.blank) return number(0);
  if (given.kind === kinds.array) return numberOf(given.rows?.[0]?.[0]);
  if (given.kind === kinds.number || given.kind === kinds.error) return given;
  const read = given.kind === kinds.boolean || String(given.value).trim() !== '' ? Number(given.value) : Number.NaN;
  return Number.isFinite(read) ? number(read) : error('#VALUE!');
}

/** Rounds half away from zero, at a number of decimals, the digits that Excel shows. */
export function roundDecimal(value: number, decimals: number): number {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential(14).split('e');
  const digits = Number(mantissa.replace('.', ''));
  const dropped = 14 - Number(exponent) - Math.trunc(decimals);
  if (dropped <= 0 || value === 0) return value;
  if (dropped > 15) return 0;
  const unit = 10 ** dropped;
  const whole = Math.floor(digits / unit) + ((digits % unit) * 2 >= unit ? 1 : 0);
  return Math.sign(value) * Number(`${whole}e${-Math.trunc(decimals)}`);
}

function round(value: Value | undefined, decimals: Value | undefined): Value {
  if (value?.kind === kinds.array) {
    return { ...value, rows: value.rows!.map((row) => row.map((one) => round(one, decimals))) };
  }
  const [first, second] = [numberOf(value), numberOf(decimals)];
  if (first.kind === kinds.error) return first;
  if (second.kind === kinds.error) return second;
  return number(roundDecimal(Number(first.value), Number(second.value)));
}

/** The name of a function of ours that no formula of a user has. */
const RESULT = 'LEDGERLINE_RESULT';

/** What begins a formula whose result may be an empty cell: a cell, or a function that returns one of its arguments. */
const mayBeEmpty =
  /^\s*(?:(?:IF|IFS|IFERROR|IFNA|SWITCH|CHOOSE|INDEX|OFFSET|INDIRECT|[XVH]?LOOKUP|LET)\(|(?:'[^']+'!)?[^\s()"+\-*/&=<>^%,;]+$)/i;

/**
 * A formula whose result is never empty, without its "=". In Excel such a result is 0; the engine shows 0 too, and gives
 * formulas that refer to it an empty cell.
 */
export const filledResult = (formula: string): string => (mayBeEmpty.test(formula) ? `${RESULT}(${formula})` : formula);

function resultOf(value: Value): Value {
  if (value.kind === kinds.array) return { ...value, rows: value.rows!.map((row) => row.map(resultOf)) };
  return value.kind === kinds.blank ? number(0) : value;
}

export const ownFunctions: NonNullable<WorkbookLike['userFunctions']> = new Map([
  [RESULT, { minArity: 1, maxArity: 1, invoke: ([value]) => resultOf(value as Value) }],
  ['ROUND', { minArity: 2, maxArity: 2, invoke: ([value, decimals]) => round(value as Value, decimals as Value) }],
]);
