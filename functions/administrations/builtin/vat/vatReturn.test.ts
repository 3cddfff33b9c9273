import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsText, HUNDRED } from '../../../../shared/money.ts';
import { usualTaxCodes } from '../setup/accountCharts/taxCodes.ts';
import type { VatCountry } from './vatBoxes.ts';
import { vatWarnings } from './vatControls.ts';
import { clientListing, euListing } from './vatListings.ts';
import { type VatLine, type VatRounding, vatReturn } from './vatReturn.ts';
import { usualVatRules, type VatRule } from './vatRules.ts';

const customer = { name: 'Jansen', country: 'NL', vatNumber: 'NL123456782B90' };

/** Lines of documents, one each, by the name of their tax code; a credit has negative amounts. */
const linesOf = (country: VatCountry, ...all: [name: string, base: bigint, tax: bigint, more?: Partial<VatLine>][]) =>
  all.map(([name, base, tax, more], index): VatLine => {
    const code = usualTaxCodes[country].find((one) => one.name === name)!;
    return {
      document: `invoice ${index}`,
      number: String(index + 1),
      date: '2026-02-01',
      taxType: code.tax_type,
      taxCode: code.code,
      isCredit: base < 0n,
      classification: country === 'BE' && code.tax_type === 'Purchase' ? '81' : '',
      base,
      tax,
      relation: customer,
      ...more,
    };
  });

const returnOf = (country: VatCountry, lines: VatLine[], rounding?: VatRounding) =>
  vatReturn(country, usualVatRules(country), lines, rounding);

/** The boxes that are not zero, to the cent: one amount, or base and tax. */
const exactOf = ({ boxes }: ReturnType<typeof returnOf>) =>
  Object.fromEntries(
    [...boxes].flatMap(([box, { base, tax }]) => {
      const amounts = [base, tax].flatMap((one) => (one === undefined ? [] : [centsText(one.exact)]));
      return amounts.some((one) => one !== '0.00') ? [[box, amounts.join(' / ')]] : [];
    }),
  );

describe('the Dutch return', () => {
  // The worked example of Ekwo-ai/ekwo-os packs/nl/golden/vat_return.json, quarter by quarter.
  it('has the boxes of the first quarter of the worked example', () => {
    const lines = linesOf(
      'NL',
      ['Hoog', 1_000_000n, 210_000n],
      ['Hoog', -75_000n, -15_750n],
      ['Laag', 500_000n, 45_000n],
      ['Goederen naar EU-landen', 800_000n, 0n],
      ['Diensten naar EU-landen', 300_000n, 0n],
      ['Goederen uit EU-landen', 500_000n, 0n],
      ['Inkoop hoog', 400_000n, 84_000n],
    );
    expect(exactOf(returnOf('NL', lines))).toEqual({
      '1a': '9250.00 / 1942.50',
      '1b': '5000.00 / 450.00',
      '3b': '11000.00',
      '4b': '5000.00 / 1050.00',
      '5a': '3442.50',
      '5b': '1890.00',
      '5g': '1552.50',
    });
  });

  it('has the boxes of the second quarter of the worked example, where nothing is owed', () => {
    const lines = linesOf(
      'NL',
      ['Verlegd binnenland', 400_000n, 0n],
      ['Inkoop verlegd binnenland', 250_000n, 0n],
      ['Export buiten de EU', 600_000n, 0n],
      ['Diensten van buiten de EU', 60_000n, 0n],
      ['Diensten uit EU-landen', 150_000n, 0n],
    );
    expect(exactOf(returnOf('NL', lines))).toEqual({
      '1e': '4000.00',
      '2a': '2500.00 / 525.00',
      '3a': '6000.00',
      '4a': '600.00 / 126.00',
      '4b': '1500.00 / 315.00',
      '5a': '966.00',
      '5b': '966.00',
    });
  });

  it('is a refund when only purchases were booked, as in the third quarter of the worked example', () => {
    const { boxes } = returnOf('NL', linesOf('NL', ['Inkoop hoog', 300_000n, 63_000n]));
    expect(centsText(boxes.get('5g')!.tax!.exact)).toBe('-630.00');
  });

  it('adds up boxes in whole euros, rounded to the nearest or in favour of who declares', () => {
    const lines = linesOf('NL', ['Hoog', 250n, 53n], ['Laag', 170n, 15n], ['Inkoop hoog', 102n, 21n]);
    const declared = (rounding: VatRounding) => {
      const { boxes } = returnOf('NL', lines, rounding);
      return ['1a', '1b', '5a', '5b', '5g'].map((box) => centsText(boxes.get(box)!.tax!.declared));
    };
    expect(declared('nearest')).toEqual(['1.00', '0.00', '1.00', '0.00', '1.00']);
    expect(declared('favourable')).toEqual(['0.00', '0.00', '0.00', '1.00', '-1.00']);
  });
});

