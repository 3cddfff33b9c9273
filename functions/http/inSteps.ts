import { setImmediate as otherWork } from 'node:timers/promises';

/** Runs the steps of a generator, and lets other requests run between them. */
export async function inSteps<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await otherWork();
  }
}
