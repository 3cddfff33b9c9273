import path from 'node:path';
import { app } from '@azure/functions';
import { functionsOf, openAdministrations, servicesOf } from './app.ts';
import { readSettings } from './settings.ts';

/*
 * What the Functions worker loads. Everything is registered before anything can fail: a worker whose entry throws
 * before its first registration reports success with no functions at all.
 */

async function openServices() {
  const settings = readSettings(process.env);
  return servicesOf(await openAdministrations(settings), settings);
}
const { http, queues, timers } = functionsOf(openServices, path.join(import.meta.dirname, 'taskpane'));

for (const { name, methods, route, handler } of http) {
  app.http(name, { methods, route, authLevel: 'anonymous', handler });
}
for (const { name, queue, handler } of queues) {
  app.storageQueue(name, { queueName: queue, connection: 'AzureWebJobsStorage', handler });
}
for (const { name, schedule, atStart = false, handler } of timers) {
  app.timer(name, { schedule, runOnStartup: atStart, handler });
}

// A wrong setting stops the start. It is read after the registrations, so that the platform reports the failure.
readSettings(process.env);
