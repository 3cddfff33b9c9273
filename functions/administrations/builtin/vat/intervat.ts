import { XMLBuilder } from 'fast-xml-parser';
import { centsText } from '../../../../shared/money.ts';
import { vatBoxes } from './vatBoxes.ts';
import { withoutPunctuation } from './vatListings.ts';
import type { VatPeriod } from './vatPeriod.ts';
import type { VatReturn } from './vatReturn.ts';

/** Who declares. */
export type Declarant = {
  vatNumber: string;
  name: string;
  street: string;
  postalCode: string;
  city: string;
  email: string;
  phone: string;
};

/**
 * The Belgian return as a file for Intervat, by what is published of NewTVA-in 0.9. No official schema checks it here.
 * @throws RangeError for a period that is no month or quarter, a box below zero, or a declarant of whom something is missing
 */
export function intervatReturn(
  found: VatReturn,
  declarant: Declarant,
  period: VatPeriod,
  { isNothingSold = false, askRefund = false }: { isNothingSold?: boolean; askRefund?: boolean } = {},
): string {
  if (period.kind === 'year') throw new RangeError('A Belgian return is of a month or a quarter.');
  const amounts = [...vatBoxes.BE.map(({ box }) => box), '71', '72'].flatMap((box) => {
    const { base, tax } = found.boxes.get(box)!;
    const { declared } = (base ?? tax)!;
    if (declared < 0n)
      throw new RangeError(`Box ${box} would be ${centsText(declared)}: the file has no amounts below zero.`);
    return declared === 0n ? [] : [{ '@GridNumber': String(Number(box)), '#text': centsText(declared) }];
  });
  // A return without anything says that nothing is owed.
  if (!amounts.some(({ '@GridNumber': grid }) => grid === '71' || grid === '72')) {
    amounts.push({ '@GridNumber': '71', '#text': '0.00' });
  }
  const known = {
    VATNumber: withoutPunctuation(declarant.vatNumber).replace(/^BE/, '').padStart(10, '0'),
    Name: declarant.name.trim(),
    Street: declarant.street.trim(),
    PostCode: declarant.postalCode.trim(),
    City: declarant.city.trim(),
    CountryCode: 'BE',
    EmailAddress: declarant.email.trim(),
    Phone: declarant.phone
      .replace(/^\s*\+/, '00')
      .replace(/\D/g, '')
      .slice(0, 20),
  };
  const missing = Object.entries(known).filter(
    ([name, value]) => value === '' || (name === 'VATNumber' && !/^\d{10}$/.test(value)) || /^0*$/.test(value),
  );
  if (missing.length > 0) {
    throw new RangeError(`The file needs of who declares: ${missing.map(([name]) => name).join(', ')}.`);
  }
  const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true, indentBy: '  ' });
  const text = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    'ns2:VATConsignment': {
      '@xmlns': 'http://www.minfin.fgov.be/InputCommon',
      '@xmlns:ns2': 'http://www.minfin.fgov.be/VATConsignment',
      '@VATDeclarationsNbr': '1',
      'ns2:VATDeclaration': {
        '@SequenceNumber': '1',
        '@DeclarantReference': period.name.replaceAll('-', '').slice(0, 14),
        'ns2:Declarant': known,
        'ns2:Period': {
          ...(period.kind === 'quarter' ? { 'ns2:Quarter': period.ordinal } : { 'ns2:Month': period.ordinal }),
          'ns2:Year': period.year,
        },
        'ns2:Data': { 'ns2:Amount': amounts },
        'ns2:ClientListingNihil': isNothingSold ? 'YES' : 'NO',
        'ns2:Ask': { '@Restitution': askRefund ? 'YES' : 'NO', '@Payment': 'NO' },
      },
    },
  });
  return text;
}
