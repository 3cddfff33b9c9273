import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { commandLineOfTests } from '../../../../testing/builtin/commandLine.ts';
import { listen } from '../../../../testing/listen.ts';
import { needed } from '../../../../testing/needed.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { testStorage } from '../../../../testing/storage.ts';
import { runCommand } from './command.ts';

const fullDisk = needed(existsSync('/dev/full'), 'this system has no /dev/full');
const { file, inFolder, runWith } = commandLineOfTests();
const { connectionString } = await testStorage();
let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
});
afterAll(() => app.close());
beforeEach(async () => {
  shop = await openShop(app);
});

/** Pushes a file, with the credential of the shop. */
const push = (endpoint: string, path: string, ...more: string[]) =>
  runWith(
    { PUSH_API_KEY: shop.credential.apiKey, PUSH_USERNAME: shop.credential.username },
    'push',
    path,
    '--endpoint',
    endpoint,
    '--url',
    app.url,
    ...more,
  );

/** The rows of a written copy, by their headings. */
function results(name: string): Record<string, string>[] {
  const [heading, ...lines] = readFileSync(inFolder(name), 'utf8')
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(/[,;]/));
  return lines.map((cells) => Object.fromEntries(heading!.map((name, index) => [name, cells[index]!])));
}

const invoices = async () => (await shop.get('/rest/listsalesinvoices?InlcudeInvoiceLinesInResponse=true')).json;

const twoInvoices = `Document,CustomerNumber,InvoiceDate,InvoiceReference,ProductNumber,Quantity,UnitPriceExclTax,TaxPc
a,7,15-03-2026,Eerste,0100,2,10,21
,,,,0200,1,5,9%
b,7,2026-03-16,Tweede,0100,1,7.50,21
`;

