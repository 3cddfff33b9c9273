import { once } from 'node:events';
import http, { type RequestListener, type ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { testCertificate } from '../../../../testing/attachments/certificate.ts';
import { docx, gif, html, jpg, pdf } from '../../../../testing/attachments/files.ts';
import { type DownloadOptions, downloadFile } from './download.ts';
import { bookkeepingFiles, invoiceFiles } from './fileKind.ts';

const MEGABYTE = 1024 * 1024;
const NOT_PUBLIC = { failure: 'the address does not lead to the public internet' };
const TOO_LARGE = { failure: 'the file is larger than 10 MB' };
const now = new Date('2026-08-05T14:30:12.345Z');

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) (server as http.Server).closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A server on this machine; the paths it was asked for, and what tells that a connection to it closed. */
async function serve(listener: RequestListener, { secure = false } = {}) {
  const asked: http.IncomingMessage[] = [];
  const closed: Promise<unknown>[] = [];
  const handler: RequestListener = (request, response) => {
    asked.push(request);
    closed.push(new Promise((close) => request.socket.on('close', close)));
    listener(request, response);
  };
  const server = secure ? https.createServer(testCertificate, handler) : http.createServer(handler);
  const port = await listening(server);
  return { port, at: `http://127.0.0.1:${port}`, asked, closed };
}

const file = (bytes: Uint8Array, headers: http.OutgoingHttpHeaders = {}): RequestListener => {
  return (_request, response) => response.writeHead(200, { 'content-length': bytes.length, ...headers }).end(bytes);
};

const anyPort = Array.from({ length: 65_536 }, (_, port) => port);

/** A download that may reach this machine, and this address of it only. */
const download = (address: string, options: Partial<DownloadOptions> = {}) =>
  downloadFile(address, {
    allowed: invoiceFiles,
    now,
    allowAddress: (ip) => ip === '127.0.0.1',
    ports: anyPort,
    lookup: () => Promise.reject(new Error('nothing was to be looked up')),
    ...options,
  });

/** A download as it is in earnest. */
const strictly = (address: string, options: Partial<DownloadOptions> = {}) =>
  download(address, { allowAddress: () => false, ...options });

const answering =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: net.isIP(address) })));

/** A test's promise of a connection fails here, instead of reaching anything. */
async function privateServer() {
  let connections = 0;
  const port = await listening(net.createServer((socket) => socket.destroy(void connections++)));
  return { port, connections: () => connections };
}

