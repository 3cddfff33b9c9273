import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { startApp, type TestAdministration, type TestApp } from '../app.ts';

/** A product with a value for every column. */
export const chair = {
  articleNumber: '0100',
  ean: '8712345678906',
  name: 'Stoel',
  supplierArticleNumber: 'S-1',
  category: 'Meubels',
  description: 'Eiken',
  price: '12.50',
  purchasePrice: '7.25',
  stock: '10',
  minimalStock: '2',
  unitsPerPackage: '4',
  unit: 'stuk',
  taxCode: '21% - Hoog',
  createdOn: 1_600_000_000,
  changedOn: 1_600_000_001,
};

type Updates = {
  app: TestApp;
  /** A new one for each test, with tax codes. */
  administration: TestAdministration;
  /** Updates a product, and returns the response. */
  update(change: object, article?: string): Promise<Record<string, unknown>>;
  /** The fields for which an update is refused. */
  refusedFields(change: object): Promise<string[]>;
};

/** Starts an app for the tests of a file, with an administration whose products they update. */
export function testProductUpdates(): Updates {
  const used = {
    async update(change: object, article = '0100') {
      const request = { ArticleNumber: article, ...change };
      const { status, json, text } = await used.administration.put('/rest/updateproduct/', request);
      if (status !== 200) throw new Error(text);
      return json;
    },
    async refusedFields(change: object) {
      const request = { ArticleNumber: '0100', ...change };
      const { status, json } = await used.administration.put('/rest/updateproduct', request);
      expect(status).toBe(400);
      expect(json.errorCode).toBe('INVALID_REQUEST');
      return json.errors.map(({ path }: { path: string }) => path);
    },
  } as Updates;
  beforeAll(async () => {
    used.app = await startApp();
  });
  afterAll(() => used.app.close());
  beforeEach(async () => {
    used.administration = await used.app.addAdministration();
    const { addTaxCode } = used.administration;
    await addTaxCode({ percentage: '21', name: 'Hoog' });
    await addTaxCode({ percentage: '9', name: 'Laag' });
    await addTaxCode({ percentage: '0', name: 'Verlegd' });
    await addTaxCode({ percentage: '0', name: 'Export' });
    await addTaxCode({ percentage: '21', name: 'Inkoop hoog', type: 'Purchase' });
    await addTaxCode({ percentage: '6', name: 'Inkoop oud', type: 'Purchase' });
  });
  return used;
}
