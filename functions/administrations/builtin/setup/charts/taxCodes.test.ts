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
    const codes = usualTaxCodes[country].filter((code) => code.tax_type === type && code.percentage === units);
    expect(codes.map(({ code }) => code).toSorted()[0]).toBe(expected);
  });

  // What a purchase code's tax is booked on is claimed back, whatever the code is called.
  it.each([
    ['NL', ['21% - Inkoop hoog', '9% - Inkoop laag']],
    ['BE', ['21% - Aankoop normaal tarief', '12% - Aankoop tussentarief', '6% - Aankoop verlaagd tarief']],
  ] as const)('in %s have tax on purchases only where it can be claimed back', (country, expected) => {
    const codes = usualTaxCodes[country].filter(
      ({ tax_type, percentage }) => tax_type === 'Purchase' && percentage > 0n,
    );
    expect(codes.map(({ code }) => code)).toEqual(expected);
  });
});
