import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { auditfile, auditfileImporter, lineOf, removeChart } from '../../../../../testing/builtin/auditfiles.ts';
import { importInto, importIntoShop, NOW } from '../../../../../testing/builtin/imports.ts';
import { addBooks } from '../../../../../testing/builtin/ledgerBooks.ts';
import { addAdministration } from '../../../../../testing/fixtures/administration.ts';
import { folderOfTest } from '../../../../../testing/temporaryFolder.ts';
import { accountBalances, fiscalYearsOf } from '../../balances/balances.ts';
import { checkAdministration } from '../../check/check.ts';
import { ledgerDifferences } from '../../check/ledger.ts';
import { sqlite } from '../../sql/dialects/sqlite.ts';
import { openWith } from '../../sql/openDatabase.ts';
import { vatPaper } from '../../vat/vatPaper.ts';
import { readVatPeriod } from '../../vat/vatPeriod.ts';
import { importAuditfile } from './auditfile.ts';

const load = auditfileImporter();

type Line = [account: string, amount: string, side: 'D' | 'C', more?: string];
type Transaction = { nr: string; date?: string; desc?: string; doc?: string; lines: Line[] };
type Journals = Readonly<Record<string, readonly Transaction[]>>;

const cents = (text: string) => BigInt(text.replace('.', ''));
const total = (lines: readonly Line[], side: 'D' | 'C') => {
  const sum = lines.filter(([, , one]) => one === side).reduce((all, [, amount]) => all + cents(amount), 0n);
  return `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`;
};
const totals = (lines: readonly Line[]) =>
  `<linesCount>${lines.length}</linesCount><totalDebit>${total(lines, 'D')}</totalDebit><totalCredit>${total(lines, 'C')}</totalCredit>`;

/** The transactions of a file, by type of journal. */
const transactionsOf = (journals: Journals): string => {
  const all = Object.values(journals).flat();
  const lineText = (
    [account, amount, side, more = '']: Line,
    index: number,
    { date = '2025-02-01', doc = '' }: Transaction,
  ) =>
    `\n<trLine><nr>${index + 1}</nr><accID>${account}</accID><docRef>${doc}</docRef><effDate>${date}</effDate><amnt>${amount}</amnt><amntTp>${side}</amntTp>${more}</trLine>`;
  const transactionText = (one: Transaction) =>
    `\n<transaction><nr>${one.nr}</nr><desc>${one.desc ?? ''}</desc><periodNumber>1</periodNumber><trDt>${one.date ?? '2025-02-01'}</trDt>${one.lines.map((line, index) => lineText(line, index, one)).join('')}\n</transaction>`;
  const journalText = ([type, entries]: [string, readonly Transaction[]]) =>
    `\n<journal><jrnID>${type}</jrnID><desc>${type}</desc><jrnTp>${type}</jrnTp>${entries.map(transactionText).join('')}</journal>`;
  return `<transactions>${totals(all.flatMap(({ lines }) => lines))}${Object.entries(journals).map(journalText).join('')}</transactions>`;
};

const openingOf = (lines: Line[]): string =>
  `<openingBalance>${totals(lines)}${lines.map(([account, amount, side], index) => `<obLine><nr>${index}</nr><accID>${account}</accID><amnt>${amount}</amnt><amntTp>${side}</amntTp></obLine>`).join('')}</openingBalance>\n`;

const account = (number: string, type: 'B' | 'P') =>
  `\n<ledgerAccount><accID>${number}</accID><accDesc>Account ${number}</accDesc><accTp>${type}</accTp></ledgerAccount>`;
const ledger =
  account('0500', 'B') + account('1000', 'B') + account('1300', 'B') + account('1500', 'B') + account('8000', 'P');
const parties = `
<customerSupplier><custSupID>7</custSupID><custSupName>Bakker</custSupName><custSupTp>C</custSupTp></customerSupplier>
<customerSupplier><custSupID>DEB-8</custSupID><custSupName>Molen</custSupName><custSupTp>C</custSupTp></customerSupplier>`;
const vat = `
<vatCode><vatID>1</vatID><vatDesc>Hoog</vatDesc><vatToPayAccID>1500</vatToPayAccID></vatCode>`;
const header = (first: string, last: string) =>
  `<fiscalYear>${first.slice(0, 4)}</fiscalYear><startDate>${first}</startDate><endDate>${last}</endDate><curCode>EUR</curCode>`;

