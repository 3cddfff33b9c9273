import type { Administrations } from '../administrations/administration.ts';
import type { Queue } from '../storage/queue.ts';
import type { Storage } from '../storage/storage.ts';
import type { CredentialSecrets } from './encryptedCredential.ts';
import type { PushHead, PushStore } from './pushStore.ts';

/** The queue whose messages say: there may be work for this credential. */
export const PUSH_QUEUE = 'pushes';
export type PushMessage = { owner: string; tries?: number };

/** Takes a line for whoever runs the app. */
export type PushLogger = (line: string) => void;

/** What the parts of pushes work with. */
export type PushDependencies = {
  store: PushStore;
  queue: Queue;
  storage: Pick<Storage, 'lease' | 'isLeased' | 'removeOldLeases'>;
  administrations: Administrations;
  secrets: CredentialSecrets;
  /** Days a push that ended is kept. */
  days: number;
};

/** The lease under which one worker at a time works for a credential. */
export const leaseOf = (owner: string): string => `push-${owner}`;

/** One line for each change of a push's state: counts, nothing of the rows or the credential. */
export const logPush = (log: PushLogger, event: string, { id, total, counts, stopped }: PushHead): void =>
  log(JSON.stringify({ event: `push ${event}`, push: id, total, ...counts, ...(stopped === '' ? {} : { stopped }) }));
