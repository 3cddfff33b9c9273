import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestArbitrary } from '../../shared/api.arbitrary.ts';
import { type EndpointName, endpointNames, endpointOf } from '../../shared/api.ts';
import { startApp, type TestAdministration, type TestApp } from '../testing/app.ts';

let app: TestApp;
let administration: TestAdministration;

beforeAll(async () => {
  app = await startApp({ builtin: { download: async () => ({ failure: 'the tests download nothing' }) } });
  administration = await app.addAdministration({ furnished: true });
  await administration.addProduct({ articleNumber: 'A-1', taxCode: '21% - Hoog' });
  await administration.addRelation({ name: 'Jansen', email: 'a@b.nl', customerNumber: 7, supplierNumber: 7 });
});
afterAll(() => app.close());

const send = (name: EndpointName, request: Record<string, unknown>) => {
  const { method, path } = endpointOf(name);
  if (method !== 'GET') return administration.request(method, path, { body: request });
  const given = Object.entries(request).filter(([, value]) => value !== null && value !== undefined);
  return administration.get(
    `${path}?${new URLSearchParams(given.map(([field, value]) => [field, typeof value === 'string' ? value : JSON.stringify(value)]))}`,
  );
};

/** What a field may name that is there; of the other references there is nothing, so they are left out. */
const there: Record<string, unknown> = {
  CustomerNumber: 7,
  SupplierNumber: 7,
  ProductNumber: 'A-1',
  ProductEAN: undefined,
  EAN: undefined,
  TaxPc: 21,
  NewVATPercentage: 21,
  NewPurchasePriceVATPercentage: 21,
  TaxCodePurchase: '21% - Inkoop hoog',
  LedgerAccountNumber: '8000',
  CategoryCreateIfMissing: true,
  InvoiceProject: undefined,
  InvoiceNumber: undefined,
  PurchaseInvoiceNumber: undefined,
  OGM_Belgium: undefined,
  PurchaseClassification: undefined,
  Product_CustomField: undefined,
  Invoice_Attachment: undefined,
  Order_Attachment: undefined,
};
const referring = (given: unknown, taxCode: string): unknown => {
  if (Array.isArray(given)) return given.map((one) => referring(one, taxCode));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([field, value]) => [
      field,
      field === 'TaxCode' ? taxCode : field in there ? there[field] : referring(value, taxCode),
    ]),
  );
};

/** Requests as they come, and as many that name what is there: those can be done. */
function anyRequest(name: EndpointName): fc.Arbitrary<Record<string, unknown>> {
  const made = requestArbitrary(name);
  if (endpointOf(name).method === 'GET') return made;
  const named = name === 'updateproduct' ? { ArticleNumber: 'A-1' } : {};
  const taxCode = name === 'addpurchasetransaction' ? '21% - Inkoop hoog' : '21% - Hoog';
  const party = { CustomerNumber: 7, SupplierNumber: 7 };
  return fc.oneof(
    made,
    made.map((one) => ({ ...(referring({ ...one, ...party }, taxCode) as object), ...named })),
  );
}

it.each(endpointNames)(
  '%s does what it is asked or says what is wrong with it',
  async (name) => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(anyRequest(name), async (request) => {
        const { status, headers, json, text } = await send(name, request);
        expect([200, 400], text).toContain(status);
        expect(headers['content-type']).toBe('application/json; charset=utf-8');
        if (status === 400) {
          expect(json.errors.length).toBeGreaterThan(0);
          return;
        }
        done++;
        expect(endpointOf(name).response.safeParse(json).success).toBe(true);
      }),
      { numRuns: 80 },
    );
    console.log(name, 'done', done); expect(done).toBeGreaterThan(0);
    expect(app.logged.filter((line) => line.includes('Error'))).toEqual([]);
  },
  60_000,
);

it.each(endpointNames)(
  '%s is not thrown by values of the wrong kind',
  async (name) => {
    const fields = Object.keys(endpointOf(name).request.shape);
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('', '-1', '1e400', '9'.repeat(400), '\u0000', '99-99-9999', "'; drop table product; --"),
    );
    const request = fields.length === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom(...fields), value);
    await fc.assert(
      fc.asyncProperty(request, async (given) => {
        const { status, text } = await send(name, given);
        expect([200, 400], text).toContain(status);
      }),
      { numRuns: 60 },
    );
  },
  60_000,
);
