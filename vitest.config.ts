import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { compileCache } from './functions/host/installation/compileCache.ts';
import { bundledLibraries } from './testing/libraries.ts';
import { LongestFirst } from './testing/longestFirst.ts';
import { SkippedReporter } from './testing/skippedReporter.ts';

/**
 * Time limits end what hangs: no test has one of its own, since a busy machine can take ten times as long as an idle
 * one.
 */
const patient = { expect: { poll: { timeout: 180_000 } }, testTimeout: 900_000, hookTimeout: 900_000 };

const setupFiles = 'testing/propertyLimits.ts';

/** What reaches a database: these run on every one of them. Each makes its own, so files can share what is loaded. */
const onDatabases = {
  ...patient,
  setupFiles,
  isolate: false,
  include: [
    'functions/{administrations/builtin,rest}/**/*.test.ts',
    'functions/pushes/{pushes,pushedDocuments}.test.ts',
    'functions/identity/identity.test.ts',
    'functions/catalogue/catalogue.test.ts',
    'functions/documents/documents.test.ts',
    'testing/crash/crash.test.ts',
    'testing/upgrade/upgrade.test.ts',
  ],
  exclude: [
    'functions/administrations/builtin/{attachments,cli,files,setup/accountCharts}/**',
    'functions/administrations/builtin/**/{sqlite,postgres,documentTotals,manifest,remittance,statements,xml}.test.ts',
  ],
};

const everyTest = '{shared,functions,addin,testing,bench,infra}/**/*.test.{ts,tsx}';

/** Tests that only the deep runs do: they start many processes, or need much data or time. */
const deepOnly = [
  'testing/abuse/abuse.test.ts',
  'testing/crash/pushes/**/*.test.ts',
  'functions/administrations/builtin/cli/administrations.test.ts',
  'functions/largeDownload.test.ts',
  'functions/exports/crash.test.ts',
  'functions/auditfiles/killedImport.test.ts',
];

