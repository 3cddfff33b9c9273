import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';

/** In Azure the app owns the tables, by its identity: people who administer the server get at them too. */
export const databaseAdministrators = (dialect: SqlDialect): Migration => ({
  up: (db) => dialect.grantToAdministrators(db),
});
