import { Deferred, tooManyRequests } from './deferred.ts';
import { maxLateness } from './rateLimits.ts';
import { dueSlots, expectedSlots, type SlotContext } from './slotPlan.ts';
import { createWaitingCallers, type QueueOptions } from './waitingCallers.ts';

export type RequestQueue = ReturnType<typeof createRequestQueue>;

/** The queue of one key: interactive callers before background work, first come first served. */
export function createRequestQueue(context: SlotContext) {
  const { history, limits, clock, timing } = context;
  const lateness = maxLateness(limits);
  const callers = createWaitingCallers();
  /** Taken slots without a caller yet, the earliest first. */
  const slots: number[] = [];
  let cancelNext: (() => void) | undefined;
  let closed = false;

  /** The remaining milliseconds of a pause that the service asked for. */
  const pauseLeft = (): number => history.current().heldUntil - clock.now();
  /** Whether a request may still be sent in its slot. */
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
    while (callers.length() > 0 && slots.length > 0 && slots[0]! - timing.lead() <= clock.now()) {
      callers.giveToFirst(slots.shift()!);
    }
    const { due, next } = history.isBusy()
      ? { due: [], next: Number.POSITIVE_INFINITY }
      : dueSlots(context, slots.length, callers);
    if (due.length > 0 || (history.hasUnsharedPause() && !history.isBusy())) {
      const pending = history.take(due);
      if (!(pending instanceof Promise)) {
        slots.push(...pending);
        serve();
        return;
      }
      pending.then((taken) => {
        slots.push(...taken);
        if (taken.length === 0) refuseLate();
        serve();
      });
    }
    const wake = Math.min(next, (slots[0] ?? Number.POSITIVE_INFINITY) - timing.lead());
    // Without a moment to wait for, the next round follows the running request to the store.
    if (callers.length() > 0 && wake < Number.POSITIVE_INFINITY) cancelNext = timing.at(wake, serve);
  }

  /** Refuses callers whose slot would be too late, because of others with priority or a pause of the service. */
  function refuseLate(): void {
    const all = callers.all();
    const pause = pauseLeft();
    if (all.every(({ until, maxPause }) => until === Number.POSITIVE_INFINITY && pause <= maxPause)) return;
    const expected = expectedSlots(context, slots, callers.count('interactive'), callers.count('background'));
    let refused = 0;
    for (const [index, caller] of all.entries()) {
      const { until, maxPause } = caller;
      // Each refused caller makes room for the next ones.
      const slot = expected[index - refused]!;
      if (slot <= until && pause <= maxPause) continue;
      refused++;
      callers.refuse(caller, tooManyRequests(pause > maxPause ? pause : slot - clock.now()));
    }
  }

  return {
    /**
     * Waits for a slot: the moment to send one request, given a little earlier.
     * @param isFirst whether it goes before all others of its priority
     * @returns the slot; rejects with Deferred RATE_LIMIT when others of higher priority delay it beyond `until`, and with
     *   the signal's reason
     * @throws Deferred RATE_LIMIT at once when its slot would be too late
     */
    slot(options: QueueOptions, isFirst: boolean): Promise<number> {
      const { priority, until, maxPause = Number.POSITIVE_INFINITY } = options;
      if (closed) throw stopping();
      if (pauseLeft() > maxPause) throw tooManyRequests(pauseLeft());
      if (until < Number.POSITIVE_INFINITY) {
        const before = isFirst ? 0 : callers.count(priority);
        const interactive = callers.count('interactive');
        const expected =
          priority === 'interactive'
            ? expectedSlots(context, slots, before + 1, 0)[before]!
            : expectedSlots(context, slots, interactive, before + 1)[interactive + before]!;
        if (expected > until) throw tooManyRequests(expected - clock.now());
      }
      const slot = callers.add(options, isFirst);
      serve();
      if (priority === 'interactive' && callers.count('background') > 0) refuseLate();
      return slot;
    },
    isUsable,
    /** Takes back a slot that was not used in time. */
    giveBack(slot: number): void {
      slots.unshift(slot);
      releaseUnusable();
    },
    /** Gives no slots for so many milliseconds. */
    pause(milliseconds: number): void {
      history.pause(clock.now() + milliseconds);
      releaseUnusable();
      refuseLate();
      serve();
    },
    /** Removes the history from the store, and takes no slots meanwhile. */
    async removeStored(): Promise<void> {
      await history.removeStored();
      serve();
    },
    length: callers.length,
    close(): void {
      closed = true;
      cancelNext?.();
      for (const caller of callers.all()) callers.refuse(caller, stopping());
    },
  };
}

/** Another instance can continue at once. */
export const stopping = (): Deferred => new Deferred('REMOTE_FAILED', 'The app is stopping.', 1000, {});
