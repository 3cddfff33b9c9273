import { defaultRetry, inWorkbook } from './batch.ts';

/** Milliseconds without a change of the selection before `onRest` is called: arrow keys repeat. */
const REST_MS = 200;
/** Milliseconds without a change of cells before `onRest` is called: who types goes on. */
const TYPING_MS = 600;

type Handler = OfficeExtension.EventHandlerResult<unknown>;

/**
 * Calls a function when Excel has the event handlers, or refused them, and whenever the selection has moved to other
 * cells or to another sheet after that. Who reads the selection sooner misses a move in between.
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
    onRest,
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

/**
 * Adds event handlers, after a cell that is being edited is finished.
 * @param stop called before the handlers are removed, and when they are called after that
 * @param begun called when the handlers are there, or were refused
 */
function follow(
  add: (context: Excel.RequestContext) => Handler[],
  stop: () => void,
  begun: () => void = () => {},
): () => void {
  const ended = new AbortController();
  const following = inWorkbook(
    async (context) => {
      const handlers = add(context);
      await context.sync();
      return { context, handlers };
    },
    { ...defaultRetry, signal: ended.signal },
  ).catch(() => undefined);
  void following.then(() => {
    if (!ended.signal.aborted) begun();
  });
  return () => {
    ended.abort();
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
