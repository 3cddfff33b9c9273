import { type Columns, name, required } from '../files/column.ts';
import { folded } from '../sql/comparedText.ts';
import { insertRows } from '../sql/insertRows.ts';
import { importer, keysOnce, type Resource } from './importRows.ts';

/**
 * What has a name and nothing else, known by it in any case. One that exists stays as it is written: documents name it so.
 * @param column the name in the table; the folded one stands beside it
 */
function names(
  table: 'cost_center' | 'product_category' | 'order_status',
  heading: string,
  column: 'name' | 'label',
): Resource {
  const columns: Columns = { [heading]: required(name()) };
  const foldedColumn = `${column}_folded`;
  return importer(columns, async ({ db, administration, report, isSound, counts }) => {
    const once = keysOnce(report);
    return {
      rows: async (rows) => {
        const given = new Map<string, string>();
        for (const { line, values } of rows) {
          const name = values[heading] as string | undefined;
          if (name !== undefined && once(folded(name), line, heading, name)) given.set(folded(name), name);
        }
        if (!isSound()) return;
        const existing = await db
          .selectFrom(table as 'cost_center')
          .where('administration_id', '=', administration.id)
          .where(foldedColumn as 'name_folded', 'in', [...given.keys()])
          .select(`${foldedColumn as 'name_folded'} as known`)
          .execute();
        for (const { known } of existing) given.delete(known);
        const added = [...given].map(([key, name]) => ({
          administration_id: administration.id,
          [column]: name,
          [foldedColumn]: key,
        }));
        await insertRows(db, table, added as never);
        counts.added += added.length;
        counts.unchanged += existing.length;
      },
    };
  });
}

/** Cost centers, by name. */
export const costCenters = names('cost_center', 'Name', 'name');

/** Categories of products, by name. */
export const productCategories = names('product_category', 'Name', 'name');

/** Order statuses, by label. */
export const orderStatuses = names('order_status', 'Label', 'label');
