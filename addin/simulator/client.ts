import { CallError, errorCodes } from './functionCalls.ts';
import type { ExcelHost } from './host.ts';

/** The interfaces of Microsoft's client for hosts other than Excel. They are not in its published types. */
type OfficeExtensionInternals = {
  SessionBase: { _overrideSession: unknown };
  GenericEventRegistration: { s_genericEventRegistrations: Record<string, unknown> };
  _testSetRichApiMessageReadyImpl(ready: () => Promise<void>): void;
  _testTriggerRichApiMessageEvent(message: { entries: unknown[] }): void;
};

type RequestMessage = { Body: unknown };

/** Connects the client to a host: requests of `Excel.run` to the host, events of the host to the handlers. */
export const connect = (scope: ClientGlobals, host: ExcelHost): void => {
  const internals = scope.OfficeExtension as OfficeExtensionInternals;
  const executor = {
    executeAsync: async (_customData: string, flags: number, message: RequestMessage) => {
      const response = await host.execute(JSON.stringify(message.Body), flags);
      if ('errorCode' in response) {
        const { errorCode, errorMessage } = response;
        return { HttpStatusCode: 400, ErrorCode: errorCode, ErrorMessage: errorMessage, Headers: {}, Body: null };
      }
      return { HttpStatusCode: 200, ErrorCode: '', ErrorMessage: '', Headers: {}, Body: JSON.parse(response.body) };
    },
  };
  internals.SessionBase._overrideSession = {
    _resolveRequestUrlAndHeaderInfo: async () => ({ url: '', headers: {} }),
    _createRequestExecutorOrNull: () => executor,
  };
  internals._testSetRichApiMessageReadyImpl(async () => {});
  // Handlers of a workbook that this client was connected to before.
  internals.GenericEventRegistration.s_genericEventRegistrations = {};
  host.onEvents((entries) => internals._testTriggerRichApiMessageEvent({ entries }));
};

/** The number of that event; see `events.ts`. */
const WORKSHEET_SELECTION_CHANGED = 14;

/** The requirement sets of the simulated Excel: of Excel's API exactly the one of the manifest. */
const supportedSets: Record<string, number> = { ExcelApi: 1.13, DelayForCellEdit: 1.1, SharedRuntime: 1.1 };

/** The prefix of stored names in Excel on the web, which partitions the storage by embedding site. */
const PARTITION = 'simulated-workbook.';

/** The colours of Excel's window. */
const officeThemes = {
  light: {
    bodyBackgroundColor: '#FFFFFF',
    bodyForegroundColor: '#333333',
    controlBackgroundColor: '#FFFFFF',
    controlForegroundColor: '#333333',
  },
  dark: {
    bodyBackgroundColor: '#1F1F1F',
    bodyForegroundColor: '#FFFFFF',
    controlBackgroundColor: '#292929',
    controlForegroundColor: '#FFFFFF',
  },
};

/** The parts of versions are compared as numbers: 1.9 is lower than 1.13. */
export const isSetSupported = (name: string, version: string | number = '1.1'): boolean => {
  const supported = supportedSets[name];
  if (supported === undefined) return false;
  const [major = 0, minor = 0] = String(supported).split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = String(version).split('.').map(Number);
  return wantedMajor < major || (wantedMajor === major && wantedMinor <= minor);
};

type Callback = (result: { status: 'succeeded'; value: undefined }) => void;

/** `Office.context.document`, as far as `workbook.onSelectionChanged` needs it. */
const documentOf = (host: ExcelHost) => {
  const handlers = new Set<() => void>();
  host.onEvents((entries) => {
    if (entries.some(({ messageType }) => messageType === WORKSHEET_SELECTION_CHANGED)) {
      for (const handler of handlers) handler();
    }
  });
  const done = (rest: unknown[]): void => {
    (rest.findLast((item) => typeof item === 'function') as Callback | undefined)?.({
      status: 'succeeded',
      value: undefined,
    });
  };
  return refusingOthers('Office.context.document', {
    addHandlerAsync: (_type: string, handler: () => void, ...rest: unknown[]) => {
      handlers.add(handler);
      done(rest);
    },
    removeHandlerAsync: (_type: string, options: { handler: () => void }, ...rest: unknown[]) => {
      handlers.delete(options.handler);
      done(rest);
    },
  });
};

/** An object whose other members are refused by name, as those of the workbook are. */
const refusingOthers = <Known extends object>(path: string, known: Known): Known =>
  new Proxy(known, {
    get: (target, name) => {
      if (typeof name === 'symbol' || name in target || name === 'then' || name === 'toJSON') {
        return Reflect.get(target, name);
      }
      const message = `${path}.${name} is not part of this simulated workbook.`;
      throw Object.assign(new Error(message), { code: 'ApiNotFound' });
    },
  });

/** `Office.StartupBehavior`. */
const startupBehaviors: Readonly<Record<string, string>> = { none: 'None', load: 'Load' };

/** The global scope Microsoft's client was loaded into. */
export type ClientGlobals = { Office: object; OSF: object; OfficeExtension: object };

/**
 * Adds to the client what office.js adds inside Excel: `onReady`, and data about the host.
 */
export const completeOffice = (
  scope: ClientGlobals,
  language: string,
  host: ExcelHost,
  theme: keyof typeof officeThemes = 'light',
): void => {
  const info = { host: 'Excel', platform: 'OfficeOnline' };
  const context = {
    contentLanguage: language,
    displayLanguage: language,
    partitionKey: PARTITION,
    officeTheme: officeThemes[theme],
    requirements: { isSetSupported },
    diagnostics: { ...info, version: '16.0.0.0' },
    document: documentOf(host),
    ...info,
  };
  Object.assign(scope.OSF, { _OfficeAppFactory: { getContext: () => context, getHostInfo: () => ({}) } });
  Object.assign(scope.Office, {
    onReady: async (callback?: (ready: typeof info) => unknown) => {
      await callback?.(info);
      return info;
    },
    HostType: { Excel: 'Excel' },
    actions: {
      associate: (name: string, action: (event: { completed: () => void }) => void) =>
        host.actions.associate(name, () => new Promise<boolean>((end) => action({ completed: () => end(true) }))),
    },
    StartupBehavior: startupBehaviors,
    addin: {
      showAsTaskpane: async () => host.showPane(),
      getStartupBehavior: async () => host.startup.read(),
      setStartupBehavior: async (behavior: string) => {
        if (!Object.values(startupBehaviors).includes(behavior)) throw new Error('InvalidArgument');
        host.startup.store(behavior);
      },
    },
    PlatformType: { PC: 'PC', Mac: 'Mac', OfficeOnline: 'OfficeOnline', iOS: 'iOS', Android: 'Android' },
  });
  Object.assign(scope, {
    CustomFunctions: {
      associate: (id: string, implementation: (...args: unknown[]) => unknown) =>
        host.functions.associate(id, implementation),
      Error: CallError,
      ErrorCode: errorCodes,
    },
  });
};
