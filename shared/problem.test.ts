import { describe, expect, it } from 'vitest';
import { readPush } from '../testing/pushes/readPush.ts';
import { fieldError } from './fieldErrors.ts';
import { MAX_ERRORS, Problem, problemBody, refuseFields } from './problem.ts';

const sizeOf = (problem: Problem, instance = '/rest/addorder') =>
  new TextEncoder().encode(JSON.stringify(problemBody(problem, instance))).length;

describe('an error body', () => {
  it('has at most a hundred errors', () => {
    const errors = Array.from({ length: 5000 }, (_, index) =>
      fieldError(`Line[${index}]`, 'NOT_DATE', { given: '"x"' }),
    );
    const body = problemBody(refuseFields(errors), '/');
    expect(body.errors).toEqual(errors.slice(0, MAX_ERRORS));
    expect(body.errorMessage).toContain('Line[0]');
  });

  it('has at most 100 kB, with any quotation', () => {
    const wide = '\u0001€'.repeat(20_000);
    const errors = Array.from({ length: 100 }, () => fieldError(wide, 'NOT_DATE', { given: wide }));
    expect(sizeOf(new Problem('INVALID_REQUEST', wide.repeat(10), { errors }), wide)).toBeLessThan(100_000);
    expect(problemBody(new Problem('NOT_FOUND', 'x'.repeat(4000)), '/').errorMessage).toHaveLength(4000);
  });

  it('of a push has the number of wrong rows among those that were read', () => {
    const refusal = (count: number): Problem => {
      try {
        readPush({ rows: Array.from({ length: count }, (_, row) => ({ row, update: { NewName: 'x' } })) });
      } catch (problem) {
        return problem as Problem;
      }
      throw new Error('It was taken.');
    };
    expect(refusal(3).message).toMatch(/ And 2 more\.$/);
    expect([refusal(3).errors.length, refusal(10_000).errors.length]).toEqual([3, MAX_ERRORS]);
    expect(refusal(10_000).message).toMatch(/ And at least 99 more\.$/);
    expect(sizeOf(refusal(10_000), '/pushes')).toBeLessThan(100_000);
  });
});