const fileOf = (
  journals: Journals,
  opening: Line[] = [],
  [first, last]: [string, string] = ['2025-01-01', '2025-12-31'],
) =>
  auditfile({
    header: header(first, last),
    ...{ ledger, parties, vat },
    opening: opening.length === 0 ? '' : openingOf(opening),
    transactions: transactionsOf(journals),
  });

const opening: Line[] = [
  ['1000', '50.00', 'D'],
  ['0500', '50.00', 'C'],
];
const invoice: Transaction = {
  nr: '2025001',
  doc: 'F1',
  desc: 'Brood',
  lines: [
    ['1300', '12.10', 'D', '<custSupID>7</custSupID>'],
    ['8000', '10.00', 'C', '<cost>Winkel</cost><desc>Line</desc>'],
    [
      '1500',
      '2.10',
      'C',
      '<vat><vatID>1</vatID><vatPerc>21</vatPerc><vatAmnt>2.10</vatAmnt><vatAmntTp>C</vatAmntTp></vat>',
    ].slice(0, 4) as Line,
  ],
};
const payment: Transaction = {
  nr: 'B1',
  date: '2025-03-01',
  lines: [
    ['1000', '12.10', 'D'],
    ['1300', '12.10', 'C', '<custSupID>DEB-8</custSupID>'],
  ],
};
const year: Journals = {
  S: [invoice],
  B: [payment],
  G: [
    {
      nr: 'M1',
      lines: [
        ['1000', '0.00', 'D'],
        ['8000', '0.00', 'C'],
      ],
    },
  ],
};

type Into = { db: Awaited<ReturnType<typeof importInto>>['db']; administrationId: bigint };
let into: Into;
beforeEach(async () => {
  into = await importInto();
  await removeChart(into.db, into.administrationId);
});

/** All entries with their lines, as texts. */
async function entries() {
  const rows = await into.db
    .selectFrom('journal_line')
    .innerJoin('journal_entry', 'journal_entry.id', 'journal_entry_id')
    .leftJoin('relation', 'relation.id', 'relation_id')
    .orderBy('journal_entry.date')
    .orderBy('journal_entry.entry_number')
    .orderBy('journal_line.id')
    .select(['journal', 'entry_number', 'journal_entry.date', 'journal_entry.description', 'ledger_account_number'])
    .select(['debit', 'credit', 'document', 'cost_center', 'journal_line.description as text', 'relation.name'])
    .select(['tax_code', 'tax_base', 'tax_amount', 'is_imported'])
    .execute();
  return rows.map((row) => Object.values(row).map(String).join('|'));
}
const check = () => Array.fromAsync(checkAdministration(into.db, into.administrationId));
const logRows = async () => (await into.db.selectFrom('log').select('sequence').execute()).length;
const balance = async (first: string, last: string) => {
  const ours = await into.db.selectFrom('administration').selectAll().executeTakeFirstOrThrow();
  const found = await accountBalances(into.db, ours, { first, last }, await fiscalYearsOf(into.db, ours));
  return Object.fromEntries(found.map((one) => [one.number, [one.opening, one.debit, one.credit]]));
};

test('entries and the opening balance are imported with all that the ledger holds of them', async () => {
  const { problems, result } = await load(fileOf(year, opening), into);
  expect(problems).toEqual([]);
  expect(result).toMatchObject({ opening: 'added', entries: { added: 3, removed: 0, unchanged: 0, matched: 0 } });
  expect(await entries()).toEqual([
    'sales|2025001|2025-02-01|Brood|1300|1210|0|F1|||Bakker||0|0|1',
    'sales|2025001|2025-02-01|Brood|8000|0|1000|F1|Winkel|Line|null||0|0|1',
    'sales|2025001|2025-02-01|Brood|1500|0|210|F1|||null|21% - Hoog|0|-210|1',
    'bank|B1|2025-03-01||1000|1210|0||||null||0|0|1',
    'bank|B1|2025-03-01||1300|0|1210||||Molen||0|0|1',
  ]);
  expect(await balance('2025-01-01', '2025-12-31')).toEqual({
    '0500': ['-50.00', '0.00', '0.00'],
    '1000': ['50.00', '12.10', '0.00'],
    '1300': ['0.00', '12.10', '12.10'],
    '1500': ['0.00', '0.00', '2.10'],
    '8000': ['0.00', '0.00', '10.00'],
  });
  expect(await check()).toEqual([]);
});

