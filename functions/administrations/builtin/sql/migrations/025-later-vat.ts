import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/** The documents of a filed return, which returns of before have none of, and what is done with later ones. */
export const laterVat = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { addTexts, addNumbers, addOptional } = columns(db, dialect);
    await addTexts('vat_return', 'documents');
    await addOptional('administration', 'vat_supplement_above', sql`bigint`);
    await addNumbers('administration', 'refuses_late');
  },
});
