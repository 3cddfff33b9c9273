import type { PushLog } from './pushLog.ts';
import { isSettled } from './rowState.ts';

/**
 * The rows of a push that are still to be sent, unconfirmed and deferred ones first.
 * @param isStopped whether no further row may be sent for the first time
 */
export function createRowQueue(log: PushLog, count: number, isStopped: () => boolean) {
  const again = Array.from({ length: count }, (_, index) => index).filter(
    (index) => log.row(index).state === 'sending',
  );
  const notBefore = new Map<number, number>();
  let next = 0;

  const isOpen = (index: number) => (isStopped() ? log.row(index).state === 'sending' : !isSettled(log.row(index)));

  return {
    /** Takes the next rows. @param max rows at the most */
    take(max: number): number[] {
      const batch: number[] = [];
      for (let at = 0; at < again.length && batch.length < max; ) {
        const index = again[at]!;
        if (!isOpen(index)) again.splice(at, 1);
        else if ((notBefore.get(index) ?? 0) > Date.now()) at++;
        else batch.push(...again.splice(at, 1));
      }
      while (!isStopped() && next < count && batch.length < max) {
        if (log.row(next).state === 'waiting') batch.push(next);
        next++;
      }
      return batch;
    },
    /** Puts rows back that were not sent. */
    putBack: (batch: readonly number[]): void => void again.unshift(...batch),
    /** Queues those of these rows that may be sent again. */
    retry: (batch: readonly number[]): void => void again.push(...batch.filter(isOpen)),
    /** Keeps a row in the queue until a moment, in milliseconds since 1970. */
    delay: (index: number, until: number): void => void notBefore.set(index, until),
    isEmpty: (): boolean => again.length === 0 && (next >= count || isStopped()),
  };
}