// Tests start hundreds of threads with the same sources: Node compiles them once, and loads large libraries as one file.
process.env.NODE_COMPILE_CACHE ??= compileCache;
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--import=${await bundledLibraries()}`].join(' ').trim();

const { TEST_POSTGRES_URL = '', MORE_FAILURES = '' } = process.env;

/** What tells, by what it loads, that a test does more in the deep runs, or needs what a bare machine lacks. */
const loadsDeep =
  // The failures of every job are a third of the time that the deep runs have: more of them are tried when asked for.
  MORE_FAILURES === '' ? /\/(deep|libreOffice|postgresServer)\.ts'/ : /\/failingJobs\.ts'/;

const deepTests = [...deepOnly, ...globSync(everyTest).filter((file) => loadsDeep.test(readFileSync(file, 'utf8')))];

const hasServer = TEST_POSTGRES_URL !== '';

const unitsOf = (include: string[], exclude: string[] = []) => ({
  test: {
    name: 'units',
    ...patient,
    setupFiles,
    // Loading the sources anew for each file would take a quarter of the time.
    isolate: false,
    include,
    exclude: ['addin/e2e/**', ...exclude],
  },
});

const embeddedPostgres = {
  test: {
    name: 'embedded postgres',
    ...onDatabases,
    // The slowest run on a server only, in the deep runs: those that find little about the database beside the others.
    exclude: [
      ...onDatabases.exclude,
      'functions/administrations/builtin/{anonymise,archive,check,documentParts,import,log,projects,purchases}/**',
      'functions/administrations/builtin/conditions.test.ts',
      'functions/administrations/builtin/sales/!(addSalesInvoice|addSalesTransaction|listSalesInvoices).test.ts',
      'functions/administrations/builtin/{credentials,setup}/**',
      'functions/administrations/builtin/products/product{Batches,CustomFields,Tax}.test.ts',
      'functions/administrations/builtin/pushedWrites/pushWriterRepetitions.test.ts',
      'functions/{catalogue,documents,pushes}/**',
      'functions/rest/documentedResponses.test.ts',
      'testing/upgrade/**',
    ],
    env: { TEST_DATABASE: 'embedded' },
    globalSetup: 'testing/embeddedPostgres.ts',
  },
};

const postgresServer = {
  test: {
    name: 'postgres server',
    ...onDatabases,
    // What a body costs others depends on the server.
    include: [...onDatabases.include, 'testing/abuse/abuse.test.ts'],
    // What the embedded one runs in `npm test`, and finds nothing else on a server: the engine is the same.
    exclude: [
      ...onDatabases.exclude,
      'functions/administrations/builtin/{auditfileExport,customFields,ledger,relations,vat}/**',
      'functions/administrations/builtin/sales/{addSalesInvoice,addSalesTransaction,listSalesInvoices}.test.ts',
      'functions/rest/!(documentedResponses).test.ts',
    ],
    env: { TEST_DATABASE: 'server', TEST_POSTGRES_URL },
  },
};

/** The endpoints' tests again, through a second app whose remote administration is the first. */
const remote = {
  test: {
    name: 'remote',
    ...onDatabases,
    include: [
      'functions/administrations/builtin/*.test.ts',
      'functions/administrations/builtin/{credentials,documentParts,ledger,products,projects,purchases}/*.test.ts',
      'functions/administrations/builtin/{relations,sales}/*.test.ts',
      'functions/rest/**/*.test.ts',
      'functions/{pushes,documents}/{pushes,pushedDocuments,documents}.test.ts',
    ],
    // What timers do has no part in the interface, nor have entries of the ledger.
    exclude: [
      ...onDatabases.exclude,
      'functions/administrations/builtin/sales/{makeDueInvoices,outgoingMail}.test.ts',
      'functions/administrations/builtin/ledger/addJournalEntry.test.ts',
    ],
    env: { TEST_ADMINISTRATION: 'remote' },
  },
};

const everyBrowserTest = ['addin/e2e/**/*.test.ts'];

/** Browser tests of the deep runs. Each area has some tests in the others, which `npm test` does. */
const deepBrowser = [
  'addin/e2e/{administrations,documents,everyQuestion,everyWrite,exports,guidePages,interruptedPull,productSheet,pulledLists,pushedRows,referenceChart,remote,unusualRows}.test.ts',
];

const browserOf = (include: string[], exclude: string[] = []) => ({
  test: {
    name: 'browser',
    ...patient,
    isolate: false,
    include,
    exclude,
    globalSetup: 'addin/e2e/builtPages.ts',
    // Each file starts a real app and a real Chromium. Two of them leave a quarter of two cores idle, as pages wait for
    // timers.
    maxWorkers: 3,
    sequence: { groupOrder: 1 },
  },
});

/**
 * `npm test` tests everything on any machine. The deep runs (`npm run test:deep`) add what takes long or needs something
 * installed: the tests that do more then, those that `npm test` leaves out, and the browser that is installed.
 */
export default defineConfig(({ mode }) => {
  const isDeep = mode === 'deep';
  const absent = [
    ...(isDeep ? [] : ['the deep runs, which take longer: npm run test:deep']),
    ...(hasServer ? [] : ['the tests on a PostgreSQL server: TEST_POSTGRES_URL names none']),
  ];
  return {
    test: {
      // Many tests wait, for leases and timers above all: more of them than cores run at a time. In the deep runs many
      // wait for processes that are killed, too.
      maxWorkers: isDeep ? 6 : 4,
      reporters: ['default', new SkippedReporter(absent)],
      sequence: { sequencer: LongestFirst },
      projects: [
        ...(isDeep ? [unitsOf(deepTests), remote] : [unitsOf([everyTest], deepOnly), embeddedPostgres]),
        ...(hasServer ? [postgresServer] : []),
        isDeep ? browserOf(deepBrowser) : browserOf(everyBrowserTest, deepBrowser),
      ],
    },
  };
});
