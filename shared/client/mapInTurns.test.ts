import { expect, test } from 'vitest';
import { mapInTurns } from './mapInTurns.ts';

/** Works for so many milliseconds. */
function workFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('Long work on many items lets others have their turn, and keeps the order of the results', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const items = Array.from({ length: 200 }, (_, index) => index);
  const results = await mapInTurns(items, (item, index) => {
    workFor(1);
    return [item, index, turns];
  });
  clearInterval(timer);
  expect(results.map(([item, index]) => [item, index])).toEqual(items.map((item) => [item, item]));
  expect(turns).toBeGreaterThan(0);
});

test('An error in the work on an item is that of all of it', async () => {
  await expect(
    mapInTurns([1, 2], (item) => {
      if (item === 2) throw new Error('The second one.');
    }),
  ).rejects.toThrow('The second one.');
});
