import { HttpRequest, InvocationContext } from '@azure/functions';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import type { HttpFunction } from './definition.ts';
import { responseDefaults } from './responseDefaults.ts';

async function responseOf(handler: HttpFunction['handler']) {
  const logged: string[] = [];
  const called = responseDefaults(handler, { name: 'one', methods: ['GET'], route: 'one', handler });
  const context = new InvocationContext({
    functionName: 'one',
    logHandler: (_, ...parts) => logged.push(parts.join(' ')),
  });
  const request = new HttpRequest({ method: 'GET', url: 'https://ledgerline.example.com/one', params: {} });
  const { status, body, headers } = await called(request, context);
  return { status, body: JSON.parse(String(body)), logged, headers };
}

describe('a handler that throws', () => {
  it.each<[string, HttpFunction['handler']]>([
    [
      'before it has a promise',
      () => {
        throw new Error('a secret');
      },
    ],
    ['later', async () => Promise.reject(new Error('a secret'))],
    ['what is no error', async () => Promise.reject('a secret')],
  ])('%s gets an error response, for which its caller would otherwise wait', async (_, handler) => {
    const { status, body, logged } = await responseOf(handler);
    expect([status, body.errorCode]).toEqual([500, 'INTERNAL']);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(logged.join()).toContain('a secret');
  });

  it('because something is unavailable gets 503 and when to try again; the log has the cause', async () => {
    const { status, body, logged, headers } = await responseOf(async () => {
      throw new Problem('UNAVAILABLE', 'Not now.', { cause: new Error('a secret') });
    });
    expect([status, body.errorMessage]).toEqual([503, 'Not now.']);
    expect(headers).toMatchObject({ 'Retry-After': '5' });
    expect(logged.join()).toContain('a secret');
  });
});
