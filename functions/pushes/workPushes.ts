import { backoffMs, retries } from '../../shared/retry.ts';
import { leaseOf, logPush, type PushDependencies, type PushLogger, type PushMessage } from './dependencies.ts';
import { isPaused, unfinishedPushes } from './pushHeads.ts';
import { workPush } from './workPush.ts';

/** Seconds a message waits at the most; a queue keeps one for seven days. */
const MAX_DELAY = 3600;

/** What a slice of work leaves: nothing; more to do, after so many seconds; or a pause that a later message is there for. */
type Remaining = 'nothing' | 'paused' | { delay: number };

/**
 * Works on the pushes of a credential, the oldest first, one worker at a time, for a slice of time. A message too many does
 * no harm.
 * @param over aborted when the rest is for a later message
 */
export async function workPushes(
  dependencies: PushDependencies,
  { owner, tries = 0 }: PushMessage,
  over: AbortSignal,
  log: PushLogger,
): Promise<void> {
  const { store, storage, queue } = dependencies;
  const lease = await storage.lease(leaseOf(owner));
  if (lease === undefined) {
    // Who is at work goes on by itself; it may be about to end, or dead.
    const retry = retries.pushMessage;
    if (tries + 1 < retry.maxAttempts)
      await queue.send({ owner, tries: tries + 1 }, backoffMs(tries + 1, retry) / 1000);
    return;
  }
  let remaining: Remaining;
  try {
    remaining = await workSlice(dependencies, owner, AbortSignal.any([lease.lost, over]), log);
  } finally {
    await lease.release();
  }
  if (remaining === 'paused') return;
  if (remaining !== 'nothing') await queue.send({ owner }, remaining.delay);
  else if ((await unfinishedPushes(store, owner)).length > 0) await queue.send({ owner });
}

async function workSlice(
  dependencies: PushDependencies,
  owner: string,
  over: AbortSignal,
  log: PushLogger,
): Promise<Remaining> {
  for (const head of await unfinishedPushes(dependencies.store, owner)) {
    if (isPaused(head)) return 'paused';
    const report = (event: string, latest: typeof head) => logPush(log, event, latest);
    const outcome = await workPush({ ...dependencies, report }, head, over);
    if (outcome !== 'ended') return { delay: Math.min(Math.ceil(outcome.after / 1000), MAX_DELAY) };
  }
  return 'nothing';
}
