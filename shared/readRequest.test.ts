import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestArbitrary } from './api.arbitrary.ts';
import { type EndpointName, endpointNames, endpointOf } from './api.ts';
import { Problem } from './problem.ts';
import { readRequest } from './readRequest.ts';
import { parseJson } from './wire/json.ts';

const refusal = (name: EndpointName, input: unknown): Problem => {
  try {
    readRequest(name, input);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`${name} accepted the request`);
};
const pathsRefused = (name: EndpointName, input: unknown) => refusal(name, input).errors.map(({ path }) => path);

const line = { ProductNumber: 'A-1', Quantity: 2, UnitPriceExclTax: '10.00' };
const booked = { TaxCode: '21% - Hoog', SubTotalInclTax: 121 };
const invoice = { CustomerNumber: 12, Invoice_InvoiceLine: [line] };
const order = { CustomerNumber: 12, Order_Orderline: [line] };
const sale = { CustomerNumber: 12, Invoice_InvoiceLine: [booked] };
const purchase = { SupplierNumber: 12, Invoice_InvoiceLine: [booked] };
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

/** The four documents, with the names of their lists of lines. */
const documents = [
  ['addsalesinvoice', invoice, 'Invoice_InvoiceLine', 'Customer'],
  ['addorder', order, 'Order_Orderline', 'Customer'],
  ['addsalestransaction', sale, 'Invoice_InvoiceLine', 'Customer'],
  ['addpurchasetransaction', purchase, 'Invoice_InvoiceLine', 'Supplier'],
] as const;

describe('a query', () => {
  it('knows its parameters in any case', () => {
    expect(readRequest('listrelations', { LIMIT: '50', relationtype: 'customer', searchoperand: 'or' })).toMatchObject({
      request: { Limit: 50, RelationType: 'Customer', SearchOperand: 'OR' },
      ignored: [],
    });
    expect(
      readRequest('listprojectmaterialbooking', { Limit: '5', OFFSET: '10', product_number: '0100' }).request,
    ).toEqual({
      limit: 5,
      offset: 10,
      Product_Number: '0100',
    });
  });

  it('of relations has the defaults of the interface', () => {
    expect(readRequest('listrelations', {}).request).toEqual({
      RelationType: 'All',
      SearchOperand: 'AND',
      Sorting: 'RelationGUID',
      SortDir: 'DESC',
    });
  });

  it('sorts by createdDate as by CreatedDate', () => {
    expect(readRequest('listrelations', { Sorting: 'createdDate' }).request.Sorting).toBe('CreatedDate');
  });

  it('sorts descending when SortDir is a word nobody knows', () => {
    expect(readRequest('listrelations', { SortDir: 'DEC' }).request.SortDir).toBe('DESC');
    expect(readRequest('listrelations', { SortDir: 'asc' }).request.SortDir).toBe('ASC');
  });

  it('keeps a RelationGUID to the last digit', () => {
    expect(readRequest('listrelations', { RelationGUID: '9007199254740993' }).request.RelationGUID).toBe(
      '9007199254740993',
    );
  });

  it.each([
    'InlcudeInvoiceLinesInResponse',
    'IncludeInvoiceLinesInResponse',
    'includeinvoicelinesinresponse',
    'inlcudeinvoicelinesinresponse',
  ])('asks for invoice lines as %s', (spelling) => {
    const { request, ignored } = readRequest('listsalesinvoices', { [spelling]: 'True' });
    expect(request.InlcudeInvoiceLinesInResponse).toBe(true);
    expect(ignored).toEqual([]);
  });

  it('counts the first of a parameter that comes twice', () => {
    expect(readRequest('listsalesinvoices', { Limit: '5', limit: '7' }).request.Limit).toBe(5);
  });

  it('takes empty parameters for none', () => {
    expect(readRequest('listsalesinvoices', { InvoiceNumber: '', DateFrom: '', Limit: '' }).request).toEqual({
      InlcudeInvoiceLinesInResponse: false,
      IncludeBase64PDF: false,
    });
  });

  it.each([
    ['listrelations', { Limit: '0' }, 'Limit'],
    ['listrelations', { Offset: '-1' }, 'Offset'],
    ['listrelations', { Sorting: 'Age' }, 'Sorting'],
    ['listrelations', { RelationGUID: '9223372036854775808' }, 'RelationGUID'],
    ['listrelations', { ChangedSince: 'yesterday' }, 'ChangedSince'],
    ['listsalesinvoices', { DateFrom: '31-02-2026' }, 'DateFrom'],
    ['listsalesinvoices', { datetill: '2026-01-31' }, 'DateTill'],
    ['listledgeraccounts', { FiscalYear: 'last' }, 'FiscalYear'],
    ['listledgeraccounts', { LedgerType: 'Cash' }, 'LedgerType'],
    ['listprojectmaterialbooking', { SelectProjectBy: 'COLOUR' }, 'SelectProjectBy'],
  ] as const)('of %s is refused for %j', (name, query, path) => {
    const problem = refusal(name, query);
    expect(problem.code).toBe('INVALID_REQUEST');
    expect(problem.errors.map((error) => error.path)).toEqual([path]);
    expect(problem.message).toBe(`${path}: ${problem.errors[0]!.message}`);
  });

  it.each([
    ['listrelations', 'Limit'],
    ['listsalesinvoices', 'Limit'],
    ['listprojectmaterialbooking', 'limit'],
  ] as const)('of %s may ask for more than there can be', (name, limit) => {
    expect(readRequest(name, { [limit]: '9999999999' }).request).toMatchObject({ [limit]: 2_147_483_647 });
    expect(pathsRefused(name, { [limit]: '1.5' })).toEqual([limit]);
  });

  it('names the parameters it does not know, and goes on without them', () => {
    expect(readRequest('listtaxcodes', { Colour: 'red' })).toEqual({ request: {}, ignored: ['Colour'] });
  });
});

