import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createPushClient } from '../../shared/client/pushClient.ts';
import { HEALTH_KEY, healthAt, send } from '../../testing/app.ts';
import { type ScriptProcess, startScript } from '../../testing/appProcess.ts';
import { startSmtpServer } from '../../testing/documents/smtpServer.ts';
import { startScriptedService } from '../../testing/remote/scriptedService.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { runningAzurite } from './azurite.ts';

const folder = temporaryFolder();

const processes: ScriptProcess[] = [];
afterEach(() => Promise.all(processes.splice(0).map((one) => one.kill())));

/** `npm start`, without npm. */
function start(settings: Record<string, string>) {
  const started = startScript('functions/host/start.ts', { HEALTH_KEY, ...settings });
  processes.push(started);
  const ready = async (): Promise<string> => (await started.line(/http:\/\/localhost:\d+/))[0];
  return { ...started, ready };
}

it('npm start serves workbook, pane, interface and two demo administrations until Ctrl-C', async () => {
  const dataFolder = path.join(folder, 'new', 'data');
  const app = start({ PORT: '0', DATA_DIR: dataFolder });
  const url = await app.ready();
  // Without the output of the build of the pages.
  const errorOutput = app.errorOutput();
  await expect.poll(() => app.lines().join()).toContain('Ctrl-C');
  const next = `Open ${url}/ and connect with \`Username: demo@example.com\` and \`ApiKey: demo\``;
  expect(app.lines().join()).toContain(`Ledgerline is ready. ${next}`);

  const health = await healthAt(url);
  expect(health.status).toBe(200);
  expect(health.json).toMatchObject({ status: 'ok', administration: { kind: 'builtin', administrations: 2 } });

  const workbook = await send(url, 'GET', '/');
  expect(workbook.status).toBe(200);
  expect(workbook.headers['content-type']).toMatch(/^text\/html/);
  // The files of the page exist.
  const named = [...workbook.text.matchAll(/(?:src|href)="(\/taskpane\/[^"]+)"/g)].map(([, target]) => target!);
  expect(named.length).toBeGreaterThan(0);
  for (const target of named) expect([target, (await send(url, 'GET', target)).status]).toEqual([target, 200]);

  const { paths } = (await send(url, 'GET', '/rest/openapi.json')).json;
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/rest/listrelations', '/pushes', '/exports']));
  for (const [ApiKey, Username, country] of [
    ['demo', 'demo@example.com', 'NL'],
    ['demo-be', 'demo-be@example.com', 'BE'],
  ] as const) {
    const accounts = await send(url, 'GET', '/rest/listledgeraccounts', { headers: { ApiKey, Username } });
    expect([accounts.status, accounts.json[0]?.Countrycode]).toEqual([200, country]);
    for (const list of ['listtaxcodes', 'listrelations', 'listsalesinvoices']) {
      const { status, json } = await send(url, 'GET', `/rest/${list}`, { headers: { ApiKey, Username } });
      expect([list, status, json.length > 0]).toEqual([list, 200, true]);
    }
  }

  // Others on the network cannot reach it, and other users of the machine cannot read its files.
  const { port } = new URL(url);
  const elsewhere = Object.values(networkInterfaces())
    .flat()
    .filter((one) => one !== undefined && !one.internal);
  for (const { address } of elsewhere.filter((one) => one?.family === 'IPv4').map((one) => one!)) {
    await expect(send(`http://${address}:${port}`, 'GET', '/health')).rejects.toThrow('ECONNREFUSED');
  }
  const stored = await readdir(dataFolder, { recursive: true });
  expect(stored.length).toBeGreaterThan(3);
  for (const name of ['.', ...stored]) {
    expect([name, (await stat(path.join(dataFolder, name))).mode & 0o077]).toEqual([name, 0]);
  }

  app.process.kill('SIGINT');
  expect(await app.ended).toEqual([0, null]);
  expect(app.errorOutput()).toBe(errorOutput);
  await expect(send(url, 'GET', '/health')).rejects.toThrow('ECONNREFUSED');
  // The database is closed: its temporary files are gone.
  expect((await readdir(dataFolder)).sort()).toEqual(['ledgerline.sqlite', 'secret.key', 'storage']);
});

