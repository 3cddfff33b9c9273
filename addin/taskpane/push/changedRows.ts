import { Unreachable } from '../../../shared/client/client.ts';
import type { PushClient } from '../../../shared/client/pushClient.ts';
import { Problem } from '../../../shared/problem.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import { WorkbookProblem, waitReasonOf } from '../../excel/workbookProblem.ts';

/** The rows of a push that changed since a cursor. */
export async function changedRows(
  client: PushClient,
  id: string,
  after: string,
  signal?: AbortSignal,
): Promise<PushRow[]> {
  const rows: PushRow[] = [];
  let cursor = after;
  for (let more = true; more; ) {
    const changes = await client.changes(id, cursor, signal);
    rows.push(...changes.rows);
    cursor = changes.cursor;
    more = changes.more === true;
  }
  return rows;
}

/** The rows that changed; none without a network, or when the service no longer has the push. */
export const changedRowsIfKnown = (...asked: Parameters<typeof changedRows>): Promise<PushRow[]> =>
  changedRows(...asked).catch((error: unknown) => {
    if (error instanceof Unreachable || error instanceof Problem) return [];
    throw error;
  });

/** Whether an error is transient: no network, a busy or failing service, a waiting Excel. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (error instanceof WorkbookProblem) return waitReasonOf(error.code) !== undefined;
  if (!(error instanceof Problem)) return false;
  return error.code === 'RATE_LIMIT' || (error.status >= 500 && error.code !== 'NOT_IMPLEMENTED');
}
