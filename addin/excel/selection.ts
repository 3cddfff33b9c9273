import { inWorkbook, type Retry } from './batch.ts';

/** Milliseconds the selection must rest before anybody is told: arrow keys repeat. */
const REST_MS = 200;

/**
 * Tells whenever the selection has come to rest at other cells or on another sheet. Where Excel refuses to listen it tells
 * nothing.
 * @returns stops it
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
  }, noWaiting).catch(() => undefined);
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

/** The selection is looked at again when it moves: no attempt is worth a second one. */
export const noWaiting: Retry = { delays: [] };
