import { setTimeout as sleep } from 'node:timers/promises';
import type { Seeded } from '../../../functions/administrations/builtin/setup/demo/seeded.ts';
import { type AppProcess, startAppProcess } from '../../appProcess.ts';

/** The role of an instance: HTTP, queues and timers, or both. */
export type Role = 'all' | 'http' | 'background';
/** Seconds for which an instance may be stopped: longer than its lease. */
const MAX_PAUSE_SECONDS = 18;

/** Instances of the app that share a storage account. */
export type Instances = {
  /** The present address of one of them. */
  url(random: Seeded): Promise<string>;
  /** Kills one or both and starts them again, or stops one for a while. */
  disturb(random: Seeded): Promise<void>;
  /** Their errors, a sentence each. */
  complaints(): string[];
  /** Not while they are disturbed. */
  close(): Promise<void>;
};

/** @param roles of each instance */
export async function startInstances(
  settings: Readonly<Record<string, string>>,
  roles: readonly Role[] = ['all', 'all'],
): Promise<Instances> {
  let complaints = '';
  const start = (role: Role) => startAppProcess('testing/crash/serve.ts', { ...settings, INSTANCE_ROLE: role });
  const places = await Promise.all(roles.map(start));
  /** Undefined while it is down. */
  const running: (AppProcess | undefined)[] = [...places];

  const end = async (place: number): Promise<void> => {
    const app = running[place];
    running[place] = undefined;
    await app?.kill();
    complaints += app?.complaints() ?? '';
  };
  const restart = async (place: number, pause: number): Promise<void> => {
    await end(place);
    await sleep(pause);
    running[place] = await start(roles[place]!);
  };

  return {
    async url(random) {
      for (;;) {
        const up = running.filter((app, place) => app !== undefined && roles[place] !== 'background');
        if (up.length > 0) return random.pick(up)!.url;
        await sleep(50);
      }
    },
    async disturb(random) {
      const place = random.below(roles.length);
      if (random.chance(15)) {
        const seconds = random.from(1, MAX_PAUSE_SECONDS);
        running[place]?.process.kill('SIGSTOP');
        await sleep(seconds * 1000);
        running[place]?.process.kill('SIGCONT');
        return;
      }
      const both = random.chance(20) ? [...roles.keys()] : [place];
      await Promise.all(both.map((one) => restart(one, random.from(0, 1500))));
    },
    complaints: () =>
      (complaints + running.map((app) => app?.complaints() ?? '').join(''))
        .split('\n')
        .filter((line) => / failed: |could not be|dropped/.test(line))
        .map((line) => `An instance complained: ${line}`),
    async close() {
      await Promise.all(running.map((_, place) => end(place)));
    },
  };
}
