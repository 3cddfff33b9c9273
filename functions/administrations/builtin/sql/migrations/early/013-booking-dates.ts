import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../../dialects/dialect.ts';
import { columns } from '../columns.ts';

/** The dates on which an administration books. */
export const bookingDates = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await columns(db, dialect).addTexts('administration', 'first_booking_date', 'last_booking_date', 'closed_until');
  },
});
