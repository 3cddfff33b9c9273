import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { commandLineOfTests } from '../../../../testing/builtin/commandLine.ts';
import { secretKeyOf } from '../../../../testing/secretKey.ts';

const { database, file, inFolder, run, runWith } = commandLineOfTests();

describe('administration import', () => {
  beforeEach(async () => {
    await run('create', '--name', 'A', '--country', 'NL', '--empty');
  });

  test('imports a file of another program, with its headings and words mapped', async () => {
    const accounts = file(
      'rekeningen.csv',
      '\ufeffRek nr;Omschrijving, kort;Soort;D/C;Niveau\r\n0100;"Grond; ""eigen""";Balans;D;4\r\n01;Groep;Balans;D;1\r\n8000;Omzet;W en V;C;5\r\n',
    );
    const result = await run(
      ...['import', 'accounts', accounts, '--administration', '1'],
      ...['--columns', 'Number=Rek nr,Name=Omschrijving, kort,LedgerType=Soort', '--columns', 'DebetOrCredit=D/C'],
      ...[
        '--values',
        'LedgerType:Balans=BalanceSheet,W en V=IncomeStatement',
        '--values',
        'DebetOrCredit:D=debet,C=credit',
      ],
      ...['--set', 'FiscalYear=2026', '--only', 'Niveau=4|5'],
    );
    expect(result).toEqual({
      code: 0,
      output: ['accounts: 2 added, 0 changed, 0 unchanged.', '1 rows were left out, as --only says.'],
      errorOutput: '',
    });
    const rows = await (await database())
      .selectFrom('ledger_account')
      .orderBy('number')
      .select(['number', 'name'])
      .execute();
    expect(rows).toEqual([
      { number: '0100', name: 'Grond; "eigen"' },
      { number: '8000', name: 'Omzet' },
    ]);
  });

  test('says once that numbers seem to have decimal commas, after the problems', async () => {
    await run('create', '--name', 'B', '--country', 'NL');
    const products = file('p.csv', 'Artikelnummer;Naam;Verkoopprijs;BTW\n1;a;1,50;21,0\n2;b;1.234,50;9%\n');
    const words = ['import', 'products', products, '--administration', '2'];
    const lines = (await run(...words)).errorOutput.split('\n');
    expect(lines.filter((line) => line.includes('--decimal-comma'))).toEqual([
      '3 problems in p.csv: nothing was imported. If all its numbers have decimal commas, add --decimal-comma.',
    ]);
    expect(lines).toContain('p.csv:2: Price: expected a decimal number such as 12.50, got "1,50"');
    expect(await run(...words, '--decimal-comma')).toMatchObject({
      code: 0,
      output: ['products: 2 added, 0 changed, 0 unchanged.'],
    });
    const other = file('q.csv', 'Artikelnummer;Naam;Verkoopprijs\n1;a;gratis\n');
    expect((await run('import', 'products', other, '--administration', '2')).errorOutput).not.toContain(
      '--decimal-comma',
    );
  });

  test('shows the first fifty problems, and writes all of them to a report', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `${index},x,,BalanceSheet,debet`);
    const accounts = file('accounts.csv', `Number,Name,FiscalYear,LedgerType,DebetOrCredit\n${rows.join('\n')}\n`);
    const report = inFolder('report.txt');
    const result = await run('import', 'accounts', accounts, '--administration', '1', '--report', report);
    expect(result.code).toBe(1);
    const lines = result.errorOutput.split('\n');
    expect(lines).toHaveLength(52);
    expect(lines[0]).toBe('accounts.csv:2: FiscalYear: is required, got an empty cell');
    expect(lines.slice(-2)).toEqual([
      `... and 10 more: all are in ${report}.`,
      '60 problems in accounts.csv: nothing was imported.',
    ]);
    const written = readFileSync(report, 'utf8').trimEnd().split('\n');
    expect(written).toHaveLength(60);
    expect(written.at(-1)).toBe('accounts.csv:61: FiscalYear: is required, got an empty cell');
    expect(await (await database()).selectFrom('ledger_account').selectAll().execute()).toEqual([]);
  });

  test.each([
    ['|', [], '"|", not by ",": save it with commas, semicolons or tabs'],
    ['|', ['--delimiter', ';'], '"|", not by ";": save it with commas, semicolons or tabs'],
    ['\t', ['--delimiter', ';'], 'tabs, not by ";": say --delimiter tab'],
    [',', ['--delimiter', ';'], '",", not by ";": say --delimiter comma'],
    [';', ['--delimiter', 'tab'], '";", not by tabs: say --delimiter semicolon'],
  ])('refuses columns with %j between them that were read as one with %j', async (delimiter, options, advice) => {
    for (const headings of ['Naam|Klant', 'KLANT|naam', '"Naam|Klant"']) {
      const text = `${headings}\nTest BV|ja\n`.replaceAll('|', delimiter);
      const relations = file('r.csv', text);
      expect(await run('import', 'relations', relations, '--administration', '1', ...options)).toMatchObject({
        code: 1,
        errorOutput: expect.stringContaining(`Its headings seem separated by ${advice}`),
      });
    }
    expect(await (await database()).selectFrom('relation').selectAll().execute()).toEqual([]);
  });

  test('imports a heading with a delimiter in it when it is said to be one column', async () => {
    const relations = file('r.csv', 'Naam|Klant\nTest BV|ja\n');
    const words = ['import', 'relations', relations, '--administration', '1'];
    expect((await run(...words)).errorOutput).toContain('--columns "Name=Naam|Klant"');
    expect(await run(...words, '--columns', 'Name=Naam|Klant')).toMatchObject({ code: 0 });
    const products = file('p.csv', 'Artikelcode;Naam;Soort, type;D/C\n1;Stoel;x;y\n');
    expect(await run('import', 'products', products, '--administration', '1')).toMatchObject({ code: 0 });
  });

  test('reports a missing file, a file that is no text, and wrong arguments', async () => {
    const missing = await run('import', 'accounts', inFolder('no.csv'), '--administration', '1');
    expect(missing).toMatchObject({ code: 1, errorOutput: expect.stringContaining('cannot be read') });
    const binary = file('binary.csv', '');
    writeFileSync(binary, Buffer.from([0x4e, 0x0a, 0xff, 0x0a]));
    expect(await run('import', 'accounts', binary, '--administration', '1')).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('byte 3 is not'),
    });
    const accounts = file('accounts.csv', 'Number\n1\n');
    expect((await run('import', 'ledgers', accounts, '--administration', '1')).code).toBe(2);
    expect((await run('import', 'accounts', accounts)).code).toBe(2);
    expect((await run('import', 'accounts', accounts, '--administration', '1', '--columns', 'Number')).code).toBe(2);
    expect((await run('import', 'accounts', accounts, '--administration', '1', '--delimiter', '|')).code).toBe(2);
    expect((await run('import', 'accounts', accounts, '--administration', '1', '--values', 'Number')).code).toBe(2);
    expect((await run('import', 'accounts', accounts, '--administration', '7')).code).toBe(1);
  });

  test('works while another process has the database open', async () => {
    const db = await database();
    await db.selectFrom('administration').selectAll().execute();
    const accounts = file(
      'accounts.csv',
      'Number,Name,FiscalYear,LedgerType,DebetOrCredit\n0100,Grond,2026,BalanceSheet,debet\n',
    );
    expect((await run('import', 'accounts', accounts, '--administration', '1')).code).toBe(0);
    expect(await db.selectFrom('ledger_account').select('number').execute()).toEqual([{ number: '0100' }]);
  });
});

