import { beforeEach, describe, expect, it } from 'vitest';
import { chair, salesInvoices } from '../../../../testing/builtin/salesInvoices.ts';
import { openShop } from '../../../../testing/shop.ts';

const invoices = salesInvoices();

describe('the customer of an invoice', () => {
  beforeEach(async () => {
    await invoices.shop.addRelation({
      guid: 900n,
      name: 'Bakkerij Jansen',
      email: 'twee@jansen.example',
      customerNumber: 12,
    });
    await invoices.shop.addRelation({ guid: 901n, name: 'Île de Ré', email: 'É@re.example', customerNumber: 13 });
    await invoices.shop.addRelation({
      guid: 902n,
      name: 'Leverancier',
      email: 'info@jansen.example',
      supplierNumber: 14,
    });
    await invoices.shop.addRelation({ guid: 903n, name: 'Zonder nummer', customerNumber: null });
  });
  const customerOf = async (fields: object) => {
    const { CustomerNumber } = await invoices.make({ CustomerNumber: undefined, ...fields });
    return CustomerNumber;
  };

  it.each([
    ['by number', { CustomerNumber: 7 }, 7],
    ['by a number in text', { CustomerNumber: '7' }, 7],
    [
      'by number, whatever name and e-mail address say',
      { CustomerNumber: 7, CustomerName: 'X', CustomerEmail: 'x' },
      7,
    ],
    ['by name, the first by RelationGUID of several', { CustomerName: 'Bakkerij Jansen' }, 12],
    ['by name in any case, accents too', { CustomerName: ' île DE ré ' }, 13],
    ['by e-mail address in any case', { CustomerEmail: 'INFO@Jansen.Example' }, 7],
    ['by e-mail address, accents too', { CustomerEmail: 'é@RE.example' }, 13],
    ['by name and e-mail address both', { CustomerName: 'bakkerij jansen', CustomerEmail: 'info@jansen.example' }, 7],
    ['by name when the number is 0', { CustomerNumber: 0, CustomerName: 'Bakkerij Jansen' }, 12],
    ['by e-mail address when the name is empty', { CustomerName: '', CustomerEmail: 'info@jansen.example' }, 7],
    ['without a number of its own', { CustomerName: 'Zonder nummer' }, null],
  ])('is found %s', async (_, fields, number) => {
    expect(await customerOf(fields)).toBe(number);
  });

  it.each([
    ['a number nobody has', { CustomerNumber: 8 }, ['CustomerNumber']],
    ['the number of a supplier', { CustomerNumber: 14 }, ['CustomerNumber']],
    ['a name nobody has', { CustomerName: 'Jansen' }, ['CustomerName']],
    ['the name of a supplier', { CustomerName: 'Leverancier' }, ['CustomerName']],
    ['an e-mail address nobody has', { CustomerEmail: 'x@y.nl' }, ['CustomerEmail']],
    [
      'a name and an e-mail address of two',
      { CustomerName: 'Île de Ré', CustomerEmail: 'info@jansen.example' },
      ['CustomerName'],
    ],
    ['nothing', {}, ['CustomerNumber']],
    ['0 and empty texts', { CustomerNumber: 0, CustomerName: '', CustomerEmail: null }, ['CustomerNumber']],
    [
      'an e-mail address of spaces, which many relations could be said to have',
      { CustomerEmail: '  ' },
      ['CustomerEmail'],
    ],
    ['a name of spaces', { CustomerName: ' ' }, ['CustomerName']],
    ['a negative number', { CustomerNumber: -7 }, ['CustomerNumber']],
  ])('is refused with %s', async (_, fields, paths) => {
    expect(await invoices.refused({ CustomerNumber: undefined, ...fields })).toEqual(paths);
  });

  it('is never a relation of another administration', async () => {
    const other = await openShop(invoices.app);
    await other.addRelation({ name: 'Van een ander', customerNumber: 99 });
    expect(await invoices.refused({ CustomerNumber: 99 })).toEqual(['CustomerNumber']);
    expect(await invoices.refused({ CustomerNumber: undefined, CustomerName: 'Van een ander' })).toEqual([
      'CustomerName',
    ]);
  });

  it('without contacts has invoices without contacts', async () => {
    expect((await invoices.make({ CustomerNumber: 12 })).Invoice_Contact).toEqual([]);
  });
});