test('a file that is imported again changes nothing', async () => {
  await load(fileOf(year, opening), into);
  const [before, rows] = [await entries(), await logRows()];
  const { problems, result } = await load(fileOf(year, opening), into);
  expect(problems).toEqual([]);
  expect(result).toMatchObject({ opening: 'unchanged', entries: { added: 0, removed: 0, unchanged: 3, matched: 0 } });
  expect(await entries()).toEqual(before);
  expect(await logRows()).toBe(rows);
});

test('lines of a VAT code with the rate of before a change count with what was taxed at that rate', async () => {
  const taxOf = (amount: string, side: 'D' | 'C', percentage: string): Line => [
    ...(['1500', amount, side] as const),
    `<vat><vatID>L</vatID><vatPerc>${percentage}</vatPerc><vatAmnt>${amount}</vatAmnt><vatAmntTp>${side}</vatAmntTp></vat>`,
  ];
  const sale = (nr: string, total: string, net: string, ...taxes: Line[]): Transaction => ({
    ...{ nr, doc: nr, date: '2019-02-01' },
    lines: [['1300', total, 'D', '<custSupID>7</custSupID>'], ['8000', net, 'C'], ...taxes],
  });
  // The low rate of the Netherlands was 6% until 2018.
  const creditOf2018: Transaction = {
    ...{ nr: 'F3', doc: 'F3', date: '2019-02-01' },
    lines: [['8000', '100.00', 'D'], taxOf('6.00', 'D', '6.000'), ['1300', '106.00', 'C', '<custSupID>7</custSupID>']],
  };
  const file = auditfile({
    ...{ header: header('2019-01-01', '2019-12-31'), ledger, parties },
    vat: '<vatCode><vatID>L</vatID><vatDesc>Laag</vatDesc><vatToPayAccID>1500</vatToPayAccID></vatCode>',
    transactions: transactionsOf({
      S: [
        sale('F1', '109.00', '100.00', taxOf('9.00', 'C', '9.000')),
        sale('F2', '218.00', '200.00', taxOf('18.00', 'C', '9.000')),
        creditOf2018,
        sale('F4', '107.50', '100.00', taxOf('3.00', 'C', '6.000'), taxOf('4.50', 'C', '9.000')),
      ],
    }),
  });
  const { db, administrationId } = into;
  expect((await load(file, into)).problems).toEqual([]);
  const rule = {
    administration_id: administrationId,
    tax_type: 'Sales',
    tax_code: '9% - Laag',
    document: 'any',
  } as const;
  const boxes = { base_boxes: '1b', owed_boxes: '1b', deductible_boxes: '', listing: '', doubt: '' } as const;
  await db
    .insertInto('vat_rule')
    .values({ ...rule, ...boxes, self_assessed_pc: 0n, deductible_pc: 100n * 10n ** 8n })
    .execute();
  const administration = await db.selectFrom('administration').selectAll().executeTakeFirstOrThrow();
  const { paper } = await vatPaper(db, administration, readVatPeriod('2019-Q1')!);
  // 100 + 200 - 100 + 50 + 50, and 9 + 18 - 6 + 3 + 4.50.
  expect(paper.found.boxes.get('1b')).toMatchObject({ base: { exact: 30_000n }, tax: { exact: 2850n } });
  // The credit has a rate that was none in 2019, which the return says.
  expect(paper.remarks).toContainEqual({ code: 'UNUSUAL_RATE', values: ['F3', '-6.00', '-100.00'] });
  expect((await load(file, into)).result.entries).toMatchObject({ added: 0, removed: 0, unchanged: 4 });
});

