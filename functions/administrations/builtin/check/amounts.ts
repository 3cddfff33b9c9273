import { type RawBuilder, sql } from 'kysely';
import { DECIMAL_SCALE, decimalText, MONEY_SCALE } from '../../../../shared/money.ts';
import type { Cents, Decimal8 } from '../sql/schema.ts';

/** Amounts as the sentences of a check write them. */
export const money = (cents: Cents): string => decimalText(cents, MONEY_SCALE);
export const decimal8 = (value: Decimal8): string => decimalText(value, DECIMAL_SCALE);

/** A sum as a whole number; databases make decimals of sums of long integers. */
export const total = (column: string): RawBuilder<bigint> =>
  sql<bigint>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`;

type Totals = Record<'total_excl' | 'total_tax' | 'total_incl', Cents>;

/** Reports totals of a document that do not add up, or do not match its lines without tax. */
export function* checkTotals(name: string, totals: Totals, linesExcl: Cents): Generator<string> {
  const { total_excl, total_tax, total_incl } = totals;
  if (total_excl + total_tax !== total_incl) {
    yield `${name}: ${money(total_excl)} and ${money(total_tax)} tax are not ${money(total_incl)}.`;
  }
  if (linesExcl !== total_excl) {
    yield `${name}: its lines are ${money(linesExcl)} without tax, its total is ${money(total_excl)}.`;
  }
}
