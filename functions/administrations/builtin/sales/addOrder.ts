import { decimalText, FINE_SCALE, MONEY_SCALE, units } from '../../../../shared/money.ts';
import { plainText } from '../../../../shared/plainText.ts';
import type { Order, OrderAddition } from '../../../../shared/resources/order.ts';
import { invoiceFiles } from '../attachments/fileKind.ts';
import { articleLines } from '../documents/articleLines.ts';
import { keepAttachments, readyAttachments } from '../documents/attachments.ts';
import { checkedTotals } from '../documents/checkedTotals.ts';
import { nextNumber } from '../documents/numbering.ts';
import { documentAddresses } from '../relations/addresses.ts';
import { documentContact, findParty, mainContact } from '../relations/party.ts';
import { insertRows } from '../sql/insertRows.ts';
import { flag, type NewRow } from '../sql/schema.ts';
import { type Scope, writing } from '../sql/scope.ts';
import { knownStatus } from './orderStatus.ts';

/**
 * Makes an order or a quote.
 * @throws Problem INVALID_REQUEST naming the field; nothing is stored then
 */
export async function addOrder(scope: Scope, request: OrderAddition): Promise<Order[]> {
  const files = await readyAttachments(scope, request.Order_Attachment ?? [], invoiceFiles, 'Order_Attachment');
  return writing(scope, async (inside) => {
    const { db, administration } = inside;
    const customer = await findParty(inside, 'Customer', request);
    const lines = await articleLines(inside, request.Order_Orderline, 'Order_Orderline');
    const discount = units(request.OrderDiscountPc ?? '0', FINE_SCALE);
    const totals = checkedTotals(
      lines.map(({ amount }) => amount),
      discount,
      'Order_Orderline',
    );
    const addresses = await documentAddresses(inside, customer, request.Order_Address ?? [], 'Order_Address');
    const contact = await mainContact(inside, customer.id);
    const shipsElsewhere =
      request.Order_Address?.some(({ Address_Type }) => Address_Type === 'ShippingAddress') === true;
    const number = await nextNumber(db, administration.id, 'sales_order');
    const now = inside.now();
    const order: Omit<NewRow<'sales_order'>, 'id'> = {
      administration_id: administration.id,
      number,
      general_status: request.GeneralStatus,
      status: await knownStatus(inside, request.OrderStatus),
      is_invoiced: 0n,
      date: request.OrderDate ?? inside.today(),
      notes: request.OrderNotes ?? '',
      reference: request.OrderReference ?? '',
      packing_slip_notes: request.PackingSlipNotes ?? '',
      delivery_period: request.DeliveryPeriod === undefined ? null : BigInt(request.DeliveryPeriod),
      discount_pc: discount,
      relation_id: customer.id,
      relation_number: customer.customer_number,
      relation_name: customer.name,
      total_excl: totals.excl,
      total_tax: totals.tax,
      total_incl: totals.incl,
      created_on: request.CreatedOn === undefined ? now : BigInt(request.CreatedOn),
      changed_on: request.ChangedOn === undefined ? now : BigInt(request.ChangedOn),
    };
    const { id } = await db.insertInto('sales_order').values(order).returning('id').executeTakeFirstOrThrow();
    let amounts = 0;
    const rows = lines.map((line, position): Omit<NewRow<'sales_order_line'>, 'id'> => {
      const total = line.amount === null ? undefined : totals.lines[amounts++];
      const given = line.amount?.discount;
      return {
        sales_order_id: id,
        position: BigInt(position),
        is_text: flag(line.amount === null),
        text_category: line.textCategory,
        product_id: line.product?.id ?? null,
        product_number: line.product?.article_number ?? '',
        product_ean: line.product?.ean ?? '',
        description: line.description,
        quantity: line.amount?.quantity ?? 0n,
        unit_price: total?.unitPriceExcl ?? 0n,
        tax_pc: line.amount?.rate ?? 0n,
        tax_code: line.amount?.taxCode ?? '',
        discount_pc: total?.discountPercentage ?? 0n,
        discount_amount: given !== undefined && 'amountIncl' in given ? given.amountIncl : 0n,
        use_article_price: flag(line.useArticlePrice),
        subtotal_excl_before_discount: total?.exclBeforeDiscount ?? 0n,
        subtotal_incl_before_discount: total?.inclBeforeDiscount ?? 0n,
        subtotal_excl: total?.excl ?? 0n,
        subtotal_incl: total?.inclAfterLineDiscount ?? 0n,
      };
    });
    await insertRows(db, 'sales_order_line', rows);
    await insertRows(
      db,
      'sales_order_address',
      addresses.map((address) => ({ sales_order_id: id, ...address })),
    );
    const contacts =
      contact === undefined
        ? []
        : (shipsElsewhere ? (['Order', 'PackingSlip'] as const) : (['Order'] as const)).map((contact_type) => ({
            sales_order_id: id,
            contact_type,
            ...documentContact(contact),
          }));
    await insertRows(db, 'sales_order_contact', contacts);
    await keepAttachments(inside, { sales_order_id: id }, files);
    return [orderAnswer(request, order, rows, contacts, addresses)];
  });
}

