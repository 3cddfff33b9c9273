import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { auditfileImporter, lineOf, removeChart } from '../../../../../testing/builtin/auditfiles.ts';
import { importInto } from '../../../../../testing/builtin/imports.ts';
import { realFile } from '../../../../../testing/builtin/realData.ts';
import { checkAdministration } from '../../check/check.ts';

const load = auditfileImporter();

const exact = realFile('auditfile-exact-2016.xaf.xml');
describe.skipIf(!exact.isThere)(exact.title('a real auditfile'), () => {
  test('is imported with accounts, relations and VAT codes, and adds up', async () => {
    const { db, administrationId, result, problems } = await load(readFileSync(exact.file));
    expect(problems).toEqual([]);
    const text = readFileSync(exact.file, 'utf8');
    const count = (element: string) => text.split(`<${element}>`).length - 1;
    expect(result).toMatchObject({
      fiscalYear: 2016,
      periods: 12,
      accounts: { added: count('ledgerAccount') },
      relations: { added: count('customerSupplier') },
      checked: {
        openingBalance: undefined,
        transactions: { lines: 167n, debit: 99_995_406n, credit: 99_995_406n },
      },
    });
    const account = (number: string) =>
      db
        .selectFrom('ledger_account')
        .where('number', '=', number)
        .select(['name', 'fiscal_year', 'ledger_type', 'debet_or_credit'])
        .executeTakeFirst();
    expect(await account('0310')).toEqual({
      name: 'Geplaatst kapitaal',
      fiscal_year: 2016n,
      ledger_type: 'BalanceSheet',
      debet_or_credit: 'credit',
    });
    expect(await account('5110')).toMatchObject({ ledger_type: 'IncomeStatement', debet_or_credit: 'debet' });
    const relation = await db
      .selectFrom('relation')
      .where('supplier_number', '=', 14n)
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(relation).toMatchObject({
      name: 'Exact Software Nederland B.V.',
      customer_number: null,
      phone: '015-7115100',
      email: 'info.nl@exact.com',
      registration_number: '27223120',
      vat_number: 'NL007225994B01',
      street: 'Molengraaffsingel 33',
      city: 'Delft',
    });
    const banks = await db
      .selectFrom('relation_bank_account')
      .where('relation_id', '=', relation.id)
      .select(['iban', 'bic', 'skip_iban_check'])
      .execute();
    expect(banks).toEqual([{ iban: '0500453233', bic: 'ABNANL2A', skip_iban_check: 1n }]);
    const codes = await db.selectFrom('tax_code').orderBy('code').select(['code', 'tax_type']).execute();
    expect(codes).toContainEqual({ code: '21% - BTW hoog tarief, exclusief', tax_type: 'Sales' });
    expect(codes).toContainEqual({ code: '21% - BTW hoog tarief, exclusief', tax_type: 'Purchase' });
    expect(codes).toContainEqual({ code: '6% - BTW laag tarief, inclusief', tax_type: 'Sales' });
    expect(result.vatWithoutPercentage).toEqual(['11 BTW prive gebruik', '12 BTW overige tarieven']);
    const administration = await db
      .selectFrom('administration')
      .where('id', '=', administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(administration).toMatchObject({
      debtor_account: '1300',
      creditor_account: '1600',
      vat_payable_account: '1500',
      vat_receivable_account: '1520',
    });
    expect(await Array.fromAsync(checkAdministration(db, administrationId))).toEqual([]);
  });

  test('changes nothing when it is imported again', async () => {
    const into = await importInto();
    await removeChart(into.db, into.administrationId);
    await load(readFileSync(exact.file), into);
    const { result } = await load(readFileSync(exact.file), into);
    for (const counts of [result.accounts, result.relations, result.taxCodes]) {
      expect(counts).toMatchObject({ added: 0, changed: 0 });
    }
  });

  test('is refused when it is cut off or an amount is changed, and stores nothing', async () => {
    const text = readFileSync(exact.file, 'utf8');
    const into = await importInto();
    await removeChart(into.db, into.administrationId);
    for (const share of [0.01, 0.3, 0.6, 0.99]) {
      const { problems } = await load(text.slice(0, Math.floor(text.length * share)), into);
      expect(problems).toEqual([expect.stringMatching(/^books\.xaf:\d+:\d+ : is not well-formed XML: /)]);
    }
    const changed = text.replace('<amnt>2603.31</amnt>', '<amnt>2603.32</amnt>');
    const { problems } = await load(changed, into);
    expect(problems).toEqual([
      `books.xaf:${lineOf(changed, '<totalDebit>')} totalDebit: expected 999954.07, what the lines of transactions add up to, got "999954.06"`,
      expect.stringMatching(
        / transaction: expected transaction 16100002 to balance, got 15000.01 debit and 15000.00 credit$/,
      ),
    ]);
    for (const table of ['ledger_account', 'relation', 'tax_code'] as const) {
      expect(await into.db.selectFrom(table).select('id').execute()).toEqual([]);
    }
  });
});
