import { type Columns, name, required } from '../files/column.ts';
import { folded } from '../sql/comparedText.ts';
import { insertRows } from '../sql/insertRows.ts';
import { type ImportContext, importer, keysOnce } from './importRows.ts';

/**
 * What has a name and nothing else, known by it in any case. One that exists stays as it is written: documents name it so.
 * @param store finds which there are, and adds the others: name folded -> name
 */
const names = (column: string, store: (context: ImportContext, names: Map<string, string>) => Promise<void>) =>
  importer({ [column]: required(name()) } as Columns, async (context) => {
    const once = keysOnce(context.report);
    return {
      rows: async (rows) => {
        const given = new Map<string, string>();
        for (const { line, values } of rows) {
          const name = values[column] as string | undefined;
          if (name !== undefined && once(folded(name), line, column, name)) given.set(folded(name), name);
        }
        if (!context.isSound()) return;
        const { size } = given;
        await store(context, given);
        context.counts.added += given.size;
        context.counts.unchanged += size - given.size;
      },
    };
  });

/** What is known by its name, in a table of its own. */
const inTable = (table: 'cost_center' | 'product_category') =>
  names('Name', async ({ db, administration }, given) => {
    const existing = await db
      .selectFrom(table)
      .where('administration_id', '=', administration.id)
      .where('name_folded', 'in', [...given.keys()])
      .select('name_folded')
      .execute();
    for (const { name_folded } of existing) given.delete(name_folded);
    const rows = [...given].map(([name_folded, name]) => ({ administration_id: administration.id, name, name_folded }));
    await insertRows(db, table, rows);
  });

/** Cost centers, by name. */
export const costCenters = inTable('cost_center');

/** Categories of products, by name. */
export const productCategories = inTable('product_category');

/** Order statuses, by label. */
export const orderStatuses = names('Label', async ({ db, administration }, given) => {
  const existing = await db
    .selectFrom('order_status')
    .where('administration_id', '=', administration.id)
    .where('label_folded', 'in', [...given.keys()])
    .select('label_folded')
    .execute();
  for (const { label_folded } of existing) given.delete(label_folded);
  const rows = [...given].map(([label_folded, label]) => ({
    administration_id: administration.id,
    label,
    label_folded,
  }));
  await insertRows(db, 'order_status', rows);
});
