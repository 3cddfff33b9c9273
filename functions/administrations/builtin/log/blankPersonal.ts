import type { Database } from '../sql/database.ts';
import { byCommand } from '../sql/log/author.ts';
import type { Seconds } from '../sql/schema.ts';
import { writingIn } from '../sql/transaction.ts';

/** The command that takes a relation's personal values away. */
export const ANONYMISE = 'anonymise';

/**
 * Does work that takes the personal values of a relation away, and takes them out of the log as well: out of its rows
 * about the relation and its documents, and out of the row that tells of the work itself. What else those rows tell stays,
 * and so does the chain: it goes over a salted digest of the personal values, and the salt goes with them.
 * @param work changes the relation: without a row that tells of it, the check would miss the values
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
