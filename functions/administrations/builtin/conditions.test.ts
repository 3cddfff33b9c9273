import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { pdf, program } from '../../../testing/attachments/files.ts';
import { openShop, type Shop } from '../../../testing/shop.ts';

/*
 * The interface's tables of states, of conditions and of limits, a test for each row, in their order.
 */

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp();
  app.setTime(Date.UTC(2026, 10, 20, 11) / 1000);
});
beforeEach(async () => {
  shop = await openShop(app);
});
afterAll(() => app.close());

const chair = { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: '12.50' };
const invoiceOf = (change: object = {}) => ({ CustomerNumber: 7, Invoice_InvoiceLine: [chair], ...change });
const orderOf = (change: object = {}) => ({ CustomerNumber: 7, Order_Orderline: [chair], ...change });
const invoice = (change: object = {}) => shop.accepted('addsalesinvoice', invoiceOf(change));
const order = (change: object = {}) => shop.accepted('addorder', orderOf(change));
const sold = async () =>
  (await shop.mutationsOf('0100')).filter(({ cause }) => cause === 'invoice').map(({ quantity }) => quantity);
const monthly = { PeriodicInvoiceTemplate: true, Periodic_Frequency: 1, Periodic_FrequencyUnit: 'Month' };
const count = async (parameters: string): Promise<number> => {
  const { status, json, text } = await shop.get(`/rest/listsalesinvoices?${parameters}`);
  if (status !== 200) throw new Error(text);
  return json.length;
};
const content = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const ofSize = (size: number) => content(Buffer.concat([pdf, Buffer.alloc(size - pdf.length, ' ')]));

