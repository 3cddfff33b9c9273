import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as field from './field.ts';
import { refuseMember } from './issues.ts';
import { parseJson } from './json.ts';

/** What a field makes of a value, or the reason it is refused. */
const read = (schema: z.ZodMiniType, input?: unknown): unknown => {
  const result = schema.safeParse(input);
  return result.success ? result.data : `refused: ${result.error.issues[0]!.message}`;
};
const isRefused = (value: unknown): boolean => typeof value === 'string' && value.startsWith('refused: ');

/** Objects out of JSON whose members pose as the methods of an object, and other forms no field has. */
const impostors = [
  JSON.parse('{"toString":1,"valueOf":1}'),
  JSON.parse('{"isLosslessNumber":true,"value":"5","toString":"5"}'),
  {},
  [],
  [true],
  ['NL'],
  [['AND']],
  JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
];
const everyKind: Record<string, z.ZodMiniType> = {
  text: field.text(),
  decimal: field.decimal(),
  integer: field.integer(),
  long: field.long(),
  boolean: field.boolean(),
  date: field.date(),
  countryCode: field.countryCode(),
  choice: field.choice('AND', 'OR'),
};

describe('every field', () => {
  it.each(Object.entries(everyKind))('of kind %s refuses lists and objects, whatever they pose as', (_, schema) => {
    for (const impostor of impostors) expect(isRefused(read(schema, impostor))).toBe(true);
  });

  it.each(Object.entries(everyKind))('of kind %s takes or refuses whatever comes, and throws nothing', (_, schema) => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withObjectString: true });
    fc.assert(
      fc.property(anything, (input) => {
        const result = schema.safeParse(input);
        if (!result.success) expect(result.error.issues[0]!.message).toMatch(/^(expected|is required: )/);
      }),
    );
  });

  it.each(Object.entries(everyKind))('of kind %s that is required says so when nothing is given', (_, schema) => {
    expect(read(schema)).toMatch(/^refused: is required: /);
    expect(read(schema, null)).toMatch(/^refused: is required: /);
  });

  it.each(Object.entries(everyKind))('of kind %s that may be left out takes null for nothing', (_, schema) => {
    const optional = field.optional(schema as field.Field<unknown>);
    expect(read(optional)).toBeUndefined();
    expect(read(optional, null)).toBeUndefined();
  });

  it.each(Object.entries(everyKind).filter(([kind]) => kind !== 'text'))(
    'of kind %s takes an empty string for nothing',
    (_, schema) => {
      expect(read(field.optional(schema as field.Field<unknown>), '')).toBeUndefined();
      expect(read(schema, '')).toMatch(/^refused: is required: /);
    },
  );

  it('with a default has that value when it is left out', () => {
    const draft = field.otherwise(field.boolean(), false);
    for (const nothing of [undefined, null, '']) expect(read(draft, nothing)).toBe(false);
    expect(read(draft, 'True')).toBe(true);
  });

  it('that is a list treats null and an empty string as left out, and an empty list as an empty list', () => {
    const list = field.optional(z.array(z.object({ Label: field.text() })));
    for (const nothing of [undefined, null, '']) expect(read(list, nothing)).toBeUndefined();
    expect(read(list, [])).toEqual([]);
    expect(isRefused(read(list, {}))).toBe(true);
  });
});

