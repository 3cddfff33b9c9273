import { describe, expect, it } from 'vitest';
import {
  articleLine,
  bookkeepingLine,
  order,
  purchaseTransaction,
  refusalOf,
  refusedFields,
  salesInvoice,
  salesTransaction,
} from '../../testing/requests.ts';
import { readRequest } from '../readRequest.ts';
import { parseJson } from '../wire/json.ts';

const repeated = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

/** The four documents, with the names of their lists of lines. */
const documents = [
  ['addsalesinvoice', salesInvoice, 'Invoice_InvoiceLine', 'Customer'],
  ['addorder', order, 'Order_Orderline', 'Customer'],
  ['addsalestransaction', salesTransaction, 'Invoice_InvoiceLine', 'Customer'],
  ['addpurchasetransaction', purchaseTransaction, 'Invoice_InvoiceLine', 'Supplier'],
] as const;

describe.each(documents)('the document of %s', (name, valid, listName, role) => {
  const input = valid as Record<string, unknown>;
  const lines = input[listName] as object[];

  it('is accepted with only the required fields', () => {
    expect(readRequest(name, input).ignored).toEqual([]);
  });

  it('has at least one line and at most 75', () => {
    const withLines = (list: unknown) => ({ ...input, [listName]: list });
    expect(() => readRequest(name, withLines(repeated(75, lines[0])))).not.toThrow();
    for (const list of [repeated(76, lines[0]), [], null, '', {}, undefined]) {
      expect(refusedFields(name, withLines(list))).toEqual([listName]);
    }
    expect(refusalOf(name, withLines(repeated(76, lines[0]))).message).toBe(`${listName}: expected at most 75 lines`);
  });

  it(`finds its ${role.toLowerCase()} by number, name or e-mail`, () => {
    const { [`${role}Number`]: _, ...nobody } = input;
    for (const party of [{ [`${role}Number`]: '7' }, { [`${role}Name`]: 'Jansen' }, { [`${role}Email`]: 'a@b.nl' }]) {
      expect(() => readRequest(name, { ...nobody, ...party })).not.toThrow();
    }
    expect(refusedFields(name, nobody)).toEqual([`${role}Number`]);
  });

  it(`treats a ${role}Number of 0 and empty texts as left out`, () => {
    const unnamed = { ...input, [`${role}Number`]: 0, [`${role}Name`]: '', [`${role}Email`]: null };
    expect(refusedFields(name, unnamed)).toEqual([`${role}Number`]);
    expect(() => readRequest(name, { ...unnamed, [`${role}Name`]: 'Jansen' })).not.toThrow();
  });
});

