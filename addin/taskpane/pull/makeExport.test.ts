import { expect, it } from 'vitest';
import { relationExport } from '../../../shared/resources/relationExport.ts';
import { makeExport } from './makeExport.ts';

/** A service whose list changes with every look, after a request for an export of moment 100. */
const serviceOf = (...lists: [state: string, scheduledOn: number, relations?: number][][]) => ({
  request: async () => 100,
  list: async () =>
    (lists.length > 1 ? lists.shift()! : lists[0]!).map(([state, scheduledOn, relations = 0]) =>
      relationExport.parse({ date: `${scheduledOn}`, state, scheduledOn, relations, startedOn: 1 }),
    ),
});

it.each(['published', 'failed'])('An export that is requested is waited for until it is %s', async (end) => {
  const progress: number[] = [];
  const older: [string, number] = ['published', 99];
  const service = serviceOf(
    [older],
    [['running', 100], older],
    [['running', 100, 500], older],
    [[end, 101, 900], older],
  );
  const made = await makeExport(service, {
    signal: new AbortController().signal,
    onProgress: (relations) => progress.push(relations),
    wait: async () => {},
  });
  expect(made).toMatchObject({ state: end, date: '101', relations: 900 });
  expect(progress).toEqual([0, 500]);
});
