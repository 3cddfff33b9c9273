import type { Clock } from './clock.ts';
import type { KeyHistory } from './rateLimitHistory.ts';
import { type Limits, maxLateness, nextSlot, nextSlots } from './rateLimits.ts';
import type { Timing } from './timing.ts';
import type { WaitingCallers } from './waitingCallers.ts';

/** Slots that are reserved for coming interactive callers, before the background work of other processes. */
const MAX_RESERVED = 2;

export type SlotContext = { history: KeyHistory; limits: Limits; clock: Clock; timing: Timing };

/** The earliest moment of a slot that is taken now and can still be used. */
function earliest({ history, limits, clock }: SlotContext): number {
  const usable = Math.floor(clock.now() + Math.max(0, history.delay() - maxLateness(limits) / 2));
  return Math.max(usable, history.current().heldUntil);
}

/**
 * The slots for the first callers of each priority.
 * @param taken slots without a caller yet, the earliest first
 */
export function expectedSlots(
  context: SlotContext,
  taken: readonly number[],
  interactive: number,
  background: number,
): number[] {
  const { history, limits } = context;
  const early = Math.max(0, interactive - taken.length);
  const spread = Math.max(0, interactive + background - taken.length - early);
  return [...taken, ...nextSlots(history.current().slots, limits, earliest(context), early, spread)];
}

/**
 * The slots to take now, and when to check again; no more than callers wait for, and none long before its moment.
 * @param taken the number of slots without a caller yet
 */
export function dueSlots(
  context: SlotContext,
  taken: number,
  callers: Pick<WaitingCallers, 'count' | 'length'>,
): { due: number[]; next: number } {
  const { history, limits, clock, timing } = context;
  const known = history.current().slots.slice();
  const due: number[] = [];
  // One delay for these, and one for those after them.
  const ahead = timing.lead() + 2 * history.delay();
  for (let place = taken; place < callers.length(); place++) {
    const isInteractive = place < callers.count('interactive');
    const slot = nextSlot(known, limits, earliest(context), !isInteractive);
    const isReserved = history.isShared() && isInteractive && place < MAX_RESERVED;
    if (slot - ahead > clock.now() && !isReserved) return { due, next: slot - ahead };
    due.push(slot);
    known.push(slot);
  }
  return { due, next: Number.POSITIVE_INFINITY };
}
