import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { importInto, NOW } from '../../../../../testing/builtin/imports.ts';
import { realFile } from '../../../../../testing/builtin/realData.ts';
import { checkAdministration } from '../../check/check.ts';
import type { Database } from '../../sql/database.ts';
import { importAuditfile } from './auditfile.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ledgerline-xaf-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NAMESPACE = 'http://www.auditfiles.nl/XAF/3.2';

type Parts = Partial<Record<'header' | 'parties' | 'ledger' | 'vat' | 'periods' | 'opening' | 'transactions', string>>;

const usual: Required<Parts> = {
  header: `<fiscalYear>2025</fiscalYear><startDate>2025-01-01</startDate><endDate>2025-12-31</endDate>
<curCode>EUR</curCode><dateCreated>2026-01-02</dateCreated>`,
  parties: '',
  ledger: `
<ledgerAccount><accID>0100</accID><accDesc>Grond &amp; gebouw</accDesc><accTp>B</accTp></ledgerAccount>
<ledgerAccount><accID>8000</accID><accDesc>Omzet één</accDesc><accTp>P</accTp></ledgerAccount>`,
  vat: '',
  periods: '',
  opening: '',
  transactions: '',
};

const auditfile = (given: Parts = {}, root = `auditfile xmlns="${NAMESPACE}"`): string => {
  const parts = { ...usual, ...given };
  return `<?xml version="1.0" encoding="utf-8"?>
<${root}>
<header>${parts.header}</header>
<company><companyName>X</companyName><taxRegistrationCountry>NL</taxRegistrationCountry><taxRegIdent/>
<customersSuppliers>${parts.parties}</customersSuppliers>
<generalLedger>${parts.ledger}</generalLedger>
<vatCodes>${parts.vat}</vatCodes>
<periods>${parts.periods}</periods>
${parts.opening}${parts.transactions}</company>
</auditfile>
`;
};

const line = (account: string, amount: string, side: 'D' | 'C', more = '') =>
  `<trLine><nr>1</nr><accID>${account}</accID><docRef/><effDate>2025-02-01</effDate><amnt>${amount}</amnt><amntTp>${side}</amntTp>${more}</trLine>`;
const transactions = (count: string, debit: string, credit: string, lines: string, journal = '') => `
<transactions><linesCount>${count}</linesCount>
<totalDebit>${debit}</totalDebit>
<totalCredit>${credit}</totalCredit>
<journal><jrnID>1</jrnID><desc>J</desc>${journal}<transaction><nr>1</nr><periodNumber>1</periodNumber><trDt>2025-02-01</trDt>${lines}</transaction></journal>
</transactions>`;

let files = 0;
const written = (content: string | Buffer): string => {
  const file = path.join(folder, `file-${++files}.xaf`);
  writeFileSync(file, content);
  return file;
};

/** Imports a file into an administration without accounts and tax codes. */
async function load(content: string | Buffer, into?: Awaited<ReturnType<typeof importInto>>) {
  const { db, administrationId } = into ?? (await importInto());
  if (into === undefined) await empty(db, administrationId);
  const given = { administrationId, now: NOW };
  const result = await importAuditfile(db, written(content), 'books.xaf', given);
  const told = result.problems.map(({ place, column, message }) => `${place} ${column}: ${message}`);
  return { db, administrationId, result, told };
}

async function empty(db: Database, administrationId: bigint): Promise<void> {
  await db.deleteFrom('ledger_account').execute();
  await db.deleteFrom('tax_code').execute();
  const none = { debtor_account: '', creditor_account: '', vat_payable_account: '', vat_receivable_account: '' };
  await db.updateTable('administration').where('id', '=', administrationId).set(none).execute();
}

/** The line a text stands on. */
const lineOf = (content: string, text: string): number => content.slice(0, content.indexOf(text)).split('\n').length;

