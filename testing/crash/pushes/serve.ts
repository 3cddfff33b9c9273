import path from 'node:path';
import { functionsOf, openAdministrations, servicesOf } from '../../../functions/app.ts';
import { pollQueues } from '../../../functions/host/queues.ts';
import { createHost } from '../../../functions/host/server.ts';
import { startTimers } from '../../../functions/host/timers.ts';
import { readSettings } from '../../../functions/settings.ts';
import { openStorage } from '../../../functions/storage/storage.ts';
import { listen } from '../../listen.ts';

/*
 * One instance of the app as a process of its own, without pages and demo: at a free port, which it prints.
 * INSTANCE_ROLE says what it serves (http, background or all), TIMER_SCHEDULE how often its timers fire, where not as
 * usual.
 */

const { INSTANCE_ROLE = 'all', TIMER_SCHEDULE } = process.env;
const settings = readSettings(process.env);
const log = (line: string) => console.error(line);
const services = await servicesOf(await openAdministrations(settings), settings);
const { http, queues, timers } = functionsOf(async () => services, {
  pages: path.join(import.meta.dirname, 'none'),
  healthKey: settings.healthKey,
});
// The platform, too, gives a function instances of its own.
const server = createHost(INSTANCE_ROLE === 'background' ? [] : http, log);
const { url } = await listen(server);
if (INSTANCE_ROLE !== 'http') {
  pollQueues(queues, openStorage(settings.storage!), log);
  const scheduled = timers.map((timer) => ({ ...timer, schedule: TIMER_SCHEDULE ?? timer.schedule }));
  startTimers(scheduled, settings.timeZone, log);
}
console.log(url);
