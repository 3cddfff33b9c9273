import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { commandLineOfTests } from '../../../../testing/builtin/commandLine.ts';
import { needed } from '../../../../testing/needed.ts';
import { signIn } from '../credentials/signIn.ts';
import { ask, oneLine, runCommand } from './command.ts';

const { database, file, inFolder, run, runWith } = commandLineOfTests();

describe('administration create', () => {
  test('makes an administration with the chart of its country for some years, and prints its id', async () => {
    const made = await run('create', '--name', 'Eerste B.V.', '--country', 'NL', '--years', '2025, 2026');
    expect(made).toMatchObject({ code: 0, output: ['1'] });
    expect((await run('create', '--name', 'Tweede', '--country', 'BE')).output).toEqual(['2']);
    expect((await run('create', '--name', 'Leeg', '--country', 'BE', '--empty')).output).toEqual(['3']);
    expect((await run('list')).output).toEqual(['1\tNL\tEerste B.V.', '2\tBE\tTweede', '3\tBE\tLeeg']);
    const db = await database();
    const years = await db
      .selectFrom('ledger_account')
      .select(['administration_id', 'fiscal_year'])
      .distinct()
      .orderBy('administration_id')
      .orderBy('fiscal_year')
      .execute();
    expect(years).toEqual([
      { administration_id: 1n, fiscal_year: 2025n },
      { administration_id: 1n, fiscal_year: 2026n },
      { administration_id: 2n, fiscal_year: 2026n },
    ]);
  });

  test('reports wrong arguments', async () => {
    expect(await run('create', '--name', 'x', '--country', 'FR')).toMatchObject({
      code: 2,
      errorOutput: expect.stringContaining('Allowed choices are NL, BE'),
    });
    expect(await run('create', '--country', 'NL')).toMatchObject({
      code: 2,
      errorOutput: expect.stringContaining("required option '--name <name>'"),
    });
    expect((await run('create', '--name', 'x', '--country', 'NL', '--years', '26')).code).toBe(2);
    expect((await run('destroy')).code).toBe(2);
    expect((await run()).code).toBe(2);
    expect((await run('--help')).code).toBe(0);
    expect(existsSync(inFolder('ledgerline.sqlite'))).toBe(false);
  });

  test('names a setting that cannot be used', async () => {
    expect(await runWith({ DATABASE_URL: 'mysql://x' }, 'list')).toMatchObject({
      code: 2,
      errorOutput: expect.stringContaining('DATABASE_URL'),
    });
  });
});

test.each([
  ['an @', 'top@secret'],
  ['several', '@top@secret@'],
  ['a % and a colon', '%40top:secret'],
])('a database that cannot be opened is named without its password, which has %s', async (_, password) => {
  const { code, errorOutput } = await runWith({ DATABASE_URL: `postgres://me:${password}@127.0.0.1:1/books` }, 'list');
  const expected = 'The database postgres://127.0.0.1:1/books cannot be opened: connect ECONNREFUSED 127.0.0.1:1';
  expect({ code, errorOutput }).toEqual({ code: 1, errorOutput: expected });
});

const fullDisk = needed(existsSync('/dev/full'), 'this system has no /dev/full');

describe('output that nobody gets', () => {
  const commands = {
    administration: path.resolve(import.meta.dirname, 'command.ts'),
    export: path.resolve(import.meta.dirname, '../../../exports/command.ts'),
  };

  test.skipIf(!fullDisk.isThere).each(['administration', 'export'] as const)(
    fullDisk.title('ends `npm run %s` with 1, and a reason, when its disk is full'),
    (name) => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [commands[name], '--help'], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      closeSync(full);
      expect({ status, stderr }).toEqual({ status: 1, stderr: 'The output cannot be written: the disk is full.\n' });
    },
  );

  test('is no failure when its reader has read enough', () => {
    const script = '{ "$0" "$1" --help; echo "$?" >&2; } | :';
    const { stderr } = spawnSync('sh', ['-c', script, process.execPath, commands.administration], { encoding: 'utf8' });
    expect(stderr).toBe('0\n');
  });
});

test.each(['', '   '])('administration import all makes none that is called "%s"', async (name) => {
  await run('create', '--name', 'Eerste', '--country', 'NL', '--empty');
  expect((await run('export', inFolder('uit'), '--administration', '1')).code).toBe(0);
  expect(await run('import', 'all', inFolder('uit'), '--name', name)).toMatchObject({
    code: 2,
    errorOutput: expect.stringContaining('Expected a text that is not empty.'),
  });
  expect((await run('list')).output).toEqual(['1\tNL\tEerste']);
});

