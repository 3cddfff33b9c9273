import type { Priority } from '../../administration.ts';
import type { Clock } from './clock.ts';
import { Deferred, tooManyRequests } from './deferred.ts';
import type { KeyHistory } from './rateLimitHistory.ts';
import { type Limits, maxLateness, nextSlot, nextSlots } from './rateLimits.ts';
import type { Timing } from './timing.ts';

/** How a caller waits for its slot. */
export type QueueOptions = {
  priority: Priority;
  /** The last moment a slot is of use. */
  until: number;
  /** Milliseconds of a pause the service asked for that it waits through, whatever `until` says. Left out: all of it. */
  maxPause?: number | undefined;
  signal?: AbortSignal | undefined;
};

/** The callers who wait to send with one key: first come first served, interactive ones before background work. */
export type RequestQueue = {
  /**
   * Waits for a slot: a moment to send one request at, which is given a little before.
   * @param isFirst whether it goes before all others of its priority
   * @throws Deferred RATE_LIMIT at once when its slot would be too late, later when others went before it until it was
   * @throws the signal's reason
   */
  slot(options: QueueOptions, isFirst: boolean): Promise<number>;
  /** Whether a request may still leave for its slot. */
  isUsable(slot: number): boolean;
  /** Takes a slot back that was not used in time. */
  giveBack(slot: number): void;
  /** Gives nobody a slot for so many milliseconds. */
  pause(milliseconds: number): void;
  /** How many wait. */
  length(): number;
  close(): void;
};

type Waiting = {
  until: number;
  maxPause: number;
  priority: Priority;
  go: (slot: number) => void;
  refuse: (reason: unknown) => void;
};

/** Slots that are reserved for interactive callers as soon as they come: background work of other processes comes after them. */
const MAX_RESERVED = 2;

