import { isReadable, leaseOf, type PushDependencies } from './dependencies.ts';
import { isPaused, lastWorkedOn } from './pushStore.ts';

const DAY = 86_400_000;

/**
 * Restarts pushes that no worker works on, and removes what was stored long enough: pushes, and what is stored of
 * credentials that send no more requests. Of an administration in which a relation was anonymised, it removes the pushes
 * of documents that began before.
 */
export async function maintainPushes(dependencies: PushDependencies): Promise<void> {
  const { store, queue, storage, administrations, secrets, days } = dependencies;
  const now = Date.now();
  const retainedSince = now - days * DAY;
  const idle = new Set<string>();
  /** The applied rows of an unfinished push are remembered for as long as they may be sent again. */
  let forgetBefore = retainedSince;
  /** Asked once a push has ended that names people. */
  let anonymisedOn: Promise<ReadonlyMap<string, number>> | undefined;
  for await (const { owner, id, createdOn, endedOn, isPersonal } of store.index()) {
    if (endedOn !== null) {
      if (isPersonal) anonymisedOn ??= administrations.own?.anonymisedOn();
      // Seconds are whole: a push that began in the same one may have been before.
      const isOutdated = isPersonal && createdOn <= 1000 * (((await anonymisedOn)?.get(owner) ?? -1) + 1);
      if (endedOn < retainedSince || isOutdated) await store.remove(owner, id);
      continue;
    }
    const head = (await store.head(owner, id))?.head;
    // A caller whose request broke off while rows were stored may send it again for a day.
    if (head === undefined || head.state === 'receiving') {
      if (now - createdOn > DAY) await store.remove(owner, id);
    } else if (head.state === 'ended') {
      await store.enter(head);
    } else if (isReadable(head, secrets) || lastWorkedOn(head) >= retainedSince) {
      // On a slow plan a push may run for longer than an ended one is stored.
      if (!isPaused(head)) idle.add(owner);
      forgetBefore = Math.min(forgetBefore, createdOn);
    } else {
      // No worker could continue it in all that time: the secret key it was begun with is gone.
      await store.remove(owner, id);
    }
  }
  for (const owner of idle) {
    if (!(await storage.isLeased(leaseOf(owner)))) await queue.send({ owner });
  }
  await administrations.appliedWrites?.forget(Math.floor(forgetBefore / 1000));
  await administrations.maintain?.();
  await storage.removeOldLeases(new Date(now - DAY));
}
