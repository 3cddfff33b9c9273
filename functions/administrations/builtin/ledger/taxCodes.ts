import { type Found, fieldError, found, refused } from '../../../../shared/fieldErrors.ts';
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

/** The fields of a request that name a tax code and a percentage. */
type TaxFields<Field extends string> = { code: Field; percentage: Field };
type TaxRequest<Field extends string> = { readonly [Name in Field]?: string | undefined };
/** The tax fields of a line of a document. */
export const lineTax = { code: 'TaxCode', percentage: 'TaxPc' } as const;

/**
 * The tax code for a code, a percentage, or both. Of several with the same percentage, the first. No value and -1 per
 * cent mean none.
 * @param codes of the side of the document, in the order of preference
 * @param path of the request in the errors, with a point at its end
 */
export function chooseTaxCode<Field extends string>(
  codes: readonly Row<'tax_code'>[],
  side: TaxType,
  request: TaxRequest<NoInfer<Field>>,
  fields: TaxFields<Field>,
  path = '',
): Found<Row<'tax_code'> | undefined> {
  const code = request[fields.code];
  const percentage = request[fields.percentage] === '-1' ? undefined : request[fields.percentage];
  if (code === undefined && percentage === undefined) return found(undefined);
  const rate = percentage === undefined ? undefined : units(percentage, DECIMAL_SCALE);
  const row = codes.find(
    (one) => (code === undefined || one.code === code) && (rate === undefined || one.percentage === rate),
  );
  if (row !== undefined) return found(row);
  if (code === undefined) {
    return refused(fieldError(path + fields.percentage, 'NO_SUCH_TAX_PERCENTAGE', { side, percentage: percentage! }));
  }
  return refused(
    percentage === undefined
      ? fieldError(path + fields.code, 'NO_SUCH_TAX_CODE', { side, code })
      : fieldError(path + fields.code, 'NO_SUCH_TAX_CODE_OF', { side, percentage, code }),
  );
}

/**
 * Finds the tax code of one choice. A percentage alone leaves a code that has it unchanged.
 * @param present the id of the code before, if there is one
 * @throws Problem INVALID_REQUEST when that side of the administration has none
 */
export async function findTaxCode<Field extends string>(
  context: EndpointContext,
  side: TaxType,
  request: TaxRequest<NoInfer<Field>>,
  fields: TaxFields<Field>,
  present: bigint | null,
): Promise<Row<'tax_code'> | undefined> {
  if (request[fields.code] === undefined && request[fields.percentage] === undefined) return undefined;
  const codes = await taxCodesOf(context, side);
  const presentFirst = [...codes.filter(({ id }) => id === present), ...codes];
  const chosen = chooseTaxCode(presentFirst, side, request, fields);
  if (chosen.kind === 'refused') throw refuseFields([chosen.reason]);
  return chosen.value;
}
