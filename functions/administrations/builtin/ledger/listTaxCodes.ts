import { type TaxCode, taxCode } from '../../../../shared/resources/taxCode.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';
import { responding } from '../sql/rows.ts';

const taxCodeResponse = responding(taxCode, 'tax_code');

/** The tax codes of an administration: sales first, then by code. */
export async function listTaxCodes({ db, administration }: EndpointContext): Promise<TaxCode[]> {
  const rows = await ofAdministration(db, { administrationId: administration.id });
  return rows.map(taxCodeResponse);
}

const ofAdministration = prepared((db, { administrationId }: { administrationId: bigint }) =>
  db
    .selectFrom('tax_code')
    .where('administration_id', '=', administrationId)
    .orderBy('tax_type', 'desc')
    .orderBy('code')
    .selectAll(),
);