describe('administration key', () => {
  test('issues a key that opens the administration until it is revoked', async () => {
    await run('create', '--name', 'A', '--country', 'NL', '--empty');
    const issued = await run(
      'key',
      'issue',
      '--administration',
      '1',
      '--username',
      'Jan@Example.com',
      '--label',
      'Kantoor',
    );
    expect(issued.code).toBe(0);
    const [apiKey] = issued.output as [string];
    expect(apiKey).toMatch(/^[\w-]{43}$/);
    const credential = { username: 'jan@example.com', apiKey };
    const db = await database();
    const opened = () => signIn(db, credential, () => '2026-03-04');
    expect(await opened()).toMatchObject({ administration: { id: 1n, name: 'A' }, key: { id: 1n, scope: 'all' } });

    expect((await run('key', 'list', '--administration', '1')).output).toEqual([
      '1\tjan@example.com\t2026-03-04\tKantoor\t\tnever used\tno end\tall',
    ]);
    expect((await run('key', 'revoke', '1', '--administration', '1')).code).toBe(0);
    await expect(opened()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await run('key', 'revoke', '1', '--administration', '1')).toMatchObject({
      code: 1,
      errorOutput: 'Administration 1 has no key 1 that still works.',
    });
    expect((await run('key', 'list', '--administration', '1')).output).toEqual([
      '1\tjan@example.com\t2026-03-04\tKantoor\trevoked 2026-03-04\tnever used\tno end\tall',
    ]);
  });

  test('issues keys with an end and a scope, lists and revokes them, for an administration by its name', async () => {
    await run('create', '--name', 'Bakkerij Janssen', '--country', 'NL', '--empty');
    await run('create', '--name', 'Tweede', '--country', 'NL', '--empty');
    const ofJan = ['--username', 'jan@example.com'];
    const issued = await run('key', 'bakkerij janssen', ...ofJan, '--scope', 'read', '--ends', '2026-03-31');
    expect(issued).toMatchObject({ code: 0, output: [expect.stringMatching(/^[\w-]{43}$/)] });
    expect((await run('key', '2', ...ofJan, '--label', 'Kassa')).code).toBe(0);
    const db = await database();
    const credential = { username: 'jan@example.com', apiKey: issued.output[0]! };
    expect(await signIn(db, credential, () => '2026-03-31')).toMatchObject({ key: { scope: 'read' } });
    await expect(signIn(db, credential, () => '2026-04-01')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await db.updateTable('api_key').set({ last_used_on: 1_772_700_000n }).where('id', '=', 1n).execute();

    expect((await run('key', 'Bakkerij Janssen', '--list')).output).toEqual([
      '1\tjan@example.com\t2026-03-04\t\t\tused 2026-03-05\tends 2026-03-31\tread',
    ]);
    expect(await run('key', '1', '--revoke', '2')).toMatchObject({ code: 1 });
    expect((await run('key', 'tweede', '--revoke', '2')).output).toEqual(['Key 2 is revoked.']);
    expect((await run('key', '2', '--list')).output[0]).toContain('revoked 2026-03-04');
  });

  test('refuses a past end, an invalid date, an unknown scope, and a name of two administrations', async () => {
    await run('create', '--name', 'Dubbel', '--country', 'NL', '--empty');
    await run('create', '--name', 'Twee', '--country', 'NL', '--empty');
    await (await database()).updateTable('administration').where('id', '=', 2n).set({ name: 'dubbel' }).execute();
    const issue = (...words: string[]) => run('key', '1', '--username', 'a@b.nl', ...words);
    expect(await issue('--ends', '2026-03-03')).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('--ends'),
    });
    expect((await issue('--ends', '2026-02-30')).code).toBe(2);
    expect((await issue('--scope', 'write')).code).toBe(2);
    expect(await run('key', 'Dubbel', '--list')).toMatchObject({
      code: 1,
      errorOutput: 'Administrations 1, 2 are all called Dubbel: expected the id of one.',
    });
    expect((await run('key', 'Geen', '--list')).errorOutput).toContain('There is no administration Geen.');
    expect((await run('key', '1')).code).toBe(2);
    expect((await run('key')).code).toBe(2);
    expect((await run('key', '1', '--list')).output).toEqual(['There are no keys yet.']);
  });

  test('ends, and is dated, by the days of the time zone that is set', async () => {
    await run('create', '--name', 'Bakkerij Janssen', '--country', 'BE');
    // It is the 4th at noon in UTC, and the 5th there.
    const inKiritimati = (...words: string[]) => runWith({ TIME_ZONE: 'Pacific/Kiritimati' }, 'key', ...words);
    const issue = (day: string) =>
      inKiritimati('issue', '--administration', '1', '--username', 'jan@example.com', '--ends', day);
    expect(await issue('2026-03-04')).toMatchObject({ code: 1, errorOutput: expect.stringContaining('--ends') });
    expect((await issue('2026-03-05')).code).toBe(0);
    const { output } = await inKiritimati('list', '--administration', '1');
    expect(output).toEqual(['1\tjan@example.com\t2026-03-05\t\t\tnever used\tends 2026-03-05\tall']);
  });

  test('refuses an unknown administration, and a user name that is no e-mail address', async () => {
    expect(await run('key', 'issue', '--administration', '9', '--username', 'a@b.nl')).toMatchObject({
      code: 1,
      errorOutput: 'There is no administration 9. See: npm run administration -- list',
    });
    expect((await run('key', 'issue', '--administration', '1', '--username', 'jan')).code).toBe(2);
    expect((await run('key', 'issue', '--administration', 'x', '--username', 'a@b.nl')).code).toBe(2);
  });
});

