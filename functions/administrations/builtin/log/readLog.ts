import type { Database } from '../sql/database.ts';
import type { LogRow } from '../sql/log/chain.ts';
import { pagesOf } from '../sql/pages.ts';
import type { Row, Seconds } from '../sql/schema.ts';

/** Conditions for rows of a log. */
export type LogFilter = {
  /** From this moment, and before this one. */
  from?: Seconds | undefined;
  until?: Seconds | undefined;
  key?: bigint | undefined;
  /** The endpoint, command or task. */
  action?: string | undefined;
  /** The table of the changed record, and its identifier for people. */
  kind?: string | undefined;
  subject?: string | undefined;
};

/** The rows of a log that match, the oldest first. */
export async function* readLog(
  db: Database,
  administrationId: bigint,
  { from, until, key, action, kind, subject }: LogFilter = {},
): AsyncGenerator<LogRow> {
  let rows = db.selectFrom('log').where('administration_id', '=', administrationId);
  if (from !== undefined) rows = rows.where('at', '>=', from);
  if (until !== undefined) rows = rows.where('at', '<', until);
  if (key !== undefined) rows = rows.where('key_id', '=', key);
  if (action !== undefined) rows = rows.where('action', '=', action);
  if (kind !== undefined) rows = rows.where('kind', '=', kind);
  if (subject !== undefined) rows = rows.where('subject', '=', subject);
  for await (const page of pagesOf(rows.selectAll(), ['sequence'])) yield* page;
}

/** Changes that were not made by the app and so are not in the log, the oldest first. */
export const changesOutside = (db: Database, administrationId: bigint): Promise<Row<'log_change'>[]> =>
  db.selectFrom('log_change').where('administration_id', '=', administrationId).orderBy('id').selectAll().execute();

/** The end of a log, to compare a later check with. */
export const headOf = (db: Database, administrationId: bigint): Promise<Pick<Row<'log_head'>, 'sequence' | 'hash'>> =>
  db
    .selectFrom('log_head')
    .where('administration_id', '=', administrationId)
    .select(['sequence', 'hash'])
    .executeTakeFirstOrThrow();
