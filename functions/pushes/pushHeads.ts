import { Problem } from '../../shared/problem.ts';
import type { PushHead, PushStore, VersionedHead } from './pushStore.ts';

export const isPushId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);

/** @throws Problem NOT_FOUND */
export async function findHead(store: PushStore, owner: string, id: string): Promise<VersionedHead> {
  const found = isPushId(id) ? await store.head(owner, id) : undefined;
  if (found === undefined) throw new Problem('NOT_FOUND', `There is no push ${id.slice(0, 100)}.`);
  return found;
}

/**
 * Changes a head, and tries again when another writer changed it first.
 * @param change returns undefined when there is nothing to change
 * @throws Problem NOT_FOUND
 */
export async function changeHead(
  store: PushStore,
  owner: string,
  id: string,
  change: (head: PushHead) => PushHead | undefined,
): Promise<{ head: PushHead; changed: boolean }> {
  for (;;) {
    const { head, version } = await findHead(store, owner, id);
    const next = change(head);
    if (next === undefined) return { head, changed: false };
    if ((await store.replace(next, version)) !== undefined) return { head: next, changed: true };
  }
}

/** The pushes of a credential that have not ended, the oldest first. */
export async function unfinishedPushes(store: PushStore, owner: string): Promise<PushHead[]> {
  const heads = await store.heads(owner);
  return heads
    .filter(({ state }) => state === 'waiting' || state === 'running')
    .sort((a, b) => a.createdOn - b.createdOn);
}

/** Whether a push waits for the end of a pause that the service asked for; a cancelled push does not wait. */
export const isPaused = ({ stopped, notBefore }: PushHead): boolean => stopped === '' && notBefore > Date.now() + 1000;
