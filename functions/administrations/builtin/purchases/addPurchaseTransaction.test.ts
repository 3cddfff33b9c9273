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

const flour = { SubTotalInclTax: '109', TaxPc: 9 };
const bill = { SupplierNumber: 3, Invoice_InvoiceLine: [flour] };
const make = (change: object = {}) => shop.accepted('addpurchasetransaction', { ...bill, ...change });
const refused = (change: object) => shop.refused('addpurchasetransaction', { ...bill, ...change });
const linesOf = (number: number) =>
  app.db
    .selectFrom('purchase_invoice_line')
    .innerJoin('purchase_invoice', 'purchase_invoice.id', 'purchase_invoice_line.purchase_invoice_id')
    .where('administration_id', '=', shop.administrationId)
    .where('number', '=', BigInt(number))
    .orderBy('position')
    .selectAll('purchase_invoice_line')
    .execute();

describe('a purchase invoice', () => {
  it('is returned with every field', async () => {
    expect(await make({ InvoiceNotes: 'Meel' })).toEqual({
      InvoiceNumber: '1',
      InvoiceDate: '20-11-2026',
      InvoiceDueDate: '20-11-2026',
      InvoiceNotes: 'Meel',
      ProjectName: '',
      ProjectNumber: '',
      InvoiceTotalExclTax: 100,
      InvoiceTotalInclTax: 109,
      InvoiceTaxAmount: 9,
      InvoiceOutstandingAmount: 109,
      SupplierNumber: 3,
      SupplierName: 'Molen De Hoop',
      PurchaseInvoice_Address: [
        {
          Address_CountryCode: 'NL',
          Address_PostalCode: '1234 AB',
          Address_Street: 'Molenweg',
          Address_Unit: '12',
          Address_City: 'Zaandam',
          Address_UnitAppendix: '',
          AddressType: 'BillingAddress',
        },
      ],
      PurchaseInvoice_Contact: [
        {
          ContactType: 'Invoice',
          FirstName: 'Jan',
          Preposition: 'van',
          LastName: 'Mulder',
          FamilyName: 'Mulder',
          Phone: '',
          Email: '',
          Sex: 'Man',
          ContactNotes: '',
          DefaultContact: true,
        },
      ],
    });
  });

  it('is stored with its dates', async () => {
    expect(await make({ InvoiceDate: '01-11-2026', InvoiceDueDate: '15-12-2026' })).toMatchObject({
      InvoiceDate: '01-11-2026',
      InvoiceDueDate: '15-12-2026',
    });
    expect(await make({ InvoiceDate: '01-11-2026' })).toMatchObject({ InvoiceDueDate: '20-11-2026' });
  });

  it('is booked: costs by account, tax to claim back by code, and the total owed to the supplier', async () => {
    await make({
      Invoice_InvoiceLine: [
        { SubTotalInclTax: '21.53', TaxPc: 21, LedgerAccountNumber: '4000' },
        { SubTotalInclTax: '21.53', TaxCode: '21% - Inkoop hoog', LedgerAccountNumber: '4000' },
        flour,
      ],
    });
    expect(await shop.journalOf({ purchaseInvoice: 1 })).toEqual([
      { account: '4000', amount: '35.59', taxCode: '' },
      { account: '7000', amount: '100.00', taxCode: '' },
      { account: '1530', amount: '7.47', taxCode: '21% - Inkoop hoog' },
      { account: '1530', amount: '9.00', taxCode: '9% - Inkoop laag' },
      { account: '1600', amount: '-152.06', taxCode: '' },
    ]);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it.each([
    ['reverse charge', '0% - Inkoop verlegd binnenland', '100', '21.00'],
    ['the low rate of reverse charge', '0% - Inkoop verlegd binnenland laag', '100', '9.00'],
    ['goods of another country of the EU', '0% - Goederen uit EU-landen', '50.05', '10.51'],
    ['an import', '0% - Import van buiten de EU', '0.10', '0.02'],
    ['a credit of services of another country', '0% - Diensten uit EU-landen', '-50.05', '-10.51'],
  ])('with %s is booked with the tax that is owed and the tax that is deducted', async (_, TaxCode, amount, tax) => {
    await make({ Invoice_InvoiceLine: [{ SubTotalInclTax: amount, TaxCode }] });
    const total = Number(amount).toFixed(2);
    const negative = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);
    expect(await shop.journalOf({ purchaseInvoice: 1 })).toEqual([
      { account: '7000', amount: total, taxCode: '' },
      { account: '1530', amount: tax, taxCode: TaxCode },
      { account: '1500', amount: negative(tax), taxCode: TaxCode },
      { account: '1600', amount: negative(total), taxCode: '' },
    ]);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it('bears the tax that may not be deducted on the account of its line, to the cent', async () => {
    const rule = { administration_id: shop.administrationId, tax_type: 'Purchase' as const, document: 'any' as const };
    const boxes = { base_boxes: '4b', owed_boxes: '4b', deductible_boxes: '5b', listing: '' as const, doubt: '' };
    const percentages = { self_assessed_pc: 2_100_000_000n, deductible_pc: 5_000_000_000n };
    const code = '0% - Goederen uit EU-landen';
    await app.db
      .insertInto('vat_rule')
      .values({ ...rule, tax_code: code, ...boxes, ...percentages })
      .execute();
    const line = { SubTotalInclTax: '0.05', TaxCode: code };
    await make({ Invoice_InvoiceLine: [line, { ...line, LedgerAccountNumber: '4000' }] });
    // 21% of 0.10 is 0.02, of which 0.01 is deducted.
    expect(await shop.journalOf({ purchaseInvoice: 1 })).toEqual([
      { account: '7000', amount: '0.05', taxCode: '' },
      { account: '4000', amount: '0.06', taxCode: '' },
      { account: '1530', amount: '0.01', taxCode: code },
      { account: '1500', amount: '-0.02', taxCode: code },
      { account: '1600', amount: '-0.10', taxCode: '' },
    ]);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it('may be a credit, and may be booked on the creditor account itself', async () => {
    await make({ Invoice_InvoiceLine: [{ ...flour, SubTotalInclTax: '-109', LedgerAccountNumber: '1600' }] });
    expect(await shop.journalOf({ purchaseInvoice: 1 })).toEqual([
      { account: '1600', amount: '-100.00', taxCode: '' },
      { account: '1530', amount: '-9.00', taxCode: '9% - Inkoop laag' },
      { account: '1600', amount: '109.00', taxCode: '' },
    ]);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it('has the requested number, also one that is used, or the next', async () => {
    const numbers = [{}, { PurchaseInvoiceNumber: 2026 }, { PurchaseInvoiceNumber: '2026' }, {}];
    const responses = [];
    for (const change of numbers) responses.push((await make(change)).InvoiceNumber);
    // The supplier's numbers do not affect our numbering.
    expect(responses).toEqual(['1', '2026', '2026', '2']);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
    for (const PurchaseInvoiceNumber of ['9223372036854775807', '1000000000000000000', 0, -5]) {
      expect(await refused({ PurchaseInvoiceNumber })).toEqual(['PurchaseInvoiceNumber']);
    }
    expect((await make()).InvoiceNumber).toBe('3');
  });

  it('finds its supplier by number, name and e-mail address', async () => {
    for (const supplier of [
      { SupplierNumber: 3, SupplierName: 'iets anders' },
      { SupplierNumber: 0, SupplierName: 'molen de HOOP' },
      { SupplierNumber: '', SupplierEmail: 'Verkoop@dehoop.example' },
    ]) {
      expect((await make(supplier)).SupplierName).toBe('Molen De Hoop');
    }
    expect(await refused({ SupplierNumber: 7 })).toEqual(['SupplierNumber']);
    expect(await refused({ SupplierNumber: 0, SupplierName: 'Molen De Hoop', SupplierEmail: 'x' })).toEqual([
      'SupplierName',
    ]);
    expect(await refused({ SupplierNumber: 0, SupplierEmail: ' ' })).toEqual(['SupplierEmail']);
    expect(await refused({ SupplierNumber: 0 })).toEqual(['SupplierNumber']);
  });

  it('ignores a percentage of -1 beside a tax code', async () => {
    const line = { SubTotalInclTax: '121', TaxPc: -1 };
    expect(await make({ Invoice_InvoiceLine: [{ ...line, TaxCode: '21% - Inkoop hoog' }] })).toMatchObject({
      InvoiceTaxAmount: 21,
    });
    expect(await refused({ Invoice_InvoiceLine: [line] })).toEqual(['Invoice_InvoiceLine[0].TaxPc']);
    expect(await refused({ Invoice_InvoiceLine: [{ ...line, TaxPc: '-0.5', TaxCode: '21% - Inkoop hoog' }] })).toEqual([
      'Invoice_InvoiceLine[0].TaxCode',
    ]);
  });

  it('stores the description of a line, and creates its cost center', async () => {
    await make({ Invoice_InvoiceLine: [{ ...flour, Description: 'Tarwe', CostCenter: ' Bakkerij ' }] });
    expect(await linesOf(1)).toMatchObject([{ description: 'Tarwe', cost_center: 'Bakkerij', classification: '' }]);
    expect(await shop.costCenters()).toEqual(['Bakkerij']);
  });

  it('belongs to a project', async () => {
    await shop.addProject({ number: 12, name: 'Verbouwing' });
    expect(await make({ InvoiceProject: '12', SelectProjectBy: 'NUMBER' })).toMatchObject({
      ProjectName: 'Verbouwing',
      ProjectNumber: '12',
    });
  });

  it('is stored without its file when that cannot be downloaded', async () => {
    await make({ InvoiceFileUrl: 'https://[::1]/a.pdf' });
    expect(await shop.filesOf({ purchaseInvoice: 1 })).toMatchObject([
      { size: null, failure: 'the address does not lead to the public internet' },
    ]);
  });

  it.each([
    ['no lines', { Invoice_InvoiceLine: [] }, 'Invoice_InvoiceLine'],
    ['76 lines', { Invoice_InvoiceLine: Array.from({ length: 76 }, () => flour) }, 'Invoice_InvoiceLine'],
    ['no total', { Invoice_InvoiceLine: [{ TaxPc: 9 }] }, 'Invoice_InvoiceLine[0].SubTotalInclTax'],
    ['no tax', { Invoice_InvoiceLine: [{ SubTotalInclTax: 1 }] }, 'Invoice_InvoiceLine[0].TaxPc'],
    [
      'a sales code',
      { Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxCode: '9% - Laag' }] },
      'Invoice_InvoiceLine[0].TaxCode',
    ],
    [
      'a percentage no purchase code has',
      { Invoice_InvoiceLine: [{ SubTotalInclTax: 1, TaxPc: 6 }] },
      'Invoice_InvoiceLine[0].TaxPc',
    ],
    [
      'an account nobody has',
      { Invoice_InvoiceLine: [{ ...flour, LedgerAccountNumber: 'X' }] },
      'Invoice_InvoiceLine[0].LedgerAccountNumber',
    ],
    ['a project nobody has', { InvoiceProject: 'X' }, 'InvoiceProject'],
    [
      'a classification, in the Netherlands',
      { Invoice_InvoiceLine: [{ ...flour, PurchaseClassification: '81' }] },
      'Invoice_InvoiceLine[0].PurchaseClassification',
    ],
  ])('with %s is refused', async (_, change, path) => {
    expect(await refused(change)).toEqual([path]);
  });
});

describe('a purchase invoice in Belgium', () => {
  beforeEach(async () => {
    shop = await openShop(app, 'BE');
  });

  it('may classify lines as goods (81), services (82) or capital goods (83)', async () => {
    await make({
      Invoice_InvoiceLine: ['81', 82, '83', '', undefined].map((PurchaseClassification) => ({
        SubTotalInclTax: 121,
        TaxPc: 21,
        PurchaseClassification,
      })),
    });
    expect((await linesOf(1)).map((line) => line.classification)).toEqual(['81', '82', '83', '', '']);
  });

  it('is refused with any other classification', async () => {
    expect(
      await refused({ Invoice_InvoiceLine: [{ SubTotalInclTax: 121, TaxPc: 21, PurchaseClassification: '84' }] }),
    ).toEqual(['Invoice_InvoiceLine[0].PurchaseClassification']);
  });

  it('is booked on the Belgian accounts', async () => {
    await make({ Invoice_InvoiceLine: [{ SubTotalInclTax: 121, TaxPc: 21 }] });
    expect(await shop.journalOf({ purchaseInvoice: 1 })).toEqual([
      { account: '604000', amount: '100.00', taxCode: '' },
      { account: '411100', amount: '21.00', taxCode: '21% - Aankoop normaal tarief' },
      { account: '440000', amount: '-121.00', taxCode: '' },
    ]);
  });
});
