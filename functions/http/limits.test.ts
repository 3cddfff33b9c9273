import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointNames, endpointOf, MEGABYTE, maxBodyOf } from '../../shared/api.ts';
import type { Credential } from '../../shared/client/client.ts';
import { startApp, type TestApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/storage.ts';

const { connectionString } = await testStorage();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
});
afterAll(() => app.close());

const endpoints = endpointNames.filter((name) => endpointOf(name).method !== 'GET');
const routes = [
  ...endpoints.map((name) => [endpointOf(name).method, endpointOf(name).path, maxBodyOf(name)] as const),
  ['POST', '/pushes', 16 * MEGABYTE] as const,
];

/** Sends the headers of a body of so many bytes and its beginning, and waits for the response. */
async function announce(
  method: string,
  path: string,
  bytes: number,
  { apiKey, username }: Credential = app.credential,
  begin = '{',
) {
  const sent = request(app.url + path, {
    method,
    agent: false,
    headers: {
      ApiKey: apiKey,
      Username: username,
      'Content-Type': 'application/json',
      'Content-Length': bytes,
    },
  });
  sent.on('error', () => {});
  sent.write(begin);
  const [response] = await once(sent, 'response');
  const body = JSON.parse(await text(response));
  sent.destroy();
  return [response.statusCode, body.errorCode, body.errorMessage];
}

describe('a body', () => {
  it.each(routes)('%s %s is not read with a wrong key', async (method, path) => {
    const unknown = [401, 'UNAUTHORIZED', 'Invalid authentication credentials'];
    for (const bytes of [1000, 60 * MEGABYTE]) {
      expect(await announce(method, path, bytes, { ...app.credential, apiKey: 'made-up' })).toEqual(unknown);
    }
  });

  it.each(routes)('%s %s is not read with a key that may only read, or of archived books', async (method, path) => {
    const reading = await app.addAdministration();
    const { administrationId, credential } = reading;
    const update = app.db.updateTable('api_key').where('administration_id', '=', administrationId);
    await update.set({ scope: 'read' }).execute();
    for (const bytes of [1000, 60 * MEGABYTE]) {
      const [status, code, message] = await announce(method, path, bytes, credential);
      expect([status, code, message]).toEqual([403, 'FORBIDDEN', 'This API key may only read.']);
    }
    await update.set({ scope: 'all' }).execute();
    const administration = app.db.updateTable('administration').where('id', '=', administrationId);
    await administration.set({ archived_on: 1n }).execute();
    expect((await announce(method, path, 1000, credential)).slice(0, 2)).toEqual([403, 'FORBIDDEN']);
  });

  it.each(routes)('%s %s is refused while it arrives when it holds too many values', async (method, path) => {
    const most = path === '/pushes' ? 1_000_000 : 100_000;
    const bytes = most === 100_000 ? MEGABYTE : 16 * MEGABYTE;
    for (const number of ['1e100', '1']) {
      const [status, code, message] = await announce(
        method,
        path,
        bytes,
        app.credential,
        `[${`${number},`.repeat(most)}`,
      );
      expect([status, code]).toEqual([400, 'INVALID_JSON']);
      expect(message).toContain(`Expected a body of at most ${most} values`);
    }
  });

  it.each(routes)('%s %s is not read when it is larger than %i bytes', async (method, path, limit) => {
    const [status, code, message] = await announce(method, path, limit + 1);
    expect([status, code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(message).toBe(`Expected a body of at most ${limit / MEGABYTE} MB (${limit} bytes).`);
  });
});

describe('a document with files', () => {
  it.each(endpoints.filter((name) => maxBodyOf(name) > MEGABYTE))(
    '%s has at most a megabyte of other texts, in any alphabet',
    async (name) => {
      const { method, path } = endpointOf(name);
      const ask = (body: object) => app.request(method, path, { body });
      // Two and four bytes a character, in a list and in a member that is unknown.
      const texts = ['é'.repeat(300_000), { x: '\u{1f600}'.repeat(120_000) }];
      const files = [{ FileContent: 'A'.repeat(2 * MEGABYTE), FileName: 'a.pdf' }];
      const accepted = await ask({ texts: texts.slice(0, 1), Order_Attachment: files, Invoice_Attachment: files });
      expect(accepted.json.errorCode).toBe('INVALID_REQUEST');
      const refused = await ask({ texts });
      expect([refused.status, refused.json.errorCode]).toEqual([413, 'BODY_TOO_LARGE']);
      expect(refused.json.errorMessage).toBe(
        'Expected at most 1 MB (1048576 bytes) of text beside the content of files.',
      );
    },
  );
});

it('the limit of sixteen megabytes fits an attachment of ten, and the deployment allows it', () => {
  const largest = Math.max(...routes.map(([, , limit]) => limit));
  const deployment = readFileSync(path.resolve(import.meta.dirname, '../../infra/modules/functionApp.bicep'), 'utf8');
  expect(/FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '(\d+)'/.exec(deployment)?.[1]).toBe(String(largest));
  // Base64 with a line break after every 76 characters, as JSON escapes it.
  const encoded = ((10 * MEGABYTE) / 3) * 4;
  expect(maxBodyOf('addsalesinvoice')).toBeGreaterThan(encoded + (encoded / 76) * 4 + MEGABYTE);
});