test('a line whose amount has its tax in it is taxed for what is without it', async () => {
  const line = (amount: string, side: 'D' | 'C', percentage: string, tax: string): Line => [
    ...(['8000', amount, side] as const),
    `<vat><vatID>1</vatID><vatPerc>${percentage}</vatPerc><vatAmnt>${tax}</vatAmnt><vatAmntTp>${side}</vatAmntTp></vat>`,
  ];
  const sale = (nr: string, ...[amount, side, ...vat]: Parameters<typeof line>): Transaction => ({
    nr,
    lines: [line(amount, side, ...vat), ['1000', amount, side === 'D' ? 'C' : 'D']],
  });
  const file = fileOf({
    M: [
      // 21% of 100.00, of 82.64, of 100.00 and of 0.08; of a part of 121.00; and 0% of 121.00.
      ...[sale('1', '121.00', 'D', '21.000', '21.00'), sale('2', '99.99', 'C', '21.000', '17.35')],
      ...[sale('3', '100.00', 'C', '21.000', '21.00'), sale('4', '0.10', 'C', '21.000', '0.02')],
      ...[sale('5', '121.00', 'C', '21.000', '10.50'), sale('6', '121.00', 'C', '0.000', '0.00')],
    ],
  });
  expect((await load(file, into)).problems).toEqual([]);
  const taxed = await into.db
    .selectFrom('journal_line')
    .where('tax_code', '<>', '')
    .orderBy('id')
    .select(['tax_base', 'tax_amount'])
    .execute();
  expect(taxed.map(({ tax_base, tax_amount }) => [tax_base, tax_amount])).toEqual([
    [10_000n, 2100n],
    [-8264n, -1735n],
    [-10_000n, -2100n],
    [-10n, -2n],
    [-12_100n, -1050n],
    [-12_100n, 0n],
  ]);
  expect((await load(file, into)).result.entries).toMatchObject({ added: 0, removed: 0, unchanged: 6 });
});

describe('a corrected file of a year', () => {
  const other: Journals = { ...year, B: [{ ...payment, date: '2025-03-02' }], C: [{ ...payment, nr: 'K1' }] };
  const otherOpening: Line[] = [
    ['1000', '51.00', 'D'],
    ['0500', '51.00', 'C'],
  ];

  test('is refused with what differs, until the person says that it replaces', async () => {
    await load(fileOf(year, opening), into);
    const before = await entries();
    const { problems } = await load(fileOf(other, otherOpening), into);
    expect(problems).toEqual([
      `books.xaf:1 : 2025 was imported from another file: this one has another opening balance, 2 entries that are not there, 1 that are to go, 2 as they are. --replace takes it over.
  + 2025-03-02 bank B1
  + 2025-03-01 cash K1
  - 2025-03-01 bank B1`,
    ]);
    expect(await entries()).toEqual(before);
  });

  test('replaces what the earlier file brought, and nothing that was made here', async () => {
    await load(fileOf(year, opening), into);
    const made = {
      date: '2025-03-01',
      lines: [
        { ledger_account_number: '1000', amount: 5n },
        { ledger_account_number: '8000', amount: -5n },
      ],
    };
    await addBooks(into.db, into.administrationId, { startMonth: 1, openings: [], entries: [made] });
    const { problems, result } = await load(fileOf(other, otherOpening), into, { replace: true });
    expect(problems).toEqual([]);
    expect(result).toMatchObject({ opening: 'replaced', entries: { added: 2, removed: 1, unchanged: 2, matched: 0 } });
    expect(await balance('2025-01-01', '2025-12-31')).toMatchObject({
      '1000': ['51.00', '24.25', '0.00'],
      '8000': ['0.00', '0.00', '10.05'],
    });
    expect((await entries()).filter((one) => one.endsWith('|0'))).toHaveLength(2);
    expect(await check()).toEqual([]);
  });

  test('without an opening balance removes that of the earlier file, which follows from the year before again', async () => {
    await load(fileOf({ B: [{ ...payment, date: '2024-03-01' }] }, [], ['2024-01-01', '2024-12-31']), into);
    await load(fileOf(year, opening), into);
    const { problems } = await load(fileOf(year), into);
    expect(problems).toEqual([expect.stringContaining('this one has another opening balance, 0 entries')]);
    const { result } = await load(fileOf(year), into, { replace: true });
    expect(result).toMatchObject({ problems: [], opening: 'replaced', entries: { unchanged: 3 } });
    expect(await balance('2025-01-01', '2025-12-31')).toMatchObject({ '1000': ['12.10', '12.10', '0.00'] });
    expect((await load(fileOf(year), into)).result).toMatchObject({ problems: [], opening: 'none' });
    expect((await load(fileOf(year, opening), into)).result).toMatchObject({ problems: [], opening: 'added' });
  });

  test('without an opening balance leaves one that was entered here', async () => {
    const amounts = { '1000': 5000n, '0500': -5000n };
    const openings = [{ start: '2025-01-01', end: '2025-12-31', amounts }];
    await addBooks(into.db, into.administrationId, { startMonth: 1, openings, entries: [] });
    expect((await load(fileOf(year), into)).result).toMatchObject({ problems: [], opening: 'none' });
    expect(await balance('2025-01-01', '2025-12-31')).toMatchObject({ '1000': ['50.00', '12.10', '0.00'] });
  });

  test('of a year with one more entry only is shown too', async () => {
    await load(fileOf({ B: [payment] }), into);
    const more = { B: [payment, { ...payment, nr: 'B2' }] };
    expect((await load(fileOf(more), into)).problems).toEqual([expect.stringContaining('+ 2025-03-01 bank B2')]);
    expect((await load(fileOf(more), into, { replace: true })).problems).toEqual([]);
  });
});

