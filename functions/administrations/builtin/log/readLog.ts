import { type SqlBool, sql } from 'kysely';
import { belonging } from '../sql/belonging.ts';
import type { Database } from '../sql/database.ts';
import type { TableName } from '../sql/declarations/tables.ts';
import type { LogRow } from '../sql/logWriting/chain.ts';
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

/** Changes that were not made by the app and so are not in the log, in a sentence each, the oldest first. */
export async function* changesOutside(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const ofRecords = new Map<string, boolean>();
  for await (const page of pagesOf(db.selectFrom('log_change').selectAll(), ['id'])) {
    for (const change of page) {
      const { table_name, operation, subject, row_id, record, record_id } = change;
      if (change.administration_id === null) {
        const key = `${record} ${record_id}`;
        if (!ofRecords.has(key)) ofRecords.set(key, await mayBeOf(db, administrationId, change));
        if (!ofRecords.get(key)) continue;
      } else if (change.administration_id !== administrationId) continue;
      yield `Not made by the app: ${operation} of ${table_name} ${subject ?? row_id ?? record_id}.`;
    }
  }
}

/** Whether the record of a change is of an administration, or no longer there to say so. */
async function mayBeOf(
  db: Database,
  administrationId: bigint,
  { record, record_id }: Pick<Row<'log_change'>, 'record' | 'record_id'>,
): Promise<boolean> {
  const table = record as TableName;
  const row = await db
    .selectFrom(table as 'relation')
    .where('id', '=', record_id)
    .select(sql<SqlBool>`case when ${belonging(administrationId, table)} then 1 else 0 end`.as('isOwn'))
    .executeTakeFirst();
  return row === undefined || Number(row.isOwn) === 1;
}

/** The end of a log, to compare a later check with; undefined when somebody removed it. */
export const headOf = (
  db: Database,
  administrationId: bigint,
): Promise<Pick<Row<'log_head'>, 'sequence' | 'hash'> | undefined> =>
  db
    .selectFrom('log_head')
    .where('administration_id', '=', administrationId)
    .select(['sequence', 'hash'])
    .executeTakeFirst();
