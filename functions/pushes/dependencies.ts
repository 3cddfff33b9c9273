import limited, { type LimitFunction } from 'p-limit';
import type { Administrations } from '../administrations/administration.ts';
import type { Queue } from '../storage/queue.ts';
import type { Storage } from '../storage/storage.ts';
import type { PushSecrets } from './pushSecrets.ts';
import type { PushHead, PushStore } from './pushStore.ts';

/** The queue of owners that may have work. */
export const PUSH_QUEUE = 'pushes';

export type PushLogger = (line: string) => void;

/** The dependencies of the functions of pushes. */
export type PushDependencies = {
  store: PushStore;
  queue: Queue;
  storage: Pick<Storage, 'lease' | 'isLeased' | 'removeOldLeases'>;
  administrations: Administrations;
  secrets: PushSecrets;
  oneAtATime: OneAtATime;
  /** An IANA time zone; left out: Europe/Amsterdam. */
  timeZone?: string;
  /** Days for which an ended push is stored. */
  days: number;
};

/** Does work for an owner when earlier work for it in this instance has ended. */
type OneAtATime = <Result>(owner: string, work: () => Promise<Result>) => Promise<Result>;

export function queuesOfOwners(): OneAtATime {
  const queues = new Map<string, LimitFunction>();
  return async (owner, work) => {
    const queue = queues.get(owner) ?? limited(1);
    queues.set(owner, queue);
    try {
      return await queue(work);
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(owner);
    }
  };
}

/** The lease that lets one worker at a time work for an owner. */
export const leaseOf = (owner: string): string => `push-${owner}`;

/** Whether this instance has the secret key a push was begun with. */
export function isReadable({ owner, id, credential }: PushHead, secrets: PushSecrets): boolean {
  try {
    return secrets.decrypted(credential, `${owner}.${id}`) !== undefined;
  } catch {
    return false;
  }
}

/** Logs each change of a push's state, with counts and without its rows or its credential. */
export const logPush = (log: PushLogger, event: string, { id, total, counts, stopped }: PushHead): void =>
  log(JSON.stringify({ event: `push ${event}`, push: id, total, ...counts, ...(stopped === '' ? {} : { stopped }) }));
