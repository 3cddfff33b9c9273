import type { TableRow } from '../../addin/excel/tables/readTable.ts';
import { productRowReader, refuseDuplicates } from '../../addin/taskpane/productSheet/readProductRow.ts';

/** The rows of a product sheet, as a check reads them. */
export const readProductRows = (
  rows: readonly TableRow[],
  ...[mode, messages, remembered]: Parameters<typeof productRowReader>
) => refuseDuplicates(rows.map(productRowReader(mode, messages, remembered)), messages);