describe('a download', () => {
  it('is the file, its content type, and a name made of the time', async () => {
    const { at } = await serve(file(pdf, { 'content-type': 'text/html' }));
    expect(await download(`${at}/files/invoice.pdf`)).toEqual({
      bytes: pdf,
      fileName: '20260805143012345.pdf',
      contentType: 'application/pdf',
    });
  });

  it.each([
    ['invoice.pdf', 'invoice.pdf'],
    ['../May/In\u0000voice.PDF', 'Invoice.PDF'],
    ['Invoice 2026.05', 'Invoice 2026.05.pdf'],
    ['invoice.exe', 'invoice.exe.pdf'],
    ['  ', '20260805143012345.pdf'],
  ])('is kept under the name given: %j', async (fileName, kept) => {
    const { at } = await serve(file(pdf));
    expect(await download(`${at}/x.pdf`, { fileName })).toMatchObject({ fileName: kept });
  });

  it.each([
    ['/a.PDF', pdf],
    ['/a.pdf?version=2&x=.exe', pdf],
    ['/a.pdf#page=2', pdf],
    ['/a%2Epdf', pdf],
    ['/a%ZZ.pdf', pdf],
    ['/a b.pdf', pdf],
    ['/caf%C3%A9/é.jpeg', jpg],
    ['/a.docx', docx],
  ])('takes the address %s', async (path, bytes) => {
    const { at } = await serve(file(bytes));
    expect(await download(at + path)).toMatchObject({ bytes: Buffer.from(bytes) });
  });

  it('asks plainly, by the name of the host', async () => {
    const { port, asked } = await serve(file(pdf));
    const lookup = answering('127.0.0.1');
    expect(await download(`HTTP://Files.Example.test:${port}/a.pdf?b=c`, { lookup })).toMatchObject({ bytes: pdf });
    expect(asked[0]).toMatchObject({ method: 'GET', url: '/a.pdf?b=c' });
    expect(asked[0]!.headers).toMatchObject({ host: `files.example.test:${port}`, 'accept-encoding': 'identity' });
    expect(asked[0]!.headers).not.toHaveProperty('authorization');
  });

  it('reads a file that comes in pieces of unknown number', async () => {
    const { at } = await serve((_request, response) => {
      for (const byte of pdf) response.write(Buffer.of(byte));
      response.end();
    });
    expect(await download(`${at}/a.pdf`)).toMatchObject({ bytes: pdf });
  });

  it('takes ten megabytes', async () => {
    const bytes = Buffer.concat([pdf, Buffer.alloc(10 * MEGABYTE - pdf.length, ' ')]);
    const { at } = await serve(file(bytes));
    const downloaded = await download(`${at}/a.pdf`);
    expect('bytes' in downloaded && Buffer.compare(downloaded.bytes, bytes)).toBe(0);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ])('unpacks what was compressed unasked as %s', async (encoding, compress) => {
    const { at } = await serve(file(compress(pdf), { 'content-encoding': encoding }));
    expect(await download(`${at}/a.pdf`)).toMatchObject({ bytes: pdf });
  });

  it('goes by no proxy of the environment', async () => {
    const { at } = await serve(file(pdf));
    const { port, connections } = await privateServer();
    const proxy = `http://127.0.0.1:${port}`;
    const restore = http.setGlobalProxyFromEnv({ http_proxy: proxy, https_proxy: proxy, no_proxy: '' });
    try {
      expect(await download(`${at}/a.pdf`)).toMatchObject({ bytes: pdf });
      expect(connections()).toBe(0);
    } finally {
      restore();
    }
  });

  it('speaks https, to a host that proves its name', async () => {
    const { port } = await serve(file(pdf), { secure: true });
    const lookup = answering('127.0.0.1');
    const trust = testCertificate.cert;
    expect(await download(`https://files.example.test:${port}/a.pdf`, { lookup, trust })).toMatchObject({ bytes: pdf });
    expect(await download(`https://other.example.test:${port}/a.pdf`, { lookup, trust })).toEqual({
      failure: 'the file could not be downloaded: ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(await download(`https://files.example.test:${port}/a.pdf`, { lookup })).toEqual({
      failure: 'the file could not be downloaded: DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });
});

describe('a download fails, with its reason', () => {
  it.each([
    ['no address', 'invoice.pdf', 'expected an address like https://example.com/invoice.pdf'],
    ['an empty one', '', 'expected an address like https://example.com/invoice.pdf'],
    ['a host that cannot be', 'http://exa mple/a.pdf', 'expected an address like https://example.com/invoice.pdf'],
    ['a file', 'file:///etc/passwd.pdf', 'expected an http or https address'],
    ['ftp', 'ftp://example.com/a.pdf', 'expected an http or https address'],
    ['data', 'data:application/pdf;base64,JVBERi0=.pdf', 'expected an http or https address'],
    ['credentials', 'https://user:secret@example.com/a.pdf', 'expected an address without credentials'],
    ['a user', 'https://user@example.com/a.pdf', 'expected an address without credentials'],
    ['a host posing as a user', 'https://example.com@127.0.0.1/a.pdf', 'expected an address without credentials'],
    [
      'another ending',
      'https://example.com/a.gif',
      'expected an address ending in .jpg, .png, .pdf, .doc, .docx, .xls or .xlsx',
    ],
    [
      'an ending in the query',
      'https://example.com/a?b.pdf',
      'expected an address ending in .jpg, .png, .pdf, .doc, .docx, .xls or .xlsx',
    ],
    [
      'only a host',
      'https://example.pdf',
      'expected an address ending in .jpg, .png, .pdf, .doc, .docx, .xls or .xlsx',
    ],
  ])('for %s', async (_what, address, failure) => {
    expect(await strictly(address)).toEqual({ failure });
  });

  it('for an ending the document does not take', async () => {
    const { at } = await serve(file(gif));
    expect(await download(`${at}/a.gif`, { allowed: bookkeepingFiles })).toMatchObject({ contentType: 'image/gif' });
    expect(await download(`${at}/a.xls`, { allowed: bookkeepingFiles })).toEqual({
      failure: 'expected an address ending in .jpg, .png, .pdf, .doc, .docx or .gif',
    });
  });

  it('for content of another kind, whatever the server calls it', async () => {
    const { at } = await serve(file(html, { 'content-type': 'application/pdf' }));
    expect(await download(`${at}/a.pdf`)).toEqual({ failure: 'the content is not that of a .pdf file' });
  });

  it('for a given name of another kind, or one no file system takes', async () => {
    const { at } = await serve(file(pdf));
    expect(await download(`${at}/a.pdf`, { fileName: 'a.docx' })).toEqual({
      failure: 'the content is not that of a .docx file',
    });
    expect(await download(`${at}/a.pdf`, { fileName: 'a'.repeat(300) })).toEqual({
      failure: 'expected a file name of at most 255 characters',
    });
  });

  it('for an empty file', async () => {
    const { at } = await serve(file(Buffer.alloc(0)));
    expect(await download(`${at}/a.pdf`)).toEqual({ failure: 'the file is empty' });
  });

  it.each([204, 206, 304, 401, 403, 404, 410, 500, 503])('for the status %i', async (status) => {
    const { at, closed } = await serve((_request, response) => response.writeHead(status).end());
    expect(await download(`${at}/a.pdf`)).toEqual({ failure: `the address answered ${status}` });
    await closed[0];
  });

  it('for a host nobody knows, or knows no address of', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    expect(await strictly('https://files.example.test/a.pdf', { lookup })).toEqual({
      failure: 'the file could not be downloaded: ENOTFOUND',
    });
    expect(await strictly('https://files.example.test/a.pdf', { lookup: answering() })).toEqual({
      failure: 'the host of the address is not known',
    });
  });

  it('for a server that refuses the connection', async () => {
    const closing = net.createServer();
    const port = await listening(closing);
    closing.close();
    await once(closing, 'close');
    servers.pop();
    expect(await download(`http://127.0.0.1:${port}/a.pdf`)).toEqual({
      failure: 'the file could not be downloaded: ECONNREFUSED',
    });
  });

  it.each([
    ['closes at once', ''],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['ends amid the headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['ends amid the file', `HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${pdf.toString('latin1')}`],
    ['sends two lengths', `HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\n${pdf.toString('latin1')}`],
    ['sends headers without end', `HTTP/1.1 200 OK\r\n${'X-Filler: 0123456789\r\n'.repeat(10_000)}`],
    ['sends broken chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n%PDF-'],
    ['sends broken gzip', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n%PDF-1.7'],
    [
      'sends half of its gzip',
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n${gzipSync(pdf).subarray(0, 40).toString('latin1')}`,
    ],
  ])('for a server that %s', async (_what, answer) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.from(answer, 'latin1')));
    });
    const port = await listening(server);
    expect(await download(`http://127.0.0.1:${port}/a.pdf`)).toEqual({
      failure: expect.stringMatching(/^the file could not be downloaded: [A-Z_]+$/),
    });
  });

  it('for a server that turns to another protocol', async () => {
    const server = http.createServer().on('upgrade', (_request, socket) => socket.destroy());
    server.on('request', (_request, response) => {
      response.writeHead(101, { upgrade: 'websocket', connection: 'upgrade' }).end();
    });
    const port = await listening(server);
    expect(await download(`http://127.0.0.1:${port}/a.pdf`)).toEqual({
      failure: 'the address did not answer as a web server',
    });
  });

  it.each(['zstd', 'gzip, gzip', 'constructor'])('for the encoding %s', async (encoding) => {
    const { at } = await serve(file(pdf, { 'content-encoding': encoding }));
    expect(await download(`${at}/a.pdf`)).toEqual({ failure: 'the address answered in an encoding nobody asked for' });
  });
});

describe('a download that is too large is broken off', () => {
  /** Writes without end, until the other side has had enough. */
  function endless(response: ServerResponse, chunk: Buffer) {
    const write = () => {
      while (response.writable && !response.destroyed && response.write(chunk));
    };
    response.on('drain', write).on('error', () => {});
    write();
  }

  it('by the length it declares, before any of it came', async () => {
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 10 * MEGABYTE + 1 }).flushHeaders();
    });
    expect(await download(`${at}/a.pdf`)).toEqual(TOO_LARGE);
    await closed[0];
  });

  it('by what comes without a length', async () => {
    const { at, closed } = await serve((_request, response) => endless(response, Buffer.alloc(64 * 1024, ' ')));
    expect(await download(`${at}/a.pdf`)).toEqual(TOO_LARGE);
    await closed[0];
  });

  it('by what it unfolds to', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE));
    expect(bomb.length).toBeLessThan(MEGABYTE);
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb);
    });
    expect(await download(`${at}/a.pdf`)).toEqual(TOO_LARGE);
    await closed[0];
  });

  it('by what comes, even when it unfolds to nothing', async () => {
    // The header of gzip, then empty blocks stored as they are, as many as are taken.
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('').subarray(0, 10));
      endless(response, Buffer.from('000000ffff'.repeat(16 * 1024), 'hex'));
    });
    expect(await download(`${at}/a.pdf`)).toEqual(TOO_LARGE);
    await closed[0];
  });
});

