import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { checkAdministration } from '../check/check.ts';

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

const rent = { SubTotalInclTax: '121', TaxPc: 21 };
const rents = { CustomerNumber: 7, Invoice_InvoiceLine: [rent] };
const make = (change: object = {}) => shop.accepted('addsalestransaction', { ...rents, ...change });
const refused = (change: object) => shop.refused('addsalestransaction', { ...rents, ...change });

describe('a sales transaction', () => {
  it('is returned as an invoice of the bookkeeping module, and listed with the same values', async () => {
    const response = await make({ InvoiceNotes: '<b>Huur</b>' });
    expect(response).toMatchObject({
      InvoiceNumber: 1,
      InvoiceDate: '20-11-2026',
      InvoiceDueDate: '',
      InvoiceNotes: '<b>Huur</b>',
      InvoiceReference: '',
      CustomerNumber: 7,
      CustomerName: 'Bakkerij Jansen',
      InvoiceTotalExclTax: 100,
      InvoiceTaxAmount: 21,
      InvoiceTotalInclTax: 121,
      InvoiceOutstandingAmount: 121,
      InvoiceType: 'BOOKKEEPING',
      DiscountPc: 0,
      InvoiceIsSent: false,
      OGM_Belgium: '',
      PeriodicInvoiceTemplate: false,
      Invoice_Contact: [{ ContactType: 'Invoice', LastName: 'de Jansen' }],
      Invoice_Address: [{ AddressType: 'BillingAddress', Address_Street: 'Coolsingel' }],
    });
    const { Invoice_InvoiceLine, ...listed } = await shop.listed(1);
    expect(listed).toEqual(response);
    expect(Invoice_InvoiceLine).toMatchObject([
      { SubTotalInclTax: 121, SubTotalExclTax: 100, Quantity: 1, UnitPriceExclTax: 100, LedgerAccountNumber: '8000' },
    ]);
  });

  it('is booked on each account and cost center, without the tax in its totals', async () => {
    await make({
      Invoice_InvoiceLine: [
        { SubTotalInclTax: '21.53', TaxPc: 21, LedgerAccountNumber: '8010', Description: 'Een', CostCenter: 'Winkel' },
        { SubTotalInclTax: '21.53', TaxPc: 21, LedgerAccountNumber: '8010' },
        { SubTotalInclTax: '109', TaxCode: '9% - Laag' },
        { SubTotalInclTax: '-21.80', TaxCode: '9% - Laag' },
      ],
    });
    expect(await shop.journalOf({ salesInvoice: 1 })).toEqual([
      { account: '1300', amount: '130.26', taxCode: '' },
      { account: '8010', amount: '-17.80', taxCode: '' },
      { account: '8010', amount: '-17.79', taxCode: '' },
      { account: '8000', amount: '-80.00', taxCode: '' },
      { account: '1500', amount: '-7.47', taxCode: '21% - Hoog' },
      { account: '1500', amount: '-7.20', taxCode: '9% - Laag' },
    ]);
    expect((await shop.listed(1)).Invoice_InvoiceLine).toMatchObject([
      { Description: 'Een', CostCenter: 'Winkel' },
      { CostCenter: '' },
      {},
      {},
    ]);
    expect(await shop.costCenters()).toEqual(['Winkel']);
  });

  it('may be booked on the debtor account itself, and the books balance', async () => {
    await make({ Invoice_InvoiceLine: [{ ...rent, LedgerAccountNumber: '1300' }] });
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it('shares its numbers with the invoices of the invoicing module', async () => {
    await make({ InvoiceNumber: 40 });
    expect((await make()).InvoiceNumber).toBe(41);
    expect(await refused({ InvoiceNumber: 40 })).toEqual(['InvoiceNumber']);
  });

  it('ignores a percentage of -1 beside a tax code', async () => {
    const line = { SubTotalInclTax: '121', TaxPc: '-1.0' };
    expect(await make({ Invoice_InvoiceLine: [{ ...line, TaxCode: '21% - Hoog' }] })).toMatchObject({
      InvoiceTaxAmount: 21,
    });
    for (const TaxCode of [undefined, '']) {
      expect(await refused({ Invoice_InvoiceLine: [{ ...line, TaxCode }] })).toEqual(['Invoice_InvoiceLine[0].TaxPc']);
    }
  });

  it('has no products and changes no stock', async () => {
    await make({ Invoice_InvoiceLine: [{ ...rent, ProductNumber: '0100', Quantity: 3 }] });
    expect(await shop.stockOf('0100')).toBe('10');
  });

  it('belongs to a project, by number or name', async () => {
    await shop.addProject({ number: 12, name: 'Verbouwing' });
    expect(await make({ InvoiceProject: 'verbouwing', SelectProjectBy: 'NAME' })).toMatchObject({
      ProjectNumber: '12',
    });
    expect(await make({ InvoiceProject: '12', SelectProjectBy: 'NUMBER' })).toMatchObject({
      ProjectName: 'Verbouwing',
    });
    expect(await refused({ InvoiceProject: 'X' })).toEqual(['InvoiceProject']);
  });

  it('of a Belgian customer has a structured remittance', async () => {
    shop = await openShop(app, 'BE');
    expect((await make()).OGM_Belgium).toBe('+++000/0000/00101+++');
  });

  it('is stored without its file when that cannot be downloaded', async () => {
    await make({ InvoiceFileUrl: 'http://127.0.0.1/a.gif' });
    await make({ InvoiceFileUrl: 'http://10.0.0.1/a.xlsx' });
    expect(await shop.filesOf({ salesInvoice: 1 })).toMatchObject([
      { size: null, failure: 'the address does not lead to the public internet' },
    ]);
    expect(await shop.filesOf({ salesInvoice: 2 })).toMatchObject([
      { failure: 'expected an address ending in .jpg, .png, .pdf, .doc, .docx or .gif' },
    ]);
  });

  it('may have 75 lines', async () => {
    expect((await make({ Invoice_InvoiceLine: Array.from({ length: 75 }, () => rent) })).InvoiceTotalInclTax).toBe(
      9075,
    );
  });

  it.each([
    ['a customer nobody is', { CustomerNumber: 8 }, 'CustomerNumber'],
    ['the number of a supplier', { CustomerNumber: 3 }, 'CustomerNumber'],
    ['no customer', { CustomerNumber: 0 }, 'CustomerNumber'],
    ['no lines', { Invoice_InvoiceLine: [] }, 'Invoice_InvoiceLine'],
    ['76 lines', { Invoice_InvoiceLine: Array.from({ length: 76 }, () => rent) }, 'Invoice_InvoiceLine'],
    ['no total', { Invoice_InvoiceLine: [{ TaxPc: 21 }] }, 'Invoice_InvoiceLine[0].SubTotalInclTax'],
    ['no tax', { Invoice_InvoiceLine: [{ SubTotalInclTax: 1 }] }, 'Invoice_InvoiceLine[0].TaxPc'],
    [
      'tax of -1, for there is no product',
      { Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxPc: -1 }] },
      'Invoice_InvoiceLine[0].TaxPc',
    ],
    [
      'a percentage no sales code has',
      { Invoice_InvoiceLine: [rent, { SubTotalInclTax: 1, TaxPc: 19 }] },
      'Invoice_InvoiceLine[1].TaxPc',
    ],
    [
      'a purchase code',
      { Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxCode: '21% - Inkoop hoog' }] },
      'Invoice_InvoiceLine[0].TaxCode',
    ],
    [
      'an account nobody has',
      { Invoice_InvoiceLine: [{ ...rent, LedgerAccountNumber: 'X' }] },
      'Invoice_InvoiceLine[0].LedgerAccountNumber',
    ],
    ['a date that is none', { InvoiceDate: '31-04-2026' }, 'InvoiceDate'],
    [
      'a total past all use',
      { Invoice_InvoiceLine: Array.from({ length: 75 }, () => ({ ...rent, SubTotalInclTax: '99999999999' })) },
      'Invoice_InvoiceLine[0].SubTotalInclTax',
    ],
  ])('with %s is refused', async (_, change, path) => {
    expect((await refused(change))[0]).toBe(path);
  });
});
