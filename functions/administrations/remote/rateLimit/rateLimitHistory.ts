import { MAX_RATE_LIMIT_WAIT_MS } from '../../../../shared/retry.ts';
import type { Clock } from './clock.ts';
import { historySpan, type Limits, maxRemembered } from './rateLimits.ts';

/** The history of the requests of one key. Times are whole milliseconds since 1970. */
export type History = {
  /** The moments of recent and reserved requests, the latest last. */
  slots: readonly number[];
  /** The end of a pause that the service asked for. */
  heldUntil: number;
};

/** The store that processes share. Each writes at the version that it read. */
export type HistoryStore = {
  /** Milliseconds for which a caller waits for a response; left out: a second. */
  timeout?: number;
  /** @returns no version when nothing is stored yet */
  read(key: string): Promise<{ history: History; version: string | undefined }>;
  /** @returns the new version; undefined when another process wrote first, and nothing was written */
  write(key: string, history: History, version: string | undefined): Promise<string | undefined>;
  /** @returns whether it was removed: not when another process wrote since */
  remove(key: string, version: string): Promise<boolean>;
  /** Removes keys whose history ended before a moment. */
  expire?(before: number): Promise<void>;
};

/** Milliseconds from a failure until it is tried again, in the background. */
const RETRY_AFTER = 5000;
/** The factor by which the known latency shrinks when a response is faster. */
const DECAY_FACTOR = 0.9;

export type SharedHistory = ReturnType<typeof createSharedHistory>;

/** The store, with its availability and latency. */
export function createSharedHistory(store: HistoryStore, clock: Clock, log: (line: string) => void) {
  const { timeout = 1000 } = store;
  let latency = 0;
  let isOn = true;
  let askedAt = 0;

  const inTime = <Value>(response: Promise<Value>): Promise<Value> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(timeout, () => reject(new Error('no answer in time')));
      response.then(resolve, reject).finally(cancel);
    });

  /** The response of the store; undefined when it is not available. */
  async function ask<Value>(
    question: (store: HistoryStore) => Promise<Value>,
  ): Promise<{ response: Value } | undefined> {
    const start = clock.now();
    askedAt = start;
    try {
      const response = await inTime(question(store));
      latency = Math.max(clock.now() - start, latency * DECAY_FACTOR);
      if (!isOn) log('The rate limit is shared with other instances again.');
      isOn = true;
      return { response };
    } catch (failure) {
      if (isOn)
        log(`The rate limit is not shared with other instances, each has its own for now: ${reasonOf(failure)}.`);
      isOn = false;
      return undefined;
    }
  }

  return {
    ask,
    /** Whether it is available; when not, it is tried again from time to time. */
    isOn(): boolean {
      if (!isOn && clock.now() >= askedAt + RETRY_AFTER) ask((one) => one.read('availability'));
      return isOn;
    },
    /** Milliseconds that a response takes. */
    latency: () => latency,
  };
}

export type KeyHistory = ReturnType<typeof createKeyHistory>;

/** Not read from the store yet, or no longer valid. */
const NOT_READ = Symbol('unread');

