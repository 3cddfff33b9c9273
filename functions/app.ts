import { Problem } from '../shared/problem.ts';
import type { Administrations } from './administrations/administration.ts';
import { version } from './administrations/version.ts';
import { withWriteQuota } from './administrations/writeQuota.ts';
import { auditfileFunctions } from './auditfiles/auditfiles.ts';
import type { Auditfiles } from './auditfiles/openAuditfiles.ts';
import { ledgerFunctions } from './books/books.ts';
import { catalogueFunctions } from './catalogue/catalogue.ts';
import { type DocumentLinks, documentLinks } from './documents/documentLinks.ts';
import { documentFunctions } from './documents/documents.ts';
import { exportFunctions } from './exports/exports.ts';
import type { RelationExports } from './exports/relationExports.ts';
import { type Health, hasHealthKey, healthFunctions, healthTimer } from './health/health.ts';
import type { AppFunctions, HttpFunction, QueueFunction } from './http/definition.ts';
import { type Middleware, withMiddleware } from './http/middleware.ts';
import { responseDefaults } from './http/responseDefaults.ts';
import type { SecretKeys } from './http/secretKeys.ts';
import { signInLimit } from './http/signIn.ts';
import { type IdentitySources, identityFunctions } from './identity/identity.ts';
import type { Pushes } from './pushes/openPushes.ts';
import { pushFunctions } from './pushes/pushes.ts';
import { openApiFunction, restFunctions } from './rest/rest.ts';
import { type Settings, WrongSetting } from './settings.ts';
import { unavailability } from './storage/failure.ts';
import { RATE_LIMIT_TABLE, rateLimitTable } from './storage/rateLimitTable.ts';
import { openStorage } from './storage/storage.ts';
import { taskpaneFunctions } from './taskpane/taskpane.ts';
import { traced, tracedQueue, tracedTimer } from './telemetry/traced.ts';
import { catchingUp } from './upkeep/catchUp.ts';
import { ownTimerRuns, storedTimerRuns, type TimerRuns } from './upkeep/timerRuns.ts';
import { upkeepFunctions } from './upkeep/upkeep.ts';
import { vatFunctions } from './vatReturns/vatReturns.ts';

/** Opens a service when it is first needed, once. */
type Opening<Service> = { (): Promise<Service>; opened?: Promise<Service> | undefined };

/** The services that the functions depend on. */
export type Services = {
  /** The administrations behind the endpoints. */
  administrations: Administrations;
  /** Left out where there is no secret key. */
  secretKeys?: SecretKeys;
  /** The services that need a storage account; left out when there is none. */
  pushes?: Opening<Pushes>;
  exports?: Opening<RelationExports>;
  auditfiles?: Opening<Auditfiles>;
  documentLinks?: DocumentLinks;
  timerRuns?: TimerRuns;
};

type AppOptions = {
  /** Folder of the built pages. */
  pages: string;
  /** The key that shows the detail of `/health`, and which setting is wrong. */
  healthKey?: string | undefined;
  /** Functions of the local host only. */
  local?: readonly HttpFunction[];
};

/**
 * All functions of the app.
 * @param open opens the services; called when a function first needs them. While the settings are wrong it throws
 *   WrongSetting, for which functions respond 503
 */
export function functionsOf(open: () => Promise<Services>, { pages, healthKey, local = [] }: AppOptions): App {
  const services = openedOnce(open);
  const administrations = async () => (await services()).administrations;
  const withStorage: AppFunctions[] = [
    pushFunctions(async () => required((await services()).pushes)()),
    exportFunctions(async () => required((await services()).exports)()),
    auditfileFunctions(async () => required((await services()).auditfiles)()),
    documentFunctions(administrations, async () => required((await services()).documentLinks)),
  ];
  const health = async () => ({ ...(await healthOf(await services())), timers: await upkeep.health() });
  const due = upkeepFunctions(administrations);
  const unstored = ownTimerRuns();
  const upkeep = catchingUp(
    [...due.timers, ...withStorage.flatMap(({ timers }) => timers), healthTimer(health)],
    async () => (await services()).timerRuns ?? unstored,
  );
  const beside = [
    ...healthFunctions(health, healthKey, version),
    ...catalogueFunctions(administrations),
    ...ledgerFunctions(administrations),
    ...vatFunctions(administrations),
    ...identityFunctions(async () => identitySourcesOf(await services())),
    ...withMiddleware(
      withStorage.flatMap(({ http }) => http),
      unavailableStorage,
    ),
  ];
  const http = [
    ...withMiddleware(restFunctions(administrations), upkeep.lookAfterSuccess),
    openApiFunction(version, beside),
    ...beside,
    ...taskpaneFunctions(pages),
    ...local,
  ];
  return {
    http: withMiddleware(http, traced, responseDefaults, signInLimit(healthKey), wrongSettings(healthKey)),
    queues: untilSettingsAreRight(withStorage.flatMap(({ queues }) => queues)).map(tracedQueue),
    timers: upkeep.timers.map(tracedTimer),
    stop: async () => {
      const opened = await services.opened?.catch(() => undefined);
      const running = await Promise.allSettled([
        opened?.exports?.opened,
        opened?.pushes?.opened,
        opened?.auditfiles?.opened,
      ]);
      const stops = running.map((one) => (one.status === 'fulfilled' ? one.value?.stop() : undefined));
      await Promise.all([due.stop(), ...stops]);
    },
  };
}

