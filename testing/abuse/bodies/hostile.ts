import { gzipSync } from 'node:zlib';
import { MEGABYTE } from '../../../shared/api.ts';
import type { Sent } from '../request.ts';
import type { Operation } from './operations.ts';

/** A body of no declared form. */
export type HostileBody = { name: string; sent: () => Pick<Sent, 'body' | 'headers' | 'chunk'> };

const numbered = (index: number) => String(index).padStart(9, '0');
const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(',');

/** Bodies of no declared form, as long as the operation accepts them. */
export function hostileBodies({ schema, maxBody }: Operation): HostileBody[] {
  const as = (name: string, body: () => string | Buffer): HostileBody => ({ name, sent: () => ({ body: body() }) });
  const wrong = (value: unknown) =>
    JSON.stringify(Object.fromEntries(Object.keys(schema?.properties ?? { x: {} }).map((name) => [name, value])));
  const full = (item: string) => `{"x":[${`${item},`.repeat(Math.floor((maxBody - 20) / (item.length + 1)))}0]}`;
  const half = Math.floor(maxBody / 2) - 10;
  return [
    as('that is empty', () => ''),
    as('of spaces', () => ' '.repeat(maxBody)),
    as('of nothing', () => 'null'),
    as('of a list', () => `[${wrong(null)}]`),
    as('of nested lists', () => '['.repeat(half) + ']'.repeat(half)),
    as(
      'of nested objects',
      () => `${'{"a":'.repeat(Math.floor(maxBody / 6) - 1)}1${'}'.repeat(Math.floor(maxBody / 6) - 1)}`,
    ),
    as('of large numbers', () => full('1e100')),
    as('of long numbers', () => full('1234567890123456789')),
    as('of small numbers', () => full('1')),
    as('of empty objects', () => full('{}')),
    as('with numbers of many digits', () => wrong(0).replaceAll(':0', `:${'9'.repeat(Math.floor(MEGABYTE / 60))}`)),
    as('with numbers of large exponents', () => wrong(0).replaceAll(':0', ':1e999999999')),
    as('with a long name', () => `{"${'x'.repeat(maxBody - 10)}":1}`),
    as(
      'with many unknown names',
      () => `{${many(Math.min(99_000, Math.floor(maxBody / 14) - 1), (at) => `"${numbered(at)}":1`)}}`,
    ),
    as(
      'with a name many times',
      () => `{${many(Math.min(99_000, Math.floor(maxBody / 18) - 1), () => '"ArticleNumber":1')}}`,
    ),
    as(
      'with names of the language',
      () => '{"__proto__":{"x":1},"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":null}',
    ),
    as('with lists instead of values', () => wrong([[[]]])),
    as('with objects instead of values', () => wrong({ toString: 1 })),
    as('with texts instead of values', () => wrong(' .'.repeat(Math.floor(MEGABYTE / 200)))),
    as('with too many items', () => wrong(Array(1500).fill(1))),
    as('with escapes', () => `{"ArticleNumber":"${'\\u0000'.repeat(Math.floor(maxBody / 6) - 10)}"}`),
    as('with half characters', () => wrong('\ud800')),
    as('that is cut off', () => `{"ArticleNumber":"${'x'.repeat(1000)}`),
    as('that is not text', () => Buffer.alloc(maxBody, 0xff)),
    {
      name: 'that is compressed',
      sent: () => ({ body: gzipSync(Buffer.alloc(50 * MEGABYTE, ' ')), headers: { 'Content-Encoding': 'gzip' } }),
    },
    { name: 'of another type', sent: () => ({ body: '<x/>', headers: { 'Content-Type': 'application/xml' } }) },
    { name: 'in large chunks', sent: () => ({ body: Buffer.alloc(maxBody, ' '), chunk: 65_536 }) },
    { name: 'in small chunks', sent: () => ({ body: Buffer.alloc(20_000, ' '), chunk: 1 }) },
    { name: 'that is too long', sent: () => ({ body: Buffer.alloc(maxBody + MEGABYTE, ' '), chunk: 65_536 }) },
  ];
}
