import { beforeEach, describe, expect, test } from 'vitest';
import { auditfile } from '../../../../testing/builtin/auditfiles.ts';
import { commandLineOfTests } from '../../../../testing/builtin/commandLine.ts';
import { addBooks } from '../../../../testing/builtin/ledgerBooks.ts';
import { runCommand } from './command.ts';

const { file, inFolder, run, database } = commandLineOfTests();

/** A file with entries of 1 euro and an opening balance. */
const fileWith = (...numbers: string[]) => {
  const line = (number: number, account: string, side: string) =>
    `<trLine><nr>${number}</nr><accID>${account}</accID><docRef>x</docRef><effDate>2025-02-01</effDate><amnt>1.00</amnt><amntTp>${side}</amntTp></trLine>`;
  const entries = numbers.map(
    (nr) =>
      `<transaction><nr>${nr}</nr><periodNumber>2</periodNumber><trDt>2025-02-01</trDt>${line(1, '0100', 'D')}${line(2, '8000', 'C')}</transaction>`,
  );
  const count = numbers.length;
  return auditfile({
    opening: `<openingBalance><linesCount>2</linesCount><totalDebit>5.00</totalDebit><totalCredit>5.00</totalCredit>
<obLine><nr>1</nr><accID>0100</accID><amnt>5.00</amnt><amntTp>D</amntTp></obLine><obLine><nr>2</nr><accID>8000</accID><amnt>5.00</amnt><amntTp>C</amntTp></obLine></openingBalance>`,
    transactions: `<transactions><linesCount>${count * 2}</linesCount><totalDebit>${count}.00</totalDebit><totalCredit>${count}.00</totalCredit>
<journal><jrnID>B</jrnID><desc>Bank</desc><jrnTp>B</jrnTp>${entries.join('')}</journal></transactions>`,
  });
};
const load = (content: string, ...more: string[]) =>
  run('import', 'auditfile', file('books.xaf', content), '--administration', '1', ...more);
const withdraw = (...more: string[]) => run('withdraw-auditfile', '1', '--year', '2025', ...more);

beforeEach(async () => {
  await run('create', '--name', 'A', '--country', 'NL', '--empty');
});

const entriesLeft = async () => (await (await database()).selectFrom('journal_entry').select('id').execute()).length;
const check = async () => (await run('check', '--administration', '1')).errorOutput;

test('a corrected file is imported only with --replace, after what differs was shown', async () => {
  expect((await load(fileWith('1', '2'))).output.slice(-2)).toEqual([
    '  the opening balance: added.',
    'entries: 2 added, 0 removed, 0 unchanged, 0 booked here already.',
  ]);
  const refused = await load(fileWith('1', '3'));
  expect(refused.code).toBe(1);
  expect(refused.errorOutput).toContain('1 entries that are not there, 1 that are to go, 1 as they are');
  expect(refused.errorOutput).toContain('  + 2025-02-01 bank 3\n  - 2025-02-01 bank 2');
  const replaced = await load(fileWith('1', '3'), '--replace');
  expect(replaced).toMatchObject({ code: 0, errorOutput: '' });
  expect(replaced.output.at(-1)).toBe('entries: 1 added, 1 removed, 1 unchanged, 0 booked here already.');
  expect(await check()).toBe('');
});

test('the files of one that was split are imported together, in any order, and not without each other', async () => {
  const whole = fileWith('1', '2', '3');
  const [start, ...further] = whole.split(/(?=<transaction>)/);
  const names = [start, ...further].map((text, index) => {
    const comment = index === 0 ? '' : `\ufeff<!-- Vervolgbestand ${index + 1} van 4 -->\r\n`;
    return file(`split_${index + 1}.xaf`, comment + text);
  });
  const [first, second, third, last] = names as [string, string, string, string];
  const import_ = (...files: string[]) => run('import', 'auditfile', '--administration', '1', ...files);
  for (const some of [
    [first, second, third],
    [second, third, last],
    [first, second, second, last],
    [first, second, third, last, file('whole.xaf', whole)],
  ]) {
    expect(await import_(...some)).toMatchObject({
      code: 1,
      errorOutput: `${some.join(', ')} are not all files of one audit file: expected the first, and each Vervolgbestand once.`,
    });
  }
  expect((await import_(last)).errorOutput).toBe(
    `${last} is a further file of an audit file that was split: name all of its files.`,
  );
  expect((await import_(first, inFolder('none.xaf'))).errorOutput).toContain('none.xaf cannot be read');
  expect((await import_(first)).code).toBe(1);
  expect(await entriesLeft()).toBe(0);
  expect(await import_(third, first, last, second)).toMatchObject({ code: 0, errorOutput: '' });
  expect((await load(whole)).output.at(-1)).toBe('entries: 0 added, 0 removed, 3 unchanged, 0 booked here already.');
});

