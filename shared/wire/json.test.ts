import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../problem.ts';
import { parseJson, stringifyJson } from './json.ts';

const refusal = (text: string): Problem => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`${text.slice(0, 40)} was accepted`);
};

describe('the JSON reader', () => {
  it.each([
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '0.12345678901234567890',
    '12345678901234567890.12345',
    '1e400',
    '1.234567890123e-320',
    '123456789012345',
    '-0.5',
  ])('reads every digit of %s', (number) => {
    expect(stringifyJson(parseJson(`{"a":[${number}]}`))).toBe(`{"a":[${number}]}`);
  });

  it('reads ordinary numbers as numbers', () => {
    expect(parseJson('{"a":1,"b":12.5,"c":-3,"d":0E-8}')).toEqual({ a: 1, b: 12.5, c: -3, d: 0 });
  });

  it('uses the last of several members with one name, with and without long numbers', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(stringifyJson(parseJson('{"a":1,"a":9007199254740993}'))).toBe('{"a":9007199254740993}');
  });

  it.each([
    ['', 0],
    ['{"a":}', 5],
    ['{"a":1', 6],
    ['[1,]', 3],
    ['{"a":1}x', 7],
    ['{"Limit": 5 "Offset": 1}', 12],
    ['{a:1}', 1],
    ['{"n":9007199254740993,}', 22],
    ['"\u0001"', 1],
    ["{'a':1}", 1],
  ])('refuses %j with position %i', (text, position) => {
    const problem = refusal(text);
    expect(problem.code).toBe('INVALID_JSON');
    expect(problem.status).toBe(400);
    expect(problem.message).toMatch(new RegExp(`at position ${position}$`));
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('refuses a hundred thousand nested %s', (_, open, close) => {
    const cut = refusal(open.repeat(100_000));
    expect(cut.code).toBe('INVALID_JSON');
    expect(cut.message).toMatch(/nested too deeply at position \d+$/);
    const long = refusal(`[9007199254740993,"]\\"]",${open.repeat(100_000)}1${close.repeat(100_000)}]`);
    expect(long.code).toBe('INVALID_JSON');
    expect(Number(/position (\d+)$/.exec(long.message)![1])).toBeLessThan(100_000 * open.length);
    expect(() => parseJson(`${open.repeat(100_000)}1${close.repeat(100_000)}`)).not.toThrow();
  });

  it('refuses more than a hundred thousand long numbers before it makes them', () => {
    const bytes = process.memoryUsage().heapUsed;
    const many = refusal(`[${'[1e100,1e100],'.repeat(600_000)}1]`);
    expect(many.message).toMatch(/holds more than 100000 values at position \d+$/);
    expect(process.memoryUsage().heapUsed - bytes).toBeLessThan(60_000_000);
  });

  it('does not change prototypes', () => {
    const read = parseJson('{"__proto__":{"admin":true},"constructor":1,"n":9007199254740993}') as { admin?: boolean };
    expect(read.admin).toBeUndefined();
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('accepts exactly the JSON of the standard, with and without long numbers', () => {
    const mutated = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '"', '0', '\\', '\n', '9007199254740993', 'e', '-', '.'),
      )
      .map(([json, at, insert]) => {
        const position = at % (json.length + 1);
        return json.slice(0, position) + insert + json.slice(position + (at % 2));
      });
    const accepted = (read: () => unknown): boolean => {
      try {
        read();
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(mutated, (text) => {
        // A list with a long number is read by the slower way; the other text may be read by either.
        for (const body of [text, `[9007199254740993,${text}]`]) {
          expect(accepted(() => parseJson(body))).toBe(accepted(() => JSON.parse(body)));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('reads the same values as the standard reader, and they are written with the same meaning', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(
          JSON.parse(text, (_, value) => (Object.is(value, -0) ? 0 : value)),
        );
      }),
    );
  });

  it('reads whole numbers of any length among other values', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n })), (numbers) => {
        const text = `{"numbers":[${numbers.join(',')}]}`;
        expect(stringifyJson(parseJson(text))).toBe(text);
      }),
    );
  });
});

describe('the JSON writer', () => {
  it('leaves out undefined values', () => {
    expect(stringifyJson({ a: undefined, b: null, c: [] })).toBe('{"b":null,"c":[]}');
  });
});
