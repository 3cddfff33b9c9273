import path from 'node:path';
import { functionsOf, openAdministrations, servicesOf } from '../../functions/app.ts';
import { pollQueues } from '../../functions/host/queues.ts';
import { createHost } from '../../functions/host/server.ts';
import { startTimers } from '../../functions/host/timers.ts';
import { readSettings } from '../../functions/settings.ts';
import { openStorage } from '../../functions/storage/storage.ts';
import { listen } from '../listen.ts';

/*
 * One instance of the app as a process, without pages and demo. It listens on a free port and prints its address.
 * INSTANCE_ROLE says what it serves: http, background or all. TIMER_SCHEDULE replaces the schedules of its timers.
 * Without a storage account it has no queues and no timers.
 */

const { INSTANCE_ROLE = 'all', TIMER_SCHEDULE } = process.env;
const settings = readSettings(process.env);
const log = (line: string) => console.error(line);
const services = servicesOf(await openAdministrations(settings), settings);
const { http, queues, timers } = functionsOf(async () => services, {
  pages: path.join(import.meta.dirname, 'none'),
  healthKey: settings.healthKey,
});
// The platform, too, gives a function instances of its own.
const { url } = await listen(createHost(INSTANCE_ROLE === 'background' ? [] : http, log));
if (INSTANCE_ROLE !== 'http' && settings.storage !== undefined) {
  pollQueues(queues, openStorage(settings.storage), log);
  const scheduled = timers.map((timer) => ({ ...timer, schedule: TIMER_SCHEDULE ?? timer.schedule }));
  startTimers(scheduled, settings.timeZone, log);
}
console.log(url);
