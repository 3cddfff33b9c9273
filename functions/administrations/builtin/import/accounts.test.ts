import { describe, expect, test } from 'vitest';
import { importInto, mapOf, problemsOf } from '../../../../testing/builtin/imports.ts';

describe('an import of ledger accounts', () => {
  test('stores numbers as text, with leading zeros', async () => {
    const { db, load } = await importInto();
    const result = await load(
      'accounts',
      `
      Number | Name         | FiscalYear | LedgerType      | DebetOrCredit
      00010  | =1+1         | 2027       | BalanceSheet    | debet
      0010   | Goodwill     | 2027       | balancesheet    | Credit
      8000   | Omzet "hoog" | 2027       | IncomeStatement | credit`,
    );
    expect(result).toMatchObject({ problems: [], counts: { added: 3, changed: 0, unchanged: 0 } });
    const rows = await db
      .selectFrom('ledger_account')
      .where('fiscal_year', '=', 2027n)
      .orderBy('number')
      .select(['number', 'name', 'ledger_type', 'debet_or_credit'])
      .execute();
    expect(rows).toEqual([
      { number: '00010', name: '=1+1', ledger_type: 'BalanceSheet', debet_or_credit: 'debet' },
      { number: '0010', name: 'Goodwill', ledger_type: 'BalanceSheet', debet_or_credit: 'credit' },
      { number: '8000', name: 'Omzet "hoog"', ledger_type: 'IncomeStatement', debet_or_credit: 'credit' },
    ]);
  });

  test('changes existing accounts of that year, and counts them', async () => {
    const { db, load } = await importInto();
    const table = (name: string) => `
      Number | Name     | FiscalYear | LedgerType   | DebetOrCredit
      1000   | Kas      | 2026       | BalanceSheet | debet
      1010   | ${name}  | 2026       | BalanceSheet | debet
      1010   | ${name}  | 2025       | BalanceSheet | debet`;
    expect((await load('accounts', table('Kas Utrecht'))).counts).toEqual({ added: 1, changed: 1, unchanged: 1 });
    expect((await load('accounts', table('Kas Utrecht'))).counts).toEqual({ added: 0, changed: 0, unchanged: 3 });
    const names = await db
      .selectFrom('ledger_account')
      .where('number', '=', '1010')
      .select(['fiscal_year', 'name'])
      .execute();
    expect(names).toHaveLength(2);
    expect(new Set(names.map(({ name }) => name))).toEqual(new Set(['Kas Utrecht']));
  });

  test('stores nothing when a row is wrong, and reports every problem', async () => {
    const { db, load } = await importInto();
    const before = await db
      .selectFrom('ledger_account')
      .select((eb) => eb.fn.countAll().as('n'))
      .execute();
    const result = await load(
      'accounts',
      `
      Number | Name | FiscalYear | LedgerType   | DebetOrCredit | Countrycode
      9000   | Goed | 2026       | BalanceSheet | debet         | NL
             | Kas  | 2026       | BalanceSheet | debet         |
      9001   |      | 26         | Beide        | X             |
      9000   | Weer | 2026       | BalanceSheet | debet         | BE
      9002   | Kort | 2026`,
    );
    expect(problemsOf(result)).toEqual([
      '3 Number: is required, got an empty cell',
      '4 Name: is required, got an empty cell',
      '4 FiscalYear: expected at least 1900, got 26',
      '4 LedgerType: expected BalanceSheet or IncomeStatement, got "Beide"',
      '4 DebetOrCredit: expected debet or credit, got "X"',
      '5 Countrycode: expected NL, as the administration, got BE',
      '5 Number: expected account 9000 of 2026 once, but it stands on line 2 as well',
      '6 expected 6 cells, as the heading has, got 3',
    ]);
    expect(result.problems.every(({ file }) => file === 'rows.csv')).toBe(true);
    expect(
      await db
        .selectFrom('ledger_account')
        .select((eb) => eb.fn.countAll().as('n'))
        .execute(),
    ).toEqual(before);
  });

  test('maps headings and words, sets one value in every row, and selects rows', async () => {
    const { db, load } = await importInto();
    const result = await load(
      'accounts',
      `
      Rekening | Omschrijving | Soort  | D/C | Niveau | Notitie
      01       | Groep        | Balans | D   | 1      | x
      0101     | Grond        | Balans | D   | 4      | x
      4101     | Huur         | W&V    | D   | 5      | x`,
      {
        columns: mapOf({ Number: 'Rekening', Name: 'Omschrijving', LedgerType: 'Soort', DebetOrCredit: 'D/C' }),
        constants: mapOf({ FiscalYear: '2030' }),
        values: new Map([
          ['LedgerType', mapOf({ Balans: 'BalanceSheet', 'W&V': 'IncomeStatement' })],
          ['DebetOrCredit', mapOf({ D: 'debet', C: 'credit' })],
        ]),
        only: new Map([['Niveau', new Set(['4', '5'])]]),
      },
    );
    expect(result).toMatchObject({ problems: [], leftOut: 1, counts: { added: 2 } });
    expect(result.warnings).toEqual(['These columns are unknown and were not imported: Notitie']);
    const rows = await db.selectFrom('ledger_account').where('fiscal_year', '=', 2030n).select('number').execute();
    expect(rows.map(({ number }) => number).sort()).toEqual(['0101', '4101']);
  });

  test('refuses a mapping that does not fit the headings, before any row', async () => {
    const { load } = await importInto();
    const result = await load('accounts', 'Number | Name | Name | FiscalYear\n1 | x | y | 2026', {
      columns: mapOf({ LedgerType: 'Soort' }),
      constants: mapOf({ FiscalYear: '2026', Colour: 'red' }),
      values: new Map([['Kind', mapOf({ a: 'b' })]]),
      only: new Map([['Niveau', new Set(['4'])]]),
    });
    expect(problemsOf(result)).toEqual([
      '1 LedgerType: expected a column with the heading "Soort"',
      '1 Niveau: expected a column with this heading',
      '1 Name: expected this column once',
      '1 FiscalYear: is set to one value, but the file has this column',
      '1 Colour: is set to one value, but there is no such column',
      '1 Kind: has words to be replaced, but there is no such column',
      '1 expected the columns LedgerType and DebetOrCredit, which the file does not have. Add them, or give every row one value: --set "LedgerType=..."',
    ]);
  });
});
