import { isOfClockAhead } from '../../administrations/clockAhead.ts';
import { type WorkMessage, withLease, withTakeover } from '../../storage/takeover.ts';
import { isReadable, leaseOf, logPush, type PushDependencies, type PushLogger } from '../dependencies.ts';
import { changeHead, isPaused, type PushHead, unfinishedPushes } from '../pushStore.ts';
import { workPush } from './workPush.ts';

/** The longest delay of a message, in seconds; a queue stores one for seven days. */
const MAX_DELAY = 3600;

/** Milliseconds for which others wait for a push that cannot be read: an instance that has its secret key may come. */
const UNREADABLE_MS = 3_600_000;

/** What remains after a slice: nothing; more work, after so many seconds; or a pause that a later message ends. */
type Remaining = 'nothing' | 'paused' | { delay: number };

/**
 * Works on the pushes of an owner, the oldest first, one worker at a time, for a slice of time. A superfluous
 * message does no harm.
 * @param over aborted when the rest is for a later message
 */
export async function workPushes(
  dependencies: PushDependencies,
  message: WorkMessage,
  over: AbortSignal,
  log: PushLogger,
): Promise<void> {
  const { store, queue } = dependencies;
  const { owner } = message;
  const remaining = await withLease(dependencies, leaseOf(owner), message, over, (signal) =>
    workSlice(dependencies, message, signal, log),
  );
  if (remaining === undefined || remaining === 'paused') return;
  if (remaining !== 'nothing') await queue.send({ owner }, remaining.delay);
  else if ((await unfinishedPushes(store, owner)).length > 0) await queue.send({ owner });
}

async function workSlice(
  dependencies: PushDependencies,
  message: WorkMessage,
  over: AbortSignal,
  log: PushLogger,
): Promise<Remaining> {
  const unfinished = await unfinishedPushes(dependencies.store, message.owner);
  for (const [place, head] of unfinished.entries()) {
    if (isPaused(head)) return 'paused';
    const isAwaited = place < unfinished.length - 1;
    if (!isReadable(head, dependencies.secrets) && (await isGivenUp(dependencies, head, isAwaited))) {
      // What it applied is remembered: the same push with the same key begins anew, and applies the rest.
      await dependencies.store.remove(head.owner, head.id);
      logPush(log, 'removed, since its SECRET_KEY is lost', head);
      continue;
    }
    const report = (event: string, latest: typeof head) => logPush(log, event, latest);
    const work = () => workPush({ ...dependencies, report }, head, over);
    const outcome = await withTakeover(dependencies.queue, message, work);
    if (outcome !== 'ended') return { delay: Math.min(Math.ceil(outcome.after / 1000), MAX_DELAY) };
  }
  return 'nothing';
}

/**
 * Whether the secret key of a push counts as lost: no instance with it came for an hour, and the push is cancelled or
 * others wait for it.
 */
async function isGivenUp(
  { store }: PushDependencies,
  { owner, id, stopped, unreadableSince }: PushHead,
  isAwaited: boolean,
): Promise<boolean> {
  // The hour of a clock that was ahead would end a day late: it begins anew.
  if (unreadableSince !== undefined && !isOfClockAhead(unreadableSince, Date.now()))
    return (isAwaited || stopped !== '') && Date.now() - unreadableSince > UNREADABLE_MS;
  await changeHead(store, owner, id, (now) => ({ ...now, unreadableSince: Date.now() }));
  return false;
}
