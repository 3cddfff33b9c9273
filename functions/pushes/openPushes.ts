import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { Credential } from '../../shared/client.ts';
import { fieldError } from '../../shared/fieldErrors.ts';
import { Problem, refuseField } from '../../shared/problem.ts';
import { addsToStock, type PushedWrite, readPushInSteps, refuseRows } from '../../shared/resources/push.ts';
import { backoffMs, retries } from '../../shared/retry.ts';
import type { Administrations } from '../administrations/administration.ts';
import { takeLease } from '../storage/lease.ts';
import { answered, enqueue, poisonOf, type Storage } from '../storage/storage.ts';
import { changesText, pushText } from './pushAnswers.ts';
import type { PushLog } from './pushLog.ts';
import { fits, newHead, openPushStore, type PushHead, type Versioned } from './pushStore.ts';
import { ownerOf, sealed, unsealed } from './sealing.ts';
import { CANCELLED, workPush } from './workPush.ts';

export type PushOptions = {
  storage: Storage;
  administrations: Administrations;
  secretKey: Buffer;
  /** Days a push that ended is kept. */
  days: number;
  /** Milliseconds a worker goes on before it leaves the rest to a later message. */
  slice?: number;
};

/** Takes a line for whoever runs the app. */
type Log = (line: string) => void;

/** The queue whose messages say: there may be work for this credential. */
export const PUSH_QUEUE = 'pushes';
export type PushMessage = { owner: string; tries?: number };

/** Well inside the ten minutes a function may take. */
const SLICE = 4 * 60_000;
const DAY = 86_400_000;
/** Seconds a message waits at the most; a queue keeps one for seven days. */
const LONGEST_DELAY = 3600;

export type Pushes = Awaited<ReturnType<typeof openPushes>>;

