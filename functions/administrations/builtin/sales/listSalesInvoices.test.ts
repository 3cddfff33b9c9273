import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestAdministration, type TestApp } from '../../../../testing/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const list = async (administration: TestAdministration, parameters = '') => {
  const { status, json, text } = await administration.get(`/rest/listsalesinvoices${parameters}`);
  if (status !== 200) throw new Error(text);
  return json;
};
const numbers = async (administration: TestAdministration, parameters: string): Promise<number[]> =>
  (await list(administration, parameters)).map((invoice: { InvoiceNumber: number }) => invoice.InvoiceNumber);

it('listsalesinvoices returns an invoice with addresses, contacts and project, with the types of the interface’s examples', async () => {
  const administration = await app.addAdministration();
  await administration.addInvoice({
    number: 20260001n,
    date: '2026-01-31',
    dueDate: '2026-03-02',
    excl: '1234.50',
    tax: '259.25',
    incl: '1493.75',
    outstanding: '-0.05',
    discountPc: '2.50000001',
    sent: true,
    project: { number: 12n, name: 'Verbouwing' },
    addresses: [
      { address_type: 'BillingAddress', street: 'Coolsingel', unit: '1', unit_appendix: 'a', city: 'Rotterdam' },
      { address_type: 'ShippingAddress', postal_code: '2000', city: 'Antwerpen', country_code: 'BE' },
    ],
    contacts: [
      { contact_type: 'Invoice', first_name: 'Anna', last_name: 'Jansen', sex: 'Vrouw', email: 'a@b.nl', phone: '06' },
      { contact_type: 'PackingSlip', last_name: 'Smit', is_default: 0n, notes: 'achterom' },
    ],
    row: {
      notes: '<b>Bedankt</b>',
      reference: 'Uw order 12',
      packing_slip_notes: 'Breekbaar',
      customer_number: 7n,
      customer_name: 'Bakkerij Jansen',
      ogm: '+++010/8068/17183+++',
    },
  });
  const [invoice] = await list(administration);
  expect(invoice).toEqual({
    InvoiceNumber: 20260001,
    InvoiceDate: '31-01-2026',
    InvoiceDueDate: '02-03-2026',
    InvoiceNotes: '<b>Bedankt</b>',
    InvoiceReference: 'Uw order 12',
    PackingSlipNotes: 'Breekbaar',
    CustomerNumber: 7,
    CustomerName: 'Bakkerij Jansen',
    ProjectName: 'Verbouwing',
    ProjectNumber: '12',
    InvoiceTotalExclTax: 1234.5,
    InvoiceTotalInclTax: 1493.75,
    InvoiceTaxAmount: 259.25,
    InvoiceOutstandingAmount: -0.05,
    InvoiceType: 'INVOICING',
    DiscountPc: 2.50000001,
    InvoiceIsSent: true,
    OGM_Belgium: '+++010/8068/17183+++',
    PeriodicInvoiceTemplate: false,
    Invoice_Contact: [
      {
        ContactType: 'Invoice',
        FirstName: 'Anna',
        LastName: 'Jansen',
        FamilyName: 'Jansen',
        Phone: '06',
        Email: 'a@b.nl',
        Sex: 'Vrouw',
        ContactNotes: '',
        DefaultContact: true,
      },
      {
        ContactType: 'PackingSlip',
        FirstName: '',
        LastName: 'Smit',
        FamilyName: 'Smit',
        Phone: '',
        Email: '',
        Sex: '',
        ContactNotes: 'achterom',
        DefaultContact: false,
      },
    ],
    Invoice_Address: [
      {
        Address_CountryCode: 'NL',
        Address_PostalCode: '',
        Address_Street: 'Coolsingel',
        Address_Unit: '1',
        Address_City: 'Rotterdam',
        Address_UnitAppendix: 'a',
        AddressType: 'BillingAddress',
      },
      {
        Address_CountryCode: 'BE',
        Address_PostalCode: '2000',
        Address_Street: '',
        Address_Unit: '',
        Address_City: 'Antwerpen',
        Address_UnitAppendix: '',
        AddressType: 'ShippingAddress',
      },
    ],
  });
});

