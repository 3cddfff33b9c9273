import { describe, expect, it } from 'vitest';
import { isVatNumber, writtenVatNumber } from './partyNumbers.ts';

describe('a French VAT number whose key has a letter', () => {
  // K is 19 among digits and letters without I and O: 19 * 34 + 7 - 100 = 553, which is 50 * 11 + 3, and 399859412 + 1 +
  // 50 = 399859463, which has the remainder 3 by 11. 4Z: 4 * 24 + 33 - 10 = 119 = 10 * 11 + 9; 123456793 has 9 too.
  it.each(['FRK7399859412', 'FR 4Z 123 456 782'])('is valid with the key of its digits: %s', (number) => {
    expect(isVatNumber(number)).toBe(true);
  });

  it.each(['FRK8399859412', 'FR4Y123456782', 'FRK7399859421', 'FRKO399859412', 'FRI7399859412'])(
    'is wrong with another key: %s',
    (number) => {
      expect(isVatNumber(number)).toBe(false);
    },
  );

  it('is one without FR too where its letters are those of a country, of which it is no number', () => {
    // D is 13, E is 14: 13 * 34 + 14 - 100 = 356 = 32 * 11 + 4, and 552100729 + 1 + 32 has the remainder 4 by 11.
    expect(writtenVatNumber({ country: 'FR', vatNumber: 'DE 552 100 729' })).toBe('FRDE552100729');
    expect(isVatNumber('FRDE552100729')).toBe(true);
    // A branch in France may buy under the number of its German company.
    expect(writtenVatNumber({ country: 'FR', vatNumber: 'DE136695976' })).toBe('DE136695976');
    // One that is neither is said to be wrong as it was written.
    expect(writtenVatNumber({ country: 'FR', vatNumber: 'DE136695977' })).toBe('DE136695977');
  });
});

it('A VAT number of Northern Ireland has the check digits of Great Britain', () => {
  // 1*8 + 1*7 + 0*6 + 3*5 + 0*4 + 5*3 + 8*2 = 61, and 61 + 55 + 78 = 194, twice 97.
  expect(isVatNumber('XI 110 3058 78')).toBe(true);
  expect(isVatNumber('XI 110 3058 79')).toBe(false);
});

it('A VAT number of Cyprus may begin with 6, as all do that were given out since March 2023', () => {
  // 6 counts 15, 0 counts 1 on odd places and 0 on even ones: 15 + 0 + 1 + 0 + 0 + 7 + 9 + 4 = 36, and K is 10 by 26.
  expect(isVatNumber('CY 60001744K')).toBe(true);
  expect(isVatNumber('CY60001744L')).toBe(false);
  expect(isVatNumber('CY10259033P')).toBe(true);
  // No number begins with 12, 7 or 8, and the last place is a letter.
  expect(['CY12000139V', 'CY70000000U', 'CY600017445'].filter(isVatNumber)).toEqual([]);
});
