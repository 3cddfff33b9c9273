import { readArguments } from './comparison/arguments.ts';
import { measureAgainst } from './comparison/measureAgainst.ts';
import { figure, resultLine } from './comparison/results.ts';
import { machine, type Ratio } from './measure.ts';

/*
 * `npm run bench`: ours against the bare minimum, measured in one run. `npm run bench -- pages updates` runs some of it;
 * `npm run bench -- --against COMMIT pages` runs a part on another commit and on this checkout by turns.
 */

/** The parts. Each is loaded when it is asked for. */
const measurements: Record<string, () => Promise<Ratio[]>> = {
  pages: async () => (await import('./pages.ts')).measurePages(),
  updates: async () => (await import('./updates.ts')).measureUpdates(),
  invoices: async () => (await import('./invoices.ts')).measureInvoices(),
  products: async () => (await import('./products.ts')).measureProducts(),
  pull: async () => (await import('./pull.ts')).measurePull(),
  remote: async () => (await import('./remote.ts')).measureRemote(),
  pushes: async () => (await import('./pushes.ts')).measurePushes(),
  databases: async () => (await import('./databases.ts')).measureDatabases(),
  log: async () => (await import('./log.ts')).measureLog(),
  exports: async () => (await import('./exports.ts')).measureExports(),
  ledger: async () => (await import('./ledger.ts')).measureLedger(),
  formulas: async () => (await import('./formulas.ts')).measureFormulas(),
  auditfiles: async () => (await import('./auditfiles.ts')).measureAuditfiles(),
  commands: async () => (await import('./commands.ts')).measureCommands(),
  memory: async () => (await import('./memory.ts')).measureMemory(),
  documents: async () => (await import('./documents.ts')).measureDocuments(),
  signIn: async () => (await import('./signIn.ts')).measureSignIn(),
  deployed: async () => (await import('./deployed.ts')).measureDeployed(),
  instances: async () => (await import('./instances.ts')).measureInstances(),
  firm: async () => (await import('./firm.ts')).measureFirm(),
  workbook: async () => (await import('./workbook.ts')).measureWorkbook(),
  page: async () => (await import('./page.ts')).measurePage(),
  pane: async () => (await import('./pane.ts')).measurePane(),
};

const { parts, against, rounds } = read();

console.log(machine());
console.log('');
if (against === undefined) await measure();
else await compareWith(against);

function read(): ReturnType<typeof readArguments> {
  try {
    return readArguments(process.argv.slice(2), [...Object.keys(measurements), 'start']);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

async function measure(): Promise<void> {
  const isAsked = (name: string) => parts.length === 0 || parts.includes(name);
  for (const [name, measureOne] of Object.entries(measurements)) {
    if (!isAsked(name)) continue;
    for (const ratio of await measureOne()) console.log(resultLine(ratio));
  }
  if (!isAsked('start')) return;
  const { first, again, megabytes } = await (await import('./start.ts')).measureStart();
  console.log(
    `npm start: ready in ${(first / 1000).toFixed(1)} s the first time, ${(again / 1000).toFixed(1)} s again, ${megabytes.toFixed(0)} MB (aim 5 s, 250 MB)`,
  );
}

async function compareWith(commit: string): Promise<void> {
  const { comparisons, onlyOne } = await measureAgainst(commit, parts, rounds);
  for (const { name, unit, here, there } of comparisons) {
    const side = ({ ours, bare }: typeof here) =>
      `${figure(ours)} ${unit} (${(ours / bare).toFixed(2)}x of the bare minimum)`;
    console.log(`${(here.ours / there.ours).toFixed(2)}x  ${name}: ${side(here)} here, ${side(there)} at ${commit}`);
  }
  for (const name of onlyOne) console.log(`Measured by one of both only: ${name}`);
}