describe('a download that takes too long is broken off', () => {
  const late = { failure: 'the download took longer than 0.2 s' };

  it('when the file comes drop by drop', async () => {
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('%PDF-'), 10);
      response.on('close', () => clearInterval(drip));
    });
    expect(await download(`${at}/a.pdf`, { timeoutMs: 200 })).toEqual(late);
    await closed[0];
  });

  it('when the answer does not begin', async () => {
    const { at, closed } = await serve(() => {});
    expect(await download(`${at}/a.pdf`, { timeoutMs: 200 })).toEqual(late);
    await closed[0];
  });

  it('when the compressed file stops halfway', async () => {
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(pdf).subarray(0, 40));
    });
    expect(await download(`${at}/a.pdf`, { timeoutMs: 200 })).toEqual(late);
    await closed[0];
  });

  it('when the host is not found and not denied', async () => {
    const lookup = () => new Promise<never>(() => {});
    expect(await strictly('http://files.example.test/a.pdf', { timeoutMs: 200, lookup })).toEqual(late);
  });

  it('when its redirects do, together', async () => {
    const { at, asked } = await serve((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: `/${asked.length}.pdf` }).end(), 90);
    });
    expect(await download(`${at}/a.pdf`, { timeoutMs: 200 })).toEqual(late);
  });
});

