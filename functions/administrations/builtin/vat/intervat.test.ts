import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it, test } from 'vitest';
import { usualTaxCodes } from '../setup/accountCharts/taxCodes.ts';
import { type Declarant, intervatReturn } from './intervat.ts';
import { readVatPeriod } from './vatPeriod.ts';
import { type VatLine, vatReturn } from './vatReturn.ts';
import { usualVatRules } from './vatRules.ts';

/*
 * The file for Intervat against what is published of NewTVA-in 0.9: names, namespaces, order, occurrence and forms of its
 * elements, written down here by themselves. The official schema is not here.
 */

const COMMON = 'http://www.minfin.fgov.be/InputCommon';
const CONSIGNMENT = 'http://www.minfin.fgov.be/VATConsignment';

type Element = {
  name: string;
  namespace: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
};
type Parsed = Record<string, unknown> & { ':@'?: Record<string, string> };

/** The elements of a list as they are parsed, with the namespaces that are declared around them. */
function elementsOf(parsed: readonly Parsed[], around: Readonly<Record<string, string>>): Element[] {
  return parsed.flatMap((one) => {
    const tag = Object.keys(one).find((key) => key !== ':@' && key !== '#text');
    if (tag === undefined || tag.startsWith('?')) return [];
    const all = Object.entries(one[':@'] ?? {});
    const declared = { ...around };
    for (const [name, value] of all) {
      const [, prefix] = /^xmlns(?::(.+))?$/.exec(name) ?? [];
      if (name.startsWith('xmlns')) declared[prefix ?? ''] = value;
    }
    const [name, prefix] = tag.split(':').reverse() as [string, string?];
    const content = one[tag] as Parsed[];
    return {
      name,
      namespace: declared[prefix ?? ''] ?? '',
      attributes: Object.fromEntries(all.filter(([attribute]) => !attribute.startsWith('xmlns'))),
      children: elementsOf(content, declared),
      text: content.map((child) => child['#text'] ?? '').join(''),
    };
  });
}

/** Children as they may follow each other: a name, and how often it may occur at least and at most. */
type Sequence = readonly (readonly [names: string, least: number, most: number])[];

const grids = '0 1 2 3 44 45 46 47 48 49 54 55 56 57 59 61 62 63 64 71 72 81 82 83 84 85 86 87 88'.split(' ');

/** What is wrong with a file for Intervat. */
function errorsIn(xml: string): string[] {
  if (XMLValidator.validate(xml) !== true) return ['is no XML'];
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
  });
  const errors: string[] = [];
  const [root, ...others] = elementsOf(parser.parse(xml), {});
  const expectThat = (isRight: boolean, what: string) => isRight || errors.push(what);
  const attributes = (element: Element, forms: Record<string, RegExp>) => {
    expectThat(
      Object.keys(element.attributes).every((name) => forms[name] !== undefined),
      `attributes of ${element.name}`,
    );
    for (const [name, form] of Object.entries(forms)) {
      expectThat(form.test(element.attributes[name] ?? ''), `${name} of ${element.name}`);
    }
  };
  const sequence = (element: Element, namespace: string, order: Sequence): Element[] => {
    const rest = [...element.children];
    for (const [names, least, most] of order) {
      let count = 0;
      while (count < most && names.split('|').includes(rest[0]?.name ?? '')) {
        expectThat(rest.shift()!.namespace === namespace, `the namespace of ${names}`);
        count++;
      }
      expectThat(count >= least, `${names} in ${element.name}`);
    }
    expectThat(rest.length === 0, `${rest[0]?.name} in ${element.name}`);
    return element.children;
  };
  const text = (element: Element | undefined, form: RegExp) =>
    expectThat(element !== undefined && form.test(element.text), `the text of ${element?.name}`);

  if (root === undefined || others.length > 0) return ['has no root'];
  expectThat(root.name === 'VATConsignment' && root.namespace === CONSIGNMENT, 'the root');
  attributes(root, { VATDeclarationsNbr: /^1$/ });
  const declaration = sequence(root, CONSIGNMENT, [
    ['Representative', 0, 1],
    ['VATDeclaration', 1, 1],
  ]).at(-1);
  if (declaration === undefined) return errors;
  attributes(declaration, { SequenceNumber: /^1$/, DeclarantReference: /^.{0,14}$/ });
  const parts = sequence(declaration, CONSIGNMENT, [
    ['ReplacedVATDeclaration', 0, 1],
    ['Declarant', 1, 1],
    ['Period', 1, 1],
    ['Deduction', 0, 1],
    ['Data', 1, 1],
    ['ClientListingNihil', 1, 1],
    ['Ask', 1, 1],
    ['FileAttachment', 0, 99],
    ['Comment', 0, 1],
    ['Justification', 0, 99],
  ]);
  const part = (name: string) => parts.find((one) => one.name === name);
  const forms = {
    VATNumber: /^\d{10}$/,
    Name: /^.+$/,
    Street: /^.+$/,
    PostCode: /^.+$/,
    City: /^.+$/,
    CountryCode: /^[A-Z]{2}$/,
    EmailAddress: /^[^@\s]+@[^@\s]+$/,
    Phone: /^\d{1,20}$/,
  };
  const declarant = part('Declarant');
  if (declarant !== undefined) {
    sequence(
      declarant,
      COMMON,
      Object.keys(forms).map((name) => [name, 1, 1] as const),
    );
    for (const child of declarant.children) text(child, forms[child.name as keyof typeof forms] ?? /./);
  }
  const period = part('Period');
  if (period !== undefined) {
    const [kind, year] = sequence(period, CONSIGNMENT, [
      ['Quarter|Month', 1, 1],
      ['Year', 1, 1],
    ]);
    text(kind, kind?.name === 'Quarter' ? /^[1-4]$/ : /^([1-9]|1[0-2])$/);
    text(year, /^20\d\d$/);
  }
  const data = part('Data');
  if (data !== undefined) {
    const amounts = sequence(data, CONSIGNMENT, [['Amount', 1, grids.length]]);
    const numbers = amounts.map(({ attributes }) => attributes.GridNumber ?? '');
    for (const amount of amounts) {
      attributes(amount, { GridNumber: /^\d+$/ });
      text(amount, /^\d+\.\d{2}$/);
    }
    expectThat(
      numbers.every((number) => grids.includes(number)),
      'a grid',
    );
    expectThat(new Set(numbers).size === numbers.length, 'a grid twice');
    expectThat(numbers.filter((number) => number === '71' || number === '72').length === 1, '71 or 72');
    // What is owed is the sum of the other grids, in cents.
    const of = (...some: string[]) =>
      amounts.reduce(
        (total, { attributes, text }) =>
          some.includes(attributes.GridNumber ?? '') ? total + BigInt(text.replace('.', '') || 0) : total,
        0n,
      );
    if (errors.length === 0) {
      expectThat(
        of('54', '55', '56', '57', '61', '63') - of('59', '62', '64') === of('71') - of('72'),
        'the sum in 71 or 72',
      );
    }
  }
  text(part('ClientListingNihil'), /^(YES|NO)$/);
  const ask = part('Ask');
  if (ask !== undefined) attributes(ask, { Restitution: /^(YES|NO)$/, Payment: /^(YES|NO)$/ });
  return errors;
}