/** The pushes of all credentials. Every method takes the credential of whoever asks, and sees no other's pushes. */
export async function openPushes(options: PushOptions) {
  const { storage, administrations, secretKey, days, slice = SLICE } = options;
  const [store, queue, locks] = await Promise.all([
    openPushStore(storage),
    storage.queue(PUSH_QUEUE),
    storage.container('locks'),
  ]);

  const stopping = new AbortController();

  /** One line for each change of a push's state: counts, nothing of the rows or the credential. */
  const tell = (log: Log, event: string, { id, total, counts, stopped }: PushHead) =>
    log(JSON.stringify({ event: `push ${event}`, push: id, total, ...counts, ...(stopped === '' ? {} : { stopped }) }));

  /** @throws Problem UNAUTHORIZED */
  async function ownerBehind(credential: Credential): Promise<string> {
    await administrations.open(credential);
    return ownerOf(credential, secretKey);
  }

  async function found(owner: string, id: string): Promise<Versioned> {
    const there = /^[0-9a-f]{32}$/.test(id) ? await store.head(owner, id) : undefined;
    if (there === undefined) throw new Problem('NOT_FOUND', `There is no push ${id.slice(0, 100)}.`);
    return there;
  }

  /** Changes a head whatever others do to it meanwhile. @param change undefined: there is nothing to change */
  async function changeHead(
    owner: string,
    id: string,
    change: (head: PushHead) => PushHead | undefined,
  ): Promise<{ head: PushHead; changed: boolean }> {
    for (;;) {
      const { head, version } = await found(owner, id);
      const next = change(head);
      if (next === undefined) return { head, changed: false };
      if ((await store.replace(next, version)) !== undefined) return { head: next, changed: true };
    }
  }

  /** Stores the rows of a push whose head is there, and gets it going. The second time it changes nothing. */
  async function receive(owner: string, id: string, writes: readonly PushedWrite[], log: Log): Promise<PushHead> {
    await store.saveRows(owner, id, writes);
    const { head, changed } = await changeHead(owner, id, (now) =>
      now.state === 'receiving' ? { ...now, state: 'waiting' } : undefined,
    );
    await enqueue(queue, { owner } satisfies PushMessage);
    if (changed) tell(log, 'accepted', head);
    return head;
  }

  return {
    /** Refuses a credential that opens nothing. @throws Problem UNAUTHORIZED */
    authorize: async (credential: Credential): Promise<void> => void (await ownerBehind(credential)),

    /**
     * Accepts a push, whole or not at all.
     * @param key the caller's name for it: the same one is the same push
     * @param body as `parseJson` gives it
     * @returns its answer
     * @throws Problem INVALID_REQUEST with one error per row, CONFLICT when the key was used for other rows
     */
    async begin(credential: Credential, key: string | undefined, body: unknown, log: Log): Promise<string> {
      const owner = await ownerBehind(credential);
      const writes = await inTurns(readPushInSteps(body));
      refuseTooLong(writes);
      const contentHash = await inTurns(hashInSteps(writes));
      await otherWork();
      const id = (key === undefined ? randomUUID().replaceAll('-', '') : sha256(`${owner}\n${key}`)).slice(0, 32);
      const head = newHead({
        owner,
        id,
        total: writes.length,
        relative: writes.filter(addsToStock).length,
        contentHash,
        credential: sealed(credential, `${owner}.${id}`, secretKey),
      });
      const before = await store.head(owner, id);
      if (before === undefined) {
        // The index first: what it knows of and is not there is looked for in vain, but nothing is forgotten.
        await store.enter({ owner, id, createdOn: head.createdOn, endedOn: null });
        if (await store.create(head)) return pushText(await receive(owner, id, writes, log));
      }
      const { head: there } = await found(owner, id);
      if (there.contentHash !== contentHash) {
        throw new Problem(
          'CONFLICT',
          'Idempotency-Key: expected a key of its own for each push; this one began another.',
        );
      }
      return pushText(there.state === 'receiving' ? await receive(owner, id, writes, log) : there);
    },

    /** The pushes of a credential, the latest first. */
    async list(credential: Credential): Promise<string> {
      const heads = (await store.heads(await ownerBehind(credential))).filter(({ state }) => state !== 'receiving');
      return `{"pushes":[${heads
        .sort((a, b) => b.createdOn - a.createdOn)
        .map((head) => pushText(head, 'bare'))
        .join(',')}]}`;
    },

    /**
     * A push, and the rows that changed since a cursor.
     * @throws Problem NOT_FOUND, INVALID_REQUEST
     */
    async changes(credential: Credential, id: string, after: string): Promise<string> {
      if (!/^\d{0,9}$/.test(after)) throw refuseField('after', 'NOT_CURSOR');
      const owner = await ownerBehind(credential);
      const { head } = await found(owner, id);
      return changesText(store, head, Number(after || 0));
    },

    /** Stops a push before its next row. @throws Problem NOT_FOUND */
    async cancel(credential: Credential, id: string, log: Log): Promise<string> {
      const owner = await ownerBehind(credential);
      const { head, changed } = await changeHead(owner, id, (now) =>
        now.state === 'ended' || now.stopped !== '' ? undefined : { ...now, stopped: CANCELLED },
      );
      if (changed) {
        tell(log, 'cancelled', head);
        // Nobody may be at work on it: then somebody is to end it.
        await enqueue(queue, { owner } satisfies PushMessage);
      }
      return pushText(head);
    },

    /**
     * Works on the pushes of a credential, the oldest first, one worker at a time, for a slice of time.
     * A message too many does no harm.
     */
    async work({ owner, tries = 0 }: PushMessage, log: Log): Promise<void> {
      const lease = await takeLease(locks, `push-${owner}`);
      if (lease === undefined) {
        // Who is at work goes on by itself; it may be about to end, or dead.
        if (tries + 1 < retries.pushMessage.maxAttempts) {
          const delay = backoffMs(tries + 1, retries.pushMessage) / 1000;
          await enqueue(queue, { owner, tries: tries + 1 } satisfies PushMessage, delay);
        }
        return;
      }
      const shop = {
        store,
        administrations,
        secretKey,
        tell: (what: string, push: PushLog) => tell(log, what, push.head()),
      };
      let after: number | undefined;
      let rests = false;
      try {
        const over = AbortSignal.any([lease.lost, stopping.signal, AbortSignal.timeout(slice)]);
        for (const head of await unfinished(owner)) {
          rests = isResting(head);
          if (rests) break;
          const outcome = await workPush(shop, head, over);
          if (outcome === 'ended') continue;
          after = outcome.after;
          break;
        }
      } finally {
        await lease.release();
      }
      // Who let it rest left a message for then.
      if (rests) return;
      const message: PushMessage = { owner };
      if (after !== undefined) await enqueue(queue, message, Math.min(Math.ceil(after / 1000), LONGEST_DELAY));
      else if ((await unfinished(owner)).length > 0) await enqueue(queue, message);
    },

    /** Sees to it that pushes nobody works on go on, and removes what was kept long enough. */
    async tend(): Promise<void> {
      const now = Date.now();
      const kept = now - days * DAY;
      const idle = new Set<string>();
      /** What an unfinished push has applied is remembered for as long as it may be given again. */
      let forgotten = kept;
      for await (const { owner, id, createdOn, endedOn } of store.index()) {
        if (endedOn !== null) {
          if (endedOn < kept) await store.remove(owner, id);
          continue;
        }
        const head = (await store.head(owner, id))?.head;
        // A caller that broke off while its rows were stored may come back with the same key for a day.
        if (head === undefined || head.state === 'receiving') {
          if (now - createdOn > DAY) await store.remove(owner, id);
        } else if (head.state === 'ended') {
          await store.enter({ owner, id, createdOn, endedOn: head.endedOn });
        } else if (isReadable(head) || lastWorkedOn(head) >= kept) {
          // On a slow plan a push may take longer than one that ended is kept.
          if (!isResting(head)) idle.add(owner);
          forgotten = Math.min(forgotten, createdOn);
        } else {
          // Nobody could go on with it in all that time: the secret key it was begun with is gone.
          await store.remove(owner, id);
        }
      }
      for (const owner of idle) {
        if (!(await isWorkedOn(owner))) await enqueue(queue, { owner } satisfies PushMessage);
      }
      await administrations.remembered?.forget(Math.floor(forgotten / 1000));
    },

    /** Ends the slices that are under way: nothing more is sent, and a later message goes on. */
    stop: (): void => stopping.abort(),

    /** What `/health` says of them. */
    async health(): Promise<{ status: 'ok' | 'degraded'; poisoned: number }> {
      const { approximateMessagesCount: poisoned = 0 } = await (
        await storage.queue(poisonOf(PUSH_QUEUE))
      ).getProperties();
      return { status: poisoned === 0 ? 'ok' : 'degraded', poisoned };
    },
  };

  async function unfinished(owner: string): Promise<PushHead[]> {
    const heads = await store.heads(owner);
    return heads
      .filter(({ state }) => state === 'waiting' || state === 'running')
      .sort((a, b) => a.createdOn - b.createdOn);
  }

  /** Whether this instance has the secret key a push was begun with. */
  function isReadable({ owner, id, credential }: PushHead): boolean {
    try {
      return unsealed(credential, `${owner}.${id}`, secretKey) !== undefined;
    } catch {
      return false;
    }
  }

  async function isWorkedOn(owner: string): Promise<boolean> {
    try {
      const { leaseState } = await locks.getBlobClient(`push-${owner}`).getProperties();
      return leaseState === 'leased';
    } catch (failure) {
      if (answered(failure, 404)) return false;
      throw failure;
    }
  }
}

/** Whether a push waits for the end of a pause that was asked for; a cancelled one is ended nevertheless. */
const isResting = ({ stopped, notBefore }: PushHead): boolean => stopped === '' && notBefore > Date.now() + 1000;

/** When a worker last got on with a push, as far as can be told. */
const lastWorkedOn = ({ createdOn, milestones }: PushHead): number => milestones.at(-1)?.at ?? createdOn;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function refuseTooLong(writes: readonly PushedWrite[]): void {
  const errors = writes.flatMap((write, index) =>
    fits(write) ? [] : [fieldError(`rows[${index}]`, 'ROW_TOO_LARGE', { row: write.row })],
  );
  if (errors.length > 0) throw refuseRows(errors);
}

/** The hash of `JSON.stringify(writes)`, some rows at a time. */
function* hashInSteps(writes: readonly PushedWrite[]): Generator<void, string> {
  const hash = createHash('sha256').update('[');
  for (const [index, write] of writes.entries()) {
    hash.update(`${index === 0 ? '' : ','}${JSON.stringify(write)}`);
    if (index % 200 === 199) yield;
  }
  return hash.update(']').digest('hex');
}

/** Goes through steps of work, and lets other requests go on between them. */
async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await otherWork();
  }
}
