import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditfileVersions } from '../../../../shared/resources/generalLedger/auditfileYear.ts';
import { addDays } from '../../../../shared/wire/calendarDate.ts';
import { brokenRules, checkerRules, textRules } from '../../../../testing/auditfiles/checkerRules.ts';
import {
  administrationOf,
  CLEAN,
  entry,
  NASTY,
  set,
  validFile,
  wholeBooks,
  written,
} from '../../../../testing/auditfiles/writtenBooks.ts';
import { elementsAt, textIn, type XmlTree, xmlTree } from '../../../../testing/auditfiles/xmlTree.ts';
import { auditfileImporter, removeChart } from '../../../../testing/builtin/auditfiles.ts';
import { importInto, importIntoShop } from '../../../../testing/builtin/imports.ts';
import { addBooks, type LedgerBooks, ledgerBooks } from '../../../../testing/builtin/ledgerBooks.ts';
import { databaseKind, unordered } from '../../../../testing/database.ts';
import { deeper } from '../../../../testing/deep.ts';
import { fixturesOf } from '../../../../testing/fixtures/fixtures.ts';
import { checkAdministration } from '../check/check.ts';
import type { Database } from '../sql/database.ts';
import { vatPaper } from '../vat/vatPaper.ts';
import { readVatPeriod } from '../vat/vatPeriod.ts';

const texts = (record: XmlTree, ...names: string[]) => names.map((name) => textIn(record, name) ?? '');

const linesOf = (file: XmlTree): string[][] =>
  elementsAt(file, 'company/transactions/journal').flatMap((journal) =>
    elementsAt(journal, 'transaction').flatMap((transaction) =>
      elementsAt(transaction, 'trLine').map((line) => [
        ...texts(journal, 'jrnTp'),
        ...texts(transaction, 'nr', 'trDt', 'periodNumber', 'desc'),
        ...texts(line, 'accID', 'amnt', 'amntTp', 'docRef', 'desc'),
      ]),
    ),
  );

/** With what XML has to escape, and a control character, which it cannot contain. */
describe('a whole year', () => {
  test.each(auditfileVersions)('is valid in version %s, and has every entry as it was booked', async (version) => {
    const { db, id } = await wholeBooks();
    const { file, contents } = await validFile(db, id, 2026, version);
    const [header] = elementsAt(file, 'header');
    expect(texts(header!, 'fiscalYear', 'startDate', 'endDate', 'curCode', 'dateCreated', 'softwareDesc')).toEqual([
      ...['2026', '2026-01-01', '2026-12-31', 'EUR', '2027-01-31', 'Ledgerline'],
    ]);
    const [company] = elementsAt(file, 'company');
    expect(texts(company!, 'companyName', 'taxRegistrationCountry', 'taxRegIdent')).toEqual([
      ...[CLEAN, 'NL', 'NL812345678B01'],
    ]);
    expect(
      elementsAt(company!, 'openingBalance/obLine').map((line) => texts(line, 'nr', 'accID', 'amnt', 'amntTp')),
    ).toEqual([
      ['1', '0500', '123.45', 'C'],
      ['2', '1000', '123.45', 'D'],
    ]);
    const long = version === '4.0' ? 'd'.repeat(255) : 'd'.repeat(300);
    const cash = linesOf(file).filter(([kind]) => kind === 'C');
    expect(cash).toEqual([
      ['C', expect.any(String), '2026-12-31', '12', 'x'.repeat(3000), '1000', '90071992547409.93', 'D', long, ''],
      ['C', cash[0]![1], '2026-12-31', '12', 'x'.repeat(3000), '8000', '90071992547409.92', 'C', cash[0]![1], ''],
      ['C', cash[0]![1], '2026-12-31', '12', 'x'.repeat(3000), '4000', '0.01', 'C', cash[0]![1], ''],
    ]);
    expect(linesOf(file).filter(([kind]) => kind === 'B')).toEqual([
      ['B', 'B1', '2026-02-28', '2', CLEAN, '1000', '1210.00', 'D', '1', 'Statement 1'],
      ['B', 'B1', '2026-02-28', '2', CLEAN, '1300', '1210.00', 'C', '1', ''],
    ]);
    const sales = linesOf(file).filter(([kind]) => kind === 'S');
    expect(sales.map((line) => line.slice(5, 9))).toEqual([
      ['1300', '1210.00', 'D', '1'],
      ['8000', '1000.00', 'C', '1'],
      ['1500', '210.00', 'C', '1'],
      ['1300', '121.00', 'C', '2'],
      ['8000', '100.00', 'D', '2'],
      ['1500', '21.00', 'D', '2'],
    ]);
    expect(linesOf(file).filter(([kind]) => kind === 'P')).toHaveLength(3);
    const vat = elementsAt(file, 'company/transactions/journal/transaction/trLine/vat');
    expect(vat.map((one) => texts(one, 'vatID', 'vatPerc', 'vatAmnt', 'vatAmntTp'))).toEqual([
      ['21% - Hoog', '21', '210.00', 'C'],
      ['21% - Hoog', '21', '21.00', 'D'],
      ['21% - Inkoop hoog', '21', '21.00', 'D'],
      ['21% - Hoog', '21', '21.00', 'D'],
    ]);
    const costs = elementsAt(file, 'company/transactions/journal/transaction/trLine').flatMap((line) =>
      texts(line, version === '4.0' ? 'cost' : 'costID').filter((text) => text !== ''),
    );
    expect(costs).toEqual(['Shop']);
    const parties = elementsAt(file, 'company/customersSuppliers/customerSupplier');
    expect(parties.map((party) => texts(party, 'custSupID', 'custSupName', 'custSupTp'))).toEqual(
      expect.arrayContaining([
        ['7', 'Bakker', 'C'],
        ['3', 'Molen', 'S'],
        ['9', 'Alles', 'B'],
        ['C31-S32', CLEAN, 'B'],
      ]),
    );
    expect(contents).toMatchObject({ relations: 4, entries: 6, lines: 16n });
    expect(contents.cut).toEqual(new Map(version === '4.0' ? [['docRef', 1]] : []));
  });

  test('obeys rules that each refuse a file which breaks it', async () => {
    const { db, id } = await wholeBooks();
    const { text } = await validFile(db, id, 2026);
    const first = (element: string) => new RegExp(`<${element}>[^<]*</${element}>`);
    const lastOf = (element: string) => new RegExp(`([\\s\\S]*)<${element}>[^<]*</${element}>`);
    const within = (part: string, element: string) => new RegExp(`(<${part}>[\\s\\S]*?)<${element}>[^<]*</${element}>`);
    const mutants: [rule: string, found: RegExp, instead: string][] = [
      ['0001', /(<custSupID>)([^<]*)([\s\S]*?<custSupID>)[^<]*/, '$1$2$3$2'],
      ['0002', within('generalLedger', 'accID'), '$1<accID>1000</accID>'],
      ['0003', /(<accTp>.<\/accTp>)([\s\S]*?)(<accTp>.<\/accTp>)/, '$1<RGScode>B</RGScode>$2$3<RGScode>B</RGScode>'],
      ['0004', within('openingBalance', 'totalDebit'), '$1<totalDebit>123.46</totalDebit>'],
      ['0005', within('openingBalance', 'totalCredit'), '$1<totalCredit>123.44</totalCredit>'],
      ['0006', within('obLine', 'amntTp'), '$1<amntTp>D</amntTp>'],
      ['0007', within('transactions', 'totalDebit'), '$1<totalDebit>1</totalDebit>'],
      ['0008', within('transactions', 'totalCredit'), '$1<totalCredit>1</totalCredit>'],
      ['0009', within('trLine', 'amnt'), '$1<amnt>0.02</amnt>'],
      ['0010', within('trLine', 'amntTp'), '$1<amntTp>C</amntTp>'],
      ['nr of a transaction', /(<transaction>\s*<nr>)([^<]*)([\s\S]*?<transaction>\s*<nr>)[^<]*/, '$1$2$3$2'],
      ['nr of a line', /(<trLine>\s*<nr>)1([\s\S]*?<trLine>\s*<nr>)2/, '$11$21'],
      ['jrnID', lastOf('jrnID'), '$1<jrnID>VERK</jrnID>'],
      ['linesCount', within('openingBalance', 'linesCount'), '$1<linesCount>3</linesCount>'],
      ['accounts of openings', within('obLine', 'accID'), '$1<accID>none</accID>'],
      ['accounts of lines', within('trLine', 'accID'), '$1<accID>none</accID>'],
      ['accounts of VAT that is owed', first('vatToPayAccID'), '<vatToPayAccID>none</vatToPayAccID>'],
      ['accounts of VAT that is claimed', first('vatToClaimAccID'), '<vatToClaimAccID>none</vatToClaimAccID>'],
      ['accounts of journals', first('offsetAccID'), '<offsetAccID>none</offsetAccID>'],
      ['relations of lines', within('trLine', 'custSupID'), '$1<custSupID>none</custSupID>'],
      ['VAT codes of lines', within('vat', 'vatID'), '$1<vatID>none</vatID>'],
      ['transactions are in', within('transaction', 'periodNumber'), '$1<periodNumber>6</periodNumber>'],
      ['periods follow', within('period', 'endDatePeriod'), '$1<endDatePeriod>2026-01-30</endDatePeriod>'],
    ];
    // One of each rule.
    const rules = Object.keys({ ...checkerRules, ...textRules });
    expect(rules.map((name) => mutants.filter(([rule]) => name.startsWith(rule)).length)).toEqual(rules.map(() => 1));
    for (const [rule, found, instead] of mutants) {
      const changed = text.replace(found, instead);
      expect(changed, rule).not.toBe(text);
      expect(brokenRules(xmlTree(changed)), rule).toContainEqual(expect.stringMatching(`^${rule}`));
    }
  });
});

