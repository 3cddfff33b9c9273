import { randomUUID } from 'node:crypto';
import type { Credential } from '../../shared/client/client.ts';
import { refuseField } from '../../shared/problem.ts';
import type { Administrations } from '../administrations/administration.ts';
import type { SecretKeys } from '../http/secretKeys.ts';
import { poisonOf } from '../storage/queue.ts';
import { openSlices } from '../storage/slices.ts';
import type { Storage } from '../storage/storage.ts';
import type { WorkMessage } from '../storage/takeover.ts';
import { acceptPush } from './acceptPush.ts';
import { logPush, PUSH_QUEUE, type PushDependencies, type PushLogger, queuesOfOwners } from './dependencies.ts';
import { maintainPushes } from './maintainPushes.ts';
import { authorOf, type Owners, ownerOfNewPush, ownersOf, pushesOf, pushOf } from './pushOwners.ts';
import { changesText, listText, pushText, rowsText } from './pushResponses.ts';
import { pushSecrets } from './pushSecrets.ts';
import { changeHead, findHead, openPushStore, type PushHead } from './pushStore.ts';
import { CANCELLED, lookForUnknown } from './sending/workPush.ts';
import { workPushes } from './sending/workPushes.ts';

type PushOptions = {
  storage: Storage;
  administrations: Administrations;
  secretKeys: SecretKeys;
  /** Days for which an ended push is stored. */
  days: number;
  /** An IANA time zone. */
  timeZone?: string;
  /** Milliseconds after which a worker leaves the rest to a later message. */
  slice?: number;
};

/** Well below the ten minutes that a function may take. */
const DEFAULT_SLICE = 4 * 60_000;

/** Milliseconds between two searches for the lost documents of a push: each is recorded for every row. */
const LOOK_INTERVAL = 60_000;

export type Pushes = ReturnType<typeof openPushes>;

/**
 * All pushes. Every method takes the credential of the caller, and sees the pushes of its administration only; of a
 * remote one, those of the credential.
 */
