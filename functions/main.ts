import './nodeVersion.ts';
import path from 'node:path';
import { app } from '@azure/functions';
import { functionsOf, openAdministrations, servicesOf } from './app.ts';
import { readHealthKey, readSettings, type Settings } from './settings.ts';

/*
 * What the Functions worker loads. Nothing here throws once Node is new enough: a worker whose entry throws before its first
 * registration reports success with no functions at all.
 */

// Bodies are read and sent as they come. Without it those sent in chunks arrive empty, repeated query names arrive
// joined, and a download is held in memory several times over.
app.setup({ enableHttpStream: true });

async function openServices() {
  const settings = readSettings(process.env);
  return servicesOf(await openAdministrations(settings), settings);
}
const { http, queues, timers, stop } = functionsOf(openServices, {
  pages: path.join(import.meta.dirname, 'taskpane'),
  healthKey: readHealthKey(process.env),
});

for (const { name, methods, route, handler } of http) {
  app.http(name, { methods, route, authLevel: 'anonymous', handler });
}
// With a wrong setting every function that needs the settings answers 503. Messages of queues are left where they are
// then: each that failed a few times would be put away for good.
if (settingsOrError() !== undefined) {
  for (const { name, queue, handler } of queues) {
    app.storageQueue(name, { queueName: queue, connection: 'AzureWebJobsStorage', handler });
  }
  for (const { name, schedule, atStart = false, handler } of timers) {
    app.timer(name, { schedule, runOnStartup: atStart, handler });
  }
}

// Of a push or an export that is merely cut off, nobody knows for minutes that nobody works on it any more.
app.hook.appTerminate(stop);

function settingsOrError(): Settings | undefined {
  try {
    return readSettings(process.env);
  } catch (failure) {
    console.error(failure instanceof Error ? failure.message : failure);
    return undefined;
  }
}