/** The history of one key in this process. @param shared left out: no other process uses this key */
export function createKeyHistory(key: string, limits: Limits, clock: Pick<Clock, 'now'>, shared?: SharedHistory) {
  const span = historySpan(limits);
  const maxSlots = 3 * maxRemembered(limits);
  let current: History = { slots: [], heldUntil: 0 };
  let version: string | undefined | typeof NOT_READ = NOT_READ;
  let isBusy = false;
  /** Whether all that is stored of this key is of this process. */
  let isOwn = false;
  /** The stored end of the pause. */
  let sharedHeldUntil = 0;
  /** Slots that the store does not have yet, and stored slots that are unused. */
  let unshared = { taken: [] as readonly number[], unused: [] as readonly number[] };

  /** Whether other processes take slots from it too. */
  const isShared = (): boolean => shared?.isOn() ?? false;

  /** The slots that still count; for twice the window, since the clock of another process may be behind. */
  const counting = (slots: readonly number[]): readonly number[] => {
    const since = clock.now() - 2 * span;
    return slots.filter((slot) => slot > since).slice(-maxSlots);
  };

  const append = (slots: readonly number[]): void => {
    const all = [...current.slots, ...slots];
    current = { ...current, slots: all.length > maxSlots ? counting(all) : all };
  };

  /** Without what a clock stored that was ahead: all requests would wait until then. */
  const withoutFuture = ({ slots, heldUntil }: History): History => {
    const until = clock.now() + MAX_RATE_LIMIT_WAIT_MS;
    return { slots: slots.filter((slot) => slot <= until), heldUntil: heldUntil <= until ? heldUntil : 0 };
  };

  function adopt(read: { history: History; version: string | undefined }): void {
    const stored = withoutFuture(read.history);
    const slots = [...stored.slots, ...unshared.taken].sort((a, b) => a - b);
    version = read.version;
    isOwn = false;
    sharedHeldUntil = stored.heldUntil;
    current = { slots: without(slots, unshared.unused), heldUntil: Math.max(current.heldUntil, sharedHeldUntil) };
  }

  async function exchange(others: SharedHistory, slots: readonly number[]): Promise<readonly number[]> {
    if (version === NOT_READ) {
      const read = await others.ask((store) => store.read(key));
      if (read !== undefined) adopt(read.response);
      return [];
    }
    const known = version;
    const sent = unshared;
    unshared = { taken: [], unused: [] };
    const { heldUntil } = current;
    const next = { slots: counting([...current.slots, ...slots]), heldUntil };
    const written = await others.ask((store) => store.write(key, next, known));
    if (written?.response === undefined) {
      version = NOT_READ;
      unshared = { taken: [...sent.taken, ...unshared.taken], unused: [...sent.unused, ...unshared.unused] };
      return [];
    }
    version = written.response;
    isOwn ||= known === undefined;
    sharedHeldUntil = heldUntil;
    append(slots);
    return slots;
  }

  return {
    current: () => current,
    /** Milliseconds that taking a slot takes. */
    delay: () => (isShared() ? shared!.latency() : 0),
    isShared,
    /** Whether it is being written or read, so that no slot can be taken now. */
    isBusy: () => isBusy,
    /** Whether the pause is not stored yet. */
    hasUnsharedPause: () => isShared() && current.heldUntil > sharedHeldUntil,
    /** Takes slots. @returns none when another process wrote first: `current` is then up to date */
    take(slots: readonly number[]): readonly number[] | Promise<readonly number[]> {
      if (isShared()) {
        isBusy = true;
        return exchange(shared!, slots).finally(() => {
          isBusy = false;
        });
      }
      append(slots);
      if (shared !== undefined) {
        version = NOT_READ;
        unshared = { ...unshared, taken: counting([...unshared.taken, ...slots]) };
      }
      return slots;
    },
    isOwn: () => isOwn,
    /** Removes it from the store, unless another process wrote since. This process still counts its slots. */
    async removeStored(): Promise<void> {
      if (!isShared() || isBusy || version === NOT_READ || version === undefined) return;
      const stored = version;
      isBusy = true;
      const removed = await shared!.ask((store) => store.remove(key, stored));
      version = removed?.response ? undefined : NOT_READ;
      isBusy = false;
    },
    giveBack(slot: number): void {
      current = { ...current, slots: without(current.slots, [slot]) };
      if (shared !== undefined) unshared = { ...unshared, unused: counting([...unshared.unused, slot]) };
    },
    pause(until: number): void {
      current = { ...current, heldUntil: Math.max(current.heldUntil, Math.ceil(until)) };
    },
  };
}

const reasonOf = (failure: unknown): string => {
  const { code, message } = Object(failure);
  return String(code ?? message ?? failure);
};

function without(slots: readonly number[], unused: readonly number[]): readonly number[] {
  const left = slots.slice();
  for (const slot of unused) {
    const index = left.lastIndexOf(slot);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}