describe('a redirected download', () => {
  const redirect = (location: string, status = 302): RequestListener => {
    return (_request, response) => response.writeHead(status, { location }).end('<a>elsewhere</a>');
  };

  it.each([301, 302, 303, 307, 308])('is followed on %i, to a path and to another host', async (status) => {
    const target = await serve((request, response) =>
      request.url === '/start.pdf'
        ? redirect('/signed?key=1', status)(request, response)
        : file(pdf)(request, response),
    );
    const { at } = await serve(redirect(`${target.at}/start.pdf`, status));
    expect(await download(`${at}/a.pdf`)).toMatchObject({ bytes: pdf, fileName: '20260805143012345.pdf' });
    expect(target.asked.map(({ url }) => url)).toEqual(['/start.pdf', '/signed?key=1']);
  });

  it('is followed five times and not a sixth', async () => {
    const hops = (most: number): RequestListener => {
      return (request, response) => {
        const hop = Number(/\d+/.exec(request.url!)![0]);
        if (hop < most) redirect(`/${hop + 1}.pdf`)(request, response);
        else file(pdf)(request, response);
      };
    };
    const five = await serve(hops(5));
    expect(await download(`${five.at}/0.pdf`)).toMatchObject({ bytes: pdf });
    const six = await serve(hops(6));
    expect(await download(`${six.at}/0.pdf`)).toEqual({ failure: 'the address is redirected more than 5 times' });
    expect(six.asked).toHaveLength(6);
  });

  it('ends when it goes round', async () => {
    const { at, asked } = await serve(redirect('/a.pdf'));
    expect(await download(`${at}/a.pdf`)).toEqual({ failure: 'the address is redirected more than 5 times' });
    expect(asked).toHaveLength(6);
  });

  it.each([
    'http://127.0.0.2/a.pdf',
    'http://169.254.169.254/latest/meta-data/',
    '//169.254.169.254/latest/meta-data/',
    'http://2130706434/a.pdf',
    'http://[::1]/a.pdf',
    'http://[::ffff:127.0.0.1]/a.pdf',
    'https://10.0.0.1/a.pdf',
    'http://localhost/a.pdf',
    'http://metadata.google.internal/computeMetadata/v1/',
  ])('is not followed to %s', async (location) => {
    const { at, closed } = await serve(redirect(location));
    expect(await download(`${at}/a.pdf`)).toEqual(NOT_PUBLIC);
    await closed[0];
  });

  it('is not followed to a host that answers with a private address', async () => {
    const { port, connections } = await privateServer();
    const { at } = await serve(redirect(`http://files.example.test:${port}/a.pdf`));
    expect(await download(`${at}/a.pdf`, { lookup: answering('127.0.0.2') })).toEqual(NOT_PUBLIC);
    expect(connections()).toBe(0);
  });

  it.each([
    ['file:///etc/passwd', 'expected an http or https address'],
    ['javascript:alert(1)', 'expected an http or https address'],
    ['http://user:secret@127.0.0.1/a.pdf', 'expected an address without credentials'],
    ['http://[', 'expected an address like https://example.com/invoice.pdf'],
  ])('is not followed to %s', async (location, failure) => {
    const { at } = await serve(redirect(location));
    expect(await download(`${at}/a.pdf`)).toEqual({ failure });
  });

  it('is not followed from https to http', async () => {
    const plain = await serve(file(pdf));
    const { port } = await serve(redirect(`${plain.at}/a.pdf`), { secure: true });
    const options = { lookup: answering('127.0.0.1'), trust: testCertificate.cert };
    expect(await download(`https://files.example.test:${port}/a.pdf`, options)).toEqual({
      failure: 'the address leads from https to http',
    });
    expect(plain.asked).toHaveLength(0);
  });

  it('fails without a place to go', async () => {
    const { at } = await serve((_request, response) => response.writeHead(302).end());
    expect(await download(`${at}/a.pdf`)).toEqual({ failure: 'the address answered 302' });
  });
});

