import type { Administrations } from './administrations/administration.ts';
import { builtinAdministrations } from './administrations/builtin/builtin.ts';
import { openDatabase } from './administrations/builtin/database.ts';
import { remoteAdministrations } from './administrations/remote/remote.ts';
import type { AppFunctions } from './definition.ts';
import { exportFunctions } from './exports/exports.ts';
import { type RelationExports, relationExports } from './exports/relationExports.ts';
import { healthFunctions } from './health.ts';
import { restFunctions } from './rest/rest.ts';
import type { Settings } from './settings.ts';
import { openStorage } from './storage/storage.ts';
import { taskpaneFunctions } from './taskpane/taskpane.ts';

export const version = '0.1.0';

/** What the functions work with. */
export type Services = {
  /** What answers the endpoints. */
  administrations: Administrations;
  /** Relation exports; there are none without a storage account. */
  exports?: RelationExports;
};

/**
 * All functions of the app.
 * @param services opened when a function first needs them
 * @param pages folder of the built pages
 */
export function functionsOf(services: () => Promise<Services>, pages: string): AppFunctions {
  const administrations = async () => (await services()).administrations;
  const parts: AppFunctions[] = [exportFunctions(async () => (await services()).exports)];
  const health = async () => {
    const { administrations, exports } = await services();
    return {
      administration: () => administrations.health(),
      ...(exports === undefined ? {} : { exports: () => exports.health() }),
    };
  };
  return {
    http: [
      ...restFunctions(administrations, version),
      ...healthFunctions(health, version),
      ...taskpaneFunctions(pages),
      ...parts.flatMap(({ http }) => http),
    ],
    queues: parts.flatMap(({ queues }) => queues),
    timers: parts.flatMap(({ timers }) => timers),
  };
}

/** What answers the endpoints, as the settings have it. */
export async function openAdministrations({ databaseUrl, timeZone, remote }: Settings): Promise<Administrations> {
  if (remote !== undefined) return remoteAdministrations(remote);
  return builtinAdministrations(await openDatabase(databaseUrl), { timeZone });
}

/** What the functions work with, over administrations that are open. */
export function servicesOf(administrations: Administrations, settings: Settings): Services {
  if (settings.storage === undefined) return { administrations };
  const storage = openStorage(settings.storage);
  return { administrations, exports: relationExports(storage, administrations, settings) };
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
