import { inWorkbook, noRetry } from './batch.ts';

/** Milliseconds without a change of the selection before `onRest` is called: arrow keys repeat. */
const REST_MS = 200;
/** Milliseconds without a change of cells before `onRest` is called: who types goes on. */
const TYPING_MS = 600;

type Handler = OfficeExtension.EventHandlerResult<unknown>;

/**
 * Calls a function whenever the selection has moved to other cells or to another sheet; never, if Excel refuses the
 * event handlers.
 * @returns a function that removes the handlers
 */
export function followSelection(onRest: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moved = async () => {
    clearTimeout(timer);
    timer = setTimeout(onRest, REST_MS);
  };
  return follow(
    ({ workbook }) => [workbook.onSelectionChanged.add(moved), workbook.worksheets.onActivated.add(moved)],
    () => clearTimeout(timer),
  );
}

/**
 * Does some work whenever cells of a sheet have changed, except by the add-in itself; never, if Excel refuses the event
 * handlers. It is not begun again while it runs, and rests at least as long as it took.
 * @returns a function that removes the handlers
 */
export function followChanges(sheetId: string, work: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rest = TYPING_MS;
  let isRunning = false;
  let isDue = false;
  const schedule = () => {
    isDue = true;
    clearTimeout(timer);
    if (!isRunning) timer = setTimeout(() => void run(), rest);
  };
  const run = async () => {
    [isRunning, isDue] = [true, false];
    const begun = Date.now();
    await work().catch(() => {});
    rest = Math.max(TYPING_MS, Date.now() - begun);
    isRunning = false;
    if (isDue) schedule();
  };
  const changed = async ({ triggerSource }: Excel.WorksheetChangedEventArgs) => {
    if (triggerSource !== 'ThisLocalAddin') schedule();
  };
  return follow(
    ({ workbook }) => [workbook.worksheets.getItem(sheetId).onChanged.add(changed)],
    () => clearTimeout(timer),
  );
}

/** @param stop called before the handlers are removed, and when they are called after that */
function follow(add: (context: Excel.RequestContext) => Handler[], stop: () => void): () => void {
  const following = inWorkbook(async (context) => {
    const handlers = add(context);
    await context.sync();
    return { context, handlers };
  }, noRetry).catch(() => undefined);
  return () => {
    stop();
    void following
      .then(async (followed) => {
        if (followed === undefined) return;
        for (const handler of followed.handlers) handler.remove();
        await followed.context.sync();
        stop();
      })
      .catch(() => {});
  };
}
