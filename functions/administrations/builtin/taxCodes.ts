import { FINE_SCALE, units } from '../../../shared/money.ts';
import { refuseField } from '../../../shared/problem.ts';
import type { TaxType } from '../../../shared/resources/taxCode.ts';
import type { Scope } from './builtin.ts';
import type { Row } from './schema.ts';

/**
 * The tax code a request means by a code, a percentage, or both. Where several share a percentage, the first by code.
 * Nothing given, or -1 per cent, is none.
 * @param fields the names of the two, for the error
 * @throws Problem INVALID_REQUEST when the administration has no such code on that side
 */
export async function findTaxCode(
  { db, administration }: Scope,
  side: TaxType,
  given: { code?: string | undefined; percentage?: string | undefined },
  fields: { code: string; percentage: string },
): Promise<Row<'tax_code'> | undefined> {
  const percentage = given.percentage === '-1' ? undefined : given.percentage;
  if (given.code === undefined && percentage === undefined) return undefined;
  let found = db
    .selectFrom('tax_code')
    .where('administration_id', '=', administration.id)
    .where('tax_type', '=', side)
    .orderBy('code');
  if (given.code !== undefined) found = found.where('code', '=', given.code);
  if (percentage !== undefined) found = found.where('percentage', '=', units(percentage, FINE_SCALE));
  const taxCode = await found.selectAll().executeTakeFirst();
  if (taxCode !== undefined) return taxCode;
  if (given.code === undefined) {
    throw refuseField(fields.percentage, `expected the percentage of a ${side} tax code, got ${percentage}`);
  }
  throw refuseField(
    fields.code,
    percentage === undefined
      ? `expected a ${side} tax code of this administration, got "${given.code}"`
      : `expected a ${side} tax code of ${percentage} per cent, got "${given.code}"`,
  );
}
