import type { Clock } from './clock.ts';
import { forgottenAfter, type Limits, mostRemembered } from './pace.ts';

/** What is known of the turns of one key. Times are whole milliseconds since 1970. */
export type Turns = {
  /** When turns are and recently were, the latest last. */
  slots: readonly number[];
  /** Until then there are no turns. */
  heldUntil: number;
};

/** Where processes that serve the same keys write down their turns, each at the version it knows. */
export type TurnRecord = {
  /** @returns no version where nothing was written yet */
  read(key: string): Promise<{ turns: Turns; version: string | undefined }>;
  /** @returns the new version; undefined when somebody else wrote first, and nothing was written */
  write(key: string, turns: Turns, version: string | undefined): Promise<string | undefined>;
};

/** The record as far as this process can reach it. */
export type Sharing = {
  /** Whether it can be reached; when it cannot, looks now and then whether it can be again. */
  isOn(): boolean;
  /** Milliseconds an answer takes. */
  latency(): number;
  /** What the record answers; undefined when it does not. */
  ask<Answer>(question: (record: TurnRecord) => Promise<Answer>): Promise<{ answer: Answer } | undefined>;
};

/** Milliseconds the record may take to answer: somebody waits for it. */
const PATIENCE = 1000;
/** Milliseconds from a failure until it is asked again; nobody waits for that. */
const ALONE = 5000;
/** How much of what is known of the latency the next answer leaves, when it comes sooner. */
const REMAINS = 0.9;

export function createSharing(record: TurnRecord, clock: Clock, log: (line: string) => void): Sharing {
  let latency = 0;
  let isOn = true;
  let askedAt = 0;

  const inTime = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const cancel = clock.after(PATIENCE, () => reject(new Error('no answer in time')));
      asked.then(resolve, reject).finally(cancel);
    });

  const sharing: Sharing = {
    isOn() {
      if (!isOn && clock.now() >= askedAt + ALONE) sharing.ask((one) => one.read('nobody'));
      return isOn;
    },
    latency: () => latency,
    async ask(question) {
      const start = clock.now();
      askedAt = start;
      try {
        const answer = await inTime(question(record));
        latency = Math.max(clock.now() - start, latency * REMAINS);
        if (!isOn) log('The pace is shared with other instances again.');
        isOn = true;
        return { answer };
      } catch (failure) {
        if (isOn) log(`The pace is not shared with other instances, each keeps its own for now: ${reasonOf(failure)}.`);
        isOn = false;
        return undefined;
      }
    },
  };
  return sharing;
}

/** The turns of one key as this process knows them. */
export type TurnBook = {
  turns(): Turns;
  /** Milliseconds it takes to take a turn. */
  delay(): number;
  /** Whether others take turns from it too. */
  isShared(): boolean;
  /** Whether something is being written or read: nothing can be taken now. */
  isBusy(): boolean;
  /** Whether the others do not know yet that there are no turns for a while. */
  isHoldUntold(): boolean;
  /** Takes turns. @returns none of them when others were quicker: `turns` has become what it really is then */
  take(slots: readonly number[]): readonly number[] | Promise<readonly number[]>;
  /** Leaves a turn to others. */
  giveBack(slot: number): void;
  hold(until: number): void;
};

/** What was not read in the record yet, and what was, but cannot be relied on. */
const UNREAD = Symbol('unread');

/** @param sharing left out: nobody else takes turns for this key */
export function createTurnBook(key: string, limits: Limits, clock: Pick<Clock, 'now'>, sharing?: Sharing): TurnBook {
  const span = forgottenAfter(limits);
  const most = 3 * mostRemembered(limits);
  let turns: Turns = { slots: [], heldUntil: 0 };
  let version: string | undefined | typeof UNREAD = UNREAD;
  let isBusy = false;
  /** What the others know of the hold. */
  let heldUntilTold = 0;
  /** What the record does not have yet, and what it has in vain. */
  let untold = { taken: [] as readonly number[], unused: [] as readonly number[] };

  const isShared = (): boolean => sharing?.isOn() ?? false;

  /** What still counts of them; twice as long as it would, for others whose clock is behind. */
  const counting = (slots: readonly number[]): readonly number[] => {
    const since = clock.now() - 2 * span;
    return slots.filter((slot) => slot > since).slice(-most);
  };

  const append = (slots: readonly number[]): void => {
    const all = [...turns.slots, ...slots];
    turns = { ...turns, slots: all.length > most ? counting(all) : all };
  };

  function readInto(read: { turns: Turns; version: string | undefined }): void {
    const slots = [...read.turns.slots, ...untold.taken].sort((a, b) => a - b);
    version = read.version;
    heldUntilTold = read.turns.heldUntil;
    turns = { slots: without(slots, untold.unused), heldUntil: Math.max(turns.heldUntil, heldUntilTold) };
  }

  async function exchange(shared: Sharing, slots: readonly number[]): Promise<readonly number[]> {
    if (version === UNREAD) {
      const read = await shared.ask((record) => record.read(key));
      if (read !== undefined) readInto(read.answer);
      return [];
    }
    const known = version;
    const told = untold;
    untold = { taken: [], unused: [] };
    const { heldUntil } = turns;
    const next = { slots: counting([...turns.slots, ...slots]), heldUntil };
    const written = await shared.ask((record) => record.write(key, next, known));
    if (written?.answer === undefined) {
      version = UNREAD;
      untold = { taken: [...told.taken, ...untold.taken], unused: [...told.unused, ...untold.unused] };
      return [];
    }
    version = written.answer;
    heldUntilTold = heldUntil;
    append(slots);
    return slots;
  }

  return {
    turns: () => turns,
    delay: () => (isShared() ? sharing!.latency() : 0),
    isShared,
    isBusy: () => isBusy,
    isHoldUntold: () => isShared() && turns.heldUntil > heldUntilTold,
    take(slots) {
      if (isShared()) {
        isBusy = true;
        return exchange(sharing!, slots).finally(() => {
          isBusy = false;
        });
      }
      append(slots);
      if (sharing !== undefined) {
        version = UNREAD;
        untold = { ...untold, taken: counting([...untold.taken, ...slots]) };
      }
      return slots;
    },
    giveBack(slot) {
      turns = { ...turns, slots: without(turns.slots, [slot]) };
      if (sharing !== undefined) untold = { ...untold, unused: counting([...untold.unused, slot]) };
    },
    hold(until) {
      turns = { ...turns, heldUntil: Math.max(turns.heldUntil, Math.ceil(until)) };
    },
  };
}

const reasonOf = (failure: unknown): string => {
  const { code, message } = Object(failure);
  return String(code ?? message ?? failure);
};

/** Leaves out each of them once. */
function without(slots: readonly number[], unused: readonly number[]): readonly number[] {
  const left = slots.slice();
  for (const slot of unused) {
    const index = left.lastIndexOf(slot);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}
