import { type ClientGlobals, completeOffice, connect } from './client.ts';
import type { ExcelHost } from './host.ts';
import { pageLanguage } from './page/words.ts';

/** The workbook page, which this pane is framed in, offers its host under this name. */
export type HostWindow = Window & { excelHost: ExcelHost };

const host = (window.parent as HostWindow).excelHost;
const language = pageLanguage(window.location.search, navigator.language);
const scope = window as unknown as ClientGlobals;

completeOffice(scope, language === 'nl' ? 'nl-NL' : 'en-US', host);
connect(scope, host);

// From here on it is the pane as Excel runs it.
await import('../taskpane/main.tsx');
