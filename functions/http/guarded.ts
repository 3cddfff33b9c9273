import type { HttpResponseInit } from '@azure/functions';
import { Problem, problemBody } from '../../shared/problem.ts';
import type { HttpFunction } from './definition.ts';

/**
 * A handler that always answers. Whatever it throws becomes the one error body: what is left to throw on its own can leave
 * a caller waiting until the platform gives up. Surprises are logged whole and told without their text.
 */
export const guarded =
  (handler: HttpFunction['handler']): HttpFunction['handler'] =>
  async (request, context) => {
    try {
      return await handler(request, context);
    } catch (thrown) {
      const problem =
        thrown instanceof Problem ? thrown : new Problem('INTERNAL', 'Something went wrong here.', { cause: thrown });
      if (problem.status === 500) context.error(problem.cause ?? problem);
      return problemAnswer(problem, new URL(request.url).pathname);
    }
  };

const problemAnswer = (problem: Problem, instance: string): HttpResponseInit => ({
  status: problem.status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...problem.headers },
  body: JSON.stringify(problemBody(problem, instance)),
});