export function openPushes({ slice = DEFAULT_SLICE, secretKeys, ...options }: PushOptions) {
  const { storage, administrations } = options;
  const secrets = pushSecrets(secretKeys);
  const store = openPushStore(storage, secrets);
  const queue = storage.queue(PUSH_QUEUE);
  const slices = openSlices(slice);
  const dependencies: PushDependencies = { ...options, secrets, store, queue, oneAtATime: queuesOfOwners() };

  /**
   * Refuses a credential that may not begin a push: nothing is stored for an unknown one.
   * @throws Problem UNAUTHORIZED, FORBIDDEN, and those of a request to a remote service
   */
  async function authorize(credential: Credential): Promise<void> {
    await administrations.verify?.(credential);
    await administrations.writer(credential);
  }

  const owners = (credential: Credential): Promise<Owners> => ownersOf(administrations, secrets, credential);

  /** A push. @throws Problem NOT_FOUND; UNAUTHORIZED for a credential that is not accepted either */
  const find = async (credential: Credential, id: string): Promise<PushHead> =>
    pushOf(store, await owners(credential), id).catch(async (thrown) => {
      await administrations.verify?.(credential);
      throw thrown;
    });

  return {
    /** @throws Problem for a credential that may not begin a push: to be called before its rows are read */
    authorize,

    /** Accepts a push. @returns the push as JSON text @throws Problem as `acceptPush` does */
    async begin(credential: Credential, key: string | undefined, body: unknown, log: PushLogger): Promise<string> {
      await authorize(credential);
      const owner = await ownerOfNewPush(store, await owners(credential), key);
      const by = await authorOf(administrations, credential);
      const { own } = administrations;
      const scope = own === undefined ? owner : `administration ${await own.idOf(credential)}`;
      return pushText(await acceptPush(dependencies, { owner, scope, by }, { credential, key, body, log }), secrets);
    },

    /**
     * The pushes that a credential sees, the latest first, some at a time.
     * @param after the cursor of an earlier response; "" for the first ones
     * @throws Problem INVALID_REQUEST
     */
    async list(credential: Credential, after = ''): Promise<string> {
      if (!/^(\d{15}\.[0-9a-f]{32})?$/.test(after)) throw refuseField('after', 'NOT_CURSOR');
      await administrations.open(credential);
      const found = await pushesOf(store, await owners(credential));
      // Only an accepted credential has pushes, also while the service cannot be asked.
      if (found.length === 0) await administrations.verify?.(credential);
      return listText(found, secrets, after);
    },

    /**
     * A push, and the rows that changed since a cursor.
     * @throws Problem NOT_FOUND, INVALID_REQUEST
     */
    async changes(credential: Credential, id: string, after: string): Promise<string> {
      if (!/^\d{0,9}$/.test(after)) throw refuseField('after', 'NOT_CURSOR');
      await administrations.open(credential);
      return changesText(store, secrets, await find(credential, id), Number(after || 0));
    },

    /**
     * The rows of a push as they were pushed, some at a time, with what became of each.
     * @throws Problem NOT_FOUND, INVALID_REQUEST
     */
    async rows(credential: Credential, id: string, after: string): Promise<string> {
      if (!/^\d{0,5}$/.test(after)) throw refuseField('after', 'NOT_CURSOR');
      await administrations.open(credential);
      const { own } = administrations;
      const ownId = own === undefined ? undefined : await own.idOf(credential);
      return rowsText(
        store,
        secrets,
        await find(credential, id),
        Number(after || 0),
        ownId === undefined ? undefined : (period, writes) => own!.valuesBefore(ownId, period, writes),
      );
    },

    /** Stops a push before its next row. @throws Problem NOT_FOUND, FORBIDDEN */
    async cancel(credential: Credential, id: string, log: PushLogger): Promise<string> {
      await administrations.writer(credential);
      const { owner } = await find(credential, id);
      const { head, changed } = await changeHead(store, owner, id, (now) =>
        now.state === 'ended' || now.stopped !== '' ? undefined : { ...now, stopped: CANCELLED },
      );
      if (changed) logPush(log, 'cancelled', head);
      // Perhaps no worker has it: then the message gets one to end it.
      if (head.state !== 'ended') await queue.send({ owner });
      return pushText(head, secrets);
    },

    /**
     * Looks once more for the documents of an ended push whose outcome is unknown, at most once a minute: of a request
     * that was lost on its way, the document may have come later.
     * @throws Problem NOT_FOUND, FORBIDDEN
     */
    async lookAgain(credential: Credential, id: string): Promise<string> {
      await administrations.writer(credential);
      const { owner } = await find(credential, id);
      const lookedForBy = randomUUID();
      const { head } = await changeHead(store, owner, id, (now) => {
        // One that is further ahead is of a clock that was ahead.
        const isRecent = Math.abs(Date.now() - (now.lookedForOn ?? 0)) < LOOK_INTERVAL;
        return now.state !== 'ended' || now.counts.unknown === 0 || isRecent
          ? undefined
          : { ...now, lookedForOn: Date.now(), lookedForBy };
      });
      if (head.lookedForBy === lookedForBy && administrations.appliedWrites === undefined) {
        await lookForUnknown({ ...options, store }, credential, head);
      }
      return pushText((await findHead(store, owner, id)).head, secrets);
    },

    work: (message: WorkMessage, log: PushLogger): Promise<void> =>
      slices.run((over) => workPushes(dependencies, message, over, log)),

    maintain: (): Promise<void> => maintainPushes(dependencies),

    /** Ends the running slices and waits for them: nothing more is sent, and a later message continues. */
    stop: slices.stop,

    /** The state of pushes for `/health`. */
    async health(): Promise<{ status: 'ok' | 'degraded'; poisoned: number }> {
      const poisoned = await storage.queue(poisonOf(PUSH_QUEUE)).length();
      return { status: poisoned === 0 ? 'ok' : 'degraded', poisoned };
    },
  };
}
