import './nodeVersion.ts';
import path from 'node:path';
import * as functions from '@azure/functions';
import { version } from './administrations/version.ts';
import { functionsOf, openAdministrations, servicesOf } from './app.ts';
import { readHealthKey, readSettings, type Settings, WrongSetting } from './settings.ts';
import { instrumentFunctions, startTelemetry, stopTelemetry } from './telemetry/telemetry.ts';

/*
 * The entry of the Functions worker. On a supported Node nothing here throws: a worker whose entry throws before its
 * first registration reports success without any function.
 */

const { app } = functions;

// Streams request and response bodies. Without it, chunked bodies arrive empty, repeated query names arrive joined, and
// a download is held in memory several times.
app.setup({ enableHttpStream: true });

startTelemetry(process.env, version);
app.hook.appStart(() => instrumentFunctions(functions));

const settings = settingsOrError();
async function openServices() {
  if (settings instanceof Error) throw settings;
  return servicesOf(await openAdministrations(settings), settings);
}
const { http, queues, timers, stop } = functionsOf(openServices, {
  pages: path.join(import.meta.dirname, 'taskpane'),
  healthKey: readHealthKey(process.env),
});

for (const { name, methods, route, handler } of http) {
  app.http(name, { methods, route, authLevel: 'anonymous', handler });
}
// With a wrong setting the HTTP functions answer 503. Queue functions are not registered then: messages that fail too
// often would end in the poison queue.
if (settings instanceof Error) {
  console.error(settings.message);
} else {
  for (const { name, queue, handler } of queues) {
    app.storageQueue(name, { queueName: queue, connection: 'AzureWebJobsStorage', handler });
  }
  for (const { name, schedule, atStart = false, handler } of timers) {
    app.timer(name, { schedule, runOnStartup: atStart, handler });
  }
}

// A push or an export that is cut off keeps its lease: no other instance can continue it for minutes.
app.hook.appTerminate(async () => {
  await stop();
  await stopTelemetry();
});

function settingsOrError(): Settings | WrongSetting {
  try {
    return readSettings(process.env);
  } catch (failure) {
    if (failure instanceof WrongSetting) return failure;
    throw failure;
  }
}
