import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { needed } from './needed.ts';

const run = promisify(execFile);

const installed = '/usr/lib/postgresql';
const versions = await readdir(installed).catch(() => []);
const programs = path.join(installed, versions.sort((a, b) => Number(a) - Number(b)).at(-1) ?? 'none', 'bin');

/** The programs of an installed PostgreSQL, for tests that configure a server. */
export const postgresPrograms = needed(
  versions.length > 0 && process.env.TEST_POSTGRES_URL !== undefined,
  'TEST_POSTGRES_URL names no PostgreSQL server',
);

export type PostgresServer = { port: number; stop: () => Promise<void> };

/**
 * Starts a server with an empty database `postgres`, whose owner is `ledgerline`.
 * @param files its certificate and key
 * @param clients the line of pg_hba.conf for clients over TCP: `hostssl all all all password`
 * @param script SQL that is run first
 */
export async function startPostgres(
  files: { certificate: string; key: string },
  clients: string,
  script: string,
): Promise<PostgresServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-postgres-'));
  const data = path.join(folder, 'data');
  // The server refuses to run as root. Its package has created a user for it.
  const user = process.getuid?.() === 0 ? await idsOf('postgres') : undefined;
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const asOwner = (program: string, args: string[]) =>
    run(path.join(programs, program), args, { ...user, cwd: folder, env: { LC_ALL: 'C.UTF-8' } });
  const write = async (name: string, text: string) => {
    // Only the owner of the server may read the key.
    await run('sh', ['-c', `umask 077; printf '%s\n' "$1" > "$2"`, 'sh', text, path.join(data, name)], user);
  };
  await asOwner('initdb', ['-D', data, '-U', 'ledgerline', '-A', 'trust', '-E', 'UTF8']);
  await write('server.crt', files.certificate);
  await write('server.key', files.key);
  await write('pg_hba.conf', `local all all trust\n${clients}`);
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c ssl=on -c fsync=off`;
  await asOwner('pg_ctl', ['-D', data, '-w', '-l', path.join(folder, 'log'), '-o', options, 'start']);
  const stop = async () => {
    await asOwner('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
    await rm(folder, { recursive: true, force: true });
  };
  await asOwner('psql', ['-h', folder, '-p', String(port), '-U', 'ledgerline', '-d', 'postgres', '-c', script]);
  return { port, stop };
}

/** The ids of a user of this machine. */
async function idsOf(name: string): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((one) => one.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