describe('the Belgian return', () => {
  it('has credit notes in 49, 64, 85 and 63, and what is owed in 71', () => {
    const lines = linesOf(
      'BE',
      ['Normaal tarief', 100_000n, 21_000n],
      ['Normaal tarief', -10_000n, -2100n],
      ['Aankoop normaal tarief', 50_000n, 10_500n],
      ['Aankoop normaal tarief', -5000n, -1050n],
      ['Intracommunautaire verwerving', 20_000n, 0n],
    );
    expect(exactOf(returnOf('BE', lines))).toEqual({
      '03': '1000.00',
      '49': '100.00',
      '54': '210.00',
      '64': '21.00',
      '81': '650.00',
      '85': '50.00',
      '86': '200.00',
      '55': '42.00',
      '59': '147.00',
      '63': '10.50',
      XX: '262.50',
      YY: '168.00',
      '71': '94.50',
    });
  });

  it('adds the VAT that may not be deducted to the purchase, with half of a car and its credit', () => {
    const rules = usualVatRules('BE').map((rule): VatRule => ({ ...rule, share: HUNDRED / 2n }));
    const lines = linesOf(
      'BE',
      ['Aankoop normaal tarief', 100_000n, 21_000n, { classification: '83' }],
      ['Aankoop normaal tarief', -10_000n, -2100n, { classification: '83' }],
    );
    expect(exactOf(vatReturn('BE', rules, lines))).toMatchObject({
      '83': '994.50',
      '59': '105.00',
      '85': '110.50',
      '63': '10.50',
      '72': '94.50',
    });
  });

  it('is zero in a box of purchases below zero, and says what goes to the next period', () => {
    const found = returnOf('BE', linesOf('BE', ['Aankoop medecontractant', -50_000n, 0n]));
    expect(found.boxes.get('81')!.base).toEqual({ exact: -50_000n, declared: 0n });
    expect(found.carried).toEqual([
      { box: '81', amount: -50_000n },
      { box: '87', amount: -50_000n },
    ]);
    expect(exactOf(found)).toMatchObject({ '85': '500.00', '62': '105.00', '63': '105.00' });
  });

  it('warns by the controls of Intervat when tax and bases differ by 62 euros', () => {
    const codes = (tax: bigint) => {
      const found = returnOf('BE', linesOf('BE', ['Normaal tarief', 1_000_000n, tax]));
      return vatWarnings(found, euListing(found)).map(({ code }) => code);
    };
    expect(codes(210_000n)).toEqual([]);
    expect(codes(210_000n - 6199n)).not.toContain('CONTROL_O');
    expect(codes(210_000n - 6200n)).toContain('CONTROL_O');
  });
});

