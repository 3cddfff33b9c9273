import { type SqlBool, sql } from 'kysely';
import type { ListedProduct } from '../../../../shared/resources/productList.ts';
import type { ProductLists } from '../../administration.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';
import { type ProductRow, productResponses, productRows } from './productResponse.ts';

/** The products of an administration, for lists: each list is one statement, and one for custom fields. */
export function productLists({ db, administration }: EndpointContext): ProductLists {
  const administrationId = administration.id;
  const all = () => productRows(db, administrationId);

  const named: ProductLists['named'] = async (numbers, eans) => {
    const rows = [
      ...(numbers.length === 0 ? [] : await all().where('article_number', 'in', numbers).execute()),
      // Many products have no EAN.
      ...(eans.length === 0 ? [] : await all().where('ean', 'in', eans).where('ean', '<>', '').execute()),
    ];
    return listed(db, [...new Map(rows.map((row) => [row.id, row])).values()]);
  };

  return {
    named,

    async search(text, limit) {
      const whole = (await named([text], [text])).filter(({ Archived }) => Archived === false);
      let matching = all().where('archived', '=', 0n).orderBy('article_number').limit(limit);
      for (const word of wordsOf(text)) {
        const part = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
        matching = matching.where(
          sql<SqlBool>`(product.number_folded like ${part} escape '\\' or product.name_folded like ${part} escape '\\'
            or lower(product.ean) like ${part} escape '\\')`,
        );
      }
      const found = await listed(db, await matching.execute());
      const numbers = new Set(whole.map(({ ArticleNumber }) => ArticleNumber));
      return [...whole, ...found.filter(({ ArticleNumber }) => !numbers.has(ArticleNumber))].slice(0, limit);
    },

    async page(from, limit) {
      const rows = await pageFrom(db, { administrationId, from, limit: BigInt(limit) + 1n });
      const [count] = await countOf(db, { administrationId });
      return {
        products: await listed(db, rows.slice(0, limit)),
        next: rows[limit]?.article_number ?? null,
        total: Number(count!.total),
      };
    },
  };
}

/** The words of a search, in the form in which they are compared; the more there are, the longer it takes. */
const wordsOf = (text: string): string[] => [...new Set(folded(text).split(/\s+/))].slice(0, MAX_WORDS);
const MAX_WORDS = 10;

const pageFrom = prepared(
  (db, { administrationId, from, limit }: { administrationId: bigint; from: string; limit: bigint }) =>
    productRows(db, administrationId).where('article_number', '>=', from).orderBy('article_number').limit(limit),
);

const countOf = prepared((db, { administrationId }: { administrationId: bigint }) =>
  db
    .selectFrom('product')
    .where('administration_id', '=', administrationId)
    .select((eb) => eb.fn.countAll<bigint>().as('total')),
);

async function listed(db: Database, rows: readonly ProductRow[]): Promise<ListedProduct[]> {
  const responses = await productResponses(db, rows);
  return responses.map((response, index) => ({ ...response, Archived: rows[index]!.archived === 1n }));
}
