import path from 'node:path';
import { app } from '@azure/functions';
import { functionsOf, openAdministrations, openedOnce } from './app.ts';
import { readSettings } from './settings.ts';

/*
 * What the Functions worker loads. Everything is registered before anything can fail: a worker whose entry throws before
 * its first registration reports success with no functions at all.
 */
const administrations = openedOnce(async () => openAdministrations(readSettings(process.env)));

for (const { name, methods, route, handler } of functionsOf(
  administrations,
  path.join(import.meta.dirname, 'taskpane'),
)) {
  app.http(name, { methods, route, authLevel: 'anonymous', handler });
}

// A wrong setting stops the start, now that stopping is noticed.
readSettings(process.env);
