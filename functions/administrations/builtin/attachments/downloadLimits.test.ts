import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  download,
  file,
  MEGABYTE,
  NOT_PUBLIC,
  privateServer,
  responding,
  serve,
  strictly,
  TOO_LARGE,
} from '../../../../testing/attachments/downloads.ts';
import { pdf } from '../../../../testing/attachments/files.ts';
import { testCertificate } from '../../../../testing/testCertificate.ts';
import { downloadLimits } from './downloadLimits.ts';

it('the downloads of a key are limited for a minute, not for longer when the clock of the machine is set back', async () => {
  let now = Date.parse('2026-08-05T14:30:00Z');
  const limits = downloadLimits(() => now);
  const twenty = Array.from({ length: 20 }, () => async () => 'a file');
  for (let document = 0; document < 3; document++) await limits.run(1n, twenty);
  await expect(limits.run(1n, twenty)).rejects.toMatchObject({ headers: { 'Retry-After': '60' } });
  now -= 3_600_000;
  for (let document = 0; document < 3; document++) expect(await limits.run(1n, twenty)).toHaveLength(20);
  await expect(limits.run(1n, twenty)).rejects.toMatchObject({ headers: { 'Retry-After': '60' } });
});

describe('a download that is too large is aborted', () => {
  /** Writes without end, until the other side has had enough. */
  function endless(response: ServerResponse, chunk: Buffer) {
    const write = () => {
      while (response.writable && !response.destroyed && response.write(chunk));
    };
    response.on('drain', write).on('error', () => {});
    write();
  }

  it('by its declared length, before its body is read', async () => {
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 10 * MEGABYTE + 1 }).flushHeaders();
    });
    expect(await download(`${at}/a.pdf`)).toEqual(TOO_LARGE);
    await closed[0];
  });

  it('by its size, without a declared length', async () => {
    const { at, closed } = await serve((_request, response) => endless(response, Buffer.alloc(64 * 1024, ' ')));
    expect(await download(`${at}/a.pdf`)).toEqual(TOO_LARGE);
    await closed[0];
  });

  it('by its decompressed size', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE));
    expect(bomb.length).toBeLessThan(MEGABYTE);
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb);
    });
    expect(await download(`${at}/a.pdf`)).toEqual(TOO_LARGE);
    await closed[0];
  });

  it('by its compressed size, even when the decompressed body is empty', async () => {
    // The header of gzip, then empty blocks stored as they are, as many as are taken.
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('').subarray(0, 10));
      endless(response, Buffer.from('000000ffff'.repeat(16 * 1024), 'hex'));
    });
    expect(await download(`${at}/a.pdf`)).toEqual(TOO_LARGE);
    await closed[0];
  });
});

describe('a download that takes too long is aborted', () => {
  const late = { failure: 'the download took longer than 0.2 s' };

  it('when the body arrives slowly', async () => {
    const { at, closed } = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('%PDF-'), 10);
      response.on('close', () => clearInterval(drip));
    });
    expect(await download(`${at}/a.pdf`, { timeoutMs: 200 })).toEqual(late);
    await closed[0];
  });

  it('when the response does not begin', async () => {
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

  it('when the lookup of the host does not end', async () => {
    const lookup = () => new Promise<never>(() => {});
    expect(await strictly('http://files.example.test/a.pdf', { timeoutMs: 200, lookup })).toEqual(late);
  });

  it('when its redirects together take too long', async () => {
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

  it('fails when it is circular', async () => {
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

  it('is not followed to a host that resolves to a private address', async () => {
    const { port, connections } = await privateServer();
    const { at } = await serve(redirect(`http://files.example.test:${port}/a.pdf`));
    expect(await download(`${at}/a.pdf`, { lookup: responding('127.0.0.2') })).toEqual(NOT_PUBLIC);
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
    const options = { lookup: responding('127.0.0.1'), trust: testCertificate.cert };
    expect(await download(`https://files.example.test:${port}/a.pdf`, options)).toEqual({
      failure: 'the address leads from https to http',
    });
    expect(plain.asked).toHaveLength(0);
  });

  it('fails without a Location header', async () => {
    const { at } = await serve((_request, response) => response.writeHead(302).end());
    expect(await download(`${at}/a.pdf`)).toEqual({ failure: 'the address answered 302' });
  });
});