describe('administration import auditfile', () => {
  const auditfile = (lines: number) => `<?xml version="1.0"?>
<auditfile xmlns="http://www.auditfiles.nl/XAF/3.2">
<header><fiscalYear>2025</fiscalYear><startDate>2025-01-01</startDate><endDate>2025-12-31</endDate><curCode>EUR</curCode></header>
<company><customersSuppliers><customerSupplier><custSupID>5</custSupID><custSupName>Molen</custSupName><custSupTp>S</custSupTp></customerSupplier></customersSuppliers>
<generalLedger><ledgerAccount><accID>0100</accID><accDesc>Grond</accDesc><accTp>B</accTp></ledgerAccount></generalLedger>
<transactions><linesCount>${lines}</linesCount><totalDebit>0.00</totalDebit><totalCredit>0.00</totalCredit></transactions>
</company></auditfile>`;

  test('reports the counts', async () => {
    await run('create', '--name', 'A', '--country', 'NL', '--empty');
    const result = await run('import', 'auditfile', file('boeken.xaf', auditfile(0)), '--administration', '1');
    expect(result).toEqual({
      code: 0,
      output: [
        'accounts of 2025: 1 added, 0 changed, 0 unchanged.',
        '  debet or credit: 1 by type.',
        'relations: 1 added, 0 changed, 0 unchanged.',
        'tax-codes: 0 added, 0 changed, 0 unchanged.',
        'periods: 0, all of them within the fiscal year.',
        'The file has no opening balance.',
        'transactions: 0 lines, 0.00 debit, 0.00 credit.',
        'entries: 0 added, 0 removed, 0 unchanged, 0 booked here already.',
      ],
      errorOutput: '',
    });
  });

  test('refuses a file that does not add up, and options that do not apply', async () => {
    await run('create', '--name', 'A', '--country', 'NL', '--empty');
    const report = inFolder('report.txt');
    const wrong = file('boeken.xaf', auditfile(3));
    const result = await run('import', 'auditfile', wrong, '--administration', '1', '--report', report);
    expect(result).toEqual({
      code: 1,
      output: [],
      errorOutput:
        'boeken.xaf:6: linesCount: expected 0, as many as transactions has lines, got "3"\nOne problem in boeken.xaf: nothing was imported. It can be imported all the same: --take-with-warnings.',
    });
    expect(readFileSync(report, 'utf8')).toContain('boeken.xaf:6: linesCount');
    expect(await (await database()).selectFrom('relation').selectAll().execute()).toEqual([]);
    expect(await run('import', 'auditfile', wrong, '--administration', '1', '--take-with-warnings')).toMatchObject({
      code: 0,
      errorOutput: 'boeken.xaf: line 6: linesCount: expected 0, as many as transactions has lines, got "3"',
    });
    expect(await run('import', 'auditfile', wrong, '--administration', '1', '--set', 'a=b')).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('only --report applies'),
    });
    expect((await run('import', 'auditfile', inFolder('no.xaf'), '--administration', '1')).code).toBe(1);
  });
});

