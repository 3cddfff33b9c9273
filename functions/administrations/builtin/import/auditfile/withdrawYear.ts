import { addDays } from '../../../../../shared/wire/calendarDate.ts';
import type { Period } from '../../balances/fiscalYears.ts';
import { CommandError } from '../../files/commandError.ts';
import { removeEntries } from '../../ledger/removeEntries.ts';
import type { Database } from '../../sql/database.ts';
import { type Author, byCommand } from '../../sql/logWriting/author.ts';
import type { Row, Seconds } from '../../sql/schema.ts';
import { staged } from '../../sql/staging/staged.ts';
import { writingIn } from '../../sql/transaction.ts';
import { removeOpening } from './storeOpening.ts';

/** What an audit file brought into a fiscal year. */
type Brought = { entries: number; hasOpening: boolean };

type Withdrawal = {
  /** Left out: the command line. */
  author?: Author;
  /** Called again and again; what it throws ends the withdrawal, and nothing was removed. */
  onRemoving?: () => void;
  /** Stores more in its transaction. */
  finish?: (trx: Database, brought: Brought) => Promise<void>;
};

const BATCH_SIZE = 500;

const importedIn = (db: Database, administrationId: bigint, { first, last }: Period) =>
  db
    .selectFrom('journal_entry')
    .where('administration_id', '=', administrationId)
    .where('is_imported', '=', 1n)
    .where('date', '>=', first)
    .where('date', '<=', last);

const openingIn = (db: Database, administrationId: bigint, { first }: Period) =>
  db
    .selectFrom('fiscal_year')
    .where('administration_id', '=', administrationId)
    .where('start_date', '=', first)
    .where('is_imported', '=', 1n)
    .select('id')
    .executeTakeFirst();

/** What was imported into a fiscal year. @throws CommandError when nothing was, or the books are closed in that year */
export async function broughtInto(
  db: Database,
  { id, closed_until }: Pick<Row<'administration'>, 'id' | 'closed_until'>,
  period: Period,
): Promise<Brought> {
  const { count, earliest } = await importedIn(db, id, period)
    .select(({ fn }) => [fn.countAll<bigint>().as('count'), fn.min('date').as('earliest')])
    .executeTakeFirstOrThrow();
  const hasOpening = (await openingIn(db, id, period)) !== undefined;
  const { first, last } = period;
  if (count === 0n && !hasOpening) throw new CommandError(`No audit file brought anything into ${first} to ${last}.`);
  // An opening balance counts from the first day of its year.
  const from = hasOpening || earliest === null ? first : earliest;
  if (from > closed_until) return { entries: Number(count), hasOpening };
  throw new CommandError(
    `The books are closed until ${closed_until}: nothing before ${addDays(closed_until, 1)} is removed.`,
  );
}

/**
 * Removes the entries and the opening balance that an audit file brought into a fiscal year, with one row in the log.
 * Accounts, relations and tax codes stay: others may use them.
 * @throws CommandError as `broughtInto` does
 */
export const withdrawYear = (
  db: Database,
  administrationId: bigint,
  period: Period,
  now: Seconds,
  withdrawal: Withdrawal = {},
): Promise<Brought> =>
  staged(db, { administrationId }, (copy) => withdraw(copy, administrationId, period, now, withdrawal));

function withdraw(
  db: Database,
  administrationId: bigint,
  period: Period,
  now: Seconds,
  { author = byCommand('withdraw-auditfile'), onRemoving, finish }: Withdrawal,
): Promise<Brought> {
  const by = { administrationId, author, now, grouping: 'counted', unlessArchived: true } as const;
  return writingIn(db, by, async (trx, logging) => {
    const administration = await trx
      .selectFrom('administration')
      .where('id', '=', administrationId)
      .select(['id', 'closed_until'])
      .executeTakeFirstOrThrow();
    const brought = await broughtInto(trx, administration, period);
    for (;;) {
      onRemoving?.();
      const some = await importedIn(trx, administrationId, period)
        .orderBy('id')
        .limit(BATCH_SIZE)
        .select('id')
        .execute();
      if (some.length === 0) break;
      await removeEntries(
        trx,
        administrationId,
        some.map(({ id }) => id),
      );
      await logging.logSoFar();
    }
    const opening = await openingIn(trx, administrationId, period);
    if (opening !== undefined) await removeOpening(trx, opening.id);
    await finish?.(trx, brought);
    return brought;
  });
}
