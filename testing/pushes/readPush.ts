import { type PushedWrite, readPushInSteps } from '../../shared/resources/push.ts';

/** Reads all rows of a push. */
export function readPush(body: unknown): PushedWrite[] {
  const steps = readPushInSteps(body);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.writes;
  }
}
