import type { Credential } from '../../shared/client/client.ts';
import { pushIdOf } from './acceptPush.ts';
import type { CredentialSecrets } from './encryptedCredential.ts';
import { findHead, isPushId, type PushHead, type PushStore, unfinishedPushes } from './pushStore.ts';

/*
 * A push is stored under an owner that follows from its credential and a secret key. After a rotation those of a
 * previous secret key are found all the same.
 */

/** Every push of a credential, in no order. */
export async function pushesOf(
  store: PushStore,
  secrets: CredentialSecrets,
  credential: Credential,
): Promise<PushHead[]> {
  return (await Promise.all(secrets.ownersOf(credential).map(store.heads))).flat();
}

/** The owner a push of a credential is stored under. @throws Problem NOT_FOUND */
export async function ownerOfPush(
  store: PushStore,
  secrets: CredentialSecrets,
  credential: Credential,
  id: string,
): Promise<string> {
  const owners = secrets.ownersOf(credential);
  for (const owner of owners) if (isPushId(id) && (await store.head(owner, id)) !== undefined) return owner;
  return (await findHead(store, owners[0], id)).head.owner;
}

/**
 * The owner a push that begins is stored under: that of a previous secret key while it began under that one already, or
 * others still wait there, for one worker at a time works for an owner.
 * @param key the caller's name for it
 */
export async function ownerOfNewPush(
  store: PushStore,
  secrets: CredentialSecrets,
  credential: Credential,
  key: string | undefined,
): Promise<string> {
  const [current, ...previous] = secrets.ownersOf(credential);
  for (const owner of previous) {
    if (key !== undefined && (await store.head(owner, pushIdOf(owner, key))) !== undefined) return owner;
    if ((await unfinishedPushes(store, owner)).length > 0) return owner;
  }
  return current;
}