describe('fiscal years', () => {
  test('that are broken are named by both calendar years, and have the months of their own', async () => {
    const { db, id } = await ledgerBooks({
      startMonth: 7,
      openings: [],
      entries: [entry('2025-07-01'), entry('2026-06-30')],
    });
    await set(db, id);
    const { file } = await validFile(db, id, 2025);
    expect(texts(elementsAt(file, 'header')[0]!, 'fiscalYear', 'startDate', 'endDate')).toEqual([
      ...['2025-2026', '2025-07-01', '2026-06-30'],
    ]);
    expect(linesOf(file).map((line) => line.slice(2, 4))).toEqual([
      ['2025-07-01', '1'],
      ['2025-07-01', '1'],
      ['2026-06-30', '12'],
      ['2026-06-30', '12'],
    ]);
  });

  test('that do not begin or end with a month have shorter first and last periods', async () => {
    const { db, id } = await ledgerBooks({
      startMonth: 1,
      openings: [{ start: '2024-11-15', end: '2025-02-10', amounts: {} }],
      entries: [entry('2024-11-30'), entry('2025-02-10')],
    });
    await set(db, id);
    const { file } = await validFile(db, id, 2024, '3.2');
    const periods = elementsAt(file, 'company/periods/period');
    expect(periods.map((period) => texts(period, 'startDatePeriod', 'endDatePeriod'))).toEqual([
      ['2024-11-15', '2024-11-30'],
      ['2024-12-01', '2024-12-31'],
      ['2025-01-01', '2025-01-31'],
      ['2025-02-01', '2025-02-10'],
    ]);
  });

  test('that end with the last day of the year 9999 have the months up to it', async () => {
    const { db, id } = await ledgerBooks({ startMonth: 10, openings: [], entries: [entry('9999-12-31')] });
    await set(db, id);
    const { file } = await validFile(db, id, 9999);
    const periods = elementsAt(file, 'company/periods/period');
    expect(periods.map((period) => texts(period, 'startDatePeriod', 'endDatePeriod'))).toEqual([
      ['9999-10-01', '9999-10-31'],
      ['9999-11-01', '9999-11-30'],
      ['9999-12-01', '9999-12-31'],
    ]);
    expect(linesOf(file).map((line) => line.slice(2, 4))).toEqual([
      ['9999-12-31', '3'],
      ['9999-12-31', '3'],
    ]);
  });

  test('open with what the year before closed with, its result on the result account', async () => {
    const { db, id } = await ledgerBooks({ startMonth: 1, openings: [], entries: [entry('2025-05-01', 1234n)] });
    await set(db, id);
    const { file } = await validFile(db, id, 2026);
    expect(
      elementsAt(file, 'company/openingBalance/obLine').map((line) => texts(line, 'accID', 'amnt', 'amntTp')),
    ).toEqual([
      ['0540', '12.34', 'C'],
      ['1000', '12.34', 'D'],
    ]);
    expect(elementsAt(file, 'company/transactions/journal')).toEqual([]);
  });
});

