import { WorkbookProblem } from '../workbookProblem.ts';

/**
 * Asks, with the next request, how the workbook counts days. Office.js tells a date as its serial number only, and has no
 * property for the day that those begin at: a date that counts from 1904 would be read as one four years earlier.
 * @returns to be called after the request. @throws WorkbookProblem COUNTS_FROM_1904
 */
export function dateSystemOf({ workbook }: Excel.RequestContext): () => void {
  const secondOf1904 = workbook.functions.date(1904, 1, 2);
  secondOf1904.load({ value: true });
  return () => {
    if (secondOf1904.value === 1) throw new WorkbookProblem('COUNTS_FROM_1904');
  };
}
