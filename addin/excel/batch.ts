import { sleep } from '../../shared/client/sleep.ts';
import { type WaitReason, WorkbookProblem, waitReasonOf, workbookProblem } from './workbookProblem.ts';

/** How to repeat a request that Excel refuses temporarily. */
export type Retry = {
  /** Milliseconds before each further attempt; the last one is used for all that follow. Empty: one attempt only. */
  delays: readonly number[];
  /** Cancels the work: its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Called with the reason for waiting, and with undefined when the wait is over. */
  onWaiting?: (reason: WaitReason | undefined) => void;
};

export const defaultRetry: Retry = { delays: [500, 1000, 2000, 4000, 8000] };

/** The most attempts of a request that a busy Excel refuses. */
const MAX_BUSY_ATTEMPTS = 6;

/**
 * Runs a request in the workbook, and repeats it from its start: without a limit while a cell is being edited or another
 * workbook is in front, and a few times while Excel is busy. So a repeated request must give the same result.
 * @throws WorkbookProblem, or the reason of the signal
 */
export async function inWorkbook<Result>(
  work: (context: Excel.RequestContext) => Promise<Result>,
  { delays, signal, onWaiting }: Retry = defaultRetry,
): Promise<Result> {
  let waiting: WaitReason | undefined;
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await Excel.run(work);
      } catch (error) {
        const problem = workbookProblem(error);
        const reason = problem instanceof WorkbookProblem ? waitReasonOf(problem.code) : undefined;
        const isFinal = reason === 'EXCEL_BUSY' && attempt >= MAX_BUSY_ATTEMPTS;
        if (reason === undefined || isFinal || delays.length === 0) throw problem;
        if (reason !== waiting) onWaiting?.(reason);
        waiting = reason;
        await sleep(delays[Math.min(attempt, delays.length) - 1]!, signal);
      }
    }
  } finally {
    if (waiting !== undefined) onWaiting?.(undefined);
  }
}
