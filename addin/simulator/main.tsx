import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { NAMESPACE } from '../taskpane/ledgerFormulas/declaration.ts';
import { functionsMetadata } from '../taskpane/ledgerFormulas/functionsMetadata.ts';
import { calculateWhenNeeded } from './calculateWhenNeeded.ts';
import { createHost } from './host.ts';
import { App } from './page/App.tsx';
import { createHandle } from './page/editing/handle.ts';
import { nextTask } from './page/editing/inParts.ts';
import { loadTexts, pageLanguage } from './page/pageMessages.ts';
import { ribbonGroups } from './page/ribbonGroups.ts';
import type { HostWindow } from './pane.ts';
import { Workbook } from './workbook/workbook.ts';
import './page/page.css';
import './page/bars.css';
import './page/grid/grid.css';
import './page/menus.css';
import './sheetCharts/charts.css';

const language = pageLanguage(window.location.search, navigator.language);
const texts = await loadTexts[language]();
const messages = texts.page;
const ribbon = ribbonGroups(language);
const root = createRoot(document.getElementById('root')!);
document.documentElement.lang = language;
document.title = messages.title;

/** The functions in cells of the add-in: Excel reads them in its metadata. */
const declaredFunctions = functionsMetadata(texts).functions.map(({ id, name, parameters }) => ({
  id,
  name: `${NAMESPACE}.${name}`,
  parameters: parameters.map(({ dimensionality, optional }) => ({
    isMatrix: dimensionality === 'matrix',
    isOptional: optional,
  })),
}));

let opened = 0;

/** Shows a workbook. The pane begins anew in it, as in a new window of Excel. */
function show(workbook: Workbook, startsWithPane = true): void {
  const host = createHost(workbook, nextTask);
  (window as unknown as HostWindow).excelHost = host;
  window.workbook = createHandle(workbook);
  calculateWhenNeeded(workbook, { functions: declaredFunctions, calls: host.functions });
  // In parts: a large sheet takes long to draw for the first time.
  startTransition(() =>
    root.render(
      <App
        key={++opened}
        workbook={workbook}
        messages={messages}
        ribbon={ribbon}
        onOpened={show}
        startsWithPane={startsWithPane}
        host={host}
        paneAddress={`/taskpane/simulator/pane.html?lang=${language}`}
      />,
    ),
  );
}

show(new Workbook(language));
