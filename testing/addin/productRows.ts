import type { TableRow } from '../../addin/excel/tables/readTable.ts';
import { duplicateRefuser, productRowReader } from '../../addin/taskpane/productSheet/readProductRow.ts';

/** The rows of a product sheet, as a check reads them. */
export function readProductRows(
  rows: readonly TableRow[],
  ...[mode, messages, remembered]: Parameters<typeof productRowReader>
) {
  const read = rows.map(productRowReader(mode, messages, remembered));
  const { add, refused } = duplicateRefuser(messages);
  for (const row of read) add(row);
  return read.map(refused);
}
