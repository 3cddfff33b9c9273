import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../shared/problem.ts';
import { deeper } from '../../../../testing/deep.ts';
import { customers, documentOf, invoiceDocuments, issuers } from '../../../../testing/documents/invoiceDocuments.ts';
import { brokenRules } from '../../../../testing/documents/peppolRules.ts';
import type { InvoiceDocument } from '../invoiceDocument.ts';
import { eInvoice } from './eInvoice.ts';
import { unitCode } from './unitCodes.ts';

const ONE = 10n ** 8n;
const high = { taxCode: '21% - Hoog', category: 'S', rate: 21n * ONE } as const;

const line = (unitExcl: bigint, quantity = 1n, percentage = 0n, tax: typeof high = high) => ({
  amount: {
    quantity: quantity * ONE,
    price: { kind: 'unit', excl: unitExcl } as const,
    discount: { kind: 'percentage', percentage: percentage * ONE } as const,
    taxCode: tax.taxCode,
    rate: tax.rate,
  },
  tax,
  description: 'Rozen',
});

const simple = (more: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  ...documentOf([line(10n * ONE, 2n)], 0n, { issuer: issuers.NL, customer: customers.NL }),
  ...more,
});

const refusals = (document: InvoiceDocument): readonly string[] => {
  try {
    eInvoice(document);
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown.errors.map(({ path }) => path);
    throw thrown;
  }
  return [];
};

