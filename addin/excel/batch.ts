import { sleep } from '../../shared/client/sleep.ts';
import { backoffMs, type RetryOptions, retries, retryOptions } from '../../shared/retry.ts';
import { type WaitReason, WorkbookProblem, waitReasonOf, workbookProblem } from './workbookProblem.ts';

/** How to repeat a request that Excel refuses temporarily. */
export type Retry = {
  /** `maxAttempts` limits the attempts while Excel is busy; 1 means that nothing is repeated. */
  options: RetryOptions;
  /** Cancels the work: its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Called with the reason for waiting, and with undefined when the wait is over. */
  onWaiting?: (reason: WaitReason | undefined) => void;
};

export const defaultRetry: Retry = { options: retries.workbook };

export const noRetry: Retry = { options: retryOptions({ maxAttempts: 1 }) };

/**
 * Runs a request in the workbook, and repeats it from its start: without a limit while a cell is being edited or another
 * workbook is in front, and a few times while Excel is busy. So a repeated request must give the same result.
 * @throws WorkbookProblem, or the reason of the signal
 */
export async function inWorkbook<Result>(
  work: (context: Excel.RequestContext) => Promise<Result>,
  { options, signal, onWaiting }: Retry = defaultRetry,
): Promise<Result> {
  let waiting: WaitReason | undefined;
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await Excel.run(work);
      } catch (error) {
        const problem = workbookProblem(error);
        const reason = problem instanceof WorkbookProblem ? waitReasonOf(problem.code) : undefined;
        const isRepeated = reason === 'EXCEL_BUSY' ? attempt < options.maxAttempts : options.maxAttempts > 1;
        if (reason === undefined || !isRepeated) throw problem;
        if (reason !== waiting) onWaiting?.(reason);
        waiting = reason;
        await sleep(backoffMs(attempt, options), signal);
      }
    }
  } finally {
    if (waiting !== undefined) onWaiting?.(undefined);
  }
}