describe('a body', () => {
  it.each([null, undefined, [], [{}], 'text', 5, true])('that is %j is refused', (body) => {
    const problem = refusal('addproduct', body);
    expect(problem.status).toBe(400);
    expect(problem.errors).toMatchObject([{ path: '', message: 'expected a JSON object' }]);
  });

  it('is known by the exact names of its fields', () => {
    expect(pathsRefused('updateproduct', { articlenumber: 'A-1' })).toEqual(['ArticleNumber']);
  });

  it('names the fields it does not know, within lines too', () => {
    const body = { ...invoice, Colour: 1, Invoice_InvoiceLine: [line, { ...line, Width: 2 }] };
    expect(readRequest('addsalesinvoice', body).ignored).toEqual(['Invoice_InvoiceLine[1].Width', 'Colour']);
  });

  it('is refused with every field that is wrong, each by where it stands', () => {
    const body = {
      ...invoice,
      InvoiceDate: '31-02-2026',
      InvoiceReference: 'x'.repeat(151),
      Invoice_InvoiceLine: [line, { ...line, Quantity: 'two' }],
      Invoice_Address: [{ Address_CountryCode: 'NLD' }],
    };
    const problem = refusal('addsalesinvoice', body);
    expect(problem.errors).toMatchObject([
      { path: 'InvoiceDate', message: 'expected a date as dd-MM-yyyy, got "31-02-2026"' },
      { path: 'InvoiceReference', message: 'expected at most 150 characters, got 151' },
      { path: 'Invoice_InvoiceLine[1].Quantity', message: 'expected a decimal number such as 12.50, got "two"' },
      { path: 'Invoice_Address[0].Address_CountryCode', message: 'expected a country code of two letters, got "NLD"' },
    ]);
  });

  it.each<[unknown, string, string]>([
    [{ Label: 'L' }, '', 'expected a list, got an object'],
    ['Kleur', '', 'expected a list, got "Kleur"'],
    [5, '', 'expected a list, got 5'],
    [true, '', 'expected a list, got true'],
    [[null], '[0]', 'expected an object, got null'],
    [['Kleur'], '[0]', 'expected an object, got "Kleur"'],
    [[[]], '[0]', 'expected an object, got a list'],
  ])('with %j for a list says what was expected', (given, at, message) => {
    for (const [name, lists] of [
      ['updateproduct', ['Product_CustomField', 'Product_Batch']],
      ['addproduct', ['Product_CustomField', 'Product_Batch']],
      ['addorder', ['Order_Address', 'Order_Attachment']],
      ['addsalesinvoice', ['Invoice_Address', 'Invoice_Attachment']],
    ] as const) {
      for (const list of lists) {
        expect(refusal(name, { [list]: given }).errors).toContainEqual(
          expect.objectContaining({ path: `${list}${at}`, message }),
        );
      }
    }
  });

  it.each(endpointNames.filter((name) => endpointOf(name).method !== 'GET'))(
    'of %s has every mistake told in the words of the interface, whatever its fields are',
    (name) => {
      for (const wrong of [{}, [null], ['x'], [[]], 'x', 5, true, () => 1, NaN]) {
        const given = Object.fromEntries(Object.keys(endpointOf(name).request.shape).map((field) => [field, wrong]));
        for (const { message } of refusal(name, given).errors) expect(message).toMatch(/^(expected|is required)/);
      }
    },
  );

  it('with members that pose as methods is refused by path', () => {
    const body = parseJson(
      '{"ArticleNumber":{"toString":1},"Archived":{"toString":1,"valueOf":2},"StockUpdateMode":["Relative"]}',
    );
    expect(pathsRefused('updateproduct', body)).toEqual(['ArticleNumber', 'StockUpdateMode', 'Archived']);
  });
});

