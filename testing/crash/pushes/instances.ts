import { setTimeout as sleep } from 'node:timers/promises';
import type { Seeded } from '../../../functions/administrations/builtin/setup/demo/seeded.ts';
import { type AppProcess, startAppProcess } from '../../appProcess.ts';

/** The role of an instance: HTTP, queues and timers, or both. */
type Role = 'all' | 'http' | 'background';
/** The longest pause of an instance, in seconds: longer than its lease. */
const MAX_PAUSE_SECONDS = 18;

export type Instances = Awaited<ReturnType<typeof startInstances>>;

/** @param roles of each instance */
export async function startInstances(
  settings: Readonly<Record<string, string>>,
  roles: readonly Role[] = ['all', 'all'],
) {
  let errorOutput = '';
  const start = (role: Role) => startAppProcess('testing/crash/serve.ts', { ...settings, INSTANCE_ROLE: role });
  /** Undefined while it is down. */
  const running: (AppProcess | undefined)[] = await Promise.all(roles.map(start));

  const end = async (index: number): Promise<void> => {
    const app = running[index];
    running[index] = undefined;
    await app?.kill();
    errorOutput += app?.errorOutput() ?? '';
  };
  const restart = async (index: number, pause: number): Promise<void> => {
    await end(index);
    await sleep(pause);
    running[index] = await start(roles[index]!);
  };

  return {
    /** The address of an instance that is up. */
    async url(random: Seeded): Promise<string> {
      for (;;) {
        const up = running.filter((app, index) => app !== undefined && roles[index] !== 'background');
        if (up.length > 0) return random.pick(up)!.url;
        await sleep(50);
      }
    },
    /** Kills one or all instances and starts them again, or pauses one. */
    async disturb(random: Seeded): Promise<void> {
      const index = random.below(roles.length);
      if (random.chance(15)) {
        const seconds = random.from(1, MAX_PAUSE_SECONDS);
        running[index]?.process.kill('SIGSTOP');
        await sleep(seconds * 1000);
        running[index]?.process.kill('SIGCONT');
        return;
      }
      const killed = random.chance(20) ? [...roles.keys()] : [index];
      await Promise.all(killed.map((one) => restart(one, random.from(0, 1500))));
    },
    /** Their errors, a sentence each. */
    errors: (): string[] =>
      (errorOutput + running.map((app) => app?.errorOutput() ?? '').join(''))
        .split('\n')
        .filter((line) => / failed: |could not be|dropped/.test(line))
        .map((line) => `An instance logged an error: ${line}`),
    /** Not while they are disturbed. */
    async close(): Promise<void> {
      await Promise.all(running.map((_, index) => end(index)));
    },
  };
}
