import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** What finds the first page of relations in every order, without sorting them all. */
export const relationOrder = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.dropIndex('relation_administration_id_name_folded').execute();
    await columns(db, dialect).index('relation', false, 'administration_id', 'name_folded', 'guid');
    for (const role of ['customer', 'supplier']) {
      const number = sql.ref(`${role}_number`);
      const flag = sql.ref(`is_${role}`);
      // Those without a number come first, whichever the direction: the expressions listrelations orders by.
      const upwards = sql`case when coalesce(${number}, 0) <> 0 then ${number} else ${flag} - 1 end`;
      const downwards = sql`case when coalesce(${number}, 0) <> 0 then ${number} else 9223372036854775807 - ${flag} end`;
      for (const [direction, expression] of Object.entries({ upwards, downwards })) {
        const name = sql.id(`relation_${role}_number_${direction}`);
        await sql`create index ${name} on relation (administration_id, (${expression}), guid)`.execute(db);
      }
    }
  },
});
