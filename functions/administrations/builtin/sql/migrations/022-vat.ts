import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { SqlDialect } from '../dialects/dialect.ts';
import { columns } from './columns.ts';

/** Rules that an administration has of its own for its VAT return, and the returns that were filed. */
export const vat = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const { ofAdministration, numbered, texts, numbers, create, index, addTexts } = columns(db, dialect);
    await addTexts('administration', 'vat_rounding');
    await create('vat_rule', numbered, ofAdministration, (table) =>
      numbers(
        texts(
          table,
          'tax_type',
          'tax_code',
          'document',
          'base_boxes',
          'owed_boxes',
          'deductible_boxes',
          'listing',
          'doubt',
        ),
        'self_assessed_pc',
        'deductible_pc',
      ),
    );
    await index('vat_rule', true, 'administration_id', 'tax_type', 'tax_code', 'document');
    await create('vat_return', numbered, ofAdministration, (table) =>
      numbers(texts(table, 'period', 'first_day', 'last_day', 'figures'), 'filed_on'),
    );
    await index('vat_return', true, 'administration_id', 'period');
  },
});
