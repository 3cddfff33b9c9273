import { type ClientGlobals, completeOffice, connect } from './client.ts';
import type { ExcelHost } from './host.ts';
import { pageLanguage } from './page/pageMessages.ts';
import { locales } from './workbook/cells/locale.ts';

/** The workbook page around this frame has its host under this name. */
export type HostWindow = Window & { excelHost: ExcelHost };

const { excelHost } = window.parent as HostWindow;
/** Stops to listen to the workbook when a button of the ribbon loads another page into the frame. */
const host: ExcelHost = {
  ...excelHost,
  onEvents: (listener) => {
    const stop = excelHost.onEvents(listener);
    window.addEventListener('pagehide', stop);
    return stop;
  },
};
window.addEventListener('pagehide', () => {
  host.functions.forget();
  host.actions.forget();
});
const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const language = pageLanguage(window.location.search, navigator.language);
const scope = window as unknown as ClientGlobals;

completeOffice(scope, locales[language].tag, host, theme);
connect(scope, host);

// The same code as in Excel.
await import('../taskpane/main.tsx');
