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
  for (let turned = performance.now(); ; ) {
    const start = performance.now();
    const { done, value } = steps.next();
    if (done) return value;
    const end = performance.now();
    if (end - start > LONG_STEP_MS) await rest();
    else if (end - turned >= TURN_AFTER_MS) await turn();
    else continue;
    turned = performance.now();
  }
}
