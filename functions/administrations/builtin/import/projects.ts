import { long, number, requestedNumber, required, text, withNote } from '../files/column.ts';
import { folded } from '../sql/comparedText.ts';
import type { NewRow } from '../sql/schema.ts';
import { changeOrAdd } from './existingRows.ts';
import { importer, keysOnce } from './importRows.ts';
import { relationFinder } from './relationFiles/relationFinder.ts';

const columns = {
  Number: required(requestedNumber({ min: 1n })),
  Name: required(text()),
  Description: text(),
  CustomerNumber: withNote('the customer of the project', number()),
  RelationGUID: long({ min: 0n }),
};

/** Projects, known by number. */
export const projects = importer(columns, async (context) => {
  const { db, administration, report, isSound } = context;
  const once = keysOnce(report);
  return {
    rows: async (rows, has) => {
      const customerOf = await relationFinder(context, rows, {
        CustomerNumber: 'customer_number',
        RelationGUID: 'guid',
      });
      const projects = new Map<string, NewRow<'project'>>();
      for (const row of rows) {
        const { line, values, bad } = row;
        const customer = customerOf(row);
        if (values.Number === undefined || bad.size > 0) continue;
        if (!once(values.Number, line, 'Number', `project ${values.Number}`)) continue;
        projects.set(String(BigInt(values.Number)), {
          administration_id: administration.id,
          number: BigInt(values.Number),
          name: values.Name!,
          name_folded: folded(values.Name!),
          description: values.Description ?? '',
          customer_id: customer?.id ?? null,
        });
      }
      if (!isSound()) return;
      const changed = await changeOrAdd(
        context,
        'project',
        'number',
        projects,
        ({ number }) => String(number),
        ({ description, customer_id, ...rest }) => ({
          ...rest,
          ...(has('Description') ? { description } : {}),
          ...(has('CustomerNumber') || has('RelationGUID') ? { customer_id } : {}),
        }),
      );
      // The response of an invoice contains the name of its project.
      for (const id of changed)
        await db.updateTable('sales_invoice').where('project_id', '=', id).set({ answer: '' }).execute();
    },
  };
});
