import { numberTaken } from '../../documentParts/numbering.ts';
import type { Database } from '../../sql/database.ts';
import { insertKeyedRows } from '../../sql/insertRows.ts';
import { newRow } from '../../sql/rows.ts';
import { flag, type NewRow, type Seconds } from '../../sql/schema.ts';
import type { Party } from './parties.ts';

type Address = Pick<NewRow<'relation'>, 'street' | 'unit' | 'postal_code' | 'city' | 'country_code'>;
type Foreign = Pick<NewRow<'relation'>, 'name' | 'vat_number'> & Address & { sells: boolean; buys: boolean };

/** Relations in other countries than the Netherlands and Belgium, whose sales and purchases have VAT of their own. */
const relations = {
  germany: {
    name: 'Blumenkontor Niederrhein GmbH',
    street: 'Gärtnerstraße',
    unit: '12',
    postal_code: '47638',
    city: 'Straelen',
    country_code: 'DE',
    vat_number: 'DE318472658',
    sells: true,
    buys: true,
  },
  ireland: {
    name: 'Clover Cloud Services Ltd',
    street: 'Harbour Road',
    unit: '8',
    postal_code: 'D01 X2P2',
    city: 'Dublin',
    country_code: 'IE',
    vat_number: 'IE6543210JA',
    sells: true,
    buys: false,
  },
  switzerland: {
    name: 'Alpenflor AG',
    street: 'Seestrasse',
    unit: '41',
    postal_code: '8002',
    city: 'Zürich',
    country_code: 'CH',
    vat_number: 'CHE-318.472.656 MWST',
    sells: false,
    buys: true,
  },
  kenya: {
    name: 'Naivasha Rose Farms Ltd',
    street: 'Moi South Lake Road',
    unit: '3',
    postal_code: '20117',
    city: 'Naivasha',
    country_code: 'KE',
    vat_number: 'P051847265K',
    sells: true,
    buys: false,
  },
  america: {
    name: 'Petalworks Design Inc.',
    street: 'Market Street',
    unit: '500',
    postal_code: '94105',
    city: 'San Francisco',
    country_code: 'US',
    vat_number: '94-3184726',
    sells: true,
    buys: false,
  },
} as const satisfies Record<string, Foreign>;

export type ForeignParties = Record<keyof typeof relations, Party>;

/** Makes the relations in other countries. @param of.firstGuid their numbers are free from this one on */
export async function makeForeignParties(
  db: Database,
  of: { administrationId: bigint; firstGuid: bigint; from: Seconds },
): Promise<ForeignParties> {
  const rows = Object.values<Foreign>(relations).map(({ sells, buys, ...relation }, index) =>
    newRow('relation', {
      administration_id: of.administrationId,
      guid: of.firstGuid + BigInt(index),
      ...relation,
      is_business: flag(true),
      is_customer: flag(buys),
      is_supplier: flag(sells),
      customer_number: buys ? 19_001n + BigInt(index) : null,
      supplier_number: sells ? 69_001n + BigInt(index) : null,
      created_on: of.from,
      changed_on: of.from,
    }),
  );
  const ids = await insertKeyedRows(db, 'relation', 'guid', rows);
  await numberTaken(db, of.administrationId, 'relation', of.firstGuid + BigInt(rows.length - 1));
  const parties = rows.map((row): Party => ({ id: ids.get(row.guid)!, row, contact: undefined }));
  return Object.fromEntries(Object.keys(relations).map((key, index) => [key, parties[index]])) as ForeignParties;
}