describe('states', () => {
  it('addsalesinvoice with AddAsDraft true makes a draft invoice, with a mutation of stock', async () => {
    const { InvoiceNumber } = await invoice({ AddAsDraft: true });
    expect((await shop.invoiceOf(InvoiceNumber)).is_draft).toBe(1n);
    expect(await sold()).toEqual(['-2']);
  });

  it.each([{ AddAsDraft: false }, {}])(
    'addsalesinvoice with %j makes a final invoice, with a mutation of stock',
    async (request) => {
      const { InvoiceNumber } = await invoice(request);
      expect((await shop.invoiceOf(InvoiceNumber)).is_draft).toBe(0n);
      expect(await sold()).toEqual(['-2']);
    },
  );

  it('addsalesinvoice with PeriodicInvoiceTemplate true makes a template, and no invoice when it starts later', async () => {
    expect(await invoice({ ...monthly, Periodic_StartingDate: '21-11-2026' })).toMatchObject({
      PeriodicInvoiceTemplate: true,
    });
    expect(await count('')).toBe(0);
    expect(await sold()).toEqual([]);
  });

  it('addsalesinvoice with PeriodicInvoiceTemplate true makes an invoice directly when it starts today', async () => {
    expect(await invoice({ ...monthly, Periodic_StartingDate: '20-11-2026' })).toMatchObject({
      PeriodicInvoiceTemplate: true,
    });
    expect(await shop.listed(1)).toMatchObject({ PeriodicInvoiceTemplate: false, InvoiceDate: '20-11-2026' });
    expect(await sold()).toEqual(['-2']);
  });

  it.each([
    ['concept_quote', 'concept_quote'],
    ['final_quote', 'final_quote'],
    ['order', 'order'],
    [undefined, 'order'],
  ])('addorder with GeneralStatus %s makes: %s', async (GeneralStatus, stored) => {
    const { OrderNumber } = await order({ GeneralStatus });
    expect((await shop.orderOf(OrderNumber)).general_status).toBe(stored);
  });

  it('addorder with an OrderStatus the administration has makes an order with that status', async () => {
    await shop.addOrderStatus('Wacht op levering');
    expect(await order({ OrderStatus: 'Wacht op levering' })).toMatchObject({ OrderStatus: 'Wacht op levering' });
  });

  it('addorder with an OrderStatus the administration does not have makes the order without it', async () => {
    expect(await order({ OrderStatus: 'Wacht op levering' })).toMatchObject({ OrderNumber: 1, OrderStatus: '' });
  });

  it('addsalesinvoice for an order of the same relation makes that order invoiced and belongs to it', async () => {
    const { OrderNumber } = await order();
    const { InvoiceNumber } = await invoice({ InvoiceForOrderNumber: OrderNumber });
    const { id, is_invoiced } = await shop.orderOf(OrderNumber);
    expect(is_invoiced).toBe(1n);
    expect((await shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(id);
  });

  it('addsalesinvoice for an order number the relation does not have changes no order and belongs to none', async () => {
    const other = await shop.addRelation({ name: 'Een ander', customerNumber: 8 });
    const { OrderNumber } = await order({ CustomerNumber: 8 });
    const before = await shop.orderOf(OrderNumber);
    expect(before.relation_id).toBe(other.id);
    const { InvoiceNumber } = await invoice({ InvoiceForOrderNumber: OrderNumber });
    expect(await shop.orderOf(OrderNumber)).toEqual(before);
    expect((await shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(null);
  });

  it('updateproduct with Archived true archives the product', async () => {
    await shop.accepted('updateproduct', { ArticleNumber: '0100', Archived: true });
    expect((await shop.hiddenOf('0100')).archived).toBe(true);
    expect((await shop.hiddenOf('0200')).archived).toBe(false);
  });
});

describe('conditions', () => {
  it('updateproduct with an unknown category that is not to be made changes nothing', async () => {
    expect(
      await shop.refused('updateproduct', { ArticleNumber: '0100', NewName: 'Kruk', CategoryName: 'Krukken' }),
    ).toEqual(['CategoryName']);
  });

  it('addproduct with an unknown category that is not to be made adds no product', async () => {
    const stool = { ArticleNumber: '0300', NewName: 'Kruk', CategoryName: 'Krukken' };
    expect(await shop.refused('addproduct', stool)).toEqual(['CategoryName']);
    await shop.accepted('addproduct', { ...stool, CategoryCreateIfMissing: true });
  });

  it('an attachment that cannot be downloaded is left out of an invoice, an order and a booking', async () => {
    const FileUrl = 'http://127.0.0.1:1/a.pdf';
    const { InvoiceNumber } = await invoice({ Invoice_Attachment: [{ FileUrl }] });
    const { OrderNumber } = await order({ Order_Attachment: [{ FileUrl }] });
    const lines = { InvoiceFileUrl: FileUrl, Invoice_InvoiceLine: [{ SubTotalInclTax: 121, TaxPc: 21 }] };
    const sale = await shop.accepted('addsalestransaction', { CustomerNumber: 7, ...lines });
    const purchase = await shop.accepted('addpurchasetransaction', { SupplierNumber: 3, ...lines });
    for (const document of [
      { salesInvoice: InvoiceNumber },
      { order: OrderNumber },
      { salesInvoice: sale.InvoiceNumber },
      { purchaseInvoice: purchase.InvoiceNumber },
    ]) {
      const files = await shop.filesOf(document);
      expect(files).toMatchObject([{ size: null, url: FileUrl, failure: expect.stringMatching(/\S/) }]);
    }
  });

  it('an OrderStatus the administration does not have leaves an order without a status', async () => {
    expect(await order({ OrderStatus: 'Onbekend' })).toMatchObject({ OrderStatus: '', OrderTotalInclTax: 30.25 });
  });

  it('an unknown InvoiceForOrderNumber leaves an invoice without an order', async () => {
    const { InvoiceNumber } = await invoice({ InvoiceForOrderNumber: 4711 });
    expect((await shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(null);
  });

  it('an InvoiceNumber that is taken is refused, at both endpoints', async () => {
    await invoice({ InvoiceNumber: 5 });
    expect(await shop.refused('addsalesinvoice', invoiceOf({ InvoiceNumber: 5 }))).toEqual(['InvoiceNumber']);
    expect(
      await shop.refused('addsalestransaction', {
        CustomerNumber: 7,
        InvoiceNumber: 5,
        Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxPc: 21 }],
      }),
    ).toEqual(['InvoiceNumber']);
  });

  it('an attachment of another type than its name says is refused, for invoices and orders', async () => {
    const file = { FileContent: content(program), FileName: 'factuur.pdf' };
    expect(await shop.refused('addsalesinvoice', invoiceOf({ Invoice_Attachment: [file] }))).toEqual([
      'Invoice_Attachment[0].FileContent',
    ]);
    expect(await shop.refused('addorder', orderOf({ Order_Attachment: [file] }))).toEqual([
      'Order_Attachment[0].FileContent',
    ]);
  });

  it('a PDF that cannot be made leaves InvoicePDFBase64 empty', async () => {
    const { InvoiceNumber } = await invoice();
    const { json } = await shop.get(`/rest/listsalesinvoices?InvoiceNumber=${InvoiceNumber}&IncludeBase64PDF=true`);
    expect(json).toMatchObject([{ InvoicePDFBase64: '' }]);
  });

  it('listrelations with RelationVAT answers business relations only', async () => {
    await shop.addRelation({ name: 'Zaak', vatNumber: 'NL123456789B01', business: true });
    await shop.addRelation({ name: 'Mens', vatNumber: 'NL123456789B01', business: false });
    const { json } = await shop.get('/rest/listrelations?RelationVAT=123456789');
    expect(json).toMatchObject([{ Name: 'Zaak', PrivateOrBusiness: 'BusinessRelation' }]);
  });

  it('a purchase code on a sales endpoint is refused', async () => {
    const TaxCode = shop.tax.purchaseHigh;
    const line = { ...chair, TaxCode };
    expect(await shop.refused('addsalesinvoice', invoiceOf({ Invoice_InvoiceLine: [line] }))).toEqual([
      'Invoice_InvoiceLine[0].TaxCode',
    ]);
    expect(await shop.refused('addorder', orderOf({ Order_Orderline: [line] }))).toEqual([
      'Order_Orderline[0].TaxCode',
    ]);
    expect(
      await shop.refused('addsalestransaction', {
        CustomerNumber: 7,
        Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxCode }],
      }),
    ).toEqual(['Invoice_InvoiceLine[0].TaxCode']);
  });

  it('a sales code on the purchase endpoint is refused', async () => {
    expect(
      await shop.refused('addpurchasetransaction', {
        SupplierNumber: 3,
        Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxCode: shop.tax.high }],
      }),
    ).toEqual(['Invoice_InvoiceLine[0].TaxCode']);
  });
});