const exact = realFile('auditfile-exact-2016.xaf.xml');
describe.skipIf(!exact.isThere)(exact.title('a real auditfile'), () => {
  test('is imported: accounts, relations and VAT codes, and everything adds up', async () => {
    const { db, administrationId, result, told } = await load(readFileSync(exact.file));
    expect(told).toEqual([]);
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

  test('imported again changes nothing', async () => {
    const into = await importInto();
    await empty(into.db, into.administrationId);
    await load(readFileSync(exact.file), into);
    const { result } = await load(readFileSync(exact.file), into);
    for (const counts of [result.accounts, result.relations, result.taxCodes]) {
      expect(counts).toMatchObject({ added: 0, changed: 0 });
    }
  });

  test('cut off anywhere, or with one amount changed, is refused and leaves nothing', async () => {
    const text = readFileSync(exact.file, 'utf8');
    const into = await importInto();
    await empty(into.db, into.administrationId);
    for (const share of [0.01, 0.3, 0.6, 0.99]) {
      const { told } = await load(text.slice(0, Math.floor(text.length * share)), into);
      expect(told).toEqual([expect.stringMatching(/^books\.xaf:\d+:\d+ : is no sound XML: /)]);
    }
    const changed = text.replace('<amnt>2603.31</amnt>', '<amnt>2603.32</amnt>');
    const { told } = await load(changed, into);
    expect(told).toEqual([
      `books.xaf:${lineOf(changed, '<totalDebit>')} totalDebit: expected 999954.07, what the lines of transactions add up to, got "999954.06"`,
    ]);
    for (const table of ['ledger_account', 'relation', 'tax_code'] as const) {
      expect(await into.db.selectFrom(table).select('id').execute()).toEqual([]);
    }
  });
});

describe('customers and suppliers of an auditfile', () => {
  const party = (id: string, type: string, more = '') =>
    `\n<customerSupplier><custSupID>${id}</custSupID><custSupName>Naam ${id}</custSupName>${more}${type === '' ? '' : `<custSupTp>${type}</custSupTp>`}</customerSupplier>`;

  test('are numbered by their identification where that is a number, and are found again by it where it is not', async () => {
    const parties = [
      party('ABC', 'C'),
      party('1', 'C'),
      party('007', 'S'),
      party('12', 'B'),
      party('13', 'O'),
      party('14', ''),
      party('12345678901234567', 'S'),
    ].join('');
    const into = await importInto();
    const { db, told } = await load(auditfile({ parties }), into);
    expect(told).toEqual([]);
    const relations = async () =>
      (await db.selectFrom('relation').orderBy('name').selectAll().execute()).map((row) => [
        row.name,
        row.customer_number,
        row.supplier_number,
        row.is_other,
      ]);
    const expected = [
      ['Naam 007', null, 7n, 0n],
      ['Naam 1', 1n, null, 0n],
      ['Naam 12', 12n, 12n, 0n],
      ['Naam 12345678901234567', null, 15n, 0n],
      ['Naam 13', null, null, 1n],
      ['Naam 14', 14n, 14n, 0n],
      ['Naam ABC', 15n, null, 0n],
    ];
    expect(await relations()).toEqual(expected);
    const ids = await db.selectFrom('relation_custom_field').orderBy('value').select('value').execute();
    expect(ids.map(({ value }) => value)).toEqual(['12345678901234567', '13', 'ABC']);
    const { result } = await load(auditfile({ parties }), into);
    expect(result.relations).toEqual({ added: 0, changed: 0, unchanged: 7 });
    expect(await relations()).toEqual(expected);
  });

  test('are kept by their identification where its number is too high, or is that of another one as well', async () => {
    const parties = ['20160000001', '201600000012345', '2147483647', '007', '7', '00012', '0012', '2147000000', '0034'];
    const into = await importInto();
    const content = auditfile({ parties: parties.map((id) => party(id, 'C')).join('') });
    const { db, told } = await load(content, into);
    expect(told).toEqual([]);
    const ids = await db.selectFrom('relation_custom_field').orderBy('value').select('value').execute();
    expect(ids.map(({ value }) => value)).toEqual([
      '00012',
      '0012',
      '007',
      '20160000001',
      '201600000012345',
      '2147483647',
    ]);
    const numbered = await db
      .selectFrom('relation')
      .where('name', 'in', ['Naam 7', 'Naam 2147000000', 'Naam 0034'])
      .orderBy('customer_number')
      .select(['name', 'customer_number'])
      .execute();
    expect(numbered).toEqual([
      { name: 'Naam 7', customer_number: 7n },
      { name: 'Naam 0034', customer_number: 34n },
      { name: 'Naam 2147000000', customer_number: 2_147_000_000n },
    ]);
    const { result } = await load(content, into);
    expect(result.relations).toEqual({ added: 0, changed: 0, unchanged: parties.length });
  });

  test('have the first address with anything in it, and all their bank accounts', async () => {
    const more = `<streetAddress><country>BE</country></streetAddress>
<postalAddress><streetname>Kade</streetname><number>3</number><numberExtension>a</numberExtension><city>Gent</city><country>BE</country></postalAddress>
${['NL91ABNA0417164300', '', 'BE68539007547034'].map((iban) => `<bankAccount><bankAccNr>${iban}</bankAccNr></bankAccount>`).join('')}
<customerSupplierHistory><customerSupplier><custSupID>5</custSupID><custSupName>Vroeger</custSupName></customerSupplier></customerSupplierHistory>`;
    const { db, told } = await load(auditfile({ parties: party('5', 'C', more) }));
    expect(told).toEqual([]);
    const rows = await db.selectFrom('relation').selectAll().execute();
    expect(rows).toMatchObject([
      { name: 'Naam 5', street: 'Kade', unit: '3', unit_appendix: 'a', city: 'Gent', country_code: 'BE' },
    ]);
    const banks = await db.selectFrom('relation_bank_account').orderBy('position').select('iban').execute();
    expect(banks.map(({ iban }) => iban)).toEqual(['NL91ABNA0417164300', 'BE68539007547034']);
  });

  test('that stand there twice, or have a country that is none, are refused by their line', async () => {
    const parties = `${party('1', 'C')}${party('1', 'S')}${party('1', 'C', '<streetAddress><country>Nederland</country></streetAddress>')}`;
    const content = auditfile({ parties });
    const { told, db } = await load(content);
    const first = lineOf(content, '<custSupID>');
    expect(told).toEqual([
      expect.stringContaining(`books.xaf:${first + 2} country: `),
      `books.xaf:${first + 2} custSupID: expected customer number 1 once, but it stands on line ${first} as well`,
    ]);
    expect(await db.selectFrom('relation').selectAll().execute()).toEqual([]);
  });
});

test('accounts are on the side their RGS code says, else their balance, else their number', async () => {
  const accounts: [number: string, type: string, rgs: string, movement: string, expected: string][] = [
    ['0001', 'B', 'BEivGokGea', '', 'BalanceSheet credit'],
    ['0002', 'B', 'BMvaBegCae', '', 'BalanceSheet credit'],
    ['0003', 'B', 'BMvaBegVvp', line('0003', '5.00', 'C'), 'BalanceSheet debet'],
    ['0004', 'B', '', line('0004', '5.00', 'C'), 'BalanceSheet credit'],
    ['0005', 'B', 'eigen code', line('0005', '5.00', 'D'), 'BalanceSheet debet'],
    ['4000', 'P', 'WPerLesLon', '', 'IncomeStatement debet'],
    ['7000', 'P', '', '', 'IncomeStatement debet'],
    ['8000', 'P', '', '', 'IncomeStatement credit'],
    ['8001', 'P', 'WOmzNohOlh', '', 'IncomeStatement credit'],
    ['9000', 'M', '', '', 'IncomeStatement debet'],
    ['9001', 'M', '', line('9001', '5.00', 'D'), 'BalanceSheet debet'],
    ['9002', 'M', 'BSchCreHac', '', 'BalanceSheet credit'],
  ];
  const ledger = accounts
    .map(
      ([id, type, rgs]) =>
        `<ledgerAccount><accID>${id}</accID><accDesc>n</accDesc><accTp>${type}</accTp>${rgs === '' ? '' : `<leadReference>${rgs}</leadReference>`}</ledgerAccount>`,
    )
    .join('\n');
  const moved = accounts.filter(([id]) => id !== '9001').map(([, , , movement]) => movement);
  const { db, told, result } = await load(
    auditfile({
      ledger,
      opening: `<openingBalance><opBalDate>2025-01-01</opBalDate><linesCount>1</linesCount><totalDebit>5.00</totalDebit>
<totalCredit>0</totalCredit><obLine><nr>1</nr><accID>9001</accID><amnt>5</amnt><amntTp>D</amntTp></obLine></openingBalance>`,
      transactions: transactions('3', '5.00', '10.00', moved.join('')),
    }),
  );
  expect(told).toEqual([]);
  const rows = await db.selectFrom('ledger_account').orderBy('number').selectAll().execute();
  expect(rows.map((row) => [row.number, `${row.ledger_type} ${row.debet_or_credit}`])).toEqual(
    accounts.map(([id, , , , expected]) => [id, expected]),
  );
  expect(result.sides).toEqual({ 'RGS code': 6, balance: 3, 'account number': 1, type: 2 });
});

test('VAT codes do not take for their percentage what a description says of something else', async () => {
  const vat = (id: string, description: string, pay: string, claim: string) =>
    `<vatCode><vatID>${id}</vatID><vatDesc>${description}</vatDesc>${pay && `<vatToPayAccID>${pay}</vatToPayAccID>`}${claim && `<vatToClaimAccID>${claim}</vatToClaimAccID>`}</vatCode>`;
  const { db, told, result } = await load(
    auditfile({
      vat: [
        vat('1', 'Btw hoog 100% aftrekbaar', '', '1520'),
        vat('2', 'Btw laag, 50 % niet aftrekbaar', '', '1520'),
        vat('3', 'Inkoop 21% 50% aftrekbaar', '', '1520'),
        vat('4', 'Btw 150%', '1500', ''),
        vat('5', 'Verlegd 21%', '1500', '1520'),
        vat('6', 'Vrijgesteld, was 9%', '1500', ''),
        vat('7', 'Privégebruik 2.7%', '1500', ''),
      ].join('\n'),
    }),
  );
  expect(told).toEqual([]);
  const rows = await db.selectFrom('tax_code').orderBy('id').selectAll().execute();
  expect(rows.map((row) => `${row.tax_type} ${row.code}${row.tax_exempt === 1n ? ' exempt' : ''}`)).toEqual([
    'Purchase 21% - Btw hoog 100% aftrekbaar',
    'Purchase 9% - Btw laag, 50 % niet aftrekbaar',
    'Purchase 21% - Inkoop 21% 50% aftrekbaar',
    'Sales 0% - Verlegd 21%',
    'Purchase 21% - Verlegd 21%',
    'Sales 0% - Vrijgesteld, was 9% exempt',
    'Sales 2.7% - Privégebruik 2.7%',
  ]);
  expect(result.vatWithoutPercentage).toEqual(['4 Btw 150%']);
});

test('VAT codes have the percentage their lines have most, else what their description says, else they are left out', async () => {
  const vat = (id: string, description: string, pay = '', claim = '') =>
    `<vatCode><vatID>${id}</vatID><vatDesc>${description}</vatDesc>${pay && `<vatToPayAccID>${pay}</vatToPayAccID>`}${claim && `<vatToClaimAccID>${claim}</vatToClaimAccID>`}</vatCode>`;
  const used = (id: string, percentage: string) =>
    line(
      '8000',
      '0',
      'C',
      `<vat><vatID>${id}</vatID><vatPerc>${percentage}</vatPerc><vatAmnt>0</vatAmnt><vatAmntTp>C</vatAmntTp></vat>`,
    );
  const { db, told, result } = await load(
    auditfile({
      vat: [
        vat('1', 'Oud', '1500'),
        vat('2', 'Tarief 12,5 %', '', '1520'),
        vat('3', 'BTW laag', '1500'),
        vat('4', 'Verlegd', '1500', '1520'),
        vat('5', 'Geen'),
        vat('6', 'Vreemd', '1500'),
        vat('7', 'BTW laag', '1500'),
        vat('8', 'Vrijgesteld van BTW'),
      ].join('\n'),
      transactions: transactions('3', '0.00', '0.00', used('1', '17.500') + used('1', '21.000') + used('1', '17.500')),
    }),
  );
  expect(told).toEqual([]);
  const rows = await db.selectFrom('tax_code').orderBy('code').orderBy('tax_type').selectAll().execute();
  expect(rows.map((row) => `${row.tax_type} ${row.code}${row.tax_exempt === 1n ? ' exempt' : ''}`)).toEqual([
    'Purchase 0% - Geen',
    'Sales 0% - Geen',
    'Purchase 0% - Verlegd',
    'Sales 0% - Verlegd',
    'Purchase 0% - Vrijgesteld van BTW exempt',
    'Sales 0% - Vrijgesteld van BTW exempt',
    'Purchase 12.5% - Tarief 12,5 %',
    'Sales 17.5% - Oud',
    'Sales 9% - BTW laag',
    'Sales 9% - BTW laag (7)',
  ]);
  expect(result.vatWithoutPercentage).toEqual(['6 Vreemd']);
});

describe('an auditfile is refused by the line', () => {
  test('where counts and totals are not those of its lines', async () => {
    const lines = line('0100', '10.00', 'D') + line('8000', '10.00', 'C');
    const content = auditfile({ transactions: transactions('3', '10.01', '9.99', lines) });
    const at = lineOf(content, '<linesCount>');
    const { told, db } = await load(content);
    expect(told).toEqual([
      `books.xaf:${at} linesCount: expected 2, as many as transactions has lines, got "3"`,
      `books.xaf:${at + 1} totalDebit: expected 10.00, what the lines of transactions add up to, got "10.01"`,
      `books.xaf:${at + 2} totalCredit: expected 10.00, what the lines of transactions add up to, got "9.99"`,
    ]);
    expect(await db.selectFrom('ledger_account').selectAll().execute()).toEqual([]);
    expect((await load(auditfile({ transactions: transactions('2', '10', '10.00', lines) }))).told).toEqual([]);
  });

  test('where the opening balance or a subledger does not add up, or says nothing of itself', async () => {
    const opening = `<openingBalance>
<linesCount>0</linesCount><totalDebit>0</totalDebit>
<obLine><nr>1</nr><accID>0100</accID><amnt>1.00</amnt><amntTp>D</amntTp></obLine>
<obSubledgers><obSubledger><sbType>CU</sbType><linesCount>1</linesCount><totalDebit>0.00</totalDebit><totalCredit>0.00</totalCredit>
<obSbLine><nr>1</nr><obLineNr>1</obLineNr><amnt>-2.00</amnt><amntTp>C</amntTp></obSbLine></obSubledger></obSubledgers>
</openingBalance>`;
    const content = auditfile({ opening });
    const at = lineOf(content, '<openingBalance>');
    expect((await load(content)).told).toEqual([
      `books.xaf:${at} totalCredit: expected 0.00, what the lines of openingBalance add up to, got none`,
      `books.xaf:${at + 1} linesCount: expected 1, as many as openingBalance has lines, got "0"`,
      `books.xaf:${at + 1} totalDebit: expected 1.00, what the lines of openingBalance add up to, got "0"`,
      `books.xaf:${at + 3} totalCredit: expected -2.00, what the lines of obSubledger add up to, got "0.00"`,
    ]);
  });

  test('where lines have no amount, no side, or an account there is not', async () => {
    const lines = [line('0100', '1,50', 'D'), line('0100', '1.00', 'X' as 'D'), line('0999', '0.00', 'D')].join('\n');
    const content = auditfile({ transactions: transactions('1', '0.00', '0.00', lines) });
    const at = lineOf(content, '<trLine>');
    expect((await load(content)).told).toEqual([
      `books.xaf:${at} amnt: expected an amount with two decimals, got "1,50"`,
      `books.xaf:${at + 1} amntTp: expected D or C, got "X"`,
      `books.xaf:${at + 2} accID: expected an account of the generalLedger, got "0999"`,
    ]);
  });

  test('and is not read to its end when there are very many problems, as the last of them says', async () => {
    const lines = `${line('9999', '1.00', 'D')}\n`.repeat(12_000);
    const content = auditfile({ transactions: transactions('12000', '12000.00', '0.00', lines) });
    const { told } = await load(content);
    const first = lineOf(content, '<trLine>');
    expect(told).toHaveLength(10_001);
    expect(told.at(-1)).toBe(
      `books.xaf:${first + 9999} : the rest of the file was not read: it has 10000 problems up to here`,
    );
  });

  test('where a period is not within the fiscal year, or an account stands there twice', async () => {
    const period = (start: string, end: string) =>
      `\n<period><periodNumber>1</periodNumber><startDatePeriod>${start}</startDatePeriod><endDatePeriod>${end}</endDatePeriod></period>`;
    const content = auditfile({
      periods:
        period('2025-01-01', '2025-01-31') + period('2024-12-01', '2025-02-30') + period('2025-03-31', '2025-03-01'),
      ledger: `${usual.ledger}\n<ledgerAccount><accID>0100</accID><accDesc>Weer</accDesc><accTp>Q</accTp></ledgerAccount>`,
    });
    const [at, again] = [lineOf(content, '<period>'), lineOf(content, 'Weer')];
    expect((await load(content)).told).toEqual([
      expect.stringMatching(`^books\\.xaf:${again} accTp: expected BalanceSheet or IncomeStatement, got "Q"`),
      `books.xaf:${again} accID: expected account 0100 of 2025 once, but it stands on line ${lineOf(content, '0100')} as well`,
      `books.xaf:${at + 1} startDatePeriod: expected a day from 2025-01-01 to 2025-12-31, got 2024-12-01`,
      `books.xaf:${at + 1} endDatePeriod: expected a date, got "2025-02-30"`,
      `books.xaf:${at + 2} endDatePeriod: expected a day from 2025-03-31, got 2025-03-01`,
    ]);
  });

  test('where its header tells no year, no days or another currency', async () => {
    const header =
      '<fiscalYear>dit jaar</fiscalYear>\n<startDate>01-01-2025</startDate>\n<endDate>2025-12-31</endDate>\n<curCode>USD</curCode>';
    const { told } = await load(auditfile({ header }));
    expect(told).toEqual(
      expect.arrayContaining([
        'books.xaf:3 fiscalYear: expected a year, got "dit jaar"',
        'books.xaf:4 startDate: expected a date, got "01-01-2025"',
        'books.xaf:6 curCode: expected EUR, got "USD"',
      ]),
    );
  });
});

describe('what is no auditfile 3.2 is refused, saying what was expected', () => {
  test.each([
    ['another version', auditfile({}, 'auditfile xmlns="http://www.auditfiles.nl/XAF/3.1"'), 'got version 3.1'],
    ['no namespace', auditfile({}, 'auditfile'), 'got an element <auditfile> of no namespace'],
    ['another document', '<Invoice xmlns="urn:oasis:x"/>', 'got an element <Invoice> of urn:oasis:x'],
    ['a web page', '<!DOCTYPE html><html></html>', 'expected no document type'],
    ['a CSV file', 'Number,Name\n1,Kas\n', 'is no sound XML'],
    ['nothing', '', 'is no sound XML'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), 'expected utf-8'],
    [
      'entities within entities',
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><auditfile>&c;</auditfile>`,
      'expected no document type',
    ],
    [
      'a file from elsewhere',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><auditfile>&x;</auditfile>`,
      'expected no document type',
    ],
    ['an entity nobody defined', auditfile().replace('Omzet', '&omzet;'), 'is no sound XML: undefined entity'],
    ['a tag that is not closed', auditfile().replace('</accDesc>', ''), 'is no sound XML: '],
    ['text without end', auditfile().replace('Omzet', 'x'.repeat(3_000_000)), 'expected a tag before so much text'],
    ['elements without end', `<auditfile xmlns="${NAMESPACE}">${'<a>'.repeat(200)}`, 'expected at most 100 elements'],
  ])('%s', async (_, content, expected) => {
    const { told, db } = await load(content);
    expect(told).toEqual([expect.stringContaining(expected)]);
    expect(told[0]).toMatch(/^books\.xaf:\d+(:\d+)? : /);
    expect(await db.selectFrom('ledger_account').selectAll().execute()).toEqual([]);
  });

  test('with line and column, and what the mistake stands in', async () => {
    const bare = auditfile().replace('Grond &amp; gebouw', 'Grond & gebouw');
    expect((await load(bare)).told).toEqual([
      expect.stringMatching(`\\(within <accDesc>, which begins on line ${lineOf(bare, 'Grond')}\\)$`),
    ]);
    const swappedEndTag = auditfile().replace('</accDesc>', '</accTp>');
    expect((await load(swappedEndTag)).told).toEqual([
      expect.stringMatching(
        `^books\\.xaf:${lineOf(swappedEndTag, 'Grond')}:\\d+ : is no sound XML: unexpected close tag`,
      ),
    ]);
  });
});

describe('the encoding of an auditfile', () => {
  const utf16 = (text: string, order: 'le' | 'be', mark: boolean): Buffer => {
    const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text.replace('utf-8', 'utf-16')}`, 'utf16le');
    return order === 'le' ? bytes : bytes.swap16();
  };
  const text = auditfile();
  test.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-8 that is not declared', text.replace(' encoding="utf-8"', '')],
    ['UTF-16 with a byte order mark', utf16(text, 'le', true)],
    ['UTF-16, the other way round', utf16(text, 'be', true)],
    ['UTF-16 without a byte order mark', utf16(text, 'le', false)],
    ['UTF-16 without one, the other way round', utf16(text, 'be', false)],
    ['ISO-8859-1 that is declared', Buffer.from(text.replace('utf-8', 'ISO-8859-1'), 'latin1')],
    ['line ends of Windows', text.replaceAll('\n', '\r\n')],
  ])('is understood: %s', async (_, content) => {
    const { told, db } = await load(content);
    expect(told).toEqual([]);
    const names = await db.selectFrom('ledger_account').orderBy('number').select('name').execute();
    expect(names.map(({ name }) => name)).toEqual(['Grond & gebouw', 'Omzet één']);
  });

  test.each([
    [
      'ISO-8859-1 declared as UTF-8',
      Buffer.from(text, 'latin1'),
      /expected utf-8, as the file declares; byte \d+ is not/,
    ],
    [
      'UTF-16 declared as UTF-8',
      utf16(text, 'le', true).toString('latin1').replace('1\x006\x00', '8\x00'),
      /declares the encoding/,
    ],
    ['UTF-8 declared as UTF-16', text.replace('utf-8', 'utf-16'), /declares the encoding utf-16/],
    ['one nobody knows', text.replace('utf-8', 'klingon'), /declares the encoding klingon/],
  ])('is refused when it is not what it should be: %s', async (_, content, expected) => {
    const { told } = await load(
      typeof content === 'string' && content.includes('\0') ? Buffer.from(content, 'latin1') : content,
    );
    expect(told).toEqual([expect.stringMatching(expected)]);
  });

  test('that is wrong is told by the line', async () => {
    const at = lineOf(text, 'Omzet');
    const { told } = await load(Buffer.from(text, 'latin1'));
    expect(told[0]).toMatch(`books.xaf:${at} `);
  });
});
