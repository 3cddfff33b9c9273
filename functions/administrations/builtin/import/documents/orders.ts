import { requireArticle } from '../../../../../shared/resources/document.ts';
import { errorsOfRule } from '../../../../../shared/wire/issues.ts';
import { numberTaken } from '../../documents/numbering.ts';
import { asFirst, orderAdds } from '../../files/documentAmounts.ts';
import { findOrderReferences, type OrderInput, readOrder, storeOrders } from '../../sales/addOrder.ts';
import type { Row } from '../../sql/schema.ts';
import { orderColumns } from './documentColumns.ts';
import { namedThen, rowsNumbered, withRelations } from './documentReferences.ts';
import { type DocumentRows, documentImporter } from './documentRows.ts';
import { askedFor, cents, checkDiscount, decimal8, takenAmounts } from './takenAmounts.ts';

type Order = DocumentRows<(typeof orderColumns)['header'] & (typeof orderColumns)['lines']>;

/** Orders and quotes. A number that exists is refused. */
export const orders = documentImporter(
  {
    ...orderColumns,
    number: 'OrderNumber',
    called: 'order',
    belongs: ({ values }) => values.LineNumber !== 1,
    asFirst,
    adds: orderAdds,
  },
  async (context, scope) => {
    const { db, administration, isSound, counts } = context;
    const taken = new Set<bigint>();
    let highest = 0n;
    return {
      store: async (documents) => {
        const existing = await rowsNumbered(context, 'sales_order', documents, 'OrderNumber');
        for (const order of existing) taken.add(order.number);
        for (const order of documents) checkOrder(order);
        const given = await withRelations(context, documents, 'customer', asGiven);
        const references = await findOrderReferences(
          scope,
          given.map((one) => one.given),
        );
        const ready: Parameters<typeof storeOrders>[1][number][] = [];
        for (const { document: order, given: one } of given) {
          const { first, report } = order;
          const number = BigInt(first.values.OrderNumber ?? 0);
          if (taken.has(number)) report('OrderNumber', `expected a number no other order has, got ${number}`);
          const read = await readOrder(scope, references, one, order.refuse);
          if (read === undefined || !order.isSound()) continue;
          const { OrderStatus: status } = first.values;
          if (status !== undefined && read.order.status === '') {
            report('OrderStatus', `expected the label of an order status, got "${status}"`);
          }
          ready.push({ ...read, number });
          taken.add(number);
          if (number > highest) highest = number;
        }
        if (!isSound()) return;
        await storeOrders({ db }, ready);
        counts.added += ready.length;
      },
      end: async () => {
        if (highest > 0n) await numberTaken(db, administration.id, 'sales_order', highest);
      },
    };
  },
);

/** What is wrong with an order whatever it refers to. */
function checkOrder(order: Order): void {
  if (order.first.values.OrderDate === undefined) {
    order.report('OrderDate', 'is required in the first row of an order');
  }
  checkDiscount(order);
  order.rows.forEach((row, index) => {
    const line = requestLine(row, order.hasAmounts);
    order.refuse(errorsOfRule((rule) => requireArticle(line, rule), `Order_Orderline[${index}]`));
  });
}

/** A line as a request has it; of an order that is taken as it was, the discount stands among its amounts. */
const requestLine = (row: Order['first'], hasAmounts: boolean) => ({
  ...row.values,
  ...askedFor(row, hasAmounts),
  IsTextLine: row.values.IsTextLine ?? false,
  UseArticlePrice: row.values.UseArticlePrice ?? false,
  ...(hasAmounts ? { DiscountPc: undefined, DiscountAmountInclTax: undefined } : {}),
});

/** An order as its maker takes it, with what the rows know better. */
function asGiven(order: Order, party: Row<'relation'> | undefined): OrderInput {
  const { first, rows, hasAmounts } = order;
  const { values } = first;
  return {
    party,
    request: { ...values, GeneralStatus: values.GeneralStatus ?? 'order', HtmlAsPlainText: false },
    lines: rows.map((row) => requestLine(row, hasAmounts)),
    known: {
      customer: namedThen(first, 'Customer', party),
      isInvoiced: values.IsInvoiced ?? false,
      amounts: takenAmounts(order, ({ values: line }) => ({
        discountAmount: cents(line.DiscountAmountInclTax),
        unitPriceExcl: decimal8(line.UnitPriceExclTax),
        discountPercentage: decimal8(line.DiscountPc),
        exclBeforeDiscount: cents(line.AmountExclTaxExclDiscount),
        inclBeforeDiscount: cents(line.AmountInclTaxExclDiscount),
        inclAfterLineDiscount: cents(line.AmountInclTax),
        excl: cents(line.AmountExclTax),
      })),
    },
  };
}