const declarant: Declarant = {
  vat_number: 'BE 0417.497.106',
  name: 'Groen & Zoon <BV>',
  street: 'Bloemenlaan',
  unit: '27',
  unit_appendix: '',
  postal_code: '9080',
  city: 'Lochristi',
  email: 'boekhouding@vlierbeek.example',
  phone: '+32 9 555 01 20',
};

/** One line of each document. */
const returnOf = (...documents: [name: string, base: bigint, tax: bigint, kind?: string][]) => {
  const lines = documents.map(([name, base, tax, kind = '81'], index): VatLine => {
    const code = usualTaxCodes.BE.find((one) => one.name === name)!;
    return {
      document: `invoice ${index}`,
      number: String(index),
      date: '2026-02-01',
      taxType: code.tax_type,
      taxCode: code.code,
      isCredit: base < 0n,
      classification: code.tax_type === 'Purchase' ? kind : '',
      base,
      tax,
      relation: { name: 'Peeters', country: 'BE', vatNumber: 'BE0403170701' },
    };
  });
  return vatReturn('BE', usualVatRules('BE'), lines);
};

const quarter = readVatPeriod('2026-Q1')!;
const usual = intervatReturn(
  returnOf(
    ['Normaal tarief', 100_000n, 21_000n],
    ['Normaal tarief', -10_000n, -2100n],
    ['Aankoop normaal tarief', 50_000n, 10_500n],
  ),
  declarant,
  quarter,
);

