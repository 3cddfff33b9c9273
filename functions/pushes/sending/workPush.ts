import { randomUUID } from 'node:crypto';
import type { Credential } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import type { PushedWrite } from '../../../shared/resources/push.ts';
import type { RetryOptions } from '../../../shared/retry.ts';
import {
  type Administrations,
  type AppliedWrites,
  MAX_PAUSE_MS,
  type PushWriter,
} from '../../administrations/administration.ts';
import type { PushSecrets } from '../pushSecrets.ts';
import type { PushHead, PushStore } from '../pushStore.ts';
import { openLookUp } from './lookUp.ts';
import { doneIn, openPushLog, type PushLog, type RowUpdate } from './pushLog.ts';
import { isSettled } from './rowState.ts';
import { isOfCredential, keyOf, sendRows, updateOf } from './sendRows.ts';

/** The dependencies of a worker. */
type WorkDependencies = {
  store: PushStore;
  administrations: Pick<Administrations, 'open' | 'writer' | 'appliedWrites'>;
  secrets: PushSecrets;
  /** Where a day begins and a time is told: an IANA time zone. */
  timeZone?: string;
  /** Logs a new state of a push. */
  report: (event: string, head: PushHead) => void;
  /** Retries of a row whose response was lost, and of failed requests to the storage. */
  rowRetry?: RetryOptions;
  storageRetry?: RetryOptions;
};

export const CANCELLED = 'CANCELLED';

/**
 * Works on one push: sends its rows, and records the outcome of each, until it has ended or the signal says to stop.
 * Rows that were sent are waited for in any case.
 * @param signal the slice of time is over, or the lease is lost
 * @returns whether it has ended, or in how many milliseconds to continue
 */
export async function workPush(
  dependencies: WorkDependencies,
  { owner, id }: { owner: string; id: string },
  signal: AbortSignal,
): Promise<'ended' | { after: number }> {
  const { store, administrations, secrets } = dependencies;
  const found = await store.head(owner, id);
  if (found === undefined || found.head.state === 'ended') return 'ended';
  const { writeKey = id, inOrder = true } = found.head;
  const { writer, refusal } = await openWriter();
  const writes = await store.rows(owner, id);
  const worker = randomUUID();
  const about = factsOf(writes, administrations, writer);
  const log = await openPushLog(store, { owner, id }, worker, about, dependencies.storageRetry);
  const isNew = log.head().state === 'waiting';
  await log.change((head) => ({
    ...head,
    worker,
    state: 'running',
    startedOn: head.startedOn ?? Date.now(),
    milestones: [{ at: Date.now(), done: doneIn(head.counts) }],
    notBefore: 0,
    unreadableSince: undefined,
    stopped: refusal?.code ?? head.stopped,
  }));
  if (log.head().state === 'ended') return 'ended';
  const indexes = [...writes.keys()];
  await log.record(
    indexes.filter((index) => log.row(index).state === 'sending').map((index) => ({ index, event: 'found sending' })),
  );
  if (isNew) dependencies.report('started', log.head());

  const { appliedWrites } = administrations;
  const lostDocuments =
    appliedWrites === undefined
      ? openLookUp({ ...dependencies, credential: credentialIn(found.head, secrets), writes, log, signal })
      : undefined;
  let after = 0;
  if (writer !== undefined) {
    if (!(await isDone(lostDocuments?.listFirst()))) return { after: 0 };
    after = await sendRows(
      { writer, remembers: appliedWrites !== undefined, writeKey, writes, inOrder, log, retry: dependencies.rowRetry },
      signal,
    );
  } else if (appliedWrites !== undefined) await settleUnconfirmed(appliedWrites, refusal!, writeKey, writes, log);
  if (!log.isHeldByThisWorker()) return { after: MAX_PAUSE_MS };
  if (log.head().stopped !== '') {
    await log.record(indexes.map((index) => ({ index, event: 'cancelled', ...reasonOf(log) })));
  }
  if (!indexes.every((index) => isSettled(log.row(index)))) {
    if (after > 0) await log.change((head) => ({ ...head, notBefore: Date.now() + after }));
    return { after };
  }
  if (!(await isDone(lostDocuments?.lookForUnknown()))) return { after: 0 };
  await log.change((head) => ({ ...head, state: 'ended', endedOn: Date.now(), credential: '' }));
  await store.enter(log.head());
  if (log.head().hasLarge) await store.removeLarge(owner, id);
  dependencies.report('ended', log.head());
  return 'ended';

  /** Whether a search was done before the signal ended it: a slow service may let it wait for longer than a slice. */
  async function isDone(search: Promise<void> | undefined): Promise<boolean> {
    try {
      await search;
      return true;
    } catch (failure) {
      if (signal.aborted) return false;
      throw failure;
    }
  }

  /** No writer, but the reason, when the credential is refused. */
  async function openWriter(): Promise<{ writer?: PushWriter; refusal?: Problem }> {
    const credential = credentialIn(found!.head, secrets);
    try {
      return { writer: await administrations.writer(credential) };
    } catch (failure) {
      if (failure instanceof Problem && isOfCredential(failure)) return { refusal: failure };
      throw failure;
    }
  }
}

/** Looks once more for the documents of a push that has ended. */
export async function lookForUnknown(
  dependencies: Pick<WorkDependencies, 'store' | 'timeZone'> & { administrations: Administrations },
  credential: Credential,
  { owner, id }: PushHead,
): Promise<void> {
  const { store, administrations } = dependencies;
  const writes = await store.rows(owner, id);
  const about = factsOf(writes, administrations, undefined);
  const log = await openPushLog(store, { owner, id }, randomUUID(), about);
  await openLookUp({ ...dependencies, credential, writes, log }).lookForUnknown();
}

const factsOf =
  (
    writes: readonly PushedWrite[],
    { appliedWrites }: Pick<Administrations, 'appliedWrites'>,
    writer: PushWriter | undefined,
  ) =>
  (index: number) => ({
    row: writes[index]!.row,
    name: writes[index]!.name,
    remembered: appliedWrites !== undefined,
    repeatable: writer?.isRepeatable(writes[index]!) ?? false,
  });

/** @throws when it was encrypted with another key: an instance with the right key may continue the push */
function credentialIn({ owner, id, credential }: PushHead, secrets: PushSecrets): Credential {
  try {
    return secrets.decrypted(credential, `${owner}.${id}`);
  } catch (cause) {
    throw new Error(`The credential of push ${id} cannot be read: SECRET_KEY is not the one it was begun with.`, {
      cause,
    });
  }
}

const reasonOf = (log: PushLog): Pick<RowUpdate, 'code'> => ({ code: log.head().stopped });

/** Settles unconfirmed rows of a credential that is now refused, where the administration stored which were applied. */
async function settleUnconfirmed(
  appliedWrites: AppliedWrites,
  { code }: Problem,
  writeKey: string,
  writes: readonly PushedWrite[],
  log: PushLog,
): Promise<void> {
  const unconfirmed = Array.from({ length: log.head().total }, (_, index) => index).filter(
    (index) => log.row(index).state === 'sending',
  );
  const applied = await appliedWrites.applied(unconfirmed.map((index) => keyOf(writeKey, index)));
  await log.record(
    unconfirmed.map((index) => {
      const shown = applied.get(keyOf(writeKey, index));
      if (shown !== undefined) return updateOf(index, writes[index]!.name, { kind: 'applied', shown });
      return { index, event: 'refused', code, message: 'The credential is refused by now.' };
    }),
  );
}
