import { CompiledQuery } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { Problem } from '../../../../shared/problem.ts';
import type { Database } from './database.ts';
import type { SqlDialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { installTriggers, lockSchema } from './logWriting/installTriggers.ts';
import { logTriggers } from './logWriting/triggers.ts';
import { migrations } from './migrations/migrations.ts';
import { finishAllStaged } from './staging/staged.ts';

/** The names of the migrations and triggers of a current database. A changed trigger has another name. */
export const currentNames = (dialect: SqlDialect): string[] => [
  ...Object.keys(migrations(dialect)),
  ...logTriggers(dialect).map(({ name }) => name),
];

/**
 * Brings the tables and triggers of a database up to date.
 * @param later migrations after those of the app
 */
export async function upgrade(db: Database, later: Readonly<Record<string, Migration>> = {}): Promise<void> {
  const before = await lastChange(db);
  // Changes of migrations are not logged: they are forgotten in their transaction, since the process may end after it.
  const isNew = await migrate(db, { ...migrations(dialectOf(db)), ...later }, (trx) => installTriggers(trx, before));
  if (!isNew) await installTriggers(db);
}

/** The last change that is not in the log; 0 in a new database, or one of before the log. */
async function lastChange(db: Database): Promise<bigint> {
  try {
    const { id } = await db.selectFrom('log_change').select(db.fn.max('id').as('id')).executeTakeFirstOrThrow();
    return id ?? 0n;
  } catch (error) {
    if (error instanceof Problem) throw error;
    return 0n;
  }
}

/**
 * Executes the migrations that a database lacks, in one transaction.
 * @param end what is done after the last one, if there were any
 * @returns whether there were any
 * @throws Problem UNAVAILABLE when a later version of the app migrated it
 */
export async function migrate(
  db: Database,
  all: Readonly<Record<string, Migration>>,
  end: (trx: Database) => Promise<void> = async () => {},
): Promise<boolean> {
  const later = (await executedMigrations(db)).filter((name) => all[name] === undefined);
  if (later.length > 0) {
    throw new Problem(
      'UNAVAILABLE',
      `A later version of Ledgerline has migrated the database (${later.join(', ')}): deploy that version, or restore a backup of before.`,
    );
  }
  await finishAllStaged(db);
  const last = Object.keys(all).sort().at(-1);
  const locked = Object.entries(all).map(([name, { up }]): [string, Migration] => [
    name,
    {
      async up(trx) {
        await lockSchema(trx);
        // One that is cancelled would begin anew for ever, and the app answer nothing.
        await dialectOf(trx).letStatementsTakeLong(trx);
        await up(trx);
        if (name === last) await end(trx);
      },
    },
  ]);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(locked) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.length > 0;
}

/** The names of the executed migrations. A new database has no table of them: the migrator makes it. */
async function executedMigrations(db: Database): Promise<string[]> {
  try {
    const { rows } = await db.executeQuery<{ name: string }>(CompiledQuery.raw('select name from kysely_migration'));
    return rows.map(({ name }) => name);
  } catch (error) {
    // A database that cannot be reached is not a new one.
    if (error instanceof Problem) throw error;
    return [];
  }
}