test('what an import brings that began before a VAT return was filed, and ended later, is entered after it', async () => {
  const { db, administrationId } = into;
  const filed = { period: '2025-Q1', first_day: '2025-01-01', last_day: '2025-03-31', figures: '{}' };
  const values = { administration_id: administrationId, ...filed, documents: '[]', filed_on: NOW + 40n };
  await db.insertInto('vat_return').values(values).execute();
  await load(fileOf(year, opening), into);
  const rows = await db.selectFrom('journal_entry').select('created_on').distinct().execute();
  expect(rows).toEqual([{ created_on: NOW + 41n }]);
});

test('a document or a cost center that is longer than an index has room for is refused', async () => {
  const entry = (nr: string, more: string): Transaction => ({
    nr,
    lines: [
      ['1000', '12.10', 'D', more],
      ['1300', '12.10', 'C'],
    ],
  });
  const named = (length: number) => {
    const text = 'x'.repeat(length);
    return fileOf({ M: [entry('M1', `<invRef>${text}</invRef>`), entry('M2', `<costID>${text}</costID>`)] });
  };
  expect((await load(named(2001), into)).problems.map((problem) => problem.replace(/^\S+ /, ''))).toEqual([
    'transaction: expected at most 2000 bytes of text as the document of a line, got 2001',
    'transaction: expected at most 2000 bytes of text as the cost center of a line, got 2001',
  ]);
  expect(await entries()).toEqual([]);
  expect((await load(named(2000), into)).problems).toEqual([]);
});

test('years are imported in any order, and an opening that differs from the close before is listed', async () => {
  const next = fileOf(
    { B: [{ ...payment, date: '2026-01-05' }] },
    [
      ['1000', '60.00', 'D'],
      ['0500', '60.00', 'C'],
    ],
    ['2026-01-01', '2026-12-31'],
  );
  await load(next, into);
  await load(fileOf(year, opening), into);
  expect(await balance('2026-01-01', '2026-12-31')).toMatchObject({ '1000': ['60.00', '12.10', '0.00'] });
  expect(await balance('2025-01-01', '2025-12-31')).toMatchObject({ '1000': ['50.00', '12.10', '0.00'] });
  const listed = await Array.fromAsync(ledgerDifferences(into.db, into.administrationId));
  expect(listed).toContainEqual(
    expect.stringMatching(/^Account 1000 opens on 2026-01-01 with -2\.1 more than it closed/),
  );
  expect(await check()).toEqual([]);
});

test.each(['first', 'last'])(
  'a year that opens in a journal, imported %s, has what it opens with once',
  async (order) => {
    const opens: Transaction = {
      nr: 'O1',
      date: '2026-01-01',
      lines: [
        ['1000', '62.10', 'D'],
        ['0500', '62.10', 'C'],
      ],
    };
    const next = fileOf({ O: [opens] }, [], ['2026-01-01', '2026-12-31']);
    const files = [next, fileOf(year, opening), next];
    for (const file of order === 'first' ? files : files.slice(1)) {
      expect((await load(file, into)).problems).toEqual([]);
    }
    expect(await balance('2026-01-01', '2026-12-31')).toEqual({
      '0500': ['0.00', '0.00', '62.10'],
      '1000': ['0.00', '62.10', '0.00'],
    });
    expect(await balance('2027-01-01', '2027-12-31')).toEqual({
      '0500': ['-62.10', '0.00', '0.00'],
      '1000': ['62.10', '0.00', '0.00'],
    });
    expect(await check()).toEqual([]);
  },
);

test('a broken fiscal year of a file without an opening is a year of the books', async () => {
  const broken = fileOf({ B: [payment] }, [], ['2024-07-01', '2025-06-30']);
  expect((await load(broken, into)).problems).toEqual([]);
  const ours = await into.db.selectFrom('administration').selectAll().executeTakeFirstOrThrow();
  expect((await fiscalYearsOf(into.db, ours)).beginningIn(2024)).toEqual({ first: '2024-07-01', last: '2025-06-30' });
});

