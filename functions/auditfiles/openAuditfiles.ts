import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '@azure/functions';
import type { Credential } from '../../shared/client/client.ts';
import { Problem } from '../../shared/problem.ts';
import { readFields } from '../../shared/readRequest.ts';
import {
  type Auditfile,
  auditfileChoices,
  auditfilePartBytes,
  auditfileParts,
  newAuditfile,
} from '../../shared/resources/generalLedger/auditfile.ts';
import type { Administrations, KnownAdministration } from '../administrations/administration.ts';
import { withBody } from '../http/body.ts';
import type { SecretKeys } from '../http/secretKeys.ts';
import { pushSecrets } from '../pushes/pushSecrets.ts';
import { poisonOf } from '../storage/queue.ts';
import { openSlices } from '../storage/slices.ts';
import type { Storage } from '../storage/storage.ts';
import type { WorkMessage } from '../storage/takeover.ts';
import { bindingOf, isRunning, openAuditfileStore, type StoredAuditfile, wasImported } from './auditfileStore.ts';
import { AUDITFILE_QUEUE, type AuditfileDependencies, type AuditfileLog } from './dependencies.ts';
import { maintainAuditfiles } from './maintainAuditfiles.ts';
import { partContents } from './partContents.ts';
import { workAuditfiles } from './workAuditfiles.ts';

type AuditfileOptions = {
  storage: Storage;
  administrations: Administrations;
  secretKeys: SecretKeys;
  /** Days for which an ended import is stored. */
  days: number;
  /** Milliseconds after which work is left to a later message. */
  slice?: number;
};

/** Below the ten minutes that a function may take: an import is one transaction, which no other slice continues. */
const DEFAULT_SLICE = 9 * 60_000;

/** Files of an administration whose parts are stored, and their bytes when they are unpacked. */
const MAX_OPEN = 5;
const MAX_OPEN_BYTES = 2 * 1024 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 60;
/** Bytes that a part may have more when it is compressed. */
const MAX_OVERHEAD = 65_536;

export type Auditfiles = ReturnType<typeof openAuditfiles>;

/**
 * The audit files that are brought in. Every method takes the credential of the caller, whose key must have the right to
 * import, and sees the files of its administration only.
 */
