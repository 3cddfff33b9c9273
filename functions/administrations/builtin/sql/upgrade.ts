import { Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import type { SqlDialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { installTriggers } from './log/installTriggers.ts';
import { logTriggers } from './log/triggers.ts';
import { migrations } from './migrations/migrations.ts';

/** The names of the migrations and triggers of a current database. A changed trigger has another name. */
export const currentNames = (dialect: SqlDialect): string[] => [
  ...Object.keys(migrations(dialect)),
  ...logTriggers(dialect).map(({ name }) => name),
];

/** Brings the tables and triggers of a database up to date. */
export async function upgrade(db: Database): Promise<void> {
  const all = migrations(dialectOf(db));
  const migrator = new Migrator({ db, provider: { getMigrations: async () => all } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  await installTriggers(db);
  // Changes of migrations are not logged.
  if (results.length > 0) await db.deleteFrom('log_change').execute();
}
