import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { builtinAdministrations } from '../administrations/builtin/builtin.ts';
import { openDatabase } from '../administrations/builtin/database.ts';
import { makeDemo } from '../administrations/builtin/demo/demo.ts';
import { functionsOf } from '../app.ts';
import { readSettings, WrongSetting } from '../settings.ts';
import { workbookFunction } from '../taskpane/taskpane.ts';
import { buildPages } from './buildPages.ts';
import { createHost } from './server.ts';

/* `npm start`: the whole app on one's own machine. */

const root = path.resolve(import.meta.dirname, '../..');

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const pages = await buildPages(root);
  const db = await openDatabase(settings.databaseUrl);
  await makeDemo(db);
  const administrations = builtinAdministrations(db);
  const server = createHost([...functionsOf(async () => administrations, pages), workbookFunction(pages)], (line) =>
    console.error(line),
  );
  server.listen(settings.port);
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  console.log(`Ledgerline is ready.
  http://localhost:${port}/                  a workbook with the task pane beside it
  http://localhost:${port}/rest/openapi.json the interface
  http://localhost:${port}/health

Demo administrations: user demo@example.com with key demo, user demo-be@example.com with key demo-be.
Data is in ${path.dirname(settings.databaseUrl.slice('sqlite:'.length))}. Ctrl-C stops everything.`);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    server.close();
    server.closeIdleConnections();
    // Requests under way may finish; idle ones are not waited for.
    setTimeout(() => server.closeAllConnections(), 2000).unref();
    await once(server, 'close');
    await administrations.close();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

start().catch((failure) => {
  console.error(failure instanceof WrongSetting ? failure.message : failure);
  if (failure?.code === 'EADDRINUSE')
    console.error('PORT: that port is taken; choose another one, or stop what uses it.');
  process.exitCode = 1;
});
