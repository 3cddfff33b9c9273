import type { ProductWrite } from '../../functions/administrations/administration.ts';
import { seeded } from '../../functions/administrations/builtin/setup/demo/seeded.ts';
import type { Credential } from '../../shared/client/client.ts';
import { readRequest } from '../../shared/readRequest.ts';
import { startScript } from '../appProcess.ts';

/** A push in a process of its own. */
export type PushProcess = {
  /** The keys of the writes that were applied, so far. */
  applied: () => ReadonlySet<string>;
  /** Kills it. */
  kill: () => Promise<void>;
};

/** Starts to give the writes of a seed to an administration, over and over, and waits until it begins. */
export async function startPushProcess(
  databaseUrl: string,
  credential: Credential,
  seed: number,
): Promise<PushProcess> {
  const { line, lines, process, kill } = startScript('testing/crash/push.ts', {
    DATABASE_URL: databaseUrl,
    PUSH_USERNAME: credential.username,
    PUSH_API_KEY: credential.apiKey,
    PUSH_SEED: String(seed),
  });
  await line(new RegExp(`^${BEGUN}$`));
  return {
    applied: () => new Set(lines().slice(1)),
    async kill() {
      if (process.exitCode !== null) throw new Error('The push ended by itself.');
      await kill();
    },
  };
}

/** The first line of the process. */
export const BEGUN = 'begun';

export const ARTICLES = ['A', 'B', 'C'];

/** A write of a push, and what comes into stock by it, in hundredths. */
type KeyedWrite = ProductWrite & { article: string; hundredths: number };

/** The writes of a seed. The comments of their mutations are their keys. */
export function keyedWrites(seed: number): KeyedWrite[] {
  const random = seeded(seed);
  return Array.from({ length: 1500 }, (_, index) => {
    const key = `push ${seed}.${index}`;
    const article = random.pick(ARTICLES);
    const hundredths = random.from(1, 999) * (random.chance(50) ? 1 : -1);
    const { request } = readRequest('updateproduct', {
      ArticleNumber: article,
      NewStockQty: decimal(hundredths),
      NewStockMutationComment: key,
    });
    return { key, name: 'updateproduct', request, article, hundredths };
  });
}

export const decimal = (hundredths: number): string => (hundredths / 100).toFixed(2);