describe('the file for Intervat', () => {
  it.each(['2026-Q1', '2026-12'] as const)('has the published structure for %s', (name) => {
    const period = readVatPeriod(name)!;
    expect(errorsIn(intervatReturn(returnOf(['Normaal tarief', 100n, 21n]), declarant, period))).toEqual([]);
    expect(errorsIn(intervatReturn(returnOf(), declarant, period))).toEqual([]);
    expect(errorsIn(intervatReturn(returnOf(['Aankoop normaal tarief', 100n, 21n]), declarant, period))).toEqual([]);
  });

  test.each([
    ['another root', 'ns2:VATConsignment', 'ns2:VATConsignments'],
    ['the root in another namespace', 'minfin.fgov.be/VATConsignment"', 'minfin.fgov.be/Consignment"'],
    ['the declarant in another namespace', 'be/InputCommon"', 'be/Common"'],
    ['no count of declarations', ' VATDeclarationsNbr="1"', ''],
    ['another count', 'VATDeclarationsNbr="1"', 'VATDeclarationsNbr="2"'],
    ['no number of the declaration', ' SequenceNumber="1"', ''],
    ['a longer reference', 'DeclarantReference="2026Q1"', 'DeclarantReference="2026Q1-2026Q1-2026Q1"'],
    ['an unknown attribute', 'SequenceNumber="1"', 'SequenceNumber="1" Kind="A"'],
    ['the number with its country', '<VATNumber>', '<VATNumber>BE'],
    ['a number of nine digits', '<VATNumber>0', '<VATNumber>'],
    ['no name', /<Name>.*<\/Name>/s, ''],
    ['an empty street', /<Street>.*<\/Street>/s, '<Street></Street>'],
    ['the street before the name', /(<Name>.*<\/Name>)\s*(<Street>.*<\/Street>)/s, '$2$1'],
    ['a phone with a plus', '<Phone>00', '<Phone>+'],
    ['a mail address that is none', '@vlierbeek', ' at vlierbeek'],
    ['two periods', /(<ns2:Quarter>.*<\/ns2:Quarter>)/s, '$1<ns2:Month>1</ns2:Month>'],
    ['a fifth quarter', '<ns2:Quarter>1', '<ns2:Quarter>5'],
    ['no year', /<ns2:Year>.*<\/ns2:Year>/s, ''],
    ['data before the period', /(<ns2:Period>.*<\/ns2:Period>)\s*(<ns2:Data>.*<\/ns2:Data>)/s, '$2$1'],
    ['a grid of two digits', 'GridNumber="3"', 'GridNumber="03"'],
    ['a grid that there is not', 'GridNumber="3"', 'GridNumber="4"'],
    ['a total of our own', 'GridNumber="3"', 'GridNumber="XX"'],
    ['a grid twice', 'GridNumber="3"', 'GridNumber="49"'],
    ['a negative amount', '>210.00<', '>-210.00<'],
    ['one decimal', '>210.00<', '>210.0<'],
    ['a comma', '>210.00<', '>210,00<'],
    ['another sum', '>210.00<', '>210.01<'],
    ['neither 71 nor 72', /<ns2:Amount GridNumber="71">.*?<\/ns2:Amount>/s, ''],
    ['both', '</ns2:Data>', '<ns2:Amount GridNumber="72">0.00</ns2:Amount></ns2:Data>'],
    ['no word on the client listing', /<ns2:ClientListingNihil>.*<\/ns2:ClientListingNihil>/s, ''],
    ['true for YES', '<ns2:ClientListingNihil>NO', '<ns2:ClientListingNihil>false'],
    ['no word on payment', ' Payment="NO"', ''],
    ['nothing asked', /<ns2:Ask.*?(\/>|<\/ns2:Ask>)/s, ''],
    ['a comment before what is asked', '<ns2:Ask', '<ns2:Comment>x</ns2:Comment><ns2:Ask'],
    ['an end that is missing', '</ns2:Data>', ''],
  ] as const)('is checked so that %s is found', (_, written, mutated) => {
    const mutant = usual.replace(written, mutated).replace(
      // An element has two tags.
      typeof written === 'string' && written === 'ns2:VATConsignment' ? '</ns2:VATConsignment>' : '\0',
      '</ns2:VATConsignments>',
    );
    expect(mutant).not.toBe(usual);
    expect(errorsIn(usual)).toEqual([]);
    expect(errorsIn(mutant)).not.toEqual([]);
  });

  it('has the published structure whatever was bought and sold', () => {
    const document = fc.record({
      code: fc.constantFrom(...usualTaxCodes.BE),
      base: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
      kind: fc.constantFrom('81', '82', '83'),
    });
    fc.assert(
      fc.property(fc.array(document, { maxLength: 30 }), (all) => {
        const found = returnOf(
          ...all.map(
            ({ code, base, kind }) =>
              [code.name, base, (base * code.percentage) / 10n ** 10n, kind] as [string, bigint, bigint, string],
          ),
        );
        expect(errorsIn(intervatReturn(found, declarant, quarter))).toEqual([]);
      }),
    );
  });

  it('is refused for a box below zero, and names what is not known of the declarant', () => {
    const found = returnOf(['Normaal tarief', 100n, 21n]);
    found.boxes.set('01', { base: { exact: -500n, declared: -500n } });
    expect(() => intervatReturn(found, declarant, quarter)).toThrow(
      '01: a file for Intervat has no amount below zero, got -5.00',
    );
    const incomplete = { ...declarant, email: '', phone: ' ', vat_number: 'BE' };
    expect(() => intervatReturn(returnOf(), incomplete, quarter)).toThrow(
      expect.objectContaining({
        errors: ['VATNumber', 'EmailAddress', 'Phone'].map((path) => expect.objectContaining({ path })),
      }),
    );
  });
});
