import { describe, expect, it } from 'vitest';
import { usualTaxCodes } from './taxCodes.ts';

describe('the usual tax codes', () => {
  it.each([
    ['NL', 'Sales', '21', '21% - Hoog'],
    ['NL', 'Sales', '0', '0% - Binnenland nultarief'],
    ['NL', 'Purchase', '21', '21% - Inkoop hoog'],
    ['NL', 'Purchase', '0', '0% - Binnenlandse inkoop nultarief'],
    ['BE', 'Sales', '21', '21% - Normaal tarief'],
    ['BE', 'Sales', '0', '0% - Binnenland nultarief'],
    ['BE', 'Purchase', '21', '21% - Aankoop normaal tarief'],
    ['BE', 'Purchase', '0', '0% - Aankoop binnenland nultarief'],
  ] as const)('of %s, %s at %s per cent, begin with the ordinary one', (country, type, percentage, expected) => {
    const units = BigInt(percentage) * 10n ** 8n;
    const codes = usualTaxCodes[country].filter((code) => code.tax_type === type && code.percentage === units);
    expect(codes.map(({ code }) => code).toSorted()[0]).toBe(expected);
  });

  // The tax of every purchase code is claimed back, whatever its name.
  it.each([
    ['NL', ['21% - Inkoop hoog', '9% - Inkoop laag']],
    ['BE', ['21% - Aankoop normaal tarief', '12% - Aankoop tussentarief', '6% - Aankoop verlaagd tarief']],
  ] as const)('of %s have tax on purchases only where it can be claimed back', (country, expected) => {
    const codes = usualTaxCodes[country].filter(
      ({ tax_type, percentage }) => tax_type === 'Purchase' && percentage > 0n,
    );
    expect(codes.map(({ code }) => code)).toEqual(expected);
  });
});
