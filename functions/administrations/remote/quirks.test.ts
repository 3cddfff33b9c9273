import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames } from '../../../shared/api.ts';
import {
  ask,
  askText,
  credential,
  isRead,
  openRemote,
  problemOf,
  requests,
} from '../../../testing/remote/askRemote.ts';
import { fastClock } from '../../../testing/remote/clocks.ts';
import { type Script, type ScriptedService, startScriptedService } from '../../../testing/remote/scriptedService.ts';
import type { Administrations } from '../administration.ts';

let service: ScriptedService;
let remote: Administrations;
let logged: string[];
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.close());
beforeEach(() => {
  logged = [];
  // A pause of five seconds takes fifty milliseconds, and the timeout eighteen seconds.
  remote = openRemote(service.url, { timeout: 1_800_000 }, { clock: fastClock(100), log: (line) => logged.push(line) });
  return () => remote.close();
});

const responseOf = (script: Script, name: EndpointName = 'listrelations', input: object = requests[name]) => {
  service.play(script);
  return ask(remote, name, input);
};
const problemFor = (script: Script, name: EndpointName = 'listrelations', input: object = requests[name]) => {
  service.play(script);
  return problemOf(ask(remote, name, input));
};
const json = (value: unknown, more: object = {}) => ({ body: JSON.stringify(value), ...more });

const reads = endpointNames.filter(isRead);
const writes = endpointNames.filter((name) => !isRead(name));

