import { refuseField } from '../../../../shared/problem.ts';
import { type CustomFieldUpdate, customFieldStorage } from '../../../../shared/resources/customField.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';

/**
 * Sets a custom field of a product. It must be configured with that label and, if the request has one, that type.
 * @param path the request's name for the field, for the errors
 * @throws Problem INVALID_REQUEST
 */
export async function setCustomField(
  { db, administration }: EndpointContext,
  productId: bigint,
  update: CustomFieldUpdate,
  path: string,
): Promise<void> {
  const field = await db
    .selectFrom('custom_field')
    .where('administration_id', '=', administration.id)
    .where('owner', '=', 'product')
    .where('label', '=', update.Label)
    .select(['id', 'field_type'])
    .executeTakeFirst();
  if (field === undefined) {
    throw refuseField(`${path}.Label`, 'NO_SUCH_CUSTOM_FIELD', { label: update.Label });
  }
  if (update.FieldType !== undefined && field.field_type !== update.FieldType) {
    throw refuseField(`${path}.FieldType`, 'CUSTOM_FIELD_OF_ANOTHER_TYPE', {
      type: field.field_type,
      label: update.Label,
    });
  }
  const { member } = customFieldStorage[field.field_type];
  if (update[member] === undefined)
    throw refuseField(`${path}.${member}`, 'REQUIRED_CUSTOM_VALUE', { type: field.field_type });
  const value = String(update[member]);
  await db
    .insertInto('product_custom_field')
    .values({ product_id: productId, custom_field_id: field.id, value })
    .onConflict((conflict) => conflict.columns(['product_id', 'custom_field_id']).doUpdateSet({ value }))
    .execute();
}
