import { setTimeout as sleep } from 'node:timers/promises';
import { builtinAdministrations } from '../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { exportFunctions } from '../functions/exports/exports.ts';
import { relationExports } from '../functions/exports/relationExports.ts';
import { pollQueues } from '../functions/host/queues.ts';
import { openStorage } from '../functions/storage/storage.ts';

/*
 * A night of exports of the first ADMINISTRATIONS at DATABASE_URL, in a process whose memory is its own, which takes as
 * many messages at a time as the host: how long it takes, and the most it held.
 */

const { DATABASE_URL, AzureWebJobsStorage, ADMINISTRATIONS } = process.env as Record<string, string>;
const DAY_MS = 24 * 3_600_000;

const all = builtinAdministrations(await openDatabase(DATABASE_URL!));
const own = { ...all.own!, ids: async () => (await all.own!.ids()).slice(0, Number(ADMINISTRATIONS)) };
const storage = openStorage(AzureWebJobsStorage!);
let day = 0;
const exports = relationExports(
  storage,
  { ...all, own },
  {
    timeZone: 'Europe/Amsterdam',
    exports: { schedule: '0 0 2 * * *', administrations: 'all', days: 90 },
  },
  { clock: () => Date.now() + day * DAY_MS },
);
const isLate = async () => (await exports.lateness()).some(({ late }) => late > 0);
// They are seen for the first time a day before.
await exports.enqueueDue(() => {});
day = 1;
const start = performance.now();
const { queues } = exportFunctions(async () => exports);
const stop = pollQueues(queues, storage, () => {});
await exports.enqueueDue(() => {});
while (await isLate()) await sleep(200);
const whole = performance.now() - start;
await stop();
const megabytes = process.resourceUsage().maxRSS / 1024;
console.log(`measured ${JSON.stringify({ whole, megabytes })}`);
await all.close();
