import { beforeEach, describe, expect, test } from 'vitest';
import { commandLineOfTests } from '../../../../testing/builtin/commandLine.ts';
import { fixturesOf } from '../../../../testing/fixtures/fixtures.ts';

const { run, file, database, inFolder } = commandLineOfTests();

/** Verbs that change no administration. */
const readers = ['list', 'check', 'log', 'export', 'auditfile', 'help', 'key list', 'template list', 'mail list'];

/** A command of each other verb, in an order in which all succeed, and its action in the log. */
const writers: readonly (readonly [command: string, words: () => string[]])[] = [
  ['create', () => ['create', '--name', 'A', '--country', 'NL']],
  ['set', () => ['set', 'A', '--city', 'Gent']],
  ['key issue', () => ['key', 'issue', '--administration', '1', '--username', 'a@b.nl']],
  ['key revoke', () => ['key', 'revoke', '1', '--administration', '1']],
  ['template set', () => ['template', 'set', '--administration', '1', '--name', 'Huis']],
  ['vat', () => ['vat', '1', '--period', '2026-Q1', '--out', inFolder('vat.xlsx'), '--filed']],
  ['template remove', () => ['template', 'remove', '--administration', '1', '--name', 'Huis']],
  [
    'import',
    () => [
      'import',
      'products',
      file('p.csv', 'ArticleNumber,Name,StockQty\n007,Roos,12.5\n'),
      '--administration',
      '1',
    ],
  ],
];

/** The rows of the log, by `--json`. */
const log = async (...words: string[]) =>
  (await run('log', 'A', '--json', ...words)).output.map((line) => JSON.parse(line));

test('every verb that changes something adds a row to the log', async () => {
  for (const [command, words] of writers) {
    expect(await run(...words()), command).toMatchObject({ code: 0 });
    expect((await log()).at(-1), command).toMatchObject({ origin: 'command', key: null, action: command });
  }
  expect(await log()).toHaveLength(writers.length);
  expect((await run('check', '--administration', '1')).errorOutput).toBe('');

  // These make administrations, or need an invoice, an auditfile or a running app: other tests cover them.
  const others = ['demo', 'mail resend', 'anonymise', 'archive', 'unarchive', 'delete', 'push'];
  const { output } = await run('help');
  const verbs = [...output.join('\n').matchAll(/^ {2}([a-z]+) /gm)].map(([, verb]) => verb!);
  expect(verbs.length).toBeGreaterThan(8);
  const known = [...readers, ...others, ...writers.map(([command]) => command)].map((command) => command.split(' ')[0]);
  for (const verb of verbs) expect(known, verb).toContain(verb);
});

test('resending the mail of an invoice is logged with the invoice', async () => {
  await run('create', '--name', 'A', '--country', 'NL');
  const db = await database();
  await fixturesOf(db, 1n).addInvoice({ number: 12n });
  const { id } = await db.selectFrom('sales_invoice').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('outgoing_mail')
    .values({
      administration_id: 1n,
      sales_invoice_id: id,
      state: 'failed',
      reason: 'x',
      due_on: 1n,
      attempts: 1n,
      created_on: 1n,
      changed_on: 1n,
    })
    .execute();
  expect((await run('mail', 'resend', '--administration', '1', '--invoice', '12')).code).toBe(0);
  expect((await log()).at(-1)).toMatchObject({
    action: 'mail resend',
    kind: 'sales_invoice',
    subject: '12',
    changes: [
      { table: 'outgoing_mail', operation: 'update', old: { state: 'failed', reason: 'x' }, new: { state: 'waiting' } },
    ],
  });
  await db.updateTable('outgoing_mail').set({ state: 'held' }).execute();
  expect((await run('mail', 'resend', '--administration', '1')).code).toBe(1);
  expect(await run('mail', 'resend', '--administration', '1', '--held')).toMatchObject({
    code: 0,
    output: ['Held mail that is sent by the app: 1.'],
  });
  // Who archives the administration is told.
  const { output } = await run('archive', inFolder('last'), '--administration', '1');
  expect(output).toContain('Mail of its invoices that waits is still sent: 1.');
});

