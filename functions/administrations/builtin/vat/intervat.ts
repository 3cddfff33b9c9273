import { XMLBuilder } from 'fast-xml-parser';
import { fieldError } from '../../../../shared/fieldErrors.ts';
import { centsText } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import type { IntervatQuery } from '../../../../shared/resources/vatReturn/vatReturn.ts';
import type { Row } from '../sql/schema.ts';
import { vatBoxes } from './vatBoxes.ts';
import { withoutPunctuation } from './vatListings.ts';
import type { VatPeriod } from './vatPeriod.ts';
import type { VatReturn } from './vatReturn.ts';

/** Who declares: the administration. */
export type Declarant = Pick<
  Row<'administration'>,
  'vat_number' | 'name' | 'street' | 'unit' | 'unit_appendix' | 'postal_code' | 'city' | 'email' | 'phone'
>;

/**
 * The Belgian return as a file for Intervat, by what is published of NewTVA-in 0.9. No official schema checks it here.
 * @throws Problem INVALID_REQUEST for a Dutch return, a period that is no month or quarter, a box below zero, or an
 * administration of which the file needs something else
 */
export function intervatReturn(
  found: VatReturn,
  declarant: Declarant,
  period: VatPeriod,
  { refund = false, noClients = false }: Omit<IntervatQuery, 'period'> = {},
): string {
  if (found.country !== 'BE') throw refuseFields([fieldError('country', 'NOT_BELGIAN_RETURN')]);
  if (period.kind === 'year')
    throw refuseFields([fieldError('period', 'NOT_MONTH_OR_QUARTER', { given: period.name })]);
  const amounts = [...vatBoxes.BE.map(({ box }) => box), '71', '72'].flatMap((box) => {
    const { base, tax } = found.boxes.get(box)!;
    const { declared } = (base ?? tax)!;
    if (declared < 0n) throw refuseFields([fieldError(box, 'BOX_BELOW_ZERO', { amount: centsText(declared) })]);
    return declared === 0n ? [] : [{ '@GridNumber': String(Number(box)), '#text': centsText(declared) }];
  });
  // A return without anything says that nothing is owed.
  if (!amounts.some(({ '@GridNumber': grid }) => grid === '71' || grid === '72')) {
    amounts.push({ '@GridNumber': '71', '#text': '0.00' });
  }
  const known = {
    VATNumber: withoutPunctuation(declarant.vat_number).replace(/^BE/, '').padStart(10, '0'),
    Name: declarant.name.trim(),
    Street: `${declarant.street} ${declarant.unit}${declarant.unit_appendix}`.trim(),
    PostCode: declarant.postal_code.trim(),
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
    throw refuseFields(missing.map(([name]) => fieldError(name, 'NEEDED_FOR_INTERVAT')));
  }
  const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true, indentBy: '  ' });
  return builder.build({
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
        'ns2:ClientListingNihil': noClients ? 'YES' : 'NO',
        'ns2:Ask': { '@Restitution': refund ? 'YES' : 'NO', '@Payment': 'NO' },
      },
    },
  });
}
