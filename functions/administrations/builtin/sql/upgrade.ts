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

/** Brings the tables and triggers of a database up to date. */
export async function upgrade(db: Database): Promise<void> {
  const before = await lastChange(db);
  const isNew = await migrate(db, migrations(dialectOf(db)));
  // Changes of migrations are not logged.
  await installTriggers(db, isNew ? before : undefined);
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
 * Executes the migrations that a database lacks.
 * @returns whether there were any
 * @throws Problem UNAVAILABLE when a later version of the app migrated it
 */
export async function migrate(db: Database, all: Readonly<Record<string, Migration>>): Promise<boolean> {
  const later = (await executedMigrations(db)).filter((name) => all[name] === undefined);
  if (later.length > 0) {
    throw new Problem(
      'UNAVAILABLE',
      `A later version of Ledgerline has migrated the database (${later.join(', ')}): deploy that version, or restore a backup of before.`,
    );
  }
  await finishAllStaged(db);
  const locked = Object.entries(all).map(([name, { up }]): [string, Migration] => [
    name,
    { up: async (trx) => lockSchema(trx).then(() => up(trx)) },
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
