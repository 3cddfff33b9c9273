import type { Database } from '../sql/database.ts';
import { digestOf, hashOf } from '../sql/logWriting/chain.ts';
import { ANONYMISE, OF_COST_CENTER, relationsOf } from './blankPersonal.ts';
import { headOf, readLog } from './readLog.ts';

/**
 * Reports what is wrong with the log of an administration, in a sentence each: changed, removed or inserted rows, and
 * personal values that were removed without the command.
 */
export async function* verifyLog(db: Database, administrationId: bigint): AsyncGenerator<string> {
  let last = { sequence: 0n, hash: '' };
  const blanked: { sequence: bigint; relation: string; relations: ReadonlySet<string> }[] = [];
  const anonymised = new Map<string, bigint>();
  for await (const row of readLog(db, administrationId)) {
    const { sequence } = row;
    if (sequence > last.sequence + 1n) yield missing(last.sequence + 1n, sequence - 1n);
    else if (hashOf(row, last.hash) !== row.hash) {
      yield `Row ${sequence} of the log is not what was written, or follows one that is not.`;
    }
    if (row.personal !== '' && digestOf(row) !== row.personal_digest) {
      yield `Row ${sequence} of the log has other personal values than were written.`;
    }
    if (row.personal === '' && row.personal_digest !== '') {
      // Only what is needed later is held in memory.
      const relations = relationsOf(row);
      // Of which one it was is only told by the personal values.
      if (row.changes.includes(OF_COST_CENTER)) relations.add(OF_COST_CENTER);
      blanked.push({ sequence, relation: String(row.relation_guid), relations });
    }
    if (row.action === ANONYMISE) {
      anonymised.set(String(row.relation_guid), sequence);
      if (removesCostCenter.test(row.changes)) anonymised.set(OF_COST_CENTER, sequence);
    }
    last = { sequence, hash: row.hash };
  }
  for (const { sequence, relation, relations } of blanked) {
    if ([...relations].some((guid) => sequence <= (anonymised.get(guid) ?? 0n))) continue;
    yield `Row ${sequence} of the log lost its personal values, and relation ${relation} was not anonymised.`;
  }
  yield* verifyHead(db, administrationId, last);
}

const removesCostCenter = new RegExp(`${OF_COST_CENTER},"id":\\d+,"operation":"delete"`);

/** Checks that the log ends with the last written row. */
async function* verifyHead(
  db: Database,
  administrationId: bigint,
  last: { sequence: bigint; hash: string },
): AsyncGenerator<string> {
  const head = await headOf(db, administrationId);
  if (head === undefined) yield 'The end of the log is missing: somebody removed it.';
  else if (head.sequence > last.sequence) yield missing(last.sequence + 1n, head.sequence);
  else if (head.sequence < last.sequence) {
    yield `The log was ${head.sequence} rows long, and has rows to ${last.sequence}: somebody put them in.`;
  } else if (head.hash !== last.hash) yield `Row ${last.sequence} of the log is not the one that was written last.`;
}

const missing = (first: bigint, last: bigint): string =>
  first === last ? `Row ${first} of the log was removed.` : `Rows ${first} to ${last} of the log were removed.`;