test('the second fiscal year that begins in a calendar year is imported again without an opening', async () => {
  const short = fileOf({ B: [{ ...payment, date: '2025-03-01' }] }, [], ['2025-01-01', '2025-06-30']);
  const next = fileOf({ B: [{ ...payment, date: '2025-08-01' }] }, [], ['2025-07-01', '2026-06-30']);
  for (const file of [short, next, next]) expect((await load(file, into)).problems).toEqual([]);
  const years = await into.db
    .selectFrom('fiscal_year')
    .orderBy('start_date')
    .select(['start_date', 'end_date'])
    .execute();
  expect(years).toEqual([
    { start_date: '2025-01-01', end_date: '2025-06-30' },
    { start_date: '2025-07-01', end_date: '2026-06-30' },
  ]);
});

describe('what is booked here already', () => {
  const made = {
    journal: 'bank' as const,
    entry_number: 'B1',
    date: '2025-03-01',
    lines: [
      { ledger_account_number: '1300', amount: -1210n },
      { ledger_account_number: '1000', amount: 1210n },
    ],
  };

  test('is not booked again, as often as it is there', async () => {
    await load(fileOf({}), into);
    await addBooks(into.db, into.administrationId, { startMonth: 1, openings: [], entries: [made] });
    const twice = fileOf({ B: [payment, { ...payment, nr: 'B2' }] });
    const { problems, result } = await load(twice, into);
    expect(problems).toEqual([]);
    expect(result.entries).toMatchObject({ added: 1, matched: 1 });
    expect(await balance('2025-01-01', '2025-12-31')).toMatchObject({ '1000': ['0.00', '24.20', '0.00'] });
    // Again: one is matched, the other is unchanged.
    expect((await load(twice, into)).result.entries).toMatchObject({ added: 0, matched: 1, unchanged: 1 });
  });

  test.each<[string, string, string[]]>([
    ['number of the invoice alone', '12', ['', '', '']],
    ['number of the invoice on the line of the customer', 'V-8', ['12', '', '']],
    ['number of the invoice on every line', 'V-8', ['12', '12', '12']],
    ['same number for entry and invoice', '12', ['12', '12', '12']],
  ])('is not booked again when it is an invoice from a CSV file: by the %s', async (_, nr, documents) => {
    const shop = await importIntoShop();
    const invoices = await shop.load(
      'invoices',
      `InvoiceNumber | InvoiceDate | CustomerNumber | ProductNumber | Quantity | UnitPriceExclTax
      12 | 2025-02-01 | 7 | 0100 | 1 | 100.00`,
    );
    expect(invoices.problems).toEqual([]);
    const booked = await shop.db.selectFrom('journal_line').orderBy('id').selectAll().execute();
    expect(booked.map(({ debit, credit }) => debit - credit)).toEqual([12_100n, -10_000n, -2100n]);
    const accounts = booked.map((line) => line.ledger_account_number);
    const lines: Line[] = [
      [accounts[0]!, '121.00', 'D', `<docRef>${documents[0]}</docRef><custSupID>7</custSupID>`],
      [accounts[1]!, '60.00', 'C', `<docRef>${documents[1]}</docRef>`],
      [accounts[1]!, '40.00', 'C', `<docRef>${documents[1]}</docRef>`],
      [accounts[2]!, '21.00', 'C', `<docRef>${documents[2]}</docRef>`],
    ];
    const file = auditfile({
      header: header('2025-01-01', '2025-12-31'),
      parties,
      vat,
      ledger: accounts.map((number) => account(number, number < '4' ? 'B' : 'P')).join(''),
      transactions: transactionsOf({ S: [{ nr, lines }] }).replaceAll('<docRef></docRef><effDate>', '<effDate>'),
    });
    const { problems, result } = await load(file, shop);
    expect(problems).toEqual([]);
    expect(result.entries).toMatchObject({ added: 0, matched: 1 });
    expect(await shop.db.selectFrom('journal_entry').selectAll().execute()).toHaveLength(1);
  });
});

