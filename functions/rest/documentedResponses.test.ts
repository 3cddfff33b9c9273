import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames, endpointOf } from '../../shared/api.ts';
import { refused } from '../../shared/fieldErrors.ts';
import { parseJson } from '../../shared/wire/json.ts';
import { startApp, type TestApp } from '../../testing/app.ts';
import { deeper } from '../../testing/deep.ts';
import { requestArbitrary } from '../../testing/endpointArbitraries.ts';
import { openShop, type Shop } from '../../testing/shop.ts';
import { checkAdministration } from '../administrations/builtin/check/check.ts';

/** Cases for each endpoint and kind; run more of them after a change to what is accepted. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? deeper(15, 25));

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp({ builtin: { download: async () => refused('there is no network in this test') } });
  shop = await openShop(app, 'BE');
  await shop.addProject({ number: 12, name: 'Verbouwing' });
  await shop.addCategory('Meubels');
});
afterAll(() => app.close());

type Fields = Record<string, unknown>;

const send = (name: EndpointName, request: unknown) => {
  const { method, path } = endpointOf(name);
  if (method !== 'GET') return shop.request(method, path, { body: request as object });
  const present = Object.entries(request as Fields).filter(([, value]) => value !== null && value !== undefined);
  return shop.get(`${path}?${new URLSearchParams(present.map(([field, value]) => [field, inQuery(value)]))}`);
};

/** The server refuses longer URLs. */
const inQuery = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 1000);

let time = Math.floor(Date.now() / 1000);

/** Expects a response that the interface documents. @returns whether the request was accepted */
async function documented(name: EndpointName, request: unknown): Promise<boolean> {
  app.logged.length = 0;
  // A minute later each time, since the number of downloads in a minute is limited.
  time += 61;
  app.setTime(time);
  const { status, headers, text, json } = await send(name, request);
  expect([200, 400], `${text}\n${app.logged.join('\n')}`).toContain(status);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  if (status === 400) {
    expect(['INVALID_REQUEST', 'INVALID_JSON']).toContain(json.errorCode);
    expect(json.errorMessage).toMatch(/\S/);
    return false;
  }
  const { success, error } = endpointOf(name).response.safeParse(parseJson(text));
  expect(success, `${error}`).toBe(true);
  return true;
}

/** A request with names and numbers of this administration, which random requests hardly have. */
function fitting(name: EndpointName, request: Fields, choice: number): Fields {
  const { OGM_Belgium: _ogm, InvoiceProject: _project, InvoiceNumber: _number, TaxCode: _code, ...rest } = request;
  const each = (list: unknown, change: (item: Fields) => Fields) =>
    Array.isArray(list) ? (list as Fields[]).map(change) : list;
  const tax = [{ TaxPc: 21 }, { TaxCode: shop.tax.low }, { TaxPc: '6.0' }][choice % 3];
  const purchaseTax = [{ TaxPc: 21 }, { TaxCode: shop.tax.purchaseLow }, { TaxPc: 6 }][choice % 3];
  const article = (line: Fields) => {
    const { TaxCode: _c, TaxPc: _p, ProductEAN: _e, LedgerAccountNumber: _l, ...rest } = line;
    return { ...rest, ProductNumber: choice % 2 === 0 ? '0100' : '0200', ...(choice % 5 === 0 ? {} : tax) };
  };
  const bookkeeping = (line: Fields) => {
    const { TaxCode: _c, TaxPc: _p, ...rest } = line;
    return {
      ...rest,
      ...(name === 'addsalestransaction' ? tax : purchaseTax),
      LedgerAccountNumber: choice % 2 === 0 ? '700000' : undefined,
    };
  };
  const file = () => ({ FileUrl: 'https://files.example.com/a.pdf' });
  switch (name) {
    case 'addsalesinvoice':
      return {
        ...rest,
        CustomerNumber: 7,
        InvoiceDueDays: choice,
        InvoiceProject: choice % 2 === 0 ? 'Verbouwing' : '12',
        SelectProjectBy: choice % 2 === 0 ? 'NAME' : undefined,
        Invoice_InvoiceLine: each(request.Invoice_InvoiceLine, article),
        Invoice_Address: Array.isArray(request.Invoice_Address)
          ? [{ ...request.Invoice_Address[0], Address_City: 'Gent' }]
          : undefined,
        Invoice_Attachment: each(request.Invoice_Attachment, file),
      };
    case 'addorder':
      return {
        ...rest,
        CustomerNumber: 7,
        Order_Orderline: each(request.Order_Orderline, article),
        Order_Address: undefined,
        Order_Attachment: each(request.Order_Attachment, file),
      };
    case 'addsalestransaction':
      return { ...rest, CustomerNumber: 7, Invoice_InvoiceLine: each(request.Invoice_InvoiceLine, bookkeeping) };
    case 'addpurchasetransaction':
      return { ...rest, SupplierNumber: 3, Invoice_InvoiceLine: each(request.Invoice_InvoiceLine, bookkeeping) };
    case 'updateproduct':
    case 'addproduct':
      return {
        ...rest,
        ArticleNumber: name === 'updateproduct' ? '0100' : `new ${choice} ${fittingMade++}`,
        EAN: undefined,
        CategoryName: 'Meubels',
        NewVATPercentage: choice % 2 === 0 ? 21 : undefined,
        NewPurchasePriceVATPercentage: choice % 3 === 0 ? 6 : undefined,
        TaxCodePurchase: undefined,
        Product_CustomField: undefined,
      };
    default:
      return rest;
  }
}
let fittingMade = 0;

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    undefined,
    '',
    ' ',
    '-1',
    -1,
    0,
    1e300,
    '1e400',
    '9'.repeat(19),
    '9'.repeat(400),
    '-9999999999.99999999',
    9_999_999_999,
    '0.00000001',
    '\u0000',
    '\ud800',
    'a'.repeat(70_000),
    '31-02-2026',
    '31-12-9999',
    '01-01-0001',
    [],
    {},
    [null],
    [[]],
    { toString: 1 },
    { __proto__: null, constructor: 1 },
    '+++000/0000/09798+++',
    "'; drop table product; --",
  ),
);

