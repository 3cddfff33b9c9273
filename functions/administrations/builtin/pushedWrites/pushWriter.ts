import { setImmediate as otherWork } from 'node:timers/promises';
import { type PushedName, shownOf } from '../../../../shared/api.ts';
import type { Credential } from '../../../../shared/client/client.ts';
import { Problem } from '../../../../shared/problem.ts';
import { readRetryAfter } from '../../../../shared/retry.ts';
import type { KeyedWrite, PushWriter, WriteOutcome } from '../../administration.ts';
import { readOnlyReason, signIn } from '../credentials/signIn.ts';
import {
  type DocumentWrite,
  type ReadyAttachment,
  type RequestedFile,
  readyFiles,
  writingWithFiles,
} from '../documentParts/attachments.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { type EndpointContext, writing } from '../sql/endpointContext.ts';
import type { Logging } from '../sql/logWriting/appendChanges.ts';
import { inSavepoint } from '../sql/transaction.ts';
import { rememberedWrites, rememberWrites } from './appliedWrites.ts';
import { type WriteContext, writes } from './writes.ts';

/**
 * Writes in one transaction: more would make other writers wait longer, fewer would commit more often.
 * PostgreSQL caches 64 savepoints of a transaction; more of them slow down all transactions.
 */
const MAX_TOGETHER = 50;
/** Writes that are recorded as sending at a time: twice as many cost half the requests to the storage. */
const BATCH_SIZE = 100;
/** Milliseconds after which a transaction ends and others work: documents take longer than products. */
const MAX_TRANSACTION_MS = 25;

/** The delay before a push repeats a write after the database was busy. */
const BACKOFF_MS = 2000;

/** A write with its files, and how it is carried out. */
type Ready = {
  write: KeyedWrite;
  by: DocumentWrite<WriteContext, unknown, unknown>;
  files: readonly RequestedFile[];
  /** Why it cannot be carried out. */
  refusal: Problem | undefined;
};

/**
 * Applies the writes of a push, several in one transaction, which stores their keys too. So each is applied once, also
 * when it is sent again after a deferred call whose commit may have succeeded.
 * @param credential opened the administration, and is checked again in each transaction
 */
export const pushWriter = (context: WriteContext, credential: Credential): PushWriter => ({
  batchSize: BATCH_SIZE,
  concurrency: 1,
  isRateLimited: false,
  isInOrder: true,
  isRepeatable: () => true,
  async write(all, onSending, signal) {
    signal.throwIfAborted();
    await onSending();
    const outcomes: WriteOutcome[] = [];
    let readies: readonly Ready[] = await Promise.all(all.map(readied));
    while (readies.length > 0) {
      const some = await writtenTogether(context, credential, groupAtStart(readies));
      outcomes.push(...some);
      readies = readies.slice(some.length);
      await otherWork();
      // What comes after a write that was deferred waits for it; when the app stops, so does the rest.
      const last = some.at(-1)!;
      const deferred = last.kind === 'deferred' ? last : signal.aborted ? stopped : undefined;
      if (deferred !== undefined) return [...outcomes, ...readies.map(() => ({ ...deferred, begun: false }) as const)];
    }
    return outcomes;
  },
});

const stopped: WriteOutcome = { kind: 'deferred', problem: new Problem('UNAVAILABLE', 'The work ended.'), after: 0 };

async function readied(write: KeyedWrite): Promise<Ready> {
  const by = (await writes[write.name]()) as Ready['by'];
  try {
    return { write, by, files: await by.files(write.request), refusal: undefined };
  } catch (refusal) {
    if (refusal instanceof Problem) return { write, by, files: [], refusal };
    throw refusal;
  }
}

const needsDownload = ({ files }: Ready): boolean => files.some(({ kind }) => kind === 'to download');

/** The first writes that can be in one transaction. One with files to download is alone in its own. */
function groupAtStart(readies: readonly Ready[]): readonly Ready[] {
  const end = readies.findIndex(needsDownload);
  return readies.slice(0, end === -1 ? MAX_TOGETHER : Math.min(MAX_TOGETHER, Math.max(1, end)));
}

