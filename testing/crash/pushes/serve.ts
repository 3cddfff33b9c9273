import path from 'node:path';
import { functionsOf, openAdministrations, servicesOf } from '../../../functions/app.ts';
import { pollQueues } from '../../../functions/host/queues.ts';
import { createHost } from '../../../functions/host/server.ts';
import { startTimers } from '../../../functions/host/timers.ts';
import { readSettings } from '../../../functions/settings.ts';
import { openStorage } from '../../../functions/storage/storage.ts';
import { listen } from '../../listen.ts';

/* One instance of the app as a process of its own, without pages and demo: at a free port, which it prints. */

const settings = readSettings(process.env);
const log = (line: string) => console.error(line);
const services = servicesOf(await openAdministrations(settings), settings);
const { http, queues, timers } = functionsOf(async () => services, {
  pages: path.join(import.meta.dirname, 'none'),
  healthKey: settings.healthKey,
});
const server = createHost(http, log);
const { url } = await listen(server);
pollQueues(queues, openStorage(settings.storage!), log);
startTimers(timers, settings.timeZone, log);
console.log(url);
