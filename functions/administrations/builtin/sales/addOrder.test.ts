import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { pdf } from '../../../../testing/attachments/files.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';

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
const chairs = { CustomerNumber: 7, Order_Orderline: [chair] };
const make = (change: object = {}) => shop.accepted('addorder', { ...chairs, ...change });
const refused = (change: object) => shop.refused('addorder', { ...chairs, ...change });
const line = async (change: object) => (await make({ Order_Orderline: [{ ...chair, ...change }] })).Order_Orderline[0];

describe('an order', () => {
  it('is returned with its lines, with the types of the interface’s examples', async () => {
    expect(await make()).toEqual({
      OrderNumber: 1,
      CustomerNumber: 7,
      CustomerName: 'Bakkerij Jansen',
      OrderDate: '20-11-2026',
      OrderNotes: '',
      OrderReference: '',
      OrderDiscountPc: 0,
      OrderStatus: '',
      DeliveryPeriod: null,
      OrderTotalInclTax: 30.25,
      CreatedOn: Date.UTC(2026, 10, 20, 11) / 1000,
      ChangedOn: Date.UTC(2026, 10, 20, 11) / 1000,
      Order_Address: [
        {
          Address_CountryCode: 'NL',
          Address_PostalCode: '3011 AD',
          Address_Street: 'Coolsingel',
          Address_Unit: '1',
          Address_City: 'Rotterdam',
          Address_UnitAppendix: 'a',
          Address_Type: 'BillingAddress',
        },
      ],
      Order_Contact: [
        {
          ContactType: 'Order',
          FirstName: 'Anna',
          LastName: 'de Jansen',
          Phone: '010-1234567',
          Email: 'anna@jansen.example',
          Sex: 'Vrouw',
          ContactNotes: 'achterom',
          DefaultContact: true,
        },
      ],
      Order_Orderline: [
        {
          ProductNumber: '0100',
          ProductEAN: '8712345678906',
          Quantity: 2,
          UnitPriceExclTax: 12.5,
          TaxPc: 21,
          TaxCode: '21% - Hoog',
          SubTotalInclTax: 30.25,
          Description: 'Stoel',
          IsTextLine: false,
          TextLineCategory: '',
          DiscountPc: '0',
          DiscountAmountInclTax: '0',
          UseArticlePrice: false,
          SubTotalExclTaxExclDiscount: '25.00',
          SubTotalInclTaxExclDiscount: '30.25',
          SubTotalExclTax: '25.00',
        },
      ],
    });
  });

  it('is stored with every field of the request', async () => {
    expect(
      await make({
        OrderDate: '01-02-2026',
        CreatedOn: '1600000000',
        ChangedOn: 1_600_000_001,
        OrderNotes: '<b>Spoed</b>',
        OrderReference: 'R-1',
        DeliveryPeriod: '14',
        OrderStatus: 'in BEHANDELING',
        PackingSlipNotes: 'Breekbaar',
      }),
    ).toMatchObject({
      OrderDate: '01-02-2026',
      CreatedOn: 1_600_000_000,
      ChangedOn: 1_600_000_001,
      OrderNotes: '<b>Spoed</b>',
      OrderReference: 'R-1',
      DeliveryPeriod: 14,
      OrderStatus: 'In behandeling',
    });
    expect((await shop.orderOf(1)).packing_slip_notes).toBe('Breekbaar');
  });

  it('gets the next number, which invoices do not share', async () => {
    await shop.accepted('addsalesinvoice', { CustomerNumber: 7, Invoice_InvoiceLine: [chair] });
    expect([await make(), await make()].map(({ OrderNumber }) => OrderNumber)).toEqual([1, 2]);
  });

  it('changes no stock and is not booked', async () => {
    await make();
    expect(await shop.stockOf('0100')).toBe('10');
    expect(
      await app.db
        .selectFrom('journal_entry')
        .where('administration_id', '=', shop.administrationId)
        .selectAll()
        .execute(),
    ).toEqual([]);
  });

  it.each([
    [undefined, 'order'],
    ['', 'order'],
    ['order', 'order'],
    ['Concept_Quote', 'concept_quote'],
    ['final_quote', 'final_quote'],
  ])('with GeneralStatus %s is stored as %s', async (GeneralStatus, stored) => {
    const { OrderNumber } = await make({ GeneralStatus });
    expect((await shop.orderOf(OrderNumber)).general_status).toBe(stored);
  });

  it('is returned with plain text notes for HtmlAsPlainText', async () => {
    expect((await make({ OrderNotes: '<b>Spoed</b>', HtmlAsPlainText: true })).OrderNotes).toBe('Spoed');
    expect((await shop.orderOf(1)).notes).toBe('<b>Spoed</b>');
  });

  it('finds its customer by number, by name and by e-mail address', async () => {
    for (const customer of [
      { CustomerNumber: 0, CustomerName: 'BAKKERIJ jansen' },
      { CustomerNumber: '', CustomerEmail: 'info@jansen.example' },
      { CustomerNumber: 7, CustomerName: 'onbekend' },
    ]) {
      expect((await make(customer)).CustomerNumber).toBe(7);
    }
    expect(await refused({ CustomerNumber: 3 })).toEqual(['CustomerNumber']);
    expect(await refused({ CustomerNumber: undefined, CustomerName: 'Bakkerij Jansen', CustomerEmail: 'x@y' })).toEqual(
      ['CustomerName'],
    );
  });

  it.each([
    [{ GeneralStatus: 'invoice' }, 'GeneralStatus'],
    [{ OrderDate: '2026-01-01' }, 'OrderDate'],
    [{ OrderReference: 'a'.repeat(151) }, 'OrderReference'],
    [{ DeliveryPeriod: -1 }, 'DeliveryPeriod'],
    [{ OrderDiscountPc: 101 }, 'OrderDiscountPc'],
    [{ CreatedOn: -1 }, 'CreatedOn'],
    [{ Order_Orderline: [] }, 'Order_Orderline'],
    [{ Order_Orderline: undefined }, 'Order_Orderline'],
    [{ Order_Orderline: Array.from({ length: 76 }, () => chair) }, 'Order_Orderline'],
    [{ Order_Orderline: [chair, { ...chair, ProductNumber: 'X' }] }, 'Order_Orderline[1].ProductNumber'],
    [{ Order_Orderline: [{ ...chair, TaxPc: 19 }] }, 'Order_Orderline[0].TaxPc'],
    [{ Order_Orderline: [{ ...chair, TaxCode: '21% - Inkoop hoog' }] }, 'Order_Orderline[0].TaxCode'],
    [{ Order_Orderline: [{ ...chair, Quantity: '' }] }, 'Order_Orderline[0].Quantity'],
    [
      { Order_Orderline: [{ ...chair, Quantity: 9_999_999_999, UnitPriceExclTax: 9_999_999_999 }] },
      'Order_Orderline[0]',
    ],
    [{ Order_Address: [{ Address_City: 'A' }, { Address_City: 'B' }] }, 'Order_Address[1].Address_Type'],
    [{ Order_Attachment: [{ FileContent: 'AAAA' }] }, 'Order_Attachment[0].FileName'],
    [{ Order_Attachment: [{ FileContent: 'AAAA', FileName: 'a.pdf' }] }, 'Order_Attachment[0].FileContent'],
  ])('with %j is refused', async (change, path) => {
    expect(await refused(change)).toEqual([path]);
  });

  it('may have a reference of 150 characters and 75 lines', async () => {
    const OrderReference = 'é'.repeat(150);
    const response = await make({ OrderReference, Order_Orderline: Array.from({ length: 75 }, () => chair) });
    expect(response.OrderReference).toBe(OrderReference);
    expect(response.Order_Orderline).toHaveLength(75);
  });
});

