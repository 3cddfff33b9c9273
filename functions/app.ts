import { Problem } from '../shared/problem.ts';
import type { Administrations } from './administrations/administration.ts';
import { builtinAdministrations } from './administrations/builtin/builtin.ts';
import { openDatabase } from './administrations/builtin/sql/openDatabase.ts';
import { smtpMailer } from './administrations/documents/mail/mailer.ts';
import { remoteAdministrations } from './administrations/remote/remote.ts';
import { documentFunctions } from './documents/documents.ts';
import { exportFunctions } from './exports/exports.ts';
import { type RelationExports, relationExports } from './exports/relationExports.ts';
import { type Health, healthFunctions } from './health/health.ts';
import type { AppFunctions, HttpFunction } from './http/definition.ts';
import { withResponseDefaults } from './http/responseDefaults.ts';
import { withSignInLimit } from './http/signIn.ts';
import type { SecretKeys } from './pushes/encryptedCredential.ts';
import { openPushes, type Pushes } from './pushes/openPushes.ts';
import { pushFunctions } from './pushes/pushes.ts';
import { openApiFunction, restFunctions } from './rest/rest.ts';
import type { Settings } from './settings.ts';
import { rateLimitTable } from './storage/rateLimitTable.ts';
import { openStorage } from './storage/storage.ts';
import { taskpaneFunctions } from './taskpane/taskpane.ts';
import { catchingUp } from './upkeep/catchUp.ts';
import { upkeepFunctions } from './upkeep/upkeep.ts';

export const version = '0.1.0';

/** What the functions work with. */
export type Services = {
  /** What answers the endpoints. */
  administrations: Administrations;
  /** What needs a storage account; left out where there is none. */
  pushes?: Pushes;
  exports?: RelationExports;
  /** Who has it sees the detail of `/health`. */
  healthKey?: string | undefined;
};

/**
 * All functions of the app.
 * @param open opens the services; called when a function first needs them
 * @param pages folder of the built pages
 * @param local functions of a host of one's own, which Azure does not have
 */
export function functionsOf(
  open: () => Promise<Services>,
  pages: string,
  local: readonly HttpFunction[] = [],
): AppFunctions {
  const services = openedOnce(open);
  const administrations = async () => (await services()).administrations;
  const withStorage: AppFunctions[] = [
    pushFunctions(async () => required((await services()).pushes)),
    exportFunctions(async () => required((await services()).exports)),
  ];
  const upkeep = catchingUp(
    [...upkeepFunctions(administrations).timers, ...withStorage.flatMap(({ timers }) => timers)],
    // Their schedules say minutes, which are the same everywhere.
    'UTC',
  );
  const beside = [
    ...healthFunctions(
      async () => ({ ...(await healthOf(await services())), timers: upkeep.health() }),
      async () => (await services()).healthKey,
      version,
    ),
    ...documentFunctions(administrations).http,
    ...withStorage.flatMap(({ http }) => http),
  ];
  return {
    http: upkeep.http(
      withResponseDefaults(
        withSignInLimit([
          ...restFunctions(administrations),
          openApiFunction(version, beside),
          ...beside,
          ...taskpaneFunctions(pages),
          ...local,
        ]),
      ),
    ),
    queues: withStorage.flatMap(({ queues }) => queues),
    timers: upkeep.timers,
  };
}

/** What answers the endpoints, as the settings have it. */
export async function openAdministrations(settings: Settings): Promise<Administrations> {
  const { databaseUrl, timeZone, attachmentPorts, remote, storage } = settings;
  if (remote !== undefined) {
    return remoteAdministrations(
      remote,
      storage === undefined ? {} : { history: rateLimitTable(openStorage(storage).table('turns')) },
    );
  }
  const { server, delayMinutes } = settings.mail;
  return builtinAdministrations(await openDatabase(databaseUrl), {
    timeZone,
    attachmentPorts,
    mailDelayMinutes: delayMinutes,
    ...(server === undefined ? {} : { mailer: smtpMailer(server.url, server.from) }),
  });
}

/** What the functions work with, over administrations that are open. */
export function servicesOf(administrations: Administrations, settings: Settings): Services {
  const { storage: connectionString, secretKey, previousSecretKey, pushDays: days, healthKey } = settings;
  if (connectionString === undefined || secretKey === undefined) return { administrations, healthKey };
  const storage = openStorage(connectionString);
  const secretKeys: SecretKeys = previousSecretKey === undefined ? [secretKey] : [secretKey, previousSecretKey];
  return {
    administrations,
    pushes: openPushes({ storage, administrations, secretKeys, days }),
    healthKey,
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

/** A service that needs a storage account. @throws Problem UNAVAILABLE where there is none */
function required<T>(service: T | undefined): T {
  if (service !== undefined) return service;
  throw new Problem('UNAVAILABLE', 'This needs a storage account: AzureWebJobsStorage and SECRET_KEY are to be set.');
}

/** Opens something when it is first needed, once; after a failure the next one who needs it tries again. */
function openedOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((failure) => {
      opened = undefined;
      throw failure;
    });
    return opened;
  };
}