describe.each([
  ['addsalesinvoice', salesInvoice, 'Invoice_InvoiceLine', 'InvoiceReference', 'Invoice_Address', 'Invoice_Attachment'],
  ['addorder', order, 'Order_Orderline', 'OrderReference', 'Order_Address', 'Order_Attachment'],
] as const)('the document of %s', (name, valid, lineList, reference, addressList, attachmentList) => {
  const withLine = (given: object) => ({ ...valid, [lineList]: [given] });
  const lineRead = (given: object) =>
    (readRequest(name, withLine(given)).request as unknown as Record<string, object[]>)[lineList]![0];
  const linePath = (given: object) => refusedFields(name, withLine(given));

  it('has a reference of at most 150 characters', () => {
    expect(() => readRequest(name, { ...valid, [reference]: 'x'.repeat(150) })).not.toThrow();
    expect(refusedFields(name, { ...valid, [reference]: 'x'.repeat(151) })).toEqual([reference]);
  });

  it('has lines that name a product, a quantity and a price', () => {
    expect(linePath({})).toEqual(
      ['ProductNumber', 'Quantity', 'UnitPriceExclTax'].map((field) => `${lineList}[0].${field}`),
    );
    expect(lineRead({ ProductEAN: '871', Quantity: '1.5', SubTotalInclTax: 12.1 })).toMatchObject({
      ProductEAN: '871',
      Quantity: '1.5',
      SubTotalInclTax: '12.1',
      IsTextLine: false,
      UseArticlePrice: false,
    });
  });

  it('needs no price on a line with the price of the article, and nothing on a text line', () => {
    expect(() => lineRead({ ProductNumber: 'A', Quantity: 1, UseArticlePrice: 'True' })).not.toThrow();
    expect(() => lineRead({ IsTextLine: 1, Description: 'Bedankt', TextLineCategory: null })).not.toThrow();
  });

  it('accepts a tax percentage of -1, which means that of the product, and no other negative one', () => {
    expect(lineRead({ ...articleLine, TaxPc: -1 })).toMatchObject({ TaxPc: '-1' });
    expect(linePath({ ...articleLine, TaxPc: -2 })).toEqual([`${lineList}[0].TaxPc`]);
    expect(linePath({ ...articleLine, TaxPc: 101 })).toEqual([`${lineList}[0].TaxPc`]);
  });

  it('accepts negative quantities and totals, for credits', () => {
    expect(lineRead({ ...articleLine, Quantity: -2 })).toMatchObject({ Quantity: '-2' });
    expect(lineRead({ ProductNumber: 'A', Quantity: 1, SubTotalInclTax: '-12.10' })).toMatchObject({
      SubTotalInclTax: '-12.1',
    });
  });

  it('accepts one discount for a line, a percentage or an amount', () => {
    expect(lineRead({ ...articleLine, DiscountPc: '10', DiscountAmountInclTax: '0' })).toMatchObject({
      DiscountPc: '10',
    });
    expect(linePath({ ...articleLine, DiscountPc: '10', DiscountAmountInclTax: '1' })).toEqual([
      `${lineList}[0].DiscountAmountInclTax`,
    ]);
    expect(linePath({ ...articleLine, DiscountPc: '100.01' })).toEqual([`${lineList}[0].DiscountPc`]);
  });

  it('accepts addresses of the known types, including InvoiceAddress', () => {
    for (const type of ['BillingAddress', 'ShippingAddress', 'InvoiceAddress', 'billingaddress']) {
      expect(() => readRequest(name, { ...valid, [addressList]: [{ Address_Type: type }] })).not.toThrow();
    }
    expect(refusedFields(name, { ...valid, [addressList]: [{}, { Address_Type: 'Home' }] })).toEqual([
      `${addressList}[1].Address_Type`,
    ]);
  });

  it('accepts attachments with an address, or with content and a name', () => {
    const attached = (...files: object[]) => ({ ...valid, [attachmentList]: files });
    const files = [{ FileUrl: 'https://example.com/a.pdf' }, { FileContent: 'QUJD', FileName: 'a.pdf', Internal: '1' }];
    const read = readRequest(name, attached(...files)).request as unknown as Record<string, object[]>;
    expect(read[attachmentList]).toMatchObject([{ Internal: false }, { Internal: true }]);
    expect(refusedFields(name, attached({ FileContent: 'QUJD' }, { FileName: 'a.pdf' }))).toEqual([
      `${attachmentList}[0].FileName`,
      `${attachmentList}[1].FileUrl`,
    ]);
  });

  it('accepts an attachment of ten megabytes, and none of twenty', () => {
    const FileContent = Buffer.alloc(10 * 1024 * 1024).toString('base64');
    expect(() => readRequest(name, { ...valid, [attachmentList]: [{ FileContent, FileName: 'a.pdf' }] })).not.toThrow();
    const twice = { FileContent: FileContent + FileContent, FileName: 'a.pdf' };
    expect(refusedFields(name, { ...valid, [attachmentList]: [twice] })).toEqual([`${attachmentList}[0].FileContent`]);
  });
});

