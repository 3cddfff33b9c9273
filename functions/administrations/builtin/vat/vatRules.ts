import { DECIMAL_SCALE, type Decimal8, HUNDRED, units } from '../../../../shared/money.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import { usualTaxCodes } from '../setup/accountCharts/taxCodes.ts';
import type { vatDocuments, vatListings } from '../sql/declarations/vat.ts';
import { type VatCountry, vatBoxes } from './vatBoxes.ts';

type VatDocument = (typeof vatDocuments)[number];
export type VatListing = (typeof vatListings)[number];

/**
 * In which boxes the amounts of a tax code go. Boxes are separated by spaces. `-` before a box subtracts; `X` is the
 * kind of purchase, 81 to 83; `*` after a box adds the VAT that may not be deducted. A rule for `any` document takes
 * amounts as they are, so that a credit lowers its box. Rules for `credit` take the amounts of a credit as positive.
 */
export type VatRule = {
  taxType: TaxType;
  taxCode: string;
  document: VatDocument;
  base: string;
  /** Of the VAT that is owed: charged to a customer, or computed by the purchaser. */
  owed: string;
  deductible: string;
  /** The percentage that the purchaser owes on purchases without VAT; 0: none. */
  selfAssessed: Decimal8;
  /** The part of the VAT on purchases that may be deducted, in per cent. */
  share: Decimal8;
  listing: VatListing;
  /** What is doubtful about it, in words; "" for nothing. */
  doubt: string;
};

type Options = {
  credit?: { base: string; owed?: string; deductible?: string };
  selfAssessed?: string;
  listing?: VatListing;
  doubt?: string;
};

type Boxes = { base?: string; owed?: string; deductible?: string };

/** The rules of a usual tax code, by its name in `setup/accountCharts/taxCodes.ts`. */
function rule(name: string, boxes: Boxes, { credit, selfAssessed = '0', listing = '', doubt = '' }: Options = {}) {
  const common = { selfAssessed: units(selfAssessed, DECIMAL_SCALE), share: HUNDRED, listing, doubt };
  const of = (document: VatDocument, { base = '', owed = '', deductible = '' }: Boxes) => ({
    name,
    document,
    base,
    owed,
    deductible,
    ...common,
  });
  return credit === undefined ? [of('any', boxes)] : [of('invoice', boxes), of('credit', credit)];
}

const reversed = (box: string) => ({ base: box, owed: box, deductible: '5b' });
const HIGH = { selfAssessed: '21' };
const LOW = { selfAssessed: '9' };

const netherlands = [
  // Art. 9(1) Wet OB, table I, and the notes on the return; docs/decisions/vat.md names the source of each.
  ...rule('Hoog', { base: '1a', owed: '1a' }),
  ...rule('Laag', { base: '1b', owed: '1b' }),
  ...rule('Binnenland nultarief', { base: '1e' }),
  ...rule('Verlegd binnenland', { base: '1e' }),
  ...rule('Goederen naar EU-landen', { base: '3b' }, { listing: 'goods' }),
  ...rule('Diensten naar EU-landen', { base: '3b' }, { listing: 'services' }),
  ...rule('Export buiten de EU', { base: '3a' }),
  ...rule('Installatie en afstandsverkoop in de EU', { base: '3c' }),
  ...rule('Vrijgesteld', {}, { doubt: 'Some programs declare exempt sales in 1e; the notes on the return do not.' }),
  ...rule('Privégebruik', { base: '1d', owed: '1d' }),
  ...rule('Inkoop hoog', { deductible: '5b' }),
  ...rule('Inkoop laag', { deductible: '5b' }),
  ...rule('Binnenlandse inkoop nultarief', {}),
  ...rule('Inkoop verlegd binnenland', reversed('2a'), HIGH),
  ...rule('Inkoop verlegd binnenland laag', reversed('2a'), LOW),
  ...rule('Goederen uit EU-landen', reversed('4b'), HIGH),
  ...rule('Goederen uit EU-landen laag', reversed('4b'), LOW),
  ...rule('Diensten uit EU-landen', reversed('4b'), HIGH),
  ...rule('Import van buiten de EU', reversed('4a'), {
    ...HIGH,
    doubt: 'With a permit of article 23 only. Without one the VAT that customs charged goes to 5b.',
  }),
  ...rule('Diensten van buiten de EU', reversed('4a'), HIGH),
  ...rule('Inkoop vrijgesteld', {}),
];