describe('an e-invoice', () => {
  it('follows the rules of EN 16931, of Peppol and of both countries, for any invoice', () => {
    fc.assert(
      fc.property(invoiceDocuments(), (document) => {
        expect(brokenRules(eInvoice(document))).toEqual([]);
      }),
      // Shrinking such a large document takes minutes, so the first failure is reported.
      { numRuns: deeper(400, 4000), endOnFailure: true },
    );
  });

  it('has the totals of the journal', () => {
    fc.assert(
      fc.property(invoiceDocuments(), (document) => {
        const xml = eInvoice(document);
        const sign = xml.includes('<CreditNote') ? -1 : 1;
        const amountOf = (name: string) => {
          const [, amount = ''] = new RegExp(`<cbc:${name} currencyID="EUR">([^<]*)<`).exec(xml) ?? [];
          return BigInt(amount.replace('.', '')) * BigInt(sign);
        };
        expect([amountOf('TaxExclusiveAmount'), amountOf('TaxInclusiveAmount'), amountOf('PayableAmount')]).toEqual([
          document.excl,
          document.incl,
          document.incl,
        ]);
      }),
    );
  });

  it('has the structured remittance for the payment', () => {
    const document = { ...simple(), issuer: issuers.BE, customer: customers.BE, ogm: '+++010/8068/17183+++' };
    expect(eInvoice(document)).toContain('<cbc:PaymentID>+++010/8068/17183+++</cbc:PaymentID>');
  });

  it('of a credit is a credit note with positive amounts', () => {
    const document = documentOf([line(10n * ONE, -2n)], 0n, { issuer: issuers.NL, customer: customers.NL });
    const xml = eInvoice(document);
    expect(xml).toContain('<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>');
    expect(xml).toContain('<cbc:CreditedQuantity unitCode="C62">2</cbc:CreditedQuantity>');
    expect(xml).toContain('<cbc:PayableAmount currencyID="EUR">24.20</cbc:PayableAmount>');
    expect(xml).toContain('<cbc:ID>20260042</cbc:ID>');
  });

  it('has the discounts of a line and of the document as percentages with their base', () => {
    const document = documentOf([line(100n * ONE, 1n, 10n)], 5n * ONE, { issuer: issuers.BE, customer: customers.BE });
    const xml = eInvoice(document).replace(/\s*\n\s*/g, '');
    expect(xml).toContain(
      '<cbc:MultiplierFactorNumeric>10</cbc:MultiplierFactorNumeric><cbc:Amount currencyID="EUR">10.00</cbc:Amount><cbc:BaseAmount currencyID="EUR">100.00</cbc:BaseAmount>',
    );
    expect(xml).toContain(
      '<cbc:MultiplierFactorNumeric>5</cbc:MultiplierFactorNumeric><cbc:Amount currencyID="EUR">4.50</cbc:Amount><cbc:BaseAmount currencyID="EUR">90.00</cbc:BaseAmount>',
    );
  });

  it.each(['EL094259216', 'GR 094259216', '094259216'])(
    'has the Greek VAT number %s with the letters EL',
    (vatNumber) => {
      const address = { ...customers.DE.address, countryCode: 'GR' };
      const customer = { ...customers.DE, address, vatNumber, registrationNumber: '' };
      const xml = eInvoice(simple({ customer }));
      expect(xml).toContain('<cbc:EndpointID schemeID="9933">EL094259216</cbc:EndpointID>');
      expect(xml).toContain('<cbc:CompanyID>EL094259216</cbc:CompanyID>');
    },
  );

  it.each(['FR53000004605', '53 000 004 605', 'MC 53000004605'])(
    'has the VAT number %s of Monaco with the letters FR, by which it is registered',
    (vatNumber) => {
      const address = { ...customers.FR.address, countryCode: 'MC' };
      const customer = { ...customers.FR, address, vatNumber, registrationNumber: '' };
      const xml = eInvoice(simple({ customer }));
      expect(xml).toContain('<cbc:EndpointID schemeID="9957">FR53000004605</cbc:EndpointID>');
      expect(xml).toContain('<cbc:CompanyID>FR53000004605</cbc:CompanyID>');
    },
  );

  it.each(['BTW NL002065538B68', 'btw: NL0020.65.538.B68'])('has the VAT number of %s', (vatNumber) => {
    const customer = { ...customers.NL, vatNumber };
    expect(eInvoice(simple({ customer }))).toContain('<cbc:CompanyID>NL002065538B68</cbc:CompanyID>');
  });

  it('has the address of a Belgian customer whose VAT number stands behind the word for it', () => {
    const customer = { ...customers.BEByVat, vatNumber: 'TVA BE 0403.170.701' };
    const xml = eInvoice(simple({ customer }));
    expect(xml).toContain('<cbc:EndpointID schemeID="0208">0403170701</cbc:EndpointID>');
  });

  it.each(['NO 974 760 673 MVA', '974760673'])('has the address of a Norwegian customer with %s', (vatNumber) => {
    const address = { ...customers.DE.address, countryCode: 'NO' };
    const customer = { ...customers.DE, address, vatNumber, registrationNumber: '' };
    expect(eInvoice(simple({ customer }))).toContain('<cbc:EndpointID schemeID="0192">974760673</cbc:EndpointID>');
  });

  it.each([
    ['TR', '1234567890', '9952'],
    ['SM', 'SM24165', '9951'],
    ['LI', 'LI50119', '9936'],
    ['AD', 'ADL709604N', '9922'],
  ])('takes VAT numbers of %s, whose check digits nobody here knows, as they are', (countryCode, vatNumber, scheme) => {
    const address = { ...customers.DE.address, countryCode };
    const customer = { ...customers.DE, address, vatNumber, registrationNumber: '' };
    const written = vatNumber.replace(/^\d/, `${countryCode}$&`);
    expect(eInvoice(simple({ customer }))).toContain(`schemeID="${scheme}">${written}</cbc:EndpointID>`);
  });

  it('has no characters that XML does not allow', () => {
    const xml = eInvoice(simple({ notes: 'a\u0000b\u0008c\ud800d <script>alert(1)</script>&lt;x&gt;' }));
    expect(xml).toContain('<cbc:Note>abc\ufffdd &lt;x&gt;</cbc:Note>');
  });
});