describe('text', () => {
  it('is read unchanged, with its spaces', () => {
    for (const given of ['', ' a ', '0100', 'é€😀', '=cmd()', 'a\nb']) expect(read(field.text(), given)).toBe(given);
  });

  it('is read from a number with every digit', () => {
    expect(read(field.text(), 8711)).toBe('8711');
    expect(read(field.text(), parseJson('9007199254740993'))).toBe('9007199254740993');
  });

  it('is refused when it is a boolean, or has a character that databases cannot store', () => {
    expect(read(field.text(), true)).toBe('refused: expected text, got true');
    expect(isRefused(read(field.text(), 'a\u0000b'))).toBe(true);
  });

  it.each([150, 400])('of at most %i characters may have that many and no more', (max) => {
    const schema = field.text({ max });
    for (const character of ['a', 'é', '😀']) {
      expect(read(schema, character.repeat(max))).toBe(character.repeat(max));
      expect(read(schema, character.repeat(max + 1))).toBe(
        `refused: expected at most ${max} characters, got ${max + 1}`,
      );
    }
  });

  it('that is empty counts as left out only where the field says so', () => {
    expect(read(field.optional(field.text()), '')).toBe('');
    expect(read(field.optional(field.text({ emptyIsNothing: true })), '')).toBeUndefined();
    expect(read(field.text({ emptyIsNothing: true }), '')).toBe('refused: is required: text');
  });

  it('that is a name is trimmed, and only spaces count as left out', () => {
    const name = field.text({ max: 2, trimmed: true });
    for (const given of ['X1', ' X1', 'X1 ', '\u00a0X1\t\n']) expect(read(name, given)).toBe('X1');
    expect(read(name, 'a b ')).toBe('refused: expected at most 2 characters, got 3');
    expect(read(name, 12)).toBe('12');
    for (const blank of ['', ' ', '\t\n \u00a0']) {
      expect(read(name, blank)).toBe('refused: is required: text');
      expect(read(field.optional(name), blank)).toBeUndefined();
    }
  });
});

describe('a decimal', () => {
  it.each([
    [12.5, '12.5'],
    ['12.50', '12.5'],
    ['0E-8', '0'],
    ['-1.00000001', '-1.00000001'],
    ['9999999999.99999999', '9999999999.99999999'],
    ['0.123456785', '0.12345679'],
    [36.300000000000004, '36.3'],
    ['-0.000000005', '-0.00000001'],
  ])('is read from %j as %s', (input, expected) => {
    expect(read(field.decimal(), input)).toBe(expected);
  });

  it.each([
    ['12345678901', 'expected at most 10 digits before the point, got "12345678901"'],
    ['1,50', 'expected a decimal number such as 12.50, got "1,50"'],
    [true, 'expected a decimal number such as 12.50, got true'],
  ])('is refused for %j', (input, reason) => {
    expect(read(field.decimal(), input)).toBe(`refused: ${reason}`);
  });

  it('may have its minimum and its maximum, and no value outside them', () => {
    const percentage = field.decimal({ min: -1, max: 100 });
    expect(read(percentage, -1)).toBe('-1');
    expect(read(percentage, '100.00')).toBe('100');
    expect(read(percentage, '100.01')).toBe('refused: expected at most 100, got 100.01');
    expect(read(percentage, -2)).toBe('refused: expected at least -1, got -2');
  });
});

describe('a whole number', () => {
  it.each([
    [5, 5],
    ['5', 5],
    ['5.00', 5],
    [-3, -3],
    [2147483647, 2147483647],
  ])('is read from %j as %i', (input, expected) => {
    expect(read(field.integer(), input)).toBe(expected);
  });

  it.each([1.5, '1.5', 2147483648, '99999999999999999999', true, 'x'])('is refused for %j', (input) => {
    expect(isRefused(read(field.integer(), input))).toBe(true);
  });
});

describe('a whole number that is clamped', () => {
  it('is its maximum for any larger value', () => {
    const limit = field.integer({ min: 1, max: 200, clamped: true });
    for (const given of [200, 201, '9999999999', 9_999_999_999, '1e30']) expect(read(limit, given)).toBe(200);
    expect(read(limit, 199)).toBe(199);
    for (const given of [0, -1, 1.5, 'x']) expect(isRefused(read(limit, given))).toBe(true);
  });
});

describe('a long', () => {
  it.each(['9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    'is read from %s with every digit',
    (digits) => {
      expect(read(field.long(), digits)).toBe(digits);
      expect(read(field.long(), parseJson(digits))).toBe(digits);
    },
  );

  it.each(['9223372036854775808', '-9223372036854775809', '1.5'])('is refused for %s', (digits) => {
    expect(isRefused(read(field.long(), digits))).toBe(true);
    expect(isRefused(read(field.long(), parseJson(digits)))).toBe(true);
  });

  it('is read from any 64 bits without loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        expect(read(field.long(), parseJson(String(n)))).toBe(String(n));
        expect(read(field.long(), String(n))).toBe(String(n));
      }),
    );
  });
});

