import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { dateIn } from '../../shared/wire/calendarDate.ts';
import type { Administrations } from '../administrations/administration.ts';
import { demoCredentials } from '../administrations/builtin/setup/demo/demoCredentials.ts';
import { version } from '../administrations/version.ts';
import { functionsOf, openAdministrations, servicesOf } from '../app.ts';
import { openBuiltin } from '../openBuiltin.ts';
import { readSettings, type Settings } from '../settings.ts';
import { openStorage } from '../storage/storage.ts';
import { workbookFunction } from '../taskpane/taskpane.ts';
import { startTelemetry, stopTelemetry } from '../telemetry/telemetry.ts';
import { startAzurite } from './azurite.ts';
import { certificateOf } from './certificate.ts';
import { demoAdministrationsOf, demoFunction } from './demo.ts';
import { buildPages } from './installation/buildPages.ts';
import { placeDemo } from './installation/demoDatabase.ts';
import { onParentEnd } from './parentEnd.ts';
import { pollQueues } from './queues.ts';
import { localSecretKey } from './secretKey.ts';
import { connectionsOf, createHost } from './server.ts';
import { startTimers } from './timers.ts';

/** The longest time for running requests when the app stops, in milliseconds; and when its terminal or npm has ended. */
const MAX_DRAIN_MS = 30_000;
const MAX_QUICK_DRAIN_MS = 1000;

const root = path.resolve(import.meta.dirname, '../..');

/** Runs the whole app on a local machine, until it is stopped. */
export async function run(): Promise<void> {
  startTelemetry(process.env, version);
  const certificate = certificateOf(process.argv.slice(2));
  const configured = readSettings(process.env);
  // The build and the storage are other processes.
  const [pages, builtin, local, secretKey] = await Promise.all([
    buildPages(root),
    configured.remote === undefined ? openWithDemo(configured) : undefined,
    configured.storage === undefined ? startAzurite(path.join(configured.dataFolder, 'storage')) : undefined,
    configured.secretKey ?? localSecretKey(configured.dataFolder),
  ]);
  const settings = { ...configured, storage: configured.storage ?? local!.connectionString, secretKey };
  const administrations = builtin ?? (await openAdministrations(settings));
  const log = (line: string) => console.error(line);
  const services = servicesOf(administrations, settings);
  const {
    http,
    queues,
    timers,
    stop: stopSlices,
  } = functionsOf(async () => services, {
    pages,
    healthKey: settings.healthKey,
    local: [workbookFunction(pages), ...(settings.remote === undefined ? [demoFunction(administrations)] : [])],
  });
  const server = createHost(http, log, certificate);
  const connections = connectionsOf(server);
  server.listen(settings.port, settings.host);
  await once(server, 'listening');

  const address = addressOf(server.address() as AddressInfo, certificate === undefined ? 'http' : 'https');
  const stopQueues = pollQueues(queues, openStorage(settings.storage), log);
  const stopTimers = startTimers(timers, settings.timeZone, log);
  console.log(`Ledgerline is ready. ${await nextStep(address, administrations, settings)}

  ${address}                  a workbook with the task pane beside it
  ${address}rest/openapi.json the interface
  ${address}health

${settings.remote === undefined ? `Data is in ${placeOf(settings.databaseUrl)}. ` : ''}Ctrl-C stops everything.`);

  let stopping = false;
  const stop = async (drain: number) => {
    if (stopping) return;
    stopping = true;
    server.close();
    connections.endIdle();
    // Running requests are completed; connections that become idle meanwhile are closed.
    setInterval(connections.endIdle, 100).unref();
    setTimeout(connections.endAll, drain).unref();
    // When the app runs again, an export continues from its checkpoint, a push with its next row.
    await Promise.all([once(server, 'close'), stopSlices(), stopQueues(), stopTimers()]);
    await administrations.close();
    await stopTelemetry();
    await local?.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(MAX_DRAIN_MS));
  // A terminal sends it when it is closed.
  process.once('SIGHUP', () => stop(MAX_QUICK_DRAIN_MS));
  if (isStartedByNpm) onParentEnd(() => stop(MAX_QUICK_DRAIN_MS));
}

/** A process that another program started may outlive it. */
const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;

/** The address of the app for a browser on this machine. */
function addressOf({ address, family, port }: AddressInfo, protocol: 'http' | 'https'): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(address)) return `${protocol}://localhost:${port}/`;
  return `${protocol}://${family === 'IPv6' ? `[${address}]` : address}:${port}/`;
}

/** Opens the built-in administrations: the demo, when there are none yet. Its keys are public, so it is in a local file only. */
async function openWithDemo(settings: Settings): Promise<Administrations> {
  const { databaseUrl, timeZone } = settings;
  if (!databaseUrl.startsWith('sqlite:')) return openBuiltin(settings);
  const today = dateIn(timeZone, new Date());
  await placeDemo(root, databaseUrl.slice('sqlite:'.length), today);
  return openBuiltin(settings, async (db) => {
    const any = await db.selectFrom('administration').select('id').limit(1).executeTakeFirst();
    if (any === undefined)
      await (await import('../administrations/builtin/setup/demo/demo.ts')).makeDemo(db, { today });
  });
}

/** The next step of the user, in one sentence. */
async function nextStep(address: string, administrations: Administrations, { remote }: Settings): Promise<string> {
  if (remote !== undefined)
    return `Open ${address} and connect with a key of ${remote.url}, by which every request is answered.`;
  const { NL, BE } = demoCredentials;
  const demos = await demoAdministrationsOf(administrations);
  if (!demos.some(({ country }) => country === 'NL'))
    return `Open ${address} and connect with a key that \`npm run administration -- key issue\` gave.`;
  return (
    `Open ${address} and connect with \`Username: ${NL.username}\` and \`ApiKey: ${NL.apiKey}\`` +
    ` (Dutch books; ${BE.username} and ${BE.apiKey} for Belgian ones).`
  );
}

/** The address of a database, without its password. */
const placeOf = (databaseUrl: string): string =>
  databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : new URL(databaseUrl).host;
