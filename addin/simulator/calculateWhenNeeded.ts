import type { AddIn } from './calculation/addInFunctions.ts';
import type { Change, Workbook } from './workbook/workbook.ts';

/**
 * Loads the formula engine when a workbook has its first formula, which is a text until then. Requests of the add-in wait
 * for it: Excel answers none with a formula that it has not calculated.
 */
export function calculateWhenNeeded(workbook: Workbook, addIn: AddIn): void {
  let isLoading = false;
  /** What changes while the engine is loaded, after a file with results was opened above all. */
  const meanwhile: Change[] = [];
  const stop = workbook.subscribe(check);
  function check(change?: Change): void {
    if (isLoading) {
      if (change !== undefined) meanwhile.push(change);
      return;
    }
    if (workbook.sheets.every(({ formulas }) => formulas === 0)) return;
    isLoading = true;
    workbook.awaitsCalculator = true;
    import('./calculation/calculator.ts')
      .then(({ attachCalculator }) => attachCalculator(workbook, addIn, meanwhile))
      .catch(() => {})
      .finally(() => {
        stop();
        workbook.awaitsCalculator = false;
        workbook.emit({ kind: 'calculated', places: new Map() });
      });
  }
  check();
}