describe('a boolean', () => {
  it.each([true, 'true', 'True', 'TRUE', 1, '1', ' true ', 'yes'])('is true for %j', (input) => {
    expect(read(field.boolean(), input)).toBe(true);
  });

  it.each([false, 'false', 'False', 'FALSE', 0, '0', 'no'])('is false for %j', (input) => {
    expect(read(field.boolean(), input)).toBe(false);
  });

  it.each([2, -1, 'maybe', 'ja', 'undefined'])('is refused for %j', (input) => {
    expect(read(field.boolean(), input)).toMatch(/^refused: expected true or false, got/);
  });

  it('with an empty string, the false of PHP, has its default', () => {
    expect(read(field.otherwise(field.boolean(), false), '')).toBe(false);
  });

  it('with an empty string is false where left out has another meaning', () => {
    const ticked = field.optional(field.boolean({ emptyIsFalse: true }));
    expect(read(ticked, '')).toBe(false);
    for (const nothing of [undefined, null]) expect(read(ticked, nothing)).toBeUndefined();
    expect(isRefused(read(ticked, {}))).toBe(true);
  });
});

describe('a date', () => {
  it('is read as a day of the calendar', () => {
    expect(read(field.date(), '29-02-2024')).toBe('2024-02-29');
  });

  it.each(['31-02-2026', '29-02-2025', '2026-02-01', 'tomorrow'])('is refused for %s', (input) => {
    expect(read(field.date(), input)).toBe(`refused: expected a date as dd-MM-yyyy, got "${input}"`);
  });

  it('is refused for a number', () => {
    expect(isRefused(read(field.date(), 20260131))).toBe(true);
  });
});

describe('a choice', () => {
  it('is read in any case, as the interface spells it', () => {
    const mode = field.choice('Relative', 'Absolute');
    for (const given of ['Absolute', 'absolute', 'ABSOLUTE', ' absolute ']) expect(read(mode, given)).toBe('Absolute');
    expect(read(mode, 'Total')).toBe('refused: expected Relative or Absolute, got "Total"');
  });

  it('that looks like a number is read from a number', () => {
    expect(read(field.choice('81', '82', '83'), 82)).toBe('82');
  });

  it('with a default for unknown words reads any of them as that', () => {
    const direction = field.choiceOr('DESC', 'ASC');
    expect(read(direction, 'asc')).toBe('ASC');
    for (const given of [undefined, null, '', 'DEC', 'descending', 7, {}]) expect(read(direction, given)).toBe('DESC');
  });
});

describe('a country code', () => {
  it('is two letters, in capitals', () => {
    expect(read(field.countryCode(), 'nl')).toBe('NL');
    for (const given of ['NLD', 'N', 'N1', 'Nederland']) expect(isRefused(read(field.countryCode(), given))).toBe(true);
  });
});

describe('the reason of a refusal', () => {
  it('contains the value, which is cut when it is long', () => {
    expect(read(field.date(), 'x'.repeat(10_000))).toSatisfy((reason) => String(reason).length < 120);
    expect(read(field.decimal(), {})).toBe('refused: expected a decimal number such as 12.50, got an object');
    expect(read(field.integer(), [])).toBe('refused: expected a whole number, got a list');
    expect(read(field.integer(), parseJson('9007199254740993'))).toBe(
      'refused: expected at most 2147483647, got 9007199254740993',
    );
    expect(read(field.decimal(), parseJson('1e400'))).toBe(
      'refused: expected a decimal number such as 12.50, got 1e400',
    );
  });
});

it('the fields of an object with a check are not made before it reads something', () => {
  let made = 0;
  const named = field.object(
    () => {
      made++;
      return { Name: field.optionalText(), EAN: field.optionalText() };
    },
    { check: ({ Name, EAN }, context) => void (Name ?? EAN ?? refuseMember(context, 'Name', 'REQUIRED_PRODUCT_NAME')) },
  );
  expect(made).toBe(0);
  expect(z.safeParse(named, { EAN: '1' }).success).toBe(true);
  expect(z.safeParse(named, {}).error?.issues).toMatchObject([{ path: ['Name'] }]);
  expect(made).toBe(1);
});