describe('administration log', () => {
  beforeEach(async () => {
    for (const [, words] of writers) await run(...words());
  });

  test('shows amounts and flags as people write them, the newest last', async () => {
    const [imported] = await log('--action', 'import');
    expect(imported).toMatchObject({ at: '2026-03-04T12:00:00Z', kind: 'product', subject: '007' });
    expect(imported.changes[0]).toMatchObject({
      table: 'product',
      operation: 'insert',
      new: { article_number: '007', name: 'Roos', stock: '12.5' },
    });
    const { output } = await run('log', 'A', '--concerning', 'administration');
    expect(output.at(-1)).toBe(
      '2\t2026-03-04T12:00:00Z\tcommand\tset\tadministration A\tupdate administration: city "" -> "Gent"',
    );
  });

  test('is filtered by time, command, key and record', async () => {
    expect(await log('--concerning', 'product:007')).toHaveLength(1);
    expect(await log('--concerning', 'product:008')).toEqual([]);
    expect(await log('--from', '2026-03-05')).toEqual([]);
    expect(await log('--until', '2026-03-03')).toEqual([]);
    expect(await log('--from', '2026-03-04', '--until', '2026-03-04')).toHaveLength(writers.length);
    expect(await log('--until', '2026-03-04T11:00:00Z')).toEqual([]);
    expect(await log('--key', '1')).toEqual([]);
    for (const none of ['yesterday', '2026-02-30', '2026-04-31T12:00:00Z'])
      expect((await run('log', 'A', '--from', none)).code, none).toBe(2);
    expect(await run('log')).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('Expected the number or the name'),
    });
    expect(await run('log', 'Z')).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('no administration Z'),
    });
  });

  test('has one line for each row, whatever the name of a record contains', async () => {
    // It goes on as a further row would, and clears the line of a terminal.
    const more = '9\t2026-03-04T12:00:00Z\trest key 1\tupdateproduct\tproduct 007\x1b[2K\x9b2K\u2028.';
    const shown = '008\\u000a9\\u00092026-03-04T12:00:00Z\\u0009rest key 1\\u0009updateproduct\\u0009product 007';
    const subject = `product ${shown}\\u001b[2K\\u009b2K\\u2028.`;
    const rows = file('q.csv', `ArticleNumber,Name\n"008\n${more}",Tulp\n`);
    expect((await run('import', 'products', rows, '--administration', '1')).code).toBe(0);
    const { output } = await run('log', 'A');
    expect(output).toHaveLength(writers.length + 1);
    expect(output.at(-1)!.split('\t').slice(1, 5)).toEqual(['2026-03-04T12:00:00Z', 'command', 'import', subject]);
    expect(output.join('')).not.toMatch(/[^\t\P{Cc}]/u);
    const db = await database();
    await db.updateTable('product').set({ name: 'Roos' }).where('name', '=', 'Tulp').execute();
    const outside = `Not made by the app: update of ${subject}.`;
    expect((await run('log', 'A')).errorOutput).toBe(outside);
    expect((await run('check', '--administration', '1')).errorOutput).toContain(outside);
  });

  test('shows its end, and changes outside the app', async () => {
    const { output } = await run('log', '--administration', '1', '--head');
    expect(output).toEqual([`${writers.length}:${(await log()).at(-1).hash}`]);
    const db = await database();
    await db.updateTable('product').set({ name: 'Tulp' }).execute();
    expect((await run('log', 'A')).errorOutput).toBe('Not made by the app: update of product 007.');
    expect(await run('check', '--administration', '1')).toMatchObject({
      code: 1,
      errorOutput: expect.stringContaining('Not made by the app: update of product 007.'),
    });
  });
});

test('set closes and reopens the books, and both are logged', async () => {
  await run('create', '--name', 'A', '--country', 'NL');
  expect(await run('set', 'A', '--closed-until', '2026-03-31', '--first-booking-date', '2025-01-01')).toMatchObject({
    code: 0,
    output: ['first booking date: 2025-01-01', 'closed until: 2026-03-31'],
  });
  await run('set', 'A', '--closed-until', '');
  expect((await log()).slice(1).map(({ changes }) => changes[0])).toMatchObject([
    { new: { first_booking_date: '2025-01-01', closed_until: '2026-03-31' } },
    { old: { closed_until: '2026-03-31' }, new: { closed_until: '' } },
  ]);
  expect((await run('set', 'A', '--closed-until', '31-03-2026')).code).toBe(2);
});
