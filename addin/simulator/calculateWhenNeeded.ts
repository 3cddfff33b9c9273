import type { AddIn } from './calculation/addInFunctions.ts';
import type { Workbook } from './workbook/workbook.ts';

/** Loads the formula engine when a workbook has its first formula, which is a text until then. */
export function calculateWhenNeeded(workbook: Workbook, addIn: AddIn): void {
  const stop = workbook.subscribe(check);
  function check(): void {
    if (workbook.sheets.every(({ formulas }) => formulas === 0)) return;
    stop();
    import('./calculation/calculator.ts')
      .then(({ attachCalculator }) => attachCalculator(workbook, addIn))
      .catch(() => {});
  }
  check();
}