describe('a response', () => {
  it.each(['', ' \n', '{}', '[]', 'null', '""'])('of %j is read as an empty list', async (body) => {
    for (const name of reads) expect(await responseOf({ body }, name)).toEqual([]);
  });

  it('without a body is read as an empty list', async () => {
    expect(await responseOf({ status: 204 })).toEqual([]);
  });

  it.each(['', '{}', '[]', '[{}]', 'null'])('of %j to a write means that it was not applied', async (body) => {
    for (const name of writes) {
      const problem = await problemFor({ body }, name);
      expect([name, problem.code, problem.status]).toEqual([name, 'NOT_APPLIED', 400]);
      expect(service.received).toHaveLength(1);
    }
  });

  it('may be an object for a list of one, and a list of one for an object', async () => {
    expect(
      await responseOf(json({ RelationGUID: 5, Name: 'Jansen', Relation_Contact: { LastName: 'Smit' } })),
    ).toMatchObject([{ RelationGUID: 5, Name: 'Jansen', Relation_Contact: [{ LastName: 'Smit' }] }]);
    expect(await responseOf(json({ Name: 'Hamer' }), 'addproduct')).toMatchObject([{ Name: 'Hamer' }]);
    expect(await responseOf(json([{ Name: 'Hamer' }]), 'updateproduct')).toMatchObject({ Name: 'Hamer' });
  });

  it('may have numbers as strings, also 0E-8, and every digit is read', async () => {
    service.play({
      body: '{"Name":"Hamer","StockQty":"0E-8","Price":"1.25E+1","PurchasePrice":12345678901234567890.12345678,"CreatedOn":"1700000000"}',
    });
    expect(await askText(remote, 'updateproduct', requests.updateproduct)).toMatch(
      /"StockQty":0,"PurchasePrice":12345678901234567890\.12345678,"Price":12\.5,.*"CreatedOn":1700000000,/,
    );
    service.play({ body: '[{"RelationGUID":9223372036854775807},{"RelationGUID":"9007199254740993"}]' });
    expect(await askText(remote, 'listrelations')).toMatch(
      /"RelationGUID":9223372036854775807,.*"RelationGUID":9007199254740993,/,
    );
  });

  it('is read with the milliseconds of an EntryDate', async () => {
    expect(
      await responseOf(json([{ EntryDate: 1_700_000_000_123, Quantity: '0E-8' }]), 'listprojectmaterialbooking'),
    ).toMatchObject([{ EntryDate: 1_700_000_000_123, Quantity: '0.00000000' }]);
  });

  it('is read with its undocumented fields, and every digit of them', async () => {
    service.play({ body: '[{"Name":"Jansen","Mood":{"Score":1e-7,"Id":98765432109876543210}}]' });
    expect(await askText(remote, 'listrelations')).toContain('"Mood":{"Score":1e-7,"Id":98765432109876543210}');
  });

  it.each([
    ['gzip', gzipSync, 'gzip'],
    ['brotli', brotliCompressSync, 'br'],
    ['deflate', deflateSync, 'deflate'],
    ['deflate without its header', deflateRawSync, 'deflate'],
    ['gzip that is not announced', gzipSync, ''],
    ['gzip in gzip', (bytes: Buffer) => gzipSync(gzipSync(bytes)), 'gzip, gzip'],
    ['nothing, though gzip is announced', (bytes: Buffer) => bytes, 'gzip'],
  ])('compressed with %s is decompressed', async (_, pack, encoding) => {
    const body = pack(Buffer.from('[{"Name":"Café"}]'));
    const headers: Record<string, string> = encoding === '' ? {} : { 'Content-Encoding': encoding };
    expect(await responseOf({ body, headers })).toMatchObject([{ Name: 'Café' }]);
  });

  it('that cannot be decompressed is an error', async () => {
    const cut = gzipSync('[{"Name":"Roos"}]').subarray(0, 20);
    const { code, message } = await problemFor({ body: cut, headers: { 'Content-Encoding': 'gzip' } });
    expect([code, message]).toEqual(['REMOTE_FAILED', expect.stringContaining('cannot be unpacked')]);
  });

  const text = '[{"Name":"Café €"}]';
  it.each([
    ['UTF-8', Buffer.from(text), 'application/json'],
    ['UTF-8 that says it is HTML', Buffer.from(text), 'text/html'],
    ['UTF-8 that says it is Latin 1', Buffer.from(text), 'application/json; charset=iso-8859-1'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'text/plain'],
    ['UTF-8 that says it is UTF-16', Buffer.from(text), 'application/json; charset=utf-16'],
    ['UTF-16 that says so by an unknown name', Buffer.from(text, 'utf16le'), 'application/json; charset=utf-16-le'],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'application/json'],
    ['UTF-16 that says so', Buffer.from(text, 'utf16le'), 'application/json; charset=utf-16le'],
    [
      'Windows 1252 that says it is UTF-8',
      Buffer.concat([Buffer.from('[{"Name":"Caf'), Buffer.from([0xe9, 0x20, 0x80]), Buffer.from('"}]')]),
      'application/json; charset=utf-8',
    ],
    [
      'ISO 8859-15 that says so',
      Buffer.concat([Buffer.from('[{"Name":"Caf'), Buffer.from([0xe9, 0x20, 0xa4]), Buffer.from('"}]')]),
      'application/json; charset="iso-8859-15"',
    ],
  ])('in %s is read', async (_, body, type) => {
    expect(await responseOf({ body, headers: { 'Content-Type': type } })).toMatchObject([{ Name: 'Café €' }]);
  });

  it('to a write is returned without its unreadable fields, since the write was applied', async () => {
    expect(
      await responseOf(json({ Name: 'Hamer', Price: 'twelve', Extra: 1, CreatedOn: {} }), 'addproduct'),
    ).toMatchObject([{ Name: 'Hamer', Price: null, Extra: 1, CreatedOn: null }]);
    expect(service.received).toHaveLength(1);
  });

  const lists: Partial<Record<EndpointName, string>> = {
    updateproduct: 'ProductResponse_CustomField',
    addproduct: 'ProductResponse_CustomField',
    addsalesinvoice: 'Invoice_Contact',
    addorder: 'Order_Address',
    addpurchasetransaction: 'PurchaseInvoice_Address',
    addsalestransaction: 'Invoice_Contact',
  };
  it.each([
    ['text', 'Dorpsstraat 1', []],
    ['a number', 5, []],
    ['an element that is nothing', [null], []],
    ['elements that are text', ['x', '', 'y'], []],
    ['a list in a list', [[1]], []],
    ['unreadable elements among others', ['x', { Extra: 'kept' }, 5, null], [{ Extra: 'kept' }]],
  ])('to a write with %s in a list is returned without it', async (_, list, left) => {
    for (const name of writes) {
      const response = { ArticleNumber: 'A', InvoiceNumber: 7, OrderNumber: 7, Extra: 1, [lists[name]!]: list };
      for (const body of [response, [response]]) {
        const products = [await responseOf(json(body), name)].flat();
        expect([name, products.length]).toEqual([name, 1]);
        expect([name, products[0].Extra, products[0][lists[name]!].length]).toEqual([name, 1, left.length]);
        expect(products[0][lists[name]!]).toMatchObject(left);
        expect(service.received).toHaveLength(1);
      }
    }
  });

  it('to a write with one product in a list is returned without its unreadable field', async () => {
    const response = json([{ Name: 'Hamer', StockQty: 'many', CreatedOn: 'once' }]);
    expect(await responseOf(response, 'updateproduct')).toMatchObject({
      Name: 'Hamer',
      StockQty: null,
      CreatedOn: null,
    });
  });

  it.each(['"OK"', 'true', '5', '["x"]', '[[5]]'])('of %s to a write leaves its outcome unknown', async (body) => {
    for (const name of writes) {
      const problem = await problemFor({ body }, name);
      expect([name, problem.code]).toEqual([name, 'OUTCOME_UNKNOWN']);
      expect(service.received).toHaveLength(1);
    }
  });

  it.each([
    ['a message only', { message: 'Not allowed' }],
    ['an error only', { error: 'Not allowed' }],
    ['a failure', { success: false, status: 'error' }],
    ['errors only', { errors: [{ message: 'Not allowed' }] }],
    ['an error message that is no text', { errorCode: 'E-12', errorMessage: { nl: 'Mag niet' } }],
    ['the list within an object', { data: [{ Name: 'Jansen', InvoiceNumber: 7 }] }],
    ['elements with fields of something else', [{ id: 1 }, { id: 2 }]],
  ])('with %s is no row and no applied write, since it has no field of the interface', async (_, value) => {
    for (const name of endpointNames) {
      const problem = await problemFor(json(value), name);
      const code = isRead(name) ? 'REMOTE_FAILED' : 'OUTCOME_UNKNOWN';
      expect([name, problem.code, problem.message]).toEqual([name, code, expect.stringContaining('no field of the')]);
      expect(service.received).toHaveLength(1);
    }
  });

  const deep = (inner: string) => '['.repeat(100_000) + inner + ']'.repeat(100_000);
  it.each([
    ['lists', deep('')],
    ['lists around a long number', deep('12345678901234567890')],
    ['lists in a field nobody documented', `{"Name":"Hamer","InvoiceNumber":7,"Extra":${deep('')}}`],
  ])('to a write with 100,000 nested %s leaves its outcome unknown', async (_, body) => {
    for (const name of writes) {
      const problem = await problemFor({ body }, name);
      expect([name, problem.code]).toEqual([name, 'OUTCOME_UNKNOWN']);
    }
  });

  it.each([
    ['', [], []],
    [' ', [], []],
    ['Dorpsstraat 1', [{ Address_Street: 'Dorpsstraat 1' }], [{ Description: 'Dorpsstraat 1' }]],
    ['[Dorpsstraat 1]', [{ Address_Street: '[Dorpsstraat 1]' }], [{ Description: '[Dorpsstraat 1]' }]],
    ['12345678901234567890', [{ Address_Street: '12345678901234567890' }], [{ Description: '12345678901234567890' }]],
    ['["Ede"]', [{ Address_Street: '["Ede"]' }], [{ Description: '["Ede"]' }]],
    ['[]', [], []],
    ['{"Address_City":"Ede"}', [{ Address_City: 'Ede', Address_Street: '' }], [{ Address_City: 'Ede' }]],
    [
      '[{"Address_City":"Ede"},{"Quantity":2.50}]',
      [{ Address_City: 'Ede' }, {}],
      [{ Quantity: null }, { Quantity: 2.5 }],
    ],
  ])(
    'may have the text %j as the addresses and the lines of an invoice, as documented',
    async (text, addresses, lines) => {
      for (const name of ['listsalesinvoices', 'addsalesinvoice', 'addsalestransaction'] as const) {
        const [invoice] = await responseOf(
          json([{ InvoiceNumber: 7, Invoice_Address: text, Invoice_InvoiceLine: text }]),
          name,
        );
        expect([invoice.Invoice_Address.length, invoice.Invoice_InvoiceLine.length]).toEqual([
          addresses.length,
          lines.length,
        ]);
        expect(invoice).toMatchObject({ Invoice_Address: addresses, Invoice_InvoiceLine: lines });
      }
    },
  );

  it('to a read with an unreadable field is an error that names it, so that no amount is lost', async () => {
    const problem = await problemFor(
      json([{ InvoiceNumber: 1 }, { InvoiceTotalInclTax: '1.234,56' }]),
      'listsalesinvoices',
    );
    expect([problem.code, problem.message]).toEqual([
      'REMOTE_FAILED',
      expect.stringContaining('1.InvoiceTotalInclTax'),
    ]);
    expect(service.received).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each(endpointNames)('of %s reaches the caller with its message and fields', async (name) => {
    const errors = [{ path: 'Quantity', message: 'too much' }];
    const problem = await problemFor(
      json({ errorCode: 'E-12', errorMessage: 'Kan niet.', errors }, { status: 400 }),
      name,
    );
    expect([problem.code, problem.message]).toEqual(['INVALID_REQUEST', 'Kan niet.']);
    expect(problem.errors).toMatchObject([{ path: 'Quantity', message: 'too much' }]);
    expect(service.received).toHaveLength(1);
  });

  it('with a status of success is a refusal too', async () => {
    const body = { errorCode: 'E-12', errorMessage: 'Kan niet.' };
    for (const name of ['listrelations', 'updateproduct', 'addorder'] as const) {
      const problem = await problemFor(json(body), name);
      expect([name, problem.code, problem.message]).toEqual([name, 'INVALID_REQUEST', 'Kan niet.']);
    }
  });

  it.each([200, 400])('in a list, as the response of a success is, with status %i is a refusal too', async (status) => {
    const errors = [{ path: 'Quantity', message: 'too much' }];
    for (const name of endpointNames) {
      const problem = await problemFor(
        json([{ errorCode: 'E-12', errorMessage: 'Kan niet.', errors }], { status }),
        name,
      );
      expect([name, problem.code, problem.message]).toEqual([name, 'INVALID_REQUEST', 'Kan niet.']);
      expect(problem.errors).toMatchObject(errors);
      expect(service.received).toHaveLength(1);
    }
  });

  it('of the credentials reaches the caller with the message of the interface', async () => {
    const problem = await problemFor(json({ errorMessage: 'No such key' }, { status: 401 }));
    expect([problem.status, problem.message]).toEqual([401, 'Invalid authentication credentials']);
    expect(service.received).toHaveLength(1);
  });

  it('never contains the key', async () => {
    const { apiKey } = credential;
    const responses = [
      json({ errorMessage: `Key ${apiKey} is old`, errors: [{ path: apiKey, message: apiKey }] }, { status: 403 }),
      json({ errorMessage: `Key ${apiKey} is old` }, { status: 500 }),
      json({ errorMessage: `Key ${apiKey} is old` }, { status: 401 }),
      json([{ RelationGUID: apiKey }]),
      { status: 500, body: `<html>${apiKey}</html>` },
      { status: 302, headers: { Location: `/login?key=${apiKey}` } },
    ];
    for (const response of responses) {
      const { message, errors, cause, stack, headers } = await problemFor(response);
      expect(JSON.stringify({ message, errors, cause, stack, headers })).not.toContain(apiKey);
    }
    expect(logged.join()).not.toContain(apiKey);
  });
});

describe('a rate limit', () => {
  const limited = json({ errorCode: 'x', errorMessage: 'Ratelimit exceeded' }, { status: 401 });

  it('with status 401 causes a pause and a retry, also of a write', async () => {
    for (const name of endpointNames) {
      expect(await responseOf([limited, json([{ Name: 'x' }])], name)).toBeTruthy();
      expect(service.received).toHaveLength(2);
    }
  });

  it.each([200, 401])('in a list, with status %i, causes a pause and a retry too', async (status) => {
    const inList = json([{ errorMessage: 'Ratelimit exceeded' }], { status });
    for (const name of ['listrelations', 'updateproduct', 'addproduct'] as const) {
      expect([await responseOf([inList, json([{ Name: 'x' }])], name)].flat()).toMatchObject([{ Name: 'x' }]);
      expect([name, service.received.length]).toEqual([name, 2]);
    }
  });

  it('that lasts reaches the caller as 429 with Retry-After', async () => {
    service.play(limited);
    const problem = await problemOf(ask(remote, 'addorder', requests.addorder, { timeout: 30_000 }));
    expect(problem.status).toBe(429);
    expect(Number(problem.headers['Retry-After'])).toBeGreaterThan(0);
  });

  it('longer than the timeout of the caller is returned at once, with the Retry-After of the service', async () => {
    const problem = await problemFor({ status: 429, headers: { 'Retry-After': '3600' }, body: '{}' });
    expect([problem.status, problem.headers['Retry-After']]).toEqual([429, '3600']);
    expect(service.received).toHaveLength(1);
  });

  it('of one credential delays all its requests, and those of no other', async () => {
    service.play([{ status: 429, headers: { 'Retry-After': '3600' } }, { body: '[]' }]);
    await problemOf(ask(remote, 'listrelations'));
    const problem = await problemOf(ask(remote, 'listtaxcodes'));
    expect([problem.status, service.received.length]).toEqual([429, 1]);
    expect(await ask(remote, 'listtaxcodes', {}, undefined, { apiKey: 'other', username: 'x' })).toEqual([]);
  });
});

describe('a failure', () => {
  const page = { body: '<!DOCTYPE html><html>Oops</html>', headers: { 'Content-Type': 'text/html' } };

  it.each([
    ['an HTML page of status 500', { status: 500, ...page }],
    ['an HTML page of status 200', { status: 200, ...page }],
    ['half a list', { body: '[{"Name":"Han' }],
    ['an error body of status 500', json({ errorMessage: 'Stuk.' }, { status: 500 })],
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
  ])('of %s is retried for a read, and not for a write that may have been applied', async (_, failure) => {
    for (const name of reads) expect([name, await responseOf([failure, json([])], name)]).toEqual([name, []]);
    for (const name of writes.filter((one) => one !== 'updateproduct')) {
      const problem = await problemFor([failure, json([{ Name: 'x' }])], name);
      expect([name, problem.code, problem.status]).toEqual([name, 'OUTCOME_UNKNOWN', 502]);
      expect(service.received).toHaveLength(1);
    }
    expect(await responseOf([failure, json({ Name: 'x' })], 'updateproduct')).toMatchObject({ Name: 'x' });
    const relative = { ArticleNumber: 'A', NewStockQty: 1 };
    const problem = await problemFor([failure, json({ Name: 'x' })], 'updateproduct', relative);
    expect([problem.code, service.received.length]).toEqual(['OUTCOME_UNKNOWN', 1]);
  });

  it('that lasts is returned after a few attempts, with the message of the service', async () => {
    const problem = await problemFor(json({ errorMessage: 'Stuk vandaag.' }, { status: 500 }));
    expect([problem.status, problem.message]).toEqual([502, expect.stringContaining('Stuk vandaag')]);
    expect(service.received).toHaveLength(4);
  });

  it.each([301, 302, 303, 307, 308])('with status %i is a redirect, which is not followed', async (status) => {
    const elsewhere = { status, headers: { Location: `${service.url}/elsewhere` } };
    expect((await problemFor(elsewhere)).code).toBe('REMOTE_FAILED');
    expect(service.received.map(({ path }) => path)).toEqual(['/rest/listrelations/']);
    expect((await problemFor(elsewhere, 'addorder')).code).toBe('OUTCOME_UNKNOWN');
    expect(service.received).toHaveLength(1);
  });

  it.each([
    [403, 'INVALID_REQUEST'],
    [404, 'NOT_FOUND'],
    [413, 'BODY_TOO_LARGE'],
    [422, 'INVALID_REQUEST'],
  ])('with status %i and a web page is a refusal', async (status, code) => {
    const problem = await problemFor({ status, ...page });
    expect([problem.code, problem.message]).toEqual([code, `The service answered ${status}.`]);
    expect(service.received).toHaveLength(1);
  });
});