describe('a product', () => {
  it('is selected by its article number or its EAN', () => {
    expect(readRequest('updateproduct', { ArticleNumber: '0100' }).request.ArticleNumber).toBe('0100');
    expect(readRequest('updateproduct', { EAN: 8711234567890 }).request.EAN).toBe('8711234567890');
    expect(pathsRefused('updateproduct', { NewName: 'Hamer' })).toEqual(['ArticleNumber']);
    expect(pathsRefused('updateproduct', { ArticleNumber: '', EAN: null })).toEqual(['ArticleNumber']);
  });

  it('is updated with the defaults of the interface', () => {
    expect(readRequest('updateproduct', { ArticleNumber: 'A' }).request).toEqual({
      ArticleNumber: 'A',
      CategoryCreateIfMissing: false,
      StockUpdateMode: 'Relative',
      BatchStockUpdateMode: 'Relative',
      BatchMatchMode: 'Description',
    });
  });

  it('is made with an article number, a name and a category', () => {
    expect(pathsRefused('addproduct', {})).toEqual(['ArticleNumber', 'NewName', 'CategoryName']);
    expect(pathsRefused('addproduct', { ArticleNumber: 'A', NewName: '', CategoryName: null })).toEqual([
      'NewName',
      'CategoryName',
    ]);
    expect(readRequest('addproduct', { ArticleNumber: 'A', NewName: 'B', CategoryName: 'C' }).request).toMatchObject({
      ArticleNumber: 'A',
      NewName: 'B',
      CategoryName: 'C',
    });
  });

  it('has a description of at most 400 characters', () => {
    const described = (length: number) => ({ ArticleNumber: 'A', NewDescription: 'é'.repeat(length) });
    expect(readRequest('updateproduct', described(400)).request.NewDescription).toHaveLength(400);
    expect(pathsRefused('updateproduct', described(401))).toEqual(['NewDescription']);
  });

  it.each([
    ['Integer', 'IntValue', 5],
    ['Date', 'DateTimeValue', '29-02-2024'],
    ['Decimal', 'DecimalValue', '1.50'],
    ['TextSmall', 'StringValue', 'x'],
    ['TextLarge', 'StringValue', 'x'],
    ['Hyperlink', 'StringValue', 'https://example.com'],
    ['Checkbox', 'BooleanValue', 'True'],
    ['List', 'StringValue', 'x'],
  ])('has a custom field of type %s with its %s', (FieldType, member, value) => {
    const withField = (given: object) => ({
      ArticleNumber: 'A',
      Product_CustomField: [{ Label: 'L', FieldType, ...given }],
    });
    expect(readRequest('updateproduct', withField({ [member]: value })).request.Product_CustomField).toHaveLength(1);
    expect(pathsRefused('updateproduct', withField({}))).toEqual([`Product_CustomField[0].${member}`]);
  });

  it('has batches, whose stock stays when none is given', () => {
    const { request } = readRequest('updateproduct', {
      ArticleNumber: 'A',
      BatchMatchMode: 'description_AND_date',
      Product_Batch: [{ Description: 'B-1', BatchExpiryDate: '31-12-2026', BatchStockQty: '' }],
    });
    expect(request.BatchMatchMode).toBe('Description_and_date');
    expect(request.Product_Batch![0]).toEqual({ Description: 'B-1', BatchExpiryDate: '2026-12-31' });
  });
});

