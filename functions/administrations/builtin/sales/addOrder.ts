import type { DocumentTotals, LineTotals } from '../../../../shared/documentTotals.ts';
import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import { plainText } from '../../../../shared/plainText.ts';
import {
  type Order,
  type OrderAddition,
  orderAddress,
  orderContact,
  orderLine,
  order as orderSchema,
} from '../../../../shared/resources/order.ts';
import { invoiceFiles } from '../attachments/fileKind.ts';
import { articleLineRow, articleLines, type KnownLine } from '../documentParts/articleLines.ts';
import {
  type DocumentWrite,
  type FileContext,
  readAttachments,
  storeAttachments,
} from '../documentParts/attachments.ts';
import { checkedTotals } from '../documentParts/checkedTotals.ts';
import { nextNumber } from '../documentParts/numbering.ts';
import {
  collectRefusals,
  findReferences,
  type References,
  type Refuse,
  throwAll,
} from '../documentParts/references.ts';
import { type DocumentAddress, documentAddresses } from '../relations/addresses.ts';
import { documentContact } from '../relations/party.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertKeyedRows, insertRows } from '../sql/insertRows.ts';
import { responding } from '../sql/rows.ts';
import { type Cents, flag, type Row } from '../sql/schema.ts';
import { findStatuses } from './orderStatus.ts';

export type OrderInput = {
  request: Omit<OrderAddition, 'Order_Orderline'>;
  lines: OrderAddition['Order_Orderline'];
  /** The customer, if it is known already. */
  party?: Row<'relation'> | undefined;
  known?: KnownOrder;
};

/** The known values of an imported order; a new one gets them here. */
type KnownOrder = {
  /** The customer's name at that time. */
  customer?: { number: bigint | null; name: string } | undefined;
  isInvoiced: boolean;
  /** Its totals, with those of each line (ignored for a text line); left out: computed from its lines. */
  amounts?: DocumentTotals<KnownLine & OrderLineTotals & { discountAmount: Cents }> | undefined;
};
type OrderLineTotals = Omit<LineTotals, 'tax' | 'incl'>;

/** The rows of an order to store, without its number. */
type NewOrder = {
  order: Omit<Row<'sales_order'>, 'id' | 'number'>;
  lines: Omit<Row<'sales_order_line'>, 'id' | 'sales_order_id'>[];
  addresses: DocumentAddress[];
  contacts: Omit<Row<'sales_order_contact'>, 'id' | 'sales_order_id'>[];
};

/** An order or a quote. */
export const orderWrite: DocumentWrite<FileContext, OrderAddition, Order> = {
  files: ({ Order_Attachment = [] }) => readAttachments(Order_Attachment, invoiceFiles, 'Order_Attachment'),
  async write(transaction, request, files) {
    const input = { request, lines: request.Order_Orderline };
    const references = await findOrderReferences(transaction, [input]);
    const read = (await readOrder(transaction, references, input, throwAll))!;
    const number = await nextNumber(transaction.db, transaction.administration.id, 'sales_order');
    const [id] = await storeOrders(transaction, [{ ...read, number }]);
    await storeAttachments(transaction, { sales_order_id: id! }, files);
    return { response: orderResponse(request, { ...read, number }) };
  },
};

export const findOrderReferences = async (context: EndpointContext, orders: readonly OrderInput[]) => ({
  ...(await findReferences(context, 'Customer', orders)),
  status: await findStatuses(
    context,
    orders.map(({ request }) => request.OrderStatus),
  ),
});

const PATH = 'Order_Orderline';

/**
 * An order with its references and totals. New addresses are added to the relation.
 * @param refuse takes every refusal
 * @returns undefined when it is refused
 */
