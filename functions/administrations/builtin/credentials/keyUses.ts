import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import type { Seconds } from '../sql/schema.ts';
import type { SignedIn } from './signIn.ts';

/** The shortest time between two stored uses of a key, in seconds. */
const INTERVAL = 600n;

/** Stores when keys were last used. No request waits for it, and no request fails because of it. */
export function keyUses(db: Database, warn: (line: string) => void) {
  const underWay = new Map<bigint, Promise<void>>();

  async function store(id: bigint, now: Seconds): Promise<void> {
    const { executeIfFree } = dialectOf(db).locks;
    try {
      // While another process writes, a later request stores it.
      await executeIfFree(db, sql`update api_key set last_used_on = ${now} where id = ${id}`.compile(db));
    } catch (failure) {
      warn(`The last use of key ${id} could not be stored: ${failure instanceof Error ? failure.message : failure}`);
    } finally {
      underWay.delete(id);
    }
  }

  return {
    /** Stores a use of a key, unless that was done some minutes ago. */
    record({ key }: Pick<SignedIn, 'key'>, now: Seconds): void {
      if (underWay.has(key.id) || (key.lastUsedOn !== null && now - key.lastUsedOn < INTERVAL)) return;
      underWay.set(key.id, store(key.id, now));
    },
    /** Waits until all recorded uses are stored. */
    async settled(): Promise<void> {
      await Promise.all(underWay.values());
    },
  };
}
