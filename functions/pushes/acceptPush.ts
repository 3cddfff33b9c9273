import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { interfaceWrites, pushedNames, pushRulesOf } from '../../shared/api.ts';
import type { Credential } from '../../shared/client/client.ts';
import { inSteps } from '../../shared/inSteps.ts';
import { Problem } from '../../shared/problem.ts';
import { type PushedWrite, readPushInSteps } from '../../shared/resources/push.ts';
import { metrics } from '../telemetry/telemetry.ts';
import { logPush, type PushDependencies, type PushLogger } from './dependencies.ts';
import type { PushAuthor } from './pushSecrets.ts';
import { changeHead, findHead, newHead, type PushHead, type PushStore } from './pushStore.ts';

/** How much of one owner may wait. */
const MAX_UNFINISHED_PUSHES = 50;
const MAX_WAITING_ROWS = 100_000;
const RETRY_AFTER_SECONDS = 60;
/** Milliseconds for which a request may store its rows: as long as one over HTTP can take. */
const RECEIVING_MS = 240_000;

/**
 * Accepts a push, whole or not at all.
 * @param caller.scope within which the same push applies once; for the built-in administration it is the administration
 *   itself
 * @param key the idempotency key of the caller: the same key is the same push
 * @param body as `parseJson` gives it
 * @throws Problem INVALID_REQUEST with one error per row, CONFLICT when the key was used for other rows, RATE_LIMIT
 *   while too much of the owner waits
 */
export async function acceptPush(
  dependencies: PushDependencies,
  { owner, scope, by }: { owner: string; scope: string; by: PushAuthor },
  { credential, key, body, log }: { credential: Credential; key: string | undefined; body: unknown; log: PushLogger },
): Promise<PushHead> {
  const { store, secrets, administrations, oneAtATime } = dependencies;
  const taken = administrations.ledger === undefined ? interfaceWrites : pushedNames;
  const { writes: read, inOrder, references } = await inSteps(readPushInSteps(body, taken), otherWork);
  const contentHash = await inSteps(hashInSteps(read), otherWork);
  await otherWork();
  const id = key === undefined ? randomUUID().replaceAll('-', '') : pushIdOf(owner, key);
  const writes = references ? read.map((write) => withReference(write, id)) : read;
  const head = newHead({
    owner,
    id,
    by: secrets.encryptedAuthor(by, `${owner}.${id}`),
    writeKey: key === undefined ? id : sha256(`${scope}\n${key}\n${contentHash}`).slice(0, 32),
    total: writes.length,
    relative: writes.filter(({ name, request }) => pushRulesOf(name).adds?.(request)).length,
    ...(inOrder ? {} : { inOrder }),
    ...(writes.some(({ name }) => pushRulesOf(name).result === 'document') ? { isPersonal: true } : {}),
    contentHash,
    credential: secrets.encrypted(credential, `${owner}.${id}`),
  });
  // Each counts those before it, also when many begin at once.
  const isCreated = await oneAtATime(owner, async () => {
    if ((await store.head(owner, id)) !== undefined) return false;
    await refuseTooMany(store, owner, writes.length);
    // The index first: an entry without its push does no harm, but a push without its entry would be lost.
    await store.enter(head);
    return store.create(head);
  });
  if (isCreated) return receiveRows(dependencies, head, writes, log);
  const { head: found } = await findHead(store, owner, id);
  if (found.contentHash !== contentHash) {
    const message = 'Idempotency-Key: expected a key of its own for each push; this one began another.';
    throw new Problem('CONFLICT', message);
  }
  return found.state === 'receiving' ? receiveRows(dependencies, found, writes, log) : found;
}

/** A document with a reference of its own, if it has none: the push and the row. */
function withReference(write: PushedWrite, id: string): PushedWrite {
  const { reference } = pushRulesOf(write.name);
  const request: Readonly<Record<string, unknown>> = write.request;
  if (reference === undefined || (request[reference] ?? '') !== '') return write;
  return { ...write, request: { ...request, [reference]: `${id.slice(0, 8)}-${write.row}` } } as PushedWrite;
}

/** The id of a push that its caller has a name for. */
export const pushIdOf = (owner: string, key: string): string => sha256(`${owner}\n${key}`).slice(0, 32);

/** @throws Problem RATE_LIMIT while too much of this owner waits */
async function refuseTooMany(store: PushStore, owner: string, rows: number): Promise<void> {
  const unfinished = (await store.heads(owner)).filter(
    // The rows of one that is older will not come, unless its request is sent again.
    ({ state, createdOn }) => state !== 'ended' && (state !== 'receiving' || createdOn > Date.now() - RECEIVING_MS),
  );
  const waiting = unfinished.reduce((sum, { counts }) => sum + counts.waiting, 0);
  const isTooMuch = unfinished.length >= MAX_UNFINISHED_PUSHES || (waiting > 0 && waiting + rows > MAX_WAITING_ROWS);
  if (!isTooMuch) return;
  const message = `Expected at most ${MAX_UNFINISHED_PUSHES} pushes and ${MAX_WAITING_ROWS} rows that wait. Try again when some have ended.`;
  throw new Problem('RATE_LIMIT', message, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } });
}

/** Stores the rows of a push whose head is stored, and starts it. A second call changes nothing. */
async function receiveRows(
  { store, queue }: PushDependencies,
  { owner, id }: PushHead,
  writes: readonly PushedWrite[],
  log: PushLogger,
): Promise<PushHead> {
  const hasLarge = await store.saveRows(owner, id, writes);
  const { head, changed } = await changeHead(store, owner, id, (now) =>
    now.state === 'receiving' ? { ...now, state: 'waiting', ...(hasLarge ? { hasLarge } : {}) } : undefined,
  );
  await queue.send({ owner });
  if (changed) {
    logPush(log, 'accepted', head);
    metrics.pushRowsWaiting(writes.length);
  }
  return head;
}

/** The hash of `JSON.stringify(writes)`, computed in steps. */
function* hashInSteps(writes: readonly PushedWrite[]): Generator<void, string> {
  const hash = createHash('sha256').update('[');
  for (const [index, write] of writes.entries()) {
    hash.update(`${index === 0 ? '' : ','}${JSON.stringify(write)}`);
    yield;
  }
  return hash.update(']').digest('hex');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