describe.each(documents)('the document of %s', (name, valid, listName, role) => {
  const input = valid as Record<string, unknown>;
  const lines = input[listName] as object[];

  it('is accepted with what it needs', () => {
    expect(readRequest(name, input).ignored).toEqual([]);
  });

  it('has one line at the least and 75 at the most', () => {
    const withLines = (list: unknown) => ({ ...input, [listName]: list });
    expect(() => readRequest(name, withLines(times(75, lines[0])))).not.toThrow();
    for (const list of [times(76, lines[0]), [], null, '', {}, undefined]) {
      expect(pathsRefused(name, withLines(list))).toEqual([listName]);
    }
    expect(refusal(name, withLines(times(76, lines[0]))).message).toBe(`${listName}: expected at most 75 lines`);
  });

  it(`finds its ${role.toLowerCase()} by number, name or e-mail`, () => {
    const { [`${role}Number`]: _, ...nobody } = input;
    for (const party of [{ [`${role}Number`]: '7' }, { [`${role}Name`]: 'Jansen' }, { [`${role}Email`]: 'a@b.nl' }]) {
      expect(() => readRequest(name, { ...nobody, ...party })).not.toThrow();
    }
    expect(pathsRefused(name, nobody)).toEqual([`${role}Number`]);
  });

  it(`takes a ${role}Number of 0 and empty texts for none`, () => {
    const unnamed = { ...input, [`${role}Number`]: 0, [`${role}Name`]: '', [`${role}Email`]: null };
    expect(pathsRefused(name, unnamed)).toEqual([`${role}Number`]);
    expect(() => readRequest(name, { ...unnamed, [`${role}Name`]: 'Jansen' })).not.toThrow();
  });
});

