import { folded } from '../sql/comparedText.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';

const INVOICED = 'Gefactureerd';

/** The order statuses of a new administration. */
export const defaultOrderStatuses = ['Nieuw', 'In behandeling', 'Verzonden', 'Afgehandeld', INVOICED] as const;

/** Finds configured statuses. @returns the configured spelling of a label; "" when there is none */
export async function findStatuses(
  { db, administration }: EndpointContext,
  labels: readonly (string | undefined)[],
): Promise<(label: string | undefined) => string> {
  const names = [...new Set(labels.flatMap((label) => (label === undefined ? [] : folded(label))))];
  if (names.length === 0) return () => '';
  const statuses = await db
    .selectFrom('order_status')
    .where('administration_id', '=', administration.id)
    .where('label_folded', 'in', names)
    .select(['label', 'label_folded'])
    .execute();
  const found = new Map(statuses.map((status) => [status.label_folded, status.label]));
  return (label) => (label === undefined ? '' : (found.get(folded(label)) ?? ''));
}

/** Marks an order of a relation as invoiced. @returns its id; null when the relation has no such order */
export async function markInvoiced(
  { db, administration, now }: EndpointContext,
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
