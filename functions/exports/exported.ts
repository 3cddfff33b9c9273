import { createHash, timingSafeEqual } from 'node:crypto';
import type { Credential } from '../../shared/client.ts';
import type { Administration, Administrations, Waiting } from '../administrations/administration.ts';
import type { Settings } from '../settings.ts';

/** An administration whose relations are exported. */
export type Exported = {
  /** Its name in the exports: a part of a path, the same for good, and nobody else's. */
  name: string;
  /** What it is called among people. */
  title: string;
  open(waiting: Waiting): Promise<Pick<Administration, 'listrelations'>>;
};

export type ExportedAdministrations = {
  all(): Promise<Exported[]>;
  /** The name in the exports of the one a credential belongs to; undefined when that is not exported. @throws Problem UNAUTHORIZED */
  nameFor(credential: Credential): Promise<string | undefined>;
};

/** The administrations that are exported, as the settings have it: a list with credentials, or all of our own. */
export function exportedAdministrations(
  administrations: Administrations,
  asked: Settings['exports']['administrations'],
): ExportedAdministrations {
  const { own } = administrations;
  if (asked !== 'all') {
    return {
      all: async () =>
        asked.map(({ name, apiKey, username }) => ({
          name: pathName(name),
          title: name,
          open: (waiting) => administrations.open({ apiKey, username }, { ...waiting, priority: 'background' }),
        })),
      async nameFor(credential) {
        // All of them are compared: the time taken tells nothing.
        const found = asked.filter(
          (one) => isSame(one.apiKey, credential.apiKey) && isSame(one.username, credential.username),
        );
        return found[0] && pathName(found[0].name);
      },
    };
  }
  return {
    all: async () =>
      ((await own?.ids()) ?? []).map((id) => ({ name: id, title: id, open: async () => own!.relations(id) })),
    nameFor: async (credential) => own?.idOf(credential),
  };
}

const isSame = (one: string, other: string): boolean => timingSafeEqual(hashOf(one), hashOf(other));

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A name as a part of a path. What does not go into one is left out, and then a few letters tell it from others. */
export function pathName(name: string): string {
  if (/^[a-z][a-z0-9-]{0,59}$/.test(name)) return name;
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return `${plain === '' ? 'x' : plain}-${hashOf(name).toString('hex').slice(0, 8)}`;
}