/** A request with one or two of its values replaced, at any depth. */
const mutated = (request: fc.Arbitrary<Fields>): fc.Arbitrary<unknown> =>
  fc.tuple(request, fc.array(fc.tuple(fc.nat(), junk), { minLength: 1, maxLength: 2 })).map(([valid, changes]) =>
    changes.reduce<unknown>((current, [pick, value]) => {
      const places = placesOf(current);
      return replaced(current, places[pick % places.length]!, value);
    }, valid),
  );

type Place = (string | number)[];
const placesOf = (value: unknown, at: Place = []): Place[] => [
  at,
  ...(Array.isArray(value)
    ? value.flatMap((item, index) => placesOf(item, [...at, index]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, item]) => placesOf(item, [...at, name]))
      : []),
];
function replaced(value: unknown, [step, ...rest]: Place, by: unknown): unknown {
  if (step === undefined) return by === undefined ? {} : by;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaced(item, rest, by) : item));
  return { ...(value as Fields), [step]: replaced((value as Fields)[step], rest, by) };
}

describe('every response is as documented for', () => {
  it.each(endpointNames)('%s: a valid request', async (name) => {
    await fc.assert(
      fc.asyncProperty(requestArbitrary(name), async (request) => void (await documented(name, request))),
      { numRuns: RUNS },
    );
  });

  it.each(endpointNames)('%s: a request with existing data, which is usually accepted', async (name) => {
    let accepted = 0;
    const request = fc
      .tuple(requestArbitrary(name), fc.nat({ max: 29 }))
      .map(([made, choice]) => fitting(name, made, choice));
    await fc.assert(
      fc.asyncProperty(request, async (generated) => {
        if (await documented(name, generated)) accepted++;
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS / 4);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it.each(endpointNames)('%s: an invalid request', async (name) => {
    const request = fc
      .tuple(requestArbitrary(name), fc.nat({ max: 29 }))
      .map(([made, choice]) => fitting(name, made, choice));
    await fc.assert(
      fc.asyncProperty(mutated(request), async (generated) => {
        if (endpointOf(name).method === 'GET' && (typeof generated !== 'object' || generated === null)) return;
        await documented(name, generated);
      }),
      { numRuns: RUNS },
    );
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  const rent = { SubTotalInclTax: 0, TaxPc: 21 };
  it.each<[string, EndpointName, () => Fields]>([
    [
      'a lone surrogate as the cost center of a purchase',
      'addpurchasetransaction',
      () => ({ SupplierNumber: 3, Invoice_InvoiceLine: [{ ...rent, CostCenter: '\ud800' }] }),
    ],
    [
      'a lone surrogate as the cost center of a sale',
      'addsalestransaction',
      () => ({ CustomerNumber: 7, Invoice_InvoiceLine: [{ ...rent, CostCenter: '\ud800' }] }),
    ],
  ])('%s, which is refused', async (_, name, request) => {
    expect(await documented(name, request())).toBe(false);
  });
});