it('npm start continues with existing data, and creates the demo once', async () => {
  const settings = { PORT: '0', DATA_DIR: path.join(folder, 'again') };
  const headers = { ApiKey: 'demo', Username: 'demo@example.com' };
  const first = start(settings);
  const before = await send(await first.ready(), 'GET', '/rest/listrelations', { headers });
  first.process.kill('SIGTERM');
  expect(await first.ended).toEqual([0, null]);

  const second = start(settings);
  const url = await second.ready();
  expect((await send(url, 'GET', '/rest/listrelations', { headers })).text).toBe(before.text);
  expect((await healthAt(url)).json.administration.administrations).toBe(2);
  second.process.kill('SIGINT');
  expect(await second.ended).toEqual([0, null]);
});

it('npm start uses a remote service instead of its own administrations when the settings name one', async () => {
  const behind = start({ PORT: '0', DATA_DIR: path.join(folder, 'behind') });
  const ADMINISTRATION_URL = await behind.ready();
  const app = start({ PORT: '0', DATA_DIR: path.join(folder, 'front'), ADMINISTRATION_URL });
  // The first address in its output is its own.
  const url = await app.ready();
  expect(url).not.toBe(ADMINISTRATION_URL);
  expect((await healthAt(url)).json.administration).toMatchObject({ kind: 'remote' });
  const headers = { ApiKey: 'demo', Username: 'demo@example.com' };
  const target = '/rest/listrelations?Limit=3';
  const { status, text } = await send(url, 'GET', target, { headers });
  expect([status, text]).toEqual([200, (await send(ADMINISTRATION_URL, 'GET', target, { headers })).text]);
  const otherCaller = await send(url, 'GET', target, { headers: { ...headers, ApiKey: 'wrong' } });
  expect([otherCaller.status, otherCaller.json.errorMessage]).toEqual([401, 'Invalid authentication credentials']);
  expect(app.lines().join()).toContain(
    `connect with a key of ${ADMINISTRATION_URL}, by which every request is answered.`,
  );
  app.process.kill('SIGINT');
  expect(await app.ended).toEqual([0, null]);
  expect((await readdir(path.join(folder, 'front'))).sort()).toEqual(['secret.key', 'storage']);
});

it('npm start continues a push after it was stopped and started again', async () => {
  const service = await startScriptedService();
  onTestFinished(service.close);
  // Before it stores a push, the app verifies the credential at the service with a GET.
  const writes = () => service.received.filter(({ method }) => method !== 'GET');
  const articles = () => writes().map(({ body }) => JSON.parse(body).ArticleNumber);
  service.play(() => ({ body: '{"StockQty":1}', wait: 200 }));
  const settings = {
    PORT: '0',
    DATA_DIR: path.join(folder, 'pushing'),
    ADMINISTRATION_URL: service.url,
    REMOTE_PER_SECOND: '0',
    REMOTE_PER_MINUTE: '0',
    REMOTE_AT_A_TIME: '1',
  };
  const credential = { apiKey: 'pushing', username: 'pushing@example.com' };
  const rows = Array.from({ length: 30 }, (_, row) => ({
    row,
    update: { ArticleNumber: `A-${row}`, NewStockQty: 1 },
  }));
  const first = start(settings);
  const { id } = await createPushClient({ base: await first.ready(), credential, fetch }).begin(rows, 'one');
  while (writes().length < 3) await sleep(20);
  first.process.kill('SIGINT');
  expect(await first.ended).toEqual([0, null]);
  expect(writes().length).toBeLessThan(rows.length);

  const second = start(settings);
  const pushes = createPushClient({ base: await second.ready(), credential, fetch });
  while ((await pushes.changes(id!, '')).push.state !== 'ended') await sleep(100);
  expect((await pushes.changes(id!, '')).push.counts).toMatchObject({ applied: rows.length, unknown: 0 });
  expect(articles()).toEqual(rows.map(({ update }) => update.ArticleNumber));
});

it('npm start responds to running requests when it is stopped, and accepts no new ones', async () => {
  const service = await startScriptedService();
  onTestFinished(service.close);
  // It is asked about the key first.
  service.play((_, index) => (index === 0 ? { body: '[]' } : { body: '{"ArticleNumber":"A"}', wait: 4000 }));
  const settings = { PORT: '0', DATA_DIR: path.join(folder, 'drained'), ADMINISTRATION_URL: service.url };
  const app = start(settings);
  const url = await app.ready();
  await expect.poll(() => app.lines().join()).toContain('Ctrl-C');
  const headers = { ApiKey: 'drained', Username: 'drained@example.com' };
  const body = JSON.stringify({ ArticleNumber: 'A', NewStockQty: 1 });
  const response = send(url, 'PUT', '/rest/updateproduct', { headers, body });
  while (service.received.length < 2) await sleep(20);

  app.process.kill('SIGTERM');
  const refusal = () =>
    send(url, 'GET', '/health').then(
      () => '',
      (failure) => String(failure),
    );
  await expect.poll(refusal).toContain('ECONNREFUSED');
  expect((await response).json).toMatchObject({ ArticleNumber: 'A' });
  expect(await app.ended).toEqual([0, null]);
  expect(service.received).toHaveLength(2);
});

