import type { Database } from '../sql/database.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import type { Seconds } from '../sql/schema.ts';
import { writingIn } from '../sql/transaction.ts';

/** The command that removes the personal values of a relation. */
export const ANONYMISE = 'anonymise';

/**
 * Runs work that removes the personal values of a relation, and blanks them in the log, also in the row of the work itself.
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
      .where('relation_guid', '=', guid)
      .where('personal', '<>', '')
      .set({ personal: '', salt: '' })
      .execute();
    return done;
  });