describe('administration push', () => {
  it('makes documents of several rows, and writes the results beside a copy of the rows', async () => {
    const { code, output, errorOutput } = await push('addsalesinvoice', file('maart.csv', twoInvoices));
    expect([code, errorOutput]).toEqual([0, '']);
    const made = (await invoices()).toReversed();
    expect(made).toMatchObject([
      { InvoiceDate: '15-03-2026', InvoiceReference: 'Eerste', InvoiceTotalInclTax: 29.65 },
      { InvoiceDate: '16-03-2026', InvoiceReference: 'Tweede', InvoiceTotalInclTax: 9.08 },
    ]);
    expect(made[0].Invoice_InvoiceLine).toHaveLength(2);
    expect(output).toEqual([
      'addsalesinvoice: 2 applied.',
      '2 documents: 32.5 without tax, 6.23 tax, 38.73 with tax.',
      `Results: ${inFolder('maart.results.csv')}`,
    ]);
    const [first, second, third] = results('maart.results.csv');
    expect(first).toMatchObject({
      Document: 'a',
      Result: 'applied',
      ResultNumber: String(made[0].InvoiceNumber),
      ResultTotalInclTax: '29.65',
      ResultPdf: `/documents/invoices/${made[0].InvoiceNumber}.pdf`,
    });
    expect(second).toMatchObject({ ProductNumber: '0200', Result: '' });
    expect(third).toMatchObject({ Result: 'applied', ResultNumber: String(made[1].InvoiceNumber) });
  });

  it('keeps in the copy what stands behind an apostrophe as text, and numbers as they are', async () => {
    const rows = `CustomerNumber;InvoiceReference;ProductNumber;Quantity;UnitPriceExclTax;TaxPc
7;'=1+1;0100;-1;-7,50;21
`;
    expect((await push('addsalesinvoice', file('tekst.csv', rows), '--decimal-comma')).code).toBe(0);
    expect(await invoices()).toMatchObject([{ InvoiceReference: '=1+1', InvoiceTotalExclTax: 7.5 }]);
    const [, copied] = readFileSync(inFolder('tekst.results.csv'), 'utf8').split('\r\n');
    expect(copied).toMatch(/^7;'=1\+1;0100;-1;"-7,50";21;applied;/);
  });

  it('sends a file once, and again only when that is said', async () => {
    const path = file('maart.csv', twoInvoices);
    const first = await push('addsalesinvoice', path);
    expect(await push('addsalesinvoice', path)).toEqual(first);
    expect(await invoices()).toHaveLength(2);
    await push('addsalesinvoice', path, '--again');
    expect(await invoices()).toHaveLength(4);
  });

  it('books journal entries, a line for each row', async () => {
    const rows = `Document;EntryDate;EntryDescription;LedgerAccountNumber;Debit;Credit
huur;31-03-2026;Huur maart;4000;100.50;
huur;;;1000;;100.50
kas;2026-03-31;;1000;5;
kas;;;4000;;5
`;
    const { code, output, errorOutput } = await push('addjournalentry', file('memoriaal.csv', rows));
    expect([code, errorOutput, output[0]]).toEqual([0, '', 'addjournalentry: 2 applied.']);
    expect(results('memoriaal.results.csv').map(({ Result, ResultNumber }) => [Result, ResultNumber])).toEqual([
      ['applied', '1'],
      ['', ''],
      ['applied', '2'],
      ['', ''],
    ]);
    const { balances } = (await shop.get('/ledger/balances?to=2026-03')).json;
    expect(balances).toMatchObject([
      { number: '1000', debit: 5, credit: 100.5, closing: -95.5 },
      { number: '4000', debit: 100.5, credit: 5, closing: 95.5 },
    ]);
    const wrong = await push('addjournalentry', file('scheef.csv', rows.replace('100.50;\n', '100.51;\n')));
    expect(wrong.code).toBe(1);
    expect(wrong.errorOutput).toContain('expected as much debit as credit: 0.01 credit is missing');
  });

  it('pushes into an administration by its id, with a key that ends', async () => {
    // The day of the command.
    app.setTime(Date.parse('2026-03-04T12:00:00Z') / 1000);
    const path = file('prijzen.csv', 'ArticleNumber;NewSalePrice\n0100;12,95\n0200;3,05\n');
    const words = ['--endpoint', 'updateproduct', '--decimal-comma', '--url', app.url];
    const administration = ['--administration', String(shop.administrationId)];
    const { code, output, errorOutput } = await runWith(
      { DATABASE_URL: app.databaseUrl },
      'push',
      path,
      ...words,
      ...administration,
    );
    expect([code, errorOutput, output[0]]).toEqual([0, '', 'updateproduct: 2 applied.']);
    const { json } = await shop.put('/rest/updateproduct', { ArticleNumber: '0100' });
    expect(json.Price).toBe(12.95);
    const keys = await app.db
      .selectFrom('api_key')
      .where('administration_id', '=', shop.administrationId)
      .where('revoked_on', 'is', null)
      .select('username')
      .execute();
    expect(keys.map(({ username }) => username)).toEqual([shop.credential.username]);
  });

  it('leaves that key when the app does not respond any more, so that the push goes on there', async () => {
    app.setTime(Date.parse('2026-03-04T12:00:00Z') / 1000);
    // The app begins the push, and then restarts.
    const front = createServer(async (request, response) => {
      if (request.method !== 'POST') return void response.destroy();
      const headers = Object.fromEntries(
        ['apikey', 'username', 'content-type', 'idempotency-key'].map((name) => [name, String(request.headers[name])]),
      );
      const begun = await fetch(app.url + request.url, { method: 'POST', headers, body: await text(request) });
      response.writeHead(begun.status, { 'Content-Type': 'application/json' }).end(await begun.text());
    });
    const { url, close } = await listen(front);
    const path = file('prijzen.csv', 'ArticleNumber,NewSalePrice\n0100,12.95\n');
    const administration = ['--administration', String(shop.administrationId)];
    const pushTo = (address: string) =>
      runWith(
        { DATABASE_URL: app.databaseUrl },
        ...['push', path, '--endpoint', 'updateproduct', '--url', address],
        ...administration,
      );
    const cutOff = await pushTo(url);
    close();
    expect([cutOff.code, cutOff.errorOutput]).toEqual([1, expect.stringContaining('What was sent goes on there')]);
    const { output } = await runWith({ DATABASE_URL: app.databaseUrl }, 'key', 'list', ...administration);
    const [key, ...others] = output.filter((line) => line.includes('administration push'));
    expect([key, others]).toEqual([expect.stringContaining('ends 2026-03-05'), []]);
    expect(key).not.toContain('revoked');
    expect(await pushTo(app.url)).toMatchObject({ code: 0, errorOutput: '' });
  });

  it('sends nothing while the file of its results cannot be made', async () => {
    const results = inFolder('nowhere/maart.csv');
    expect(await push('addsalesinvoice', file('maart.csv', twoInvoices), '--results', results)).toEqual({
      code: 1,
      output: [],
      errorOutput: `${results} cannot be written: there is no such file or folder.`,
    });
    expect(await invoices()).toEqual([]);
  });

  it.skipIf(!fullDisk.isThere)(fullDisk.title('says what was done when its results cannot be written'), async () => {
    const { code, output, errorOutput } = await push(
      'addsalesinvoice',
      file('maart.csv', twoInvoices),
      '--results',
      '/dev/full',
    );
    expect([code, errorOutput]).toEqual([1, '/dev/full cannot be written: the disk is full.']);
    expect(output[0]).toBe('addsalesinvoice: 2 applied.');
    expect(await invoices()).toHaveLength(2);
  });

  it('tells what is refused by line and column, before anything is sent', async () => {
    const wrong = twoInvoices.replace('0200,1,5', '0200,een,5').replace('2026-03-16', '16-13-2026');
    const { code, errorOutput } = await push('addsalesinvoice', file('fout.csv', wrong));
    expect(code).toBe(1);
    expect(errorOutput).toContain('fout.csv:3: Quantity: expected a decimal number');
    expect(errorOutput).toContain('fout.csv:4: InvoiceDate: expected a date');
    expect(errorOutput).toContain('2 problems in fout.csv: nothing was pushed.');
    const missing = twoInvoices.replace('0200,1,5', '0200,,5').replace('b,7', 'b,');
    const refused = await push('addsalesinvoice', file('leeg.csv', missing));
    expect(refused.errorOutput).toContain('leeg.csv:3: Quantity: is required');
    expect(refused.errorOutput).toContain('leeg.csv:4: CustomerNumber: ');
    expect(await invoices()).toEqual([]);
  });

  it('tells in the copy why the administration refused a row, and ends with an error', async () => {
    const { code, output, errorOutput } = await push(
      'addsalesinvoice',
      file('een.csv', twoInvoices.replace('b,7', 'b,99')),
    );
    expect([code, output[0]]).toEqual([1, 'addsalesinvoice: 1 applied, 1 refused.']);
    expect(errorOutput).toContain('Not every row was applied');
    const [, , last] = results('een.results.csv');
    expect(last).toMatchObject({ Result: 'refused' });
    expect(last!.ResultMessage).toContain('CustomerNumber');
  });

  it('sends no row of a copy whose outcome is unknown, until a person empties its result', async () => {
    const copy = twoInvoices
      .split('\n')
      .map((line, index) => line && `${line},${['Result', 'unknown', '', 'refused'][index]}`)
      .join('\n');
    const { code, errorOutput } = await push('addsalesinvoice', file('mei.results.csv', copy));
    expect([code, errorOutput]).toEqual([
      0,
      'Of 1 the outcome is unknown, as the file says, and they are not sent. Empty the Result of those that are not in the books.',
    ]);
    expect(await invoices()).toMatchObject([{ InvoiceReference: 'Tweede' }]);
  });

  it('sends a corrected copy again without what was applied before', async () => {
    await push('addsalesinvoice', file('april.csv', twoInvoices.replace('a,7', 'a,99')));
    const copy = readFileSync(inFolder('april.results.csv'), 'utf8');
    const { code, errorOutput } = await push('addsalesinvoice', file('april.results.csv', copy.replace('a,99', 'a,7')));
    expect([code, errorOutput]).toEqual([0, '1 were applied before, as the file says, and are not sent.']);
    const made = await invoices();
    expect(made.map(({ InvoiceReference }: { InvoiceReference: string }) => InvoiceReference)).toEqual([
      'Eerste',
      'Tweede',
    ]);
    const [first, , last] = results('april.results.results.csv');
    expect([first!.ResultNumber, last!.ResultNumber]).toEqual(
      made.map(({ InvoiceNumber }: { InvoiceNumber: number }) => String(InvoiceNumber)),
    );
    expect(Object.keys(first!).filter((heading) => heading === 'Result')).toHaveLength(1);
  });

  it.each([
    [
      'rows of one document apart',
      twoInvoices.replace('b,7', 'c,7,,,0100,1,1,21\na,7'),
      [],
      'expected the rows of a below each other',
    ],
    [
      'another customer in a later row',
      twoInvoices.replace('\n,,,', '\n,8,,'),
      [],
      'expected the same as in the first row',
    ],
    [
      'a column that is not there',
      twoInvoices,
      ['--document', 'Nummer'],
      'Nummer: expected a column with this heading',
    ],
    ['no rows', 'CustomerNumber\n', [], 'has no rows to send'],
  ])('refuses %s', async (_, text, more, message) => {
    const { code, errorOutput } = await push('addsalesinvoice', file('x.csv', text), ...more);
    expect([code, errorOutput.includes(message)], errorOutput).toEqual([1, true]);
    expect(await invoices()).toEqual([]);
  });

  it('asks before it mails customers', async () => {
    const text = twoInvoices
      .replace('InvoiceReference', 'EmailToCustomer')
      .replace('Eerste', 'ja')
      .replace('Tweede', 'nee');
    const path = file('mail.csv', text);
    expect(await push('addsalesinvoice', path)).toMatchObject({
      code: 1,
      errorOutput: 'Nothing was changed: expected --yes.',
    });
    expect(await invoices()).toEqual([]);
    expect((await push('addsalesinvoice', path, '--yes')).code).toBe(0);
    expect(await invoices()).toHaveLength(2);
  });

  it('cancels the push when the person stops it, and writes what was done', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `${index},7,0100,1,1,21\n`);
    const path = file(
      'veel.csv',
      `Document,CustomerNumber,ProductNumber,Quantity,UnitPriceExclTax,TaxPc\n${lines.join('')}`,
    );
    const output: string[] = [];
    const shown: string[] = [];
    const { apiKey, username } = shop.credential;
    const code = await runCommand(['push', path, '--endpoint', 'addsalesinvoice', '--url', app.url], {
      env: { PUSH_API_KEY: apiKey, PUSH_USERNAME: username },
      say: (line) => output.push(line),
      complain: () => {},
      show: (line) => shown.push(line),
      now: () => new Date(),
      interruption: () => AbortSignal.abort(),
    });
    expect([code, output[0]]).toEqual([1, expect.stringMatching(/\d+ cancelled\.$/)]);
    expect(shown.at(-2)).toMatch(/^\[#{30}\] {2}2000 of 2000 rows, \d+ cancelled$/);
    const cancelled = results('veel.results.csv').filter(({ Result }) => Result === 'cancelled');
    expect(cancelled.length).toBeGreaterThan(0);
    expect((await invoices()).length).toBeLessThan(100);
  });

  it('needs a credential, and an endpoint that writes', async () => {
    const path = file('x.csv', twoInvoices);
    expect((await runWith({}, 'push', path, '--endpoint', 'addorder')).errorOutput).toContain('PUSH_API_KEY');
    expect((await push('listrelations', path)).code).toBe(2);
    const nobody = await push('addsalesinvoice', path, '--url', 'http://127.0.0.1:9');
    expect([nobody.code, nobody.errorOutput.includes('The app does not respond')]).toEqual([1, true]);
  });
});
