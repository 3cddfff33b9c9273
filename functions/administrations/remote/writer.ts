import { isInterfaceWrite, type PushedName, shownOf } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { isRepeatable } from '../../../shared/retry.ts';
import { type KeyedWrite, MAX_PAUSE_MS, type PushWriter, type WriteOutcome } from '../administration.ts';
import type { Attempt } from './attempts.ts';
import { writeOutcome } from './failure.ts';
import { Deferred } from './rateLimit/deferred.ts';
import type { Result } from './readResponse.ts';
import { withoutKey } from './withoutKey.ts';

/**
 * Sends writes one by one, each once; the caller decides which are sent again.
 * @param dependencies.pause sends nothing for the credential for so many milliseconds
 */
export function remoteWriter(
  credential: Credential,
  dependencies: Pick<PushWriter, 'concurrency' | 'isRateLimited'> & {
    attempt: Attempt;
    pause: (milliseconds: number) => void;
    random: () => number;
  },
): PushWriter {
  const { attempt, pause, random, concurrency, isRateLimited } = dependencies;
  /** The number of deferred writes in a row. */
  let deferrals = 0;

  async function writeOne(
    write: KeyedWrite,
    onSending: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<WriteOutcome> {
    const options = {
      priority: 'background',
      timeout: Number.POSITIVE_INFINITY,
      maxPause: MAX_PAUSE_MS,
      signal,
    } as const;
    if (!isInterfaceWrite(write)) {
      await onSending();
      const message = 'The service behind this one has no ledger that can be written.';
      return { kind: 'refused', problem: new Problem('NOT_IMPLEMENTED', message) };
    }
    let result: Result;
    try {
      result = await attempt(write.name, write.request, credential, options, onSending);
    } catch (reason) {
      if (!(reason instanceof Deferred)) throw reason;
      return { kind: 'deferred', problem: reason, after: reason.after };
    }
    if (result.kind === 'response') {
      deferrals = 0;
      return { kind: 'applied', shown: shownIfReadable(write.name, result.response) };
    }
    const { pause: wait, ...outcome } = writeOutcome(write, result, { number: deferrals + 1, random: random() });
    deferrals = outcome.kind === 'deferred' ? deferrals + 1 : 0;
    if (wait !== undefined) pause(wait);
    return { ...outcome, problem: withoutKey(outcome.problem, credential) };
  }

  return {
    batchSize: 1,
    concurrency,
    isRateLimited,
    isInOrder: false,
    isRepeatable: ({ name, request }) => isRepeatable(name, request),
    write: async ([write], onSending, signal) => [await writeOne(write!, onSending, signal)],
  };
}

/** "" when it cannot be shown, since it was applied all the same. */
function shownIfReadable(name: PushedName, response: unknown): string {
  try {
    return shownOf(name, response);
  } catch {
    return '';
  }
}