describe('administration demo', () => {
  test('makes the demo with random keys, beside that of `npm start`', async () => {
    const made = await run('demo');
    expect(made.output).toEqual([
      expect.stringMatching(/^NL\tUsername: demo@example\.com\tApiKey: [\w-]{43}$/),
      expect.stringMatching(/^BE\tUsername: demo-be@example\.com\tApiKey: [\w-]{43}$/),
    ]);
    const db = await database();
    const apiKey = made.output[1]!.split('ApiKey: ')[1]!;
    expect(await signIn(db, { username: 'demo-be@example.com', apiKey }, () => '2026-03-04')).toMatchObject({
      administration: { country: 'BE' },
    });
    await expect(
      signIn(db, { username: 'demo-be@example.com', apiKey: 'demo-be' }, () => '2026-03-04'),
    ).rejects.toThrow();
  });
});

describe('administration set', () => {
  test('sets the control accounts to existing accounts', async () => {
    await run('create', '--name', 'A', '--country', 'NL');
    const set = await run('set', '--administration', '1', '--revenue-account', '8010', '--vat-payable-account', '1560');
    expect(set).toEqual({
      code: 0,
      output: ['default revenue account: 8010', 'vat payable account: 1560'],
      errorOutput: '',
    });
    const [row] = await (await database()).selectFrom('administration').selectAll().execute();
    expect(row).toMatchObject({ default_revenue_account: '8010', vat_payable_account: '1560', debtor_account: '1300' });
    expect(await run('set', '--administration', '1', '--debtor-account', '0000')).toMatchObject({
      code: 1,
      errorOutput: 'Administration 1 has no ledger account 0000.',
    });
    expect((await run('set', '--administration', '1')).code).toBe(1);
  });

  test('is also called rename', async () => {
    await run('create', '--name', 'A', '--country', 'NL');
    expect(await run('rename', 'a', '--name', "Bakker's brood")).toMatchObject({ code: 0 });
    expect((await run('list')).output).toEqual(["1\tNL\tBakker's brood"]);
  });
});