/** Writes some of a group, from its first. @returns the outcomes of those */
async function writtenTogether(
  context: WriteContext,
  credential: Credential,
  group: readonly Ready[],
): Promise<WriteOutcome[]> {
  try {
    const [first] = group;
    if (group.length === 1 && needsDownload(first!)) return [await writtenWithDownloads(context, credential, first!)];
    const apply = async (transaction: WriteContext, logging: Logging) =>
      // A key that was revoked or has expired, or an archived administration, stops a running push; applied writes stay
      // applied.
      carryOut(transaction, logging, group, await refusalOf(transaction, credential));
    return await writing(context, apply, { grouping: 'by record' });
  } catch (cause) {
    if (!isTransient(context, cause)) throw cause;
    const problem = new Problem('INTERNAL', 'The database cannot be reached, or is busy.', { cause });
    return group.map(() => ({ kind: 'deferred', problem, after: BACKOFF_MS }));
  }
}

const isTransient = ({ db }: EndpointContext, error: unknown): boolean =>
  error instanceof Error && dialectOf(db).errors.isTransient(error);

/** Why a credential may no longer write in the administration; undefined while it may. */
async function refusalOf({ db, today }: EndpointContext, credential: Credential): Promise<Problem | undefined> {
  try {
    return readOnlyReason(await signIn(db, credential, today));
  } catch (problem) {
    if (problem instanceof Problem) return problem;
    throw problem;
  }
}

async function carryOut(
  transaction: WriteContext,
  logging: Logging,
  group: readonly Ready[],
  refusal: Problem | undefined,
): Promise<WriteOutcome[]> {
  const remembered = await rememberedWrites(
    transaction,
    group.map(({ write }) => write.key),
  );
  const applied = new Map<string, string>();
  const outcomes: WriteOutcome[] = [];
  let endpoint: PushedName | undefined = group[0]?.write.name;
  const start = performance.now();
  for (const ready of group) {
    if (outcomes.length > 0 && performance.now() - start > MAX_TRANSACTION_MS) break;
    const { key, name } = ready.write;
    const known = remembered.get(key) ?? applied.get(key);
    if (known !== undefined) {
      outcomes.push({ kind: 'applied', shown: known });
      continue;
    }
    if (name !== endpoint) await logging.logSoFar(endpoint);
    endpoint = name;
    const outcome: WriteOutcome =
      refusal === undefined ? await outcomeOf(transaction, ready) : { kind: 'refused', problem: refusal };
    if (outcome.kind === 'applied') applied.set(key, outcome.shown);
    outcomes.push(outcome);
  }
  await rememberWrites(transaction, applied);
  await logging.logSoFar(endpoint);
  return outcomes;
}

async function outcomeOf(transaction: WriteContext, ready: Ready): Promise<WriteOutcome> {
  if (ready.refusal !== undefined) return { kind: 'refused', problem: ready.refusal };
  try {
    const files = readyFiles(ready.files);
    return { kind: 'applied', shown: await inSavepoint(transaction.db, () => shownBy(transaction, ready, files)) };
  } catch (problem) {
    if (problem instanceof Problem) return { kind: 'refused', problem };
    throw problem;
  }
}

/** Carries a write out that has files to download, in a transaction of its own. */
async function writtenWithDownloads(
  context: WriteContext,
  credential: Credential,
  ready: Ready,
): Promise<WriteOutcome> {
  const { key, name } = ready.write;
  const remembered = async (of: WriteContext) => (await rememberedWrites(of, [key])).get(key);
  const work = async (transaction: WriteContext, files: readonly ReadyAttachment[], logging: Logging) => {
    const known = await remembered(transaction);
    if (known !== undefined) return known;
    const refusal = await refusalOf(transaction, credential);
    if (refusal !== undefined) throw refusal;
    const shown = await shownBy(transaction, ready, files);
    await rememberWrites(transaction, new Map([[key, shown]]));
    await logging.logSoFar(name);
    return shown;
  };
  try {
    // Asked first: a repeated write downloads nothing.
    const shown = (await remembered(context)) ?? (await writingWithFiles(context, ready.files, work, 'by record'));
    return { kind: 'applied', shown };
  } catch (problem) {
    if (!(problem instanceof Problem) || isTransient(context, problem)) throw problem;
    if (problem.code !== 'RATE_LIMIT') return { kind: 'refused', problem };
    // Too many downloads of its key.
    const after = readRetryAfter(problem.headers['Retry-After'], 0) ?? BACKOFF_MS;
    return { kind: 'deferred', problem, after, begun: false };
  }
}

/** Carries a write out. @returns what is shown of it */
async function shownBy(
  transaction: WriteContext,
  { write: { name, request }, by }: Ready,
  files: readonly ReadyAttachment[],
): Promise<string> {
  const { response } = await by.write(transaction, request, files);
  return shownOf(name, response);
}