describe('administration import of a workbook', () => {
  test('refuses columns that stand in one', async () => {
    await run('create', '--name', 'A', '--country', 'NL', '--empty');
    const book = inFolder('klanten.xlsx');
    await writeExcelFile([{ sheet: 'A', data: [['Naam;Klant'], ['Test BV;ja']] }]).toFile(book);
    expect(await run('import', 'relations', book, '--administration', '1')).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('Several columns seem to stand in one, with ";" between them'),
    });
  });

  test('reads the sheet of --sheet, and names the wrong cell', async () => {
    await run('create', '--name', 'A', '--country', 'NL', '--empty');
    const book = inFolder('rekeningen.XLSX');
    const headings = ['Rek', 'Name', 'FiscalYear', 'LedgerType', 'DebetOrCredit'];
    await writeExcelFile([
      { sheet: 'Uitleg', data: [['niets']] },
      { sheet: 'Goed', data: [headings, ['0100', 'Grond', 2026, 'BalanceSheet', 'debet']] },
      { sheet: 'Fout', data: [headings, ['0200', 'Pand', 'x', 'BalanceSheet', 'debet']] },
    ]).toFile(book);
    const words = ['import', 'accounts', book, '--administration', '1', '--columns', 'Number=Rek', '--sheet'];
    expect(await run(...words, 'Goed')).toEqual({
      code: 0,
      output: ['accounts: 1 added, 0 changed, 0 unchanged.'],
      errorOutput: '',
    });
    expect(await run(...words, 'Fout')).toMatchObject({
      code: 1,
      errorOutput: expect.stringMatching(/^rekeningen\.XLSX, sheet "Fout", row 2, column C: FiscalYear: /),
    });
    expect((await run(...words, 'Geen')).errorOutput).toContain(
      'expected a sheet "Geen", got "Uitleg", "Goed", "Fout"',
    );
    expect((await run(...words, 'Goed', '--delimiter', ';')).errorOutput).toContain('its cells need no delimiter');
    const csv = file('a.csv', 'Name\nx\n');
    expect((await run('import', 'cost-centers', csv, '--administration', '1', '--sheet', 'x')).code).toBe(1);
  });
});

