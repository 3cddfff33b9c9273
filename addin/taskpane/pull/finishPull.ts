import type { Written } from '../../excel/tables/table.ts';
import { isSameAdministration, isSameSource } from '../../excel/tables/tableMemory.ts';
import { removeUnfinished, type Unfinished } from '../../excel/tables/unfinished.ts';
import { INVOICE_LINES, INVOICES } from '../tables/invoiceTables.ts';
import { canRefresh, type RefreshContext, refreshPull } from './pulls.ts';

/** Whether a pull that was broken off can be finished: by asking once more what it asked. */
export const canFinish = (
  { source }: Unfinished,
  { administration }: Pick<RefreshContext, 'administration'>,
): boolean => canRefresh(source) && isSameAdministration(source.administration, administration);

/**
 * Finishes a pull that was broken off. Invoices and their lines come together: half lists of both are replaced.
 * @param all what else is unfinished in the workbook
 */
export async function finishPull(
  context: RefreshContext,
  one: Unfinished,
  all: readonly Unfinished[],
): Promise<Written[]> {
  const lines = all.find((other) => other.source.view === INVOICE_LINES && isSameInvoices(one, other));
  const asked = one.source.view === INVOICES && lines !== undefined ? lines : one;
  for (const other of all) {
    if (other.work === 'new' && (other === one || isSameInvoices(asked, other)))
      await removeUnfinished(other, context.retry);
  }
  return refreshPull(context, asked.source);
}

/** Whether two tables are the invoices and the invoice lines of one period. */
const isSameInvoices = ({ source }: Unfinished, other: Unfinished): boolean =>
  [source.view, other.source.view].every((view) => view === INVOICES || view === INVOICE_LINES) &&
  isSameSource(withoutLines(source), withoutLines(other.source));

const withoutLines = ({ query: { WithLines, ...query }, ...source }: Unfinished['source']): Unfinished['source'] => ({
  ...source,
  view: INVOICES,
  query,
});
