import { HttpRequest } from '@azure/functions';
import { expect, it } from 'vitest';
import { newContext } from '../host/context.ts';
import { type Middleware, withMiddleware } from './middleware.ts';

it('A request passes through middleware in the order in which it is listed, and its response the other way', async () => {
  const passed: string[] = [];
  const noting =
    (name: string): Middleware =>
    (next, { route }) =>
    async (request, context) => {
      passed.push(`${name} before ${route}`);
      const response = await next(request, context);
      passed.push(`${name} after ${response.status}`);
      return response;
    };
  const handler = async () => ({ status: 204 });
  const [one] = withMiddleware(
    [{ name: 'one', methods: ['GET'], route: 'here', handler }],
    noting('first'),
    noting('second'),
  );
  const request = new HttpRequest({ method: 'GET', url: 'https://ledgerline.example.com/here' });
  expect(
    await one!.handler(
      request,
      newContext('one', () => {}),
    ),
  ).toEqual({ status: 204 });
  expect(passed).toEqual(['first before here', 'second before here', 'second after 204', 'first after 204']);
});