describe('administration export and import all', () => {
  test('write an administration to a folder, and make an administration of it', async () => {
    await run('create', '--name', 'Bakkerij', '--country', 'BE', '--years', '2026');
    await run('key', 'issue', '--administration', '1', '--username', 'a@b.be');
    const folderOut = inFolder('uit');
    const exported = await run('export', folderOut, '--administration', '1');
    expect(exported.code).toBe(0);
    expect(exported.output).toContain('administration.csv: 1');
    expect(exported.output.at(-1)).toBe(`Administration 1 is in ${folderOut}, without its API keys.`);
    expect(await run('import', 'all', folderOut, '--name', 'Kopie')).toMatchObject({
      code: 0,
      output: ['2'],
      errorOutput: expect.stringMatching(/^Kopie: \d+ rows\. It has no API keys yet/),
    });
    expect((await run('list')).output).toEqual(['1\tBE\tBakkerij', '2\tBE\tKopie']);
    expect((await run('key', 'list', '--administration', '2')).output).toEqual(['There are no keys yet.']);
    expect((await run('export', folderOut, '--administration', '1')).code).toBe(1);
    expect((await run('export', inFolder('x'), '--administration', '9')).code).toBe(1);
    expect((await run('import', 'all', inFolder('nergens'))).code).toBe(1);
    writeFileSync(path.join(folderOut, 'accounts.csv'), 'Number\n1\n');
    const refused = await run('import', 'all', folderOut);
    expect(refused.code).toBe(1);
    expect(refused.errorOutput).toContain('accounts.csv: is not as it was exported');
    expect((await run('list')).output).toHaveLength(2);
  });

  test('sign archives and require a signature with ARCHIVE_KEY', async () => {
    await run('create', '--name', 'Bakkerij', '--country', 'BE', '--empty');
    const [unsigned, signed] = [inFolder('zonder'), inFolder('met')];
    const settings = { ARCHIVE_KEY: secretKeyOf(1) };
    await run('export', unsigned, '--administration', '1');
    await runWith(settings, 'export', signed, '--administration', '1');
    expect(await runWith(settings, 'import', 'all', unsigned)).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('was not signed'),
    });
    expect(await runWith({ ARCHIVE_KEY: secretKeyOf(2) }, 'import', 'all', signed)).toMatchObject({ code: 1 });
    expect(await runWith(settings, 'import', 'all', signed)).toMatchObject({ code: 0, output: ['2'] });
    expect(await run('import', 'all', signed)).toMatchObject({
      code: 0,
      output: ['3'],
      errorOutput: expect.stringContaining(
        'Administration 1 has this name too. Another one: npm run administration -- rename 3 --name "..."',
      ),
    });
  });

  test('a file of an archive can be imported into another administration', async () => {
    await run('create', '--name', 'Bakkerij', '--country', 'NL', '--empty');
    const relations = file('klanten.csv', 'Name,CustomerNumber,Contact_LastName\nJansen,7,Smit\n');
    expect((await run('import', 'relations', relations, '--administration', '1')).code).toBe(0);
    const folderOut = inFolder('uit');
    await run('export', folderOut, '--administration', '1');
    await run('create', '--name', 'Nieuw', '--country', 'NL', '--empty');
    const taken = path.join(folderOut, 'relations.csv');
    writeFileSync(taken, readFileSync(taken, 'utf8').replace('Jansen', 'Jansen en Zn.'));
    expect(await run('import', 'relations', taken, '--administration', '2')).toEqual({
      code: 0,
      output: ['relations: 1 added, 0 changed, 0 unchanged.'],
      errorOutput: '',
    });
    expect(await run('import', 'relations', taken, '--administration', '1')).toMatchObject({
      output: ['relations: 0 added, 1 changed, 0 unchanged.'],
    });
  });

  test('refuse options that do not apply', async () => {
    await run('create', '--name', 'A', '--country', 'NL', '--empty');
    const folderOut = inFolder('uit');
    await run('export', folderOut, '--administration', '1');
    expect(await run('import', 'all', folderOut, '--administration', '1')).toMatchObject({
      code: 2,
      errorOutput: 'error: all makes an administration: it takes none.',
    });
    expect(await run('import', 'all', folderOut, '--decimal-comma')).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('only --name, --missed-invoices and --report apply'),
    });
    const accounts = file('accounts.csv', 'Number\n1\n');
    expect(await run('import', 'accounts', accounts, '--administration', '1', '--name', 'B')).toMatchObject({
      code: 2,
      errorOutput: 'error: only all has a name.',
    });
    expect((await run('list')).output).toHaveLength(1);
  });
});
