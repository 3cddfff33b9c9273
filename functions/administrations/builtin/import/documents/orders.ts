import { MAX_REFERENCE_LENGTH, requireArticle } from '../../../../../shared/resources/document.ts';
import { errorsOfRule } from '../../../../../shared/wire/issues.ts';
import { numberTaken } from '../../documents/numbering.ts';
import {
  choice,
  day,
  decimal,
  flag,
  long,
  number,
  percentage,
  requestedNumber,
  required,
  text,
  whole,
} from '../../files/column.ts';
import { asFirst, orderAdds } from '../../files/documentAmounts.ts';
import { findOrderReferences, type OrderInput, readOrder, storeOrders } from '../../sales/addOrder.ts';
import type { Row } from '../../sql/schema.ts';
import {
  amountColumns,
  askedFor,
  cents,
  checkDiscount,
  type DocumentRows,
  documentImporter,
  fine,
  knownLine,
  lineNumber,
  listColumns,
  namedThen,
  relationsByGuid,
  rowsNumbered,
  totalColumns,
} from './documentRows.ts';

const header = {
  OrderNumber: required(requestedNumber({ min: 1n })),
  GeneralStatus: choice('concept_quote', 'final_quote', 'order'),
  OrderStatus: text(),
  IsInvoiced: flag(),
  OrderDate: day(),
  RelationGUID: long({ min: 0n }),
  CustomerNumber: number(),
  CustomerName: text(),
  CustomerEmail: text(),
  OrderReference: text({ max: MAX_REFERENCE_LENGTH }),
  OrderNotes: text(),
  PackingSlipNotes: text(),
  DeliveryPeriod: whole({ min: 0 }),
  OrderDiscountPc: percentage(),
  CreatedOn: long({ min: 0n }),
  ChangedOn: long({ min: 0n }),
  ...totalColumns,
};

const lines = {
  ...lineNumber,
  ProductNumber: text(),
  ProductEAN: text(),
  Description: text(),
  Quantity: decimal(),
  UnitPriceExclTax: decimal(),
  SubTotalInclTax: decimal({ decimals: 2 }),
  DiscountPc: percentage({}),
  DiscountAmountInclTax: decimal({ decimals: 2 }),
  TaxPc: percentage({ min: -1, max: 100 }),
  TaxCode: text(),
  IsTextLine: flag(),
  TextLineCategory: text(),
  UseArticlePrice: flag(),
  CurrentProductNumber: text(),
  AmountExclTaxExclDiscount: decimal({ decimals: 2 }),
  ...listColumns,
  ...amountColumns,
};

type Order = DocumentRows<typeof header & typeof lines>;

/** Orders and quotes. A number that exists is refused. */
export const orders = documentImporter(
  {
    header,
    lines,
    number: 'OrderNumber',
    called: 'order',
    belongs: ({ values }) => values.LineNumber !== 1,
    asFirst,
    amounts: ['AmountExclTaxExclDiscount', ...Object.keys(listColumns), ...Object.keys(amountColumns)],
    adds: orderAdds,
  },
  async (context, scope) => {
    const { db, administration, isSound, counts } = context;
    const taken = new Set<bigint>();
    let highest = 0n;
    return {
      store: async (documents) => {
        const relationOf = await relationsByGuid(context, documents, 'customer');
        const existing = await rowsNumbered(context, 'sales_order', documents, 'OrderNumber');
        for (const order of existing) taken.add(order.number);
        const given = documents.flatMap((order) => {
          checkOrder(order);
          const party = relationOf(order);
          if (party === undefined && order.first.values.RelationGUID !== undefined) return [];
          return { order, given: asGiven(order, party) };
        });
        const references = await findOrderReferences(
          scope,
          given.map((one) => one.given),
        );
        const ready: Parameters<typeof storeOrders>[1][number][] = [];
        for (const { order, given: one } of given) {
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
function asGiven({ first, rows, hasAmounts }: Order, party: Row<'relation'> | undefined): OrderInput {
  const { values } = first;
  return {
    party,
    request: { ...values, GeneralStatus: values.GeneralStatus ?? 'order', HtmlAsPlainText: false },
    lines: rows.map((row) => requestLine(row, hasAmounts)),
    known: {
      customer: namedThen(first, 'Customer', party),
      isInvoiced: values.IsInvoiced ?? false,
      amounts: hasAmounts
        ? {
            excl: cents(values.TotalExclTax),
            tax: cents(values.TaxAmount),
            incl: cents(values.TotalInclTax),
            lines: rows.map((row) => ({
              ...knownLine(row),
              discountAmount: cents(row.values.DiscountAmountInclTax),
              totals: {
                unitPriceExcl: fine(row.values.UnitPriceExclTax),
                discountPercentage: fine(row.values.DiscountPc),
                exclBeforeDiscount: cents(row.values.AmountExclTaxExclDiscount),
                inclBeforeDiscount: cents(row.values.AmountInclTaxExclDiscount),
                inclAfterLineDiscount: cents(row.values.AmountInclTax),
                excl: cents(row.values.AmountExclTax),
              },
            })),
          }
        : undefined,
    },
  };
}
