import { hash } from 'node:crypto';
import type { Credential } from '../../shared/client/client.ts';
import { Problem } from '../../shared/problem.ts';
import type {
  Administrations,
  CallOptions,
  OwnAdministrations,
  RelationSource,
} from '../administrations/administration.ts';
import { isSameSecret } from '../http/credential.ts';
import type { Settings } from '../settings.ts';

/** An administration whose relations are exported. */
export type Exported = {
  /** Its name in the exports: a unique part of a path that never changes. */
  name: string;
  /** Its name for display. */
  title: string;
  open(options: CallOptions): Promise<RelationSource>;
};

export type ExportedAdministrations = {
  all(): Promise<Exported[]>;
  /** The one of that name; undefined when it is not exported. */
  named(name: string): Promise<Exported | undefined>;
  /**
   * The name in the exports of the one a credential belongs to; undefined when that is not exported.
   * @throws Problem UNAUTHORIZED
   */
  nameFor(credential: Credential): Promise<string | undefined>;
};

/** The administrations that are exported, as the settings have it: a list with credentials, or all of our own. */
export function exportedAdministrations(
  administrations: Administrations,
  configured: Settings['exports']['administrations'],
): ExportedAdministrations {
  const { own } = administrations;
  if (configured !== 'all') {
    const all = async (): Promise<Exported[]> => {
      const archived = await Promise.all(configured.map((one) => isArchived(own, one)));
      return configured
        .filter((_, index) => !archived[index])
        .map(({ name, apiKey, username }) => ({
          name: pathName(name),
          title: name,
          open: (options) => administrations.open({ apiKey, username }, { ...options, priority: 'background' }),
        }));
    };
    return {
      all,
      named: async (name) => (await all()).find((one) => one.name === name),
      async nameFor(credential) {
        const id = await own?.idOf(credential);
        // Compared with every credential, so that the time taken reveals nothing.
        const username = credential.username.toLowerCase();
        const [listed] = configured.filter(
          (one) => isSameSecret(one.apiKey, credential.apiKey) && isSameSecret(one.username.toLowerCase(), username),
        );
        if (listed === undefined) await administrations.verify?.(credential);
        const found = listed ?? (own && (await firstThatOpens(own, id!, configured)));
        return found && pathName(found.name);
      },
    };
  }
  const exportedOf = (id: string): Exported => ({ name: id, title: id, open: async () => own!.relations(id) });
  return {
    all: async () => ((await own?.ids()) ?? []).map(exportedOf),
    named: async (name) => ((await own?.isOpen(name)) ? exportedOf(name) : undefined),
    async nameFor(credential) {
      await administrations.verify?.(credential);
      return own?.idOf(credential);
    },
  };
}

/** The first entry whose credential opens the administration; other users of it have other keys. */
async function firstThatOpens<One extends Credential>(
  own: OwnAdministrations,
  id: string,
  configured: readonly One[],
): Promise<One | undefined> {
  for (const one of configured) if ((await idOpenedBy(own, one)) === id) return one;
  return undefined;
}

/** Whether a credential opens an administration of our own that is archived. */
async function isArchived(own: OwnAdministrations | undefined, credential: Credential): Promise<boolean> {
  const id = own && (await idOpenedBy(own, credential));
  return id !== undefined && !(await own!.isOpen(id));
}

/** The id of the administration that a credential opens; undefined for a revoked key, which opens nothing. */
const idOpenedBy = (own: OwnAdministrations, credential: Credential): Promise<string | undefined> =>
  own.idOf(credential).catch((failure) => {
    if (failure instanceof Problem) return undefined;
    throw failure;
  });

/** A name as a part of a path. Characters that do not fit are left out; a few letters then make it unique. */
function pathName(name: string): string {
  if (/^[a-z][a-z0-9-]{0,59}$/.test(name)) return name;
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return `${plain === '' ? 'x' : plain}-${hash('sha256', name).slice(0, 8)}`;
}