/** Whether the storage account of an app runs. */
const storageRuns = async (dataFolder: string): Promise<boolean> =>
  (await runningAzurite(path.join(dataFolder, 'storage'))) !== undefined;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** `npm start` in a shell, as npm runs it: ending npm ends the shell. */
async function startInShell(settings: Record<string, string>) {
  const command = ['-c', '"$0" functions/host/start.ts & echo "pid $!"; wait', process.execPath];
  const shell = spawn('sh', command, {
    env: { PATH: process.env.PATH, npm_lifecycle_event: 'start', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let pid = 0;
  for await (const line of createInterface({ input: shell.stdout })) {
    pid ||= Number(/^pid (\d+)/.exec(line)?.[1]);
    if (/http:\/\/localhost:\d+/.test(line)) {
      shell.stdout.resume();
      return { shell, pid };
    }
  }
  throw new Error('It does not start.');
}

it.each([
  ['npm is ended', ({ shell }: { shell: ChildProcess }) => shell.kill('SIGTERM')],
  ['its terminal is closed', ({ pid }: { pid: number }) => process.kill(pid, 'SIGHUP')],
  ['it is killed', ({ pid }: { pid: number }) => process.kill(pid, 'SIGKILL')],
])('npm start and its storage account end when %s', async (cause, end) => {
  const dataFolder = path.join(folder, cause);
  const app = await startInShell({ DATA_DIR: dataFolder });
  expect(await storageRuns(dataFolder)).toBe(true);
  end(app);
  // By its process: another server may get its port at once.
  await expect.poll(() => isRunning(app.pid)).toBe(false);
  await expect.poll(() => storageRuns(dataFolder)).toBe(false);
});

it('npm start sends mail by the mail server of the settings', async () => {
  const { url: SMTP_URL, close } = await startSmtpServer();
  onTestFinished(close);
  const mail = { SMTP_URL, MAIL_FROM: 'facturen@delinde.example', MAIL_DELAY_MINUTES: '7' };
  const app = start({ PORT: '0', DATA_DIR: path.join(folder, 'mailing'), ...mail });
  const { administration } = (await healthAt(await app.ready())).json;
  expect(administration.mail).toMatchObject({ waiting: 0 });
  expect(administration.mail).not.toHaveProperty('note');
});

it('npm start ends at once with the name of a wrong setting', async () => {
  const app = start({ PORT: 'http', DATA_DIR: path.join(folder, 'unused') });
  expect(await app.ended).toEqual([1, null]);
  expect(app.errorOutput()).toContain('PORT: expected a port');
  // A sentence, without a stack trace.
  expect(app.errorOutput()).not.toContain('.ts:');
  expect(await readdir(folder)).not.toContain('unused');
});

it('npm start ends with a clear sentence when its data folder cannot be made', async () => {
  const file = path.join(folder, 'a file');
  await writeFile(file, '');
  const app = start({ PORT: '0', DATA_DIR: path.join(file, 'data') });
  expect(await app.ended).toEqual([1, null]);
  expect(app.errorOutput()).toMatch(/^\S.*a file.data(?:.storage)?: it is not in a folder\.\n$/);
});

it('npm start ends with a clear sentence while another one has the same data, whose storage stays as it is', async () => {
  const dataFolder = path.join(folder, 'shared');
  const first = start({ PORT: '0', DATA_DIR: dataFolder });
  await first.ready();
  const storage = await runningAzurite(path.join(dataFolder, 'storage'));
  const second = start({ PORT: '0', DATA_DIR: dataFolder });
  expect(await second.ended).toEqual([1, null]);
  expect(second.errorOutput()).toMatch(/^DATA_DIR: the storage in .* is in use by another process; [^\n]*\n$/);
  expect(await runningAzurite(path.join(dataFolder, 'storage'))).toBe(storage);
  // After a crash the storage runs for a moment longer.
  await first.kill();
  await start({ PORT: '0', DATA_DIR: dataFolder }).ready();
});

it('npm start ends with a clear sentence when the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  const app = start({ PORT, DATA_DIR: path.join(folder, 'taken') });
  expect(await app.ended).toEqual([1, null]);
  expect(app.errorOutput()).toBe('PORT: that port is taken; choose another one, or stop what uses it.\n');
  other.close();
});
