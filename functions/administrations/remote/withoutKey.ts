import type { Credential } from '../../../shared/client/client.ts';
import type { FieldError } from '../../../shared/fieldErrors.ts';
import { Problem } from '../../../shared/problem.ts';

/** A problem without the key of a credential: a service may quote the key it refuses. */
export function withoutKey(problem: Problem, { apiKey }: Credential): Problem {
  const clean = (text: string) => text.replaceAll(apiKey, '***');
  const cleaned = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map(cleaned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)]));
  };
  return new Problem(problem.code, clean(problem.message), {
    errors: cleaned(problem.errors) as FieldError[],
    headers: problem.headers,
  });
}
