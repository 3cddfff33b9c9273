import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/** This many invoices have at most 30,000 lines, and SQLite allows 32,766 values in a statement. */
const PAGE_SIZE = 400;
/**
 * Documents of a page that is read with its lines. More of them outlive collections of garbage, which would take a
 * quarter of the time.
 */
export const DOCUMENTS_OF_PAGE = 100;

/**
 * Reads rows page by page, each once, whatever is written meanwhile.
 * @param order selected columns that are unique together
 * @param size of a page in rows, not above the default
 */
export async function* pagesOf<Tables, Table extends keyof Tables, Row extends object>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  order: readonly (keyof Row & string)[],
  size = PAGE_SIZE,
): AsyncGenerator<Row[]> {
  const query = rows as unknown as SelectQueryBuilder<Record<'rows', Row>, 'rows', Row>;
  const columns = sql.join(order.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    const values = sql.join(order.map((column) => sql.val(last?.[column])));
    let page = last === undefined ? query : query.where(sql<SqlBool>`(${columns}) > (${values})`);
    for (const column of order) page = page.orderBy(sql.ref(column));
    const found = (await page.limit(size).execute()) as Row[];
    if (found.length === 0) return;
    yield found;
    last = found.at(-1);
  }
}
