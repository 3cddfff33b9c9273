import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkEInvoices, readDocument } from '../../shared/client/documentClient.ts';
import type { Problem } from '../../shared/problem.ts';
import { MAX_CHECKED_INVOICES } from '../../shared/resources/invoiceDocuments.ts';
import { startApp, type TestApp } from '../../testing/app.ts';
import { openShop, type Shop, snapshot } from '../../testing/shop.ts';
import { issueKey } from '../administrations/builtin/credentials/keys.ts';

/* What invoices lack to become e-invoices, before they are made. */

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startApp();
  shop = await openShop(app);
  const business = (customerNumber: number, row: Record<string, string>, vatNumber = '') =>
    shop.addRelation({ name: `Company ${customerNumber}`, business: true, customerNumber, vatNumber, row });
  const address = { street: 'Kade', unit: '1', postal_code: '1234 AB', city: 'Gouda' };
  await business(11, { ...address, country_code: 'NL', registration_number: '12345678' }, 'NL002065538B68');
  await business(12, { country_code: 'NL' });
  await business(13, { ...address, country_code: 'DE' }, 'DE136695976');
  await business(14, { ...address, country_code: 'DE' });
  await business(15, { ...address, country_code: 'BE' }, 'BE0417497107');
  await shop.addRelation({ name: 'Jan Vis', business: false, customerNumber: 16 });
  await shop.addProduct({ articleNumber: 'bunch', name: 'Roos', unit: 'bos' });
  await shop.addProduct({ articleNumber: 'odd', name: 'Ei', unit: 'ei' });
});
afterAll(() => app.close());

const issuer = {
  complete: {
    street: 'Veilingweg',
    postal_code: '1431 GN',
    city: 'Aalsmeer',
    vat_number: 'NL812345678B01',
    company_number: '34565433',
    iban: 'NL91ABNA0417164300',
  },
  incomplete: { street: '', postal_code: '', city: '', vat_number: '', company_number: '', iban: '' },
};
const setIssuer = async (kind: keyof typeof issuer) => {
  await app.db.updateTable('administration').set(issuer[kind]).where('id', '=', shop.administrationId).execute();
};

const service = () => ({ base: app.url, credential: shop.credential, fetch });
const pathsOf = (errors: readonly { path: string; code?: string }[]) =>
  errors.map(({ path, code }) => `${path} ${code}`);

const line = fc.record({
  ProductNumber: fc.constantFrom('bunch', 'odd', '0100'),
  Quantity: fc.constantFrom(1, 3, -5),
  UnitPriceExclTax: fc.constantFrom(0, 2.5, 100),
  TaxCode: fc.constantFrom('21% - Hoog', '9% - Laag', '0% - Verlegd binnenland', '0% - Goederen naar EU-landen'),
});
const invoice = fc.record(
  {
    CustomerNumber: fc.constantFrom(11, 12, 13, 14, 15),
    InvoiceReference: fc.constantFrom('order 5', 'x'),
    AddAsDraft: fc.constant(false),
    Invoice_Address: fc.constantFrom(
      [],
      [{ Address_Street: 'Dam', Address_Unit: '1', Address_City: 'Gent', Address_CountryCode: 'BE' }],
      [{ Address_Type: 'ShippingAddress', Address_Street: 'Dam', Address_PostalCode: '9000' }],
    ),
    Invoice_InvoiceLine: fc.array(line, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['CustomerNumber', 'Invoice_InvoiceLine'] },
);

describe('a check of invoices that are not made', () => {
  it.each(['complete', 'incomplete'] as const)(
    'finds what their e-invoices lack once they are made, for an issuer that is %s',
    async (kind) => {
      await setIssuer(kind);
      await fc.assert(
        fc.asyncProperty(fc.array(invoice, { minLength: 1, maxLength: 4 }), async (requests) => {
          const found = await checkEInvoices(service(), requests);
          expect(found).toHaveLength(requests.length);
          for (const [index, request] of requests.entries()) {
            const { InvoiceNumber } = await shop.accepted('addsalesinvoice', request);
            const lacking = await readDocument(service(), String(InvoiceNumber), 'xml').then(
              () => [],
              (refused: unknown) => (refused as Problem).errors,
            );
            expect(pathsOf(found[index]!), JSON.stringify(request)).toEqual(pathsOf(lacking));
          }
        }),
        { numRuns: 15 },
      );
    },
  );

  it('changes nothing, and leaves out private persons and what is refused anyway', async () => {
    await setIssuer('incomplete');
    const before = await snapshot(app.db, shop.administrationId);
    const lines = [{ ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1, TaxPc: 21 }];
    const found = await checkEInvoices(service(), [
      {
        CustomerNumber: 12,
        Invoice_InvoiceLine: lines,
        Invoice_Address: [{ Address_Street: 'New', Address_City: 'Gent' }],
      },
      { CustomerNumber: 16, Invoice_InvoiceLine: lines },
      { CustomerNumber: 404, Invoice_InvoiceLine: lines },
      { CustomerNumber: 12, Invoice_InvoiceLine: lines, Invoice_Address: [{ Address_CountryCode: 'NL' }] },
      {
        CustomerNumber: 12,
        Invoice_InvoiceLine: lines,
        Invoice_Address: [{ Address_City: 'Gent' }, { Address_City: 'Aalst' }],
      },
    ]);
    expect(found.map(({ length }) => length > 0)).toEqual([true, false, false, false, false]);
    expect(await snapshot(app.db, shop.administrationId)).toEqual(before);
  });

  it('is refused for too many invoices and for wrong ones, with the field, and for a key that may only read', async () => {
    const ask = (body: object) => shop.request('POST', '/documents/e-invoices/check', { body });
    const lines = [{ ProductNumber: '0100', Quantity: 'many', UnitPriceExclTax: 1, TaxPc: 21 }];
    const wrong = await ask({ Invoice: [{ CustomerNumber: 12, Invoice_InvoiceLine: lines }] });
    expect(wrong.json.errors.map(({ path }: { path: string }) => path)).toEqual([
      'Invoice[0].Invoice_InvoiceLine[0].Quantity',
    ]);
    const many = await ask({ Invoice: Array.from({ length: MAX_CHECKED_INVOICES + 1 }, () => ({})) });
    expect(many.json.errors).toMatchObject([{ path: 'Invoice', code: 'TOO_MANY_ITEMS' }]);
    const { administrationId } = shop;
    const key = { administrationId, username: 'reads@example.com', label: '', now: 1n, scope: 'read' } as const;
    const reader = { username: key.username, apiKey: await issueKey(app.db, key) };
    await expect(checkEInvoices({ ...service(), credential: reader }, [{}])).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});
