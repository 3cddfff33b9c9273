import { requireArticle } from '../../../../../shared/resources/document.ts';
import { errorsOfRule } from '../../../../../shared/wire/issues.ts';
import { orderAdds } from '../../files/documentAmounts.ts';
import { findOrderReferences, type OrderInput, readOrder, storeOrders } from '../../sales/addOrder.ts';
import type { Row } from '../../sql/schema.ts';
import { orderColumns } from './documentColumns.ts';
import { partyData, rowsNumbered, withRelations } from './documentReferences.ts';
import { type DocumentRows, documentImporter } from './documentRows.ts';
import { cents, checkDiscount, decimal8, lineReferences, statedAmounts } from './statedAmounts.ts';

type Order = DocumentRows<(typeof orderColumns)['header'] & (typeof orderColumns)['lines']>;

/** Orders and quotes. */
export const orders = documentImporter(
  {
    ...orderColumns,
    number: 'OrderNumber',
    called: 'order',
    counter: 'sales_order',
    belongs: ({ values }) => values.LineNumber !== 1,
    adds: orderAdds,
  },
  async (context, endpointContext) => {
    const taken = new Set<bigint>();
    return {
      read: async (documents) => {
        const existing = await rowsNumbered(context, 'sales_order', documents, 'OrderNumber');
        for (const order of existing) taken.add(order.number);
        for (const order of documents) checkOrder(order);
        const named = await withRelations(context, documents, 'customer', inputOf);
        const inputs = named.map(({ input }) => input);
        const references = await findOrderReferences(endpointContext, inputs);
        const ready: Parameters<typeof storeOrders>[1][number][] = [];
        for (const { document: order, input } of named) {
          const { first, report } = order;
          const number = BigInt(first.values.OrderNumber ?? 0);
          if (taken.has(number)) report('OrderNumber', `expected a number no other order has, got ${number}`);
          const read = await readOrder(endpointContext, references, input, order.refuse);
          if (read === undefined || !order.isSound()) continue;
          const { OrderStatus: status } = first.values;
          if (status !== undefined && read.order.status === '') {
            report('OrderStatus', `expected the label of an order status, got "${status}"`);
          }
          ready.push({ ...read, number });
          taken.add(number);
        }
        return ready;
      },
      store: (orders) => storeOrders(context, orders),
    };
  },
);

/** Reports the problems of an order that do not depend on other records. */
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

/** A line in the form of a request; a stated discount is among the amounts. */
const requestLine = (row: Order['first'], hasAmounts: boolean) => ({
  ...row.values,
  ...lineReferences(row, hasAmounts),
  IsTextLine: row.values.IsTextLine ?? false,
  UseArticlePrice: row.values.UseArticlePrice ?? false,
  ...(hasAmounts ? { DiscountPc: undefined, DiscountAmountInclTax: undefined } : {}),
});

/** An order in the form of a request, with the known values of the rows. */
function inputOf(order: Order, party: Row<'relation'> | undefined): OrderInput {
  const { first, rows, hasAmounts } = order;
  const { values } = first;
  return {
    party,
    request: { ...values, GeneralStatus: values.GeneralStatus ?? 'order', HtmlAsPlainText: false },
    lines: rows.map((row) => requestLine(row, hasAmounts)),
    known: {
      customer: partyData(first, 'Customer', party),
      isInvoiced: values.IsInvoiced ?? false,
      amounts: statedAmounts(order, ({ values: line }) => ({
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
