import { describe, expect, onTestFinished, test } from 'vitest';
import { emptyDatabase } from '../../../../testing/database.ts';
import { createAdministration } from './createAdministration.ts';

describe.each(['NL', 'BE'] as const)('a new administration in %s', (country) => {
  const make = async (options: { empty?: boolean } = {}) => {
    const { db } = await emptyDatabase();
    onTestFinished(() => db.destroy());
    const id = await createAdministration(db, { name: 'A', country, fiscalYears: [2025, 2026], now: 1n, ...options });
    const codes = await db.selectFrom('tax_code').where('administration_id', '=', id).selectAll().execute();
    const accounts = await db
      .selectFrom('ledger_account')
      .where('administration_id', '=', id)
      .orderBy('number')
      .selectAll()
      .execute();
    const administration = await db
      .selectFrom('administration')
      .where('id', '=', id)
      .selectAll()
      .executeTakeFirstOrThrow();
    return { codes, accounts, administration };
  };

  test('has the rates of its country for sales and purchases, in codes of rate and name', async () => {
    const { codes } = await make();
    const rates = { NL: [0n, 9n, 21n], BE: [0n, 6n, 12n, 21n] }[country];
    for (const side of ['Sales', 'Purchase'] as const) {
      const own = codes.filter(({ tax_type }) => tax_type === side);
      expect(own.length).toBeGreaterThanOrEqual(9);
      expect([...new Set(own.map(({ percentage }) => percentage / 10n ** 8n))].sort((a, b) => Number(a - b))).toEqual(
        rates,
      );
      expect(own.filter(({ tax_exempt }) => tax_exempt === 1n).map(({ percentage }) => percentage)).toEqual([0n]);
    }
    for (const { code, name, percentage } of codes) expect(code).toBe(`${percentage / 10n ** 8n}% - ${name}`);
    expect(new Set(codes.map(({ code }) => code)).size).toBe(codes.length);
  });

  test('has a chart of accounts in every fiscal year, with the numbers of its country', async () => {
    const { accounts, administration } = await make();
    const [first, second] = [2025n, 2026n].map((year) => accounts.filter(({ fiscal_year }) => fiscal_year === year));
    expect(first!.length).toBeGreaterThanOrEqual(150);
    expect(second!.map(({ number, name }) => [number, name])).toEqual(first!.map(({ number, name }) => [number, name]));
    const pattern = { NL: /^\d{4}$/, BE: /^[1-7]\d{5}$/ }[country];
    for (const { number, ledger_type } of accounts) {
      expect(number).toMatch(pattern);
      expect(ledger_type).toBe(number >= { NL: '4', BE: '6' }[country] ? 'IncomeStatement' : 'BalanceSheet');
    }
    const accountOf = (number: string) => first!.find((account) => account.number === number);
    expect(accountOf(administration.default_revenue_account)).toMatchObject({
      ledger_type: 'IncomeStatement',
      debet_or_credit: 'credit',
    });
    expect(accountOf(administration.default_cost_account)).toMatchObject({
      ledger_type: 'IncomeStatement',
      debet_or_credit: 'debet',
    });
    expect(accountOf(administration.debtor_account)).toMatchObject({
      ledger_type: 'BalanceSheet',
      debet_or_credit: 'debet',
    });
    expect(accountOf(administration.creditor_account)).toMatchObject({
      ledger_type: 'BalanceSheet',
      debet_or_credit: 'credit',
    });
    expect(accountOf(administration.vat_payable_account)).toMatchObject({
      ledger_type: 'BalanceSheet',
      debet_or_credit: 'credit',
    });
    expect(accountOf(administration.vat_receivable_account)).toMatchObject({
      ledger_type: 'BalanceSheet',
      debet_or_credit: 'debet',
    });
  });

  test('has neither when it is made empty', async () => {
    expect(await make({ empty: true })).toMatchObject({
      codes: [],
      accounts: [],
      administration: { default_revenue_account: '', debtor_account: '' },
    });
  });
});
