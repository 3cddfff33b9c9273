import fc from 'fast-check';
import { beforeEach } from 'vitest';

/*
 * A property that hangs, or whose failure takes long to be made smaller, ends before the time limit of its test: so it
 * is reported with its seed and the number of its run, or with the failure that was found.
 */

/** Milliseconds for the report. */
const REPORT = 5000;

// Tests may replace the clock.
const now = performance.now.bind(performance);

let end = Number.POSITIVE_INFINITY;

beforeEach(({ task }) => {
  end = now() + task.timeout - REPORT;
});

fc.configureGlobal({
  get interruptAfterTimeLimit() {
    return end - now();
  },
  markInterruptAsFailure: true,
});
