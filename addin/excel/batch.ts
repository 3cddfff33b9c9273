import { WorkbookProblem, workbookProblem } from './workbookProblem.ts';

/** How long we wait for someone who is typing in a cell: Excel takes nothing from us meanwhile. */
export type Patience = {
  /** Milliseconds before each further attempt. */
  pauses: readonly number[];
  /** Told when waiting begins (true) and ends (false). */
  onWaiting?: (waiting: boolean) => void;
};

export const usualPatience: Patience = { pauses: [500, 1000, 2000, 4000, 8000, 8000, 8000] };

/**
 * Does something in the workbook. While a cell is being edited it waits and begins again, so what is done must come to
 * the same when it is done twice.
 * @throws WorkbookProblem
 */
export async function inWorkbook<Result>(
  work: (context: Excel.RequestContext) => Promise<Result>,
  patience: Patience = usualPatience,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await Excel.run(work);
      if (attempt > 0) patience.onWaiting?.(false);
      return result;
    } catch (error) {
      const problem = workbookProblem(error);
      const pause = patience.pauses[attempt];
      const editing = problem instanceof WorkbookProblem && problem.code === 'CELL_BEING_EDITED';
      if (!editing || pause === undefined) {
        if (attempt > 0) patience.onWaiting?.(false);
        throw problem;
      }
      if (attempt === 0) patience.onWaiting?.(true);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