it.each([
  [chair, 'expected a list of lines, got an object'],
  ['x', 'expected a list of lines, got a string'],
  [7, 'expected a list of lines, got a number'],
  ['', 'is required: a list of lines'],
  [null, 'is required: a list of lines'],
  [undefined, 'is required: a list of lines'],
])('%j as lines is refused, and the message says what was expected', async (Order_Orderline, message) => {
  const { status, json } = await shop.post('/rest/addorder', { ...chairs, Order_Orderline });
  expect([status, json.errors]).toMatchObject([400, [{ path: 'Order_Orderline', message }]]);
});

describe('a line', () => {
  it('has totals before and after discounts: that of the line first, then that of the order', async () => {
    const response = await make({
      OrderDiscountPc: 50,
      Order_Orderline: [{ ...chair, Quantity: 8, DiscountPc: '10' }],
    });
    expect(response).toMatchObject({ OrderDiscountPc: 50, OrderTotalInclTax: 54.45 });
    expect(response.Order_Orderline).toMatchObject([
      {
        DiscountPc: '10',
        SubTotalExclTaxExclDiscount: '100.00',
        SubTotalInclTaxExclDiscount: '121.00',
        // Before the order's discount, as in the request.
        SubTotalInclTax: 108.9,
        SubTotalExclTax: '45.00',
      },
    ]);
  });

  it('with tax included has its total unchanged', async () => {
    expect(await line({ SubTotalInclTax: '43.06' })).toMatchObject({
      UnitPriceExclTax: 17.79338843,
      SubTotalInclTax: 43.06,
      SubTotalExclTax: '35.59',
    });
  });

  it('is returned with the discount amount of the request', async () => {
    expect(await line({ DiscountAmountInclTax: '12.10' })).toMatchObject({
      DiscountPc: '0',
      DiscountAmountInclTax: '12.1',
      SubTotalInclTax: 18.15,
    });
    expect(await line({ DiscountPc: '40' })).toMatchObject({ DiscountPc: '40', DiscountAmountInclTax: '0' });
  });

  it('of the response can be sent in the request of an invoice', async () => {
    const order = await make({
      Order_Orderline: [
        { ...chair, DiscountAmountInclTax: '12.10' },
        { ...chair, Quantity: -2, DiscountAmountInclTax: '-12.10' },
        { ...chair, DiscountPc: '7.5', UnitPriceExclTax: '0.335' },
        { ...chair, DiscountPc: 100 },
        { ...chair, DiscountAmountInclTax: '30.25' },
        { ProductNumber: '0200', Quantity: 3, UseArticlePrice: true, DiscountAmountInclTax: 1 },
        { IsTextLine: true, Description: 'Met dank' },
      ],
    });
    const invoice = await shop.accepted('addsalesinvoice', {
      CustomerNumber: 7,
      InvoiceForOrderNumber: order.OrderNumber,
      Invoice_InvoiceLine: order.Order_Orderline,
    });
    expect(invoice.InvoiceTotalInclTax).toBe(order.OrderTotalInclTax);
    expect((await shop.listed(invoice.InvoiceNumber)).Invoice_InvoiceLine.slice(0, 2)).toMatchObject([
      { UnitPriceExclTax: 12.5, DiscountPc: 40, SubTotalInclTaxExclDiscount: 30.25 },
      { UnitPriceExclTax: 12.5, DiscountPc: 40, SubTotalInclTaxExclDiscount: -30.25 },
    ]);
  });

  it('is lowered by its discount amount towards zero, and no further', async () => {
    for (const DiscountAmountInclTax of ['12.10', '-12.10']) {
      expect(await line({ Quantity: -2, DiscountAmountInclTax })).toMatchObject({
        SubTotalInclTax: -18.15,
        SubTotalInclTaxExclDiscount: '-30.25',
      });
    }
    for (const DiscountAmountInclTax of [-5, '30.26']) {
      expect(await refused({ Order_Orderline: [{ ...chair, DiscountAmountInclTax }] })).toEqual([
        'Order_Orderline[0].DiscountAmountInclTax',
      ]);
    }
  });

  it('may use the price of its article', async () => {
    expect(await line({ UseArticlePrice: true, UnitPriceExclTax: undefined })).toMatchObject({
      UnitPriceExclTax: 12.5,
      UseArticlePrice: true,
    });
  });

  it('of text is returned as one, with its category', async () => {
    const { Order_Orderline: lines, OrderTotalInclTax } = await make({
      Order_Orderline: [{ IsTextLine: true, Description: 'Kop', TextLineCategory: 'Koppen' }, chair, { IsTextLine: 1 }],
    });
    expect(OrderTotalInclTax).toBe(30.25);
    expect(lines).toMatchObject([
      { IsTextLine: true, Description: 'Kop', TextLineCategory: 'Koppen', SubTotalExclTax: '0.00' },
      { IsTextLine: false },
      { IsTextLine: true, TextLineCategory: 'Default' },
    ]);
  });

  it('with a negative quantity lowers the total', async () => {
    expect((await make({ Order_Orderline: [{ ...chair, Quantity: -2 }] })).OrderTotalInclTax).toBe(-30.25);
  });
});

