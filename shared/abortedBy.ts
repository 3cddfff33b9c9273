/** A controller that the first of some signals aborts too: `AbortSignal.any`, which WebKit before 17.4 lacks. */
export function abortedBy(...signals: readonly (AbortSignal | undefined)[]): AbortController {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal?.aborted) controller.abort(signal.reason);
    signal?.addEventListener('abort', () => controller.abort(signal.reason), { once: true, signal: controller.signal });
  }
  return controller;
}