describe('a listing', () => {
  it('has a row for each customer of another country and nature, less credits, and equals its boxes', () => {
    const german = { relation: { name: 'Müller', country: 'DE', vatNumber: 'DE 123.456.789' } };
    const found = returnOf(
      'BE',
      linesOf(
        'BE',
        ['Intracommunautaire goederen', 90_000n, 0n, german],
        ['Intracommunautaire goederen', -20_000n, 0n, german],
        ['Intracommunautaire diensten', 5000n, 0n, german],
      ),
    );
    expect(euListing(found)).toEqual([
      { vatNumber: 'DE123456789', name: 'Müller', nature: 'goods', amount: 70_000n },
      { vatNumber: 'DE123456789', name: 'Müller', nature: 'services', amount: 5000n },
    ]);
    expect(vatWarnings(found, euListing(found)).map(({ code }) => code)).not.toContain('LISTING_DIFFERS');
    expect(vatWarnings(found, []).map(({ code }) => code)).toContain('LISTING_DIFFERS');
  });

  it('writes the letters of the country before numbers that are stored without them', () => {
    const of = (name: string, country: string, vatNumber: string) => ({ relation: { name, country, vatNumber } });
    const lines = linesOf(
      'BE',
      ['Normaal tarief', 60_000n, 12_600n, of('Peeters', 'BE', '0403.170.701')],
      ['Normaal tarief', 30_000n, 6300n, of('Peeters', 'BE', 'BE 0403.170.701')],
      ['Normaal tarief', 10_000n, 2100n, of('Peeters', 'BE', '403 170 701')],
      ['Intracommunautaire goederen', 5000n, 0n, of('Müller', 'DE', '123456789')],
      ['Intracommunautaire goederen', 7000n, 0n, of('Müller', 'DE', 'DE123456789')],
      ['Intracommunautaire goederen', 900n, 0n, of('Stavros', 'GR', '094259216')],
      // The code of its country is GR, but its VAT numbers begin with EL.
      ['Intracommunautaire goederen', 100n, 0n, of('Stavros', 'GR', 'GR 094259216')],
    );
    const found = returnOf('BE', lines);
    expect(clientListing(found)).toEqual([
      { vatNumber: 'BE0403170701', name: 'Peeters', turnover: 100_000n, tax: 21_000n },
    ]);
    expect(euListing(found)).toEqual([
      { vatNumber: 'DE123456789', name: 'Müller', nature: 'goods', amount: 12_000n },
      { vatNumber: 'EL094259216', name: 'Stavros', nature: 'goods', amount: 1000n },
    ]);
  });

  it('writes FR before a French number that begins with the letters of its key', () => {
    const of = (vatNumber: string) => ({ relation: { name: 'Dupont', country: 'FR', vatNumber } });
    const lines = linesOf(
      'NL',
      ['Goederen naar EU-landen', 5000n, 0n, of('FRAB123456789')],
      ['Goederen naar EU-landen', 1000n, 0n, of('AB 123 456 789')],
      // In Sweden twelve digits follow the letters.
      ['Goederen naar EU-landen', 300n, 0n, of('SE123456789')],
      // A branch in France may buy under the number of its German company.
      ['Goederen naar EU-landen', 200n, 0n, of('DE136695976')],
    );
    const listed = euListing(returnOf('NL', lines)).map(({ vatNumber, amount }) => [vatNumber, amount]);
    expect(listed).toEqual([
      ['FRAB123456789', 6000n],
      ['FRSE123456789', 300n],
      ['DE136695976', 200n],
    ]);
  });

  it('writes FR before the numbers of Monaco, which are in the French register', () => {
    // The key of 000004605 is 12 + 3 * 46, less 97: 53, where 46 is what 4605 leaves by 97.
    const of = (vatNumber: string) => ({ relation: { name: 'Grimaldi', country: 'MC', vatNumber } });
    const lines = linesOf(
      'NL',
      ['Goederen naar EU-landen', 5000n, 0n, of('FR53000004605')],
      ['Goederen naar EU-landen', 1000n, 0n, of('53 000 004 605')],
      ['Goederen naar EU-landen', 300n, 0n, of('MC 53 000004605')],
    );
    expect(euListing(returnOf('NL', lines))).toEqual([
      { vatNumber: 'FR53000004605', name: 'Grimaldi', nature: 'goods', amount: 6300n },
    ]);
  });

  it('reads Belgian numbers behind the word for VAT, as many write them', () => {
    const of = (vatNumber: string) => ({ relation: { name: 'Peeters', country: 'BE', vatNumber } });
    const lines = linesOf(
      'BE',
      ['Normaal tarief', 20_000n, 4200n, of('BTW BE 0403.170.701')],
      ['Normaal tarief', 20_000n, 4200n, of('TVA: BE0403.170.701')],
      ['Normaal tarief', 20_000n, 4200n, of('btw 0403.170.701')],
    );
    expect(clientListing(returnOf('BE', lines))).toEqual([
      { vatNumber: 'BE0403170701', name: 'Peeters', turnover: 60_000n, tax: 12_600n },
    ]);
  });

  it('takes a word in place of a VAT number for none', () => {
    const of = (name: string, country: string, vatNumber: string) => ({ relation: { name, country, vatNumber } });
    const lines = linesOf(
      'BE',
      ['Normaal tarief', 60_000n, 12_600n, of('Peeters', 'BE', 'BE aangevraagd')],
      ['Intracommunautaire goederen', 5000n, 0n, of('Müller', 'DE', 'aangevraagd')],
    );
    const found = returnOf('BE', lines);
    expect(clientListing(found)).toEqual([]);
    expect(euListing(found)).toEqual([{ vatNumber: '', name: 'Müller', nature: 'goods', amount: 5000n }]);
    const warned = vatWarnings(found, euListing(found)).filter(({ code }) => code === 'NO_VAT_NUMBER');
    expect(warned.map(({ values: [name] }) => name)).toEqual(['Müller']);
  });

  it.each(['NL', 'BE'] as const)(
    'of %s warns of customers without a number of another country of the EU',
    (country) => {
      const goods = country === 'NL' ? 'Goederen naar EU-landen' : 'Intracommunautaire goederen';
      const of = (name: string, code: string, vatNumber: string) => ({ relation: { name, country: code, vatNumber } });
      const found = returnOf(
        country,
        linesOf(
          country,
          [goods, 5000n, 0n, of('Müller', 'DE', 'DE136695976')],
          [goods, 4000n, 0n, of('Smith', 'GB', 'GB980780684')],
          [goods, 3000n, 0n, of('Belfast', 'GB', 'XI110305878')],
          [goods, 2000n, 0n, of('Stavros', 'GR', '094259216')],
          [goods, 1000n, 0n, of('Jansen', 'NL', 'NL002065538B68')],
          [goods, -700n, 0n, of('Peeters', 'BE', '0403170701')],
          [goods, 600n, 0n, of('Nobody', '', '123456789')],
        ),
      );
      const remarks = vatWarnings(found, euListing(found)).filter(({ code }) => code === 'NO_EU_NUMBER');
      expect(remarks.map(({ values }) => values)).toEqual([
        ['Smith', 'GB980780684', '2'],
        country === 'NL' ? ['Jansen', 'NL002065538B68', '5'] : ['Peeters', 'BE0403170701', '6'],
        ['Nobody', '123456789', '7'],
      ]);
    },
  );

  it('takes a Belgian number of nine digits for the same number of ten', () => {
    const of = (vatNumber: string) => ({ relation: { name: 'Peeters', country: 'BE', vatNumber } });
    const lines = linesOf(
      'BE',
      ['Normaal tarief', 20_000n, 4200n, of('BE0403170701')],
      ['Normaal tarief', 20_000n, 4200n, of('BE 403.170.701')],
    );
    expect(clientListing(returnOf('BE', lines))).toEqual([
      { vatNumber: 'BE0403170701', name: 'Peeters', turnover: 40_000n, tax: 8400n },
    ]);
    const supplied = linesOf(
      'NL',
      ['Goederen naar EU-landen', 5000n, 0n, of('BE403170701')],
      ['Goederen naar EU-landen', 1000n, 0n, of('BE0403170701')],
    );
    expect(euListing(returnOf('NL', supplied))).toEqual([
      { vatNumber: 'BE0403170701', name: 'Peeters', nature: 'goods', amount: 6000n },
    ]);
  });

  it('has the Belgian customers above 250 euros, and those with a credit note', () => {
    const of = (name: string, vatNumber: string) => ({ relation: { name, country: 'BE', vatNumber } });
    const lines = linesOf(
      'BE',
      ['Normaal tarief', 25_000n, 5250n, of('Klein', 'BE0400.000.001')],
      ['Normaal tarief', 25_001n, 5250n, of('Groot', 'BE0400.000.002')],
      ['Medecontractant', 40_000n, 0n, of('Bouw', 'BE0400.000.003')],
      ['Verlaagd tarief', -100n, -6n, of('Retour', 'BE0400.000.004')],
      ['Normaal tarief', 99_999n, 21_000n, of('Particulier', '')],
    );
    expect(clientListing(returnOf('BE', lines))).toEqual([
      { vatNumber: 'BE0400000002', name: 'Groot', turnover: 25_001n, tax: 5250n },
      { vatNumber: 'BE0400000003', name: 'Bouw', turnover: 40_000n, tax: 0n },
      { vatNumber: 'BE0400000004', name: 'Retour', turnover: -100n, tax: -6n },
    ]);
  });
});

