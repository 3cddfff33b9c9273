import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpointNames, endpointOf } from '../api.ts';
import { Problem } from '../problem.ts';
import { parseJson } from '../wire/json.ts';
import { type Client, createClient } from './client.ts';

type ReceivedRequest = {
  method: string;
  path: string;
  query: string;
  headers: IncomingMessage['headers'];
  body: string;
};
type ScriptedResponse = { status?: number; headers?: Record<string, string>; body: string };

let server: Server;
let base: string;
let client: Client;
let received: ReceivedRequest[] = [];
let scripted: ScriptedResponse;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const [path = '', query = ''] = (request.url ?? '').split('?');
    received.push({ method: request.method ?? '', path, query, headers: request.headers, body });
    response.writeHead(scripted.status ?? 200, { 'Content-Type': 'application/json', ...scripted.headers });
    response.end(scripted.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createClient(base, { apiKey: 'key-1', username: 'anna@example.com' }, fetch);
});
afterAll(() => new Promise((closed) => server.close(closed)));
beforeEach(() => {
  received = [];
  scripted = { body: '[]' };
});

const refusal = async (asked: Promise<unknown>): Promise<Problem> => {
  const error = await asked.then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw error;
};

describe('the client', () => {
  it.each(endpointNames)('sends %s with its method, its path and both headers', async (name) => {
    scripted = { body: '[{}]' };
    await client[name]({});
    const { method, path } = endpointOf(name);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method, path });
    expect(received[0]!.headers).toMatchObject({
      apikey: 'key-1',
      username: 'anna@example.com',
      'content-type': 'application/json',
    });
  });

  it('sends the same to a base address with a slash at its end', async () => {
    await createClient(`${base}/`, { apiKey: 'k', username: 'u' }, fetch).listtaxcodes({});
    expect(received[0]!.path).toBe('/rest/listtaxcodes');
  });

  it('sends a query without empty parameters', async () => {
    await client.listrelations({
      RelationName: 'Jansen & Zn é',
      Limit: 5,
      Offset: undefined,
      RelationEmail: '',
      RelationVAT: null,
    });
    expect(Object.fromEntries(new URLSearchParams(received[0]!.query))).toEqual({
      RelationName: 'Jansen & Zn é',
      Limit: '5',
    });
    expect(received[0]!.body).toBe('');
  });

  it('sends a body with every digit of its numbers', async () => {
    scripted = { body: '[{}]' };
    const { Id } = parseJson('{"Id":9007199254740993}') as { Id: unknown };
    await client.addsalesinvoice({
      InvoiceNumber: Id,
      InvoiceForOrderNumber: 9223372036854775807n,
      InvoiceNotes: 'é\n"',
    });
    expect(received[0]!.body).toBe(
      '{"InvoiceNumber":9007199254740993,"InvoiceForOrderNumber":9223372036854775807,"InvoiceNotes":"é\\n\\""}',
    );
  });

  it('reads a response with every digit', async () => {
    scripted = { body: '[{"RelationGUID":9223372036854775807,"Name":"Jansen","Undocumented":9007199254740993}]' };
    const [relation] = await client.listrelations({});
    expect(relation).toMatchObject({ RelationGUID: '9223372036854775807', Name: 'Jansen', Relation_Contact: [] });
    expect(String(relation!.Undocumented)).toBe('9007199254740993');
  });

  it.each(['', ' ', '{}', '[]', 'null'])('reads %j as an empty list', async (body) => {
    scripted = { body };
    expect(await client.listledgeraccounts({})).toEqual([]);
  });

  it('reads one product, also from a list of one', async () => {
    scripted = { body: '{"Name":"Hamer","StockQty":"0E-8"}' };
    expect(await client.updateproduct({ ArticleNumber: 'A' })).toMatchObject({ Name: 'Hamer', StockQty: '0' });
    scripted = { body: '[{"Name":"Hamer"}]' };
    expect(await client.updateproduct({ ArticleNumber: 'A' })).toMatchObject({ Name: 'Hamer' });
  });

  it('throws a refusal with its code, its message and its fields', async () => {
    scripted = {
      status: 400,
      body: JSON.stringify({
        errorCode: 'INVALID_REQUEST',
        errorMessage: 'Quantity: expected a decimal number',
        errors: [{ path: 'Quantity', message: 'expected a decimal number' }, null, 'odd', { path: 5 }],
      }),
    };
    const problem = await refusal(client.addorder({}));
    expect(problem.code).toBe('INVALID_REQUEST');
    expect(problem.message).toBe('Quantity: expected a decimal number');
    expect(problem.errors).toMatchObject([{ path: 'Quantity', message: 'expected a decimal number' }]);
  });

  it('throws a rate limit with its Retry-After', async () => {
    scripted = {
      status: 429,
      headers: { 'Retry-After': '7' },
      body: '{"errorCode":"RATE_LIMIT","errorMessage":"Slower"}',
    };
    const problem = await refusal(client.listtaxcodes({}));
    expect(problem.code).toBe('RATE_LIMIT');
    expect(problem.headers).toEqual({ 'Retry-After': '7' });
  });

  it.each([
    [400, 'INVALID_REQUEST'],
    [401, 'UNAUTHORIZED'],
    [403, 'INVALID_REQUEST'],
    [404, 'NOT_FOUND'],
    [413, 'BODY_TOO_LARGE'],
    [429, 'RATE_LIMIT'],
    [500, 'INTERNAL'],
    [502, 'REMOTE_FAILED'],
    [503, 'UNAVAILABLE'],
    [504, 'REMOTE_TIMEOUT'],
  ])('throws for a page with status %i that is not of the interface the problem %s', async (status, code) => {
    scripted = { status, headers: { 'Content-Type': 'text/html' }, body: '<html>Oops</html>' };
    const problem = await refusal(client.listtaxcodes({}));
    expect(problem.code).toBe(code);
    expect(problem.message).toBe(`The service answered ${status}.`);
  });

  it.each(['null', '5', '"text"', '[]', '{"errorMessage":{"toString":1}}'])(
    'is not brought down by %s for an error',
    async (body) => {
      scripted = { status: 500, body };
      expect((await refusal(client.listtaxcodes({}))).message).toBe('The service answered 500.');
    },
  );

  it.each([
    ['<html>Welcome</html>', 'The service answered something that is not JSON.'],
    ['[{"Number":"8000"', 'The service answered something that is not JSON.'],
    ['"text"', "The service's answer cannot be read: 0 "],
    ['[{"Number":{}}]', "The service's answer cannot be read: 0.Number expected text, got an object."],
  ])('throws when a response of success has %s', async (body, message) => {
    scripted = { body };
    const problem = await refusal(client.listledgeraccounts({}));
    expect(problem.code).toBe('REMOTE_FAILED');
    expect(problem.message).toContain(message);
  });

  it('stops when its signal aborts', async () => {
    const aborted = AbortSignal.abort(new Error('no longer wanted'));
    await expect(client.listrelations({}, aborted)).rejects.toThrow('no longer wanted');
    expect(received).toEqual([]);
  });
});
