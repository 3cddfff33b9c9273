import { expect, it } from 'vitest';
import { Problem } from '../../../shared/problem.ts';
import { errorOf, failureOf } from './carryOutOrders.ts';

it('a problem that a thread tells of has the cause for the log, with where it was thrown', () => {
  const cause = new Error('Connection terminated unexpectedly');
  const told = structuredClone(failureOf(new Problem('UNAVAILABLE', 'Later.', { cause })));
  expect(errorOf(told)).toMatchObject({ code: 'UNAVAILABLE', message: 'Later.', cause: cause.stack });
  expect(errorOf(failureOf(new Problem('CONFLICT', 'No.'))).cause).toBeUndefined();
});
