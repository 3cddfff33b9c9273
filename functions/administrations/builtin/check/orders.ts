import { divide } from '../../../../shared/money.ts';
import type { Database } from '../sql/database.ts';
import type { Decimal8, Row } from '../sql/schema.ts';
import { checkTotals, magnitude, money, sumOf } from './amounts.ts';
import { pagesOf } from './pages.ts';

const HUNDRED: Decimal8 = 100n * 10n ** 8n;

type Line = Pick<Row<'sales_order_line'>, 'tax_pc' | 'subtotal_excl' | 'subtotal_incl'>;

/** The totals of orders and quotes. */
export async function* checkOrders(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const columns = ['number', 'discount_pc', 'total_excl', 'total_tax', 'total_incl'] as const;
  for await (const orders of pagesOf(db, administrationId, 'sales_order', columns)) {
    const lines = await db
      .selectFrom('sales_order_line')
      .where(
        'sales_order_id',
        'in',
        orders.map(({ id }) => id),
      )
      .orderBy('sales_order_id')
      .orderBy('position')
      .select(['sales_order_id as owner', 'tax_pc', 'subtotal_excl', 'subtotal_incl'])
      .execute();
    const linesOf = Map.groupBy(lines, ({ owner }) => owner);
    for (const order of orders) yield* checkOrder(order, linesOf.get(order.id) ?? []);
  }
}

/**
 * Lines do not store their tax, and their amount with tax is before the order's discount: both are compared with the
 * values that follow from the percentages, within the cents that rounding may move.
 */
function* checkOrder(
  order: Pick<Row<'sales_order'>, 'number' | 'discount_pc' | 'total_excl' | 'total_tax' | 'total_incl'>,
  lines: readonly Line[],
): Generator<string> {
  const name = `Order ${order.number}`;
  yield* checkTotals(
    name,
    order,
    sumOf(lines, ({ subtotal_excl }) => subtotal_excl),
  );
  const tax = divide(
    sumOf(lines, ({ subtotal_excl, tax_pc }) => subtotal_excl * tax_pc),
    HUNDRED,
  );
  if (magnitude(order.total_tax - tax) > BigInt(lines.length)) {
    yield `${name}: the tax on its lines is ${money(tax)}, its total is ${money(order.total_tax)}.`;
  }
  for (const [index, { tax_pc, subtotal_excl, subtotal_incl }] of lines.entries()) {
    const withTax = divide(subtotal_excl * (HUNDRED + tax_pc), HUNDRED);
    const left = divide(subtotal_incl * (HUNDRED - order.discount_pc), HUNDRED);
    if (magnitude(withTax - left) <= MAX_ROUNDING) continue;
    yield `${name}: its line ${index + 1} is ${money(subtotal_incl)} with tax before the order's discount, and ${money(subtotal_excl)} without tax after it.`;
  }
}

/** Cents: the discounts of lines are rounded together, and so is the tax. */
const MAX_ROUNDING = 4n;
