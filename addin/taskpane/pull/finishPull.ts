import type { Written } from '../../excel/tables/table.ts';
import { isSameAdministration, isSameSource } from '../../excel/tables/tableMemory.ts';
import { removeUnfinished, type Unfinished } from '../../excel/tables/unfinished.ts';
import { INVOICE_LINES, INVOICES } from '../sheetColumns/invoiceTables.ts';
import { canRefresh, pullInvoices, type RefreshContext, refreshPull } from './pulls.ts';

/** Whether an interrupted pull can be finished by repeating its query. */
export const canFinish = (
  { source }: Unfinished,
  { administration }: Pick<RefreshContext, 'administration'>,
): boolean => canRefresh(source) && isSameAdministration(source.administration, administration);

/**
 * Finishes an interrupted pull. Invoices and their lines belong together: incomplete lists of both are replaced.
 * @param all everything unfinished in the workbook
 */
export async function finishPull(
  context: RefreshContext,
  one: Unfinished,
  all: readonly Unfinished[],
): Promise<Written[]> {
  const together = all.filter((other) => other === one || isSameInvoices(one, other));
  for (const other of together) if (other.work === 'new') await removeUnfinished(other, context.retry);
  if (!isOfInvoices(one)) return refreshPull(context, one.source);
  const withLines = together.find(({ source }) => source.view === INVOICE_LINES);
  return pullInvoices(context, (withLines ?? one).source.query);
}

const isOfInvoices = ({ source }: Unfinished): boolean => [INVOICES, INVOICE_LINES].includes(source.view);

/** Whether two tables are of the invoices of one period. */
const isSameInvoices = (one: Unfinished, other: Unfinished): boolean =>
  isOfInvoices(one) && isOfInvoices(other) && isSameSource(withoutLines(one.source), withoutLines(other.source));

const withoutLines = ({ query: { WithLines, ...query }, ...source }: Unfinished['source']): Unfinished['source'] => ({
  ...source,
  view: INVOICES,
  query,
});
