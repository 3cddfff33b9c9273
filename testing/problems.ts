import { expect } from 'vitest';
import { fieldErrorOf } from '../shared/fieldErrors.ts';
import type { TestResponse } from './app.ts';

/** The headers of a request without a credential. */
export const withoutKey = { ApiKey: '', Username: '' };

/** Expects an error body, with the members that existing clients read and those of RFC 9457. */
export function expectProblem(response: TestResponse, status: number, code: string, instance: string): void {
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  const { json } = response;
  expect(json).toMatchObject({ errorCode: code, type: 'about:blank', status, instance });
  expect(json.errorMessage).toMatch(/\S/);
  expect(json.title).toMatch(/\S/);
  expect(json.detail).toBe(json.errorMessage);
  const { errors, ...members } = json;
  expect(Object.keys(members).sort()).toEqual(
    ['detail', 'errorCode', 'errorMessage', 'instance', 'status', 'title', 'type'].sort(),
  );
  // The message follows from the code and its parameters.
  for (const error of errors ?? []) expect(error).toEqual(fieldErrorOf(error.path, error));
}
