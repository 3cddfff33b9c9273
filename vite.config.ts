import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { guideFiles } from './addin/guide/guideFiles.ts';
import { functionFiles } from './addin/manifest/functionFiles.ts';

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
  plugins: [react(), excelClient(), cellFunctions(), guide()],
  build: {
    outDir: path.resolve(import.meta.dirname, 'dist/taskpane'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      input: {
        pane: path.join(addin, 'taskpane/index.html'),
        workbook: path.join(addin, 'simulator/index.html'),
        workbookPane: path.join(addin, 'simulator/pane.html'),
      },
    },
  },
});
