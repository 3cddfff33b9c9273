import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonValues } from './jsonValues.ts';

/** Commas and opening brackets outside texts, counted after everything else is removed. */
const counted = (json: string): number => json.replace(/"(?:[^"\\]|\\.)*"/gs, '').replace(/[^,[{]/g, '').length;

const texts = fc.string({ unit: fc.constantFrom('\\', '"', ',', '[', '{', 'a', 'é', '\n'), maxLength: 30 });

it('counts the values of any text, however its bytes are divided', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 10 }), fc.array(fc.nat({ max: 7 })), (parts, sizes) => {
      const json = JSON.stringify({ list: parts, [parts[0] ?? '']: [1, [2]] });
      const values = counted(json);
      for (const max of [values, values + 1]) {
        const count = jsonValues(max);
        let bytes = Buffer.from(json);
        let found: number | undefined;
        for (const size of [...sizes, bytes.length]) {
          found ??= count(bytes.subarray(0, size));
          bytes = bytes.subarray(size);
        }
        expect(found === undefined).toBe(max > values);
      }
    }),
    { numRuns: 2000 },
  );
});

it('says where there were too many', () => {
  expect(jsonValues(3)(Buffer.from('[1,"a,b",2,3]'))).toBe(8);
  const count = jsonValues(3);
  expect([count(Buffer.from('[1,"a,')), count(Buffer.from('b",2,3]'))]).toEqual([undefined, 8]);
});
