import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { brokenRules } from '../../../../testing/auditfiles/checkerRules.ts';
import { elementsAt, xmlTree } from '../../../../testing/auditfiles/xmlTree.ts';
import { commandLineOfTests } from '../../../../testing/builtin/commandLine.ts';
import { addBooks } from '../../../../testing/builtin/ledgerBooks.ts';

const { file, inFolder, run, database } = commandLineOfTests();

const two = (date: string, amount: bigint, description = 'entry') => ({
  date,
  description,
  lines: [
    { ledger_account_number: '1000', amount },
    { ledger_account_number: '8000', amount: -amount },
  ],
});

beforeEach(async () => {
  await run('create', '--name', 'Bakkerij', '--country', 'NL', '--years', '2026', '--vat-number', 'NL812345678B01');
});
const add = async (...entries: ReturnType<typeof two>[]) =>
  addBooks(await database(), 1n, { startMonth: 1, openings: [], entries });

test('a fiscal year is written to a new file, in version 4.0 or the one that is asked for', async () => {
  await add(two('2026-01-05', 12_345n), two('2026-12-31', 1n));
  const out = inFolder('books.xaf');
  expect(await run('auditfile', '1', '--year', '2026', out)).toEqual({
    code: 0,
    output: [
      '2026-01-01 to 2026-12-31: 0 relations, 2 entries, 4 lines.',
      'Debit 123.46, credit 123.46.',
      `The audit file is in ${out}, version 4.0.`,
    ],
    errorOutput: '',
  });
  const document = xmlTree(readFileSync(out, 'utf8'));
  expect(document.uri).toMatch('XmlauditfileXAF_4.0');
  expect(elementsAt(document, 'header/dateCreated').map(({ text }) => text)).toEqual(['2026-03-04']);
  expect(brokenRules(document)).toEqual([]);
  const older = inFolder('older.xaf');
  expect(await run('auditfile', 'bakkerij', older, '--year', '2026', '--version', '3.2')).toMatchObject({ code: 0 });
  expect(xmlTree(readFileSync(older, 'utf8')).uri).toBe('http://www.auditfiles.nl/XAF/3.2');
});

test('the second of two fiscal years that begin in a calendar year is written by the month in which it begins', async () => {
  await addBooks(await database(), 1n, {
    startMonth: 0,
    openings: [{ start: '2026-01-01', end: '2026-06-30', amounts: {} }],
    entries: [two('2026-03-01', 100n, 'short'), two('2026-08-01', 200n, 'next')],
  });
  const days = async (year: string) => {
    const out = inFolder(`${year}.xaf`);
    const { code, output } = await run('auditfile', '1', '--year', year, out);
    expect([code, output[0]]).toEqual([0, expect.stringContaining(': 0 relations, 1 entries, 2 lines.')]);
    const document = xmlTree(readFileSync(out, 'utf8'));
    expect(brokenRules(document)).toEqual([]);
    const header = elementsAt(document, 'header')[0]!;
    const entries = elementsAt(document, 'company/transactions/journal/transaction/trDt').map(({ text }) => text);
    return [...['startDate', 'endDate'].map((name) => elementsAt(header, name)[0]!.text), ...entries];
  };
  expect(await days('2026')).toEqual(['2026-01-01', '2026-06-30', '2026-03-01']);
  expect(await days('2026-01')).toEqual(['2026-01-01', '2026-06-30', '2026-03-01']);
  expect(await days('2026-07')).toEqual(['2026-07-01', '2027-06-30', '2026-08-01']);
  // Read back, it is the year that was written.
  await run('create', '--name', 'Other', '--country', 'NL', '--empty');
  for (const year of ['2026-01', '2026-07']) {
    expect((await run('import', 'auditfile', inFolder(`${year}.xaf`), '--administration', '2')).code).toBe(0);
  }
  const withdrawn = await run('withdraw-auditfile', '2', '--year', '2026-07', '--yes');
  expect(withdrawn.output).toEqual(['Removed from 2026-07-01 to 2027-06-30: 1 entries, and the opening balance.']);
  expect((await run('withdraw-auditfile', '2', '--year', '2026', '--yes')).output).toEqual([
    'Removed from 2026-01-01 to 2026-06-30: 1 entries.',
  ]);
});

test('a text that is too long is cut, and the person is told', async () => {
  const long = 'n'.repeat(80);
  await run('import', 'relations', file('relations.csv', `Name,CustomerNumber\n${long},7\n`), '--administration', '1');
  await add(two('2026-01-05', 1n));
  const out = inFolder('books.xaf');
  const { errorOutput } = await run('auditfile', '1', '--year', '2026', out);
  expect(errorOutput).toBe('custSupName: 1 texts were longer than it allows, and are cut.');
  expect(readFileSync(out, 'utf8')).toContain(`<custSupName>${'n'.repeat(50)}</custSupName>`);
});

