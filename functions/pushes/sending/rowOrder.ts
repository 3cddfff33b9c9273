import { pushRulesOf } from '../../../shared/api.ts';
import type { PushedWrite } from '../../../shared/resources/push.ts';

/** The earlier rows that a row comes after, by their indexes. */
export type RowOrder = {
  /** It is sent when these were applied, and never when one of them was not. */
  needs: readonly number[];
  /** It is sent when these have an outcome, whichever that is. */
  follows: readonly number[];
};

/**
 * The order in which rows are sent. A row needs the last row before it that makes or changes what it reads. It follows
 * rows that read what it changes, since they expect what was there. A row that gets the next number of a series follows
 * the last one before it that does, so that documents are numbered in the order of the rows.
 * @param inOrder false: documents may go at the same time, and are numbered as they arrive
 */
export function* orderInSteps(writes: readonly PushedWrite[], inOrder: boolean): Generator<void, RowOrder[]> {
  const lastChange = new Map<string, number>();
  const readers = new Map<string, number[]>();
  const order: RowOrder[] = [];
  let lastNumbered: number | undefined;
  for (const [index, { name, request }] of writes.entries()) {
    const { changes, reads, isNumbered } = pushRulesOf(name);
    const needs = new Set<number>();
    const follows = new Set<number>();
    for (const what of reads?.(request) ?? []) {
      const change = lastChange.get(what);
      if (change !== undefined) needs.add(change);
      const others = readers.get(what);
      if (others === undefined) readers.set(what, [index]);
      else if (others.at(-1) !== index) others.push(index);
    }
    for (const what of changes?.(request) ?? []) {
      for (const reader of readers.get(what) ?? []) if (reader !== index) follows.add(reader);
      readers.delete(what);
      lastChange.set(what, index);
    }
    if (isNumbered) {
      if (inOrder && lastNumbered !== undefined) follows.add(lastNumbered);
      lastNumbered = index;
    }
    order.push({ needs: [...needs], follows: [...follows].filter((one) => !needs.has(one)) });
    yield;
  }
  return order;
}
