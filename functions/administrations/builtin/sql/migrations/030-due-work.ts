import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { withDerived } from '../rows.ts';
import type { Schema } from '../schema.ts';
import { columns } from './columns.ts';

const BATCH_SIZE = 1000;

/** What timers find their work by, however many administrations there are that have none. */
export const dueWork = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Schema>): Promise<void> {
    const { addTexts, index } = columns(db as unknown as Kysely<unknown>, dialect);
    await addTexts('periodic_invoice', 'next_due');
    for (let last = 0n, isMore = true; isMore; ) {
      const templates = await db
        .selectFrom('periodic_invoice')
        .where('id', '>', last)
        .orderBy('id')
        .limit(BATCH_SIZE)
        .select(['id', 'starting_date', 'end_date', 'frequency', 'frequency_unit', 'made'])
        .execute();
      for (const { id, ...schedule } of templates) {
        const { next_due } = withDerived('periodic_invoice', schedule);
        await db.updateTable('periodic_invoice').where('id', '=', id).set({ next_due }).execute();
      }
      isMore = templates.length === BATCH_SIZE;
      last = templates.at(-1)?.id ?? last;
    }
    await index('periodic_invoice', false, 'next_due');
    await index('outgoing_mail', false, 'state', 'due_on');
  },
});