describe('is refused with what is missing', () => {
  const books = { startMonth: 1, openings: [], entries: [entry('2025-05-01')] };
  test.each<[string, LedgerBooks, (db: Database, id: bigint) => Promise<unknown>, number, string]>([
    ['a VAT number', books, (db, id) => set(db, id, { vat_number: '' }), 2025, 'Books has no VAT number'],
    ['anything in that year', books, set, 2024, 'The books of Books have nothing in 2024-01-01 to 2024-12-31.'],
    ['any book', { ...books, entries: [] }, set, 2025, 'have nothing in 2025-01-01 to 2025-12-31.'],
    [
      'a result account',
      books,
      (db, id) => set(db, id, { result_account: '' }),
      2026,
      'Results of earlier years are on no account, and an audit file needs one: set --result-account first.',
    ],
    [
      'an opening balance that balances',
      { ...books, openings: [{ start: '2025-01-01', end: '2025-12-31', amounts: { '1000': 1n } }] },
      set,
      2025,
      'The opening balance of 2025-01-01 is off by 0.01: see check.',
    ],
    [
      'an account that was booked on',
      {
        ...books,
        entries: [
          entry('2025-05-01'),
          {
            date: '2025-05-01',
            lines: [
              { ledger_account_number: 'none', amount: 1n },
              { ledger_account_number: '1000', amount: -1n },
            ],
          },
        ],
      },
      set,
      2025,
      'Account none was booked on, and is no ledger account: see check.',
    ],
    [
      'a tax code that was booked on',
      {
        ...books,
        entries: [
          {
            date: '2025-05-01',
            lines: [
              { ledger_account_number: '1000', amount: 1n, tax_code: 'none' },
              { ledger_account_number: '8000', amount: -1n },
            ],
          },
        ],
      },
      set,
      2025,
      'Tax code none was booked on, and is no tax code: see check.',
    ],
  ])('%s', async (_, given, prepare, year, expected) => {
    const { db, id } = await ledgerBooks(given);
    await prepare(db, id);
    await expect(written(db, id, year)).rejects.toThrow(expected);
  });
});

