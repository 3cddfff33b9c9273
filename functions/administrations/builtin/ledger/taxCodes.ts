import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';
import type { Row } from '../sql/schema.ts';

/** The tax codes of one side, by code. */
export const taxCodesOf = ({ db, administration }: EndpointContext, side: TaxType): Promise<Row<'tax_code'>[]> =>
  ofSide(db, { administrationId: administration.id, side });

const ofSide = prepared((db, { administrationId, side }: { administrationId: bigint; side: TaxType }) =>
  db
    .selectFrom('tax_code')
    .where('administration_id', '=', administrationId)
    .where('tax_type', '=', side)
    .orderBy('code')
    .selectAll(),
);

/**
 * The tax code for a code, a percentage, or both. Of several with the same percentage, the first by code. No value
 * and -1 per cent mean none.
 * @param codes of the side the document is on, by code
 * @param fields the names of the two, for the refusal
 */
export function chooseTaxCode(
  codes: readonly Row<'tax_code'>[],
  side: TaxType,
  given: { code?: string | undefined; percentage?: string | undefined },
  fields: { code: string; percentage: string },
): Row<'tax_code'> | undefined | FieldError {
  const percentage = given.percentage === '-1' ? undefined : given.percentage;
  if (given.code === undefined && percentage === undefined) return undefined;
  const rate = percentage === undefined ? undefined : units(percentage, DECIMAL_SCALE);
  const found = codes.find(
    (code) =>
      (given.code === undefined || code.code === given.code) && (rate === undefined || code.percentage === rate),
  );
  if (found !== undefined) return found;
  if (given.code === undefined) {
    return fieldError(fields.percentage, 'NO_SUCH_TAX_PERCENTAGE', { side, percentage: percentage! });
  }
  return percentage === undefined
    ? fieldError(fields.code, 'NO_SUCH_TAX_CODE', { side, code: given.code })
    : fieldError(fields.code, 'NO_SUCH_TAX_CODE_OF', { side, percentage, code: given.code });
}

/** The same, for one choice. @throws Problem INVALID_REQUEST when the administration has no such code on that side */
export async function findTaxCode(
  scope: EndpointContext,
  side: TaxType,
  given: { code?: string | undefined; percentage?: string | undefined },
  fields: { code: string; percentage: string },
): Promise<Row<'tax_code'> | undefined> {
  if (given.code === undefined && given.percentage === undefined) return undefined;
  const chosen = chooseTaxCode(await taxCodesOf(scope, side), side, given, fields);
  if (chosen !== undefined && 'path' in chosen) throw refuseFields([chosen]);
  return chosen;
}
