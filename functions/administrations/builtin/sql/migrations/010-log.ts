import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/** The log of changes, where it ends, and what triggers note for it. */
export const log = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { ofAdministration, numbered, text, texts, numbers, optionalNumbers, create, index } = columns(db, dialect);
    await create('log', ofAdministration, (table) =>
      optionalNumbers(
        texts(
          numbers(table, 'sequence', 'at'),
          ...['origin', 'action', 'kind', 'subject', 'changes', 'personal', 'salt', 'personal_digest', 'hash'],
        ),
        'key_id',
        'relation_guid',
      ).addPrimaryKeyConstraint('log_key', ['administration_id', 'sequence']),
    );
    await index('log', false, 'administration_id', 'relation_guid');
    await create('log_head', ofAdministration, (table) =>
      texts(numbers(table, 'sequence'), 'hash').addPrimaryKeyConstraint('log_head_key', ['administration_id']),
    );
    await sql`insert into log_head (administration_id) select id from administration`.execute(db);
    await create('log_change', numbered, (table) =>
      optionalNumbers(
        texts(
          numbers(table, 'transaction_id', 'record_id'),
          ...['table_name', 'operation', 'record', 'old_values', 'new_values', 'old_personal', 'new_personal'],
        ).addColumn('subject', text),
        'administration_id',
        'row_id',
        'relation_guid',
      ),
    );
  },
});

/** Migration 028. Rows of the log that are about no relation, such as those of products, leave the index of relations. */
export const lighterLog: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop index log_administration_id_relation_guid`.execute(db);
    await sql`create index log_administration_id_relation_guid on log (administration_id, relation_guid)
      where relation_guid is not null`.execute(db);
  },
};
