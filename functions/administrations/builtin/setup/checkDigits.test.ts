import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eanOf, ibanOf, isIban } from './checkDigits.ts';

describe('an IBAN', () => {
  test.each(['NL91ABNA0417164300', 'BE68 5390 0754 7034', 'de89370400440532013000', 'GB29NWBK60161331926819'])(
    '%s is valid',
    (iban) => expect(isIban(iban)).toBe(true),
  );

  test.each(['NL92ABNA0417164300', 'NL91ABNA0417164301', 'BE68', '', '91ABNA0417164300NL', 'NL91ABNA041716430é'])(
    '%j is invalid',
    (iban) => expect(isIban(iban)).toBe(false),
  );

  test('gets its check digits, and is invalid with one wrong digit', () => {
    expect(ibanOf('BE', '539007547034')).toBe('BE68539007547034');
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Z]{4}\d{10}$/),
        fc.nat(9),
        fc.integer({ min: 1, max: 9 }),
        (account, place, by) => {
          const iban = ibanOf('NL', account);
          expect(isIban(iban)).toBe(true);
          const at = 8 + place;
          const wrong = iban.slice(0, at) + ((Number(iban[at]) + by) % 10) + iban.slice(at + 1);
          expect(isIban(wrong)).toBe(false);
        },
      ),
    );
  });
});

test.each(['4006381333931', '8710400311140', '5901234123457'])(
  'the EAN %s is made from its first twelve digits',
  (ean) => expect(eanOf(ean.slice(0, 12))).toBe(ean),
);
