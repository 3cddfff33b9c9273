import { long, noted, number, requestedNumber, required, text } from '../files/column.ts';
import { folded } from '../sql/comparedText.ts';
import type { NewRow } from '../sql/schema.ts';
import { changeOrAdd } from './changeOrAdd.ts';
import { importer, keysOnce } from './importRows.ts';
import { relationFinder } from './relations/relationFinder.ts';

const columns = {
  Number: required(requestedNumber({ min: 1n })),
  Name: required(text()),
  Description: text(),
  CustomerNumber: noted('whose it is', number()),
  RelationGUID: long({ min: 0n }),
};

/** Projects, known by number: one that exists is changed, in the columns the file has. */
export const projects = importer(columns, async (context) => {
  const { db, administration, report, isSound } = context;
  const once = keysOnce(report);
  return {
    rows: async (rows, has) => {
      const relations = await relationFinder(context, rows, {
        CustomerNumber: 'customer_number',
        RelationGUID: 'guid',
      });
      const read = new Map<string, NewRow<'project'>>();
      for (const row of rows) {
        const { line, values, bad } = row;
        const customer = relations(row);
        if (values.Number === undefined || bad.size > 0) continue;
        if (!once(values.Number, line, 'Number', `project ${values.Number}`)) continue;
        read.set(String(BigInt(values.Number)), {
          administration_id: administration.id,
          number: BigInt(values.Number),
          name: values.Name!,
          name_folded: folded(values.Name!),
          description: values.Description ?? '',
          customer_id: customer?.id ?? null,
        });
      }
      if (!isSound()) return;
      const existing = await db
        .selectFrom('project')
        .where('administration_id', '=', administration.id)
        .where('number', 'in', [...read.keys()].map(BigInt))
        .selectAll()
        .execute();
      const changed = await changeOrAdd(
        context,
        'project',
        read,
        existing,
        (old) => String(old.number),
        ({ description, customer_id, ...rest }) => ({
          ...rest,
          ...(has('Description') ? { description } : {}),
          ...(has('CustomerNumber') || has('RelationGUID') ? { customer_id } : {}),
        }),
      );
      // Invoices are answered with the name of their project.
      for (const id of changed)
        await db.updateTable('sales_invoice').where('project_id', '=', id).set({ answer: '' }).execute();
    },
  };
});