describe('the sender of invoices', () => {
  test('is given by create and changed by set, and invalid values are refused', async () => {
    await run('create', '--name', 'A', '--country', 'BE', '--vat-number', 'be 0417.497.106', '--city', 'Gent');
    const set = await run('set', '--administration', '1', '--iban', 'BE68 5390 0754 7034', '--payment-days', '14');
    expect(set).toEqual({ code: 0, output: ['iban: BE68539007547034', 'payment days: 14'], errorOutput: '' });
    const row = async () => (await database()).selectFrom('administration').selectAll().executeTakeFirstOrThrow();
    const known = { vat_number: 'BE0417497106', city: 'Gent', iban: 'BE68539007547034', payment_days: 14n };
    expect(await row()).toMatchObject(known);
    for (const wrong of [
      ['--vat-number', 'BE0417497107'],
      ['--company-number', '0417497107'],
      ['--iban', 'BE68539007547035'],
      ['--bic', 'X'],
      ['--email', 'nobody'],
    ]) {
      expect(await run('set', '--administration', '1', ...wrong)).toMatchObject({
        code: 1,
        errorOutput: expect.stringContaining(`${wrong[0]}: expected`),
      });
    }
    expect((await run('set', '--administration', '1', '--payment-days', '400')).code).toBe(2);
    expect(await row()).toMatchObject(known);
    await run('set', '--administration', '1', '--city', '');
    expect(await row()).toMatchObject({ city: '' });
  });

  test('is verified by the check', async () => {
    await run('create', '--name', 'A', '--country', 'NL');
    await (await database()).updateTable('administration').set({ iban: 'NL00ABNA0417164300' }).execute();
    await (await database())
      .updateTable('tax_code')
      .where('code', '=', '21% - Hoog')
      .set({ vat_category: 'Z' })
      .execute();
    expect((await run('check', '--administration', '1')).errorOutput.split('\n')).toEqual([
      "The administration's iban: expected an IBAN with right check digits.",
      'Tax code "21% - Hoog": the VAT category "Z" does not go with its percentage.',
      expect.stringMatching('^Not made by the app: update of administration '),
      'Not made by the app: update of tax_code 21% - Hoog.',
      'Administration 1: 4 found.',
    ]);
  });
});

describe('administration template', () => {
  test('makes, changes, lists and removes templates, of which one is the default', async () => {
    await run('create', '--name', 'A', '--country', 'NL');
    const png = file('logo.png', Buffer.from('iVBORw0KGgo=', 'base64').toString('latin1'));
    const template = (...words: string[]) => run('template', ...words, '--administration', '1');
    expect(await template('set', '--name', 'Huis', '--color', '#AA0000', '--default')).toMatchObject({ code: 0 });
    expect(await template('set', '--name', 'Frans', '--language', 'fr', '--default')).toMatchObject({ code: 0 });
    expect(await template('set', '--name', 'HUIS', '--text-after', '<b>Dank</b>')).toMatchObject({ code: 0 });
    expect((await template('list')).output).toEqual(['Frans\tfr\t\tdefault', 'HUIS\t\t#aa0000']);
    expect(await template('set', '--name', 'Huis', '--color', 'rood')).toMatchObject({ code: 2 });
    expect(await template('set', '--name', 'Huis', '--logo', png)).toMatchObject({ code: 1 });
    expect(await template('remove', '--name', 'huis')).toMatchObject({ code: 0 });
    expect(await template('remove', '--name', 'huis')).toMatchObject({ code: 1 });
  });

  describe('takes as logo only what can be drawn', () => {
    /** One white pixel. */
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
      'base64',
    );
    /** One grey pixel: size, tables of one code, pixels and end. */
    const jpeg = Buffer.from('ffd8ffc0000b080001000101011100ffda0008010100003f0000ffd9', 'hex');
    const changed = (picture: Buffer, at: number, bytes: number[]): Buffer => {
      const copy = Buffer.from(picture);
      copy.set(bytes, at);
      return copy;
    };
    const [width, zlib] = [16, 41];

    test.each([
      ['a PNG', png, ''],
      ['a JPEG', jpeg, ''],
      ['a PNG that is cut off', png.subarray(0, 50), 'it is broken or cut off'],
      ['a PNG with broken pixels', changed(png, zlib + 4, [0xff, 0xff]), 'it is broken or cut off'],
      ['a PNG that is wider than its pixels', changed(png, width, [0, 0, 0, 9]), 'it is broken or cut off'],
      ['a PNG of more pixels than are drawn', changed(png, width, [1, 0, 0, 0]), 'it has more than 16000000 pixels'],
      ['a PNG without a height', changed(png, width + 4, [0, 0, 0, 0]), 'it is broken or cut off'],
      ['a JPEG without a size', Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(15)]), 'it has no size'],
      ['a JPEG of two colours', changed(jpeg, 11, [2]), 'its header says what cannot be drawn'],
      ['a JPEG that is cut off', jpeg.subarray(0, -2), 'it is cut off'],
      ['a JPEG that is cut off before its pixels', jpeg.subarray(0, 15), 'it has no pixels'],
    ])('%s', async (_, picture, reason) => {
      await run('create', '--name', 'A', '--country', 'NL');
      const logo = inFolder('logo');
      writeFileSync(logo, picture);
      const { code, errorOutput } = await run(
        ...['template', 'set', '--administration', '1', '--name', 'Huis', '--logo', logo],
      );
      expect(code).toBe(reason === '' ? 0 : 1);
      expect(errorOutput).toContain(reason === '' ? '' : `The logo cannot be drawn, since ${reason}: ${logo}`);
    });
  });
});

