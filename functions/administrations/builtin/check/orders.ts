import { abs, divide, HUNDRED, sum } from '../../../../shared/money.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { checkTotals, money } from './amounts.ts';
import { linesByDocument, pagesWith } from './pages.ts';

const columns = ['number', 'discount_pc', 'total_excl', 'total_tax', 'total_incl'] as const;
const lineColumns = ['tax_pc', 'subtotal_excl', 'subtotal_incl'] as const;
type Order = Pick<Row<'sales_order'>, (typeof columns)[number]>;
type Line = Pick<Row<'sales_order_line'>, (typeof lineColumns)[number]>;

/** Checks the totals of orders and quotes. */
export async function* checkOrders(db: Database, administrationId: bigint): AsyncGenerator<string> {
  for await (const orders of pagesWith(db, administrationId, 'sales_order', columns)) {
    const ids = orders.map(({ id }) => id);
    const linesOf = await linesByDocument<Line>(db, 'sales_order', ids, lineColumns);
    for (const order of orders) yield* checkOrder(order, linesOf.get(order.id) ?? []);
  }
}

/** Compares tax and amounts with the values that follow from the percentages, except for rounding. */
function* checkOrder(order: Order, lines: readonly Line[]): Generator<string> {
  const name = `Order ${order.number}`;
  const excl = sum(lines.map(({ subtotal_excl }) => subtotal_excl));
  yield* checkTotals(name, order, excl);
  const exactTax = sum(lines.map(({ subtotal_excl, tax_pc }) => subtotal_excl * tax_pc));
  const tax = divide(exactTax, HUNDRED);
  if (abs(order.total_tax - tax) > BigInt(lines.length)) {
    yield `${name}: the tax on its lines is ${money(tax)}, its total is ${money(order.total_tax)}.`;
  }
  for (const [index, { tax_pc, subtotal_excl, subtotal_incl }] of lines.entries()) {
    const withTax = divide(subtotal_excl * (HUNDRED + tax_pc), HUNDRED);
    const afterDiscount = divide(subtotal_incl * (HUNDRED - order.discount_pc), HUNDRED);
    if (abs(withTax - afterDiscount) <= MAX_ROUNDING) continue;
    yield `${name}: its line ${index + 1} is ${money(subtotal_incl)} with tax before the order's discount, and ${money(subtotal_excl)} without tax after it.`;
  }
}

/** Cents: the discounts of lines are rounded together, and so is the tax. */
const MAX_ROUNDING = 4n;