test('what is kept of a file between reading and storing has no name that others could open', async () => {
  const folder = folderOfTest();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const entries = Array.from({ length: 2000 }, (_, index) => ({ ...invoice, nr: `${index}`, doc: `F${index}` }));
  const file = fileOf({ S: entries });
  const names: string[][] = [];
  let read = 0;
  const { result } = await load(file, into, {
    onRead(bytes) {
      read += bytes;
      names.push(readdirSync(folder));
    },
  });
  expect(result.entries).toMatchObject({ added: 2000 });
  expect(read).toBe(2 * Buffer.byteLength(file));
  expect(names.length).toBeGreaterThan(4);
  expect(names.flat()).toEqual([]);
});

describe('a file that contradicts itself or the books is refused by line', () => {
  const refusing = async (content: string, at: string, message: string) => {
    const { problems } = await load(content, into);
    expect(problems).toEqual([`books.xaf:${lineOf(content, at)} ${message}`]);
    expect(await entries()).toEqual([]);
  };

  test('a transaction that does not balance', async () => {
    const half: Transaction = { nr: '9', lines: [['1000', '1.00', 'D']] };
    const rest: Transaction = { nr: '10', lines: [['1000', '1.00', 'C']] };
    const { problems } = await load(fileOf({ B: [half, rest] }), into);
    expect(problems.map((one) => one.replace(/^books\.xaf:\d+ /, ''))).toEqual([
      'transaction: expected transaction 9 to balance, got 1.00 debit and 0.00 credit',
      'transaction: expected transaction 10 to balance, got 0.00 debit and 1.00 credit',
    ]);
    expect(await entries()).toEqual([]);
  });

  test('a relation that the file does not have', async () => {
    const content = fileOf({ B: [payment] }).replace(
      '<custSupID>DEB-8</custSupID></trLine>',
      '<custSupID>none</custSupID></trLine>',
    );
    await refusing(content, '<custSupID>none', 'custSupID: expected one of the customersSuppliers, got "none"');
  });

  test.each([
    ['2026-01-01', 'trDt: expected a day from 2025-01-01 to 2025-12-31, got 2026-01-01'],
    ['2025-02-30', 'trDt: expected a date, got "2025-02-30"'],
    ['', 'trDt: expected a date, got ""'],
  ])('the day "%s"', async (date, message) => {
    await refusing(fileOf({ B: [{ ...payment, date }] }), '<trDt>', message);
  });

  test('openings that are an element and a journal', async () => {
    const content = fileOf({ O: [payment] }, opening);
    const message = 'transaction: expected the opening balance once: it is an openingBalance too';
    await refusing(content, '<transaction>', message);
  });

  test('a transaction with more lines than are held in memory', async () => {
    const lines = Array.from({ length: 100_002 }, (_, index): Line => ['1000', '0.01', index % 2 === 0 ? 'D' : 'C']);
    const { problems } = await load(fileOf({ B: [{ nr: '1', lines }] }), into);
    expect(problems).toEqual([expect.stringMatching(/expected at most 100,000 lines in a transaction$/)]);
    expect(await entries()).toEqual([]);
  });

  test('amounts that no database holds', async () => {
    const large: Transaction = {
      nr: '1',
      lines: [
        ['1000', '1000000000000000.00', 'D'],
        ['1300', '1000000000000000.00', 'C'],
      ],
    };
    const { problems } = await load(fileOf({ B: [large] }), into);
    expect(problems).toContainEqual(
      expect.stringMatching(/ amnt: expected at most 100000000000000\.00, got "1000000000000000\.00"$/),
    );
  });

  test('a period that is closed', async () => {
    await into.db.updateTable('administration').set({ closed_until: '2025-03-01' }).execute();
    const message = 'trDt: expected a day after 2025-03-01, until which the books are closed, got 2025-03-01';
    await refusing(fileOf({ B: [payment] }), '<transaction>', message);
    expect((await load(fileOf({ B: [{ ...payment, date: '2025-03-02' }] }), into)).problems).toEqual([]);
  });

  test('an opening balance that was entered here and differs; the same one is left as it is', async () => {
    const amounts = { '1000': 5000n, '0500': -5000n };
    const openings = [{ start: '2025-01-01', end: '2025-12-31', amounts }];
    await addBooks(into.db, into.administrationId, { startMonth: 1, openings, entries: [] });
    expect((await load(fileOf({}, opening), into)).result.opening).toBe('unchanged');
    const content = fileOf({}, [
      ['1000', '50.01', 'D'],
      ['0500', '50.01', 'C'],
    ]);
    const { problems } = await load(content, into, { replace: true });
    expect(problems).toEqual([
      `books.xaf:${lineOf(content, '<openingBalance>')} openingBalance: expected -50.00 on account 0500, as it was entered here for 2025-01-01, got -50.01`,
    ]);
  });

  test('a fiscal year with other days than the books have', async () => {
    const openings = [{ start: '2025-01-01', end: '2025-06-30', amounts: {} }];
    await addBooks(into.db, into.administrationId, { startMonth: 1, openings, entries: [] });
    const { problems } = await load(fileOf({ B: [payment] }), into);
    expect(problems).toEqual([
      'books.xaf:1 startDate: expected the fiscal year 2025-01-01 to 2025-06-30, which the books have, got 2025-01-01 to 2025-12-31',
    ]);
  });
});

