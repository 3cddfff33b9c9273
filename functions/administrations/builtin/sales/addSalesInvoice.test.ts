import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { docx, gif, jpg, pdf, png, program, xlsx } from '../../../../testing/attachments/files.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { downloadFile } from '../attachments/download.ts';
import { checkAdministration } from '../check/check.ts';

let app: TestApp;
let files: Server;
let fileAddress: string;
let shop: Shop;

/** Friday 20 November 2026, noon in Amsterdam. */
const FRIDAY = Date.UTC(2026, 10, 20, 11) / 1000;
const DAY = 86_400;

beforeAll(async () => {
  files = createServer((request, response) => {
    if (request.url?.startsWith('/factuur.pdf')) response.end(pdf);
    else if (request.url?.startsWith('/page.pdf')) response.end('<html>Sign in first</html>');
    else if (request.url?.startsWith('/inside.pdf'))
      response.writeHead(302, { Location: 'http://10.0.0.1/a.pdf' }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  fileAddress = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  app = await startApp({
    builtin: {
      download: (address, options) =>
        downloadFile(address, {
          ...options,
          // The one address on this machine that stands for the internet here.
          ports: [Number(URL.parse(address)?.port || 80)],
          allowAddress: (ip) => ip === '127.0.0.1' && address.startsWith(fileAddress),
        }),
    },
  });
});
beforeEach(async () => {
  app.setTime(FRIDAY);
  shop = await openShop(app);
});
afterAll(async () => {
  files.close();
  await app.close();
});

const chair = { ProductNumber: '0100', Quantity: 2, UnitPriceExclTax: '12.50' };
const chairs = { CustomerNumber: 7, Invoice_InvoiceLine: [chair] };
const make = (change: object = {}) => shop.accepted('addsalesinvoice', { ...chairs, ...change });
const refused = (change: object = {}) => shop.refused('addsalesinvoice', { ...chairs, ...change });
/** The invoice as the list has it, with lines. */
const made = async (change: object = {}) => shop.listed((await make(change)).InvoiceNumber);
const line = async (change: object) =>
  (await made({ Invoice_InvoiceLine: [{ ...chair, ...change }] })).Invoice_InvoiceLine[0];
const refusedLine = (change: object) => refused({ Invoice_InvoiceLine: [{ ...chair, ...change }] });
const amountsOf = (invoice: Record<string, number>) => [
  invoice.InvoiceTotalExclTax,
  invoice.InvoiceTaxAmount,
  invoice.InvoiceTotalInclTax,
];

describe('an invoice', () => {
  it('is answered whole, without its lines, and listed as it was answered', async () => {
    const invoice = await make();
    expect(invoice).toEqual({
      InvoiceNumber: 1,
      InvoiceDate: '20-11-2026',
      InvoiceDueDate: '',
      InvoiceNotes: '',
      InvoiceReference: '',
      PackingSlipNotes: '',
      CustomerNumber: 7,
      CustomerName: 'Bakkerij Jansen',
      ProjectName: '',
      ProjectNumber: '',
      InvoiceTotalExclTax: 25,
      InvoiceTotalInclTax: 30.25,
      InvoiceTaxAmount: 5.25,
      InvoiceOutstandingAmount: 30.25,
      InvoiceType: 'INVOICING',
      DiscountPc: 0,
      InvoiceIsSent: false,
      OGM_Belgium: '',
      PeriodicInvoiceTemplate: false,
      Invoice_Contact: ['Invoice', 'PackingSlip'].map((ContactType) => ({
        ContactType,
        FirstName: 'Anna',
        LastName: 'Jansen',
        FamilyName: 'Jansen',
        Phone: '010-1234567',
        Email: 'anna@jansen.example',
        Sex: 'Vrouw',
        ContactNotes: 'achterom',
        DefaultContact: true,
      })),
      Invoice_Address: ['BillingAddress', 'ShippingAddress'].map((AddressType) => ({
        Address_CountryCode: 'NL',
        Address_PostalCode: '3011 AD',
        Address_Street: 'Coolsingel',
        Address_Unit: '1',
        Address_City: 'Rotterdam',
        Address_UnitAppendix: 'a',
        AddressType,
      })),
    });
    const { Invoice_InvoiceLine, ...listed } = await shop.listed(1);
    expect(listed).toEqual(invoice);
    expect(Invoice_InvoiceLine).toEqual([
      {
        Description: 'Stoel',
        UnitPriceExclTax: 12.5,
        DiscountPc: 0,
        TextLineCategory: '',
        Quantity: 2,
        ProductNumber: '0100',
        ProductEAN: '8712345678906',
        SubTotalInclTaxExclDiscount: 30.25,
        SubTotalInclTax: 30.25,
        SubTotalExclTax: 25,
        LedgerAccountNumber: '8000',
        TaxPc: 21,
        TaxCode: '21% - Hoog',
        CostCenter: '',
        IsTextLine: false,
        DeliveryDate: '',
        Warehouse: '',
        Shelf: '',
        Batch: '',
        PurchaseClassification: '',
        UseArticlePrice: false,
      },
    ]);
  });

  it('keeps the date, the notes, the reference and the packing slip notes it is given', async () => {
    expect(
      await make({
        InvoiceDate: '29-02-2024',
        InvoiceNotes: '<b>Bedankt</b>',
        InvoiceReference: 'Uw order 12',
        PackingSlipNotes: 'Breekbaar',
      }),
    ).toMatchObject({
      InvoiceDate: '29-02-2024',
      InvoiceNotes: '<b>Bedankt</b>',
      InvoiceReference: 'Uw order 12',
      PackingSlipNotes: 'Breekbaar',
    });
  });

  it('is dated the day it is in the Netherlands, not the day it is in Greenwich', async () => {
    app.setTime(Date.UTC(2026, 5, 30, 22, 30) / 1000);
    expect((await make()).InvoiceDate).toBe('01-07-2026');
  });

  it('is booked: the customer owes the total, revenue per account, tax per code', async () => {
    await make({
      Invoice_InvoiceLine: [
        chair,
        { ...chair, Quantity: 1, LedgerAccountNumber: '8010' },
        { ProductNumber: '0200', Quantity: 1, UnitPriceExclTax: '100' },
        { ...chair, Quantity: 4 },
      ],
    });
    expect(await shop.journalOf({ salesInvoice: 1 })).toEqual([
      // 7 chairs of 12.50 with 21%: 18.375, and bread with 9%: 9.
      { account: '1300', amount: '214.88', taxCode: '' },
      { account: '8000', amount: '-175.00', taxCode: '' },
      { account: '8010', amount: '-12.50', taxCode: '' },
      { account: '1500', amount: '-18.38', taxCode: '21% - Hoog' },
      { account: '1500', amount: '-9.00', taxCode: '9% - Laag' },
    ]);
  });

  it('takes what it sells out of stock, line by line', async () => {
    await make({ Invoice_InvoiceLine: [chair, { ...chair, Quantity: '0.5' }, { ...chair, Quantity: 0 }] });
    expect(await shop.mutationsOf('0100')).toEqual([
      { quantity: '10', cause: 'import', comment: '', purchasePrice: null },
      { quantity: '-2', cause: 'invoice', comment: '', purchasePrice: null },
      { quantity: '-0.5', cause: 'invoice', comment: '', purchasePrice: null },
    ]);
    expect(await shop.stockOf('0100')).toBe('7.5');
  });

  it('may take more than there is', async () => {
    await make({ Invoice_InvoiceLine: [{ ...chair, Quantity: 25 }] });
    expect(await shop.stockOf('0100')).toBe('-15');
  });

  it('is a credit with negative quantities: totals, journal and stock the other way', async () => {
    expect(amountsOf(await make({ Invoice_InvoiceLine: [{ ...chair, Quantity: -2 }] }))).toEqual([-25, -5.25, -30.25]);
    expect(await shop.stockOf('0100')).toBe('12');
    expect(await shop.journalOf({ salesInvoice: 1 })).toEqual([
      { account: '1300', amount: '-30.25', taxCode: '' },
      { account: '8000', amount: '25.00', taxCode: '' },
      { account: '1500', amount: '5.25', taxCode: '21% - Hoog' },
    ]);
  });

  it('of nothing but quantity 0 is booked without amounts', async () => {
    expect(amountsOf(await make({ Invoice_InvoiceLine: [{ ...chair, Quantity: 0 }] }))).toEqual([0, 0, 0]);
    expect(await shop.journalOf({ salesInvoice: 1 })).toEqual([]);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it('keeps the wish to mail it, and the templates to mail it with; it is not sent by that alone', async () => {
    const invoice = await make({ EmailToCustomer: true, TemplateName_Invoice: 'Kerst', TemplateName_Email: 'Warm' });
    expect(invoice.InvoiceIsSent).toBe(false);
    expect(await shop.invoiceOf(invoice.InvoiceNumber)).toMatchObject({
      email_to_customer: 1n,
      template_invoice: 'Kerst',
      template_email: 'Warm',
    });
    expect(await shop.invoiceOf((await make()).InvoiceNumber)).toMatchObject({
      email_to_customer: 0n,
      template_invoice: '',
      template_email: '',
    });
  });
});

describe('a draft', () => {
  it('is numbered, listed and taken out of stock, and not in the books', async () => {
    const draft = await make({ AddAsDraft: true });
    expect(draft).toMatchObject({ InvoiceNumber: 1, InvoiceTotalInclTax: 30.25, InvoiceOutstandingAmount: 30.25 });
    expect(await shop.listed(1)).toMatchObject(draft);
    expect(await shop.stockOf('0100')).toBe('8');
    expect(await shop.journalOf({ salesInvoice: 1 })).toEqual([]);
    expect((await shop.invoiceOf(1)).is_draft).toBe(1n);
    expect((await make()).InvoiceNumber).toBe(2);
    expect((await shop.invoiceOf(2)).is_draft).toBe(0n);
  });
});

describe('the number', () => {
  it('is the next one, or the one that is given', async () => {
    expect((await make()).InvoiceNumber).toBe(1);
    expect((await make({ InvoiceNumber: 20260100 })).InvoiceNumber).toBe(20260100);
    expect((await make()).InvoiceNumber).toBe(20260101);
    expect((await make({ InvoiceNumber: '50' })).InvoiceNumber).toBe(50);
    expect((await make({ InvoiceNumber: '' })).InvoiceNumber).toBe(20260102);
  });

  it('is refused when an invoice has it: one of this module, of the other, or a draft', async () => {
    await make({ InvoiceNumber: 5 });
    await shop.addInvoice({ number: 6n, module: 'BOOKKEEPING' });
    await make({ InvoiceNumber: 7, AddAsDraft: true });
    for (const InvoiceNumber of [5, 6, 7]) expect(await refused({ InvoiceNumber })).toEqual(['InvoiceNumber']);
  });

  it('may be one that another administration has', async () => {
    await make({ InvoiceNumber: 5 });
    const other = await openShop(app);
    expect((await other.accepted('addsalesinvoice', { ...chairs, InvoiceNumber: 5 })).InvoiceNumber).toBe(5);
  });

  it('may be past what a float can hold', async () => {
    const { text } = await shop.post('/rest/addsalesinvoice', { ...chairs, InvoiceNumber: '123456789012345678' });
    expect(text).toContain('"InvoiceNumber":123456789012345678,');
  });

  it.each([0, -1, '1.5', 'A1', '9223372036854775808'])('is refused when it is %s', async (InvoiceNumber) => {
    expect(await refused({ InvoiceNumber })).toEqual(['InvoiceNumber']);
  });

  it('never ends the numbering: the last of all numbers is refused', async () => {
    expect(await refused({ InvoiceNumber: '9223372036854775807' })).toEqual(['InvoiceNumber']);
    expect((await make()).InvoiceNumber).toBe(1);
  });
});

describe('the customer', () => {
  beforeEach(async () => {
    await shop.addRelation({ guid: 900n, name: 'Bakkerij Jansen', email: 'twee@jansen.example', customerNumber: 12 });
    await shop.addRelation({ guid: 901n, name: 'Île de Ré', email: 'É@re.example', customerNumber: 13 });
    await shop.addRelation({ guid: 902n, name: 'Leverancier', email: 'info@jansen.example', supplierNumber: 14 });
    await shop.addRelation({ guid: 903n, name: 'Zonder nummer', customerNumber: null });
  });
  const customerOf = async (given: object) => {
    const { CustomerNumber } = await make({ CustomerNumber: undefined, ...given });
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
  ])('is found %s', async (_, given, number) => {
    expect(await customerOf(given)).toBe(number);
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
  ])('is refused with %s', async (_, given, paths) => {
    expect(await refused({ CustomerNumber: undefined, ...given })).toEqual(paths);
  });

  it('is not one of another administration', async () => {
    const other = await openShop(app);
    await other.addRelation({ name: 'Van een ander', customerNumber: 99 });
    expect(await refused({ CustomerNumber: 99 })).toEqual(['CustomerNumber']);
    expect(await refused({ CustomerNumber: undefined, CustomerName: 'Van een ander' })).toEqual(['CustomerName']);
  });

  it('without contacts gives an invoice without', async () => {
    expect((await make({ CustomerNumber: 12 })).Invoice_Contact).toEqual([]);
  });
});

describe('when it is due', () => {
  it.each([
    ['not at all, unless it is said', {}, ''],
    ['on the date given', { InvoiceDueDate: '05-12-2026' }, '05-12-2026'],
    ['so many days after the invoice date', { InvoiceDate: '28-02-2024', InvoiceDueDays: 2 }, '01-03-2024'],
    ['days go before a date', { InvoiceDueDays: '14', InvoiceDueDate: '01-01-2030' }, '04-12-2026'],
    ['days go before what is no date at all', { InvoiceDueDays: 14, InvoiceDueDate: '00-00-0000' }, '04-12-2026'],
    ['0 days count as none', { InvoiceDueDays: 0, InvoiceDueDate: '01-01-2030' }, '01-01-2030'],
    ['no days count as none', { InvoiceDueDays: '', InvoiceDueDate: '01-01-2030' }, '01-01-2030'],
  ])('%s', async (_, given, due) => {
    expect((await make(given)).InvoiceDueDate).toBe(due);
  });

  it.each([
    [{ InvoiceDueDays: -1 }, 'InvoiceDueDays'],
    [{ InvoiceDueDays: '1.5' }, 'InvoiceDueDays'],
    [{ InvoiceDate: '31-12-9999', InvoiceDueDays: 1 }, 'InvoiceDueDays'],
    [{ InvoiceDueDate: '31-02-2026' }, 'InvoiceDueDate'],
    [{ InvoiceDueDate: '2026-12-01' }, 'InvoiceDueDate'],
    [{ InvoiceDueDays: 0, InvoiceDueDate: '00-00-0000' }, 'InvoiceDueDate'],
    [{ InvoiceDate: '2026-01-01' }, 'InvoiceDate'],
  ])('%j is refused', async (given, path) => {
    expect(await refused(given)).toEqual([path]);
  });
});

describe('the reference', () => {
  it('has at most 150 characters, an emoji counting as one', async () => {
    expect((await make({ InvoiceReference: '😀'.repeat(150) })).InvoiceReference).toBe('😀'.repeat(150));
    expect(await refused({ InvoiceReference: 'a'.repeat(151) })).toEqual(['InvoiceReference']);
  });
});

describe('the project', () => {
  beforeEach(async () => {
    await shop.addProject({ number: 12, name: 'Verbouwing' });
    await shop.addProject({ number: 2026, name: '12' });
  });

  it.each([
    [{ InvoiceProject: '12', SelectProjectBy: 'NUMBER' }, 'Verbouwing', '12'],
    [{ InvoiceProject: 12, SelectProjectBy: 'number' }, 'Verbouwing', '12'],
    [{ InvoiceProject: '12', SelectProjectBy: 'NAME' }, '12', '2026'],
    [{ InvoiceProject: 'VERBOUWING', SelectProjectBy: 'NAME' }, 'Verbouwing', '12'],
    [{ InvoiceProject: '12' }, 'Verbouwing', '12'],
    [{ InvoiceProject: 'verbouwing' }, 'Verbouwing', '12'],
    [{ InvoiceProject: '', SelectProjectBy: 'NAME' }, '', ''],
  ])('%j is %s', async (given, name, number) => {
    expect(await make(given)).toMatchObject({ ProjectName: name, ProjectNumber: number });
  });

  it.each([
    { InvoiceProject: '13', SelectProjectBy: 'NUMBER' },
    { InvoiceProject: 'Verbouwing', SelectProjectBy: 'NUMBER' },
    { InvoiceProject: '2026', SelectProjectBy: 'NAME' },
    { InvoiceProject: 'Tuin' },
  ])('%j is refused', async (given) => {
    expect(await refused(given)).toEqual(['InvoiceProject']);
  });

  it('is selected by NAME or NUMBER and nothing else', async () => {
    expect(await refused({ InvoiceProject: '12', SelectProjectBy: 'ID' })).toEqual(['SelectProjectBy']);
  });
});

describe('the order it is for', () => {
  const order = (change: object = {}) =>
    shop.accepted('addorder', { CustomerNumber: 7, Order_Orderline: [chair], OrderStatus: 'Nieuw', ...change });

  it('becomes invoiced, and the invoice is associated with it', async () => {
    const { OrderNumber } = await order();
    const { InvoiceNumber } = await make({ InvoiceForOrderNumber: OrderNumber });
    const kept = await shop.orderOf(OrderNumber);
    expect(kept).toMatchObject({ is_invoiced: 1n, status: 'Gefactureerd' });
    expect((await shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(kept.id);
  });

  it.each(['concept_quote', 'final_quote'])('is a sales order: a %s stays as it is', async (GeneralStatus) => {
    const { OrderNumber } = await order({ GeneralStatus });
    const before = await shop.orderOf(OrderNumber);
    const { InvoiceNumber } = await make({ InvoiceForOrderNumber: OrderNumber });
    expect(await shop.orderOf(OrderNumber)).toEqual(before);
    expect((await shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(null);
  });

  it('has no effect when no order has the number', async () => {
    const { OrderNumber } = await order();
    const before = await shop.orderOf(OrderNumber);
    for (const InvoiceForOrderNumber of [99, 0, '', -1]) {
      const { InvoiceNumber } = await make({ InvoiceForOrderNumber });
      expect((await shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(null);
    }
    expect(await shop.orderOf(OrderNumber)).toEqual(before);
  });

  it('has no effect when the order is of another relation, also of the same name', async () => {
    await shop.addRelation({ name: 'Bakkerij Jansen', customerNumber: 8 });
    const { OrderNumber } = await order({ CustomerNumber: 8 });
    const before = await shop.orderOf(OrderNumber);
    const { InvoiceNumber } = await make({ InvoiceForOrderNumber: OrderNumber });
    expect(await shop.orderOf(OrderNumber)).toEqual(before);
    expect((await shop.invoiceOf(InvoiceNumber)).sales_order_id).toBe(null);
  });

  it('stays as it is when the invoice is refused', async () => {
    const { OrderNumber } = await order();
    expect(await refused({ InvoiceForOrderNumber: OrderNumber, InvoiceProject: 'Tuin' })).toEqual(['InvoiceProject']);
  });
});

describe('a line', () => {
  it('names its product by number, by EAN, or by both when they agree', async () => {
    const chairLine = { ProductNumber: '0100', ProductEAN: '8712345678906' };
    expect(await line({})).toMatchObject(chairLine);
    expect(await line({ ProductNumber: '', ProductEAN: '8712345678906' })).toMatchObject(chairLine);
    expect(await line({ ProductEAN: '8712345678906' })).toMatchObject(chairLine);
    expect(await refusedLine({ ProductNumber: '0200', ProductEAN: '8712345678906' })).toEqual([
      'Invoice_InvoiceLine[0].ProductNumber',
    ]);
  });

  it.each([
    ['no product', { ProductNumber: undefined }, 'ProductNumber'],
    ['an article number nobody has', { ProductNumber: '100' }, 'ProductNumber'],
    ['an EAN nobody has', { ProductNumber: '', ProductEAN: '1' }, 'ProductEAN'],
    ['no quantity', { Quantity: undefined }, 'Quantity'],
    ['a quantity that is no number', { Quantity: 'twee' }, 'Quantity'],
    ['no price', { UnitPriceExclTax: undefined }, 'UnitPriceExclTax'],
    ['a percentage no code has', { TaxPc: 19 }, 'TaxPc'],
    ['a percentage of purchases only', { TaxPc: 7 }, 'TaxPc'],
    ['a code nobody has', { TaxCode: '21% - Laag' }, 'TaxCode'],
    ['a purchase code', { TaxCode: '21% - Inkoop hoog' }, 'TaxCode'],
    ['a code of another percentage', { TaxCode: '21% - Hoog', TaxPc: 9 }, 'TaxCode'],
    ['a percentage below -1', { TaxPc: -2 }, 'TaxPc'],
    ['an account nobody has', { LedgerAccountNumber: '9999x' }, 'LedgerAccountNumber'],
    ['a discount over 100', { DiscountPc: 101 }, 'DiscountPc'],
    ['a negative discount', { DiscountPc: -1 }, 'DiscountPc'],
    ['two discounts', { DiscountPc: 1, DiscountAmountInclTax: 1 }, 'DiscountAmountInclTax'],
  ])('with %s is refused', async (_, change, field) => {
    await shop.addTaxCode({ percentage: '7', name: 'Inkoop raar', type: 'Purchase' });
    expect(await refusedLine(change)).toEqual([`Invoice_InvoiceLine[0].${field}`]);
  });

  it('is refused beside good ones, also after a text line, and each with its place', async () => {
    const text = { IsTextLine: true, Description: 'Kop' };
    expect(
      await refused({
        Invoice_InvoiceLine: [
          text,
          { ...chair, ProductNumber: 'X' },
          chair,
          { ...chair, TaxPc: 19, LedgerAccountNumber: 'X' },
        ],
      }),
    ).toEqual(['Invoice_InvoiceLine[1].ProductNumber', 'Invoice_InvoiceLine[3].TaxPc']);
    expect(await refused({ Invoice_InvoiceLine: [text, { ...chair, LedgerAccountNumber: '9999x' }] })).toEqual([
      'Invoice_InvoiceLine[1].LedgerAccountNumber',
    ]);
  });

  it('has the tax of its percentage, the first by code of several', async () => {
    for (const name of ['Tweede', 'Eerste', 'Inkoop']) {
      await shop.addTaxCode({
        percentage: '5',
        name,
        type: name === 'Inkoop' ? 'Purchase' : 'Sales',
        code: `5% - ${name}`,
      });
    }
    expect(await line({ TaxPc: 5 })).toMatchObject({ TaxPc: 5, TaxCode: '5% - Eerste' });
    expect(await line({ TaxPc: '9.0' })).toMatchObject({ TaxPc: 9, TaxCode: '9% - Laag', SubTotalInclTax: 27.25 });
  });

  it('has the tax of its code, which tells codes of one percentage apart', async () => {
    expect(await line({ TaxPc: 0, TaxCode: '0% - Export buiten de EU' })).toMatchObject({
      TaxCode: '0% - Export buiten de EU',
    });
    expect(await line({ TaxCode: '9% - Laag' })).toMatchObject({ TaxPc: 9 });
  });

  it('has the tax of its product when it says none, or -1', async () => {
    for (const change of [{}, { TaxPc: -1 }, { TaxPc: '-1.0' }, { TaxPc: '' }, { TaxCode: '' }]) {
      expect(await line(change)).toMatchObject({ TaxPc: 21, TaxCode: '21% - Hoog' });
    }
    expect(await line({ TaxPc: -1, TaxCode: '9% - Laag' })).toMatchObject({ TaxPc: 9 });
  });

  it('is refused when neither it nor its product has a tax', async () => {
    await shop.addProduct({ articleNumber: 'kaal' });
    expect(await refusedLine({ ProductNumber: 'kaal' })).toEqual(['Invoice_InvoiceLine[0].TaxPc']);
  });

  it('has the description it is given, HTML too, or the product’s name', async () => {
    expect((await line({ Description: '<i>Zit</i> lekker' })).Description).toBe('<i>Zit</i> lekker');
    expect((await line({ Description: '' })).Description).toBe('');
    expect((await line({})).Description).toBe('Stoel');
  });

  it('has the account it names', async () => {
    expect((await line({ LedgerAccountNumber: '8010' })).LedgerAccountNumber).toBe('8010');
  });

  it('makes its cost center when it does not exist, once, in any case', async () => {
    await made({
      Invoice_InvoiceLine: [' Winkel', 'WINKEL', 'Kantoor ', '', '   '].map((CostCenter) => ({ ...chair, CostCenter })),
    });
    expect((await shop.listed(1)).Invoice_InvoiceLine.map((one: { CostCenter: string }) => one.CostCenter)).toEqual([
      'Winkel',
      'Winkel',
      'Kantoor',
      '',
      '',
    ]);
    await make({ Invoice_InvoiceLine: [{ ...chair, CostCenter: 'kantoor' }] });
    expect(await shop.costCenters()).toEqual(['Kantoor', 'Winkel']);
    expect(await refusedLine({ CostCenter: 'Nieuw', ProductNumber: 'X' })).toHaveLength(1);
  });

  it('may have the price of an archived article', async () => {
    await shop.accepted('updateproduct', { ArticleNumber: '0100', Archived: true });
    expect((await line({})).UnitPriceExclTax).toBe(12.5);
  });
});

describe('lines', () => {
  it('are at most 75, and at least one', async () => {
    const { Invoice_InvoiceLine } = await made({ Invoice_InvoiceLine: Array.from({ length: 75 }, () => chair) });
    expect(Invoice_InvoiceLine).toHaveLength(75);
    for (const lines of [Array.from({ length: 76 }, () => chair), [], undefined, null, '', 'x', {}]) {
      expect(await refused({ Invoice_InvoiceLine: lines })).toEqual(['Invoice_InvoiceLine']);
    }
  });

  it('of text have a category and no amounts', async () => {
    const { Invoice_InvoiceLine: lines, ...invoice } = await made({
      Invoice_InvoiceLine: [
        { IsTextLine: true, Description: 'Kop', TextLineCategory: 'Koppen' },
        chair,
        { IsTextLine: 'true', Description: 'Met dank', LedgerAccountNumber: 'X', ProductNumber: 'X', TaxPc: 21 },
      ],
    });
    expect(amountsOf(invoice)).toEqual([25, 5.25, 30.25]);
    expect(lines[0]).toMatchObject({
      Description: 'Kop',
      TextLineCategory: 'Koppen',
      IsTextLine: true,
      Quantity: 0,
      ProductNumber: '',
      LedgerAccountNumber: '',
      TaxCode: '',
      SubTotalInclTax: 0,
    });
    expect(lines[1]).toMatchObject({ Description: 'Stoel', IsTextLine: false, SubTotalInclTax: 30.25 });
    expect(lines[2]).toMatchObject({ Description: 'Met dank', TextLineCategory: 'Default', IsTextLine: true });
    expect(await shop.stockOf('0100')).toBe('8');
  });

  it('may be of text alone', async () => {
    expect(amountsOf(await make({ Invoice_InvoiceLine: [{ IsTextLine: true, Description: 'Niets' }] }))).toEqual([
      0, 0, 0,
    ]);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });
});

describe('prices and discounts', () => {
  it('tax is computed over the document, not per line', async () => {
    const half = { ...chair, Quantity: 1, UnitPriceExclTax: '0.50' };
    expect(amountsOf(await make({ Invoice_InvoiceLine: [half, half, half, half, half] }))).toEqual([2.5, 0.53, 3.03]);
  });

  it('a total with tax sets the unit price aside, which follows from it', async () => {
    expect(await line({ Quantity: 2, SubTotalInclTax: '43.06', UnitPriceExclTax: 999 })).toMatchObject({
      UnitPriceExclTax: 17.79338843,
      SubTotalInclTax: 43.06,
      SubTotalExclTax: 35.59,
      SubTotalInclTaxExclDiscount: 43.06,
    });
  });

  it('a percentage is taken off a price before tax', async () => {
    // 25 less 10% = 22.50, tax 4.725
    expect(await line({ DiscountPc: '10' })).toMatchObject({
      DiscountPc: 10,
      SubTotalInclTaxExclDiscount: 30.25,
      SubTotalExclTax: 22.5,
      SubTotalInclTax: 27.23,
    });
  });

  it('an amount with tax is taken off a price', async () => {
    // 12.10 with tax is 10 before tax, 40% of 25
    expect(await line({ DiscountAmountInclTax: '12.10' })).toMatchObject({
      DiscountPc: 40,
      SubTotalInclTaxExclDiscount: 30.25,
      SubTotalExclTax: 15,
      SubTotalInclTax: 18.15,
    });
  });

  it.each(['12.10', '-12.10'])('an amount of %s lowers a credit, as the percentage does', async (amount) => {
    const credit = { Quantity: -2, DiscountAmountInclTax: amount };
    const lowered = {
      DiscountPc: 40,
      SubTotalInclTaxExclDiscount: -30.25,
      SubTotalExclTax: -15,
      SubTotalInclTax: -18.15,
    };
    expect(await line({ Quantity: -2, DiscountPc: 40 })).toMatchObject(lowered);
    expect(await line(credit)).toMatchObject(lowered);
    expect(await line({ Quantity: 2, UnitPriceExclTax: '-12.50', DiscountAmountInclTax: amount })).toMatchObject({
      ...lowered,
      UnitPriceExclTax: -12.5,
    });
    expect(await line({ ...credit, SubTotalInclTax: '-18.15' })).toMatchObject({ ...lowered, UnitPriceExclTax: 12.5 });
  });

  it('an amount may be all of a line, rounded up to the cent', async () => {
    const free = { DiscountPc: 100, SubTotalExclTax: 0, SubTotalInclTax: 0 };
    expect(await line({ DiscountAmountInclTax: '30.25' })).toMatchObject(free);
    // 3 x 0.335 and 21% is 1.21605.
    const given = { Quantity: 3, UnitPriceExclTax: '0.335' };
    expect(await line({ ...given, DiscountAmountInclTax: '1.22' })).toMatchObject(free);
    const [path] = await refusedLine({ ...given, DiscountAmountInclTax: '1.23' });
    expect(path).toBe('Invoice_InvoiceLine[0].DiscountAmountInclTax');
    // Of a line of nothing, as its quantity says.
    expect(await line({ Quantity: -2, SubTotalInclTax: 0, DiscountAmountInclTax: '-30.25' })).toMatchObject({
      ...free,
      SubTotalInclTaxExclDiscount: -30.25,
    });
  });

  it('an amount that is more than its line, or would raise it, is refused', async () => {
    for (const [change, message] of [
      [{ DiscountAmountInclTax: '30.26' }, 'expected no more than the line, 30.25 with tax, got 30.26'],
      [{ DiscountAmountInclTax: 500 }, 'expected no more than the line, 30.25 with tax, got 500'],
      [{ Quantity: -2, DiscountAmountInclTax: -500 }, 'expected no more than the line, 30.25 with tax, got -500'],
      [{ Quantity: 0, DiscountAmountInclTax: 5 }, 'expected no more than the line, 0 with tax, got 5'],
      [{ DiscountAmountInclTax: -5 }, 'expected at least 0 on a line that is not negative, got -5'],
      [
        { SubTotalInclTax: 10, DiscountAmountInclTax: -5 },
        'expected at least 0 on a line that is not negative, got -5',
      ],
      [{ UseArticlePrice: true, DiscountAmountInclTax: 31 }, 'expected no more than the line, 30.25 with tax, got 31'],
    ] as const) {
      const body = { ...chairs, Invoice_InvoiceLine: [chair, { ...chair, ...change }] };
      const { status, json } = await shop.post('/rest/addsalesinvoice', body);
      expect([status, json.errors]).toEqual([400, [{ path: 'Invoice_InvoiceLine[1].DiscountAmountInclTax', message }]]);
    }
  });

  it('a total with tax is after its discount, which changes nothing of it', async () => {
    expect(await line({ SubTotalInclTax: '27.225', DiscountPc: 10 })).toMatchObject({
      DiscountPc: 10,
      SubTotalInclTax: 27.23,
      SubTotalInclTaxExclDiscount: 30.26,
    });
    expect(await line({ SubTotalInclTax: '18.15', DiscountAmountInclTax: '12.10' })).toMatchObject({
      DiscountPc: 40,
      SubTotalInclTax: 18.15,
      SubTotalInclTaxExclDiscount: 30.25,
      UnitPriceExclTax: 12.5,
    });
  });

  it('the invoice’s discount goes off every line, totals with tax too, and lowers the tax', async () => {
    const invoice = await made({
      InvoiceDiscountPc: '10',
      Invoice_InvoiceLine: [
        { ...chair, Quantity: 8 },
        { ...chair, SubTotalInclTax: '121' },
      ],
    });
    expect(invoice.DiscountPc).toBe(10);
    expect(amountsOf(invoice)).toEqual([180, 37.8, 217.8]);
    expect(invoice.Invoice_InvoiceLine).toMatchObject([
      { SubTotalExclTax: 90, SubTotalInclTax: 108.9, SubTotalInclTaxExclDiscount: 121 },
      { SubTotalExclTax: 90, SubTotalInclTax: 108.9, SubTotalInclTaxExclDiscount: 121 },
    ]);
  });

  it('the line’s discount goes first, then the invoice’s', async () => {
    const invoice = await make({
      InvoiceDiscountPc: 50,
      Invoice_InvoiceLine: [{ ...chair, Quantity: 8, DiscountPc: 10 }],
    });
    expect(amountsOf(invoice)).toEqual([45, 9.45, 54.45]);
  });

  it('everything may be given away', async () => {
    expect(amountsOf(await make({ InvoiceDiscountPc: 100 }))).toEqual([0, 0, 0]);
    expect(await shop.stockOf('0100')).toBe('8');
  });

  it.each([-1, 101, 'veel'])('an invoice discount of %s is refused', async (InvoiceDiscountPc) => {
    expect(await refused({ InvoiceDiscountPc })).toEqual(['InvoiceDiscountPc']);
  });

  it('the article’s own price needs no price, and goes before one', async () => {
    await shop.accepted('updateproduct', { ArticleNumber: '0100', NewSalePrice: '20.005' });
    for (const price of [{ UnitPriceExclTax: undefined }, { UnitPriceExclTax: 1 }, { SubTotalInclTax: 1 }]) {
      expect(await line({ UseArticlePrice: true, Quantity: 100, ...price })).toMatchObject({
        UnitPriceExclTax: 20.005,
        SubTotalExclTax: 2000.5,
        UseArticlePrice: true,
      });
    }
  });

  it('amounts that no float can hold to the cent are refused, not computed wrong', async () => {
    expect(await refusedLine({ Quantity: '9999999999', UnitPriceExclTax: '9999999999' })).toEqual([
      'Invoice_InvoiceLine[0]',
    ]);
    expect(await refusedLine({ Quantity: '0.00000001', SubTotalInclTax: '9999999999' })).toEqual([
      'Invoice_InvoiceLine[0]',
    ]);
    expect(
      await refusedLine({ DiscountPc: '99.99999999', SubTotalInclTax: '9999999999', UnitPriceExclTax: 1 }),
    ).toEqual(['Invoice_InvoiceLine[0]']);
    expect(
      await refusedLine({ Quantity: '0.00000001', SubTotalInclTax: '0.01', DiscountAmountInclTax: '9999999999' }),
    ).toEqual(['Invoice_InvoiceLine[0]']);
    const large = { ...chair, Quantity: 1000, UnitPriceExclTax: '5000000000' };
    expect(await refused({ Invoice_InvoiceLine: [large, large] })).toEqual(['Invoice_InvoiceLine']);
    expect((await make({ Invoice_InvoiceLine: [large] })).InvoiceTotalInclTax).toBe(6_050_000_000_000);
  });

  it('stock that no database could hold is refused', async () => {
    const most = { ...chair, Quantity: '-9999999999', UnitPriceExclTax: 0 };
    expect(await refused({ Invoice_InvoiceLine: [most] })).toEqual(['Invoice_InvoiceLine']);
  });
});

describe('addresses', () => {
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

  it('that are given go before the relation’s own, which gets them as well', async () => {
    const invoice = await make({
      Invoice_Address: [
        { ...dock, Address_Type: 'ShippingAddress' },
        { Address_Street: 'Postbus', Address_Unit: 9, Address_Type: 'BillingAddress' },
      ],
    });
    expect(where(invoice)).toEqual([
      ['BillingAddress', 'Postbus', 'NL'],
      ['ShippingAddress', 'Kade', 'BE'],
    ]);
    expect((await shop.addressesOf(shop.customer.id)).sort()).toEqual(['Kade 5', 'Postbus 9']);
  });

  it('without a shipping address, the goods go where the bill goes', async () => {
    expect(where(await make({ Invoice_Address: [{ ...dock, Address_Type: 'BillingAddress' }] }))).toEqual([
      ['BillingAddress', 'Kade', 'BE'],
      ['ShippingAddress', 'Kade', 'BE'],
    ]);
  });

  it('with a shipping address alone, the bill goes to the relation', async () => {
    expect(where(await make({ Invoice_Address: [{ ...dock, Address_Type: 'ShippingAddress' }] }))).toEqual([
      ['BillingAddress', 'Coolsingel', 'NL'],
      ['ShippingAddress', 'Kade', 'BE'],
    ]);
  });

  it.each(['InvoiceAddress', 'invoiceaddress', undefined, ''])(
    'of the type %s are where the bill goes',
    async (type) => {
      const [billing] = where(await make({ Invoice_Address: [{ ...dock, Address_Type: type }] }));
      expect(billing).toEqual(['BillingAddress', 'Kade', 'BE']);
    },
  );

  it('the relation has already are not kept twice, in whatever case and spacing', async () => {
    await make({ Invoice_Address: [{ ...coolsingel, Address_PostalCode: '3011ad', Address_City: 'ROTTERDAM' }] });
    expect(await shop.addressesOf(shop.customer.id)).toEqual([]);
    await make({ Invoice_Address: [dock] });
    await make({ Invoice_Address: [{ ...dock, Address_Type: 'ShippingAddress' }] });
    expect(await shop.addressesOf(shop.customer.id)).toEqual(['Kade 5']);
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
  ])('%s are refused', async (_, Invoice_Address, path) => {
    expect(await refused({ Invoice_Address })).toEqual([path]);
  });

  it('an empty list is none', async () => {
    expect(where(await make({ Invoice_Address: [] }))[0]).toEqual(['BillingAddress', 'Coolsingel', 'NL']);
  });
});

describe('attachments', () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const file = { FileContent: base64(pdf), FileName: 'Bon.pdf' };

  it('are kept with the document: public unless they are internal', async () => {
    const { InvoiceNumber } = await make({
      Invoice_Attachment: [
        file,
        { FileContent: base64(png), FileName: 'foto.PNG', Internal: 'True' },
        { FileContent: base64(jpg), FileName: 'foto.jpg', Internal: false },
        { FileContent: base64(docx), FileName: 'brief.docx' },
        { FileContent: base64(xlsx), FileName: 'lijst.xlsx' },
      ],
    });
    expect(await shop.filesOf({ salesInvoice: InvoiceNumber })).toMatchObject([
      { name: 'Bon.pdf', type: 'application/pdf', size: pdf.length, url: '', failure: '', internal: false },
      { name: 'foto.PNG', type: 'image/png', internal: true },
      { name: 'foto.jpg', type: 'image/jpeg', internal: false },
      { name: 'brief.docx' },
      { name: 'lijst.xlsx' },
    ]);
  });

  it('of 10 MB are taken, of one byte more refused', async () => {
    const ofSize = (size: number) => base64(Buffer.concat([pdf, Buffer.alloc(size - pdf.length, ' ')]));
    const most = 10 * 1024 * 1024;
    const { InvoiceNumber } = await make({ Invoice_Attachment: [{ ...file, FileContent: ofSize(most) }] });
    expect(await shop.filesOf({ salesInvoice: InvoiceNumber })).toMatchObject([{ size: most }]);
    expect(await refused({ Invoice_Attachment: [{ ...file, FileContent: ofSize(most + 1) }] })).toEqual([
      'Invoice_Attachment[0].FileContent',
    ]);
  });

  it.each([
    ['content without a name', { FileContent: file.FileContent }, 'FileName'],
    ['content with an empty name', { FileContent: file.FileContent, FileName: '' }, 'FileName'],
    ['a name of another type', { ...file, FileName: 'Bon.png' }, 'FileContent'],
    ['a program called a PDF', { ...file, FileContent: base64(program) }, 'FileContent'],
    ['a type that is not taken', { FileContent: base64(gif), FileName: 'a.gif' }, 'FileName'],
    ['content that is not base64', { ...file, FileContent: 'geen base64!' }, 'FileContent'],
    ['neither content nor address', { FileName: 'Bon.pdf' }, 'FileUrl'],
  ])('with %s are refused', async (_, attachment, field) => {
    expect(await refused({ Invoice_Attachment: [file, attachment] })).toEqual([`Invoice_Attachment[1].${field}`]);
  });

  it('are downloaded from an address, under the name given or one made of the time', async () => {
    const { InvoiceNumber } = await make({
      Invoice_Attachment: [
        { FileUrl: `${fileAddress}/factuur.pdf?v=1`, FileName: 'Factuur.pdf', Internal: true },
        { FileUrl: `${fileAddress}/factuur.pdf` },
      ],
    });
    expect(await shop.filesOf({ salesInvoice: InvoiceNumber })).toEqual([
      {
        name: 'Factuur.pdf',
        type: 'application/pdf',
        size: pdf.length,
        url: `${fileAddress}/factuur.pdf?v=1`,
        failure: '',
        internal: true,
      },
      {
        name: '20261120110000000.pdf',
        type: 'application/pdf',
        size: pdf.length,
        url: `${fileAddress}/factuur.pdf`,
        failure: '',
        internal: false,
      },
    ]);
  });

  it.each([
    ['a file that is not there', () => `${fileAddress}/weg.pdf`],
    ['a page instead of a file', () => `${fileAddress}/page.pdf`],
    ['a redirect to a private address', () => `${fileAddress}/inside.pdf`],
    ['a private address', () => 'http://192.168.1.1/a.pdf'],
    ['this machine', () => 'http://localhost:80/a.pdf'],
    ['the address where clouds keep secrets', () => 'http://169.254.169.254/latest/a.pdf'],
    ['another ending', () => `${fileAddress}/factuur.pdf.exe`],
    ['no address at all', () => 'factuur.pdf'],
  ])('from %s: the invoice is made without, and the reason kept and logged', async (_, address) => {
    app.logged.length = 0;
    const { InvoiceNumber } = await make({ Invoice_Attachment: [{ FileUrl: address() }, file] });
    const [failed, kept] = await shop.filesOf({ salesInvoice: InvoiceNumber });
    expect(failed).toMatchObject({ size: null, url: address(), failure: expect.stringMatching(/\S/) });
    expect(kept).toMatchObject({ name: 'Bon.pdf', size: pdf.length });
    expect(app.logged.join('\n')).toContain(failed!.failure);
  });
});

describe('the structured remittance', () => {
  beforeEach(async () => {
    shop = await openShop(app, 'BE');
    await shop.addRelation({ name: 'Hollander', customerNumber: 8, row: { country_code: 'NL' } });
  });

  it('is made from the number for a Belgian customer when none is given', async () => {
    expect(await make({ InvoiceNumber: 108068171 })).toMatchObject({ OGM_Belgium: '+++010/8068/17183+++' });
    expect(await make({ InvoiceNumber: 97, OGM_Belgium: '' })).toMatchObject({ OGM_Belgium: '+++000/0000/09797+++' });
  });

  it('is the one given, in its usual form', async () => {
    for (const OGM_Belgium of ['+++010/8068/17183+++', '010806817183', '***010/8068/17183***']) {
      expect(await make({ OGM_Belgium })).toMatchObject({ OGM_Belgium: '+++010/8068/17183+++' });
    }
  });

  it.each(['+++010/8068/17184+++', '123', 'dank u'])('is refused when it is wrong: %s', async (OGM_Belgium) => {
    expect(await refused({ OGM_Belgium })).toEqual(['OGM_Belgium']);
  });

  it('is not for customers elsewhere', async () => {
    for (const OGM_Belgium of ['+++010/8068/17183+++', '', undefined]) {
      expect(await make({ CustomerNumber: 8, OGM_Belgium })).toMatchObject({ OGM_Belgium: '' });
    }
  });
});

describe('rich text', () => {
  const rich = { InvoiceNotes: '<p>Dank &amp; <b>groet</b></p>', PackingSlipNotes: 'Let<br>op' };

  it('is answered as it was given, or as plain text when that is asked for', async () => {
    expect(await make(rich)).toMatchObject(rich);
    expect(await make({ ...rich, HtmlAsPlainText: true })).toMatchObject({
      InvoiceNotes: 'Dank & groet',
      PackingSlipNotes: 'Let\nop',
    });
  });

  it('is kept as it was given, whatever was asked for', async () => {
    expect(await made({ ...rich, HtmlAsPlainText: true })).toMatchObject(rich);
  });
});

describe('a periodic invoice template', () => {
  const monthly = {
    PeriodicInvoiceTemplate: true,
    Periodic_StartingDate: '31-12-2026',
    Periodic_Frequency: 1,
    Periodic_FrequencyUnit: 'Month',
  };
  const templates = () =>
    app.db.selectFrom('periodic_invoice').where('administration_id', '=', shop.administrationId).selectAll().execute();
  const listed = async () => (await shop.get('/rest/listsalesinvoices')).json;

  it('is answered, and neither listed nor booked nor taken out of stock', async () => {
    await shop.addProject({ number: 12, name: 'Verbouwing' });
    expect(
      await make({
        ...monthly,
        InvoiceNotes: 'Huur',
        InvoiceReference: 'R',
        InvoiceDiscountPc: 10,
        InvoiceProject: '12',
      }),
    ).toMatchObject({
      InvoiceNumber: null,
      InvoiceDate: '31-12-2026',
      InvoiceDueDate: '',
      InvoiceNotes: 'Huur',
      InvoiceReference: 'R',
      CustomerNumber: 7,
      CustomerName: 'Bakkerij Jansen',
      ProjectName: 'Verbouwing',
      ProjectNumber: '12',
      InvoiceTotalExclTax: 22.5,
      InvoiceTaxAmount: 4.73,
      InvoiceTotalInclTax: 27.23,
      InvoiceOutstandingAmount: 0,
      InvoiceType: 'INVOICING',
      DiscountPc: 10,
      PeriodicInvoiceTemplate: true,
      Invoice_Contact: [{ ContactType: 'Invoice', LastName: 'Jansen' }, { ContactType: 'PackingSlip' }],
      Invoice_Address: [
        { AddressType: 'BillingAddress', Address_Street: 'Coolsingel' },
        { AddressType: 'ShippingAddress' },
      ],
    });
    expect(await listed()).toEqual([]);
    expect(await shop.stockOf('0100')).toBe('10');
    expect((await make()).InvoiceNumber).toBe(1);
  });

  it('keeps everything that says when and how', async () => {
    await make({
      ...monthly,
      Periodic_EndDate: '31-12-2027',
      Periodic_Frequency: 2,
      Periodic_FrequencyUnit: 'WEEK',
      Periodic_AutomaticMailing: true,
      Periodic_ChangeDateTokensValue: 3,
      Periodic_ChangeDateTokensBeforeAfter: 'after',
      Periodic_SkipWeekends: true,
    });
    expect(await templates()).toMatchObject([
      {
        relation_id: shop.customer.id,
        starting_date: '2026-12-31',
        end_date: '2027-12-31',
        frequency: 2n,
        frequency_unit: 'Week',
        automatic_mailing: 1n,
        change_date_tokens: 3n,
        change_date_tokens_direction: 'After',
        skip_weekends: 1n,
        made: 0n,
      },
    ]);
  });

  it('that starts today makes the first invoice at once', async () => {
    const given = { ...monthly, Periodic_StartingDate: '20-11-2026', InvoiceDueDays: 14 };
    expect(await make(given)).toMatchObject({ InvoiceNumber: null, PeriodicInvoiceTemplate: true });
    expect(await listed()).toMatchObject([
      {
        InvoiceNumber: 1,
        InvoiceDate: '20-11-2026',
        InvoiceDueDate: '04-12-2026',
        PeriodicInvoiceTemplate: false,
        InvoiceTotalInclTax: 30.25,
      },
    ]);
    expect(await shop.stockOf('0100')).toBe('8');
    expect(await shop.journalOf({ salesInvoice: 1 })).toHaveLength(3);
    expect(await templates()).toMatchObject([{ made: 1n }]);
  });

  it.each([
    [true, 1n],
    [false, 0n],
  ])('with automatic mailing %s, the invoice is to be mailed so', async (Periodic_AutomaticMailing, mailed) => {
    await make({
      ...monthly,
      Periodic_StartingDate: '20-11-2026',
      Periodic_AutomaticMailing,
      EmailToCustomer: !Periodic_AutomaticMailing,
    });
    expect((await shop.invoiceOf(1)).email_to_customer).toBe(mailed);
  });

  it.each([
    ['a due date, as days after its start', { InvoiceDueDate: '14-01-2027' }, { InvoiceDueDays: 14 }],
    ['a due date on its start', { InvoiceDueDate: '31-12-2026' }, { InvoiceDueDays: 0 }],
    ['due days', { InvoiceDueDays: 30, InvoiceDueDate: '14-01-2027' }, { InvoiceDueDays: 30 }],
    ['none of these', { InvoiceDueDays: 0 }, {}],
  ])('keeps of %s', async (_, given, expected) => {
    await make({ ...monthly, ...given });
    const { InvoiceDueDays, InvoiceDueDate } = JSON.parse((await templates())[0]!.request);
    expect({ InvoiceDueDays, InvoiceDueDate }).toEqual({ ...expected, InvoiceDueDate: undefined });
  });

  it('that starts today gives its first invoice the number, the due date and the remittance of one', async () => {
    shop = await openShop(app, 'BE');
    const one = { InvoiceNumber: 50, InvoiceDueDate: '01-12-2026', OGM_Belgium: '+++010/8068/17183+++' };
    await make({ ...monthly, Periodic_StartingDate: '20-11-2026', InvoiceDate: '20-11-2026', ...one });
    expect(await listed()).toMatchObject([{ ...one, InvoiceDate: '20-11-2026' }]);
    const { InvoiceNumber, InvoiceDate, InvoiceDueDate, InvoiceDueDays, OGM_Belgium } = JSON.parse(
      (await templates())[0]!.request,
    );
    expect([InvoiceNumber, InvoiceDate, InvoiceDueDate, InvoiceDueDays, OGM_Belgium]).toEqual([
      undefined,
      undefined,
      undefined,
      11,
      undefined,
    ]);
  });

  it('that makes no invoice today is refused the number and the remittance of one', async () => {
    shop = await openShop(app, 'BE');
    expect(await refused({ ...monthly, InvoiceNumber: 50 })).toEqual(['InvoiceNumber']);
    expect(await refused({ ...monthly, OGM_Belgium: '010806817183' })).toEqual(['OGM_Belgium']);
    app.setTime(FRIDAY + DAY);
    const skipped = { ...monthly, Periodic_StartingDate: '21-11-2026', Periodic_SkipWeekends: true };
    expect(await refused({ ...skipped, InvoiceNumber: 50 })).toEqual(['InvoiceNumber']);
  });

  it('may say its start or today for an invoice date, which is what saying none means', async () => {
    for (const InvoiceDate of ['31-12-2026', '20-11-2026', '']) {
      expect(await make({ ...monthly, InvoiceDate })).toMatchObject({ InvoiceDate: '31-12-2026' });
    }
    expect(await refused({ ...monthly, InvoiceDate: '30-12-2026' })).toEqual(['InvoiceDate']);
  });

  it('makes no invoice on a weekend day when weekends are to be skipped', async () => {
    app.setTime(FRIDAY + DAY);
    const saturday = { ...monthly, Periodic_StartingDate: '21-11-2026' };
    await make({ ...saturday, Periodic_SkipWeekends: true });
    expect(await listed()).toEqual([]);
    expect(await templates()).toMatchObject([{ made: 0n }]);
    await make(saturday);
    expect(await listed()).toHaveLength(1);
  });

  it('that starts later or earlier makes none now', async () => {
    await make(monthly);
    await make({ ...monthly, Periodic_StartingDate: '19-11-2026' });
    expect(await listed()).toEqual([]);
    expect(await templates()).toMatchObject([{ made: 0n }, { made: 0n }]);
  });

  it('has attachments, and so has its first invoice', async () => {
    await make({
      ...monthly,
      Periodic_StartingDate: '20-11-2026',
      Invoice_Attachment: [{ FileContent: Buffer.from(pdf).toString('base64'), FileName: 'Bon.pdf' }],
    });
    expect(await shop.filesOf('template')).toMatchObject([{ name: 'Bon.pdf' }]);
    expect(await shop.filesOf({ salesInvoice: 1 })).toMatchObject([{ name: 'Bon.pdf' }]);
  });

  it('answers plain text when that is asked for', async () => {
    expect(await make({ ...monthly, InvoiceNotes: '<b>Huur</b>', HtmlAsPlainText: true })).toMatchObject({
      InvoiceNotes: 'Huur',
    });
  });

  it.each([
    ['no starting date', { Periodic_StartingDate: undefined }, 'Periodic_StartingDate'],
    ['no frequency', { Periodic_Frequency: undefined }, 'Periodic_Frequency'],
    ['a frequency of 0', { Periodic_Frequency: 0 }, 'Periodic_Frequency'],
    ['no unit', { Periodic_FrequencyUnit: '' }, 'Periodic_FrequencyUnit'],
    ['an unknown unit', { Periodic_FrequencyUnit: 'Quarter' }, 'Periodic_FrequencyUnit'],
    ['a due date before its start', { InvoiceDueDate: '30-12-2026' }, 'InvoiceDueDate'],
    ['an end before its start', { Periodic_EndDate: '30-12-2026' }, 'Periodic_EndDate'],
    [
      'an unknown direction of dates',
      { Periodic_ChangeDateTokensBeforeAfter: 'Later' },
      'Periodic_ChangeDateTokensBeforeAfter',
    ],
    ['a customer nobody is', { CustomerNumber: 99 }, 'CustomerNumber'],
    ['a project nobody has', { InvoiceProject: 'X' }, 'InvoiceProject'],
    [
      'an article nobody has',
      { Invoice_InvoiceLine: [{ ...chair, ProductNumber: 'X' }] },
      'Invoice_InvoiceLine[0].ProductNumber',
    ],
    [
      'an account nobody has',
      { Invoice_InvoiceLine: [{ ...chair, LedgerAccountNumber: 'X' }] },
      'Invoice_InvoiceLine[0].LedgerAccountNumber',
    ],
    [
      'two addresses of a type',
      { Invoice_Address: [{ Address_City: 'A' }, { Address_City: 'B' }] },
      'Invoice_Address[1].Address_Type',
    ],
    [
      'a file of a wrong type',
      { Invoice_Attachment: [{ FileContent: 'AAAA', FileName: 'a.pdf' }] },
      'Invoice_Attachment[0].FileContent',
    ],
  ])('with %s is refused', async (_, change, path) => {
    expect(await refused({ ...monthly, ...change })).toEqual([path]);
  });

  it('with a wrong structured remittance is refused, while somebody is there to hear it', async () => {
    shop = await openShop(app, 'BE');
    expect(await refused({ ...monthly, OGM_Belgium: '+++010/8068/17184+++' })).toEqual(['OGM_Belgium']);
  });

  it('is not one without the flag, whatever else is said', async () => {
    expect(await make({ ...monthly, PeriodicInvoiceTemplate: false })).toMatchObject({ InvoiceNumber: 1 });
    expect(await templates()).toEqual([]);
  });
});