describe('administration check', () => {
  test('reports that everything adds up, or each problem', async () => {
    await run('create', '--name', 'A', '--country', 'NL');
    expect(await run('check', '--administration', '1')).toEqual({
      code: 0,
      output: ['Administration 1: everything adds up.'],
      errorOutput: '',
    });
    const products = file('products.csv', 'ArticleNumber,Name,StockQty\n007,Roos,12.5\n');
    await run('import', 'products', products, '--administration', '1');
    await (await database()).updateTable('product').set({ stock: 0n }).execute();
    expect(await run('check', '--administration', '1')).toMatchObject({
      code: 1,
      errorOutput: [
        'Article 007 has a stock of 0, and its mutations add up to 12.5.',
        'Not made by the app: update of product 007.',
        'Administration 1: 2 found.',
      ].join('\n'),
    });
  });
});

describe('administration anonymise', () => {
  const names = async () =>
    (await (await database()).selectFrom('relation').orderBy('guid').select('name').execute()).map(({ name }) => name);
  beforeEach(async () => {
    await run('create', '--name', 'Bakkerij', '--country', 'NL', '--years', '2026');
    const relations = 'Name,CustomerNumber,RelationGUID\nJansen,7,1001\nSmit,8,1002\n';
    await run('import', 'relations', file('klanten.csv', relations), '--administration', '1');
  });

  test('describes what it will do, and does it with --yes', async () => {
    const asked = await run('anonymise', 'bakkerij', '7');
    expect(asked).toMatchObject({ code: 1, errorOutput: 'Nothing was changed: expected --yes.' });
    expect(asked.output[0]).toBe('Relation 1001, Jansen, becomes Anonymous 1001. This cannot be undone.');
    expect(await names()).toEqual(['Jansen', 'Smit']);
    expect((await run('anonymise', '1', '7', '--yes')).code).toBe(0);
    expect(await names()).toEqual(['Anonymous 1001', 'Smit']);
    expect(await run('anonymise', '1', '9')).toMatchObject({
      code: 1,
      errorOutput: 'Administration 1 has no relation 9.',
    });
    expect((await run('anonymise', '1', '8', '--by', 'name')).code).toBe(2);
  });

  test('asks for confirmation in a terminal', async () => {
    const responding = (response: string) =>
      runCommand(['anonymise', '1', '1002'], {
        env: { DATA_DIR: inFolder('.') },
        say: () => {},
        complain: () => {},
        now: () => new Date('2026-03-04T12:00:00Z'),
        ask: async () => response,
      });
    expect(await responding('no')).toBe(1);
    expect(await responding('')).toBe(1);
    expect(await names()).toEqual(['Jansen', 'Smit']);
    expect(await responding(' Yes ')).toBe(0);
    expect(await names()).toEqual(['Jansen', 'Anonymous 1002']);
  });

  const anInvoice = () =>
    file(
      'facturen.csv',
      'InvoiceNumber,InvoiceType,InvoiceDate,CustomerNumber,Description,SubTotalInclTax,TaxPc,LedgerAccountNumber\n1,BOOKKEEPING,01-02-2026,7,Brood,12.10,21,8000\n',
    );

  test('refuses when the law asks for an invoice that was made while the question was open', async () => {
    const complained: string[] = [];
    const code = await runCommand(['anonymise', '1', '1001'], {
      env: { DATA_DIR: inFolder('.') },
      say: () => {},
      complain: (line) => complained.push(line),
      now: () => new Date('2026-03-04T12:00:00Z'),
      async ask() {
        expect((await run('import', 'invoices', anInvoice(), '--administration', '1')).code).toBe(0);
        return 'yes';
      },
    });
    expect({ code, complained }).toEqual({
      code: 1,
      complained: [
        'The law asks for 1 invoices of this relation with its name and address until 2033-12-31. --despite-retention does it all the same.',
      ],
    });
    expect(await names()).toEqual(['Jansen', 'Smit']);
  });

  test('refuses during the legal retention period, except with --despite-retention', async () => {
    const invoices = anInvoice();
    expect(await run('import', 'invoices', invoices, '--administration', '1')).toMatchObject({
      code: 0,
      errorOutput: '',
    });
    expect(await run('anonymise', '1', '7', '--yes')).toMatchObject({
      code: 1,
      errorOutput:
        'The law asks for 1 invoices of this relation with its name and address until 2033-12-31. --despite-retention does it all the same.',
    });
    expect(await names()).toEqual(['Jansen', 'Smit']);
    expect((await run('anonymise', '1', '7', '--yes', '--despite-retention')).code).toBe(0);
    expect(await names()).toEqual(['Anonymous 1001', 'Smit']);
    expect((await run('check', '--administration', '1')).code).toBe(0);
  });
});

