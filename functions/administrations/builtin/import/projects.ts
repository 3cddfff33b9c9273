import { long, number, requestedNumber, required, text } from '../files/column.ts';
import { folded } from '../sql/comparedText.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { NewRow } from '../sql/schema.ts';
import { differing, importer, keysOnce } from './importRows.ts';
import { relationFinder } from './relations/relationFinder.ts';

const columns = {
  Number: required(requestedNumber({ min: 1n })),
  Name: required(text()),
  Description: text(),
  CustomerNumber: number(),
  RelationGUID: long({ min: 0n }),
};

/** Projects, known by number: one that exists is changed, in the columns the file has. */
export const projects = importer(columns, async (context) => {
  const { db, administration, report, isSound, counts } = context;
  const once = keysOnce(report);
  return {
    rows: async (rows, has) => {
      const relations = await relationFinder(context, rows, {
        CustomerNumber: 'customer_number',
        RelationGUID: 'guid',
      });
      const read = new Map<bigint, Omit<NewRow<'project'>, 'id' | 'administration_id'>>();
      for (const row of rows) {
        const { line, values, bad } = row;
        const customer = relations(row);
        if (values.Number === undefined || bad.size > 0) continue;
        if (!once(values.Number, line, 'Number', `project ${values.Number}`)) continue;
        read.set(BigInt(values.Number), {
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
        .where('number', 'in', [...read.keys()])
        .selectAll()
        .execute();
      for (const { id, ...old } of existing) {
        const { description, customer_id, ...rest } = read.get(old.number)!;
        read.delete(old.number);
        const change = differing(old, {
          ...rest,
          ...(has('Description') ? { description } : {}),
          ...(has('CustomerNumber') || has('RelationGUID') ? { customer_id } : {}),
        });
        if (change === undefined) counts.unchanged++;
        else {
          counts.changed++;
          await db.updateTable('project').where('id', '=', id).set(change).execute();
          // Invoices are answered with the name of their project.
          await db.updateTable('sales_invoice').where('project_id', '=', id).set({ answer: '' }).execute();
        }
      }
      await insertRows(
        db,
        'project',
        [...read.values()].map((project) => ({ administration_id: administration.id, ...project })),
      );
      counts.added += read.size;
    },
  };
});
