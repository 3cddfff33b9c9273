import fc from 'fast-check';
import { expect, it } from 'vitest';

it('A property that hangs fails before the time limit of its test, with its seed', async () => {
  const hanging = fc.asyncProperty(fc.integer(), () => new Promise<void>(() => {}));
  expect(await fc.check(hanging)).toMatchObject({ failed: true, interrupted: true, seed: expect.any(Number) });
}, 6000);

it('A property whose failure takes long to be made smaller fails before the time limit of its test, with it', async () => {
  let runs = 0;
  const failing = fc.asyncProperty(fc.array(fc.integer(), { minLength: 1 }), async () => {
    if (runs++ > 0) await new Promise(() => {});
    throw new Error('It fails.');
  });
  expect(await fc.check(failing)).toMatchObject({
    failed: true,
    interrupted: true,
    errorInstance: new Error('It fails.'),
    counterexample: [expect.any(Array)],
  });
}, 6000);
