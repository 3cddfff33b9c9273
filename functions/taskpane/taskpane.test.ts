import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../../testing/app.ts';
import { listen } from '../../testing/listen.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createHost } from '../host/server.ts';
import { withMiddleware } from '../http/middleware.ts';
import { responseDefaults } from '../http/responseDefaults.ts';
import { taskpaneFunctions, workbookFunction } from './taskpane.ts';

const folder = temporaryFolder();
let close: () => void;
let url: string;

beforeAll(async () => {
  const files = {
    'secret.txt': 'beside the pages',
    'pages/taskpane/index.html': '<!doctype html><title>Pane</title>',
    'pages/simulator/index.html': '<!doctype html><title>Workbook</title>',
    'pages/assets/pane-Ab12.js': 'console.log("é")',
    'pages/assets/pane-Ab12.css': 'body{}',
    'pages/assets/large-Cd34.js': 'as it is',
    'pages/assets/large-Cd34.js.br': 'by brotli',
    'pages/assets/large-Cd34.js.gz': 'by gzip',
    'pages/icon-32.png': 'png',
    'pages/data.unknown': 'bytes',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  const pages = path.join(folder, 'pages');
  const server = createHost(
    withMiddleware([...taskpaneFunctions(pages), workbookFunction(pages)], responseDefaults),
    () => {},
  );
  ({ url, close } = await listen(server));
});
afterAll(() => close());

const get = (target: string, headers: Record<string, string> = {}) => send(url, 'GET', target, { headers });

describe('a page', () => {
  it.each([
    ['/taskpane/taskpane/index.html', 'Pane'],
    ['/taskpane/simulator/index.html', 'Workbook'],
    ['/', 'Workbook'],
    ['/?scenario=1', 'Workbook'],
    ['/TaskPane/taskpane/index.html', 'Pane'],
  ])('is served at %s', async (target, title) => {
    const { status, headers, text } = await get(target);
    expect([status, text]).toEqual([200, `<!doctype html><title>${title}</title>`]);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('may load only our files and Microsoft’s Office.js', async () => {
    const { headers } = await get('/taskpane/taskpane/index.html');
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map((rule) => rule.trim().split(/\s+/))
        .map(([name, ...sources]) => [name, sources]),
    );
    expect(policy.get('default-src')).toEqual(["'self'"]);
    expect(policy.get('object-src')).toEqual(["'none'"]);
    expect(policy.get('base-uri')).toEqual(["'none'"]);
    const scripts = policy.get('script-src')!;
    expect(scripts).toContain('https://appsforoffice.microsoft.com');
    for (const dangerous of ["'unsafe-inline'", "'unsafe-eval'", '*', 'https:', 'data:']) {
      expect(scripts).not.toContain(dangerous);
    }
    // Excel on the web shows the pane in a frame; so does our workbook page.
    for (const name of ['frame-ancestors', 'frame-src']) {
      const hosts = policy.get(name)!;
      expect(hosts).toEqual(
        expect.arrayContaining(["'self'", 'https://*.officeapps.live.com', 'https://*.sharepoint.com']),
      );
      expect(hosts.filter((host) => host === '*' || host === 'https:')).toEqual([]);
    }
    expect(policy.get('form-action')).toEqual(["'none'"]);
    // Only Microsoft's sites may show the pane in a frame, as Excel on the web does.
    const frames = policy.get('frame-ancestors')!;
    expect(frames).toEqual(
      expect.arrayContaining(["'self'", 'https://*.officeapps.live.com', 'https://*.sharepoint.com']),
    );
    for (const anybody of ['*', 'https:', 'http:']) expect(frames).not.toContain(anybody);
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  it('is revalidated each time, so that a new version is used at once', async () => {
    expect((await get('/')).headers['cache-control']).toBe('public, no-cache');
  });

  it('needs no credential and ignores one', async () => {
    expect((await get('/taskpane/taskpane/index.html', { ApiKey: 'x', Username: 'y' })).status).toBe(200);
  });
});

describe('a file', () => {
  it.each([
    ['assets/pane-Ab12.js', /^text\/javascript/],
    ['assets/pane-Ab12.css', /^text\/css/],
    ['icon-32.png', /^image\/png$/],
    ['data.unknown', /^application\/octet-stream$/],
  ])('%s has the type %s', async (name, type) => {
    const { status, headers } = await get(`/taskpane/${name}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(type);
  });

  it('with a hash in its name is cached for good; an icon is never no-store', async () => {
    expect((await get('/taskpane/assets/pane-Ab12.js')).headers['cache-control']).toContain('immutable');
    const icon = (await get('/taskpane/icon-32.png')).headers['cache-control'];
    expect(icon).toBeDefined();
    expect(icon).not.toMatch(/no-store|no-cache/);
    expect(icon).toContain('max-age');
  });

  it('that a caller has already gets a response with status 304', async () => {
    const { headers } = await get('/taskpane/icon-32.png');
    const etag = String(headers.etag);
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('/taskpane/icon-32.png', { 'If-None-Match': known });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
      expect(again.headers['content-length']).toBeUndefined();
    }
    for (const other of ['"other"', etag.replaceAll('"', ''), 'W/"other"']) {
      expect((await get('/taskpane/icon-32.png', { 'If-None-Match': other })).status).toBe(200);
    }
    expect((await get('/')).headers.etag).not.toBe(etag);
  });

  it('has a response to HEAD with its length and no body', async () => {
    const received = await send(url, 'HEAD', '/taskpane/assets/pane-Ab12.js');
    expect([received.status, received.text]).toEqual([200, '']);
    expect(received.headers['content-length']).toBe(String(Buffer.byteLength('console.log("é")')));
  });

  it('without a compressed copy is sent uncompressed', async () => {
    const { headers, text } = await get('/taskpane/assets/pane-Ab12.js', { 'Accept-Encoding': 'gzip, br' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(text).toBe('console.log("é")');
  });
});

describe('a file that the build compressed', () => {
  const at = (encoding?: string) =>
    get('/taskpane/assets/large-Cd34.js', encoding === undefined ? {} : { 'Accept-Encoding': encoding });

  it.each([
    [undefined, 'as it is', undefined],
    ['', 'as it is', undefined],
    ['identity', 'as it is', undefined],
    ['deflate, compress', 'as it is', undefined],
    ['gzip', 'by gzip', 'gzip'],
    ['gzip, deflate, br', 'by brotli', 'br'],
    ['BR;q=0.5, GZip', 'by brotli', 'br'],
    ['br;q=0, gzip;q=0.5', 'by gzip', 'gzip'],
    ['br; q=0.000, gzip;q=0', 'as it is', undefined],
  ])('is sent to callers that accept %j as %s', async (accepted, text, encoding) => {
    const response = await at(accepted);
    expect([response.text, response.headers['content-encoding']]).toEqual([text, encoding]);
    // Caches store each encoding separately, by its ETag.
    expect(response.headers.vary).toBe('Accept-Encoding');
    expect(response.headers['content-type']).toMatch(/^text\/javascript/);
    expect(response.headers['content-length']).toBe(String(text.length));
  });

  it('has a different ETag for each encoding', async () => {
    const tags = await Promise.all([at(), at('gzip'), at('br')].map(async (response) => (await response).headers.etag));
    expect(new Set(tags).size).toBe(3);
  });
});

describe('a path that is not a page', () => {
  it.each([
    '/taskpane',
    '/taskpane/',
    '/taskpane/nothing.js',
    '/taskpane/assets/large-Cd34.js.br',
    '/taskpane/assets/large-Cd34.js.gz',
    '/taskpane/assets',
    '/taskpane/assets/',
    '/taskpane/Icon-32.png',
    '/taskpane/../secret.txt',
    '/taskpane/%2e%2e/secret.txt',
    '/taskpane/..%2fsecret.txt',
    '/taskpane/..%2f..%2f..%2f..%2f..%2fetc/passwd',
    '/taskpane/assets/../../secret.txt',
    '/taskpane/assets%2f..%2f..%2fsecret.txt',
    '/taskpane/..%5csecret.txt',
    '/taskpane//etc/passwd',
    '/taskpane/%2fetc/passwd',
    '/taskpane/icon-32.png%00.html',
    '/taskpane/__proto__',
    '/taskpane/%252e%252e/secret.txt',
  ])('is not found: %s', async (target) => {
    const { status, text } = await get(target);
    expect(status).toBe(404);
    expect(text).not.toContain('beside the pages');
    expect(JSON.parse(text)).toMatchObject({ errorCode: 'NOT_FOUND', status: 404 });
  });
});
