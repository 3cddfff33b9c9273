import type { PushLog } from './pushLog.ts';
import type { RowOrder } from './rowOrder.ts';
import { isSettled } from './rowState.ts';

/** A row that is never sent, since it needs another one that was not applied. */
type Dropped = { index: number; needed: number };

/**
 * The rows of a push that are still to be sent, in their order, each when those it comes after let it.
 * @param order of each row
 * @param isStopped whether no further row may be sent for the first time
 * @param isInOrder whether rows are applied in the order in which they are taken: then a row need not wait for the
 *   outcome of one that it only follows
 */
export function createRowQueue(log: PushLog, order: readonly RowOrder[], isStopped: () => boolean, isInOrder: boolean) {
  /** Rows that may be sent, in their order. */
  const ready: number[] = [];
  /** How many rows each row still waits for. */
  const waitsFor = order.map(({ needs, follows }) => needs.length + follows.length);
  /** The rows that wait for each row. */
  const needing = new Map<number, number[]>();
  const following = new Map<number, number[]>();
  const notBefore = new Map<number, number>();
  /** Rows that are settled, or never sent: counted once. */
  const done = new Set<number>();
  /** Rows that were taken and are not written yet, or will be put back once what happened to them is recorded. */
  const unsent = new Set<number>();
  /** Rows that let those go that follow them when they were taken: nothing waits for their outcome. */
  const letGo = new Set<number>();
  let blocked = 0;

  for (const [index, { needs, follows }] of order.entries()) {
    // What was sent once need not wait again, also when its push was stopped.
    if (log.row(index).state === 'sending') waitsFor[index] = 0;
    if (waitsFor[index] === 0) {
      ready.push(index);
      continue;
    }
    blocked++;
    for (const one of needs) addTo(needing, one, index);
    for (const one of follows) addTo(following, one, index);
  }

  /** Rows are inserted behind those that come before them. */
  function makeReady(index: number): void {
    let [low, high] = [0, ready.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ready[middle]! < index) low = middle + 1;
      else high = middle;
    }
    ready.splice(low, 0, index);
  }

  function release(waiting: readonly number[]): void {
    for (const index of waiting) {
      if (--waitsFor[index]! > 0 || done.has(index)) continue;
      blocked--;
      makeReady(index);
    }
  }

  function releaseFollowing(index: number): void {
    const waiting = following.get(index) ?? [];
    following.delete(index);
    release(waiting);
  }

  /**
   * Lets the rows go on that follow a settled one. One that was never sent may settle before the rows that it follows:
   * then those that follow it wait for these instead.
   */
  function settleFollowing(settled: number): void {
    const earlier = order[settled]!.follows.filter((one) => !done.has(one) && !letGo.has(one));
    for (const index of following.get(settled) ?? []) {
      waitsFor[index]! += earlier.length;
      for (const one of earlier) addTo(following, one, index);
    }
    releaseFollowing(settled);
  }

  const isOpen = (index: number) => (isStopped() ? log.row(index).state === 'sending' : !isSettled(log.row(index)));

  return {
    /** Takes the next rows. @param max rows at the most */
    take(max: number): number[] {
      const batch: number[] = [];
      const passed: number[] = [];
      let at = 0;
      for (; at < ready.length && batch.length < max; at++) {
        const index = ready[at]!;
        if (isSettled(log.row(index))) continue;
        if (!isOpen(index) || (notBefore.get(index) ?? 0) > Date.now()) {
          passed.push(index);
          continue;
        }
        batch.push(index);
        unsent.add(index);
        // Rows follow earlier ones, so what is ready now is behind this row, and may be in the same batch.
        if (isInOrder) {
          letGo.add(index);
          releaseFollowing(index);
        }
      }
      ready.splice(0, at, ...passed);
      return batch;
    },
    /** Whether other rows that come before one of a batch are in the queue, or were taken and are still to be written. */
    hasBefore(batch: readonly number[]): boolean {
      const last = batch.at(-1)!;
      return [...unsent, ready.find(isOpen) ?? last].some((one) => one < last && !batch.includes(one));
    },
    /** Takes note of rows that were written and will not be put back. */
    wereWritten(batch: readonly number[]): void {
      for (const index of batch) unsent.delete(index);
    },
    /** Puts rows back that are to be sent again, or were not sent. */
    putBack(batch: readonly number[]): void {
      for (const index of batch) {
        unsent.delete(index);
        makeReady(index);
      }
    },
    /** Keeps a row in the queue until a moment, in milliseconds since 1970. */
    delay: (index: number, until: number): void => void notBefore.set(index, until),
    /** Whether others wait for the outcome of a row. */
    isAwaited: (index: number): boolean => needing.has(index) || following.has(index),
    /**
     * Lets the rows go on that wait for these, as far as these have an outcome.
     * @returns rows that are never sent, and why
     */
    settle(batch: readonly number[]): Dropped[] {
      const dropped: Dropped[] = [];
      for (const needed of batch) {
        const row = log.row(needed);
        if (!isSettled(row) || done.has(needed)) continue;
        if (waitsFor[needed]! > 0) blocked--;
        done.add(needed);
        const waiting = needing.get(needed) ?? [];
        needing.delete(needed);
        if (row.state === 'applied') release(waiting);
        else for (const index of waiting) if (log.row(index).state === 'waiting') dropped.push({ index, needed });
        settleFollowing(needed);
      }
      return dropped;
    },
    isEmpty: (): boolean => !ready.some(isOpen) && (blocked === 0 || isStopped()),
  };
}

function addTo(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
