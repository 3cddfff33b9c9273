import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('listtaxcodes returns an empty list when there are none', async () => {
  const { status, text } = await (await app.addAdministration()).get('/rest/listtaxcodes/');
  expect([status, text]).toEqual([200, '[]']);
});

it('listtaxcodes returns sales codes before purchase codes, each sorted by code', async () => {
  await app.addTaxCode({ percentage: '21', name: 'Inkoop hoog', type: 'Purchase' });
  await app.addTaxCode({ percentage: '9', name: 'Laag' });
  await app.addTaxCode({ percentage: '21', name: 'Hoog' });
  await app.addTaxCode({ percentage: '0', name: 'Vrijgesteld', exempt: true });
  const { json } = await app.get('/rest/listtaxcodes');
  expect(json).toEqual([
    { TaxExempt: true, TaxPc: '0.0', TaxCode: '0% - Vrijgesteld', Name: 'Vrijgesteld', TaxType: 'Sales' },
    { TaxExempt: false, TaxPc: '21.0', TaxCode: '21% - Hoog', Name: 'Hoog', TaxType: 'Sales' },
    { TaxExempt: false, TaxPc: '9.0', TaxCode: '9% - Laag', Name: 'Laag', TaxType: 'Sales' },
    { TaxExempt: false, TaxPc: '21.0', TaxCode: '21% - Inkoop hoog', Name: 'Inkoop hoog', TaxType: 'Purchase' },
  ]);
});

it('listtaxcodes returns every decimal of a percentage', async () => {
  const administration = await app.addAdministration();
  await administration.addTaxCode({ percentage: '5.55000001', name: 'Fijn' });
  expect((await administration.get('/rest/listtaxcodes')).json[0].TaxPc).toBe('5.55000001');
  expect(await administration.client.listtaxcodes({})).toMatchObject([{ TaxPc: '5.55000001' }]);
});

it('listtaxcodes may return the same code for sales and for purchases', async () => {
  const administration = await app.addAdministration();
  await administration.addTaxCode({ type: 'Sales' });
  await administration.addTaxCode({ type: 'Purchase' });
  const codes = await administration.client.listtaxcodes({});
  expect(codes.map(({ TaxCode, TaxType }) => [TaxCode, TaxType])).toEqual([
    ['21% - Hoog', 'Sales'],
    ['21% - Hoog', 'Purchase'],
  ]);
});