describe('a download reaches nothing but the public internet', () => {
  it.each([
    'http://127.0.0.1/a.pdf',
    'HTTP://127.0.0.1/a.pdf',
    'http:\\\\127.0.0.1\\a.pdf',
    'http://127.0.0.1./a.pdf',
    'http://127.1/a.pdf',
    'http://127.0.1/a.pdf',
    'http://2130706433/a.pdf',
    'http://0x7f000001/a.pdf',
    'http://0x7f.1/a.pdf',
    'http://0X7F.0x0.0x0.0x1/a.pdf',
    'http://0177.0.0.1/a.pdf',
    'http://017700000001/a.pdf',
    'http://%31%32%37.0.0.1/a.pdf',
    'http://１２７.０.０.１/a.pdf',
    'http://①②⑦.0.0.1/a.pdf',
    'http://127。0。0。1/a.pdf',
    'http://0/a.pdf',
    'http://0.0.0.0/a.pdf',
    'http://[::]/a.pdf',
    'http://[::1]/a.pdf',
    'http://[0:0:0:0:0:0:0:1]/a.pdf',
    'http://[::ffff:127.0.0.1]/a.pdf',
    'http://[::ffff:7f00:1]/a.pdf',
    'http://[::127.0.0.1]/a.pdf',
    'http://[64:ff9b::7f00:1]/a.pdf',
    'http://[2002:7f00:1::]/a.pdf',
    'http://[fd00:ec2::254]/a.pdf',
    'http://169.254.169.254/a.pdf',
    'http://168.63.129.16/a.pdf',
    'http://localhost/a.pdf',
    'http://localhost./a.pdf',
    'http://LOCALHOST/a.pdf',
    'http://lоcalhost.localhost/a.pdf',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/a.pdf',
    'http://files.localhost/a.pdf',
    'http://metadata/a.pdf',
    'http://metadata.google.internal/a.pdf',
    'http://Metadata.Google.Internal./a.pdf',
    'http://metadata.goog/a.pdf',
    'http://instance-data/a.pdf',
    'http://printer.local/a.pdf',
    'http://127.0.0.1\\@example.com/a.pdf',
    'http://127.0.0.1#@example.com/a.pdf',
    'http://127.0.0.1:80/a.pdf',
    ' \thttp://127.0.0.1/a.pdf\n',
    'ht\ntp://127.0.\t0.1/a.pdf',
  ])('not %s', async (address) => {
    const failure = /#@/.test(address) ? expect.stringMatching(/^expected an address ending/) : NOT_PUBLIC.failure;
    expect(await strictly(address)).toEqual({ failure });
  });

  it('not a private address in any of its spellings', async () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const from = (low: number, high: number) => fc.integer({ min: low, max: high });
    const bytes = (...parts: fc.Arbitrary<number>[]) => fc.tuple(...parts, ...Array(4 - parts.length).fill(byte));
    const only = (number: number) => fc.constant(number);
    const privateBytes = fc.oneof(
      bytes(only(0)),
      bytes(only(10)),
      bytes(only(127)),
      bytes(only(100), from(64, 127)),
      bytes(only(169), only(254)),
      bytes(only(172), from(16, 31)),
      bytes(only(192), only(168)),
      bytes(only(198), from(18, 19)),
      bytes(from(224, 255)),
    ) as fc.Arbitrary<number[]>;
    const inBase = (number: number, base: number) =>
      base === 16 ? `0x${number.toString(16)}` : base === 8 ? `0${number.toString(8)}` : String(number);
    const base = fc.constantFrom(8, 10, 16);
    const spelling = fc
      .tuple(privateBytes, fc.tuple(base, base, base, base), from(1, 4), from(0, 6), fc.constantFrom('', '.'))
      .map(([[a, b, c, d], bases, parts, form, dot]) => {
        const all = [a!, b!, c!, d!];
        // Fewer than four parts: the last holds the bytes that are left.
        const last = all.slice(parts - 1).reduce((number, next) => number * 256 + next, 0);
        const groups = [a! * 256 + b!, c! * 256 + d!].map((group) => group.toString(16));
        const flipped = groups.map((group) => (Number.parseInt(group, 16) ^ 0xffff).toString(16));
        return [
          [...all.slice(0, parts - 1), last].map((part, index) => inBase(part, bases[index]!)).join('.') + dot,
          `[::ffff:${all.join('.')}]`,
          `[::ffff:${groups.join(':')}]`,
          `[::${all.join('.')}]`,
          `[64:ff9b::${groups.join(':')}]`,
          `[2002:${groups.join(':')}::1]`,
          `[2001:0:4136:e378:8000:63bf:${flipped.join(':')}]`,
        ][form]!;
      });
    await fc.assert(
      fc.asyncProperty(spelling, fc.constantFrom('http', 'https', 'HTTP'), async (host, scheme) => {
        expect(await strictly(`${scheme}://${host}/a.pdf`)).toEqual(NOT_PUBLIC);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a private one', ['10.0.0.1']],
    ['a private one of IPv6', ['fd12:3456::1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['a link-local one', ['fe80::1%eth0']],
    ['a private one behind a public one', ['203.0.114.1', '192.168.1.1']],
    ['a public one behind a private one', ['127.0.0.1', '203.0.114.1']],
    ['words', ['localhost']],
  ])('not a host that answers with %s', async (_what, addresses) => {
    const { port, connections } = await privateServer();
    const lookup = answering(...addresses);
    expect(await strictly(`http://files.example.test:${port}/a.pdf`, { lookup })).toEqual(NOT_PUBLIC);
    expect(await strictly(`http://bücher.example:${port}/a.pdf`, { lookup })).toEqual(NOT_PUBLIC);
    expect(connections()).toBe(0);
  });

  it('looks a host up once, and goes where the checked answer says', async () => {
    const { port, asked } = await serve(file(pdf));
    const names: string[] = [];
    const lookup = (name: string) => {
      names.push(name);
      return answering(names.length === 1 ? '127.0.0.1' : '127.0.0.2')();
    };
    expect(await download(`http://rebinding.example.test:${port}/a.pdf`, { lookup })).toMatchObject({ bytes: pdf });
    expect(names).toEqual(['rebinding.example.test']);
    expect(asked).toHaveLength(1);
  });

  it('asks for an international name as the network writes it', async () => {
    const names: string[] = [];
    const lookup = (name: string) => {
      names.push(name);
      return answering('10.0.0.1')();
    };
    await strictly('https://BÜCHER.example/a.pdf', { lookup });
    expect(names).toEqual(['xn--bcher-kva.example']);
  });

  it('knows the names of this machine by itself', async () => {
    // Without a lookup of ours: the operating system's answer is checked as any other.
    const { port, connections } = await privateServer();
    const options = { allowed: invoiceFiles, now };
    expect(await downloadFile(`http://localhost:${port}/a.pdf`, options)).toEqual(NOT_PUBLIC);
    expect(await downloadFile(`http://127.0.0.1:${port}/a.pdf`, options)).toEqual(NOT_PUBLIC);
    expect(connections()).toBe(0);
  });
});

describe('a port', () => {
  it('that is not the web’s is not connected to, whoever leads there', async () => {
    const privateTarget = await privateServer();
    const refusal = { failure: 'expected an address at port 80 or 443' };
    expect(await download(`http://127.0.0.1:${privateTarget.port}/a.pdf`, { ports: undefined })).toEqual(refusal);
    const { at, port } = await serve((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${privateTarget.port}/a.pdf` }).end();
    });
    const led = await download(`${at}/a.pdf`, { ports: [port] });
    expect(led).toEqual({ failure: `expected an address at port ${port}` });
    expect(privateTarget.connections()).toBe(0);
  });
});
