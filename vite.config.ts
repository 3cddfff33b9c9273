import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { guideFiles } from './addin/guide/guideFiles.ts';
import { functionFiles } from './addin/manifest/functionFiles.ts';
import { themeStyles } from './addin/taskpane/colours/themeStyles.ts';

/** The pages: the task pane (which Excel opens) and the workbook page (which shows it beside a simulated workbook). */
const addin = path.resolve(import.meta.dirname, 'addin');

/**
 * Microsoft's Excel client, for the workbook page only. In Excel the pane gets it from Microsoft's own address, as the
 * store demands; the workbook page runs without a network.
 */
const excelClient = (): Plugin => {
  const fileName = 'workbook/excel-web-16.00.js';
  const source = () =>
    readFileSync(createRequire(import.meta.url).resolve('@microsoft/office-js/dist/excel-web-16.00.js'));
  return {
    name: 'excel-client',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: source() });
    },
    configureServer(server) {
      server.middlewares.use(`/taskpane/${fileName}`, (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(source());
      });
    },
  };
};

/**
 * What Excel loads for the functions in cells: their metadata in each language, and the script of the page that computes
 * them. That page is the pane, so the script is the pane's own.
 */
const cellFunctions = (): Plugin => ({
  name: 'cell-functions',
  generateBundle(_, bundle) {
    for (const [fileName, source] of functionFiles()) this.emitFile({ type: 'asset', fileName, source });
    const script = path.join(addin, 'taskpane/main.tsx');
    const pane = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.moduleIds.includes(script));
    const source = `import('../${pane!.fileName}');\n`;
    this.emitFile({ type: 'asset', fileName: 'functions/functions.js', source });
  },
  configureServer(server) {
    for (const [fileName, source] of functionFiles()) {
      server.middlewares.use(`/taskpane/${fileName}`, (_request, response) => {
        response.setHeader('content-type', 'application/json').end(source);
      });
    }
  },
});

/** The user guide, which the pane's help opens. */
const guide = (): Plugin => ({
  name: 'guide',
  generateBundle() {
    for (const [fileName, source] of guideFiles()) this.emitFile({ type: 'asset', fileName, source });
  },
});

/** The stylesheet of the pane's themes. */
const themes = (): Plugin => {
  const name = 'virtual:themes.css';
  return {
    name: 'themes',
    resolveId: (id) => (id === name ? id : null),
    load: (id) => (id === name ? themeStyles : null),
  };
};

/** Leaves out the names of components, which only React's developer tools show. */
const withoutNames: Plugin = {
  name: 'without-names',
  apply: 'build',
  transform: {
    filter: { id: /@fluentui/ },
    handler: (code) => ({
      code: code
        .replace(/^\w+\.displayName = '\w+';$|\bdisplayName: '\w+',?/gm, '')
        .replace(/(?<=createFluentIcon\()'\w+'/g, "''"),
      map: null,
    }),
  },
};

type Modules = { getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null };

/** The modules that are loaded with one: its own imports and theirs. */
function loadedWith(id: string, modules: Modules, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) loadedWith(imported, modules, found);
  return found;
}

/** The files of the pages, by the modules that begin each; views that work on the same sheets share one. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  workbook: ['simulator/main.tsx'],
  workbookPane: ['simulator/pane.ts'],
  pane: ['taskpane/main.tsx'],
  texts: ['en', 'fr', 'nl'].map((language) => `taskpane/locales/${language}.ts`),
  lists: ['ListView', 'InvoicesView', 'ledgerView', 'VatReturnView'].map(
    (view) => `taskpane/views/pullList/${view}.tsx`,
  ),
  sheets: [
    ...['makeSheet/ProductsView', 'makeSheet/DocumentSheetsView', 'pushSheet/PushView', 'activity/ActivityView'].map(
      (view) => `taskpane/views/${view}.tsx`,
    ),
    'taskpane/documentSheet/counterEntry.ts',
    'taskpane/views/pushSheet/unfinishedPushes.ts',
  ],
  files: ['taskpane/views/auditfilesView/AuditfilesView.tsx', 'taskpane/views/ExportsView.tsx'],
  documents: ['taskpane/selectedInvoices/collectDocuments.ts'],
  richText: ['../shared/plainText.ts'],
};

/** Those of the pages, and the texts, which two pages load. What begins one of them must not run in another. */
const pages = ['workbook', 'workbookPane', 'pane', 'texts'];

/**
 * The file that a module goes into: few and large files compress best. What several pages begin with is in one, and so
 * is what several views need that the pane does not begin with. A module that no beginning loads has a file of its own.
 */
function fileOf() {
  let parts: { file: string; modules: ReadonlySet<string> }[] | undefined;
  return (id: string, modules: Modules): string | null => {
    parts ??= Object.entries(beginnings).flatMap(([file, first]) =>
      first.map((module) => ({ file, modules: loadedWith(path.join(addin, module), modules) })),
    );
    const needing = new Set(parts.flatMap((part) => (part.modules.has(id) ? [part.file] : [])));
    const [first, second] = pages.filter((page) => needing.has(page));
    if (second !== undefined) return needing.has('pane') ? 'common' : 'simulator';
    // Each language has a file; what several of them need is in that of all pages.
    const texts = parts.filter(({ file, modules }) => file === 'texts' && modules.has(id));
    if (first === 'texts') return texts.length > 1 ? 'common' : null;
    if (first !== undefined) return first;
    // The styles of components are much alike: in one file they compress to less, also those that views alone need.
    if (id.includes('/@fluentui/')) return 'pane';
    const [only = null] = needing;
    return needing.size > 1 ? 'views' : only;
  };
}

export default defineConfig({
  root: addin,
  // A deployment may stand below a path.
  base: './',
  experimental: {
    // The workbook page is shown at the root of its host.
    renderBuiltUrl: (file, { hostId, hostType }) =>
      hostType === 'html' && hostId.startsWith('simulator/') ? `/taskpane/${file}` : { relative: true },
  },
  publicDir: path.join(addin, 'assets'),
  resolve: { alias: { 'entities/decode': path.join(addin, 'taskpane/sheetColumns/characterReferences.ts') } },
  plugins: [react(), excelClient(), cellFunctions(), guide(), themes(), withoutNames],
  build: {
    outDir: path.resolve(import.meta.dirname, 'dist/taskpane'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    // A browser that does not know `modulepreload` preloads the files of a view by `preload`.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        pane: path.join(addin, 'taskpane/index.html'),
        workbook: path.join(addin, 'simulator/index.html'),
        workbookPane: path.join(addin, 'simulator/pane.html'),
      },
      output: {
        // They compress to less.
        hashCharacters: 'hex',
        codeSplitting: { groups: [{ debugName: 'files', name: fileOf(), includeDependenciesRecursively: false }] },
      },
    },
  },
});