describe('the project of an invoice', () => {
  beforeEach(async () => {
    await invoices.shop.addProject({ number: 12, name: 'Verbouwing' });
    await invoices.shop.addProject({ number: 2026, name: '12' });
  });

  it.each([
    [{ InvoiceProject: '12', SelectProjectBy: 'NUMBER' }, 'Verbouwing', '12'],
    [{ InvoiceProject: 12, SelectProjectBy: 'number' }, 'Verbouwing', '12'],
    [{ InvoiceProject: '12', SelectProjectBy: 'NAME' }, '12', '2026'],
    [{ InvoiceProject: 'VERBOUWING', SelectProjectBy: 'NAME' }, 'Verbouwing', '12'],
    [{ InvoiceProject: '12' }, 'Verbouwing', '12'],
    [{ InvoiceProject: 'verbouwing' }, 'Verbouwing', '12'],
    [{ InvoiceProject: '', SelectProjectBy: 'NAME' }, '', ''],
  ])('named %j is %s', async (fields, name, number) => {
    expect(await invoices.make(fields)).toMatchObject({ ProjectName: name, ProjectNumber: number });
  });

  it.each([
    { InvoiceProject: '13', SelectProjectBy: 'NUMBER' },
    { InvoiceProject: 'Verbouwing', SelectProjectBy: 'NUMBER' },
    { InvoiceProject: '2026', SelectProjectBy: 'NAME' },
    { InvoiceProject: 'Tuin' },
  ])('named %j is refused', async (fields) => {
    expect(await invoices.refused(fields)).toEqual(['InvoiceProject']);
  });

  it('is selected by NAME or NUMBER only', async () => {
    expect(await invoices.refused({ InvoiceProject: '12', SelectProjectBy: 'ID' })).toEqual(['SelectProjectBy']);
  });
});

