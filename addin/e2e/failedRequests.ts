import type { Page } from 'playwright-core';
import { Problem, problemBody } from '../../shared/problem.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';

/** What the pane says of them. */
export const FAILED = messagesOf.en.problems.service.INTERNAL;

/** Has requests of a page fail in the app, all or those of a method. @returns a function that ends it */
export async function failRequests(page: Page, to: RegExp, method?: string): Promise<() => Promise<void>> {
  await page.route(to, (route, request) => {
    if (method !== undefined && request.method() !== method) return route.fallback();
    const problem = new Problem('INTERNAL', 'x');
    return route.fulfill({ status: problem.status, json: problemBody(problem, '/') });
  });
  return () => page.unroute(to);
}
