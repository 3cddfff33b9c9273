import type { Database } from '../sql/database.ts';
import type { Columns } from '../sql/declarations/column.ts';
import { tables } from '../sql/declarations/tables.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import type { LogRow } from '../sql/logWriting/chain.ts';
import type { Seconds } from '../sql/schema.ts';
import { writingIn } from '../sql/transaction.ts';
import { loggedChanges } from './loggedChanges.ts';

/** The columns by which rows that are not its own name a relation. */
const references = [
  ...new Set(
    Object.values(tables).flatMap((columns) =>
      Object.entries(columns as Columns).flatMap(([name, { to, isOwner }]) =>
        to?.table === 'relation' && !isOwner ? [name] : [],
      ),
    ),
  ),
];
const naming = new RegExp(`"(?:${references.join('|')})":(\\d+)`, 'g');

/**
 * The RelationGUIDs of all relations that a row of the log is about. The lines of one entry may name several, and the row has
 * the personal values of all.
 */
export const relationsOf = ({ relation_guid, changes }: Pick<LogRow, 'relation_guid' | 'changes'>): Set<string> =>
  new Set([String(relation_guid), ...Array.from(changes.matchAll(naming), ([, guid]) => guid!)]);

/** In the changes of a row, and followed by what is done with which one. */
export const OF_COST_CENTER = '"table":"cost_center"';

/**
 * Blanks the rows of the log that tell of cost centers by some names. They may name no relation: several documents of a
 * file, or an entry that is pushed, make cost centers in a row of its own.
 */
export async function blankCostCenters(
  trx: Database,
  administrationId: bigint,
  names: ReadonlySet<string>,
): Promise<void> {
  if (names.size === 0) return;
  const rows = await trx
    .selectFrom('log')
    .where('administration_id', '=', administrationId)
    .where('changes', 'like', `%${OF_COST_CENTER}%`)
    .where('personal', '<>', '')
    .selectAll()
    .execute();
  for (const row of rows) {
    const isOf = (change: ReturnType<typeof loggedChanges>[number]) =>
      'table' in change && change.table === 'cost_center' && names.has(String(change.new?.name));
    if (!loggedChanges(row).some(isOf)) continue;
    await trx
      .updateTable('log')
      .where('administration_id', '=', administrationId)
      .where('sequence', '=', row.sequence)
      .set({ personal: '', salt: '' })
      .execute();
  }
}

/** The command that removes the personal values of a relation. */
export const ANONYMISE = 'anonymise';

/**
 * Runs work that removes the personal values of a relation, and blanks them in the log, also in the row of the work itself,
 * and with those of others where a row has both.
 * The chain stays valid: it contains salted digests of personal values. The salts are blanked too.
 * @param work changes the relation, so that the log has a row that explains the blanked values
 */
export const blankingPersonal = <T>(
  db: Database,
  { administrationId, guid, now }: { administrationId: bigint; guid: bigint; now: Seconds },
  work: (trx: Database) => Promise<T>,
): Promise<T> =>
  writingIn(db, { administrationId, author: byCommand(ANONYMISE), now, isImpersonal: true }, async (trx) => {
    const done = await work(trx);
    await trx
      .updateTable('log')
      .where('administration_id', '=', administrationId)
      .where((eb) =>
        eb.or([
          eb('relation_guid', '=', guid),
          ...references.flatMap((name) => [',', '}'].map((end) => eb('changes', 'like', `%"${name}":${guid}${end}%`))),
        ]),
      )
      .where('personal', '<>', '')
      .set({ personal: '', salt: '' })
      .execute();
    return done;
  });