test.each([
  [80, '[###---]  120 of 400 rows'],
  [26, '[###---]  120 of 400 rows'],
  [25, '...---]  120 of 400 rows'],
  [0, '[###---]  120 of 400 rows'],
  [undefined, '[###---]  120 of 400 rows'],
])('progress stays on one line of a terminal of %s columns, and shows its end', (columns, shown) => {
  expect(oneLine('[###---]  120 of 400 rows', columns)).toBe(shown);
});

test.each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
])('a question that is answered with %s has the answer of one who does not want it', async (_, typed) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answered = ask('Delete it? ', { input, output, terminal: true });
  input.write(typed);
  expect(await answered).toBe('');
  // What is said next begins a line.
  expect(String(output.read())).toMatch(/\n$/);
});

test('of two commands that archive at once, the one that fails leaves what the other archived', async () => {
  await run('create', '--name', 'Bakkerij', '--country', 'NL', '--empty');
  const archive = (folder: string) => run('archive', folder, '--administration', '1');
  const [done, failed] = await Promise.all([archive(inFolder('out')), archive(`${file('taken', '')}/within`)]);
  expect(failed.code).toBe(1);
  const isArchived = (await run('list')).output.join().includes('archived');
  expect(isArchived).toBe(done.code === 0);
});

test('an archive to a folder that is there does not close the administration, which would end its pushes', async () => {
  await run('create', '--name', 'Bakkerij', '--country', 'NL', '--empty');
  const { code, errorOutput } = await run('archive', file('taken', ''), '--administration', '1');
  expect({ code, errorOutput }).toEqual({ code: 1, errorOutput: expect.stringMatching(/it is there already\.$/) });
  const changes = await (await database()).selectFrom('log').select('action').execute();
  expect(changes).toEqual([{ action: 'create' }]);
});

test('an archive that is stopped with Ctrl-C while it is written leaves the administration as it was', async () => {
  await run('create', '--name', 'Bakkerij', '--country', 'NL', '--empty');
  const stop = new AbortController();
  let isArchiving = false;
  const complaints: string[] = [];
  const code = await runCommand(['archive', inFolder('out'), '--administration', '1'], {
    env: {
      DATA_DIR: inFolder('.'),
      // It is read when the administration is archived already.
      get ARCHIVE_KEY() {
        if (isArchiving) stop.abort();
        return undefined;
      },
    },
    say: () => {},
    complain: (line) => complaints.push(line),
    now: () => new Date('2026-03-04T12:00:00Z'),
    interruption() {
      isArchiving = true;
      return stop.signal;
    },
  });
  expect({ code, complaints }).toEqual({
    code: 1,
    complaints: ['Administration 1 was not archived: the command was stopped.'],
  });
  expect((await run('list')).output).toEqual(['1\tNL\tBakkerij']);
  expect(readdirSync(inFolder('.')).filter((name) => name.startsWith('out'))).toEqual([]);
  const changes = await (await database()).selectFrom('log').orderBy('sequence').select('action').execute();
  expect(changes.map(({ action }) => action)).toEqual(['create', 'archive', 'unarchive']);
});

test('an archive that is stopped with Ctrl-C before it begins does not close the administration', async () => {
  await run('create', '--name', 'Bakkerij', '--country', 'NL', '--empty');
  const code = await runCommand(['archive', inFolder('out'), '--administration', '1'], {
    env: { DATA_DIR: inFolder('.') },
    say: () => {},
    complain: () => {},
    now: () => new Date('2026-03-04T12:00:00Z'),
    interruption: () => AbortSignal.abort(),
  });
  expect(code).toBe(1);
  const changes = await (await database()).selectFrom('log').select('action').execute();
  expect(changes).toEqual([{ action: 'create' }]);
});
