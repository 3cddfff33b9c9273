import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScript } from '../../testing/appProcess.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testCertificate } from '../../testing/testCertificate.ts';
import { azuriteProgram } from '../host/azurite.ts';
import { readSettings, WrongSetting } from '../settings.ts';

/*
 * A storage account like Azure's, over HTTPS, which accepts tokens of an identity as well as keys; and the endpoint of
 * the platform for such tokens.
 */

const folder = temporaryFolder();
let azurite: ReturnType<typeof startScript>;
const addresses: Record<string, string> = {};
/** Azurite and the processes of the tests trust the certificate: Azurite also sends requests to itself, to copy. */
const certificates = () => ({ NODE_EXTRA_CA_CERTS: path.join(folder, 'cert.pem') });
const tokenRequests: { resource: string | null; clientId: string | null; header: unknown }[] = [];
const tokens = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const header = request.headers['x-identity-header'];
  tokenRequests.push({ resource: searchParams.get('resource'), clientId: searchParams.get('client_id'), header });
  const now = Math.floor(Date.now() / 1000);
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const claims = { aud: 'https://storage.azure.com', iss: 'https://sts.windows.net/tenant/', iat: now, nbf: now - 5 };
  const access_token = `${part({ alg: 'none', typ: 'JWT' })}.${part({ ...claims, exp: now + 3600 })}.x`;
  const body = {
    access_token,
    expires_on: String(now + 3600),
    resource: searchParams.get('resource'),
    token_type: 'Bearer',
  };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
});

beforeAll(async () => {
  await writeFile(path.join(folder, 'key.pem'), testCertificate.key);
  await writeFile(path.join(folder, 'cert.pem'), testCertificate.cert);
  tokens.listen(0, '127.0.0.1');
  await once(tokens, 'listening');
  const files = ['--cert', path.join(folder, 'cert.pem'), '--key', path.join(folder, 'key.pem'), '--oauth', 'basic'];
  const ports = ['--blobPort', '0', '--queuePort', '0', '--tablePort', '0'];
  const quiet = ['--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck'];
  azurite = startScript(azuriteProgram(), certificates(), { args: [...quiet, ...ports, ...files] });
  for (const service of ['Blob', 'Queue', 'Table']) {
    const [, url] = await azurite.line(
      new RegExp(`Azurite ${service} service is successfully listening at (https:\\S+)`),
    );
    addresses[service.toLowerCase()] = `${url}/devstoreaccount1`;
  }
});
afterAll(async () => {
  await azurite.kill();
  tokens.close();
});

/** The content of the account that a process with these settings reads. */
async function foundWith(settings: Record<string, string>): Promise<unknown> {
  const script = startScript('testing/useStorage.ts', { ...certificates(), ...settings });
  const [, found] = await script.line(/^found (.*)$/);
  return JSON.parse(found!);
}

const everything = {
  row: 'd',
  blob: 'hello',
  paths: ['folder/copy', 'folder/file'],
  message: '{"number":1}',
  isLeased: true,
};

describe('a storage account', () => {
  it('is opened by the managed identity of the settings', async () => {
    const found = await foundWith({
      AzureWebJobsStorage__blobServiceUri: addresses.blob!,
      AzureWebJobsStorage__queueServiceUri: addresses.queue!,
      AzureWebJobsStorage__tableServiceUri: addresses.table!,
      AzureWebJobsStorage__credential: 'managedidentity',
      AzureWebJobsStorage__clientId: '11111111-2222-3333-4444-555555555555',
      IDENTITY_ENDPOINT: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
      IDENTITY_HEADER: 'secret of the platform',
    });
    expect(found).toEqual(everything);
    expect(tokenRequests[0]).toEqual({
      resource: expect.stringMatching(/^https:\/\/storage\.azure\.com/),
      clientId: '11111111-2222-3333-4444-555555555555',
      header: 'secret of the platform',
    });
    // One token is used for all services.
    expect(tokenRequests.length).toBeLessThanOrEqual(2);
  });

  it('is opened by a connection string with a shared access signature', async () => {
    const { sas } = await import('../../testing/accountSas.ts');
    const endpoints = ['Blob', 'Queue', 'Table'].map((name) => `${name}Endpoint=${addresses[name.toLowerCase()]};`);
    const AzureWebJobsStorage = `${endpoints.join('')}SharedAccessSignature=${sas()}`;
    expect(await foundWith({ AzureWebJobsStorage })).toEqual(everything);
  });
});

describe('the settings of a storage account', () => {
  it('name the account or its services for the identity of the app', () => {
    expect(readSettings({ AzureWebJobsStorage__accountName: 'books1' }).storage).toEqual({
      blob: 'https://books1.blob.core.windows.net',
      queue: 'https://books1.queue.core.windows.net',
      table: 'https://books1.table.core.windows.net',
      clientId: undefined,
      isManagedIdentity: false,
    });
    const table = 'https://tables.books.example';
    expect(
      readSettings({ AzureWebJobsStorage__accountName: 'books1', AzureWebJobsStorage__tableServiceUri: table }).storage,
    ).toMatchObject({ blob: 'https://books1.blob.core.windows.net', table });
    expect(readSettings({}).storage).toBeUndefined();
  });

  it.each([
    [{ AzureWebJobsStorage__accountName: 'Not A Name' }, 'AzureWebJobsStorage__accountName'],
    [{ AzureWebJobsStorage__blobServiceUri: 'http://blobs.example' }, 'AzureWebJobsStorage__blobServiceUri'],
    [{ AzureWebJobsStorage__blobServiceUri: 'https://blobs.example' }, 'AzureWebJobsStorage__tableServiceUri'],
    [{ AzureWebJobsStorage__credential: 'password' }, 'AzureWebJobsStorage__credential'],
    [{ AzureWebJobsStorage: 'BlobEndpoint=https://blobs.example' }, 'AzureWebJobsStorage'],
  ])('%j are refused by name', (settings, name) => {
    expect(() => readSettings(settings as Record<string, string>)).toThrow(WrongSetting);
    expect(() => readSettings(settings as Record<string, string>)).toThrow(name);
  });
});