describe('the order of an invoice', () => {
  const order = (change: object = {}) =>
    invoices.shop.accepted('addorder', {
      CustomerNumber: 7,
      Order_Orderline: [chair],
      OrderStatus: 'Nieuw',
      ...change,
    });

  it('is marked as invoiced, and the invoice refers to it', async () => {
    const { OrderNumber } = await order();
    const { InvoiceNumber } = await invoices.make({ InvoiceForOrderNumber: OrderNumber });
    const stored = await invoices.shop.orderOf(OrderNumber);
    expect(stored).toMatchObject({ is_invoiced: 1n, status: 'Gefactureerd' });
    expect((await invoices.shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(stored.id);
  });

  it.each(['concept_quote', 'final_quote'])('is not changed when it is a %s', async (GeneralStatus) => {
    const { OrderNumber } = await order({ GeneralStatus });
    const before = await invoices.shop.orderOf(OrderNumber);
    const { InvoiceNumber } = await invoices.make({ InvoiceForOrderNumber: OrderNumber });
    expect(await invoices.shop.orderOf(OrderNumber)).toEqual(before);
    expect((await invoices.shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(null);
  });

  it('is ignored when no order has the number', async () => {
    const { OrderNumber } = await order();
    const before = await invoices.shop.orderOf(OrderNumber);
    for (const InvoiceForOrderNumber of [99, 0, '', -1]) {
      const { InvoiceNumber } = await invoices.make({ InvoiceForOrderNumber });
      expect((await invoices.shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(null);
    }
    expect(await invoices.shop.orderOf(OrderNumber)).toEqual(before);
  });

  it('is not changed when it is of another relation, also of one with the same name', async () => {
    await invoices.shop.addRelation({ name: 'Bakkerij Jansen', customerNumber: 8 });
    const { OrderNumber } = await order({ CustomerNumber: 8 });
    const before = await invoices.shop.orderOf(OrderNumber);
    const { InvoiceNumber } = await invoices.make({ InvoiceForOrderNumber: OrderNumber });
    expect(await invoices.shop.orderOf(OrderNumber)).toEqual(before);
    expect((await invoices.shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(null);
  });

  it('is not changed when the invoice is refused', async () => {
    const { OrderNumber } = await order();
    expect(await invoices.refused({ InvoiceForOrderNumber: OrderNumber, InvoiceProject: 'Tuin' })).toEqual([
      'InvoiceProject',
    ]);
  });
});

describe('the addresses of an invoice', () => {
  const coolsingel = {
    Address_Street: 'Coolsingel',
    Address_Unit: '1',
    Address_UnitAppendix: 'a',
    Address_PostalCode: '3011 AD',
    Address_City: 'Rotterdam',
    Address_CountryCode: 'NL',
  };
  const dock = { Address_Street: 'Kade', Address_Unit: '5', Address_City: 'Antwerpen', Address_CountryCode: 'be' };
  const where = (invoice: { Invoice_Address: Record<string, string>[] }) =>
    invoice.Invoice_Address.map((one) => [one.AddressType, one.Address_Street, one.Address_CountryCode]);

  it('are those of the request, which are added to the relation', async () => {
    const invoice = await invoices.make({
      Invoice_Address: [
        { ...dock, Address_Type: 'ShippingAddress' },
        { Address_Street: 'Postbus', Address_Unit: 9, Address_Type: 'BillingAddress' },
      ],
    });
    expect(where(invoice)).toEqual([
      ['BillingAddress', 'Postbus', 'NL'],
      ['ShippingAddress', 'Kade', 'BE'],
    ]);
    expect((await invoices.shop.addressesOf(invoices.shop.customer.id)).sort()).toEqual(['Kade 5', 'Postbus 9']);
  });

  it('without a shipping address are the billing address for both', async () => {
    expect(where(await invoices.make({ Invoice_Address: [{ ...dock, Address_Type: 'BillingAddress' }] }))).toEqual([
      ['BillingAddress', 'Kade', 'BE'],
      ['ShippingAddress', 'Kade', 'BE'],
    ]);
  });

  it('with only a shipping address have that of the relation for billing', async () => {
    expect(where(await invoices.make({ Invoice_Address: [{ ...dock, Address_Type: 'ShippingAddress' }] }))).toEqual([
      ['BillingAddress', 'Coolsingel', 'NL'],
      ['ShippingAddress', 'Kade', 'BE'],
    ]);
  });

  it.each(['InvoiceAddress', 'invoiceaddress', undefined, ''])(
    'of the type %s are where the bill goes',
    async (type) => {
      const [billing] = where(await invoices.make({ Invoice_Address: [{ ...dock, Address_Type: type }] }));
      expect(billing).toEqual(['BillingAddress', 'Kade', 'BE']);
    },
  );

  it('that the relation has, apart from case and spaces, are not added to it again', async () => {
    await invoices.make({
      Invoice_Address: [{ ...coolsingel, Address_PostalCode: '3011ad', Address_City: 'ROTTERDAM' }],
    });
    expect(await invoices.shop.addressesOf(invoices.shop.customer.id)).toEqual([]);
    await invoices.make({ Invoice_Address: [dock] });
    await invoices.make({ Invoice_Address: [{ ...dock, Address_Type: 'ShippingAddress' }] });
    expect(await invoices.shop.addressesOf(invoices.shop.customer.id)).toEqual(['Kade 5']);
  });

  it.each([
    ['two of a type', [dock, { ...coolsingel, Address_Type: 'InvoiceAddress' }], 'Invoice_Address[1].Address_Type'],
    ['one of an unknown type', [{ ...dock, Address_Type: 'Home' }], 'Invoice_Address[0].Address_Type'],
    [
      'one of an unknown country',
      [{ ...dock, Address_CountryCode: 'Nederland' }],
      'Invoice_Address[0].Address_CountryCode',
    ],
    ['one without any part', [{ Address_Type: 'BillingAddress' }], 'Invoice_Address[0]'],
  ])('are refused with %s', async (_, Invoice_Address, path) => {
    expect(await invoices.refused({ Invoice_Address })).toEqual([path]);
  });

  it('may be an empty list', async () => {
    expect(where(await invoices.make({ Invoice_Address: [] }))[0]).toEqual(['BillingAddress', 'Coolsingel', 'NL']);
  });
});
