import type { Priority } from '../../administration.ts';
import type { Clock } from './clock.ts';
import { Deferred, tooManyRequests } from './deferred.ts';
import type { KeyHistory } from './rateLimitHistory.ts';
import { type Limits, maxLateness, nextSlot, nextSlots } from './rateLimits.ts';
import type { Timing } from './timing.ts';

/** The options of a caller that waits for a slot. */
export type QueueOptions = {
  priority: Priority;
  /** The latest useful moment of a slot. */
  until: number;
  /** The longest pause of the service for which it waits, whatever `until` says. Left out: any. */
  maxPause?: number | undefined;
  signal?: AbortSignal | undefined;
};

/** The waiting callers of one key: first come first served, interactive ones before background work. */
export type RequestQueue = {
  /**
   * Waits for a slot: the moment to send one request, given a little earlier.
   * @param isFirst whether it goes before all others of its priority
   * @throws Deferred RATE_LIMIT at once when its slot would be too late, or later when others of higher priority
   *   delayed it
   * @throws the signal's reason
   */
  slot(options: QueueOptions, isFirst: boolean): Promise<number>;
  /** Whether a request may still be sent in its slot. */
  isUsable(slot: number): boolean;
  /** Takes back a slot that was not used in time. */
  giveBack(slot: number): void;
  /** Gives no slots for so many milliseconds. */
  pause(milliseconds: number): void;
  /** The number of waiting callers. */
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

/** Slots that are reserved for coming interactive callers, before the background work of other processes. */
const MAX_RESERVED = 2;

export function createRequestQueue(
  history: KeyHistory,
  { limits, clock, timing }: { limits: Limits; clock: Clock; timing: Timing },
): RequestQueue {
  const lateness = maxLateness(limits);
  const waiting: Record<Priority, Waiting[]> = { interactive: [], background: [] };
  /** Taken slots without a caller yet, the earliest first. */
  const slots: number[] = [];
  let cancelNext: (() => void) | undefined;
  let closed = false;

  const length = (): number => waiting.interactive.length + waiting.background.length;

  /** The remaining milliseconds of a pause that the service asked for. */
  const pauseLeft = (): number => history.current().heldUntil - clock.now();

  /** The earliest moment of a slot that is taken now and can still be used. */
  const earliest = (): number =>
    Math.max(Math.floor(clock.now() + Math.max(0, history.delay() - lateness / 2)), history.current().heldUntil);

  /** The slots for the first callers of each priority. */
  function expectedSlots(interactive: number, background: number): number[] {
    const early = Math.max(0, interactive - slots.length);
    const spread = Math.max(0, interactive + background - slots.length - early);
    return [...slots, ...nextSlots(history.current().slots, limits, earliest(), early, spread)];
  }

  /** The slots to take now, and when to check again; no more than callers wait for, and none long before its moment. */
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

  /** Returns slots without a caller when the moment of one has passed: all of them, to take new ones from now on. */
  function releaseUnusable(): void {
    if (slots.every(isUsable)) return;
    for (const slot of slots.splice(0)) history.giveBack(slot);
  }

  /** Gives out due slots, takes new ones, and schedules the next round. */
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
    // Without a moment to wait for, the next round follows the running request to the store.
    if (length() > 0 && wake < Number.POSITIVE_INFINITY) cancelNext = timing.at(wake, serve);
  }

  /** Refuses callers whose slot would be too late, because of others with priority or a pause of the service. */
  function refuseLate(): void {
    const { interactive, background } = waiting;
    const all = [...interactive, ...background];
    const pause = pauseLeft();
    if (all.every(({ until, maxPause }) => until === Number.POSITIVE_INFINITY && pause <= maxPause)) return;
    const expected = expectedSlots(interactive.length, background.length);
    const refused = new Set<Waiting>();
    for (const [index, one] of all.entries()) {
      // Each refused caller makes room for the next ones.
      const slot = expected[index - refused.size]!;
      if (slot <= one.until && pause <= one.maxPause) continue;
      refused.add(one);
      one.refuse(tooManyRequests(pause > one.maxPause ? pause : slot - clock.now()));
    }
    for (const priority of ['interactive', 'background'] as const) {
      waiting[priority] = waiting[priority].filter((one) => !refused.has(one));
    }
  }

  /** Removes a caller from the queue when its signal aborts. */
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

/** Another instance can continue at once. */
export const stopping = (): Deferred => new Deferred('REMOTE_FAILED', 'The app is stopping.', 1000, {});
