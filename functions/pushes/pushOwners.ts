import type { Credential } from '../../shared/client/client.ts';
import type { Administrations } from '../administrations/administration.ts';
import { pushIdOf } from './acceptPush.ts';
import type { PushAuthor, PushSecrets } from './pushSecrets.ts';
import { isPushId, noPush, type PushHead, type PushStore, unfinishedPushes } from './pushStore.ts';

/*
 * The pushes of a built-in administration are stored under its identifier: all its keys see them. Those of a remote one
 * are stored under an owner that follows from the credential and a secret key, and so were those of a built-in one in
 * earlier versions. After a rotation of the secret key, and after an upgrade, such pushes are found all the same.
 */

/** What the pushes of a credential may be stored under; new ones under the first. */
export type Owners = readonly [current: string, ...previous: string[]];

/** @throws Problem UNAUTHORIZED for a credential that opens no built-in administration, where there are such */
export async function ownersOf(
  { own, identify }: Pick<Administrations, 'own' | 'identify'>,
  secrets: PushSecrets,
  credential: Credential,
): Promise<Owners> {
  const ofCredential = secrets.ownersOf(credential);
  if (own === undefined) return ofCredential;
  const known = await identify(credential);
  return known.kind === 'builtin' ? [known.id, ...ofCredential] : ofCredential;
}

/** Who begins a push with a credential. */
export async function authorOf(
  { own, identify }: Pick<Administrations, 'own' | 'identify'>,
  credential: Credential,
): Promise<PushAuthor> {
  const known = own === undefined ? undefined : await identify(credential);
  if (known?.kind === 'builtin') return { username: known.username, label: known.label };
  return { username: credential.username.toLowerCase(), label: '' };
}

/** Every push of these owners, in no order. */
export async function pushesOf(store: PushStore, owners: Owners): Promise<PushHead[]> {
  return (await Promise.all(owners.map(store.heads))).flat();
}

/** A push of these owners. @throws Problem NOT_FOUND */
export async function pushOf(store: PushStore, owners: Owners, id: string): Promise<PushHead> {
  for (const owner of owners) {
    const found = isPushId(id) ? await store.head(owner, id) : undefined;
    if (found !== undefined) return found.head;
  }
  throw noPush(id);
}

/**
 * The owner a push that begins is stored under: a previous one while it began under that one already, or others still
 * wait there, for one worker at a time works for an owner.
 * @param key the caller's name for it
 */
export async function ownerOfNewPush(store: PushStore, owners: Owners, key: string | undefined): Promise<string> {
  const [current, ...previous] = owners;
  for (const owner of previous) {
    if (key !== undefined && (await store.head(owner, pushIdOf(owner, key))) !== undefined) return owner;
    if ((await unfinishedPushes(store, owner)).length > 0) return owner;
  }
  return current;
}
