/** Milliseconds of work after which others get a turn: a turn after each short step would cost more than the steps. */
const TURN_AFTER_MS = 5;
/** Milliseconds of work after which others get more than one turn of the event loop. */
const LONG_STEP_MS = 25;
/** A request takes several turns: with one between two long steps, it would wait for several of them. */
const REST_MS = 20;

/** Lets others work after a long step. */
export const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, REST_MS));

/**
 * Runs the steps of a generator, and lets others work every few milliseconds.
 * @param turn ends when others had one turn of the event loop
 */
export async function inSteps<Result>(steps: Generator<void, Result>, turn: () => Promise<unknown>): Promise<Result> {
  for (const pause = pauses(turn); ; ) {
    const start = performance.now();
    const { done, value } = steps.next();
    if (done) return value;
    const paused = pause(performance.now() - start);
    if (paused !== undefined) await paused;
  }
}

/** Runs the steps of a generator, all in one turn: for few of them. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Returns what lets others work every few milliseconds, to be called after each step of work.
 * @param turn ends when others had one turn of the event loop
 */
export function pauses(turn: () => Promise<unknown>): (stepMs?: number) => Promise<unknown> | undefined {
  let turned = performance.now();
  const begin = () => {
    turned = performance.now();
  };
  return (stepMs = 0) => {
    if (stepMs > LONG_STEP_MS) return rest().then(begin);
    return performance.now() - turned >= TURN_AFTER_MS ? turn().then(begin) : undefined;
  };
}
