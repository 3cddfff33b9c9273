import { folded } from '../sql/comparedText.ts';
import type { Scope } from '../sql/scope.ts';

/** The status an order gets when it is invoiced. */
export const INVOICED = 'Gefactureerd';

/** Statuses an administration starts with. */
export const usualOrderStatuses = ['Nieuw', 'In behandeling', 'Verzonden', 'Afgehandeld', INVOICED] as const;

/** A configured status by its label, as it is configured; "" when there is none of that label. */
export async function knownStatus({ db, administration }: Scope, label: string | undefined): Promise<string> {
  if (label === undefined) return '';
  const status = await db
    .selectFrom('order_status')
    .where('administration_id', '=', administration.id)
    .where('label_folded', '=', folded(label))
    .select('label')
    .executeTakeFirst();
  return status?.label ?? '';
}

/** Marks an order of a relation as invoiced and returns its id; a number no order of the relation has does nothing. */
export async function markInvoiced(
  { db, administration, now }: Scope,
  relationId: bigint,
  orderNumber: string | undefined,
): Promise<bigint | null> {
  if (orderNumber === undefined) return null;
  const order = await db
    .updateTable('sales_order')
    .where('administration_id', '=', administration.id)
    .where('relation_id', '=', relationId)
    .where('number', '=', BigInt(orderNumber))
    .where('general_status', '=', 'order')
    .set({ is_invoiced: 1n, status: INVOICED, changed_on: now() })
    .returning('id')
    .executeTakeFirst();
  return order?.id ?? null;
}
