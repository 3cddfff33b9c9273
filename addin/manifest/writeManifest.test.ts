import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OfficeAddinManifest } from 'office-addin-manifest';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { manifestVersion } from './deploymentManifest.ts';

const command = path.join(import.meta.dirname, 'writeManifest.ts');
const development = readFileSync(path.join(import.meta.dirname, '../../manifest.xml'), 'utf8');
const developmentId = /<Id>(.*)<\/Id>/.exec(development)![1]!;

const folder = temporaryFolder();

const run = (...options: string[]) =>
  spawnSync(process.execPath, [command, ...options], { cwd: folder, encoding: 'utf8' });

/** A manifest without the parts that a deployment changes: its addresses and its id. */
const withoutDeployment = (manifest: string, base: string, origin = base) =>
  manifest
    .replace(/<Id>.*<\/Id>/, '<Id/>')
    .replace(/<Version>.*<\/Version>/, '<Version/>')
    .replaceAll(`<AppDomain>${origin}</AppDomain>`, '<AppDomain/>')
    .replaceAll(base, 'BASE');

test('the manifest of a deployment differs in its addresses, its id and its version only', async () => {
  const { status, stderr } = run('--url', 'https://ledgerline.example.com');
  expect(status, stderr).toBe(0);

  const file = path.join(folder, 'dist/manifest.xml');
  const manifest = readFileSync(file, 'utf8');
  expect(manifest).not.toContain('localhost');
  expect(withoutDeployment(manifest, 'https://ledgerline.example.com')).toBe(
    withoutDeployment(development, 'https://localhost:7071'),
  );

  const read = await OfficeAddinManifest.readManifestFile(file);
  expect(read).toMatchObject({
    displayName: 'Ledgerline',
    appDomains: ['https://ledgerline.example.com'],
    iconUrl: 'https://ledgerline.example.com/taskpane/icons/icon-32.png',
    highResolutionIconUrl: 'https://ledgerline.example.com/taskpane/icons/icon-64.png',
    supportUrl: 'https://ledgerline.example.com/taskpane/support.html',
    defaultSettings: { sourceLocation: 'https://ledgerline.example.com/taskpane/taskpane/index.html' },
  });
  expect(read.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(read.id).not.toBe(developmentId);
  expect(stderr).toContain(read.id);
  expect(stderr).toContain(path.join('dist', 'manifest.xml'));
});

test('an app below a path has the path in every address but the trusted domain', async () => {
  const file = path.join(folder, 'path.xml');
  expect(run('--url', 'https://example.com:8443/books&more/', '--out', file).status).toBe(0);

  const manifest = readFileSync(file, 'utf8');
  expect(withoutDeployment(manifest, 'https://example.com:8443/books&amp;more', 'https://example.com:8443')).toBe(
    withoutDeployment(development, 'https://localhost:7071'),
  );
  expect(await OfficeAddinManifest.readManifestFile(file)).toMatchObject({
    appDomains: ['https://example.com:8443'],
    defaultSettings: { sourceLocation: 'https://example.com:8443/books&more/taskpane/taskpane/index.html' },
  });
});

test('two deployments have two ids, unless the id is an option', () => {
  const idOf = (...options: string[]) => {
    const { stdout, status } = run('--url', 'https://ledgerline.example.com', '--out', '-', ...options);
    expect(status).toBe(0);
    return /<Id>(.*)<\/Id>/.exec(stdout)![1];
  };
  expect(idOf()).not.toBe(idOf());
  const kept = '0d6a5b3c-5a0e-4f4e-9a51-5a3c3f1d2b10';
  expect(idOf('--id', kept)).toBe(kept);
});

test.each([
  ['0.1.0', '1.0.1.0'],
  ['0.2.0', '1.0.2.0'],
  ['0.10.3', '1.0.10.3'],
  ['1.0.0', '1.1.0.0'],
  ['2.4.1-beta.1', '1.2.4.1'],
])('the manifest of release %s has version %s', (release, version) => {
  expect(manifestVersion(release)).toBe(version);
});

test('a manifest has the version of the release, higher than the one for development', () => {
  const { stdout } = run('--url', 'https://ledgerline.example.com', '--out', '-');
  const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(stdout).toContain(`<Version>1.${version}</Version>`);
  expect(development).toContain('<Version>1.0.0.0</Version>');
});

test('standard output contains only the manifest', () => {
  const { stdout } = run('--url', 'https://ledgerline.example.com', '--out', '-');
  expect(stdout).toMatch(/^<\?xml /);
  expect(stdout).toMatch(/<\/OfficeApp>\n$/);
});

test.each([
  ['http://ledgerline.example.com', 'not https'],
  ['ledgerline.example.com', 'not an address'],
  ['https://func-ledgerline-....azurewebsites.net', 'not an address'],
  ['https://ledgerline.example.com/?tenant=1', 'query'],
  ['https://ledgerline.example.com/?', 'query'],
  ['https://ledgerline.example.com/#start', 'fragment'],
  ['https://someone@ledgerline.example.com', 'user name'],
])('the address %s is refused, and no file written', (url, reason) => {
  const file = path.join(folder, 'refused.xml');
  const { status, stderr } = run('--url', url, '--out', file);
  expect(status).toBe(2);
  expect(stderr).toContain(reason);
  expect(existsSync(file)).toBe(false);
});

test('a refusal does not repeat the password', () => {
  const { status, stderr } = run('--url', 'http://someone:secret@ledgerline.example.com');
  expect(status).toBe(2);
  expect(stderr).not.toContain('secret');
});

test('an id that is not a GUID and a missing address are refused', () => {
  const wrongId = run('--url', 'https://ledgerline.example.com', '--id', 'ledgerline');
  expect([wrongId.status, wrongId.stderr]).toEqual([2, expect.stringContaining('GUID')]);
  const noUrl = run();
  expect([noUrl.status, noUrl.stderr]).toEqual([2, expect.stringContaining('--url')]);
});