it('listsalesinvoices returns empty values for missing ones', async () => {
  const administration = await app.addAdministration();
  await administration.addInvoice({ dueDate: null, module: 'BOOKKEEPING' });
  expect((await list(administration))[0]).toMatchObject({
    InvoiceDueDate: '',
    ProjectName: '',
    ProjectNumber: '',
    CustomerNumber: null,
    OGM_Belgium: '',
    InvoiceType: 'BOOKKEEPING',
    InvoiceIsSent: false,
    Invoice_Contact: [],
    Invoice_Address: [],
  });
});

describe('the lines of listed invoices', () => {
  let filled: TestAdministration;

  beforeAll(async () => {
    filled = await app.addAdministration();
    await filled.addInvoice({
      number: 1n,
      lines: [
        {
          description: 'Brood',
          quantity: '-3.00000001',
          unitPrice: '1.23456789',
          discountPc: '10',
          taxPc: '9',
          taxCode: '9% - Laag',
          inclBeforeDiscount: '-4.04',
          incl: '-3.63',
          excl: '-3.33',
          row: {
            product_number: '0100',
            product_ean: '8712345678906',
            cost_center: 'Winkel',
            delivery_date: '2026-02-28',
            warehouse: 'Noord',
            shelf: 'A1',
            batch: 'B-7',
            use_article_price: 1n,
          },
        },
        {
          description: 'Met dank',
          quantity: '0',
          unitPrice: '0',
          inclBeforeDiscount: '0',
          incl: '0',
          excl: '0',
          taxPc: '0',
          taxCode: '',
          row: { is_text: 1n, text_category: 'Algemeen', ledger_account_number: '' },
        },
      ],
    });
    await filled.addInvoice({ number: 2n, lines: [{ unitPrice: '9999999999.12345678' }] });
    await filled.addInvoice({ number: 3n });
  });

  it('are left out unless they are requested', async () => {
    for (const parameters of ['', '?InlcudeInvoiceLinesInResponse=false', '?IncludeInvoiceLinesInResponse=0']) {
      for (const invoice of await list(filled, parameters)) expect(invoice).not.toHaveProperty('Invoice_InvoiceLine');
    }
  });

  it.each([
    '?InlcudeInvoiceLinesInResponse=true',
    '?IncludeInvoiceLinesInResponse=true',
    '?includeinvoicelinesinresponse=True',
    '?inlcudeInvoiceLinesInResponse=1',
  ])('are returned for %s, with their invoice and in their order', async (parameters) => {
    const invoices = await list(filled, parameters);
    expect(
      invoices.map((invoice: { InvoiceNumber: number; Invoice_InvoiceLine: { Description: string }[] }) => [
        invoice.InvoiceNumber,
        ...invoice.Invoice_InvoiceLine.map((line) => line.Description),
      ]),
    ).toEqual([[3], [2, ''], [1, 'Brood', 'Met dank']]);
  });

  it('have every field, and numbers as JSON numbers with every digit', async () => {
    const parameters = '/rest/listsalesinvoices?InlcudeInvoiceLinesInResponse=true';
    const { json, text } = await filled.get(parameters);
    expect(json[2].Invoice_InvoiceLine).toEqual([
      {
        Description: 'Brood',
        UnitPriceExclTax: 1.23456789,
        DiscountPc: 10,
        TextLineCategory: '',
        Quantity: -3.00000001,
        ProductNumber: '0100',
        ProductEAN: '8712345678906',
        SubTotalInclTaxExclDiscount: -4.04,
        SubTotalInclTax: -3.63,
        SubTotalExclTax: -3.33,
        LedgerAccountNumber: '8000',
        TaxPc: 9,
        TaxCode: '9% - Laag',
        CostCenter: 'Winkel',
        IsTextLine: false,
        DeliveryDate: '28-02-2026',
        Warehouse: 'Noord',
        Shelf: 'A1',
        Batch: 'B-7',
        PurchaseClassification: '',
        UseArticlePrice: true,
      },
      expect.objectContaining({
        Description: 'Met dank',
        IsTextLine: true,
        TextLineCategory: 'Algemeen',
        DeliveryDate: '',
        LedgerAccountNumber: '',
      }),
    ]);
    // More digits than a float has.
    expect(text).toContain('"UnitPriceExclTax":9999999999.12345678,');
    const [, second] = await filled.client.listsalesinvoices({ InlcudeInvoiceLinesInResponse: true });
    expect(second!.Invoice_InvoiceLine![0]!.UnitPriceExclTax).toBe('9999999999.12345678');
  });
});