const charged = (box: string) => [{ base: box, owed: '54' }, { credit: { base: '49', owed: '64' } }] as const;
const notCharged = (box: string, credit: '48' | '49') => [{ base: box }, { credit: { base: credit } }] as const;
const bought = [{ base: 'X*', deductible: '59' }, { credit: { base: '-X* 85*', deductible: '63' } }] as const;
const boughtWithout = [{ base: 'X' }, { credit: { base: '-X 85' } }] as const;
const selfAssessed = (box: '86' | '87' | '88', owed: '55' | '56' | '57', credits: '84' | '85') =>
  [
    { base: `X* ${box}`, owed, deductible: '59' },
    { selfAssessed: '21', credit: { base: `-X* -${box} ${credits}`, owed: '62', deductible: '63' } },
  ] as const;

const [cocontractor, cocontractorOptions] = selfAssessed('87', '56', '85');
const [imported, importedOptions] = selfAssessed('87', '57', '85');
const [exempt, exemptOptions] = notCharged('00', '49');

const belgium = [
  // Form 625; sales credit notes are never subtracted (FPS notes 98 and 99).
  ...rule('Normaal tarief', ...charged('03')),
  ...rule('Tussentarief', ...charged('02')),
  ...rule('Verlaagd tarief', ...charged('01')),
  ...rule('Binnenland nultarief', ...notCharged('00', '49')),
  ...rule('Medecontractant', ...notCharged('45', '49')),
  ...rule('Intracommunautaire goederen', { base: '46' }, { credit: { base: '48' }, listing: 'goods' }),
  ...rule('Intracommunautaire diensten', { base: '44' }, { credit: { base: '48' }, listing: 'services' }),
  ...rule('Uitvoer', ...notCharged('47', '49')),
  ...rule('Vrijgesteld', exempt, {
    ...exemptOptions,
    doubt: 'For who has taxed sales too. Somebody with exempt sales only (article 44) files no return.',
  }),
  ...rule(
    'Privégebruik',
    { base: '03', owed: '54' },
    { credit: { base: '49', owed: '64' }, doubt: 'No source was read for the boxes of private use.' },
  ),
  ...rule('Aankoop normaal tarief', ...bought),
  ...rule('Aankoop tussentarief', ...bought),
  ...rule('Aankoop verlaagd tarief', ...bought),
  ...rule('Aankoop binnenland nultarief', ...boughtWithout),
  ...rule('Aankoop medecontractant', cocontractor, {
    ...cocontractorOptions,
    doubt: 'Credit notes go to 62 and 63; some programs only subtract them, with the same result.',
  }),
  ...rule('Intracommunautaire verwerving', ...selfAssessed('86', '55', '84')),
  ...rule('Intracommunautaire diensten ontvangen', ...selfAssessed('88', '55', '84')),
  ...rule('Invoer', imported, {
    ...importedOptions,
    doubt: 'With deferred payment (ET 14000) only. Without it the VAT that customs charged goes to 59.',
  }),
  ...rule(
    'Aankoop vrijgesteld',
    { base: 'X' },
    {
      credit: { base: '-X 85' },
      doubt: 'Some programs declare exempt purchases in 82 whatever was bought.',
    },
  ),
];

const byName = { NL: netherlands, BE: belgium };

/** The rules for the usual tax codes of a country. */
export const usualVatRules = (country: VatCountry): VatRule[] =>
  usualTaxCodes[country].flatMap(({ code, name, tax_type }) =>
    byName[country]
      .filter((one) => one.name === name)
      .map(({ name: _, ...rest }) => ({ taxType: tax_type, taxCode: code, ...rest })),
  );

/** A box as a rule names it. */
type RuleBox = { box: string; sign: 1n | -1n; isWithNotDeducted: boolean };

/** The boxes that a rule names. */
export const ruleBoxes = (text: string): RuleBox[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((token) => ({
      box: token.replace(/^-|\*$/g, ''),
      sign: token.startsWith('-') ? -1n : 1n,
      isWithNotDeducted: token.endsWith('*'),
    }));

/** What is wrong with the boxes of a rule, in words; undefined for nothing. */
export function wrongBoxes(country: VatCountry, type: TaxType, part: 'base' | 'tax', text: string): string | undefined {
  const known = vatBoxes[country].filter(({ parts }) => parts.includes(part)).map(({ box }) => box);
  if (country === 'BE' && type === 'Purchase' && part === 'base') known.push('X');
  for (const token of text.split(' ').filter(Boolean)) {
    const [, box = ''] = /^-?([^*-]+)\*?$/.exec(token) ?? [];
    if (!known.includes(box)) return `expected boxes of ${known.join(', ')}, got ${JSON.stringify(token)}`;
  }
  return undefined;
}
