import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refused } from '../../../../shared/fieldErrors.ts';
import {
  download,
  file,
  NOT_PUBLIC,
  now,
  privateServer,
  responding,
  serve,
  strictly,
} from '../../../../testing/attachments/downloads.ts';
import { pdf } from '../../../../testing/attachments/files.ts';
import { downloadFile } from './download.ts';
import { invoiceFiles } from './fileKind.ts';

describe('a download connects to public addresses only', () => {
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
  ])('not a host that resolves to %s', async (_what, addresses) => {
    const { port, connections } = await privateServer();
    const lookup = responding(...addresses);
    expect(await strictly(`http://files.example.test:${port}/a.pdf`, { lookup })).toEqual(NOT_PUBLIC);
    expect(await strictly(`http://bücher.example:${port}/a.pdf`, { lookup })).toEqual(NOT_PUBLIC);
    expect(connections()).toBe(0);
  });

  it('with one lookup, and a connection to the checked address', async () => {
    const { port, asked } = await serve(file(pdf));
    const names: string[] = [];
    const lookup = (name: string) => {
      names.push(name);
      return responding(names.length === 1 ? '127.0.0.1' : '127.0.0.2')();
    };
    expect(await download(`http://rebinding.example.test:${port}/a.pdf`, { lookup })).toMatchObject({ bytes: pdf });
    expect(names).toEqual(['rebinding.example.test']);
    expect(asked).toHaveLength(1);
  });

  it('with the ASCII form of an international name', async () => {
    const names: string[] = [];
    const lookup = (name: string) => {
      names.push(name);
      return responding('10.0.0.1')();
    };
    await strictly('https://BÜCHER.example/a.pdf', { lookup });
    expect(names).toEqual(['xn--bcher-kva.example']);
  });

  it('without a lookup of the names of this machine', async () => {
    // Without a lookup of ours: the operating system's answer is checked as any other.
    const { port, connections } = await privateServer();
    const options = { allowed: invoiceFiles, now };
    expect(await downloadFile(`http://localhost:${port}/a.pdf`, options)).toEqual(refused(NOT_PUBLIC.failure));
    expect(await downloadFile(`http://127.0.0.1:${port}/a.pdf`, options)).toEqual(refused(NOT_PUBLIC.failure));
    expect(connections()).toBe(0);
  });
});

describe('a port', () => {
  it('that is not one of web servers is not connected to, also after a redirect', async () => {
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
