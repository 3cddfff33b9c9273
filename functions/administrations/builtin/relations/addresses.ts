import { refuseField } from '../../../../shared/problem.ts';
import type { AddressInput } from '../../../../shared/resources/document.ts';
import { folded } from '../sql/comparedText.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { Row } from '../sql/schema.ts';

type PostalAddress = Omit<Row<'relation_address'>, 'id' | 'relation_id'>;

/** The billing and the shipping address of a document. */
export type DocumentAddress = PostalAddress & { address_type: 'BillingAddress' | 'ShippingAddress' };

const members = ['street', 'unit', 'unit_appendix', 'postal_code', 'city', 'country_code'] as const;

/** The addresses of a document. A supplied address that the relation does not have yet is added to it. */
export async function documentAddresses(
  context: EndpointContext,
  ...of: Parameters<typeof addressesIn>
): Promise<DocumentAddress[]> {
  const { addresses, supplied } = addressesIn(...of);
  await addToRelation(context, of[0], supplied);
  return addresses;
}

/**
 * The addresses of a document, and those that its request supplies. A missing billing address is the relation's own; a
 * missing shipping address is the billing address.
 * @param path of the list in the request, for the error
 */
export function addressesIn(
  relation: Row<'relation'>,
  inputs: readonly AddressInput[],
  path: string,
): { addresses: DocumentAddress[]; supplied: PostalAddress[] } {
  const byType = new Map<DocumentAddress['address_type'], PostalAddress>();
  for (const [index, address] of inputs.entries()) {
    const type = address.Address_Type === 'ShippingAddress' ? 'ShippingAddress' : 'BillingAddress';
    if (byType.has(type)) throw refuseField(`${path}[${index}].Address_Type`, 'ADDRESS_TYPE_TWICE', { type });
    const postal = postalAddress(address, relation.country_code);
    if (postal === undefined) throw refuseField(`${path}[${index}]`, 'EMPTY_ADDRESS');
    byType.set(type, postal);
  }
  const billing = byType.get('BillingAddress') ?? pick(relation);
  const shipping = byType.get('ShippingAddress') ?? billing;
  return {
    addresses: [
      { address_type: 'BillingAddress', ...billing },
      { address_type: 'ShippingAddress', ...shipping },
    ],
    supplied: [...byType.values()],
  };
}

function postalAddress(input: AddressInput, country: string): PostalAddress | undefined {
  const address = {
    street: input.Address_Street ?? '',
    unit: input.Address_Unit ?? '',
    unit_appendix: input.Address_UnitAppendix ?? '',
    postal_code: input.Address_PostalCode ?? '',
    city: input.Address_City ?? '',
  };
  if (Object.values(address).every((part) => part === '')) return undefined;
  return { ...address, country_code: input.Address_CountryCode ?? country };
}

const pick = (address: PostalAddress): PostalAddress =>
  Object.fromEntries(members.map((member) => [member, address[member]])) as PostalAddress;

/** A text of an address that is equal for those that differ in case and spaces only. */
const compared = (address: PostalAddress): string =>
  members.map((member) => folded(address[member]).replaceAll(/\s/g, '')).join('\n');

async function addToRelation(
  { db }: EndpointContext,
  relation: Row<'relation'>,
  addresses: readonly PostalAddress[],
): Promise<void> {
  if (addresses.length === 0) return;
  const stored = await db.selectFrom('relation_address').where('relation_id', '=', relation.id).selectAll().execute();
  const known = new Set([relation, ...stored].map(compared));
  for (const address of addresses) {
    if (known.has(compared(address))) continue;
    known.add(compared(address));
    await insertRows(db, 'relation_address', [{ relation_id: relation.id, ...address }]);
  }
}
