import { setImmediate as otherWork } from 'node:timers/promises';
import type { EndpointWrite } from '../../../../shared/api.ts';
import type { ValuesBefore } from '../../administration.ts';
import type { Database } from '../sql/database.ts';
import type { Column } from '../sql/declarations/column.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Seconds } from '../sql/schema.ts';
import { loggedChanges } from './loggedChanges.ts';

/** Rows of the log that one statement looks at: others work in between. */
const STEP = 1000n;
/** The most statements: of work beside a long import the values stay unknown. */
const MAX_STEPS = 200;

/** Names of the request for columns of products. Stock has none of its own: it is the sum of its mutations. */
const fields: ReadonlyMap<string, string> = new Map([
  ['stock', 'NewStockQty'],
  ...columnsOf('product').flatMap(([name, { request, to }]: readonly [string, Column]) =>
    request === null || to !== null ? [] : [[name, request] as const],
  ),
]);

/**
 * What applied writes of a period changed, as it was before, out of the log: of updates of products. One that was updated
 * more than once in the period has none, since it is unknown which update is meant.
 */
export async function valuesBefore(
  db: Database,
  administrationId: bigint,
  period: { from: Seconds; until: Seconds },
  writes: readonly EndpointWrite[],
): Promise<readonly (ValuesBefore | undefined)[]> {
  const names = writes.map(({ name, request }) =>
    name === 'updateproduct' ? (request.ArticleNumber ?? undefined) : undefined,
  );
  const wanted = new Set(names.filter((name) => name !== undefined));
  const found = wanted.size === 0 ? undefined : await productsBefore(db, administrationId, period, wanted);
  return names.map((name) => (name === undefined ? undefined : found?.get(name)));
}

/** What products were before they were updated in a period, by article number. */
async function productsBefore(
  db: Database,
  administrationId: bigint,
  { from, until }: { from: Seconds; until: Seconds },
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ValuesBefore>> {
  const log = db.selectFrom('log').where('administration_id', '=', administrationId);
  const last = (await log.orderBy('sequence', 'desc').limit(1).select('sequence').executeTakeFirst())?.sequence ?? -1n;
  const momentAt = async (sequence: bigint) =>
    (await log.where('sequence', '>=', sequence).orderBy('sequence').limit(1).select('at').executeTakeFirst())?.at;
  // The first row of the period by halves: moments rise with numbers, and have no index of their own.
  let [first, end] = [0n, last + 1n];
  while (first < end) {
    const middle = (first + end) / 2n;
    const at = await momentAt(middle);
    if (at !== undefined && at < from) first = middle + 1n;
    else end = middle;
  }
  const found = new Map<string, ValuesBefore>();
  const repeated = new Set<string>();
  for (let step = 0; first <= last && step < MAX_STEPS; step++, first += STEP) {
    const rows = await log
      .where('sequence', '>=', first)
      .where('sequence', '<', first + STEP)
      .where('kind', '=', 'product')
      .where('action', '=', 'updateproduct')
      .orderBy('sequence')
      .selectAll()
      .execute();
    for (const row of rows) {
      if (row.at > until || !names.has(row.subject)) continue;
      const values = oldValues(loggedChanges(row));
      // An update that changed nothing may be of anyone.
      if (Object.keys(values).length === 0) continue;
      if (found.has(row.subject)) repeated.add(row.subject);
      found.set(row.subject, values);
    }
    const next = await momentAt(first + STEP);
    if (next === undefined || next > until) break;
    await otherWork();
  }
  for (const name of repeated) found.delete(name);
  return found;
}

function oldValues(changes: ReturnType<typeof loggedChanges>): ValuesBefore {
  const values: Record<string, string> = {};
  for (const change of changes) {
    if ('counts' in change || change.table !== 'product') continue;
    for (const [column, value] of Object.entries(change.old ?? {})) {
      const field = fields.get(column);
      if (field !== undefined) values[field] = String(value ?? '');
    }
  }
  return values;
}
