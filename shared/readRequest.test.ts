import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestArbitrary } from '../testing/endpointArbitraries.ts';
import { articleLine, refusalOf, refusedFields, salesInvoice } from '../testing/requests.ts';
import { endpointNames, endpointOf } from './api.ts';
import { Problem } from './problem.ts';
import { readRequest } from './readRequest.ts';
import { parseJson } from './wire/json.ts';

describe('a query', () => {
  it('accepts the names of its parameters in any case', () => {
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

  it('sorts in descending order for an unknown SortDir', () => {
    expect(readRequest('listrelations', { SortDir: 'DEC' }).request.SortDir).toBe('DESC');
    expect(readRequest('listrelations', { SortDir: 'asc' }).request.SortDir).toBe('ASC');
  });

  it('reads every digit of a RelationGUID', () => {
    expect(readRequest('listrelations', { RelationGUID: '9007199254740993' }).request.RelationGUID).toBe(
      '9007199254740993',
    );
  });

  it.each([
    'InlcudeInvoiceLinesInResponse',
    'IncludeInvoiceLinesInResponse',
    'includeinvoicelinesinresponse',
    'inlcudeinvoicelinesinresponse',
  ])('asks for invoice lines with the spelling %s', (spelling) => {
    const { request, ignored } = readRequest('listsalesinvoices', { [spelling]: 'True' });
    expect(request.InlcudeInvoiceLinesInResponse).toBe(true);
    expect(ignored).toEqual([]);
  });

  it('uses the first value of a repeated parameter', () => {
    expect(readRequest('listsalesinvoices', { Limit: '5', limit: '7' }).request.Limit).toBe(5);
  });

  it('ignores empty parameters', () => {
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
  ] as const)('of %s is refused with %j', (name, query, path) => {
    const problem = refusalOf(name, query);
    expect(problem.code).toBe('INVALID_REQUEST');
    expect(problem.errors.map((error) => error.path)).toEqual([path]);
    expect(problem.message).toBe(`${path}: ${problem.errors[0]!.message}`);
  });

  it.each([
    ['listrelations', 'Limit'],
    ['listsalesinvoices', 'Limit'],
    ['listprojectmaterialbooking', 'limit'],
  ] as const)('of %s accepts a limit that is too large for a number, but no fraction', (name, limit) => {
    expect(readRequest(name, { [limit]: '9999999999' }).request).toMatchObject({ [limit]: 2_147_483_647 });
    expect(refusedFields(name, { [limit]: '1.5' })).toEqual([limit]);
  });

  it('ignores unknown parameters and reports their names', () => {
    expect(readRequest('listtaxcodes', { Colour: 'red' })).toEqual({ request: {}, ignored: ['Colour'] });
  });
});

describe('a body', () => {
  it.each([null, undefined, [], [{}], 'text', 5, true])('that is %j is refused', (body) => {
    const problem = refusalOf('addproduct', body);
    expect(problem.status).toBe(400);
    expect(problem.errors).toMatchObject([{ path: '', message: 'expected a JSON object' }]);
  });

  it('must have the exact names of its fields', () => {
    expect(refusedFields('updateproduct', { articlenumber: 'A-1' })).toEqual(['ArticleNumber']);
  });

  it('ignores unknown fields, also of lines, and reports their paths', () => {
    const body = { ...salesInvoice, Colour: 1, Invoice_InvoiceLine: [articleLine, { ...articleLine, Width: 2 }] };
    expect(readRequest('addsalesinvoice', body).ignored).toEqual(['Invoice_InvoiceLine[1].Width', 'Colour']);
  });

  it('is refused with an error for every wrong field, with its path', () => {
    const body = {
      ...salesInvoice,
      InvoiceDate: '31-02-2026',
      InvoiceReference: 'x'.repeat(151),
      Invoice_InvoiceLine: [articleLine, { ...articleLine, Quantity: 'two' }],
      Invoice_Address: [{ Address_CountryCode: 'NLD' }],
    };
    const problem = refusalOf('addsalesinvoice', body);
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
  ])('with %j instead of a list is refused, and the message says what was expected', (given, at, message) => {
    for (const [name, lists] of [
      ['updateproduct', ['Product_CustomField', 'Product_Batch']],
      ['addproduct', ['Product_CustomField', 'Product_Batch']],
      ['addorder', ['Order_Address', 'Order_Attachment']],
      ['addsalesinvoice', ['Invoice_Address', 'Invoice_Attachment']],
    ] as const) {
      for (const list of lists) {
        expect(refusalOf(name, { [list]: given }).errors).toContainEqual(
          expect.objectContaining({ path: `${list}${at}`, message }),
        );
      }
    }
  });

  it.each(endpointNames.filter((name) => endpointOf(name).method !== 'GET'))(
    'of %s is refused with messages that say what was expected, for any values of its fields',
    (name) => {
      for (const wrong of [{}, [null], ['x'], [[]], 'x', 5, true, () => 1, NaN]) {
        const given = Object.fromEntries(Object.keys(endpointOf(name).request.shape).map((field) => [field, wrong]));
        for (const { message } of refusalOf(name, given).errors) expect(message).toMatch(/^(expected|is required)/);
      }
    },
  );

  it('with objects that have members like methods is refused with their paths', () => {
    const body = parseJson(
      '{"ArticleNumber":{"toString":1},"Archived":{"toString":1,"valueOf":2},"StockUpdateMode":["Relative"]}',
    );
    expect(refusedFields('updateproduct', body)).toEqual(['ArticleNumber', 'StockUpdateMode', 'Archived']);
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

  it('is accepted with all its fields when it is valid, in every accepted form', () => {
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

  it('that is changed anywhere is accepted, or refused with the paths of its fields', () => {
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

/** The value with the member at a path of positions replaced by another; positions wrap around. */
function changed(value: unknown, [step = 0, ...rest]: readonly number[], by: unknown): unknown {
  if (typeof value !== 'object' || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return value;
  const key = keys[step % keys.length]!;
  const member = (value as Record<string, unknown>)[key];
  const replaced = rest.length === 0 ? by : changed(member, rest, by);
  return Array.isArray(value) ? value.with(Number(key), replaced) : { ...value, [key]: replaced };
}