describe.each([
  ['addsalesinvoice', invoice, 'Invoice_InvoiceLine', 'InvoiceReference', 'Invoice_Address', 'Invoice_Attachment'],
  ['addorder', order, 'Order_Orderline', 'OrderReference', 'Order_Address', 'Order_Attachment'],
] as const)('the document of %s', (name, valid, lineList, reference, addressList, attachmentList) => {
  const withLine = (given: object) => ({ ...valid, [lineList]: [given] });
  const lineRead = (given: object) =>
    (readRequest(name, withLine(given)).request as unknown as Record<string, object[]>)[lineList]![0];
  const linePath = (given: object) => pathsRefused(name, withLine(given));

  it('has a reference of at most 150 characters', () => {
    expect(() => readRequest(name, { ...valid, [reference]: 'x'.repeat(150) })).not.toThrow();
    expect(pathsRefused(name, { ...valid, [reference]: 'x'.repeat(151) })).toEqual([reference]);
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

  it('takes the tax of the product for a percentage of -1, which no other negative one means', () => {
    expect(lineRead({ ...line, TaxPc: -1 })).toMatchObject({ TaxPc: '-1' });
    expect(linePath({ ...line, TaxPc: -2 })).toEqual([`${lineList}[0].TaxPc`]);
    expect(linePath({ ...line, TaxPc: 101 })).toEqual([`${lineList}[0].TaxPc`]);
  });

  it('has a credit as a negative quantity, price or total', () => {
    expect(lineRead({ ...line, Quantity: -2 })).toMatchObject({ Quantity: '-2' });
    expect(lineRead({ ProductNumber: 'A', Quantity: 1, SubTotalInclTax: '-12.10' })).toMatchObject({
      SubTotalInclTax: '-12.1',
    });
  });

  it('has one discount on a line, as a percentage or as an amount', () => {
    expect(lineRead({ ...line, DiscountPc: '10', DiscountAmountInclTax: '0' })).toMatchObject({ DiscountPc: '10' });
    expect(linePath({ ...line, DiscountPc: '10', DiscountAmountInclTax: '1' })).toEqual([
      `${lineList}[0].DiscountAmountInclTax`,
    ]);
    expect(linePath({ ...line, DiscountPc: '100.01' })).toEqual([`${lineList}[0].DiscountPc`]);
  });

  it('has addresses of a known type, InvoiceAddress among them', () => {
    for (const type of ['BillingAddress', 'ShippingAddress', 'InvoiceAddress', 'billingaddress']) {
      expect(() => readRequest(name, { ...valid, [addressList]: [{ Address_Type: type }] })).not.toThrow();
    }
    expect(pathsRefused(name, { ...valid, [addressList]: [{}, { Address_Type: 'Home' }] })).toEqual([
      `${addressList}[1].Address_Type`,
    ]);
  });

  it('has attachments by address, or by content with a name', () => {
    const attached = (...files: object[]) => ({ ...valid, [attachmentList]: files });
    const files = [{ FileUrl: 'https://example.com/a.pdf' }, { FileContent: 'QUJD', FileName: 'a.pdf', Internal: '1' }];
    const read = readRequest(name, attached(...files)).request as unknown as Record<string, object[]>;
    expect(read[attachmentList]).toMatchObject([{ Internal: false }, { Internal: true }]);
    expect(pathsRefused(name, attached({ FileContent: 'QUJD' }, { FileName: 'a.pdf' }))).toEqual([
      `${attachmentList}[0].FileName`,
      `${attachmentList}[1].FileUrl`,
    ]);
  });

  it('has an attachment of ten megabytes', () => {
    const FileContent = Buffer.alloc(10 * 1024 * 1024).toString('base64');
    expect(() => readRequest(name, { ...valid, [attachmentList]: [{ FileContent, FileName: 'a.pdf' }] })).not.toThrow();
    const twice = { FileContent: FileContent + FileContent, FileName: 'a.pdf' };
    expect(pathsRefused(name, { ...valid, [attachmentList]: [twice] })).toEqual([`${attachmentList}[0].FileContent`]);
  });
});

describe('a sales invoice', () => {
  it('has the defaults of the interface', () => {
    expect(readRequest('addsalesinvoice', invoice).request).toMatchObject({
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
    expect(readRequest('addsalesinvoice', { ...invoice, AddAsDraft }).request.AddAsDraft).toBe(expected);
  });

  it('keeps its number to the last digit', () => {
    const body = parseJson(
      '{"InvoiceNumber":9007199254740993,"CustomerNumber":1,"Invoice_InvoiceLine":[{"IsTextLine":true}]}',
    );
    expect(readRequest('addsalesinvoice', body).request.InvoiceNumber).toBe('9007199254740993');
  });

  it('that is a periodic template has a start, a frequency and a unit', () => {
    const template = { ...invoice, PeriodicInvoiceTemplate: true };
    expect(pathsRefused('addsalesinvoice', template)).toEqual([
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
    expect(pathsRefused('addsalesinvoice', { ...complete, Periodic_Frequency: 0 })).toEqual(['Periodic_Frequency']);
    expect(pathsRefused('addsalesinvoice', { ...complete, Periodic_EndDate: '30-01-2026' })).toEqual([
      'Periodic_EndDate',
    ]);
    expect(() => readRequest('addsalesinvoice', { ...complete, Periodic_EndDate: '31-01-2026' })).not.toThrow();
  });
});

describe('a bookkeeping line', () => {
  it.each([
    ['addsalestransaction', sale],
    ['addpurchasetransaction', purchase],
  ] as const)('of %s says its tax and its total', (name, valid) => {
    const paths = (given: object) => pathsRefused(name, { ...valid, Invoice_InvoiceLine: [given] });
    expect(paths({ SubTotalInclTax: 1 })).toEqual(['Invoice_InvoiceLine[0].TaxPc']);
    expect(paths({ SubTotalInclTax: 1, TaxPc: -1 })).toEqual(['Invoice_InvoiceLine[0].TaxPc']);
    expect(paths({ TaxPc: 0 })).toEqual(['Invoice_InvoiceLine[0].SubTotalInclTax']);
    expect(paths({ TaxPc: 0, SubTotalInclTax: '' })).toEqual(['Invoice_InvoiceLine[0].SubTotalInclTax']);
    expect(() =>
      readRequest(name, { ...valid, Invoice_InvoiceLine: [{ TaxPc: 0, SubTotalInclTax: 0 }] }),
    ).not.toThrow();
  });

  it('of a purchase may be classified as 81, 82 or 83, of a sale not at all', () => {
    const classified = (PurchaseClassification: unknown) => ({
      ...purchase,
      Invoice_InvoiceLine: [{ ...booked, PurchaseClassification }],
    });
    for (const given of ['81', 82, '83', '', null]) {
      expect(() => readRequest('addpurchasetransaction', classified(given))).not.toThrow();
    }
    expect(pathsRefused('addpurchasetransaction', classified('84'))).toEqual([
      'Invoice_InvoiceLine[0].PurchaseClassification',
    ]);
    expect(readRequest('addsalestransaction', { ...classified('81'), CustomerNumber: 1 }).ignored).toContain(
      'Invoice_InvoiceLine[0].PurchaseClassification',
    );
  });
});

describe.each(endpointNames)('a request of %s', (name) => {
  const isQuery = endpointOf(name).method === 'GET';
  const asSent = (request: Record<string, unknown>): unknown =>
    isQuery
      ? Object.fromEntries(
          Object.entries(request).map(([field, value]) => [field, value === null ? '' : String(value)]),
        )
      : parseJson(JSON.stringify(request));

  it('that is valid is accepted, in whatever form it comes, and loses no field', () => {
    fc.assert(
      fc.property(requestArbitrary(name), (request) => {
        const { request: read, ignored } = readRequest(name, asSent(request));
        expect(ignored).toEqual([]);
        for (const [field, value] of Object.entries(request)) {
          if (value !== null && value !== '') expect(read).toHaveProperty(field);
        }
      }),
    );
  });

  it('that is changed anywhere is accepted or refused with the paths of its fields, never anything else', () => {
    const change = fc.record({
      at: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      by: fc.oneof(
        fc.constantFrom<unknown>(
          null,
          '',
          0,
          -1,
          1e300,
          '0E-8',
          {},
          [],
          [null],
          [[]],
          '31-02-2026',
          '\u0000',
          'x'.repeat(500),
        ),
        fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 2 }),
      ),
    });
    fc.assert(
      fc.property(requestArbitrary(name), change, (request, { at, by }) => {
        const given = changed(asSent(request), at, by);
        try {
          readRequest(name, given);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          expect(error.code).toBe('INVALID_REQUEST');
          expect(error.errors.length).toBeGreaterThan(0);
          for (const { path, message } of error.errors) {
            if (typeof given === 'object')
              expect(Object.keys(endpointOf(name).request.shape)).toContain(path.split(/[.[]/)[0]);
            expect(message).not.toBe('');
          }
        }
      }),
    );
  });
});

/** The value with the member at a place, counted round, replaced by another. */
function changed(value: unknown, [step = 0, ...rest]: readonly number[], by: unknown): unknown {
  if (typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return value;
  const key = keys[step % keys.length]!;
  const member = (value as Record<string, unknown>)[key];
  const replaced = rest.length === 0 ? by : changed(member, rest, by);
  return Array.isArray(value) ? value.with(Number(key), replaced) : { ...value, [key]: replaced };
}