describe('contradictions that a person takes with warnings', () => {
  test('are imported but for what cannot be', async () => {
    const content = fileOf(year, opening)
      .replace('<linesCount>7</linesCount>', '<linesCount>8</linesCount>')
      .replace('<totalDebit>24.20</totalDebit>', '<totalDebit>24.21</totalDebit>')
      .replace('<custSupID>DEB-8</custSupID></trLine>', '<custSupID>none</custSupID></trLine>')
      .replace('<vat><vatID>1</vatID>', '<vat><vatID>9</vatID>')
      .replace(
        '<periods></periods>',
        '<periods><period><periodNumber>1</periodNumber><startDatePeriod>2024-12-31</startDatePeriod><endDatePeriod>2025-12-31</endDatePeriod></period></periods>',
      );
    const expected = [
      'startDatePeriod: expected a day from 2025-01-01 to 2025-12-31, got 2024-12-31',
      'linesCount: expected 7, as many as transactions has lines, got "8"',
      'totalDebit: expected 24.20, what the lines of transactions add up to, got "24.21"',
      'vatID: expected one of the vatCodes, got "9"',
      'custSupID: expected one of the customersSuppliers, got "none"',
    ].sort();
    const refused = await load(content, into);
    expect(refused.problems.map((one) => one.replace(/^books\.xaf:\d+ /, '')).sort()).toEqual(expected);
    expect(refused.result.contradictions).toBe(5);
    expect(await entries()).toEqual([]);

    const taken = await load(content, into, { takeWithWarnings: true });
    expect(taken.problems).toEqual([]);
    expect(taken.result.warnings.map((one) => one.replace(/^line \d+: /, '')).sort()).toEqual(expected);
    expect(taken.result.warnings).toContainEqual(
      expect.stringContaining(`line ${lineOf(content, '<custSupID>none')}: custSupID`),
    );
    const stored = await entries();
    expect(stored).toHaveLength(5);
    expect(stored).toContainEqual('sales|2025001|2025-02-01|Brood|1500|0|210|F1|||null||0|0|1');
    expect(stored).toContainEqual('bank|B1|2025-03-01||1300|0|1210||||null||0|0|1');
    expect(await check()).toEqual([]);
  });

  test('never make an entry that does not balance', async () => {
    const half: Transaction = { nr: '9', lines: [['1000', '1.00', 'D']] };
    const { problems } = await load(fileOf({ B: [half] }), into, { takeWithWarnings: true });
    expect(problems).toEqual([expect.stringContaining('expected transaction 9 to balance')]);
  });
});

test('a long file asks the database for something while it is read: a server ends a transaction that is idle', async () => {
  const MEGABYTE = 1_000_000;
  /** Bytes that were read since the last statement. */
  let silent = 0;
  let longest = 0;
  let whole = 0;
  const db = await openWith(sqlite.connect(':memory:'), () => {
    silent = 0;
  });
  onTestFinished(() => db.destroy());
  const { administrationId } = await addAdministration(db, 'Bakkerij');
  await removeChart(db, administrationId);
  const remarks = `<remark>${'x'.repeat(3000)}</remark>\n`.repeat(9000);
  const file = path.join(folderOfTest(), 'long.xaf');
  const text = fileOf(year).replace('<transactions>', `<transactions>${remarks}`);
  await writeFile(file, text);
  const { problems } = await importAuditfile(db, file, 'long.xaf', {
    administrationId,
    now: NOW,
    onRead(bytes) {
      whole += bytes;
      silent += bytes;
      // Each byte counts once more when its entry is stored.
      if (whole <= text.length) longest = Math.max(longest, silent);
    },
  });
  expect(problems).toEqual([]);
  expect(longest).toBeLessThan(10 * MEGABYTE);
});
