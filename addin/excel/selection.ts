import { inWorkbook, noRetry } from './batch.ts';

/** Milliseconds without a change of the selection before `onRest` is called: arrow keys repeat. */
const REST_MS = 200;

/**
 * Calls a function whenever the selection has moved to other cells or to another sheet; never, if Excel refuses the
 * event handlers.
 * @returns a function that removes the handlers
 */
export function followSelection(onRest: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const moved = async () => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(onRest, REST_MS);
  };
  const following = inWorkbook(async (context) => {
    const handlers = [
      context.workbook.onSelectionChanged.add(moved),
      context.workbook.worksheets.onActivated.add(moved),
    ];
    await context.sync();
    return { context, handlers };
  }, noRetry).catch(() => undefined);
  return () => {
    stopped = true;
    clearTimeout(timer);
    void following
      .then(async (followed) => {
        if (followed === undefined) return;
        for (const handler of followed.handlers) handler.remove();
        await followed.context.sync();
      })
      .catch(() => {});
  };
}