describe('a filter', () => {
  let filled: TestAdministration;

  beforeAll(async () => {
    filled = await app.addAdministration();
    await filled.addInvoice({ number: 5n, date: '2026-02-28' });
    await filled.addInvoice({ number: 12n, date: '2026-03-01', module: 'BOOKKEEPING' });
    await filled.addInvoice({ number: 100n, date: '2026-01-01', draft: true });
    await filled.addInvoice({ number: 7n, date: '2025-12-31' });
    await app.addInvoice({ number: 12n });
  });

  it.each([
    // Numbers go down as numbers: 100 is more than 12. Drafts and both modules are among them.
    ['', [100, 12, 7, 5]],
    ['?InvoiceNumber=12', [12]],
    ['?InvoiceNumber=13', []],
    ['?invoicenumber=012', [12]],
    ['?DateFrom=28-02-2026', [12, 5]],
    ['?DateTill=01-01-2026', [100, 7]],
    ['?DateFrom=01-01-2026&DateTill=28-02-2026', [100, 5]],
    ['?DateFrom=1-1-2026&DateTill=1-1-2026', [100]],
    ['?DateFrom=02-03-2026', []],
    ['?DateFrom=&DateTill=', [100, 12, 7, 5]],
    ['?InvoiceNumber=12&DateFrom=02-03-2026', []],
    ['?Limit=2', [100, 12]],
    ['?Limit=2&Offset=1', [12, 7]],
    ['?Offset=4', []],
  ])('%s returns %j', async (parameters, expected) => {
    expect(await numbers(filled, parameters)).toEqual(expected);
  });

  it.each([
    ['DateFrom', '2026-01-01'],
    ['DateTill', '30-02-2026'],
    ['InvoiceNumber', 'F-12'],
    ['Limit', '0'],
    ['Offset', '-1'],
    ['IncludeBase64PDF', 'maybe'],
  ])('%s with the value %s is refused', async (name, value) => {
    const { status, json } = await filled.get(`/rest/listsalesinvoices?${name}=${value}`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ path: name, message: expect.stringContaining('expected') }]);
  });
});

it('listsalesinvoices returns at most 100 invoices, 50 with lines, 15 with the PDF', async () => {
  const administration = await app.addAdministration();
  const { id } = await administration.addRelation();
  for (let number = 1n; number <= 103n; number++) await administration.addInvoice({ number, relationId: id });
  const count = async (parameters: string) => (await numbers(administration, parameters)).length;
  expect(await count('')).toBe(100);
  expect(await count('?Limit=500')).toBe(100);
  expect(await count('?Limit=99')).toBe(99);
  expect(await count('?Offset=100')).toBe(3);
  expect(await count('?IncludeInvoiceLinesInResponse=true')).toBe(50);
  expect(await count('?InlcudeInvoiceLinesInResponse=true&Limit=100')).toBe(50);
  expect(await count('?InlcudeInvoiceLinesInResponse=true&Limit=10')).toBe(10);
  expect(await count('?IncludeBase64PDF=true')).toBe(15);
  expect(await count('?IncludeBase64PDF=true&Limit=20&InlcudeInvoiceLinesInResponse=true')).toBe(15);
  expect(await numbers(administration, '?InlcudeInvoiceLinesInResponse=true&Offset=50')).toEqual(
    Array.from({ length: 50 }, (_, index) => 53 - index),
  );
});

it('listsalesinvoices returns the PDF member only on request, empty when there is no PDF', async () => {
  const administration = await app.addAdministration();
  await administration.addInvoice();
  expect((await list(administration))[0]).not.toHaveProperty('InvoicePDFBase64');
  expect((await list(administration, '?IncludeBase64PDF=true'))[0].InvoicePDFBase64).toBe('');
});

it('listsalesinvoices returns numbers and amounts that are too large for JavaScript numbers', async () => {
  const administration = await app.addAdministration();
  await administration.addInvoice({ number: 9_007_199_254_740_993n, incl: '90071992547409.93' });
  const { text } = await administration.get('/rest/listsalesinvoices?InvoiceNumber=9007199254740993');
  expect(text).toContain('"InvoiceNumber":9007199254740993,');
  expect(text).toContain('"InvoiceTotalInclTax":90071992547409.93,');
});
