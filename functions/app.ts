import { Problem } from '../shared/problem.ts';
import type { Administrations } from './administrations/administration.ts';
import { builtinAdministrations } from './administrations/builtin/builtin.ts';
import { openDatabase } from './administrations/builtin/sql/database.ts';
import { remoteAdministrations } from './administrations/remote/remote.ts';
import { exportFunctions } from './exports/exports.ts';
import { type RelationExports, relationExports } from './exports/relationExports.ts';
import { type Health, healthFunctions } from './health/health.ts';
import type { AppFunctions } from './http/definition.ts';
import { openPushes, type Pushes } from './pushes/openPushes.ts';
import { pushFunctions } from './pushes/pushes.ts';
import { restFunctions } from './rest/rest.ts';
import type { Settings } from './settings.ts';
import { rateLimitTable } from './storage/rateLimitTable.ts';
import { openStorage } from './storage/storage.ts';
import { taskpaneFunctions } from './taskpane/taskpane.ts';

export const version = '0.1.0';

/** What the functions work with. */
export type Services = {
  /** What answers the endpoints. */
  administrations: Administrations;
  /** What needs a storage account; left out where there is none. */
  pushes?: Pushes;
  exports?: RelationExports;
};

/**
 * All functions of the app.
 * @param services opened when a function first needs them
 * @param pages folder of the built pages
 */
export function functionsOf(services: () => Promise<Services>, pages: string): AppFunctions {
  const administrations = async () => (await services()).administrations;
  const parts: AppFunctions[] = [
    pushFunctions(async () => stored((await services()).pushes)),
    exportFunctions(async () => stored((await services()).exports)),
  ];
  return {
    http: [
      ...restFunctions(administrations, version),
      ...healthFunctions(async () => healthOf(await services()), version),
      ...taskpaneFunctions(pages),
      ...parts.flatMap(({ http }) => http),
    ],
    queues: parts.flatMap(({ queues }) => queues),
    timers: parts.flatMap(({ timers }) => timers),
  };
}

/** What answers the endpoints, as the settings have it. */
export async function openAdministrations(settings: Settings): Promise<Administrations> {
  const { databaseUrl, timeZone, remote, storage } = settings;
  if (remote !== undefined) {
    return remoteAdministrations(
      remote,
      storage === undefined ? {} : { turns: rateLimitTable(openStorage(storage).table('turns')) },
    );
  }
  return builtinAdministrations(await openDatabase(databaseUrl), { timeZone });
}

/** What the functions work with, over administrations that are open. */
export function servicesOf(administrations: Administrations, settings: Settings): Services {
  const { storage: connectionString, secretKey, pushDays: days } = settings;
  if (connectionString === undefined || secretKey === undefined) return { administrations };
  const storage = openStorage(connectionString);
  return {
    administrations,
    pushes: openPushes({ storage, administrations, secretKey, days }),
    exports: relationExports(storage, administrations, settings),
  };
}

async function healthOf({ administrations, pushes, exports }: Services): Promise<Record<string, Health>> {
  return {
    administration: await administrations.health(),
    ...(pushes === undefined ? {} : { pushes: await pushes.health() }),
    ...(exports === undefined ? {} : { exports: await exports.health() }),
  };
}

/** What needs a storage account. @throws Problem UNAVAILABLE where there is none */
function stored<T>(part: T | undefined): T {
  if (part !== undefined) return part;
  throw new Problem('UNAVAILABLE', 'This needs a storage account: AzureWebJobsStorage and SECRET_KEY are to be set.');
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