test('a file that is imported says how far it is, up to its end', async () => {
  const shown: string[] = [];
  const numbers = Array.from({ length: 2500 }, (_, index) => String(index));
  const name = file('books.xaf', fileWith(...numbers));
  const words = ['import', 'auditfile', name, '--administration', '1'];
  const io = { say: () => {}, complain: () => {}, now: () => new Date(), show: (line: string) => shown.push(line) };
  expect(await runCommand(words, { ...io, env: { DATA_DIR: inFolder('.') } })).toBe(0);
  expect(shown.at(-1)).toBe('');
  const percentages = shown.slice(0, -1).map((line) => Number(/^books\.xaf: (\d+)%$/.exec(line)?.[1]));
  expect(percentages.length).toBeGreaterThan(3);
  expect(percentages).toEqual([...new Set(percentages)].sort((a, b) => a - b));
  expect(percentages.at(-1)).toBe(100);
});

describe('withdraw-auditfile', () => {
  test('removes all that the file brought, with one row in the log, and nothing that was made here', async () => {
    const numbers = Array.from({ length: 1200 }, (_, index) => String(index));
    await load(fileWith(...numbers));
    const lines = [
      { ledger_account_number: '0100', amount: 7n },
      { ledger_account_number: '8000', amount: -7n },
    ];
    await addBooks(await database(), 1n, { startMonth: 1, openings: [], entries: [{ date: '2025-02-01', lines }] });
    const before = (await run('log', '1', '--json')).output.length;
    expect(await withdraw()).toMatchObject({ code: 1, errorOutput: 'Nothing was changed: expected --yes.' });
    expect(await withdraw('--yes')).toEqual({
      code: 0,
      output: ['Removed from 2025-01-01 to 2025-12-31: 1200 entries, and the opening balance.'],
      errorOutput: '',
    });
    const log = (await run('log', '1', '--json')).output.map((row) => JSON.parse(row));
    expect(log).toHaveLength(before + 1);
    expect(log.at(-1)).toMatchObject({
      action: 'withdraw-auditfile',
      changes: [{ counts: { journal_entry: 1200, journal_line: 2400, opening_line: 2, fiscal_year: 1 } }],
    });
    expect(await entriesLeft()).toBe(1);
    const totals = await (await database()).selectFrom('ledger_total').select(['debit', 'credit']).execute();
    expect(totals).toEqual(
      expect.arrayContaining([
        { debit: 7n, credit: 0n },
        { debit: 0n, credit: 7n },
      ]),
    );
    expect(totals).toHaveLength(2);
    expect(await check()).toBe('');
    // The file can be imported again.
    expect((await load(fileWith('1'))).code).toBe(0);
  });

  test('leaves room for a file whose fiscal year has other days', async () => {
    const wrong = fileWith('1').replace('<endDate>2025-12-31', '<endDate>2025-06-30');
    expect((await load(wrong)).code).toBe(0);
    const refused = 'expected the fiscal year 2025-01-01 to 2025-06-30, which the books have';
    expect((await load(fileWith('1'))).errorOutput).toContain(refused);
    expect((await withdraw('--yes')).code).toBe(0);
    expect(await load(fileWith('1'))).toMatchObject({ code: 0, errorOutput: '' });
    const years = await (await database()).selectFrom('fiscal_year').select(['start_date', 'end_date']).execute();
    expect(years).toEqual([{ start_date: '2025-01-01', end_date: '2025-12-31' }]);
    expect(await check()).toBe('');
    expect((await withdraw('--yes')).output).toEqual([
      'Removed from 2025-01-01 to 2025-12-31: 1 entries, and the opening balance.',
    ]);
  });

  test('leaves the days of a year with entries of another file', async () => {
    const short = fileWith('1').replace('<endDate>2025-12-31', '<endDate>2025-06-30');
    expect((await load(short.replace(/<openingBalance>.*<.openingBalance>/s, ''))).code).toBe(0);
    const refused = 'expected the fiscal year 2025-01-01 to 2025-06-30, which the books have';
    expect((await load(fileWith('1'))).errorOutput).toContain(refused);
  });

  test('removes nothing from a closed year, nor where nothing was imported', async () => {
    await load(fileWith('1'));
    await run('set', '1', '--closed-until', '2025-01-31');
    expect(await withdraw('--yes')).toMatchObject({
      code: 1,
      errorOutput: 'The books are closed until 2025-01-31: nothing before 2025-02-01 is removed.',
    });
    expect(await entriesLeft()).toBe(1);
    expect(await run('withdraw-auditfile', '1', '--year', '2024', '--yes')).toMatchObject({
      code: 1,
      errorOutput: 'No audit file brought anything into 2024-01-01 to 2024-12-31.',
    });
  });
});
