import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { type ClientGlobals, completeOffice, connect } from './client.ts';
import { createHost, type ExcelHost } from './host.ts';
import type { Workbook } from './workbook/workbook.ts';

/** Microsoft's client as a browser would have it in its global scope. */
type ExcelClient = {
  Excel: typeof Excel;
  OfficeExtension: typeof OfficeExtension;
  Office: typeof Office;
  host: ExcelHost;
};

type LoadedClient = Omit<ExcelClient, 'host'> & ClientGlobals;

let compiled: vm.Script | undefined;

const clientScript = (): vm.Script => {
  if (!compiled) {
    const file = createRequire(import.meta.url).resolve('@microsoft/office-js/dist/excel-web-16.00.js');
    compiled = new vm.Script(readFileSync(file, 'utf8'), { filename: 'excel-web-16.00.js' });
  }
  return compiled;
};

/** Microsoft's client, connected to no workbook yet. To load it takes 12 ms. */
export const loadClient = (): LoadedClient => {
  const location = { href: 'http://localhost/', origin: 'http://localhost', hash: '', search: '', pathname: '/' };
  const element = () => ({ style: {}, setAttribute: () => {}, appendChild: () => {} });
  const scope: Record<string, unknown> = {
    // The client's errors should be errors of this realm, for `instanceof Error` and for test runners.
    Error,
    Promise,
    console,
    setTimeout,
    clearTimeout,
    performance,
    location,
    navigator: { userAgent: 'Node.js' },
    document: {
      location,
      cookie: '',
      addEventListener: () => {},
      createElement: element,
      getElementsByTagName: () => [],
    },
  };
  scope.window = scope;
  scope.self = scope;
  clientScript().runInContext(vm.createContext(scope));
  return scope as unknown as LoadedClient;
};

/** Connects a client to a workbook. It forgets the one before, and its handlers of events. */
export const connectClient = (client: LoadedClient, workbook: Workbook): ExcelClient => {
  const host = createHost(workbook);
  completeOffice(client, workbook.locale.tag, host);
  connect(client, host);
  return { Excel: client.Excel, OfficeExtension: client.OfficeExtension, Office: client.Office, host };
};

/**
 * Microsoft's own Office.js client, without a browser, on a simulated workbook: for tests and benchmarks. Each call
 * gives a client of its own.
 */
export const openExcel = (workbook: Workbook): ExcelClient => connectClient(loadClient(), workbook);
