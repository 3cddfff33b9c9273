import { createHash, randomUUID } from 'node:crypto';
import type { Credential } from '../../shared/client.ts';
import { fieldError } from '../../shared/fieldErrors.ts';
import { Problem } from '../../shared/problem.ts';
import { addsToStock, type PushedWrite, readPush, refuseRows } from '../../shared/resources/push.ts';
import { logPush, type PushDependencies, type PushLogger } from './dependencies.ts';
import { encrypted } from './encryptedCredential.ts';
import { changeHead, findHead } from './heads.ts';
import { fits, newHead, type PushHead } from './pushStore.ts';

/**
 * Accepts a push, whole or not at all.
 * @param key the caller's name for it: the same one is the same push
 * @param body as `parseJson` gives it
 * @throws Problem INVALID_REQUEST with one error per row, CONFLICT when the key was used for other rows
 */
export async function acceptPush(
  dependencies: PushDependencies,
  owner: string,
  { credential, key, body, log }: { credential: Credential; key: string | undefined; body: unknown; log: PushLogger },
): Promise<PushHead> {
  const { store, secretKey } = dependencies;
  const writes = readPush(body);
  refuseTooLong(writes);
  const contentHash = sha256(JSON.stringify(writes));
  const id = (key === undefined ? randomUUID().replaceAll('-', '') : sha256(`${owner}\n${key}`)).slice(0, 32);
  const head = newHead({
    owner,
    id,
    total: writes.length,
    relative: writes.filter(addsToStock).length,
    contentHash,
    credential: encrypted(credential, `${owner}.${id}`, secretKey),
  });
  if ((await store.head(owner, id)) === undefined) {
    // The index first: what it knows of and is not there is looked for in vain, but nothing is forgotten.
    await store.enter({ owner, id, createdOn: head.createdOn, endedOn: null });
    if (await store.create(head)) return receiveRows(dependencies, head, writes, log);
  }
  const { head: found } = await findHead(store, owner, id);
  if (found.contentHash !== contentHash) {
    const message = 'Idempotency-Key: expected a key of its own for each push; this one began another.';
    throw new Problem('CONFLICT', message);
  }
  return found.state === 'receiving' ? receiveRows(dependencies, found, writes, log) : found;
}

/** Stores the rows of a push whose head is there, and gets it going. The second time it changes nothing. */
async function receiveRows(
  { store, queue }: PushDependencies,
  { owner, id }: PushHead,
  writes: readonly PushedWrite[],
  log: PushLogger,
): Promise<PushHead> {
  await store.saveRows(owner, id, writes);
  const { head, changed } = await changeHead(store, owner, id, (now) =>
    now.state === 'receiving' ? { ...now, state: 'waiting' } : undefined,
  );
  await queue.send({ owner });
  if (changed) logPush(log, 'accepted', head);
  return head;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function refuseTooLong(writes: readonly PushedWrite[]): void {
  const errors = writes.flatMap((write, index) =>
    fits(write) ? [] : [fieldError(`rows[${index}]`, 'ROW_TOO_LARGE', { row: write.row })],
  );
  if (errors.length > 0) throw refuseRows(errors);
}
