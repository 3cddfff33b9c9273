import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { folded } from '../comparedText.ts';
import type { SqlDialect } from '../dialects/dialect.ts';
import type { Schema } from '../schema.ts';
import { columns } from './columns.ts';

const BATCH_SIZE = 1000;

/** Products have their name and number in the form in which they are searched. */
export const searchedProducts = (dialect: SqlDialect): Migration => ({
  async up(db: Kysely<Schema>): Promise<void> {
    await columns(db as unknown as Kysely<unknown>, dialect).addTexts('product', 'name_folded', 'number_folded');
    for (let last = 0n; ; ) {
      const products = await db
        .selectFrom('product')
        .where('id', '>', last)
        .orderBy('id')
        .limit(BATCH_SIZE)
        .select(['id', 'name', 'article_number'])
        .execute();
      if (products.length === 0) return;
      last = products.at(-1)!.id;
      for (const { id, name, article_number } of products) {
        const searched = { name_folded: folded(name), number_folded: folded(article_number) };
        await db.updateTable('product').where('id', '=', id).set(searched).execute();
      }
    }
  },
});
