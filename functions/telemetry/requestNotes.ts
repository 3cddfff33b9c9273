import { AsyncLocalStorage } from 'node:async_hooks';
import { isTelemetryOn } from './telemetry.ts';

/** What is recorded about a request while it is handled. */
type RequestNotes = {
  /** The id of the administration; for a remote one, the first characters of the hash of its credential. */
  administration?: string;
  /** Requests that were sent to a remote service. */
  attempts: number;
};

const notes = new AsyncLocalStorage<RequestNotes>();

/** Handles a request with notes of its own. */
export function withNotes<Result>(work: (notes: RequestNotes) => Promise<Result>): Promise<Result> {
  const current: RequestNotes = { attempts: 0 };
  return notes.run(current, () => work(current));
}

/** @param administration its id, never its key */
export function noteAdministration(administration: () => string): void {
  const current = isTelemetryOn() ? notes.getStore() : undefined;
  if (current !== undefined) current.administration = administration();
}

export function noteAttempt(): void {
  const current = isTelemetryOn() ? notes.getStore() : undefined;
  if (current !== undefined) current.attempts++;
}