describe('limits', () => {
  const times = <T>(number: number, one: T): T[] => Array.from({ length: number }, () => one);
  const booked = { SubTotalInclTax: 1, TaxPc: 21 };
  it.each([
    ['addsalesinvoice', { CustomerNumber: 7 }, 'Invoice_InvoiceLine', chair],
    ['addsalestransaction', { CustomerNumber: 7 }, 'Invoice_InvoiceLine', booked],
    ['addpurchasetransaction', { SupplierNumber: 3 }, 'Invoice_InvoiceLine', booked],
    ['addorder', { CustomerNumber: 7 }, 'Order_Orderline', chair],
  ] as const)('%s accepts 75 lines and refuses 76', async (name, party, lines, line) => {
    await shop.accepted(name, { ...party, [lines]: times(75, line) });
    expect(await shop.refused(name, { ...party, [lines]: times(76, line) })).toEqual([lines]);
  });

  it.each([
    ['addsalesinvoice', invoiceOf, 'Invoice_Attachment'],
    ['addorder', orderOf, 'Order_Attachment'],
  ] as const)('%s accepts an attachment of 10 MB and refuses one of a byte more', async (name, request, field) => {
    const most = 10 * 1024 * 1024;
    const file = (size: number) => ({ [field]: [{ FileContent: ofSize(size), FileName: 'a.pdf' }] });
    await shop.accepted(name, request(file(most)));
    expect(await shop.refused(name, request(file(most + 1)))).toEqual([`${field}[0].FileContent`]);
  });

  it('listrelations answers at most 200 relations', async () => {
    for (let made = 0; made < 200; made++) await shop.addRelation();
    for (const parameters of ['', '?Limit=201', '?Limit=1000']) {
      expect((await shop.get(`/rest/listrelations${parameters}`)).json).toHaveLength(200);
    }
    expect((await shop.get('/rest/listrelations?Limit=200&Offset=200')).json).toHaveLength(2);
  });

  it('listsalesinvoices answers at most 100 invoices, 50 with lines, 15 with the PDF', async () => {
    const { id: relationId } = shop.customer;
    for (let made = 1; made <= 101; made++) await shop.addInvoice({ relationId, number: BigInt(made) });
    expect(await count('')).toBe(100);
    expect(await count('Limit=1000')).toBe(100);
    expect(await count('Limit=100&Offset=100')).toBe(1);
    expect(await count('Limit=100&InlcudeInvoiceLinesInResponse=true')).toBe(50);
    expect(await count('Limit=100&IncludeBase64PDF=true')).toBe(15);
    expect(await count('Limit=100&IncludeBase64PDF=true&InlcudeInvoiceLinesInResponse=true')).toBe(15);
  });

  it('a product’s description has at most 400 characters', async () => {
    const update = (length: number) => ({ ArticleNumber: '0100', NewDescription: 'é'.repeat(length) });
    expect((await shop.accepted('updateproduct', update(400))).Description).toHaveLength(400);
    expect(await shop.refused('updateproduct', update(401))).toEqual(['NewDescription']);
    expect(
      await shop.refused('addproduct', {
        ...update(401),
        ArticleNumber: '0300',
        NewName: 'Kruk',
        CategoryName: 'Krukken',
        CategoryCreateIfMissing: true,
      }),
    ).toEqual(['NewDescription']);
  });

  it('InvoiceReference and OrderReference have at most 150 characters', async () => {
    const [most, more] = ['x'.repeat(150), 'x'.repeat(151)];
    expect((await invoice({ InvoiceReference: most })).InvoiceReference).toBe(most);
    expect((await order({ OrderReference: most })).OrderReference).toBe(most);
    expect(await shop.refused('addsalesinvoice', invoiceOf({ InvoiceReference: more }))).toEqual(['InvoiceReference']);
    expect(await shop.refused('addorder', orderOf({ OrderReference: more }))).toEqual(['OrderReference']);
  });

  it('EmailToCustomer is stored with the invoice, which is not sent yet', async () => {
    const { InvoiceNumber, InvoiceIsSent } = await invoice({ EmailToCustomer: true });
    expect(InvoiceIsSent).toBe(false);
    expect(await shop.invoiceOf(InvoiceNumber)).toMatchObject({ email_to_customer: 1n, is_sent: 0n });
  });

  it('listrelations with RelationGUID answers one relation or none', async () => {
    const { guid } = shop.customer;
    expect((await shop.get(`/rest/listrelations?RelationGUID=${guid}`)).json).toMatchObject([{ CustomerNumber: 7 }]);
    expect((await shop.get('/rest/listrelations?RelationGUID=4711')).json).toEqual([]);
  });
});
