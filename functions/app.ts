import type { Administrations } from './administrations/administration.ts';
import { builtinAdministrations } from './administrations/builtin/builtin.ts';
import { openDatabase } from './administrations/builtin/database.ts';
import { remoteAdministrations } from './administrations/remote/remote.ts';
import type { HttpFunction } from './definition.ts';
import { healthFunctions } from './health.ts';
import { restFunctions } from './rest/rest.ts';
import type { Settings } from './settings.ts';
import { taskpaneFunctions } from './taskpane/taskpane.ts';

export const version = '0.1.0';

/**
 * All functions of the app.
 * @param administrations what answers the endpoints; asked for when a request needs it
 * @param pages folder of the built pages
 */
export const functionsOf = (administrations: () => Promise<Administrations>, pages: string): HttpFunction[] => [
  ...restFunctions(administrations, version),
  ...healthFunctions(administrations, version),
  ...taskpaneFunctions(pages),
];

/** What answers the endpoints, as the settings have it. */
export async function openAdministrations({ databaseUrl, timeZone, remote }: Settings): Promise<Administrations> {
  if (remote !== undefined) return remoteAdministrations(remote);
  return builtinAdministrations(await openDatabase(databaseUrl), { timeZone });
}

/** Opens something when it is first needed, once; after a failure the next one who needs it tries again. */
export function openedOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((failure) => {
      opened = undefined;
      throw failure;
    });
    return opened;
  };
}