export function openAuditfiles({
  storage,
  administrations,
  secretKeys,
  days,
  slice = DEFAULT_SLICE,
}: AuditfileOptions) {
  const secrets = pushSecrets(secretKeys);
  const store = openAuditfileStore(storage, secrets);
  const queue = storage.queue(AUDITFILE_QUEUE);
  const slices = openSlices(slice);
  const dependencies: AuditfileDependencies = { storage, administrations, secrets, store, queue, days };

  /** @throws Problem UNAUTHORIZED, FORBIDDEN; NOT_IMPLEMENTED for a remote administration */
  async function authorized(credential: Credential): Promise<Extract<KnownAdministration, { kind: 'builtin' }>> {
    const importer = await administrations.auditfiles?.(credential);
    const known = importer && (await administrations.identify(credential));
    if (known?.kind === 'builtin') return known;
    throw new Problem('NOT_IMPLEMENTED', 'The service behind this one takes no audit files.');
  }

  const shown = async (file: StoredAuditfile): Promise<Auditfile> => {
    const { owner, id, by, name, bytes, state, report, message, isCancelled: cancelling, progress } = file;
    const moments = {
      createdOn: seconds(file.createdOn),
      endedOn: file.endedOn === null ? null : seconds(file.endedOn),
    };
    // Those of an imported one are erased, or about to be.
    const parts = wasImported(file) ? [] : await store.parts(owner, id);
    return { id, by, name, bytes, state, cancelling, progress, ...moments, parts, report, message };
  };

  /**
   * Begins work on a file.
   * @param refuse throws when the file does not allow it
   * @throws Problem CONFLICT while it has other work
   */
  async function begin(
    credential: Credential,
    owner: string,
    id: string,
    work: Partial<StoredAuditfile> & Pick<StoredAuditfile, 'state'>,
    refuse: (now: StoredAuditfile) => void,
  ): Promise<Auditfile> {
    const encrypted = secrets.encrypted(credential, bindingOf({ owner, id }));
    const begun = await store.change(owner, id, (now) => {
      // This call began it, and the storage account lost its response.
      if (isRunning(now) && now.credential === encrypted) return undefined;
      if (isRunning(now)) throw new Problem('CONFLICT', 'This audit file is being worked on.');
      refuse(now);
      const fresh = { isCancelled: false, progress: 0, askedOn: Date.now(), attempts: 0, message: '' };
      return { ...now, ...fresh, ...work, credential: encrypted };
    });
    await queue.send({ owner });
    return shown(begun);
  }

  /** Begins to read a file. @throws Problem CONFLICT when it lacks parts, or was imported */
  async function beginReading(
    credential: Credential,
    id: string,
    work: Pick<StoredAuditfile, 'state' | 'choices'>,
  ): Promise<Auditfile> {
    const { id: owner } = await authorized(credential);
    const { file } = await store.find(owner, id);
    const missing = auditfileParts(file.bytes) - (await store.parts(owner, id)).length;
    return begin(credential, owner, id, { ...work, endedOn: null }, (now) => {
      if (wasImported(now)) throw new Problem('CONFLICT', 'This audit file was imported already.');
      if (missing > 0) throw new Problem('CONFLICT', `Of this audit file ${missing} parts are missing.`);
    });
  }

  return {
    /** @throws Problem for a credential that may not import: to be called before a body is read */
    authorize: async (credential: Credential): Promise<void> => void (await authorized(credential)),

    /** Begins to receive a file. @throws Problem INVALID_REQUEST; RATE_LIMIT while too many others are stored */
    async receive(credential: Credential, body: unknown): Promise<Auditfile> {
      const { id: owner, username, label } = await authorized(credential);
      const { name, bytes } = readFields(newAuditfile, body);
      const now = Date.now();
      const file: StoredAuditfile = {
        owner,
        id: randomBytes(16).toString('hex'),
        by: { username, label },
        name,
        bytes,
        state: 'receiving',
        report: null,
        message: '',
        choices: { replace: false, takeWithWarnings: false },
        isCancelled: false,
        progress: 0,
        attempts: 0,
        credential: '',
        createdOn: now,
        updatedOn: now,
        endedOn: null,
      };
      await store.create(file);
      const open = (await store.list(owner)).filter((one) => !wasImported(one));
      if (open.length > MAX_OPEN || open.reduce((sum, one) => sum + one.bytes, 0) > MAX_OPEN_BYTES) {
        await store.remove(owner, file.id);
        const message = `Expected at most ${MAX_OPEN} audit files of ${MAX_OPEN_BYTES} bytes that are not imported. Erase some, or try again later.`;
        throw new Problem('RATE_LIMIT', message, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
      }
      return shown(file);
    },

    /**
     * Stores a part of a file: the body of a request, compressed. A part that was sent before is replaced.
     * @throws Problem NOT_FOUND, INVALID_REQUEST; CONFLICT when the file takes no parts any more
     */
    async receivePart(credential: Credential, id: string, part: number, request: HttpRequest): Promise<Auditfile> {
      const { id: owner } = await authorized(credential);
      const { file } = await store.find(owner, id);
      if (!(part >= 1 && part <= auditfileParts(file.bytes))) {
        throw new Problem('NOT_FOUND', `Expected a part from 1 to ${auditfileParts(file.bytes)}.`);
      }
      if (file.state !== 'receiving') throw new Problem('CONFLICT', 'This audit file takes no parts any more.');
      const bytes = auditfilePartBytes(file.bytes, part);
      await withBody(request, { maxBytes: bytes + MAX_OVERHEAD, incomplete: 'INVALID_REQUEST' }, async (compressed) => {
        const { sha256 } = await partContents(compressed, bytes);
        await store.savePart(owner, id, part, compressed, sha256);
      });
      return shown((await store.find(owner, id)).file);
    },

    check: (credential: Credential, id: string): Promise<Auditfile> =>
      beginReading(credential, id, { state: 'checking', choices: { replace: false, takeWithWarnings: false } }),

    import: (credential: Credential, id: string, body: unknown): Promise<Auditfile> =>
      beginReading(credential, id, { state: 'importing', choices: readFields(auditfileChoices, body) }),

    /**
     * Removes what audit files brought into the year of an imported one.
     * @throws Problem NOT_FOUND; CONFLICT when it is not imported
     */
    async withdraw(credential: Credential, id: string): Promise<Auditfile> {
      const { id: owner } = await authorized(credential);
      return begin(credential, owner, id, { state: 'withdrawing' }, ({ state }) => {
        if (state !== 'imported') throw new Problem('CONFLICT', 'This audit file is not imported.');
      });
    },

    /** The audit files of the administration, the latest first. */
    async list(credential: Credential): Promise<Auditfile[]> {
      const { id: owner } = await authorized(credential);
      return Promise.all((await store.list(owner)).map(shown));
    },

    /** @throws Problem NOT_FOUND */
    async state(credential: Credential, id: string): Promise<Auditfile> {
      const { id: owner } = await authorized(credential);
      return shown((await store.find(owner, id)).file);
    },

    /** Cancels a check or an import, which then has changed nothing. One that is done stays. @throws Problem NOT_FOUND */
    async cancel(credential: Credential, id: string): Promise<Auditfile> {
      const { id: owner } = await authorized(credential);
      const file = await store.change(owner, id, (now) =>
        isRunning(now) && !now.isCancelled ? { ...now, isCancelled: true } : undefined,
      );
      // Perhaps no worker has it: then the message gets one to end it.
      if (isRunning(file)) await queue.send({ owner });
      return shown(file);
    },

    /** Erases a file that is not worked on. @throws Problem NOT_FOUND, CONFLICT */
    async erase(credential: Credential, id: string): Promise<void> {
      const { id: owner } = await authorized(credential);
      await store.erase(owner, id, (file) => {
        if (isRunning(file)) throw new Problem('CONFLICT', 'This audit file is being worked on: cancel that first.');
      });
    },

    work: (message: WorkMessage, log: AuditfileLog): Promise<void> =>
      slices.run((over) => workAuditfiles(dependencies, message, over, log)),

    maintain: (): Promise<void> => maintainAuditfiles(dependencies),

    /** Ends the running work and waits for it: a later message begins it again. */
    stop: slices.stop,

    /** The state of imports for `/health`. */
    async health(): Promise<{ status: 'ok' | 'degraded'; poisoned: number }> {
      const poisoned = await storage.queue(poisonOf(AUDITFILE_QUEUE)).length();
      return { status: poisoned === 0 ? 'ok' : 'degraded', poisoned };
    },
  };
}

const seconds = (moment: number): string => String(Math.floor(moment / 1000));
