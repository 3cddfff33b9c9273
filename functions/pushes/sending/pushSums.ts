import { type PushedName, pushRulesOf } from '../../../shared/api.ts';
import { DECIMAL_SCALE, decimalText, units } from '../../../shared/money.ts';
import { readDecimal } from '../../../shared/wire/decimal.ts';
import { parseJson } from '../../../shared/wire/json.ts';

/** What the applied rows of an endpoint made: how many, and their amounts; null when one of them has none. */
type PushSum = { rows: number; amounts: Readonly<Record<string, string | null>> };
export type PushSums = { readonly [Name in PushedName]?: PushSum };

/** The sums of a push after one more row was applied. @param shown of it, as JSON text; undefined: it is not known */
export function sumsAfter(sums: PushSums, name: PushedName, shown: string | undefined): PushSums {
  const members = pushRulesOf(name).sums;
  if (members.length === 0) return sums;
  const made = shown === undefined ? {} : (parseJson(shown) as Readonly<Record<string, unknown>>);
  const { rows, amounts } = sums[name] ?? { rows: 0, amounts: Object.fromEntries(members.map((one) => [one, '0'])) };
  const added = members.map((member) => [member, plus(amounts[member] ?? null, readDecimal(made[member]))] as const);
  return { ...sums, [name]: { rows: rows + 1, amounts: Object.fromEntries(added) } };
}

const plus = (sum: string | null, amount: string | undefined): string | null =>
  sum === null || amount === undefined
    ? null
    : decimalText(units(sum, DECIMAL_SCALE) + units(amount, DECIMAL_SCALE), DECIMAL_SCALE, 2);
