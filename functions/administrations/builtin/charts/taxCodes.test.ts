import { describe, expect, it } from 'vitest';
import { usualTaxCodes } from './taxCodes.ts';

describe('the usual tax codes of a country', () => {
  it.each([
    ['NL', 'Sales', '21', '21% - Hoog'],
    ['NL', 'Sales', '0', '0% - Binnenland nultarief'],
    ['NL', 'Purchase', '21', '21% - Inkoop hoog'],
    ['NL', 'Purchase', '0', '0% - Binnenlandse inkoop nultarief'],
    ['BE', 'Sales', '21', '21% - Normaal tarief'],
    ['BE', 'Sales', '0', '0% - Binnenland nultarief'],
    ['BE', 'Purchase', '21', '21% - Aankoop normaal tarief'],
    ['BE', 'Purchase', '0', '0% - Aankoop binnenland nultarief'],
  ] as const)('in %s at %s of %s per cent have the ordinary one first', (country, type, percentage, expected) => {
    const units = BigInt(percentage) * 10n ** 8n;
    const codes = usualTaxCodes[country].filter((code) => code.type === type && code.percentage === units);
    expect(codes.map(({ code }) => code).toSorted()[0]).toBe(expected);
  });
});
