import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, defineConfig, type Plugin } from 'vite';
import { postgres } from './functions/administrations/builtin/sql/dialects/postgres.ts';
import { sqlite } from './functions/administrations/builtin/sql/dialects/sqlite.ts';
import { schemaDigest } from './functions/administrations/builtin/sql/schemaDigest.ts';
import { currentNames } from './functions/administrations/builtin/sql/upgrade.ts';
import { fontFiles } from './functions/administrations/invoiceDocuments/pdf/fonts.ts';
import { compressFiles } from './infra/compress.ts';

const root = import.meta.dirname;

const schemaDigests = Object.fromEntries(
  [sqlite, postgres].map((dialect) => [dialect.name, schemaDigest(currentNames(dialect))]),
);

const define = { SCHEMA_DIGESTS: JSON.stringify(schemaDigests) };

/** What a Functions app needs beside its code: how the platform hosts it, and where the worker starts. */
const deployment = (): Plugin => {
  let outDir = '';
  return {
    name: 'deployment',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    buildStart() {
      // Names change with what is in the files: those of the last build would stay.
      for (const name of existsSync(outDir) ? readdirSync(outDir) : []) {
        if (/\.js(\.map|\.cache)?$/.test(name)) rmSync(path.join(outDir, name));
      }
    },
    generateBundle() {
      const { name, version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
      const packageJson = { name, version, license, main: 'main.js', engines: { node: '>=24' } };
      this.emitFile({ type: 'asset', fileName: 'package.json', source: JSON.stringify(packageJson, null, 2) });
      const entry = readFileSync(path.join(root, 'infra/entry.cjs'));
      this.emitFile({ type: 'asset', fileName: 'main.js', source: entry });
      this.emitFile({ type: 'asset', fileName: 'host.json', source: readFileSync(path.join(root, 'host.json')) });
      // What PDFs are made with is read from beside the code: the fonts, and the colours of screens.
      const modules = path.join(root, 'node_modules');
      for (const file of Object.values(fontFiles)) {
        const source = readFileSync(path.join(modules, '@expo-google-fonts/open-sans', file));
        this.emitFile({ type: 'asset', fileName: `fonts/${path.basename(file)}`, source });
      }
      const profile = 'data/sRGB_IEC61966_2_1.icc';
      this.emitFile({
        type: 'asset',
        fileName: profile,
        source: readFileSync(path.join(modules, 'pdfkit/js', profile)),
      });
    },
    writeBundle() {
      execFileSync(process.execPath, [path.join(root, 'infra/codeCache.ts'), outDir], { stdio: 'inherit' });
      // The pages are built before.
      const pages = path.join(outDir, 'taskpane');
      if (existsSync(pages)) compressFiles(pages);
    },
  };
};

const entries = [
  'invoiceDocuments/thread/documentThread',
  'builtin/auditfileExport/auditfileExportThread',
  'builtin/auditfileJobs/auditfileThread',
  'builtin/balances/ledgerThread',
];

/** The threads beside that of requests: each in one file of its own, so that the worker loads nothing of them. */
const threads = (): Plugin => ({
  name: 'threads',
  async generateBundle() {
    for (const entry of entries) {
      const built = await build({
        configFile: false,
        root,
        logLevel: 'warn',
        define,
        ssr: { noExternal: true, target: 'node' },
        build: {
          ssr: path.join(root, `functions/administrations/${entry}.ts`),
          write: false,
          target: 'node24',
          minify: true,
          rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
        },
      });
      if (!('output' in built)) throw new Error(`The thread ${entry} was not built.`);
      this.emitFile({ type: 'asset', fileName: `${path.basename(entry)}.js`, source: built.output[0].code });
    }
  },
});

/**
 * The functions, without need of node_modules: what registers them in one file, and beside it what only some of them need,
 * loaded when they do. CommonJS, because the worker hands out its core by `require`.
 */
export default defineConfig({
  plugins: [deployment(), threads()],
  define,
  ssr: { noExternal: true, external: ['@azure/functions-core'], target: 'node' },
  build: {
    ssr: path.join(root, 'functions/main.ts'),
    outDir: path.join(root, 'dist'),
    emptyOutDir: false,
    target: 'node24',
    minify: true,
    rolldownOptions: {
      external: ['@azure/functions-core'],
      output: {
        format: 'cjs',
        entryFileNames: 'app.js',
        // Fonts and profiles are found beside the code: all of it lies in one folder.
        chunkFileNames: '[name]-[hash].js',
        // Registration loads one file, and the first list out of a database one more: each further one takes half a
        // millisecond.
        codeSplitting: {
          groups: [
            { name: 'registration', tags: ['$initial'], priority: 2 },
            { name: 'openBuiltin', test: /openBuiltin\.ts$/, priority: 1 },
          ],
        },
      },
    },
  },
});