export async function readOrder(
  context: EndpointContext,
  references: References<'Customer'> & { status: (label: string | undefined) => string },
  input: OrderInput,
  refuse: Refuse,
): Promise<NewOrder | undefined> {
  const { request, known } = input;
  const { check, accepted, isRefused } = collectRefusals(refuse);
  const customer = accepted(references.party(input));
  const { lines, errors } = articleLines(references, input.lines, PATH, known?.amounts?.lines);
  check(errors);
  if (isRefused() || customer === undefined) return undefined;
  const discount = units(request.OrderDiscountPc ?? '0', DECIMAL_SCALE);
  const amounts = lines.map(({ amount }) => amount);
  const totals = known?.amounts ?? checkedTotals(amounts, discount, PATH, refuse);
  if (totals === undefined) return undefined;
  const addresses = await documentAddresses(context, customer, request.Order_Address ?? [], 'Order_Address');
  const contact = references.contact(customer.id);
  const shipsElsewhere = request.Order_Address?.some(({ Address_Type }) => Address_Type === 'ShippingAddress') === true;
  const types = shipsElsewhere ? (['Order', 'PackingSlip'] as const) : (['Order'] as const);
  const now = context.now();
  const named = known?.customer ?? { number: customer.customer_number, name: customer.name };
  return {
    order: {
      administration_id: context.administration.id,
      general_status: request.GeneralStatus,
      status: references.status(request.OrderStatus),
      is_invoiced: flag(known?.isInvoiced ?? false),
      date: request.OrderDate ?? context.today(),
      notes: request.OrderNotes ?? '',
      reference: request.OrderReference ?? '',
      packing_slip_notes: request.PackingSlipNotes ?? '',
      delivery_period: request.DeliveryPeriod === undefined ? null : BigInt(request.DeliveryPeriod),
      discount_pc: discount,
      relation_id: customer.id,
      relation_number: named.number,
      relation_name: named.name,
      total_excl: totals.excl,
      total_tax: totals.tax,
      total_incl: totals.incl,
      created_on: request.CreatedOn === undefined ? now : BigInt(request.CreatedOn),
      changed_on: request.ChangedOn === undefined ? now : BigInt(request.ChangedOn),
    },
    lines: lines.map((line, index) => {
      const { amount } = line;
      const knownLine = known?.amounts?.lines[index];
      const total = amount === null ? null : totals.lines[index];
      const discountAmount = amount?.discount.kind === 'amount' ? amount.discount.incl : 0n;
      return {
        position: BigInt(index),
        ...articleLineRow(line, total, knownLine),
        discount_amount: amount === null ? 0n : (knownLine?.discountAmount ?? discountAmount),
        subtotal_excl_before_discount: total?.exclBeforeDiscount ?? 0n,
        subtotal_incl_before_discount: total?.inclBeforeDiscount ?? 0n,
        subtotal_excl: total?.excl ?? 0n,
        subtotal_incl: total?.inclAfterLineDiscount ?? 0n,
      };
    }),
    addresses,
    contacts: contact === undefined ? [] : types.map((contact_type) => ({ contact_type, ...documentContact(contact) })),
  };
}

/** Stores orders. @returns their ids, in the order of the argument */
export async function storeOrders(
  { db }: Pick<EndpointContext, 'db'>,
  orders: readonly (NewOrder & { number: bigint })[],
): Promise<bigint[]> {
  const rows = orders.map(({ order, number }) => ({ number, ...order }));
  const ids = await insertKeyedRows(db, 'sales_order', 'number', rows);
  const withId = <Part extends object>(partOf: (order: NewOrder) => readonly Part[]) =>
    orders.flatMap((order) => partOf(order).map((part) => ({ sales_order_id: ids.get(order.number)!, ...part })));
  const lines = withId((order) => order.lines);
  await insertRows(db, 'sales_order_line', lines);
  const addresses = withId((order) => order.addresses);
  await insertRows(db, 'sales_order_address', addresses);
  const contacts = withId((order) => order.contacts);
  await insertRows(db, 'sales_order_contact', contacts);
  return orders.map(({ number }) => ids.get(number)!);
}

/** The response of an order, with its billing address. */
function orderResponse(
  request: OrderAddition,
  { order, number, lines, contacts, addresses }: NewOrder & { number: bigint },
): Order {
  return {
    ...ofOrder({ ...order, number }),
    OrderNotes: request.HtmlAsPlainText ? plainText(order.notes) : order.notes,
    Order_Address: addresses.filter(({ address_type }) => address_type === 'BillingAddress').map(ofAddress),
    Order_Contact: contacts.map(ofContact),
    Order_Orderline: lines.map((line) => ({
      ...ofLine(line),
      // Only the supplied kind of discount: with both, the lines could not be sent back in a request.
      ...(line.discount_amount === 0n ? {} : { DiscountPc: '0' }),
    })),
  };
}

const ofOrder = responding(orderSchema, 'sales_order');
const ofLine = responding(orderLine, 'sales_order_line');
const ofAddress = responding(orderAddress, 'sales_order_address');
const ofContact = responding(orderContact, 'sales_order_contact');
