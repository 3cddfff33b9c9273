import { builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { relationExports } from '../functions/exports/relationExports.ts';
import { openStorage } from '../functions/storage/storage.ts';

/* One export of the first administration at DATABASE_URL, in a process whose memory is its own: when each stage began, and the most it held. */

const administrations = builtinAdministrations(await openDatabase(process.env.DATABASE_URL!));
const exports = relationExports(openStorage(process.env.AzureWebJobsStorage!), administrations, {
  timeZone: 'Europe/Amsterdam',
  exports: { schedule: '0 0 2 * * *', administrations: 'all', days: 90 },
});
const [first] = await exports.administrations();
const start = performance.now();
const stages: Record<string, number> = {};
await exports.runNow(
  first!.name,
  ({ event }) => {
    stages[String(event)] = performance.now() - start;
  },
  () => {},
);
const megabytes = process.resourceUsage().maxRSS / 1024;
console.log(`measured ${JSON.stringify({ stages, whole: performance.now() - start, megabytes })}`);
await administrations.close();