test('nothing is written when something is wrong', async () => {
  await add(two('2026-01-05', 1n));
  const out = inFolder('books.xaf');
  const there = file('there.xaf', 'mine');
  const before = readdirSync(inFolder('.')).sort();
  const cases: [words: string[], code: number, message: string][] = [
    [['1', out], 2, "required option '--year <year>' not specified"],
    [['1', out, '--year', 'this'], 2, 'Expected a year, such as 2026'],
    [['1', out, '--year', '26'], 2, 'Expected a year, such as 2026'],
    [['1', out, '--year', '2026-13'], 2, 'Expected a year, such as 2026, or a month, such as 2026-07.'],
    [
      ['1', out, '--year', '2026-05'],
      1,
      'No fiscal year of Bakkerij begins in 2026-05, which is in 2026-01-01 to 2026-12-31.',
    ],
    [['1', out, '--year', '2026', '--version', '4.1'], 2, 'Allowed choices are 4.0, 3.2.'],
    [['1', out, '--year', '2019'], 1, 'The books of Bakkerij have nothing in 2019-01-01 to 2019-12-31.'],
    [['9', out, '--year', '2026'], 1, 'There is no administration 9.'],
    [['1', there, '--year', '2026'], 1, `${there} cannot be made: it is there already.`],
    [['1', inFolder('none/books.xaf'), '--year', '2026'], 1, 'there is no such file or folder'],
  ];
  for (const [words, code, message] of cases) {
    const result = await run('auditfile', ...words);
    expect(result.code, words.join(' ')).toBe(code);
    expect(result.errorOutput).toContain(message);
  }
  expect(readFileSync(there, 'utf8')).toBe('mine');
  expect(readdirSync(inFolder('.')).sort()).toEqual(before);
});

test('what the official checker does not take is split between entries, and is one document', async () => {
  const description = 'x'.repeat(4000);
  await add(...Array.from({ length: 3000 }, (_, index) => two('2026-01-05', BigInt(index + 1), description)));
  const whole = inFolder('whole.xaf');
  expect((await run('auditfile', '1', '--year', '2026', whole)).errorOutput).toBe(
    `${whole} is larger than the 5 MB that the official checker takes: see --split.`,
  );
  const out = inFolder('books.xaf');
  const names = [out, inFolder('books_2.xaf'), inFolder('books_3.xaf')];
  const result = await run('auditfile', '1', '--year', '2026', out, '--split');
  expect(result).toMatchObject({ code: 0, errorOutput: '' });
  expect(result.output.at(-1)).toBe(`The audit file is in ${names.join(', ')}, version 4.0.`);
  expect(existsSync(inFolder('books_4.xaf'))).toBe(false);
  const parts = names.map((name) => readFileSync(name));
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(5_000_000);
  expect(parts.slice(1).map((part) => part.toString().split('\n')[0]!.replace(/ +-->/, ' -->'))).toEqual([
    '<!-- Vervolgbestand 2 van 3 -->',
    '<!-- Vervolgbestand 3 van 3 -->',
  ]);
  const further = parts.slice(1).map((part) => part.toString().replace(/^<!--.*-->\n/, ''));
  expect([parts[0]!.toString(), ...further].join('')).toBe(readFileSync(whole, 'utf8'));
  expect(further.every((part) => part.startsWith('<transaction>'))).toBe(true);
  // A further file of an earlier run is not overwritten.
  const other = inFolder('other.xaf');
  const taken = file('other_2.xaf', 'mine');
  expect(await run('auditfile', '1', '--year', '2026', other, '--split')).toMatchObject({
    code: 1,
    errorOutput: `${taken} cannot be made: it is there already.`,
  });
  expect(existsSync(other)).toBe(false);
});

test('of two commands that write a file of one name, one makes it, whole, and the other says that it is there', async () => {
  const description = 'x'.repeat(4000);
  await add(...Array.from({ length: 500 }, (_, index) => two('2026-01-05', BigInt(index + 1), description)));
  const write = (name: string, version: string) =>
    run('auditfile', '1', '--year', '2026', '--version', version, inFolder(name));
  const contents = (name: string) => readFileSync(inFolder(name), 'utf8');
  await write('newer.xaf', '4.0');
  await write('older.xaf', '3.2');
  const wholes = [contents('newer.xaf'), contents('older.xaf')];
  for (const delay of [0, 5, 10, 20, 40]) {
    const results = await Promise.all([write('both.xaf', '4.0'), sleep(delay).then(() => write('both.xaf', '3.2'))]);
    const refused = results.filter(({ code }) => code !== 0).map(({ errorOutput }) => errorOutput);
    expect(refused).toEqual([`${inFolder('both.xaf')} cannot be made: it is there already.`]);
    expect(contents('both.xaf') === wholes[results.findIndex(({ code }) => code === 0)]).toBe(true);
    expect(readdirSync(inFolder('.')).filter((name) => name.includes('.incomplete'))).toEqual([]);
    rmSync(inFolder('both.xaf'));
  }
});

test('what a command left that was stopped is removed by the next one that writes the file', async () => {
  await add(two('2026-01-05', 1n));
  const left = file('books.xaf.incomplete-1', 'half');
  utimesSync(left, new Date('2026-01-01'), new Date('2026-01-01'));
  expect(await run('auditfile', '1', '--year', '2026', inFolder('books.xaf'))).toMatchObject({ code: 0 });
  expect(existsSync(left)).toBe(false);
});
