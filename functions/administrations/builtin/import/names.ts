import { type Columns, name, required } from '../files/column.ts';
import { folded } from '../sql/comparedText.ts';
import { changeOrAdd } from './existingRows.ts';
import { importer, keysOnce, type Resource } from './importRows.ts';

/** Rows with a name only, known by it in any case. Existing names keep their spelling: documents have it. */
function names(table: 'cost_center' | 'product_category' | 'order_status', heading: string, column: string): Resource {
  const columns: Columns = { [heading]: required(name()) };
  const foldedColumn = `${column}_folded`;
  return importer(columns, async (context) => {
    const { administration, report, isSound } = context;
    const once = keysOnce(report);
    return {
      rows: async (rows) => {
        const named = new Map<string, object>();
        for (const { line, values } of rows) {
          const name = values[heading] as string | undefined;
          if (name === undefined || !once(folded(name), line, heading, name)) continue;
          const row = { administration_id: administration.id, [column]: name, [foldedColumn]: folded(name) };
          named.set(folded(name), row);
        }
        if (!isSound()) return;
        const keyOf = (row: object) => (row as Record<string, string>)[foldedColumn]!;
        await changeOrAdd(context, table, foldedColumn as never, named as never, keyOf, () => ({}));
      },
    };
  });
}

export const costCenters = names('cost_center', 'Name', 'name');
export const productCategories = names('product_category', 'Name', 'name');
export const orderStatuses = names('order_status', 'Label', 'label');
