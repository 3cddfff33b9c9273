import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Seeded } from '../../../functions/administrations/builtin/setup/demo/seeded.ts';
import { type AppProcess, startAppProcess } from '../../appProcess.ts';

const COUNT = 2;
/** Seconds an instance may stand still: longer than its lease lasts. */
const MAX_PAUSE_SECONDS = 18;

/** Instances of the app that share a storage account. */
export type Instances = {
  /** Where one of them is, now. */
  url(random: Seeded): Promise<string>;
  /** Kills one of them, or both, where they stand, and starts them again; or has one stand still for a while. */
  disturb(random: Seeded): Promise<void>;
  /** What they complained of. */
  complaints(): string;
  /** Not while they are disturbed. */
  close(): Promise<void>;
};

export async function startInstances(settings: Readonly<Record<string, string>>): Promise<Instances> {
  let complaints = '';
  const start = () => startAppProcess(path.join(import.meta.dirname, 'serve.ts'), settings);
  const places = await Promise.all(Array.from({ length: COUNT }, start));
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
    running[place] = await start();
  };

  return {
    async url(random) {
      for (;;) {
        const up = running.filter((app) => app !== undefined);
        if (up.length > 0) return random.pick(up).url;
        await sleep(50);
      }
    },
    async disturb(random) {
      const place = random.below(COUNT);
      if (random.chance(15)) {
        const seconds = random.from(1, MAX_PAUSE_SECONDS);
        running[place]?.process.kill('SIGSTOP');
        await sleep(seconds * 1000);
        running[place]?.process.kill('SIGCONT');
        return;
      }
      const both = random.chance(20) ? Array.from({ length: COUNT }, (_, index) => index) : [place];
      await Promise.all(both.map((one) => restart(one, random.from(0, 1500))));
    },
    complaints: () => complaints + running.map((app) => app?.complaints() ?? '').join(''),
    async close() {
      await Promise.all(running.map((_, place) => end(place)));
    },
  };
}