/** An order as it is answered: of its addresses the one the bill goes to. */
function orderAnswer(
  request: OrderAddition,
  order: Omit<NewRow<'sales_order'>, 'id'>,
  lines: readonly Omit<NewRow<'sales_order_line'>, 'id'>[],
  contacts: readonly Omit<NewRow<'sales_order_contact'>, 'id'>[],
  addresses: Awaited<ReturnType<typeof documentAddresses>>,
): Order {
  const money = (cents: bigint) => decimalText(cents, MONEY_SCALE);
  const fine = (value: bigint) => decimalText(value, FINE_SCALE);
  return {
    OrderNumber: Number(order.number),
    CustomerNumber: order.relation_number == null ? null : Number(order.relation_number),
    CustomerName: order.relation_name,
    OrderDate: order.date,
    OrderNotes: request.HtmlAsPlainText ? plainText(order.notes) : order.notes,
    OrderReference: order.reference,
    OrderDiscountPc: fine(order.discount_pc),
    OrderStatus: order.status,
    DeliveryPeriod: request.DeliveryPeriod ?? null,
    OrderTotalInclTax: money(order.total_incl),
    CreatedOn: String(order.created_on),
    ChangedOn: String(order.changed_on),
    Order_Address: addresses
      .filter((address) => address.address_type === 'BillingAddress')
      .map((address) => ({
        Address_CountryCode: address.country_code,
        Address_PostalCode: address.postal_code,
        Address_Street: address.street,
        Address_Unit: address.unit,
        Address_City: address.city,
        Address_UnitAppendix: address.unit_appendix,
        Address_Type: address.address_type,
      })),
    Order_Contact: contacts.map((contact) => ({
      ContactType: contact.contact_type,
      FirstName: contact.first_name,
      LastName: contact.last_name,
      Phone: contact.phone,
      Email: contact.email,
      Sex: contact.sex,
      ContactNotes: contact.notes,
      DefaultContact: contact.is_default === 1n,
    })),
    Order_Orderline: lines.map((line) => ({
      ProductNumber: line.product_number,
      ProductEAN: line.product_ean,
      Quantity: fine(line.quantity),
      UnitPriceExclTax: fine(line.unit_price),
      TaxPc: fine(line.tax_pc),
      TaxCode: line.tax_code,
      SubTotalInclTax: money(line.subtotal_incl),
      Description: line.description,
      IsTextLine: line.is_text === 1n,
      TextLineCategory: line.text_category,
      // One discount, the one that was given: answered both, its lines could not be sent again.
      DiscountPc: line.discount_amount === 0n ? fine(line.discount_pc) : '0',
      DiscountAmountInclTax: money(line.discount_amount),
      UseArticlePrice: line.use_article_price === 1n,
      SubTotalExclTaxExclDiscount: money(line.subtotal_excl_before_discount),
      SubTotalInclTaxExclDiscount: money(line.subtotal_incl_before_discount),
      SubTotalExclTax: money(line.subtotal_excl),
    })),
  };
}
