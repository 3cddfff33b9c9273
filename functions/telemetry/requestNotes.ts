import { AsyncLocalStorage } from 'node:async_hooks';
import { isTelemetryOn } from './telemetry.ts';

/** What is learned of a request while it is worked on. */
export type RequestNotes = {
  /** Id of the administration it is for; of a remote one, the first characters of its credential's hash. */
  administration?: string;
  /** Requests sent to a remote service for it. */
  attempts: number;
};

const notes = new AsyncLocalStorage<RequestNotes>();

/** Does the work of a request, and gives it notes to be written in. */
export function withNotes<Result>(work: (notes: RequestNotes) => Promise<Result>): Promise<Result> {
  const own: RequestNotes = { attempts: 0 };
  return notes.run(own, () => work(own));
}

/** @param administration its id, never its key */
export function noteAdministration(administration: () => string): void {
  if (!isTelemetryOn()) return;
  const own = notes.getStore();
  if (own !== undefined) own.administration = administration();
}

export function noteAttempt(): void {
  const own = isTelemetryOn() ? notes.getStore() : undefined;
  if (own !== undefined) own.attempts++;
}