describe('an e-invoice is refused with the field for', () => {
  const other = (more: Partial<InvoiceDocument['customer']>) => ({ customer: { ...customers.NL, ...more } });
  const issuerWith = (more: Partial<InvoiceDocument['issuer']>) => ({ issuer: { ...issuers.NL, ...more } });
  const nowhere = { ...customers.NL.address, countryCode: '' };

  it.each<[string, Partial<InvoiceDocument>, string]>([
    ['a draft', { isDraft: true }, 'isDraft'],
    [
      'a customer without country',
      other({ address: nowhere, vatNumber: 'NL002065538B68' }),
      'customer.address.countryCode',
    ],
    [
      'a customer in UK, which is no code of ISO 3166',
      other({ address: { ...customers.NL.address, countryCode: 'UK' } }),
      'customer.address.countryCode',
    ],
    [
      'a delivery to a country that does not exist',
      { delivery: { ...customers.NL.address, countryCode: 'XX' } },
      'delivery.countryCode',
    ],
    ['a private customer', other({ vatNumber: '', registrationNumber: '' }), 'customer.registrationNumber'],
    ['a wrong VAT number', other({ vatNumber: 'NL002065539B68' }), 'customer.vatNumber'],
    ['an issuer without company number', issuerWith({ companyNumber: '' }), 'issuer.companyNumber'],
    ['an issuer without VAT number', issuerWith({ vatNumber: '' }), 'issuer.vatNumber'],
    ['an issuer with a wrong IBAN', issuerWith({ iban: 'NL91ABNA0417164301' }), 'issuer.iban'],
    [
      'an issuer without street',
      issuerWith({ address: { ...issuers.NL.address, street: '' } }),
      'issuer.address.street',
    ],
    ['no line with an amount', { lines: [{ kind: 'text', category: '', description: 'x' }] }, 'lines'],
  ])('%s', (_title, more, path) => {
    expect(refusals(simple(more))).toContain(path);
  });

  it.each([
    ['SE', 'SE556012579101'],
    ['DK', 'DK13585629'],
    ['NO', 'NO974760674MVA'],
    ['FR', 'FRK8399859412'],
    ['MC', '54000004605'],
    ['MC', 'MC12345'],
  ])('a wrong VAT number of %s, and not one that is missing', (countryCode, vatNumber) => {
    const address = { ...customers.DE.address, countryCode };
    expect(refusals(simple(other({ address, vatNumber, registrationNumber: '' })))).toEqual(['customer.vatNumber']);
  });

  it.each(['geen', 'onbekend', 'zie NL002065538B68', 'niet btw-plichtig', 'EU372012345', 'XI110305879'])(
    'the VAT number "%s" of a customer with a company number',
    (vatNumber) => {
      expect(refusals(simple(other({ vatNumber })))).toEqual(['customer.vatNumber']);
    },
  );

  it.each(['GB', 'CW', 'XX', 'UK', 'AN', 'SU', 'IC', 'XK'])('the country %s only when ISO 3166 lacks it', (code) => {
    const isCode = ['GB', 'CW'].includes(code);
    const paths = refusals(simple(other({ address: { ...customers.NL.address, countryCode: code } })));
    expect(paths.includes('customer.address.countryCode')).toBe(!isCode);
  });

  it('a unit without a code', () => {
    const document = simple();
    const lines = document.lines.map((one) => ({ ...one, unit: 'snufje' }));
    expect(refusals({ ...document, lines } as InvoiceDocument)).toEqual(['lines[0].unit']);
  });

  it('a Dutch credit note without the credited invoice', () => {
    const credit = documentOf([line(-10n * ONE)], 0n, { issuer: issuers.NL, customer: customers.NL, credited: '' });
    expect(refusals(credit)).toEqual(['reference']);
  });

  it('lines outside the scope of VAT together with others', () => {
    const outside = { taxCode: '0% - Buiten', category: 'O', rate: 0n } as unknown as typeof high;
    const mixed = documentOf([line(ONE), line(ONE, 1n, 0n, outside)], 0n, {
      issuer: issuers.NL,
      customer: customers.NL,
    });
    expect(refusals(mixed)).toEqual(['lines']);
  });
});

describe('a unit', () => {
  it.each([
    ['Stuks', 'C62'],
    ['', 'C62'],
    ['uur', 'HUR'],
    ['KGM', 'KGM'],
    ['m²', 'MTK'],
    ['Doos', 'XBX'],
    ['dozen', undefined],
    ['snufje', undefined],
  ])('%s has the code %s', (unit, code) => {
    expect(unitCode(unit)).toBe(code);
  });
});