/** The functions of an app, and what ends the running pushes, exports, mail and invoices and waits for them. */
export type App = AppFunctions & { stop: () => Promise<void> };

/** Responds 503 while a setting is wrong. A caller with the health key gets its name. */
const wrongSettings =
  (healthKey: string | undefined): Middleware =>
  (next) =>
  (request, context) =>
    next(request, context).catch((thrown) => {
      if (!(thrown instanceof WrongSetting)) throw thrown;
      const message = hasHealthKey(request, healthKey)
        ? thrown.message
        : 'A setting of the app is wrong. The log says which, and so does this response to a request with the health key.';
      throw new Problem('UNAVAILABLE', message, { cause: thrown });
    });

/**
 * Has queues leave a message to the timers while a setting is wrong: those find the pushes and exports that nobody works
 * on. Messages that fail would end in the poison queue. A wrong setting is mostly known before functions are registered,
 * but keys of the demo in a database are found when it is opened.
 */
const untilSettingsAreRight = (functions: readonly QueueFunction[]): QueueFunction[] =>
  functions.map((one) => ({
    ...one,
    handler: (message, context) =>
      one.handler(message, context).catch((thrown) => {
        if (!(thrown instanceof WrongSetting)) throw thrown;
        context.error(thrown.message);
      }),
  }));

/** Responds 503 while the storage account cannot be used. */
const unavailableStorage: Middleware = (next) => (request, context) => next(request, context).catch(rethrowOfStorage);

/** For `catch`. @throws Problem UNAVAILABLE when the storage account cannot be used, else the same failure */
function rethrowOfStorage(cause: unknown): never {
  const reason = unavailability(cause);
  if (reason === undefined) throw cause;
  throw new Problem('UNAVAILABLE', `${reason} Try again later.`, { cause });
}

/**
 * Opens the administration of the settings. Its code is loaded here, so that the app registers its functions faster.
 */
export async function openAdministrations(settings: Settings): Promise<Administrations> {
  const { remote, storage } = settings;
  if (remote !== undefined) {
    const { remoteAdministrations } = await import('./administrations/remote/remote.ts');
    return remoteAdministrations(
      remote,
      storage === undefined ? {} : { history: rateLimitTable(openStorage(storage).table(RATE_LIMIT_TABLE)) },
    );
  }
  return (await import('./openBuiltin.ts')).openBuiltin(settings);
}

/** The services that the functions depend on. No list waits for those of pushes and exports. */
export function servicesOf(opened: Administrations, settings: Settings): Services {
  const administrations = withWriteQuota(opened, settings.writesPerMinute);
  const { storage: connectionString, secretKey, previousSecretKey, pushDays: days, timeZone } = settings;
  if (secretKey === undefined) return { administrations };
  const secretKeys: SecretKeys = previousSecretKey === undefined ? [secretKey] : [secretKey, previousSecretKey];
  if (connectionString === undefined) return { administrations, secretKeys };
  const storage = openStorage(connectionString);
  return {
    administrations,
    secretKeys,
    pushes: openedOnce(async () =>
      (await import('./pushes/openPushes.ts')).openPushes({ storage, administrations, secretKeys, days, timeZone }),
    ),
    exports: openedOnce(async () =>
      (await import('./exports/relationExports.ts')).relationExports(storage, administrations, settings),
    ),
    auditfiles: openedOnce(async () =>
      (await import('./auditfiles/openAuditfiles.ts')).openAuditfiles({ storage, administrations, secretKeys, days }),
    ),
    documentLinks: documentLinks(storage),
    timerRuns: storedTimerRuns(storage.table('timers')),
  };
}

const identitySourcesOf = ({ administrations, secretKeys, pushes, exports }: Services): IdentitySources => ({
  administrations,
  ...(secretKeys === undefined ? {} : { secretKeys }),
  storageParts: async (credential) => ({
    pushes: pushes !== undefined,
    exports: (await (await exports?.())?.covers(credential)) ?? false,
  }),
});

async function healthOf({ administrations, pushes, exports, auditfiles }: Services): Promise<Record<string, Health>> {
  return {
    administration: await administrations.health(),
    ...(pushes === undefined ? {} : { pushes: await (await pushes()).health().catch(rethrowOfStorage) }),
    ...(exports === undefined ? {} : { exports: await (await exports()).health().catch(rethrowOfStorage) }),
    ...(auditfiles === undefined ? {} : { auditfiles: await (await auditfiles()).health().catch(rethrowOfStorage) }),
  };
}

/** A service that needs a storage account. @throws Problem UNAVAILABLE where there is none */
function required<T>(service: T | undefined): T {
  if (service !== undefined) return service;
  throw new Problem('UNAVAILABLE', 'This needs a storage account: AzureWebJobsStorage and SECRET_KEY are to be set.');
}

/** Opens something once, when it is first needed; after a failure the next call tries again. */
function openedOnce<T>(open: () => Promise<T>): Opening<T> {
  const once: Opening<T> = () => {
    once.opened ??= open().catch((failure) => {
      once.opened = undefined;
      throw failure;
    });
    return once.opened;
  };
  return once;
}