export function createRequestQueue(
  history: KeyHistory,
  { limits, clock, timing }: { limits: Limits; clock: Clock; timing: Timing },
): RequestQueue {
  const lateness = maxLateness(limits);
  const waiting: Record<Priority, Waiting[]> = { interactive: [], background: [] };
  /** Slots that were taken and are nobody's yet, the earliest first. */
  const slots: number[] = [];
  let cancelNext: (() => void) | undefined;
  let closed = false;

  const length = (): number => waiting.interactive.length + waiting.background.length;

  /** Milliseconds left of a pause the service asked for. */
  const pauseLeft = (): number => history.current().heldUntil - clock.now();

  /** The earliest moment a slot taken now can have, and still be reached. */
  const earliest = (): number =>
    Math.max(Math.floor(clock.now() + Math.max(0, history.delay() - lateness / 2)), history.current().heldUntil);

  /** The slots the first so many of each priority would get. */
  function expectedSlots(interactive: number, background: number): number[] {
    const early = Math.max(0, interactive - slots.length);
    const spread = Math.max(0, interactive + background - slots.length - early);
    return [...slots, ...nextSlots(history.current().slots, limits, earliest(), early, spread)];
  }

  /** The slots to take now, and when to look again; no more than are waited for, and none long before its moment. */
  function dueSlots(): { due: number[]; next: number } {
    const known = history.current().slots.slice();
    const due: number[] = [];
    // One delay for these, and one for those after them.
    const ahead = timing.lead() + 2 * history.delay();
    for (let place = slots.length; place < length(); place++) {
      const isInteractive = place < waiting.interactive.length;
      const slot = nextSlot(known, limits, earliest(), !isInteractive);
      const isReserved = history.isShared() && isInteractive && place < MAX_RESERVED;
      if (slot - ahead > clock.now() && !isReserved) return { due, next: slot - ahead };
      due.push(slot);
      known.push(slot);
    }
    return { due, next: Number.POSITIVE_INFINITY };
  }

  const isUsable = (slot: number): boolean => clock.now() <= slot + lateness && slot >= history.current().heldUntil;

  /** Gives back slots that are nobody's yet when their moment is over: all of them then, to take them anew from now on. */
  function releaseUnusable(): void {
    if (slots.every(isUsable)) return;
    for (const slot of slots.splice(0)) history.giveBack(slot);
  }

  /** Gives every slot whose time has come, takes those that are due, and sees to it that it goes on. */
  function serve(): void {
    if (closed) return;
    cancelNext?.();
    cancelNext = undefined;
    releaseUnusable();
    while (length() > 0 && slots.length > 0 && slots[0]! - timing.lead() <= clock.now()) {
      const next = (waiting.interactive.shift() ?? waiting.background.shift())!;
      next.go(slots.shift()!);
    }
    const { due, next } = history.isBusy() ? { due: [], next: Number.POSITIVE_INFINITY } : dueSlots();
    if (due.length > 0 || (history.hasUnsharedPause() && !history.isBusy())) {
      const taken = history.take(due);
      if (!(taken instanceof Promise)) {
        slots.push(...taken);
        serve();
        return;
      }
      taken.then((mine) => {
        slots.push(...mine);
        if (mine.length === 0) refuseLate();
        serve();
      });
    }
    const wake = Math.min(next, (slots[0] ?? Number.POSITIVE_INFINITY) - timing.lead());
    // Without a moment to wait for, it goes on when what is busy is done.
    if (length() > 0 && wake < Number.POSITIVE_INFINITY) cancelNext = timing.at(wake, serve);
  }

  /** Refuses whoever would get a slot too late: others may have gone before them, or the service asked for a pause. */
  function refuseLate(): void {
    const { interactive, background } = waiting;
    const all = [...interactive, ...background];
    const pause = pauseLeft();
    if (all.every(({ until, maxPause }) => until === Number.POSITIVE_INFINITY && pause <= maxPause)) return;
    const expected = expectedSlots(interactive.length, background.length);
    const refused = new Set<Waiting>();
    for (const [index, one] of all.entries()) {
      // Whoever is refused makes room for those behind.
      const slot = expected[index - refused.size]!;
      if (slot <= one.until && pause <= one.maxPause) continue;
      refused.add(one);
      one.refuse(tooManyRequests(pause > one.maxPause ? pause : slot - clock.now()));
    }
    for (const priority of ['interactive', 'background'] as const) {
      waiting[priority] = waiting[priority].filter((one) => !refused.has(one));
    }
  }

  /** Takes a caller out of the queue when the signal says so. */
  function leaveWhen(signal: AbortSignal, one: Waiting): void {
    const { go, refuse } = one;
    const leave = () => {
      const others = waiting[one.priority];
      others.splice(others.indexOf(one), 1);
      refuse(signal.reason);
    };
    const without =
      <Argument>(end: (argument: Argument) => void) =>
      (argument: Argument) => {
        signal.removeEventListener('abort', leave);
        end(argument);
      };
    signal.addEventListener('abort', leave, { once: true });
    one.go = without(go);
    one.refuse = without(refuse);
  }

  return {
    async slot({ priority, until, maxPause = Number.POSITIVE_INFINITY, signal }, isFirst) {
      if (closed) throw stopping();
      const { interactive } = waiting;
      const mine = waiting[priority];
      if (pauseLeft() > maxPause) throw tooManyRequests(pauseLeft());
      if (until < Number.POSITIVE_INFINITY) {
        const before = isFirst ? 0 : mine.length;
        const expected =
          priority === 'interactive'
            ? expectedSlots(before + 1, 0)[before]!
            : expectedSlots(interactive.length, before + 1)[interactive.length + before]!;
        if (expected > until) throw tooManyRequests(expected - clock.now());
      }
      return new Promise((resolve, reject) => {
        const one: Waiting = { priority, until, maxPause, go: resolve, refuse: reject };
        if (signal !== undefined) leaveWhen(signal, one);
        if (isFirst) mine.unshift(one);
        else mine.push(one);
        serve();
        if (priority === 'interactive' && waiting.background.length > 0) refuseLate();
      });
    },
    isUsable,
    giveBack(slot) {
      slots.unshift(slot);
      releaseUnusable();
    },
    pause(milliseconds) {
      history.pause(clock.now() + milliseconds);
      releaseUnusable();
      refuseLate();
      serve();
    },
    length,
    close() {
      closed = true;
      cancelNext?.();
      for (const one of [...waiting.interactive, ...waiting.background]) one.refuse(stopping());
    },
  };
}

/** Another instance may go on at once. */
export const stopping = (): Deferred => new Deferred('REMOTE_FAILED', 'The app is stopping.', 1000, {});
