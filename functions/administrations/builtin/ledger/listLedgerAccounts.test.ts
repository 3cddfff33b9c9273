import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
  await app.addLedgerAccount({ year: 2026, number: '8000', name: 'Omzet', type: 'IncomeStatement', side: 'credit' });
  await app.addLedgerAccount({ year: 2026, number: '0100', name: 'Inventaris', type: 'BalanceSheet', side: 'debet' });
  await app.addLedgerAccount({ year: 2026, number: '1600', name: 'Crediteuren', type: 'BalanceSheet', side: 'credit' });
  await app.addLedgerAccount({ year: 2025, number: '0100', name: 'Inventaris 2025' });
});
afterAll(() => app.close());

const numbers = async (query: string) => {
  const { json } = await app.get(`/rest/listledgeraccounts${query}`);
  return json.map((account: { Number: string }) => account.Number);
};

it('listledgeraccounts returns the accounts of the latest fiscal year by number', async () => {
  const { status, headers, json } = await app.get('/rest/listledgeraccounts/');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(json).toEqual([
    {
      Number: '0100',
      Name: 'Inventaris',
      FiscalYear: '2026',
      LedgerType: 'BalanceSheet',
      Countrycode: 'NL',
      DebetOrCredit: 'debet',
    },
    {
      Number: '1600',
      Name: 'Crediteuren',
      FiscalYear: '2026',
      LedgerType: 'BalanceSheet',
      Countrycode: 'NL',
      DebetOrCredit: 'credit',
    },
    {
      Number: '8000',
      Name: 'Omzet',
      FiscalYear: '2026',
      LedgerType: 'IncomeStatement',
      Countrycode: 'NL',
      DebetOrCredit: 'credit',
    },
  ]);
});

it('listledgeraccounts returns the accounts of the requested year', async () => {
  const { json } = await app.get('/rest/listledgeraccounts?FiscalYear=2025');
  expect(json).toMatchObject([{ Name: 'Inventaris 2025', FiscalYear: '2025' }]);
  expect(await numbers('?FiscalYear=2024')).toEqual([]);
});

it.each([
  ['?LedgerType=IncomeStatement', ['8000']],
  ['?LedgerType=BalanceSheet', ['0100', '1600']],
  ['?ledgertype=balancesheet&fiscalyear=2026', ['0100', '1600']],
  ['?LedgerType=', ['0100', '1600', '8000']],
  ['?FiscalYear=2025&LedgerType=IncomeStatement', []],
])('%s returns %j', async (query, expected) => {
  expect(await numbers(query)).toEqual(expected);
});

it.each([
  ['?FiscalYear=soon', 'FiscalYear'],
  ['?FiscalYear=2026.5', 'FiscalYear'],
  ['?LedgerType=Costs', 'LedgerType'],
])('%s is refused', async (query, field) => {
  const { status, json } = await app.get(`/rest/listledgeraccounts${query}`);
  expect(status).toBe(400);
  expect(json).toMatchObject({ errorCode: 'INVALID_REQUEST', errors: [{ path: field }] });
});

it('listledgeraccounts returns the country of a Belgian administration, and an empty list without accounts', async () => {
  const belgian = await app.addAdministration({ country: 'BE' });
  expect((await belgian.get('/rest/listledgeraccounts')).text).toBe('[]');
  await belgian.addLedgerAccount({ number: '700000' });
  expect(await belgian.client.listledgeraccounts({})).toMatchObject([{ Number: '700000', Countrycode: 'BE' }]);
});
