import { measureDatabases } from './databases.ts';
import { measureDeployed } from './deployed.ts';
import { measureDocuments } from './documents.ts';
import { measureExports } from './exports.ts';
import { measureInstances } from './instances.ts';
import { measureLog } from './log.ts';
import { machine, type Ratio } from './measure.ts';
import { measurePages } from './pages.ts';
import { measurePull } from './pull.ts';
import { measurePushes } from './pushes.ts';
import { measureRemote } from './remote.ts';
import { measureSignIn } from './signIn.ts';
import { measureStart } from './start.ts';
import { measureUpdates } from './updates.ts';

/* `npm run bench`: ours against the bare minimum, measured in one run. `npm run bench -- pages updates` runs some of it. */

const measurements: Record<string, () => Promise<Ratio[]>> = {
  pages: measurePages,
  updates: measureUpdates,
  pull: measurePull,
  remote: measureRemote,
  pushes: measurePushes,
  databases: measureDatabases,
  log: measureLog,
  exports: measureExports,
  documents: measureDocuments,
  signIn: measureSignIn,
  deployed: measureDeployed,
  instances: measureInstances,
};

const wanted = process.argv.slice(2);
const asked = (name: string) => wanted.length === 0 || wanted.includes(name);

console.log(machine());
console.log('');
const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
for (const [name, measure] of Object.entries(measurements)) {
  if (!asked(name)) continue;
  for (const { name: what, ours, bare, unit, aim } of await measure()) {
    const ratio = ours / bare;
    const verdict = ratio <= aim ? 'within' : 'over';
    console.log(
      `${ratio.toFixed(2)}x  ${what}: ${figure(ours)} ${unit} against ${figure(bare)} ${unit} (${verdict} the aim of ${aim}x)`,
    );
  }
}
if (asked('start')) {
  const { first, again, megabytes } = await measureStart();
  console.log(
    `npm start: ready in ${(first / 1000).toFixed(1)} s the first time, ${(again / 1000).toFixed(1)} s again, ${megabytes.toFixed(0)} MB (aim 5 s, 250 MB)`,
  );
}
