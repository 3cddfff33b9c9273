import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { testCertificate } from '../../testing/testCertificate.ts';
import { certificateOf, WrongOption } from './certificate.ts';
import { createHost } from './server.ts';

const home = temporaryFolder();
let certificate: string;
let key: string;
beforeAll(async () => {
  const made = path.join(home, '.office-addin-dev-certs');
  await mkdir(made);
  certificate = path.join(made, 'localhost.crt');
  key = path.join(made, 'localhost.key');
  await writeFile(certificate, testCertificate.cert);
  await writeFile(key, testCertificate.key);
});

describe('npm start -- --https', () => {
  it('uses the certificate of Office’s tool, or two named files', () => {
    expect(certificateOf(['--https'], home)).toEqual(testCertificate);
    expect(certificateOf(['--https', certificate, key], '/nowhere')).toEqual(testCertificate);
    expect(certificateOf([], home)).toBeUndefined();
  });

  it.each<[string[], string]>([
    [
      ['--https'],
      '.office-addin-dev-certs/localhost.crt cannot be read. Run `npx office-addin-dev-certs install`, which',
    ],
    [['--https', 'one.pem'], 'expected nothing after it, or the file of a certificate and the file of its key'],
    [['--https', 'one.pem', 'two.pem', 'three.pem'], 'expected nothing after it'],
    [['one.pem', 'two.pem'], '--https is expected before one.pem two.pem.'],
    [['--htps'], "Unknown option '--htps'"],
  ])('refuses %j with what it expects', (words, message) => {
    expect(() => certificateOf(words, '/nowhere')).toThrow(WrongOption);
    expect(() => certificateOf(words, '/nowhere')).toThrow(message);
  });

  it('refuses a certificate that has ended, one of another key, and files that are none', async () => {
    const use = (cert: string, now = new Date()) => certificateOf(['--https', cert, key], home, now);
    expect(() => use(certificate, new Date('2130-01-01'))).toThrow(
      `--https: ${certificate} ended on 2126-10-29. Run \`npx office-addin-dev-certs install\``,
    );
    expect(() => use(key)).toThrow(`--https: ${key} is no certificate of ${key} in PEM.`);
    const other = path.join(home, 'other.key');
    await writeFile(other, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(() => certificateOf(['--https', certificate, other])).toThrow(
      `--https: ${certificate} is no certificate of ${other} in PEM.`,
    );
  });

  it('serves HTTPS to callers that trust the certificate', async () => {
    const page = { name: 'page', methods: ['GET' as const], route: 'page', handler: async () => ({ body: 'a page' }) };
    const server = createHost([page], () => {}, certificateOf(['--https'], home));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const text = await new Promise((resolve, reject) => {
      get({ port, host: 'localhost', path: '/page', ca: testCertificate.cert, agent: false }, async (response) => {
        resolve(Buffer.concat(await response.toArray()).toString());
      }).on('error', reject);
    });
    expect(text).toBe('a page');
    server.close();
  });
});
