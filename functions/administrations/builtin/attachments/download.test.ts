import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  download,
  file,
  listening,
  MEGABYTE,
  privateServer,
  responding,
  serve,
  servers,
  strictly,
} from '../../../../testing/attachments/downloads.ts';
import { docx, gif, html, jpg, pdf } from '../../../../testing/attachments/files.ts';
import { testCertificate } from '../../../../testing/testCertificate.ts';
import { bookkeepingFiles } from './fileKind.ts';

describe('a download', () => {
  it('returns the file, its content type, and a name made from the time', async () => {
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
  ])('returns the name of the request: %j', async (fileName, stored) => {
    const { at } = await serve(file(pdf));
    expect(await download(`${at}/x.pdf`, { fileName })).toMatchObject({ fileName: stored });
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
  ])('accepts the address %s', async (path, bytes) => {
    const { at } = await serve(file(bytes));
    expect(await download(at + path)).toMatchObject({ bytes: Buffer.from(bytes) });
  });

  it('sends a plain request with the name of the host', async () => {
    const { port, asked } = await serve(file(pdf));
    const lookup = responding('127.0.0.1');
    expect(await download(`HTTP://Files.Example.test:${port}/a.pdf?b=c`, { lookup })).toMatchObject({ bytes: pdf });
    expect(asked[0]).toMatchObject({ method: 'GET', url: '/a.pdf?b=c' });
    expect(asked[0]!.headers).toMatchObject({ host: `files.example.test:${port}`, 'accept-encoding': 'identity' });
    expect(asked[0]!.headers).not.toHaveProperty('authorization');
  });

  it('follows a redirect to an address whose letters are not encoded', async () => {
    const { at, asked } = await serve((request, response) => {
      if (request.url !== '/a.pdf') return file(pdf)(request, response);
      // In UTF-8, as many servers write it; Node's own headers have one byte for a letter.
      request.socket.end(Buffer.from('HTTP/1.1 302 Found\r\nLocation: /café 1.pdf\r\nContent-Length: 0\r\n\r\n'));
    });
    expect(await download(`${at}/a.pdf`)).toMatchObject({ bytes: pdf });
    expect(asked[1]!.url).toBe('/caf%C3%A9%201.pdf');
  });

  it('reads a response without a length', async () => {
    const { at } = await serve((_request, response) => {
      for (const byte of pdf) response.write(Buffer.of(byte));
      response.end();
    });
    expect(await download(`${at}/a.pdf`)).toMatchObject({ bytes: pdf });
  });

  it('accepts ten megabytes', async () => {
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
  ])('decompresses a response that was compressed with %s without a request for it', async (encoding, compress) => {
    const { at } = await serve(file(compress(pdf), { 'content-encoding': encoding }));
    expect(await download(`${at}/a.pdf`)).toMatchObject({ bytes: pdf });
  });

  it('uses no proxy of the environment', async () => {
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

  it('supports https, with a valid certificate of the host', async () => {
    const { port } = await serve(file(pdf), { secure: true });
    const lookup = responding('127.0.0.1');
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

  it('for a file extension that the document does not allow', async () => {
    const { at } = await serve(file(gif));
    expect(await download(`${at}/a.gif`, { allowed: bookkeepingFiles })).toMatchObject({ contentType: 'image/gif' });
    expect(await download(`${at}/a.xls`, { allowed: bookkeepingFiles })).toEqual({
      failure: 'expected an address ending in .jpg, .png, .pdf, .doc, .docx or .gif',
    });
  });

  it('for content of another kind, with any content type', async () => {
    const { at } = await serve(file(html, { 'content-type': 'application/pdf' }));
    expect(await download(`${at}/a.pdf`)).toEqual({ failure: 'the content is not that of a .pdf file' });
  });

  it('for a requested name of another kind, or one that is too long', async () => {
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

  it('for an unknown host, or one without addresses', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    expect(await strictly('https://files.example.test/a.pdf', { lookup })).toEqual({
      failure: 'the file could not be downloaded: ENOTFOUND',
    });
    expect(await strictly('https://files.example.test/a.pdf', { lookup: responding() })).toEqual({
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
      'sends half of its compressed body',
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n${gzipSync(pdf).subarray(0, 40).toString('latin1')}`,
    ],
  ])('for a server that %s', async (_what, sent) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.from(sent, 'latin1')));
    });
    const port = await listening(server);
    expect(await download(`http://127.0.0.1:${port}/a.pdf`)).toEqual({
      failure: expect.stringMatching(/^the file could not be downloaded: [A-Z_]+$/),
    });
  });

  it('for a server that switches to another protocol', async () => {
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
    expect(await download(`${at}/a.pdf`)).toEqual({
      failure: 'the address answered in an encoding that was not requested',
    });
  });
});
