import type { Database } from '../sql/database.ts';
import { digestOf, hashOf, type LogRow } from '../sql/log/chain.ts';
import { ANONYMISE } from './blankPersonal.ts';

/** Rows read at a time. */
const PAGE_SIZE = 500;

/**
 * Says what is wrong with the log of an administration, a sentence each: rows that were changed, removed or put in, at its
 * end as well, and personal values that went without a command.
 */
export async function* verifyLog(db: Database, administrationId: bigint): AsyncGenerator<string> {
  let last = { sequence: 0n, hash: '' };
  const blanked: LogRow[] = [];
  const anonymised = new Map<string, bigint>();
  for await (const row of logRows(db, administrationId)) {
    const { sequence } = row;
    if (sequence > last.sequence + 1n) yield missing(last.sequence + 1n, sequence - 1n);
    else if (hashOf(row, last.hash) !== row.hash) {
      yield `Row ${sequence} of the log is not what was written, or follows one that is not.`;
    }
    if (row.personal !== '' && digestOf(row) !== row.personal_digest) {
      yield `Row ${sequence} of the log has other personal values than were written.`;
    }
    if (row.personal === '' && row.personal_digest !== '') blanked.push(withoutValues(row));
    if (row.action === ANONYMISE) anonymised.set(String(row.relation_guid), sequence);
    last = { sequence, hash: row.hash };
  }
  for (const { sequence, relation_guid } of blanked) {
    if (sequence <= (anonymised.get(String(relation_guid)) ?? 0n)) continue;
    yield `Row ${sequence} of the log lost its personal values, and relation ${relation_guid} was not anonymised.`;
  }
  yield* verifyHead(db, administrationId, last);
}

/** Whether the log ends where the last row was written. */
async function* verifyHead(
  db: Database,
  administrationId: bigint,
  last: { sequence: bigint; hash: string },
): AsyncGenerator<string> {
  const head = await db
    .selectFrom('log_head')
    .where('administration_id', '=', administrationId)
    .selectAll()
    .executeTakeFirst();
  if (head === undefined) yield 'What says where the log ends was removed.';
  else if (head.sequence > last.sequence) yield missing(last.sequence + 1n, head.sequence);
  else if (head.sequence < last.sequence) {
    yield `The log was ${head.sequence} rows long, and has rows to ${last.sequence}: somebody put them in.`;
  } else if (head.hash !== last.hash) yield `Row ${last.sequence} of the log is not the one that was written last.`;
}

const missing = (first: bigint, last: bigint): string =>
  first === last ? `Row ${first} of the log was removed.` : `Rows ${first} to ${last} of the log were removed.`;

/** Only what is needed later is held in memory. */
const withoutValues = (row: LogRow): LogRow => ({ ...row, changes: '' });

/** The rows of a log in their order. */
async function* logRows(db: Database, administrationId: bigint): AsyncGenerator<LogRow> {
  for (let last = 0n; ; ) {
    const rows = await db
      .selectFrom('log')
      .where('administration_id', '=', administrationId)
      .where('sequence', '>', last)
      .orderBy('sequence')
      .limit(PAGE_SIZE)
      .selectAll()
      .execute();
    yield* rows;
    if (rows.length < PAGE_SIZE) return;
    last = rows.at(-1)!.sequence;
  }
}
