import { pushedNames } from '../../shared/api.ts';
import { type PushedWrite, readPushInSteps } from '../../shared/resources/push.ts';

/** The result of all steps. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Reads all rows of a push. */
export const readPush = (body: unknown): PushedWrite[] => atOnce(readPushInSteps(body, pushedNames)).writes;
