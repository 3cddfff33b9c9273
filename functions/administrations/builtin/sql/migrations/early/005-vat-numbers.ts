import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { comparedVatNumber } from '../../comparedText.ts';
import type { Schema } from '../../schema.ts';

const BATCH_SIZE = 1000;

/** VAT numbers as they are compared, made anew where the rule makes something else of them than it did. */
export const vatNumbers: Migration = {
  async up(db: Kysely<Schema>): Promise<void> {
    let last = 0n;
    for (;;) {
      const relations = await db
        .selectFrom('relation')
        .where('id', '>', last)
        .orderBy('id')
        .limit(BATCH_SIZE)
        .select(['id', 'vat_number', 'vat_compared'])
        .execute();
      if (relations.length === 0) return;
      last = relations.at(-1)!.id;
      for (const { id, vat_number, vat_compared } of relations) {
        const compared = comparedVatNumber(vat_number);
        if (compared === vat_compared) continue;
        await db.updateTable('relation').where('id', '=', id).set({ vat_compared: compared }).execute();
      }
    }
  },
};