describe('numbers of entries', () => {
  test('are kept where their journal has them once and they fit, and are given otherwise', async () => {
    const numbers = ['A1', 'A1', '', '#7', 'x'.repeat(36), 'x'.repeat(35), 'B 2'];
    const { db, id } = await ledgerBooks({
      startMonth: 1,
      openings: [],
      entries: [
        ...numbers.map((entry_number, index) => entry(`2025-01-0${index + 1}`, 1n, { entry_number })),
        entry('2025-01-09', 1n, { entry_number: 'B 2', journal: 'bank' }),
        // Of another year: the number is free.
        entry('2024-01-01', 1n, { entry_number: 'B 2' }),
      ],
    });
    await set(db, id);
    const { file } = await validFile(db, id, 2025);
    const given = expect.stringMatching(/^#\d+$/);
    const numbersIn = (journal: XmlTree) => elementsAt(journal, 'transaction/nr').map(({ text }) => text);
    expect(elementsAt(file, 'company/transactions/journal').map(numbersIn)).toEqual([
      ['B 2'],
      [given, given, given, given, given, 'x'.repeat(35), 'B 2'],
    ]);
  });
});

describe('identifications of relations', () => {
  test('are unique, and those of an audit file where it had them', async () => {
    const { db, id } = await ledgerBooks({ startMonth: 1, openings: [], entries: [entry('2025-05-01')] });
    await set(db, id);
    const fixtures = fixturesOf(db, id);
    await fixtures.addCustomField({ owner: 'relation', label: 'Auditfile ID', type: 'TextSmall' });
    await fixtures.addRelation({ name: 'filed', customerNumber: 1, customFields: { 'Auditfile ID': 'DEB-01' } });
    await fixtures.addRelation({ name: 'taken', customerNumber: 2, customFields: { 'Auditfile ID': '5' } });
    await fixtures.addRelation({ name: 'five', supplierNumber: 5 });
    await fixtures.addRelation({ name: 'customer six', customerNumber: 6 });
    await fixtures.addRelation({ name: 'supplier six', supplierNumber: 6 });
    await fixtures.addRelation({ name: 'seven', customerNumber: 7, supplierNumber: 7 });
    await fixtures.addRelation({ name: 'two numbers', customerNumber: 8, supplierNumber: 9 });
    await fixtures.addRelation({ name: 'none', guid: 77n });
    const { file } = await validFile(db, id, 2025);
    const parties = elementsAt(file, 'company/customersSuppliers/customerSupplier');
    expect(Object.fromEntries(parties.map((party) => texts(party, 'custSupName', 'custSupID')))).toEqual({
      filed: 'DEB-01',
      taken: '2',
      five: 'S5',
      'customer six': 'C6',
      'supplier six': 'S6',
      seven: '7',
      'two numbers': 'C8-S9',
      none: 'R77',
    });
  });
});

/** Texts of any characters that a database stores, those that XML does not know too. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }).map((any) => any.replaceAll('\0', '')),
  fc.constantFrom('', NASTY, ' spaces ', 'x'.repeat(400)),
);
const account = fc.constantFrom('1000', '1300', '0540', '4000', '8000');
const day = fc.integer({ min: 0, max: 1200 }).map((days) => addDays('2023-06-01', days));
const randomEntry = fc
  .record({
    date: day,
    journal: fc.constantFrom('bank' as const, 'cash' as const, 'memorial' as const),
    entry_number: fc.oneof(fc.constantFrom('', '1', '2'), text),
    description: text,
    document: text,
    amounts: fc.array(fc.tuple(account, fc.bigInt(-(10n ** 15n), 10n ** 15n)), { maxLength: 4 }),
  })
  .map(({ amounts, document, ...rest }) => {
    const total = amounts.reduce((sum, [, amount]) => sum + amount, 0n);
    const lines = [...amounts, ['1000', -total] as const].map(([ledger_account_number, amount]) => ({
      ...{ ledger_account_number, amount, document, description: document },
    }));
    return { ...rest, lines };
  });

test('accounts are in the order of their numbers, however the database reads them', async () => {
  const { db, id } = await wholeBooks();
  const { file } = await unordered(db, (unorderedly) => validFile(unorderedly, id, 2026));
  const numbers = elementsAt(file, 'company/generalLedger/ledgerAccount').flatMap((account) => texts(account, 'accID'));
  expect(numbers.length).toBeGreaterThan(100);
  expect(numbers).toEqual(numbers.toSorted());
});

describe('bank accounts of relations', () => {
  const accounts = [
    { iban: 'NL91 ABNA 0417 1643 00', bic: 'ABNANL2A', name: 'Jansen', place: 'Gouda' },
    { iban: 'BE68539007547034' },
    // An account without a number has no element: the format requires one.
    { iban: '', bic: 'RABONL2U' },
  ];
  const withAccounts = async () => {
    const { db, id } = await wholeBooks();
    await fixturesOf(db, id).addRelation({ guid: 2000n, name: 'Jansen', customerNumber: 41, bankAccounts: accounts });
    return { db, id };
  };

  test('are in version 3.2, in their order, and are read back', async () => {
    const { db, id } = await withAccounts();
    const { file, text } = await validFile(db, id, 2026, '3.2');
    const parties = elementsAt(file, 'company/customersSuppliers/customerSupplier').map((party) => [
      ...texts(party, 'custSupID'),
      elementsAt(party, 'bankAccount').map((one) => texts(one, 'bankAccNr', 'bankIdCd')),
    ]);
    expect(parties).toEqual(
      expect.arrayContaining([
        [
          '41',
          [
            ['NL91ABNA0417164300', 'ABNANL2A'],
            ['BE68539007547034', ''],
          ],
        ],
        ['7', []],
      ]),
    );
    const into = await importInto();
    await removeChart(into.db, into.administrationId);
    expect((await load(text, into)).problems).toEqual([]);
    const read = await into.db
      .selectFrom('relation_bank_account as account')
      .innerJoin('relation', 'relation.id', 'account.relation_id')
      .orderBy('account.position')
      .select(['customer_number', 'iban', 'bic'])
      .execute();
    expect(read).toEqual([
      { customer_number: 41n, iban: 'NL91ABNA0417164300', bic: 'ABNANL2A' },
      { customer_number: 41n, iban: 'BE68539007547034', bic: '' },
    ]);
  });

  test('have no place in version 4.0', async () => {
    const { db, id } = await withAccounts();
    const { text } = await validFile(db, id, 2026, '4.0');
    expect(text).not.toContain('NL91');
  });
});

test('random books of any year are valid, and have the sums of their entries by account', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, 4, 7),
      fc.array(randomEntry, { minLength: 1, maxLength: 10 }),
      fc.constantFrom(...auditfileVersions),
      text,
      async (month, entries, version, name) => {
        const { db, id } = await ledgerBooks({ startMonth: month, openings: [], entries });
        await set(db, id, { name: `Books ${name}` });
        const inYear = (date: string, year: number) =>
          `${year}-${String(month).padStart(2, '0')}-01` <= date &&
          date < `${year + 1}-${String(month).padStart(2, '0')}-01`;
        const years = [2022, 2023, 2024, 2025, 2026].filter((year) =>
          entries.some(({ date, lines }) => inYear(date, year) && lines.some(({ amount }) => amount !== 0n)),
        );
        for (const year of years) {
          const { file } = await validFile(db, id, year, version);
          const expected = new Map<string, [bigint, bigint]>();
          for (const { lines } of entries.filter(({ date }) => inYear(date, year))) {
            for (const { ledger_account_number: number, amount } of lines) {
              if (amount === 0n) continue;
              const [debit, credit] = expected.get(number) ?? [0n, 0n];
              expected.set(number, amount > 0n ? [debit + amount, credit] : [debit, credit - amount]);
            }
          }
          const found = new Map<string, [bigint, bigint]>();
          for (const line of elementsAt(file, 'company/transactions/journal/transaction/trLine')) {
            const [number, amount, letter] = texts(line, 'accID', 'amnt', 'amntTp') as [string, string, string];
            const [debit, credit] = found.get(number) ?? [0n, 0n];
            const value = BigInt(amount.replace('.', ''));
            found.set(number, letter === 'D' ? [debit + value, credit] : [debit, credit + value]);
          }
          expect(found).toEqual(expected);
          // The opening is what was before, results on the result account.
          const opening = new Map<string, bigint>();
          for (const { lines } of entries.filter(({ date }) => !inYear(date, year) && date < `${year + 1}`)) {
            for (const { ledger_account_number: number, amount } of lines) {
              const carried = ['4000', '8000'].includes(number) ? '0540' : number;
              opening.set(carried, (opening.get(carried) ?? 0n) + amount);
            }
          }
          const obLines = elementsAt(file, 'company/openingBalance/obLine').map((line) => {
            const [number, amount, letter] = texts(line, 'accID', 'amnt', 'amntTp') as [string, string, string];
            return [number, BigInt(amount.replace('.', '')) * (letter === 'D' ? 1n : -1n)] as const;
          });
          expect(new Map(obLines)).toEqual(new Map([...opening].filter(([, amount]) => amount !== 0n)));
        }
      },
    ),
    // A database on a server takes long to make.
    { numRuns: databaseKind() === 'sqlite' ? deeper(15, 200) : deeper(5, 20) },
  );
});

const load = auditfileImporter();

test.each(auditfileVersions)(
  'version %s is read again by the import as the administration that was written',
  async (version) => {
    const { db, id } = await wholeBooks();
    const { text: file } = await validFile(db, id, 2026, version);
    const into = await importInto();
    await removeChart(into.db, into.administrationId);
    const { problems, result } = await load(file, into);
    expect(problems).toEqual([]);
    expect(result.checked.openingBalance).toEqual({ lines: 2n, debit: 12_345n, credit: 12_345n });
    expect(result.checked.transactions).toMatchObject({ lines: 16n });
    const accounts = (of: Database) =>
      of
        .selectFrom('ledger_account')
        .orderBy('number')
        .select(['number', 'name', 'ledger_type', 'fiscal_year'])
        .execute();
    expect(await accounts(into.db)).toEqual(await accounts(db));
    const relations = (of: Database) =>
      of
        .selectFrom('relation')
        .orderBy('customer_number')
        .orderBy('supplier_number')
        .select([
          'name',
          'is_customer',
          'is_supplier',
          'email',
          'phone',
          'vat_number',
          'registration_number',
          'country_code',
          'street',
          'unit',
          'unit_appendix',
          'postal_code',
          'city',
        ])
        .execute();
    expect(await relations(into.db)).toEqual(
      (await relations(db)).map((relation) => ({ ...relation, name: relation.name === NASTY ? CLEAN : relation.name })),
    );
    const codes = (of: Database) =>
      of
        .selectFrom('tax_code')
        .orderBy('tax_type')
        .orderBy('code')
        .select(['tax_type', 'code', 'name', 'percentage'])
        .execute();
    expect(await codes(into.db)).toEqual(await codes(db));
    const controls = ['debtor_account', 'creditor_account', 'vat_payable_account', 'vat_receivable_account'] as const;
    const [before, after] = [await administrationOf(db, id), await administrationOf(into.db, into.administrationId)];
    expect(controls.map((column) => after[column])).toEqual(controls.map((column) => before[column]));
  },
);

test('what is written, read elsewhere and written again has the same accounts, openings and entries', async () => {
  const { db, id } = await wholeBooks();
  const { text: first } = await validFile(db, id, 2026);
  const into = await importInto();
  await removeChart(into.db, into.administrationId);
  expect((await load(first, into)).problems).toEqual([]);
  await set(into.db, into.administrationId);
  const { text: second } = await validFile(into.db, into.administrationId, 2026);
  // Numbers of entries without one are those of rows; only invoices that are made here have a reference.
  const books = (text: string) =>
    text
      .slice(text.indexOf('<generalLedger>'))
      .replace(/>#\d+</g, '>#<')
      .replace(/ *<invRef>.*<\/invRef>\n/g, '');
  expect(books(second)).toBe(books(first));
  expect(await Array.fromAsync(checkAdministration(into.db, into.administrationId))).toEqual([]);
});

test('a payment with the number of the invoice that it pays still pays it where it is read', async () => {
  const { db, administrationId: id, load: loadRows } = await importIntoShop();
  await set(db, id);
  await loadRows(
    'invoices',
    `InvoiceNumber | InvoiceDate | CustomerNumber | InvoiceType | SubTotalInclTax | TaxCode
     1 | 15-01-2026 | 7 | BOOKKEEPING | 121.00 | 21% - Hoog`,
  );
  const { id: relation_id } = await db
    .selectFrom('relation')
    .where('customer_number', '=', 7n)
    .select('id')
    .executeTakeFirstOrThrow();
  const payment = (entry_number: string, document: string, amount: bigint) => ({
    ...({ journal: 'bank', entry_number, date: '2026-02-01' } as const),
    lines: [
      { ledger_account_number: '1000', amount },
      { ledger_account_number: '1300', amount: -amount, relation_id, document },
    ],
  });
  await addBooks(db, id, {
    startMonth: 1,
    openings: [],
    entries: [payment('1', '1', 12_100n), payment('2', '', 500n)],
  });
  const into = await importInto();
  await removeChart(into.db, into.administrationId);
  const { problems } = await load((await validFile(db, id, 2026)).text, into);
  expect(problems).toEqual([]);
  const lines = await into.db
    .selectFrom('journal_line')
    .where('ledger_account_number', 'in', ['1000', '1300'])
    .orderBy('date')
    .orderBy('id')
    .select(['ledger_account_number', 'document', 'debit', 'credit'])
    .execute();
  expect(lines.map((line) => Object.values(line).join(' '))).toEqual([
    '1300 1 12100 0',
    '1000  12100 0',
    '1300 1 0 12100',
    '1000  500 0',
    '1300  0 500',
  ]);
});

test('what was taxed at the rate of before a change is written at that rate, and is taxed as much where it is read', async () => {
  const { db, administrationId: id, load: loadRows } = await importIntoShop();
  await set(db, id);
  const invoices = (...rows: string[]) =>
    loadRows(
      'invoices',
      ['InvoiceNumber | InvoiceDate | CustomerNumber | InvoiceType | SubTotalInclTax | TaxCode', ...rows].join('\n'),
    );
  const purchases = (...rows: string[]) =>
    loadRows(
      'purchase-invoices',
      ['PurchaseInvoiceNumber | InvoiceDate | SupplierNumber | SubTotalInclTax | TaxCode', ...rows].join('\n'),
    );
  const low = (rate: string) => `TaxPc | Name | TaxType | TaxCode\n${rate} | Laag | Sales | Laag`;
  // The low rate was 6% until 2018, and the high one 19% until October 2012.
  await loadRows('tax-codes', `${low('6')}\n19 | Hoog oud | Purchase | Inkoop`);
  await invoices('1 | 03-01-2019 | 7 | BOOKKEEPING | -106 | Laag', '2 | 03-01-2019 | 7 | BOOKKEEPING | 13.33 | Laag');
  await purchases('70 | 03-01-2019 | 3 | 119 | Inkoop');
  await loadRows('tax-codes', `${low('9')}\n21 | Hoog nieuw | Purchase | Inkoop\n21 | Auto | Purchase | Auto`);
  // Of a car half of the tax is deducted: 10.50 of 100.00 is no rate of before.
  await loadRows('vat-rules', 'TaxType | TaxCode | DeductibleBoxes | DeductiblePc\nPurchase | Auto | 5b | 50');
  await invoices(
    '3 | 04-01-2019 | 7 | BOOKKEEPING | 109 | Laag',
    '4 | 04-01-2019 | 7 | BOOKKEEPING | 0.05 | Laag',
    '5 | 04-01-2019 | 7 | BOOKKEEPING | 1000.01 | Laag',
  );
  await purchases(
    ...['71 | 04-01-2019 | 3 | 121 | Inkoop', '72 | 04-01-2019 | 3 | 12.10 | Inkoop'],
    ...['73 | 04-01-2019 | 3 | 121 | Auto', '74 | 04-01-2019 | 3 | 100 | 0% - Diensten uit EU-landen'],
  );
  const { file, text } = await validFile(db, id, 2019);
  const taxes = elementsAt(file, 'company/transactions/journal/transaction/trLine').flatMap((line) =>
    elementsAt(line, 'vat').map((vat) => [
      ...texts(line, 'docRef'),
      ...texts(vat, 'vatID', 'vatPerc', 'vatAmnt', 'vatAmntTp'),
    ]),
  );
  expect(taxes).toEqual([
    ['1', 'Laag', '6', '6.00', 'D'],
    ['2', 'Laag', '6', '0.75', 'C'],
    ['3', 'Laag', '9', '9.00', 'C'],
    ['4', 'Laag', '9', '0.00', 'D'],
    ['5', 'Laag', '9', '82.57', 'C'],
    ['70', 'Inkoop', '19', '19.00', 'D'],
    ['71', 'Inkoop', '21', '21.00', 'D'],
    ['72', 'Inkoop', '21', '2.10', 'D'],
    ['73', 'Auto', '21', '10.50', 'D'],
    ['74', '0% - Diensten uit EU-landen', '0', '21.00', 'D'],
    ['74', '0% - Diensten uit EU-landen', '0', '21.00', 'C'],
  ]);

  const into = await importInto();
  await removeChart(into.db, into.administrationId);
  expect((await load(text, into)).problems).toEqual([]);
  const bases = await into.db
    .selectFrom('journal_line')
    .where('tax_base', '<>', 0n)
    .orderBy('id')
    .select(['document', 'tax_base', 'tax_amount'])
    .execute();
  // Those of the code's own percentage follow from it.
  expect(bases.map((line) => Object.values(line).map(String))).toEqual([
    ['1', '10000', '600'],
    ['2', '-1250', '-75'],
    ['4', '-5', '0'],
    ['70', '10000', '1900'],
  ]);
});

test('what is taxed at 0 % has its code on the line of its account, and is in the return where it is read', async () => {
  const { db, administrationId: id, load: loadRows } = await importIntoShop();
  await set(db, id);
  const headings = 'InvoiceDate | SubTotalInclTax | TaxCode | LedgerAccountNumber';
  const sold = await loadRows(
    'invoices',
    `InvoiceNumber | CustomerNumber | InvoiceType | ${headings}
     1 | 7 | BOOKKEEPING | 15-01-2026 | 500 | 0% - Goederen naar EU-landen | 8000
     2 | 7 | BOOKKEEPING | 15-02-2026 | -80 | 0% - Goederen naar EU-landen | 8000
     3 | 7 | BOOKKEEPING | 16-02-2026 | 121 | 21% - Hoog | 8000
     3 | 7 | BOOKKEEPING | 16-02-2026 | 300 | 0% - Verlegd binnenland | 8010
     4 | 7 | BOOKKEEPING | 17-02-2026 | 242 | 21% - Hoog | 8000
     4 | 7 | BOOKKEEPING | 17-02-2026 | 60 | 0% - Verlegd binnenland | 8000`,
  );
  expect(sold.problems).toEqual([]);
  await loadRows('tax-codes', 'TaxPc | Name | TaxType | TaxCode\n21 | Representatie | Purchase | Representatie');
  await loadRows('vat-rules', 'TaxType | TaxCode | DeductibleBoxes | DeductiblePc\nPurchase | Representatie | 5b | 0');
  await loadRows(
    'purchase-invoices',
    `PurchaseInvoiceNumber | SupplierNumber | ${headings}
     70 | 3 | 01-03-2026 | 121 | Representatie | 4000
     71 | 3 | 01-03-2026 | 50 | 0% - Inkoop vrijgesteld | 4000`,
  );
  const { file, text } = await validFile(db, id, 2026);
  const coded = elementsAt(file, 'company/transactions/journal/transaction/trLine').flatMap((line) =>
    elementsAt(line, 'vat').map((vat) =>
      [
        ...texts(line, 'docRef', 'accID', 'amnt', 'amntTp'),
        ...texts(vat, 'vatID', 'vatPerc', 'vatAmnt', 'vatAmntTp'),
      ].join(' '),
    ),
  );
  expect(coded).toEqual([
    '1 8000 500.00 C 0% - Goederen naar EU-landen 0 0.00 D',
    '2 8000 80.00 D 0% - Goederen naar EU-landen 0 0.00 D',
    '3 8010 300.00 C 0% - Verlegd binnenland 0 0.00 D',
    '3 1500 21.00 C 21% - Hoog 21 21.00 C',
    // The ledger has one line of 260.00.
    '4 8000 60.00 C 0% - Verlegd binnenland 0 0.00 D',
    '4 1500 42.00 C 21% - Hoog 21 42.00 C',
    '71 4000 50.00 D 0% - Inkoop vrijgesteld 0 0.00 D',
  ]);

  const into = await importInto();
  expect((await load(text, into)).problems).toEqual([]);
  const { paper } = await vatPaper(
    into.db,
    await administrationOf(into.db, into.administrationId),
    readVatPeriod('2026-Q1')!,
  );
  const { boxes } = paper.found;
  expect(boxes.get('3b')).toMatchObject({ base: { exact: 42_000n } });
  expect(boxes.get('1e')).toMatchObject({ base: { exact: 36_000n } });
  expect(boxes.get('1a')).toMatchObject({ base: { exact: 30_000n }, tax: { exact: 6300n } });
  expect(paper.listing.map(({ name, nature, amount }) => [name, nature, amount])).toEqual([
    ['Bakker', 'goods', 42_000n],
  ]);
});

test('an invoice whose lines come to nothing is in the file, and its parts at 0 % too', async () => {
  const { db, administrationId: id, load: loadRows } = await importIntoShop();
  await set(db, id);
  const headings = 'InvoiceNumber | CustomerNumber | InvoiceType | InvoiceDate | SubTotalInclTax | TaxCode';
  const sold = await loadRows(
    'invoices',
    `${headings} | LedgerAccountNumber
     1 | 7 | BOOKKEEPING | 15-01-2026 | 100 | 0% - Goederen naar EU-landen | 8000
     1 | 7 | BOOKKEEPING | 15-01-2026 | -100 | 0% - Verlegd binnenland | 8000
     2 | 7 | BOOKKEEPING | 16-01-2026 | 121 | 21% - Hoog | 8000
     2 | 7 | BOOKKEEPING | 16-01-2026 | -121 | 21% - Hoog | 8000
     3 | 7 | BOOKKEEPING | 17-01-2026 | 121 | 21% - Hoog | 8000`,
  );
  expect(sold.problems).toEqual([]);
  const { file, contents, text } = await validFile(db, id, 2026);
  expect(contents).toMatchObject({ entries: 3, lines: 5n, debit: 22_100n, credit: 22_100n });
  const written = elementsAt(file, 'company/transactions/journal/transaction').map((transaction) => [
    ...texts(transaction, 'desc'),
    elementsAt(transaction, 'trLine').map((line) =>
      [
        ...texts(line, 'accID', 'amnt', 'amntTp', 'docRef', 'invRef', 'custSupID'),
        ...elementsAt(line, 'vat').flatMap((vat) => texts(vat, 'vatID', 'vatAmnt')),
      ].join(' '),
    ),
  ]);
  expect(written).toEqual([
    [
      '1 Bakker',
      ['8000 100.00 C 1 1 7 0% - Goederen naar EU-landen 0.00', '8000 100.00 D 1 1 7 0% - Verlegd binnenland 0.00'],
    ],
    // What is taxed at 21 % comes to nothing as well.
    ['2 Bakker', []],
    ['3 Bakker', ['1300 121.00 D 3 3 7', '8000 100.00 C 3 3 7', '1500 21.00 C 3 3 7 21% - Hoog 21.00']],
  ]);
  const into = await importInto();
  const read = await load(text, into);
  expect([read.problems, read.result.warnings, read.result.entries.added]).toEqual([[], [], 3]);
  const administration = await administrationOf(into.db, into.administrationId);
  const { boxes } = (await vatPaper(into.db, administration, readVatPeriod('2026-Q1')!)).paper.found;
  expect(boxes.get('3b')).toMatchObject({ base: { exact: 10_000n } });
  expect(boxes.get('1e')).toMatchObject({ base: { exact: -10_000n } });
  const again = await load(text, { db, administrationId: id });
  expect(again.problems).toEqual([]);
  expect(again.result.entries).toMatchObject({ added: 0, matched: 3 });
  const other = text.replaceAll('<docRef>3<', '<docRef>2<').replaceAll('<invRef>3<', '<invRef>2<');
  expect((await load(other, { db, administrationId: id })).problems).toEqual([
    expect.stringContaining('document 2 of sales is booked here on another day or with other amounts'),
  ]);
});

test('a line at several rates is written in parts, which are counted, and are booked already where they were made', async () => {
  const { db, administrationId: id, load: loadRows } = await importIntoShop();
  await set(db, id);
  const headings = 'InvoiceDate | SubTotalInclTax | TaxCode | LedgerAccountNumber | CostCenter';
  const sold = await loadRows(
    'invoices',
    `InvoiceNumber | CustomerNumber | InvoiceType | ${headings}
     1 | 7 | BOOKKEEPING | 15-01-2026 | 121 | 21% - Hoog | 8000 |
     1 | 7 | BOOKKEEPING | 15-01-2026 | 60 | 0% - Verlegd binnenland | 8000 |
     1 | 7 | BOOKKEEPING | 15-01-2026 | 50 | 0% - Goederen naar EU-landen | 8000 |
     1 | 7 | BOOKKEEPING | 15-01-2026 | 7 | 0% - Verlegd binnenland | 8000 | Shop
     2 | 7 | BOOKKEEPING | 16-01-2026 | 242 | 21% - Hoog | 8000 |
     2 | 7 | BOOKKEEPING | 16-01-2026 | -60 | 0% - Verlegd binnenland | 8000 |
     3 | 7 | BOOKKEEPING | 17-01-2026 | 30 | 0% - Verlegd binnenland | 8000 |
     3 | 7 | BOOKKEEPING | 17-01-2026 | 40 | 0% - Goederen naar EU-landen | 8000 |
     4 | 7 | BOOKKEEPING | 18-01-2026 | 20 | 0% - Verlegd binnenland | 8000 |
     4 | 7 | BOOKKEEPING | 18-01-2026 | 24.20 | 21% - Hoog | 8000 |
     6 | 7 | BOOKKEEPING | 19-01-2026 | 121 | 21% - Hoog | 8000 |
     6 | 7 | BOOKKEEPING | 19-01-2026 | -100 | 0% - Verlegd binnenland | 8000 |
     5 | 7 | BOOKKEEPING | 31-12-2025 | 121 | 21% - Hoog | 8000 |
     5 | 7 | BOOKKEEPING | 31-12-2025 | 60 | 0% - Verlegd binnenland | 8000 |`,
  );
  expect(sold.problems).toEqual([]);
  await loadRows('tax-codes', 'TaxPc | Name | TaxType | TaxCode\n21 | Half | Purchase | Half');
  await loadRows('vat-rules', 'TaxType | TaxCode | DeductibleBoxes | DeductiblePc\nPurchase | Half | 5b | 50');
  const bought = await loadRows(
    'purchase-invoices',
    `PurchaseInvoiceNumber | SupplierNumber | ${headings}
     70 | 3 | 01-03-2026 | 121 | Half | 4000 |
     70 | 3 | 01-03-2026 | 50 | 0% - Inkoop vrijgesteld | 4000 |`,
  );
  expect(bought.problems).toEqual([]);
  const { file, text, contents } = await validFile(db, id, 2026);
  const lines = elementsAt(file, 'company/transactions/journal/transaction/trLine').map((line) =>
    [
      ...texts(line, 'docRef', 'accID', 'amnt', 'amntTp'),
      ...elementsAt(line, 'vat').flatMap((vat) => texts(vat, 'vatID')),
    ].join(' '),
  );
  expect(lines.filter((line) => / (8000|4000) /.test(line)).sort()).toEqual([
    '1 8000 100.00 C',
    '1 8000 50.00 C 0% - Goederen naar EU-landen',
    '1 8000 60.00 C 0% - Verlegd binnenland',
    '1 8000 7.00 C 0% - Verlegd binnenland',
    '2 8000 200.00 C',
    '2 8000 60.00 D 0% - Verlegd binnenland',
    '3 8000 30.00 C 0% - Verlegd binnenland',
    '3 8000 40.00 C 0% - Goederen naar EU-landen',
    '4 8000 20.00 C',
    '4 8000 20.00 C 0% - Verlegd binnenland',
    // In the ledger they come to nothing.
    '6 8000 100.00 C',
    '6 8000 100.00 D 0% - Verlegd binnenland',
    '70 4000 110.50 D',
    '70 4000 50.00 D 0% - Inkoop vrijgesteld',
  ]);
  // On the debit side: what customers owe, the parts of invoices 2 and 6, and the purchase with its VAT.
  const debit = 23_800n + 18_200n + 7000n + 4420n + 2100n + 6000n + 10_000n + 17_100n;
  expect(contents).toMatchObject({ lines: 25n, debit, credit: debit });
  const { problems, result } = await load(text, { db, administrationId: id });
  expect(problems).toEqual([]);
  expect(result.entries).toMatchObject({ added: 0, removed: 0, matched: 6 });
});

test('random invoices with parts at several rates are valid, and have the same return where they are read', async () => {
  const codes = ['21% - Hoog', '0% - Verlegd binnenland', '0% - Goederen naar EU-landen'] as const;
  const line = fc.record({
    code: fc.constantFrom(...codes),
    account: fc.constantFrom('8000', '8010'),
    costCenter: fc.constantFrom('', 'Shop'),
    // Few, so that some come to nothing together.
    euros: fc.integer({ min: -3, max: 3 }).filter((euros) => euros !== 0),
  });
  // An entry in which all comes to nothing has no line.
  const invoice = fc.array(line, { minLength: 1, maxLength: 5 }).filter((lines) => {
    const totals = Object.values(Object.groupBy(lines, ({ account, costCenter }) => `${account} ${costCenter}`)).map(
      (group) => group!.reduce((total, { euros }) => total + euros, 0),
    );
    return totals.some((total) => total !== 0);
  });
  await fc.assert(
    fc.asyncProperty(fc.array(invoice, { minLength: 1, maxLength: 5 }), async (invoices) => {
      const { db, administrationId: id, load: loadRows } = await importIntoShop();
      await set(db, id);
      const rows = invoices.flatMap((lines, index) =>
        lines.map(({ code, account, costCenter, euros }) =>
          [
            ...[index + 1, 7, 'BOOKKEEPING', '15-01-2026', euros * (code === codes[0] ? 121 : 100)],
            ...[code, account, costCenter],
          ].join(' | '),
        ),
      );
      const headings =
        'InvoiceNumber | CustomerNumber | InvoiceType | InvoiceDate | SubTotalInclTax | TaxCode | LedgerAccountNumber | CostCenter';
      expect((await loadRows('invoices', [headings, ...rows].join('\n'))).problems).toEqual([]);
      const { text } = await validFile(db, id, 2026);
      const into = await importInto();
      expect((await load(text, into)).problems).toEqual([]);
      const boxesIn = async (of: Database, administrationId: bigint) => {
        const { paper } = await vatPaper(of, await administrationOf(of, administrationId), readVatPeriod('2026-Q1')!);
        return ['1a', '1e', '3b'].map((box) => paper.found.boxes.get(box));
      };
      expect(await boxesIn(into.db, into.administrationId)).toEqual(await boxesIn(db, id));
    }),
    { numRuns: databaseKind() === 'sqlite' ? deeper(10, 100) : deeper(3, 10) },
  );
});

test('random entries that were imported are written and imported again as they are', async () => {
  const numbered = fc.tuple(
    randomEntry,
    fc.boolean(),
    fc.constantFrom('sales' as const, 'purchases' as const, undefined),
  );
  /** All entries with their lines. */
  const entriesIn = async (db: Database) => {
    const rows = await db
      .selectFrom('journal_line')
      .innerJoin('journal_entry', 'journal_entry.id', 'journal_entry_id')
      .orderBy('journal_line.id')
      .select(['journal', 'entry_number', 'journal_entry.date', 'journal_entry.description', 'document'])
      .select(['journal_line.description as text', 'ledger_account_number', 'debit', 'credit'])
      .execute();
    return rows.map((row) => JSON.stringify(Object.values(row).map(String))).sort();
  };
  await fc.assert(
    fc.asyncProperty(fc.array(numbered, { minLength: 1, maxLength: 8 }), async (random) => {
      const entries = random.map(([entry, hasNumber, journal], index) => ({
        ...{ ...entry, date: `2025${entry.date.slice(4)}`.replace('02-29', '02-28') },
        journal: journal ?? entry.journal,
        entry_number: hasNumber ? `N${index}` : '',
      }));
      const made = await ledgerBooks({ startMonth: 1, openings: [], entries });
      await set(made.db, made.id);
      fc.pre(entries.some(({ lines }) => lines.some(({ amount }) => amount !== 0n)));
      const { text: file } = await validFile(made.db, made.id, 2025, '3.2');
      const [first, second] = [await importInto(), await importInto()];
      await set(first.db, first.administrationId);
      expect((await load(file, first)).problems).toEqual([]);
      const { text: again } = await validFile(first.db, first.administrationId, 2025, '3.2');
      expect((await load(again, second)).problems).toEqual([]);
      expect(await entriesIn(second.db)).toEqual(await entriesIn(first.db));
      const { problems, result } = await load(again, first);
      expect(problems).toEqual([]);
      expect(result.entries).toMatchObject({ added: 0, removed: 0 });
    }),
    { numRuns: databaseKind() === 'sqlite' ? deeper(10, 50) : deeper(3, 10) },
  );
});