describe('addresses', () => {
  const dock = { Address_Street: 'Kade', Address_Unit: '5', Address_City: 'Antwerpen', Address_CountryCode: 'BE' };

  it('that are new are added to the relation, and the billing address is returned', async () => {
    const { Order_Address, Order_Contact } = await make({ Order_Address: [dock] });
    expect(Order_Address).toMatchObject([{ Address_Street: 'Kade', Address_Type: 'BillingAddress' }]);
    expect(Order_Contact).toHaveLength(1);
    expect(await shop.addressesOf(shop.customer.id)).toEqual(['Kade 5']);
  });

  it('for shipping add a contact for the packing slip', async () => {
    const { Order_Address, Order_Contact } = await make({
      Order_Address: [{ ...dock, Address_Type: 'ShippingAddress' }],
    });
    expect(Order_Address).toMatchObject([{ Address_Street: 'Coolsingel' }]);
    expect(Order_Contact).toMatchObject([
      { ContactType: 'Order' },
      { ContactType: 'PackingSlip', LastName: 'de Jansen' },
    ]);
  });
});

describe('attachments', () => {
  it('are stored with the order', async () => {
    const { OrderNumber } = await make({
      Order_Attachment: [
        { FileContent: pdf.toString('base64'), FileName: 'Bon.pdf', Internal: 1 },
        { FileUrl: 'http://10.0.0.1/a.pdf' },
      ],
    });
    expect(await shop.filesOf({ order: OrderNumber })).toMatchObject([
      { name: 'Bon.pdf', size: pdf.length, internal: true },
      { size: null, failure: 'the address does not lead to the public internet' },
    ]);
  });
});
