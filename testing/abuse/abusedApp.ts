import path from 'node:path';
import { downloadFile } from '../../functions/administrations/builtin/attachments/download.ts';
import { lookupName } from '../../functions/administrations/builtin/attachments/lookupName.ts';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { functionsOf, openAdministrations, servicesOf } from '../../functions/app.ts';
import { newContext } from '../../functions/host/context.ts';
import { pollQueues } from '../../functions/host/queues.ts';
import { createHost } from '../../functions/host/server.ts';
import type { HttpFunction } from '../../functions/http/definition.ts';
import { readSettings } from '../../functions/settings.ts';
import { openStorage } from '../../functions/storage/storage.ts';
import { listen } from '../listen.ts';

/*
 * The app as a process, without pages and demo, which prints its address. A request to `/timers/{name}` calls a timer,
 * and is answered when it is over. One to `/turns` is answered with the longest turn of the thread since the one before,
 * and one to `/sample` with the time that it takes for a fixed work. Names of files are looked up at NAME_SERVER, and may
 * lead to this machine.
 */

const { NAME_SERVER } = process.env;
const settings = readSettings(process.env);
const log = (line: string) => console.error(line);

const download: typeof downloadFile = (address, options) =>
  downloadFile(address, {
    ...options,
    ports: settings.attachmentPorts,
    lookup: (name) => lookupName(name, NAME_SERVER === undefined ? undefined : [NAME_SERVER]),
    allowAddress: (one) => one === '127.0.0.1',
  });

const administrations =
  settings.remote === undefined
    ? builtinAdministrations(await openDatabase(settings.databaseUrl), {
        timeZone: settings.timeZone,
        databaseUrl: settings.databaseUrl,
        download,
        warn: log,
      })
    : await openAdministrations(settings);

const callTimer: HttpFunction = {
  name: 'callTimer',
  methods: ['POST'],
  route: 'timers/{name}',
  async handler({ params }) {
    const timer = timers.find(({ name }) => name.toLowerCase() === params.name?.toLowerCase())!;
    await timer.handler(
      { isPastDue: false, schedule: { adjustForDST: true }, scheduleStatus } as never,
      newContext(timer.name, log),
    );
    return { status: 200 };
  },
};
const spent = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let [longestTurn, before] = [0, spent()];
function endTurn(): void {
  const now = spent();
  longestTurn = Math.max(longestTurn, now - before);
  before = now;
}
setInterval(endTurn, 5).unref();

const tellTurns: HttpFunction = {
  name: 'tellTurns',
  methods: ['GET'],
  route: 'turns',
  async handler() {
    endTurn();
    const told = longestTurn;
    longestTurn = 0;
    return { status: 200, body: String(told) };
  },
};

/** What others send is read and written as JSON: most long turns are that. */
const sample = Array.from({ length: 60_000 }, (_, row) => ({
  row,
  endpoint: 'updateproduct',
  request: { ArticleNumber: `A-${row}`, NewDescription: 'x'.repeat(40), NewSalePriceExcl: row / 100 },
}));
const tellSample: HttpFunction = {
  name: 'tellSample',
  methods: ['GET'],
  route: 'sample',
  async handler() {
    const times = Array.from({ length: 5 }, () => {
      const start = spent();
      JSON.parse(JSON.stringify(sample));
      return spent() - start;
    });
    // A collection of garbage may be in one of them.
    return { status: 200, body: String(Math.min(...times)) };
  },
};
const scheduleStatus = { last: '', next: '', lastUpdated: '' };

const services = servicesOf(administrations, settings);
const { http, queues, timers } = functionsOf(async () => services, {
  pages: path.join(import.meta.dirname, 'none'),
  healthKey: settings.healthKey,
  local: [callTimer, tellTurns, tellSample],
});
if (settings.storage !== undefined) pollQueues(queues, openStorage(settings.storage), log);
console.log((await listen(createHost(http, log))).url);