describe('a return', () => {
  it('names what no rule is for, and leaves it out of every box', () => {
    const found = returnOf('NL', [
      ...linesOf('NL', ['Hoog', 10_000n, 2100n]),
      ...linesOf('NL', ['Hoog', 500n, 30n, { taxCode: '6% - Oud', number: '77', document: 'old' }]),
    ]);
    expect(exactOf(found)).toEqual({ '1a': '100.00 / 21.00', '5a': '21.00', '5g': '21.00' });
    expect(vatWarnings(found, [])).toEqual([
      { code: 'UNMAPPED', values: ['Sales', '6% - Oud', '5.00', '0.30', '77', '0'] },
    ]);
  });

  it('takes what was booked, names purchases that were booked without it, and no others', () => {
    const purchase = ['Diensten uit EU-landen', 10_000n, 0n] as const;
    const booked = { assessed: 1200n, deductible: 600n };
    const codes = (lines: VatLine[]) => vatWarnings(returnOf('NL', lines), []).map(({ code }) => code);
    expect(codes(linesOf('NL', [...purchase]))).toEqual(['NOT_BOOKED']);
    const lines = linesOf('NL', [...purchase, { booked }], ['Inkoop hoog', 100n, 21n]);
    expect(codes(lines)).toEqual([]);
    expect(exactOf(returnOf('NL', lines))).toMatchObject({ '4b': '100.00 / 12.00', '5b': '6.21' });
  });

  it.each(['NL', 'BE'] as const)('has a rule for every usual tax code of %s', (country) => {
    const ruled = new Set(usualVatRules(country).map(({ taxType, taxCode }) => `${taxType} ${taxCode}`));
    expect(usualTaxCodes[country].map(({ tax_type, code }) => `${tax_type} ${code}`)).toEqual([...ruled]);
  });

  it.each(['NL', 'BE'] as const)('has boxes that equal independent sums over its lines in %s', (country) => {
    const line = fc.record({
      code: fc.constantFrom(...usualTaxCodes[country]),
      base: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
      tax: fc.bigInt({ min: 0n, max: 10n ** 8n }),
      kind: fc.constantFrom('81', '82', '83'),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (all) => {
        const lines = all.flatMap(({ code, base, tax, kind }) =>
          linesOf(country, [
            code.name,
            base,
            code.percentage === 0n ? 0n : base < 0n ? -tax : tax,
            { classification: country === 'BE' && code.tax_type === 'Purchase' ? kind : '' },
          ]),
        );
        for (const [index, one] of lines.entries()) one.document = `invoice ${index}`;
        const { boxes, entries } = returnOf(country, lines);
        const exact = (box: string, part: 'base' | 'tax' = 'tax') => boxes.get(box)?.[part]?.exact ?? 0n;
        const taxOf = (type: 'Sales' | 'Purchase') =>
          lines.reduce((total, one) => (one.taxType === type ? total + one.tax : total), 0n);
        // What purchasers assess themselves is owed and deducted, so only VAT on documents is left.
        const net = country === 'NL' ? exact('5g') : exact('71') - exact('72');
        expect(net).toBe(taxOf('Sales') - taxOf('Purchase'));
        for (const [box, amounts] of boxes) {
          for (const part of ['base', 'tax'] as const) {
            if (amounts[part] === undefined || ['5a', '5g', 'XX', 'YY', '71', '72'].includes(box)) continue;
            const added = entries.filter((one) => one.box === box && one.part === part);
            expect(amounts[part]!.exact).toBe(added.reduce((total, { amount }) => total + amount, 0n));
          }
        }
        if (country === 'BE') {
          const bought = lines.filter(({ taxType }) => taxType === 'Purchase');
          const total = bought.reduce((sum, { base }) => sum + base, 0n);
          expect(exact('81', 'base') + exact('82', 'base') + exact('83', 'base')).toBe(total);
        }
      }),
    );
  });
});