describe('a sales invoice', () => {
  it('has the defaults of the interface', () => {
    expect(readRequest('addsalesinvoice', salesInvoice).request).toMatchObject({
      AddAsDraft: false,
      EmailToCustomer: false,
      HtmlAsPlainText: false,
      PeriodicInvoiceTemplate: false,
    });
    expect(readRequest('addorder', order).request).toMatchObject({ GeneralStatus: 'order', HtmlAsPlainText: false });
  });

  it.each([
    ['True', true],
    ['False', false],
    ['1', true],
    ['', false],
    [1, true],
    [0, false],
  ])('is a draft for AddAsDraft %j: %s', (AddAsDraft, expected) => {
    expect(readRequest('addsalesinvoice', { ...salesInvoice, AddAsDraft }).request.AddAsDraft).toBe(expected);
  });

  it('is read with every digit of its number', () => {
    const body = parseJson(
      '{"InvoiceNumber":9007199254740993,"CustomerNumber":1,"Invoice_InvoiceLine":[{"IsTextLine":true}]}',
    );
    expect(readRequest('addsalesinvoice', body).request.InvoiceNumber).toBe('9007199254740993');
  });

  it('that is a periodic template needs a starting date, a frequency and a unit', () => {
    const template = { ...salesInvoice, PeriodicInvoiceTemplate: true };
    expect(refusedFields('addsalesinvoice', template)).toEqual([
      'Periodic_StartingDate',
      'Periodic_Frequency',
      'Periodic_FrequencyUnit',
    ]);
    const complete = {
      ...template,
      Periodic_StartingDate: '31-01-2026',
      Periodic_Frequency: 1,
      Periodic_FrequencyUnit: 'month',
    };
    expect(readRequest('addsalesinvoice', complete).request.Periodic_FrequencyUnit).toBe('Month');
    expect(refusedFields('addsalesinvoice', { ...complete, Periodic_Frequency: 0 })).toEqual(['Periodic_Frequency']);
    expect(refusedFields('addsalesinvoice', { ...complete, Periodic_EndDate: '30-01-2026' })).toEqual([
      'Periodic_EndDate',
    ]);
    expect(() => readRequest('addsalesinvoice', { ...complete, Periodic_EndDate: '31-01-2026' })).not.toThrow();
  });
});

describe('a bookkeeping line', () => {
  it.each([
    ['addsalestransaction', salesTransaction],
    ['addpurchasetransaction', purchaseTransaction],
  ] as const)('of %s needs its tax and its total', (name, valid) => {
    const paths = (given: object) => refusedFields(name, { ...valid, Invoice_InvoiceLine: [given] });
    expect(paths({ SubTotalInclTax: 1 })).toEqual(['Invoice_InvoiceLine[0].TaxPc']);
    expect(paths({ SubTotalInclTax: 1, TaxPc: -1 })).toEqual(['Invoice_InvoiceLine[0].TaxPc']);
    expect(paths({ TaxPc: 0 })).toEqual(['Invoice_InvoiceLine[0].SubTotalInclTax']);
    expect(paths({ TaxPc: 0, SubTotalInclTax: '' })).toEqual(['Invoice_InvoiceLine[0].SubTotalInclTax']);
    expect(() =>
      readRequest(name, { ...valid, Invoice_InvoiceLine: [{ TaxPc: 0, SubTotalInclTax: 0 }] }),
    ).not.toThrow();
  });

  it('may have a classification of 81, 82 or 83 on a purchase, and none on a sale', () => {
    const classified = (PurchaseClassification: unknown) => ({
      ...purchaseTransaction,
      Invoice_InvoiceLine: [{ ...bookkeepingLine, PurchaseClassification }],
    });
    for (const given of ['81', 82, '83', '', null]) {
      expect(() => readRequest('addpurchasetransaction', classified(given))).not.toThrow();
    }
    expect(refusedFields('addpurchasetransaction', classified('84'))).toEqual([
      'Invoice_InvoiceLine[0].PurchaseClassification',
    ]);
    expect(readRequest('addsalestransaction', { ...classified('81'), CustomerNumber: 1 }).ignored).toContain(
      'Invoice_InvoiceLine[0].PurchaseClassification',
    );
  });
});
